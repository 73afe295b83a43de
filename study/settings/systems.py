"""The systems of a study: which are trained, if their plug-in is installed, and which are drawn by chance.

The plug-in is a module with the registry ``GUIDED``, ``modules_of``, ``check_settings`` and ``best_layer``.
With several draws or seeds, the system `random` becomes `random_1`, `random_2` and so on.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from importlib import metadata
from typing import Any

from sera.errors import InputError
from sera.summarizers import SUMMARIZERS, multilingual_summarizers
from sera.text.languages import ENGLISH


@cache
def plug_in() -> Any | None:
    """The module of the plug-in; None if it is not installed."""
    entry = next(iter(metadata.entry_points(group="sera.trained")), None)
    return entry.load() if entry else None


def trained_names() -> list[str]:
    """The names of the systems that can be trained."""
    plugin = plug_in()
    return list(plugin.GUIDED) if plugin else []


DRAW = r"random_(\d+)"  # the names of `random` where it is drawn several times
_NUMBERED = re.compile(rf"({'|'.join(['random', *trained_names()])})_(\d+)")


def number_draws(systems: Iterable[str], draws: int, seeds: int) -> list[str]:
    """The systems, with `random` as often as it is drawn, and each that is trained once for each seed.

    >>> number_draws(["lead", "random", "bart"], 1, 2)
    ['lead', 'random', 'bart_1', 'bart_2']
    """
    often = {**dict.fromkeys(trained_names(), seeds), "random": draws}
    return [
        f"{name}_{number}" if often.get(name, 1) > 1 else name
        for name in systems
        for number in range(1, often.get(name, 1) + 1)
    ]


def base_system(name: str) -> str:
    """The system of a name: `random` for each of its draws, `bart` for each of its seeds."""
    match = _NUMBERED.fullmatch(name)
    return match[1] if match else name


def draw_number(name: str) -> int:
    """The number of a draw or seed, from 0; 0 for a system with only one."""
    match = _NUMBERED.fullmatch(name)
    return int(match[2]) - 1 if match else 0


def guided_settings(config: dict[str, Any], system: str) -> list[str]:
    """The settings of training, as options of `sera-guided train`; the seed is that of the system's name."""
    settings = {"seed": config["seed"], **config["guided"]["settings"]}
    settings["seed"] += draw_number(system)
    return [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]


def usable_systems(systems: Iterable[str], lacks: Collection[str], language: str = ENGLISH) -> list[str]:
    """The systems that read the language and need nothing that the benchmark ``lacks``, at least one."""
    readers = SUMMARIZERS if language == ENGLISH else multilingual_summarizers()

    def can(system: str) -> bool:
        return system not in SUMMARIZERS or (
            system in readers and not set(lacks) & set(SUMMARIZERS.needs(system))
        )

    names = [name for name in systems if can(base_system(name))]
    if not names:
        other = f", or English, and the language is {language}" if language != ENGLISH else ""
        problem = f"config: systems: all of them need citances, which the benchmark lacks{other}"
        raise InputError(problem, remedy="Name other systems, for example lexrank.")
    return names


def parameters_of(system: str, summarizers: str, own: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """A system's parameters: its ``own``, before those of its paper if ``summarizers`` is ``papers``."""
    papers = getattr(SUMMARIZERS.load(system), "PAPER", {}) if summarizers == "papers" else {}
    return {**papers, **own.get(system, {})}
