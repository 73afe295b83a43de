"""Jackknifing over references (Lin 2004, section 2.1): leave out each reference in turn, and average.

It makes systems comparable with annotators, whose own reference is left out.
"""

from collections.abc import Sequence
from math import fsum
from typing import TypeVar

Item = TypeVar("Item")


def leave_each_out(references: Sequence[Item]) -> list[list[Item]]:
    """The sets of references that lack one of them in turn; a single reference is kept."""
    if len(references) == 1:
        return [list(references)]
    return [[*references[:place], *references[place + 1 :]] for place in range(len(references))]


def jackknife(singly: Sequence[Sequence[float]]) -> list[float]:
    """The mean over `leave_each_out` of the best P, R and F, each by itself, against the references left.

    ``singly`` has the three scores against each reference alone.
    """
    sets = [list(map(max, zip(*scores))) for scores in leave_each_out(singly)]
    return [fsum(part) / len(sets) for part in zip(*sets)]
