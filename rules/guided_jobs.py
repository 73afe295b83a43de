"""What the jobs that need torch are given: their settings, and the modules that they depend on."""

from __future__ import annotations

from typing import Any

from rules.families import modules, needing
from sera.guided import GUIDED
from sera.metrics.equip import listed_names


def guided_settings(config: dict[str, Any]) -> list[str]:
    """The settings of training, as options of `sera guided train`."""
    given = {"seed": config["seed"], **config["guided"]["settings"]}
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
    of_all = ["sera.metrics.score_files", "sera.metrics.score_formats", "sera.vectors.encoders"]
    return [*of_all, *modules(needing("encoder"))]


def guided_modules(system: str) -> list[str]:
    """The modules of a system's training and generation."""
    sort = "presumm" if "sentences" in GUIDED.needs(system) else "abstractive"
    of_all = [f"sera.guided.{module}" for module in ("guided_training", "generation", "systems", sort)]
    return ["sera.cli.guided", *of_all, GUIDED.module(system)]
