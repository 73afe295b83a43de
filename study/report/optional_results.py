"""What the page of a study shows of other targets: `multiverse`, `audit`, `more_systems`, `matrix`.

Of the multiverse it shows how often SERA is ahead, by the settings of the universes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sera.io import tsv
from study.multiverse.choices import number_key, question_dimensions

if TYPE_CHECKING:
    import pandas as pd

DECISION = "sera_above_rouge_spearman"
"""The column of the universes that says whether SERA's mean rho is above ROUGE's: holds, fails, undefined."""

_GROUPS = ("pyramid", "rouge")  # a dimension of these is the setting of this group
_OF_NO_SETTING = ("index_size", "scorer", "skip_gap", "summarizers", "systems", "level")


def optional_results(
    out: str | PathLike[str], audit: str | PathLike[str] | None, settings: Mapping[str, Any]
) -> dict[str, str]:
    """The paths of these results by name, of those that fit the study in the folder ``out``.

    A multiverse fits if its own universe has the study's settings. The audit depends on the published tables
    alone: ``audit`` is its folder, or None for a study that is not the paper's.
    """
    groups = []
    multiverse = Path(out, "multiverse")
    universes = multiverse / "universes.tsv"
    if universes.is_file() and not stale_lines(universes, settings):
        curves = question_dimensions(settings["multiverse"]["dimensions"])
        figures = {f"curve_{name}": f"figures/specification_curve_{name}.svg" for name in curves}
        answers = {"claims": "claims.tsv", "null": "null.tsv"}
        groups.append((multiverse, {"universes": "universes.tsv", **answers, **figures}))
    if audit:
        files = {"audit": "audit.svg", "counts": "summary.tsv", "paragraphs": "paragraphs.md"}
        groups.append((Path(audit), files))
    return other_answers(out) | {
        name: str(folder / file)
        for folder, files in groups
        if all((folder / file).is_file() for file in files.values())
        for name, file in files.items()
    }


def other_answers(out: str | PathLike[str]) -> dict[str, str]:
    """The paths of the answers with more systems and on other benchmarks, of those that exist."""
    paths = {
        "more_systems": Path(out, "more_systems/answer.tsv"),
        "more_systems_figure": Path(out, "more_systems/more_systems.png"),
        "meta": Path(out).parent / "matrix/meta.tsv",
    }
    return {name: str(path) for name, path in paths.items() if path.is_file()}


@dataclass(frozen=True)
class Curve:
    """The universes of one question.

    ``universes`` counts those in which SERA less ROUGE is defined, ``undefined`` the others. ``ahead`` is the
    weighted share, 0 to 1, of the first in which SERA is ahead, NaN if there are none; ``choices`` has
    this share by setting and value, where a setting varies. ``own`` has the settings of the universe that is
    marked as the study's own, as text by dimension.
    """

    universes: int
    undefined: int
    ahead: float
    choices: list[tuple[str, list[tuple[str, float]]]]
    own: dict[str, str]

    def stale(self, settings: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
        """The settings for which the marked universe is not that of ``settings``: (there, here) by name."""
        found = {}
        for dimension, there in self.own.items():
            here = setting_of(dimension, settings)
            if here is not None and number_key(here) != number_key(there):
                found[dimension] = there, here
        return found


def stale_lines(path: str | PathLike[str], settings: Mapping[str, Any]) -> list[str]:
    """A line that names the settings by which a multiverse differs from the study's; none if it does not.

    InputError as of `read_curves`.
    """
    dimensions = (settings.get("multiverse") or {}).get("dimensions") or {}
    curves = read_curves(path, list(dimensions))
    differing = {name: pair for curve in curves.values() for name, pair in curve.stale(settings).items()}
    if not differing:
        return []
    pairs = ", ".join(f"{name} {there}, now {here}" for name, (there, here) in differing.items())
    return [f"This multiverse is of other settings: {pairs}. `make multiverse` makes it again."]


def setting_of(dimension: str, settings: Mapping[str, Any]) -> str | None:
    """The value of a study's setting for a dimension, as the table writes it; None if none decides."""
    if dimension in _OF_NO_SETTING:
        return None
    group, _, key = dimension.partition("_")
    of = settings.get(group) if group in _GROUPS else settings
    name = key if group in _GROUPS else dimension
    if not isinstance(of, Mapping) or of.get(name) is None:  # no setting, or the benchmark's own length
        return None
    return of[name] if isinstance(of[name], str) else json.dumps(of[name])


def read_curves(path: str | PathLike[str], dimensions: list[str]) -> dict[str, Curve]:
    """The universes of a table by question. InputError for a table without these columns."""
    cells = tsv.read(path, ["question", "universe", "weight", DECISION, *dimensions])
    cells["weight"] = tsv.numbers(cells, "weight", path, undefined=[tsv.UNDEFINED])
    return {question: _curve(of, dimensions) for question, of in cells.groupby("question", sort=False)}


def _curve(cells: pd.DataFrame, dimensions: list[str]) -> Curve:
    drawn, own = cells[cells["weight"] > 0], cells[cells["universe"] == "own"]
    choices = []
    for name in dimensions:
        values = sorted(drawn.groupby(name, sort=False), key=lambda pair: number_key(pair[0]))
        if len(values) > 1:
            choices.append((name, [(value, _share(of)) for value, of in values]))
    undefined = int((drawn[DECISION] == tsv.UNDEFINED).sum())
    marked = own[dimensions].iloc[0].to_dict() if len(own) else {}
    return Curve(len(drawn) - undefined, undefined, _share(drawn), choices, marked)


def _share(cells: pd.DataFrame) -> float:
    defined = cells[cells[DECISION] != tsv.UNDEFINED]
    weights = defined["weight"]
    return float(weights[defined[DECISION] == "holds"].sum() / weights.sum()) if len(defined) else math.nan


def of_curve(curve: Curve, question: str) -> str:
    """Text of the specification curve for a question in words."""
    if math.isnan(curve.ahead):
        return f"In {question}, SERA less ROUGE is undefined in all {curve.undefined:,} universes."
    text = f"In {question}, SERA is ahead of ROUGE in {curve.ahead:.0%} of {curve.universes:,} universes"
    return f"{text}; {curve.undefined:,} more are undefined." if curve.undefined else f"{text}."
