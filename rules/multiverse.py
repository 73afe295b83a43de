"""Whether a study can have a multiverse."""

from __future__ import annotations


def no_multiverse(benchmark: str, judged: bool, limit: str) -> str | None:
    """The reason why a study cannot have a multiverse, in words, with the remedy; None if it can have one.

    ``judged`` says whether the benchmark's summaries are given, ``limit`` is the setting of their length.
    """
    if judged:
        return (
            f"The summaries of the benchmark {benchmark} are given, but a multiverse writes its own. "
            "The benchmarks demo and tac2014 can have one."
        )
    if limit != "words":
        return (
            f"The setting {limit} limits the length of summaries, but a multiverse limits it in words. "
            f"Set {limit} to null."
        )
    return None
