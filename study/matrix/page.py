"""The page of the matrix: one file that needs no network. Its template is ``matrix.html.j2``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from sera.evaluation.correlation.coefficients import CORRELATIONS
from sera.evaluation.correlation.correlate import LEVELS, WHY
from sera.evaluation.tables import SYMBOLS
from sera.reporting.page import Part, picture, render, write_page
from study.claims.files import Claim
from study.matrix.answers import (
    CAUTIONS,
    FLOORS_AND_CEILING,
    GIVEN_BOTH,
    GIVEN_LENGTH,
    MATRIX_TITLE,
    POWER_CAUTION,
    POWER_HEADS,
    answer,
    foremost,
    foremost_judgements,
    power_rows,
    table_of,
)
from study.matrix.column import ACC_EQ, ACCURACY, MATRIX_CLAIMS, MATRIX_COEFFICIENTS

MATRIX_TEMPLATE = Path(__file__).with_name("matrix.html.j2")
_PARTS = [
    Part("answer", "The answer", "Answer"),
    Part("glance", "At a glance", "At a glance"),
    Part("all", "All numbers", "All numbers"),
    Part("claims", "The papers' claims", "Claims"),
    Part("benchmarks", "The benchmarks", "Benchmarks"),
]
_PARTS_OF_CELL = ("value", "low", "high", "rank", "cluster")


def overview(cells: pd.DataFrame) -> pd.DataFrame:
    """Metrics by benchmarks, Spearman's rho over systems with the first judgement of each (`foremost`)."""
    table = table_of(foremost(cells), "value")
    return table.reset_index().rename_axis(columns=None)


def by_level(cells: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """All values as tables of metrics by benchmarks and judgements: by level and coefficient.

    Keys are as ``system_pearson``. Columns: metric, and ``benchmark: judgement`` for each judgement of each
    benchmark. Columns and tables without any value are left out.
    """
    named = cells.assign(column=cells["benchmark"] + ": " + cells["judgement"])
    found = {}
    for (level, coefficient), of in named.groupby(["level", "coefficient"], sort=False):
        order = {name: list(dict.fromkeys(of[name])) for name in ("metric", "column")}
        table = of.pivot(index="metric", columns="column", values="value")
        table = table.reindex(index=order["metric"], columns=order["column"]).dropna(axis=1, how="all")
        if not table.empty:
            found[f"{level}_{coefficient}"] = table.reset_index().rename_axis(columns=None)
    return found


def packed(cells: pd.DataFrame) -> dict[str, Any]:
    """All cells for the page: its columns, its metrics, and the numbers by level and coefficient.

    A number is to three decimals, and None where it is undefined. ``cells`` holds, by level and coefficient,
    a list for each metric with a list (value, low, high, rank, cluster) for each column; instead of the list
    stands the number of the reason in ``reasons`` where the value is undefined, and None where there is none.
    """
    columns = list(cells[["benchmark", "judgement"]].drop_duplicates().itertuples(index=False, name=None))
    kinds = dict(zip(cells["metric"], cells["kind"], strict=True))
    metrics = [name for name in kinds if name not in FLOORS_AND_CEILING]
    metrics += [name for name in FLOORS_AND_CEILING if name in kinds]
    first = foremost_judgements(cells)
    keys = cells[["level", "coefficient", "metric", "benchmark", "judgement"]]
    place = {key: row for row, key in enumerate(keys.itertuples(index=False, name=None))}
    numbers = cells[list(_PARTS_OF_CELL)].astype(float).round(3).to_numpy()
    whys = cells[WHY].fillna("").to_numpy()
    reasons: dict[str, int] = {}

    def cell(*key: str) -> list[float | None] | int | None:
        row = place.get(key)
        if row is None:
            return None
        if np.isnan(numbers[row, 0]):
            return reasons.setdefault(str(whys[row]), len(reasons))
        return [None if np.isnan(number) else float(number) for number in numbers[row]]

    def table(level: str, coefficient: str) -> list[list[Any]]:
        return [[cell(level, coefficient, name, *column) for column in columns] for name in metrics]

    return {
        "columns": [[*column, first[column[0]] == column[1]] for column in columns],
        "metrics": [[name, kinds[name]] for name in metrics],
        "cells": {level: {name: table(level, name) for name in MATRIX_COEFFICIENTS} for level in LEVELS},
        "reasons": list(reasons),
    }


def write_matrix_page(
    path: str | PathLike[str],
    *,
    cells: pd.DataFrame,
    claims: pd.DataFrame,
    facts: pd.DataFrame,
    figure: str | PathLike[str],
    confidence: float,
    quoted: Sequence[Claim] = MATRIX_CLAIMS,
) -> None:
    """Write the page from the tables of all columns, the figure's file, and the claims that they decide."""
    shown = table_of(foremost(cells), "value")
    metrics_alone = shown.drop(index=[name for name in FLOORS_AND_CEILING if name in shown.index])
    best = {name: metrics_alone[name].idxmax() for name in metrics_alone if metrics_alone[name].notna().any()}
    alt = "Highest ρ over systems: " + "; ".join(
        f"{name}, {metric} ({metrics_alone.at[metric, name]:.2f})" for name, metric in best.items()
    )
    judgements = facts.groupby("benchmark", sort=False)["judgement"].agg(list)
    content = {
        "title": "Which metric to trust: metrics by benchmarks",
        "heading": "Which metric to trust?",
        "summary": MATRIX_TITLE,
        "answer": answer(claims),
        "cautions": CAUTIONS,
        "data": json.dumps(packed(cells), separators=(",", ":")).replace("<", "\\u003c"),
        "shown": picture(figure, f"{alt}.", full=True),
        "with_files": True,
        "facts": [
            {**row, "judgements": judgements[row["benchmark"]]}
            for row in facts.drop_duplicates("benchmark").to_dict("records")
        ],
        "coefficients": {name: f"{SYMBOLS[name]} ({name.capitalize()})" for name in CORRELATIONS}
        | {
            ACCURACY: "accuracy on pairs: of systems, or of summaries by preferences",
            ACC_EQ: "acc_eq on pairs of summaries of a topic, with ties",
            GIVEN_LENGTH: "ρ given length (partial)",
            GIVEN_BOTH: "ρ given length and extractiveness (partial)",
        },
        "power": power_rows(facts),
        "power_heads": POWER_HEADS,
        "power_caution": POWER_CAUTION,
        "confidence": confidence,
        "quoted": [claim for claim in quoted if claim.name in set(claims["claim"])],
        "claims": [row for row in claims.to_dict("records") if row["coefficient"] == "spearman"],
    }
    write_page(path, render(_PARTS, content, MATRIX_TEMPLATE))
