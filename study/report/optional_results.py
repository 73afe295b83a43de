"""What a study's page shows of other targets: `multiverse`, `audit`, `more_systems`, and released tables."""

from __future__ import annotations

import os
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from sera.io import tsv
from study.multiverse.choices import DIMENSIONS, number_key, written_value
from study.published import POOLED_RELEASED, RECOGNITION_RELEASED


def optional_results(
    out: str | PathLike[str], audit: str | PathLike[str] | None, own: Mapping[str, Any] | None
) -> dict[str, str]:
    """The paths of these results by name, of those that exist and fit the study in the folder ``out``.

    A multiverse fits if its own universe has the study's settings, ``own`` (`Plan.own_universe`); None for a
    study without one. ``audit`` is the audit's folder, or None for a study that is not the paper's.
    """
    paths = {}
    universes = Path(out, "multiverse/universes.tsv")
    if own and universes.is_file() and (questions := fitting_questions(universes, own)):
        curves = universes.with_name("figures")
        paths = {f"curve_{name}": curves / f"specification_curve_{name}.svg" for name in questions}
    if audit:
        paths |= {"audit": Path(audit, "audit.svg"), "paragraphs": Path(audit, "paragraphs.md")}
    return other_answers(out) | _keep_files(paths)


def other_answers(folder: str | PathLike[str]) -> dict[str, str]:
    """The paths of the answers with more systems and over all releases, of those that exist.

    ``folder`` has the results of a study, or its release (`study.published.released`). Paths in the checkout
    are relative, so that the page is not made again where the checkout is moved.
    """
    checkout = Path(os.path.relpath(Path(__file__).parents[2]))
    return _keep_files(
        {
            "more_systems": Path(folder, "more_systems/answer.tsv"),
            "more_systems_figure": Path(folder, "more_systems/more_systems.png"),
            "pooled": checkout / POOLED_RELEASED,
            "recognition": checkout / RECOGNITION_RELEASED,
        }
    )


def _keep_files(paths: Mapping[str, Path]) -> dict[str, str]:
    return {name: str(path) for name, path in paths.items() if path.is_file()}


def fitting_questions(universes: str | PathLike[str], own: Mapping[str, Any]) -> list[str]:
    """The questions of a table of universes; none if its own universe has other settings than ``own``.

    The level of the correlations is a matter of the question. InputError for a table without these columns.
    """
    settings = [name for name in DIMENSIONS if name != "level"]
    cells = tsv.read(universes, ["question", "universe", *settings])
    own_rows = cells[cells["universe"] == "own"]
    for name in settings:
        if any(number_key(there) != number_key(written_value(own[name])) for there in own_rows[name]):
            return []
    return list(own_rows["question"])
