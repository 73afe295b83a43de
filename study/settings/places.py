"""The folders of inputs and results: a run never writes into the folder of an input."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sera.errors import InputError
from study.settings.settings import DATA

CODE = ("sera", "rules", "scripts", "schemas", "resources", "report", "envs", "profiles", ".git", ".venv")
"""Folders of the checkout that a run only reads."""


def is_inside(path: str, folder: str) -> bool:
    """Whether a path is a folder or inside it; neither need exist. Links are resolved."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


_MARKS = re.compile(r"[{}\r\n]|<[a-z][a-z0-9_]*>")


def check_text(setting: str, path: str) -> None:
    """Raise InputError for a path with a line break, or with a wildcard or variable of a rule."""
    if marks := _MARKS.search(path):
        problem = f"{setting}: {path!r} contains {marks[0]!r}, which has a meaning in Snakemake's paths"
        raise InputError(problem, remedy="Rename it, or name another one.")


def check_results(folder: str) -> None:
    """Raise InputError for a folder below a file: Snakemake would fail on it with an unclear message."""
    there = next(parent for parent in [Path(folder), *Path(folder).absolute().parents] if parent.exists())
    if not there.is_dir():
        remedy = "Name another folder with the setting `results`."
        problem = f"results cannot be written there: {there} is a file"
        raise InputError(problem, path=folder, remedy=remedy)


def plain_path(path: str) -> str:
    """A path without doubled slashes and without a slash at its end: Snakemake sees these as other paths.

    >>> plain_path("/data//mine/")
    '/data/mine'
    """
    return re.sub("//+", "/", path).removesuffix("/") or "/"


def input_paths(config: Mapping[str, Any], benchmark: str | None) -> dict[str, str]:
    """The paths of inputs by their settings; ``benchmark``: the folder of a user's own one, or None."""
    named = {name: config[name] for name in (*DATA, "framenet", "frequent_words")}
    named["benchmark"] = benchmark
    named |= {f"candidates.{name}": path for name, path in config["candidates"].items()}
    if config["vectors"] != "index":
        named["vectors"] = config["vectors"]
    if config["encoder"] and os.path.isdir(config["encoder"]):
        named["encoder"] = config["encoder"]
    return {setting: path for setting, path in named.items() if path}


def check_places(root: str, outs: Mapping[str, str], named: Mapping[str, str]) -> None:
    """Raise InputError if results would be written into an input, or if an input is inside the results.

    root:   the checkout
    outs:   the folders that the run writes, by their names in errors
    named:  the inputs, by the settings that name them

    Real paths are compared, so their spelling does not matter. Results of another study may be inputs.
    """
    read = {f"the setting {setting}": path for setting, path in named.items()}
    read |= {"the code": root, **{f"the code's {name}": f"{root}/{name}" for name in CODE}}
    for what, out in outs.items():
        for setting, path in read.items():
            inside = setting != "the code" and is_inside(out, path)
            if inside or is_inside(path, out):
                where = f"is inside {path}" if inside else f"has {path} inside it"
                problem = f"config: results: the folder of {what}, {out}, {where}, which is {setting}"
                remedy = "Name another folder for the results: a run would overwrite it."
                raise InputError(problem, remedy=remedy)
