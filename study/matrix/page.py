"""The document of the matrix, a page with its cells, and its forest plots.

The templates are ``matrix.md.j2``, ``kinds.md.j2`` and ``matrix.html.j2``; sentences stand there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sera.io.files import writing
from sera.reporting.figures import LINE_STYLES, set_title, simplify_axes
from sera.reporting.page import Part, render, write_page
from study.matrix.column import AT_RANDOM
from study.matrix.effects import BASELINES, MEANS, OF_LENGTH, ONE_JUDGE, QUESTIONS
from study.matrix.kinds import BASELINE, KINDS_TITLE, SHOWN, kind_sentences, name_kind, well_known_kinds
from study.matrix.pooling import data_set
from study.multiverse.page import fill_template

MATRIX_TITLE = (
    "How metrics follow human judgements: Spearman's ρ over systems, by each benchmark's first judgement."
)

FOREST_TITLE = "SERA less ROUGE in Spearman's ρ with judgements, by release and pooled."


def shown_cells(cells: pd.DataFrame) -> pd.DataFrame:
    """The cells of the document: Spearman's ρ of the usual metrics with first judgements, at both levels.

    A benchmark without a defined value is left out.
    """
    order = {name: place for place, name in enumerate((*SHOWN, ONE_JUDGE, OF_LENGTH, AT_RANDOM))}
    first = cells.groupby("benchmark")["judgement"].transform("first")
    table = cells[(cells["judgement"] == first) & (cells["coefficient"] == "spearman")]
    table = table[table["level"].isin(QUESTIONS) & table["metric"].isin(order)]
    table = table[table.groupby(["benchmark", "level"])["value"].transform("count") > 0]
    return table.sort_values("metric", key=lambda names: names.map(order), kind="stable", ignore_index=True)


def overview(shown: pd.DataFrame) -> pd.DataFrame:
    """Metrics by benchmarks: the values of `shown_cells` over systems."""
    shown = shown[shown["level"] == "system"]
    table = shown.pivot(index="metric", columns="benchmark", values="value")
    table = table.reindex(index=shown["metric"].unique(), columns=shown["benchmark"].unique())
    return table.reset_index().rename_axis(columns=None)


# The document and the page


DOCUMENTED = ("shown", "facts", "pooled", "pooled_kinds", "choices")
"""The tables of the document, by name."""


def write_document(path: str | PathLike[str], confidence: float, **tables: pd.DataFrame) -> None:
    """Write the `DOCUMENTED` tables as Markdown: what to use, pooled effects, and metrics by benchmarks."""
    shown, facts, pooled, pooled_kinds, choices = (tables[name] for name in DOCUMENTED)
    text = fill_template(
        Path(__file__).with_name("matrix.md.j2"),
        sizes=choices.groupby("kind_of_text", sort=False)[["of", "systems"]].max().to_dict("index"),
        choices={
            text: {level: rows[rows["level"] == level].to_dict("records") for level in QUESTIONS}
            for text, rows in choices.groupby("kind_of_text", sort=False)
        },
        usual=SHOWN,
        sets={name: data_set(name) for name in facts["benchmark"].unique()},
        sentences=kind_sentences(pooled_kinds),
        kinds=_by(well_known_kinds(pooled_kinds, None), "name", "baseline", "question"),
        baseline=BASELINE,
        baselines=BASELINES,
        contrasts=_by(pooled[pooled["left_out"] == ""], "contrast", "level"),
        metrics=_by(shown, "metric", "benchmark", "level"),
        facts=_by(facts.drop_duplicates("benchmark"), "benchmark"),
        titles={"kinds": KINDS_TITLE, "forest": FOREST_TITLE},
        confidence=confidence,
    )
    with writing(path) as stream:
        stream.write(f"{text}\n")


def _by(table: pd.DataFrame, *keys: str) -> dict[Any, Any]:
    """The rows of a table in dictionaries of dictionaries by the values of its keys, in its order."""
    if not keys:
        (row,) = table.to_dict("records")
        return row
    return {value: _by(group, *keys[1:]) for value, group in table.groupby(keys[0], sort=False)}


def write_cells_page(path: str | PathLike[str], cells: pd.DataFrame, confidence: float) -> None:
    """Write the page on which a reader sorts, filters and copies Spearman's ρ of each metric."""
    correlations = cells[(cells["coefficient"] == "spearman") & cells["level"].isin(QUESTIONS)]
    key, parts = ["metric", "benchmark", "judgement"], ["value", "low", "high"]
    rows = [
        {
            **dict(
                zip(key, names, strict=True), kind=name_kind(names[0]), benchmark=data_set(names[1]).title
            ),
            **levels.set_index("level")[parts].reindex(list(QUESTIONS)).to_dict("index"),
        }
        for names, levels in correlations.groupby(key, sort=False)
    ]
    content = {
        "title": "Metrics by benchmarks",
        "heading": "How metrics follow people",
        "choices": {each: sorted({row[each] for row in rows}) for each in ("kind", "benchmark", "judgement")},
        "levels": list(QUESTIONS),
        "rows": rows,
        "confidence": confidence,
    }
    part = Part("cells", "Every metric on every judgement")
    write_page(path, render([part], content, Path(__file__).with_name("matrix.html.j2")))


