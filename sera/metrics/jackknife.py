"""Jackknifing over references (Lin 2004, section 2.1): leave out each reference in turn, and average.

It makes systems comparable with annotators, whose own reference is left out.
"""

from collections.abc import Sequence
from math import fsum
from typing import TypeVar

Item = TypeVar("Item")
Parts = TypeVar("Parts", bound=tuple[float, ...])


def leave_each_out(references: Sequence[Item]) -> list[list[Item]]:
    """The sets of references that lack one of them in turn; a single reference is kept."""
    if len(references) == 1:
        return [list(references)]
    return [[*references[:place], *references[place + 1 :]] for place in range(len(references))]


def best_parts(singly: Sequence[Parts]) -> Parts:
    """The best P, R and F against a single reference, chosen separately.

    ``singly`` are named tuples of the scores against each reference alone.
    """
    return type(singly[0])(*map(max, zip(*singly)))


def jackknife(singly: Sequence[Parts]) -> Parts:
    """The mean over `leave_each_out` of the `best_parts` against the references that are left."""
    sets = [best_parts(scores) for scores in leave_each_out(singly)]
    return type(singly[0])(*(fsum(part) / len(sets) for part in zip(*sets)))  # type: ignore[arg-type]
