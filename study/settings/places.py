"""The folders of inputs and results: a run never writes into the folder of an input."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sera.errors import InputError

CODE = ("sera", "rules", "scripts", "schemas", "resources", "report", "envs", "profiles", ".git", ".venv")
"""Folders of the checkout that a run only reads."""

_OF_THE_DATA = ("tac2014", "realsumm", "nist", "data", "pyramids", "pmc_oa", "framenet", "frequent_words")


class _Place(NamedTuple):
    """The identity of a path, however it is spelt: its deepest existing folder, and the names after it."""

    device: int
    inode: int
    rest: tuple[str, ...]


def _above(path: str) -> Iterator[_Place]:
    """A path, which need not exist, and the folders above it."""
    whole = Path(os.path.realpath(path))
    for each in (whole, *whole.parents):
        rest: list[str] = []
        there = each
        while not os.path.lexists(there) and there != there.parent:
            rest.insert(0, there.name)
            there = there.parent
        try:
            facts = os.stat(there)
        except OSError:
            continue
        yield _Place(facts.st_dev, facts.st_ino, tuple(rest))


def within(path: str, folder: str) -> bool:
    """Whether a path is a folder or inside it; links and other names of the folder are resolved."""
    return next(_above(folder), None) in set(_above(path))


def check_text(setting: str, path: str, *, written: bool = False) -> None:
    """Raise InputError for a path that no file can have, or, if it is ``written``, that no rule can name."""
    if "\0" in path or "\n" in path or "\r" in path:
        raise InputError(
            f"{setting}: {path!r} has a line break or a null character in it", remedy="Rename it."
        )
    if any(len(os.fsencode(part)) > 255 for part in path.split("/")) or len(os.fsencode(path)) > 4000:
        raise InputError(f"{setting}: {path[:60]!r}... is too long for a path", remedy="Name a shorter one.")
    if written and (marks := [mark for mark in "{}" if mark in path]):
        raise InputError(
            f"{setting}: {path} has {marks[0]!r} in it, which stands for a wildcard in a rule",
            remedy="Name another folder.",
        )


def plain_path(path: str) -> str:
    """A path without doubled slashes and without a slash at its end: Snakemake sees these as other paths.

    >>> plain_path("/data//mine/")
    '/data/mine'
    """
    return re.sub("//+", "/", path).removesuffix("/") or "/"


def inputs(config: Mapping[str, Any], benchmark: str | None) -> dict[str, str]:
    """The paths of inputs by their settings; ``benchmark``: the folder of a user's own one, or None."""
    named = {name: config[name] for name in _OF_THE_DATA}
    named["benchmark"] = benchmark
    named |= {f"candidates.{name}": path for name, path in config["candidates"].items()}
    if config["vectors"] != "index":
        named["vectors"] = config["vectors"]
    if config["encoder"] and os.path.isdir(config["encoder"]):
        named["encoder"] = config["encoder"]
    if config["claims"]:
        named["claims"] = config["claims"]
    return {setting: path for setting, path in named.items() if path}


def check_places(root: str, outs: Mapping[str, str], named: Mapping[str, str]) -> None:
    """Raise InputError if results would be written into an input, or an input lies in the results.

    root:   the checkout
    outs:   the folders that the run writes, by their names in errors
    named:  the inputs, by the settings that name them

    Real paths are compared, so their spelling does not matter. A file in the results of another study may be
    an input.
    """
    written = [*outs.items(), *((what, link) for what, out in outs.items() for link in _links(out))]
    read = {f"the setting {setting}": path for setting, path in named.items()}
    read |= {"the code": root, **{f"the code's {name}": f"{root}/{name}" for name in CODE}}
    for what, out in written:
        for setting, path in read.items():
            inside = setting != "the code" and within(out, path)
            if inside or within(path, out):
                raise InputError(
                    f"config: results: the folder of {what}, {out}, "
                    + (f"is inside {path}" if inside else f"has {path} inside it")
                    + f", which is {setting}",
                    remedy="Name another folder for the results: a run would overwrite it.",
                )
    for what, out in outs.items():
        for other, beside in outs.items():
            if what != other and within(out, beside):
                raise InputError(
                    f"config: results: the folder of {what}, {out}, is inside that of {other}, {beside}",
                    remedy="Give each study its own folder.",
                )


def _links(out: str, depth: int = 2) -> Iterator[str]:
    """Links to folders inside a folder of results: a run writes through them to other places."""
    try:
        entries = list(os.scandir(out))
    except OSError:
        return
    for entry in entries:
        if entry.is_symlink() and os.path.isdir(entry.path):
            yield entry.path
        elif depth > 1 and entry.is_dir(follow_symlinks=False):
            yield from _links(entry.path, depth - 1)
