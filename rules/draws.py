"""A system that draws its summaries by chance: `random` becomes `random_1`, `random_2` and so on."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from sera.errors import InputError
from sera.summarizers import SUMMARIZERS, in_other_languages
from sera.text.languages import ENGLISH

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


def possible(systems: Iterable[str], lacks: Collection[str], language: str = ENGLISH) -> list[str]:
    """The systems that read the language and need nothing that the benchmark ``lacks``.

    ``lacks``: of "nuggets" and "citances". InputError if there is none.
    """
    readers = SUMMARIZERS if language == ENGLISH else in_other_languages()

    def can(system: str) -> bool:
        return system not in SUMMARIZERS or (
            system in readers and not set(lacks) & set(SUMMARIZERS.needs(system))
        )

    found = [name for name in systems if can(undrawn(name))]
    if not found:
        raise InputError(
            "config: systems: all of them need citances, which the benchmark lacks"
            + (f", or English, and the language is {language}" if language != ENGLISH else ""),
            remedy="Name other systems, for example lexrank.",
        )
    return found


def draw(name: str) -> int:
    """The number of a draw, from 0; 0 for a system that is not drawn several times."""
    found = re.fullmatch(DRAW, name)
    return int(found[1]) - 1 if found else 0
