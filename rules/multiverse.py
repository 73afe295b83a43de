"""Whether a study can have a multiverse."""

from __future__ import annotations


def no_multiverse(benchmark: str, judged: bool) -> str | None:
    """The reason why a study cannot have a multiverse, in words, with the remedy; None if it can have one.

    ``judged`` says whether the benchmark's summaries are given.
    """
    if judged:
        return (
            f"The summaries of the benchmark {benchmark} are given, but a multiverse writes its own. "
            "The benchmarks demo and tac2014 can have one."
        )
    return None
