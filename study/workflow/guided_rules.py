"""What the jobs that need torch are given: their settings, and the modules that they depend on."""

from __future__ import annotations

from typing import Any

from sera.metrics.configure import listed_names
from study.settings.draws import draw
from study.settings.families import modules, needing
from study.settings.trained import plug_in


def guided_settings(config: dict[str, Any], system: str) -> list[str]:
    """The settings of training, as options of `sera-guided train`; the seed is that of the system's name."""
    given = {"seed": config["seed"], **config["guided"]["settings"]}
    given["seed"] += draw(system)
    return [word for key, value in given.items() for word in ("--set", f"{key}={value}")]


def encoder_options(config: dict[str, Any]) -> list[str]:
    """The options of `sera score` for every metric that needs a language model."""
    families = needing("encoder")
    given = [
        f"{family}.{key}={value}"
        for family in families
        for key, value in config["metrics"].get(family, {}).items()
        if value is not None
    ]
    names = ",".join(listed_names(families))
    return [
        "--metrics",
        names,
        "--encoder",
        config["encoder"],
        *(word for one in given for word in ("--set", one)),
    ]


def encoder_modules() -> list[str]:
    """The modules of these scores, without those that read the command line."""
    of_all = ["sera.metrics.score_files", "sera.io.score_formats", "sera_guided.encoders"]
    return [*of_all, *modules(needing("encoder"))]


def guided_modules(system: str) -> list[str]:
    """The modules of a system's training and generation."""
    found = plug_in()
    assert found
    return found.modules_of(system)
