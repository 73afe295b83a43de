"""The results of other targets that a study's page shows: `multiverse`, `audit`, `more_systems`, `matrix`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from sera.io import tsv
from study.multiverse.choices import DIMENSIONS, number_key


def optional_results(
    out: str | PathLike[str], audit: str | PathLike[str] | None, own: Mapping[str, Any] | None
) -> dict[str, str]:
    """The paths of these results by name, of those that exist and fit the study in the folder ``out``.

    A multiverse fits if its own universe has the study's settings, ``own`` (`Plan.own_universe`); None for a
    study without one. ``audit`` is the audit's folder, or None for a study that is not the paper's.
    """
    multiverse = Path(out, "multiverse")
    found = other_answers(out)
    if own and (multiverse / "universes.tsv").is_file():
        questions = fitting_questions(multiverse / "universes.tsv", own)
        names = {name: f"{name}.tsv" for name in ("universes", "claims", "null")}
        names |= {f"curve_{name}": f"figures/specification_curve_{name}.svg" for name in questions}
        found |= _complete(multiverse, names) if questions else {}
    if audit:
        names = {"audit": "audit.svg", "counts": "summary.tsv", "paragraphs": "paragraphs.md"}
        found |= _complete(Path(audit), names)
    return found


def other_answers(out: str | PathLike[str], beside: str | PathLike[str] | None = None) -> dict[str, str]:
    """The paths of the answers with more systems and on other benchmarks, of those that exist.

    Other benchmarks are in the folder ``beside``, by default that of the study's folder ``out``.
    """
    beside = Path(out).parent if beside is None else Path(beside)
    paths = {
        "more_systems": Path(out, "more_systems/answer.tsv"),
        "more_systems_figure": Path(out, "more_systems/more_systems.png"),
        "people": beside / "wikisera_tac2009/tables/differences.tsv",
        "meta": beside / "matrix/meta.tsv",
    }
    return {name: str(path) for name, path in paths.items() if path.is_file()}


def released_answers(release: str | PathLike[str]) -> dict[str, str]:
    """As `other_answers` and of the multiverse, in the folder of a release (`study.published.released`)."""
    claims = _complete(Path(release, "multiverse"), {name: f"{name}.tsv" for name in ("claims", "null")})
    return other_answers(release, release) | claims


def _complete(folder: Path, names: Mapping[str, str]) -> dict[str, str]:
    """The paths of files in a folder by name; nothing if one is missing."""
    paths = {name: folder / file for name, file in names.items()}
    return {name: str(path) for name, path in paths.items()} if all(map(Path.is_file, paths.values())) else {}


def fitting_questions(universes: str | PathLike[str], own: Mapping[str, Any]) -> list[str]:
    """The questions of a table of universes; none if its own universe has other settings than ``own``.

    The level of the correlations is a matter of the question. InputError for a table without these columns.
    """
    settings = [name for name in DIMENSIONS if name != "level"]
    cells = tsv.read(universes, ["question", "universe", *settings])
    marked = cells[cells["universe"] == "own"]
    for name in settings:
        here = own[name] if isinstance(own[name], str) else json.dumps(own[name])
        if any(number_key(there) != number_key(here) for there in marked[name]):
            return []
    return list(marked["question"])
