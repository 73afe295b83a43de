"""Summarization evaluation for scientific articles: metrics, summarizers, retrieval and their study.

>>> import sera
>>> sera.metric("ROUGE-2-F").score("the cat sat", ["a cat sat down", sera.Summary(["the cat", "it sat"])])
0.33333

`metric` scores summaries one by one, and `score` a table of them. `summarize` writes a summary. `index` makes
the index that SERA searches. `average` averages scores, `evaluate` compares them with human judgements, and
`report` writes a page on them; the notebook docs/evaluate-a-metric.ipynb shows both. `metric_function` makes
a metric of a function of yours, and `register` adds a metric or a summarizer.
"""

import importlib
from typing import Any

__version__ = "0.2.0"
_MODULES = {
    "InputError": "sera.errors",
    "Summary": "sera.metrics.base",
    "average": "sera.evaluation.average",
    "evaluate": "sera.evaluation.evaluate",
    "index": "sera.retrieval.index",
    "metric": "sera.metrics",
    "metric_function": "sera.metrics.functions",
    "register": "sera.registry",
    "report": "sera.reporting.scores_page",
    "score": "sera.metrics.score_table",
    "summarize": "sera.summarizers",
}
# The types of these names are in __init__.pyi: an import here, even for a type checker alone, would make each
# module depend on all others (study/workflow/code.py).
__all__ = ["__version__", *_MODULES]


def __getattr__(name: str) -> Any:
    """Import a name when it is first used, so that `import sera` does not import the metrics."""
    if name not in _MODULES:
        raise AttributeError(f"module 'sera' has no attribute {name!r}")
    from sera.extras import extra_for

    with extra_for(f"sera.{name}"):
        found = getattr(importlib.import_module(_MODULES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
