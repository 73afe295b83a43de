"""The study: what only this reproduction of Cohan & Goharian (2016) needs, in a checkout.

It adds its demo to the benchmarks of `sera`, so that each process that imports a module of the study knows
it.
"""

from sera.registry import declare

_TEXT = "a small synthetic benchmark; its truth is known"
declare("benchmark", "demo", "study.demo.benchmark:DEMO", _TEXT)