def _panels(
    names: Sequence[str], left_name: str, right_name: str, title: str
) -> tuple[Figure, Sequence[Axes]]:
    """A panel for each question, with a line for each name, and 0 where the two are equal."""
    size = (8.6, 0.36 * len(names) + 1.4)
    figure, panels = plt.subplots(1, 2, figsize=size, layout="constrained", sharey=True)
    for axes, question in zip(panels, QUESTIONS.values(), strict=True):
        axes.axvline(0, color="0.5", linewidth=0.8)
        axes.set_title(f"ranking {question}", fontsize=9)
        axes.set_xlabel(f"← {left_name} ahead   |   {right_name} ahead →", fontsize=8)
        axes.tick_params(labelsize=7.5)
        axes.set_xlim(-1.2, 1.2)
        simplify_axes(axes, "x")
    panels[0].set_yticks(range(len(names)), names)
    panels[0].set_ylim(len(names) - 0.4, -0.6)
    set_title(figure, title)
    return figure, panels


def _draw_pooled(axes: Axes, place: float, row: Mapping[str, Any]) -> None:
    """A pooled effect as a diamond as wide as its interval, on a thin line: its prediction interval."""
    look = {"color": LINE_STYLES[4]["color"]}
    axes.hlines(place, row["prediction_low"], row["prediction_high"], linewidth=0.8, **look)
    corners = [row["low"], row["effect"], row["high"], row["effect"]]
    axes.fill(corners, [place, place - 0.2, place, place + 0.2], **look)


def kinds_figure(pooled: pd.DataFrame, *, title: str) -> Figure:
    """Draw the pooled effects of kinds by relevance or coverage, with thin prediction intervals."""
    rows = well_known_kinds(pooled)
    names = list(dict.fromkeys(rows["name"]))
    figure, panels = _panels(names, BASELINES[0], "kind", title)
    for axes, question in zip(panels, QUESTIONS.values(), strict=True):
        for row in rows[rows["question"] == question].to_dict("records"):
            _draw_pooled(axes, names.index(row["name"]), row)
    return figure


def forest_figure(
    contrasts: pd.DataFrame, releases: pd.DataFrame, pooled: pd.DataFrame, *, title: str
) -> Figure:
    """Draw SERA less ROUGE by release, pooled, and pooled without each; below, what is not pooled."""
    means = contrasts[contrasts["contrast"] == MEANS]
    beside = means[[not data_set(name).release for name in means["benchmark"]]]
    pooled = pooled[pooled["contrast"] == MEANS]
    lines = [
        (
            releases,
            [f"{name} ({systems} systems)" for name, systems in releases[["release", "systems"]].to_numpy()],
        ),
        (pooled, [f"pooled without {name}" if name else "pooled" for name in pooled["left_out"]]),
        (beside, [f"{data_set(name).title} (not pooled)" for name in beside["benchmark"]]),
    ]
    names = list(dict.fromkeys(label for _, labels in lines for label in labels))
    figure, panels = _panels(names, "ROUGE", "SERA", title)
    look = {"color": LINE_STYLES[2]["color"]}
    for table, labels in lines:
        for label, row in zip(labels, table.to_dict("records"), strict=True):
            axes, place = panels[list(QUESTIONS).index(row["level"])], names.index(label)
            if "prediction_low" in row:
                _draw_pooled(axes, place, row)
            else:
                axes.hlines(place, row["low"], row["high"], linewidth=1.5, **look)
                axes.plot(row["effect"], place, "s", markersize=4.5, **look)
    return figure
