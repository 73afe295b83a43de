"""Whether a study can have a multiverse."""

from __future__ import annotations

from collections.abc import Sequence

from sera.text.languages import ENGLISH


def no_multiverse(
    benchmark: str, judged: bool, judgements: Sequence[str], language: str = ENGLISH
) -> str | None:
    """The reason why a study cannot have a multiverse, in words, with the remedy; None if it can have one.

    ``judged`` says whether the benchmark brings its summaries; ``judgements`` are what metrics are compared
    with.
    """
    if language != ENGLISH:
        return (
            "The choices of a multiverse are those of a study in English, such as its tool for noun phrases, "
            f"and the language is {language}. The other results do not need it."
        )
    if not judgements:
        return (
            f"A multiverse correlates metrics with judgements, and the benchmark {benchmark} has none. "
            "The benchmarks demo and tac2014 can have one."
        )
    if judged:
        return (
            f"The benchmark {benchmark} gives summaries or clean articles, but a multiverse makes its own of "
            "both. The benchmarks demo and tac2014 can have one; for given summaries there is "
            "`python -m study multiverse --candidates FILE --references FILE --judgements FILE --out FOLDER`."
        )
    return None
