"""A system that draws its summaries by chance: `random` becomes `random_1`, `random_2` and so on."""

from __future__ import annotations

import re
from collections.abc import Iterable

DRAW = r"random_(\d+)"
"""The names of `random` where it is drawn several times."""


def drawn(systems: Iterable[str], draws: int) -> list[str]:
    """The systems, with `random` as often as it is drawn.

    >>> drawn(["lead", "random"], 2)
    ['lead', 'random_1', 'random_2']
    """
    several = [f"random_{draw}" for draw in range(1, draws + 1)] if draws > 1 else ["random"]
    return [name for system in systems for name in (several if system == "random" else [system])]


def undrawn(name: str) -> str:
    """The system of a name: `random` for each of its draws."""
    return re.sub(DRAW, "random", name)


def draw(name: str) -> int:
    """The number of a draw, from 0; 0 for a system that is not drawn several times."""
    found = re.fullmatch(DRAW, name)
    return int(found[1]) - 1 if found else 0
