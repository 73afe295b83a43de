"""The folders of inputs and results: a run never writes into the folder of an input."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sera.errors import InputError
from study.settings.settings import DATA

_MARKS = re.compile(r"[{}\r\n]|<[a-z][a-z0-9_]*>")


def check_text(setting: str, path: str) -> None:
    """Raise InputError for a path with a line break, or with a wildcard or variable of a rule."""
    if marks := _MARKS.search(path):
        problem = f"{setting}: {path!r} contains {marks[0]!r}, which has a meaning in Snakemake's paths"
        raise InputError(problem, remedy="Rename it, or name another one.")


def input_paths(config: Mapping[str, Any], benchmark: str | None) -> list[str]:
    """The paths of the inputs that settings name; ``benchmark``: the folder of a user's own one, or None."""
    paths = [benchmark, *(config[name] for name in (*DATA, "framenet", "frequent_words"))]
    paths += config["candidates"].values()
    if config["vectors"] != "index":
        paths.append(config["vectors"])
    if config["encoder"] and os.path.isdir(config["encoder"]):
        paths.append(config["encoder"])
    return [path for path in paths if path]


def check_places(outs: Iterable[str], inputs: Iterable[str]) -> None:
    """Raise InputError if one of the inputs is in a folder that the run writes, one of ``outs``.

    Real paths are compared. Results of another study may be inputs.
    """
    for path in inputs:
        for out in outs:
            if Path(os.path.realpath(path)).is_relative_to(os.path.realpath(out)):
                problem = f"config: results: {path} is an input, and a run would overwrite it in {out}"
                raise InputError(problem, remedy="Name another folder for the results.")
