"""Which study a command line means: the settings of config.yaml, and those that overrule them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import yaml

from sera.benchmarks import results_name

ROOT = Path(__file__).resolve().parent.parent


def latest() -> tuple[dict[str, Any], str, Path]:
    """The settings, the study's name, and the folder of its results, of arguments as ``benchmark=demo``."""
    settings = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    settings |= dict(argument.split("=", 1) for argument in sys.argv[1:] if "=" in argument)
    name = settings["study"] or results_name(settings["benchmark"])
    return settings, name, Path(settings["results"], name)
