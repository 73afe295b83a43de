"""What the numbers of a page stand on, in words: its topics and systems."""

from __future__ import annotations

from collections.abc import Sequence

from sera.evaluation.correlation.significance import smallest_rho


def topics_in_words(used: int, read: int, name: str, release: Sequence[object] | None = None) -> str:
    """How many topics the correlations are over, and of how many.

    ``used`` are those of the correlations, ``read`` those of the data. ``release`` has the title of the
    benchmark's release and the number of topics in it, if the benchmark has one.

    >>> topics_in_words(10, 10, "tac2014", ("TAC 2014 BiomedSumm", 20))
    '10 of the 20 topics of TAC 2014 BiomedSumm'
    """
    if release:
        title, whole = release
        words = f"{used} of the {whole} topics of {title}"
        return words if used == read else f"{words} ({read} in the data)"
    if used == read:
        return f"{used} {'topic' if used == 1 else 'topics'}, all in {name}"
    return f"{used} of the {read} topics in {name}"


def systems_in_words(systems: int) -> str:
    """What so few systems can show: the smallest rho that is more than chance (`smallest_rho`)."""
    rho = smallest_rho(systems)
    if rho is None:
        return f"With {systems} systems, even a ρ of 1 may be chance (p > .05)"
    return f"With {systems} systems, a ρ below {rho:.2f} may be chance (p > .05, two-sided)"
