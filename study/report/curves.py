"""The multiverse as the page shows it: how often SERA is ahead, by the settings of the universes.

The page reads the table of the universes; `study.multiverse` makes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from sera.evaluation.tables import UNDEFINED
from sera.io import tsv

DECISION = "sera_above_rouge_spearman"
"""The column of the universes that says whether SERA's mean rho is above ROUGE's: holds, fails, undefined."""

_GROUPS = ("pyramid", "rouge")  # a dimension of these is the setting of this group
_OF_NO_SETTING = ("index_size", "scorer", "skip_gap", "summarizers", "systems", "level")


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
            if here is not None and _value(here) != _value(there):
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
    if not isinstance(of, Mapping) or name not in of:
        return None
    return of[name] if isinstance(of[name], str) else json.dumps(of[name])


def read_curves(path: str | PathLike[str], dimensions: list[str]) -> dict[str, Curve]:
    """The universes of a table by question. InputError for a table without these columns."""
    cells = tsv.read(path, ["question", "universe", "weight", DECISION, *dimensions])
    weights = tsv.numbers(cells, "weight", path, undefined=[UNDEFINED])
    return {
        question: _curve(of, weights[of.index], dimensions)
        for question, of in cells.groupby("question", sort=False)
    }


def _curve(cells: pd.DataFrame, weights: pd.Series, dimensions: list[str]) -> Curve:
    drawn = cells[weights > 0]
    own = cells[cells["universe"] == "own"]
    undefined = int((drawn[DECISION] == UNDEFINED).sum())
    return Curve(
        universes=len(drawn) - undefined,
        undefined=undefined,
        ahead=_share(drawn, weights),
        choices=[
            (name, [(value, _share(of, weights)) for value, of in _by_value(drawn, name)])
            for name in dimensions
            if drawn[name].nunique() > 1
        ],
        own={name: own[name].iloc[0] for name in dimensions} if len(own) else {},
    )


def _by_value(drawn: pd.DataFrame, name: str) -> list[tuple[str, pd.DataFrame]]:
    return sorted(drawn.groupby(name, sort=False), key=lambda pair: _value(pair[0]))


def _share(cells: pd.DataFrame, weights: pd.Series) -> float:
    defined = cells[cells[DECISION] != UNDEFINED]
    whole = weights[defined.index].sum()
    return (
        float(weights[defined.index][defined[DECISION] == "holds"].sum() / whole) if whole else float("nan")
    )


def _value(text: str) -> tuple[float, str]:
    """The key by which texts sort and compare: numbers by value, however they are written."""
    try:
        return float(text), ""
    except ValueError:
        return float("inf"), text


def of_curve(curve: Curve, question: str) -> str:
    """Text of the specification curve for a question in words."""
    if np.isnan(curve.ahead):
        return f"In {question}, SERA less ROUGE is undefined in all {curve.undefined:,} universes."
    text = f"In {question}, SERA is ahead of ROUGE in {curve.ahead:.0%} of {curve.universes:,} universes"
    return f"{text}; {curve.undefined:,} more are undefined." if curve.undefined else f"{text}."
