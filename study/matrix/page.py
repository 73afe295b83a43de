"""The page of the matrix, one file that needs no network, docs/matrix.md, and their forest plot.

The templates are ``matrix.html.j2`` and ``matrix.md.j2``.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from sera.evaluation.correlate import LEVELS, WHY
from sera.evaluation.tables import markdown
from sera.io.files import writing
from sera.reporting.figures import LINE_STYLES, set_title, simplify_axes
from sera.reporting.page import Part, number, picture, render, write_page
from study.claims.claim import Claim
from study.matrix import tables
from study.matrix.column import CONTRASTS, MATRIX_CLAIMS, MATRIX_COEFFICIENTS, OF_LENGTH, STOPPED
from study.matrix.kinds import KINDS_TITLE, judgement_dimension, kinds_of_metrics
from study.matrix.pooling import NOT_POOLED, QUESTIONS, TWICE
from study.multiverse.page import fill_template

MATRIX_TEMPLATE = Path(__file__).with_name("matrix.html.j2")
_PARTS = [
    Part("answer", "The answer", "Answer"),
    Part("all", "All numbers", "All numbers"),
    Part("claims", "The papers' claims", "Claims"),
    Part("benchmarks", "The benchmarks", "Benchmarks"),
]
_PARTS_OF_CELL = ("value", "low", "high", "rank", "cluster")


def pack_cells(cells: pd.DataFrame, few: Collection[str] = ()) -> dict[str, Any]:
    """All cells for the page: its columns, its metrics, and the numbers by level and coefficient.

    A column has whether its judgement is the benchmark's first, whether its benchmark is among ``few``, and
    the dimension of the judgement. A metric has its kind in the table and what it compares.
    ``cells`` holds, by level and coefficient, a list for each metric with a list (value, low, high, rank,
    cluster) for each column; for an undefined value, it has the number of the reason in ``reasons``, and
    None where there is no such cell. Numbers have three decimals, and None if undefined.
    """
    columns = list(cells[["benchmark", "judgement"]].drop_duplicates().itertuples(index=False, name=None))
    kinds = dict(zip(cells["metric"], cells["kind"], strict=True))
    metrics = [name for name in kinds if name not in tables.FLOORS_AND_CEILING]
    metrics += [name for name in tables.FLOORS_AND_CEILING if name in kinds]
    first = tables.first_judgements(cells)
    compared = kinds_of_metrics(metrics)
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
        "columns": [
            [
                name,
                judgement,
                first[name] == judgement,
                name in few,
                judgement_dimension(judgement, first[name]),
            ]
            for name, judgement in columns
        ],
        "metrics": [[name, kinds[name], compared.get(name, ("",))[0]] for name in metrics],
        "cells": {level: {name: table(level, name) for name in MATRIX_COEFFICIENTS} for level in LEVELS},
        "reasons": list(reasons),
    }


def write_matrix_page(
    path: str | PathLike[str],
    *,
    cells: pd.DataFrame,
    claims: pd.DataFrame,
    contrasts: pd.DataFrame,
    meta: pd.DataFrame,
    facts: pd.DataFrame,
    pooled_kinds: pd.DataFrame,
    figures: str | PathLike[str],
    confidence: float,
    quoted: Sequence[Claim] = MATRIX_CLAIMS,
) -> None:
    """Write the page from the tables of all columns, the folder of the figures, and the claims decided."""
    judgements = facts.groupby("benchmark", sort=False)["judgement"].agg(list)
    title, numbers = tables.FOREST_TITLE, pack_cells(cells, tables.benchmarks_with_few_systems(facts))
    content = {
        "title": "Which metric to trust: metrics by benchmarks",
        "heading": "Which metric to trust?",
        "answer": tables.kind_sentences(pooled_kinds),
        "kinds": tables.kind_rows(pooled_kinds),
        "kinds_forest": picture(
            Path(figures, "kinds.svg"), f"{KINDS_TITLE} The numbers are below.", full=True
        ),
        "forest": picture(Path(figures, "forest.svg"), f"{title} The numbers are below.", full=True),
        "contrasts": [row for row in contrasts.to_dict("records") if row["level"] in QUESTIONS],
        "questions": QUESTIONS,
        "meta": meta.to_dict("records"),
        "families": [(of.columns, of.itertuples(name=None)) for of in tables.family_tables(cells)],
        "data": json.dumps(numbers, separators=(",", ":")).replace("<", "\\u003c"),
        "with_files": True,
        "facts": [
            {**row, "judgements": judgements[row["benchmark"]]}
            for row in facts.drop_duplicates("benchmark").to_dict("records")
        ],
        "confidence": confidence,
        "quoted": [claim for claim in quoted if claim.name in set(claims["claim"])],
        "claims": [row for row in claims.to_dict("records") if row["coefficient"] == "spearman"],
    }
    write_page(path, render(_PARTS, content, MATRIX_TEMPLATE))


_signed = partial(number, digits=2, sign="+")
_NUMBERS = ["effect", "low", "high", "prediction_low", "prediction_high"]


def write_document(
    path: str | PathLike[str],
    *,
    cells: pd.DataFrame,
    contrasts: pd.DataFrame,
    meta: pd.DataFrame,
    facts: pd.DataFrame,
    pooled_kinds: pd.DataFrame,
    confidence: float,
) -> None:
    """Write the matrix as Markdown: the pooled effects first, then those of benchmarks, and the metrics."""
    text = fill_template(
        Path(__file__).with_name("matrix.md.j2"),
        answer=tables.kind_sentences(pooled_kinds),
        kinds=tables.kind_rows(pooled_kinds),
        kinds_forest=KINDS_TITLE,
        forest=tables.FOREST_TITLE,
        contrasts=_contrasts(contrasts, meta, cells),
        metrics=_metrics(cells[cells["kind"] != "given"], tables.benchmarks_with_few_systems(facts)),
        benchmarks=facts.drop_duplicates("benchmark").to_dict("records"),
        first=tables.first_judgements(cells),
        confidence=confidence,
    )
    with writing(path) as stream:
        stream.write(f"{text}\n")


def _contrasts(contrasts: pd.DataFrame, meta: pd.DataFrame, cells: pd.DataFrame) -> str:
    effects = contrasts.pivot(index=["level", "benchmark"], columns="contrast", values="effect")
    lengths = [tables.mean_by_benchmark(cells, level, "spearman", [OF_LENGTH]) for level in QUESTIONS]
    body = [
        [
            markdown(name),
            _two(number(of.get(name), 2) for of in lengths),
            *(_two(_signed(effects[each].get((level, name))) for level in QUESTIONS) for each in CONTRASTS),
        ]
        for name in contrasts["benchmark"].unique()
    ]
    pooled = meta.set_index(["contrast", "question"])
    for words, ending, form in (
        ("**pooled**", "", "{effect}"),
        ("interval", "", "[{low}, {high}]"),
        ("prediction interval", "", "[{prediction_low}, {prediction_high}]"),
        ("pooled, no stop words", STOPPED, "{effect}"),
    ):
        rows = [[pooled.loc[(name + ending, of)] for of in QUESTIONS.values()] for name in CONTRASTS]
        shown = [_two(form.format(**row[_NUMBERS].map(_signed)) for row in of) for of in rows]
        body.append([words, "", *shown])
    return _table(["benchmark", "length", *CONTRASTS], body)


def _metrics(cells: pd.DataFrame, few: Sequence[str]) -> str:
    """Metrics by benchmarks, each cell with the value over systems and that over summaries of a topic."""
    shown = [tables.overview_cells(cells, level) for level in QUESTIONS]
    names, benchmarks = pd.concat(shown)["metric"].unique(), pd.concat(shown)["benchmark"].unique()
    above, below, bold = (
        tables.metrics_by_benchmarks(of, column).reindex(names, columns=benchmarks)
        for of, column in zip((*shown, shown[0]), ("value", "value", "cluster"), strict=True)
    )

    def cell(name: str, of: str) -> str:
        best = "**" if bold.at[name, of] == 1 else ""
        return _two([f"{best}{number(above.at[name, of], 2)}{best}", number(below.at[name, of], 2)])

    heads = [f"{markdown(name)}{'<br>too few to tell' if name in few else ''}" for name in benchmarks]
    body = [[markdown(name), *(cell(name, of) for of in benchmarks)] for name in names]
    return _table(["metric", *heads], body)


def _table(head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    rows = [f"| {' | '.join(cells)} |" for cells in (head, *body)]
    return "\n".join([rows[0], "|---" * len(head) + "|", *rows[1:]])


def _two(values: Iterable[str]) -> str:
    """Two values in a cell, one above the other; one dash if both are undefined."""
    above, below = values
    return above if above == below == number(None) else f"{above}<br>{below}"


def kinds_figure(pooled: pd.DataFrame, *, title: str) -> Figure:
    """Draw the pooled effect of each kind: a panel for each question, by relevance or coverage.

    Thick lines are intervals, thin ones prediction intervals.
    """
    rows = tables.well_known_kinds(pooled)
    names = list(dict.fromkeys(rows["name"]))
    size = (8.6, 0.36 * len(names) + 1.4)
    figure, panels = plt.subplots(1, 2, figsize=size, layout="constrained", sharey=True)
    look = {"color": LINE_STYLES[4]["color"]}
    for axes, question in zip(panels, QUESTIONS.values(), strict=True):
        of = rows[rows["question"] == question]
        places = [names.index(name) for name in of["name"]]
        axes.axvline(0, color="0.5", linewidth=0.8)
        axes.hlines(places, of["prediction_low"], of["prediction_high"], linewidth=0.8, **look)
        axes.hlines(places, of["low"], of["high"], linewidth=2.5, **look)
        axes.plot(of["effect"], places, "D", markersize=4.5, **look)
        axes.set_xlim(-1.2, 1.2)
        axes.set_title(f"ranking {question}", fontsize=9)
        axes.set_xlabel("← ROUGE-1-F ahead    kind ahead →", fontsize=8)
        axes.tick_params(labelsize=7.5)
        simplify_axes(axes, "x")
    panels[0].set_yticks(range(len(names)), names)
    panels[0].set_ylim(len(names) - 0.4, -0.6)
    set_title(figure, title)
    return figure


def forest_figure(contrasts: pd.DataFrame, meta: pd.DataFrame, *, title: str) -> Figure:
    """Draw SERA less ROUGE by benchmark, by means and best against best: a panel for each question.

    Lines are intervals over topics. Below, diamonds are the pooled effects with their intervals, and the thin
    lines beside them prediction intervals. Benchmarks that are not pooled are drawn apart.
    """
    own, others = [*NOT_POOLED, *TWICE], list(contrasts["benchmark"].unique())
    names = [
        *(name for name in others if name not in own),
        "pooled",
        *(name for name in own if name in others),
    ]
    size = (8.6, 0.36 * len(names) + 1.4)
    figure, panels = plt.subplots(1, 2, figsize=size, layout="constrained", sharey=True)
    for axes, (level, question) in zip(panels, QUESTIONS.items(), strict=True):
        axes.axvline(0, color="0.5", linewidth=0.8)
        for shift, contrast, style in ((-0.17, "means", LINE_STYLES[2]), (0.17, "best", LINE_STYLES[4])):
            of = contrasts[(contrasts["level"] == level) & (contrasts["contrast"] == contrast)]
            places = [names.index(name) + shift for name in of["benchmark"]]
            look = {"color": style["color"], "linewidth": 1.5}
            axes.hlines(places, of["low"], of["high"], **look)
            axes.plot(
                of["effect"], places, style["marker"], color=style["color"], markersize=4.5, label=contrast
            )
            (row,) = meta[(meta["question"] == question) & (meta["contrast"] == contrast)].to_dict("records")
            place = names.index("pooled") + shift
            axes.hlines(place, row["prediction_low"], row["prediction_high"], **look | {"linewidth": 0.8})
            corners = [row["low"], row["effect"], row["high"], row["effect"]]
            axes.fill(corners, [place, place - 0.15, place, place + 0.15], color=style["color"])
        least, most = axes.get_xlim()
        axes.set_xlim(max(least, -1.2), min(most, 1.2))
        axes.set_title(f"ranking {question}", fontsize=9)
        axes.set_xlabel("← ROUGE ahead    SERA ahead →", fontsize=8)
        axes.tick_params(labelsize=7.5)
        simplify_axes(axes, "x")
    shown = [f"{name} (not pooled)" if name in own else name for name in names]
    panels[0].set_yticks(range(len(names)), shown)
    panels[0].set_ylim(len(names) - 0.4, -0.6)
    for label in panels[0].get_yticklabels():
        label.set_fontweight("bold" if label.get_text() == "pooled" else "normal")
    figure.legend(
        *panels[0].get_legend_handles_labels(), frameon=False, fontsize=8, ncols=2, loc="outside lower center"
    )
    set_title(figure, title)
    return figure
