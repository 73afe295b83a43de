"""The document of the matrix, a page with its cells, and its forest plots.

The templates are ``matrix.md.j2`` and ``matrix.html.j2``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sera.evaluation.tables import markdown
from sera.io.files import writing
from sera.reporting.figures import LINE_STYLES, set_title, simplify_axes
from sera.reporting.page import Part, number, render, write_page
from study.matrix.column import AT_RANDOM, CONTRASTS, OF_LENGTH, ONE_JUDGE, STOPPED
from study.matrix.kinds import KINDS_TITLE, kind_rows, kind_sentences, name_kind, well_known_kinds
from study.matrix.pooling import NOT_POOLED, QUESTIONS, TWICE
from study.multiverse.page import fill_template

FLOORS_AND_CEILING = (ONE_JUDGE, OF_LENGTH, AT_RANDOM)

MATRIX_TITLE = (
    "How metrics follow human judgements: Spearman's ρ over systems, by each benchmark's first judgement."
)

FOREST_TITLE = "SERA less ROUGE in Spearman's ρ with human judgements, by benchmark and pooled."

_SHOWN = re.compile(
    r"ROUGE-(1|2|L)-(F|R)|SERA-(5|10|NP-5|KW-5|POS-5|RBO-10)|BERTScore-F|S3-full|given:(BERTScore-F|MoverScore"
    r"|BARTScore\(source to summary\)|QuestEval|GPT-4|GPT-4 \(reason, then score, relevance\))"
)
"""The metrics of the overview; the page has all others."""

TOO_FEW = 4  # with so few systems or fewer, a test over systems cannot tell metrics apart


def first_judgements(cells: pd.DataFrame) -> dict[str, str]:
    """The first judgement of each benchmark: that on which its readers rank systems."""
    first = cells.drop_duplicates("benchmark")
    return dict(zip(first["benchmark"], first["judgement"], strict=True))


def first_judgement_cells(cells: pd.DataFrame, level: str) -> pd.DataFrame:
    """The cells of each benchmark's first judgement by Spearman's rho at one level."""
    first = cells["judgement"] == cells["benchmark"].map(first_judgements(cells))
    return cells[first & (cells["coefficient"] == "spearman") & (cells["level"] == level)]


def overview_cells(cells: pd.DataFrame, level: str = "system") -> pd.DataFrame:
    """The cells of the overview: first judgements at one level, the usual metrics, floors and ceiling.

    A benchmark without a defined value is left out.
    """
    table = first_judgement_cells(cells, level)
    table = table[table["value"].groupby(table["benchmark"]).transform("count") > 0]
    usual = filter(_SHOWN.fullmatch, table["metric"].unique())
    order = {name: place for place, name in enumerate([*usual, *FLOORS_AND_CEILING])}
    table = table[table["metric"].isin(order)]
    return table.sort_values("metric", key=lambda names: names.map(order), kind="stable", ignore_index=True)


def metrics_by_benchmarks(cells: pd.DataFrame, column: str = "value") -> pd.DataFrame:
    """One column of cells as a table of metrics by benchmarks, in the order of the cells."""
    table = cells.pivot(index="metric", columns="benchmark", values=column)
    return table.reindex(index=cells["metric"].unique(), columns=cells["benchmark"].unique())


def overview(cells: pd.DataFrame) -> pd.DataFrame:
    """Metrics by benchmarks: Spearman's rho over systems with the first judgement of each benchmark."""
    return metrics_by_benchmarks(overview_cells(cells)).reset_index().rename_axis(columns=None)


def drop_clusters_of_few_systems(cells: pd.DataFrame) -> pd.DataFrame:
    """The cells, without clusters where at most `TOO_FEW` systems are compared."""
    return cells.assign(cluster=cells["cluster"].where(cells["systems"] > TOO_FEW))


# The document and the page

_write_sign = partial(number, digits=2, sign="+")
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
        answer=kind_sentences(pooled_kinds),
        kinds=kind_rows(pooled_kinds),
        kinds_forest=KINDS_TITLE,
        forest=FOREST_TITLE,
        contrasts=_contrasts(contrasts, meta, cells),
        metrics=_metrics(cells, facts.loc[facts["systems"] <= TOO_FEW, "benchmark"].unique()),
        benchmarks=facts.drop_duplicates("benchmark").to_dict("records"),
        first=first_judgements(cells),
        confidence=confidence,
    )
    with writing(path) as stream:
        stream.write(f"{text}\n")


def write_cells_page(path: str | PathLike[str], cells: pd.DataFrame, confidence: float) -> None:
    """Write the page on which a reader sorts, filters and copies Spearman's ρ of each metric."""
    correlations = cells[(cells["coefficient"] == "spearman") & cells["level"].isin(QUESTIONS)]
    key, parts = ["metric", "benchmark", "judgement"], ["value", "low", "high"]
    rows = [
        {
            **dict(zip(key, names, strict=True), kind=name_kind(names[0])),
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


def _contrasts(contrasts: pd.DataFrame, meta: pd.DataFrame, cells: pd.DataFrame) -> str:
    effects = contrasts.pivot(index=["level", "benchmark"], columns="contrast", values="effect")
    length = cells[cells["metric"] == OF_LENGTH]
    lengths = [first_judgement_cells(length, level).set_index("benchmark")["value"] for level in QUESTIONS]
    body = [
        [
            markdown(name),
            _two(number(values.get(name), 2) for values in lengths),
            *(
                _two(_write_sign(effects[each].get((level, name))) for level in QUESTIONS)
                for each in CONTRASTS
            ),
        ]
        for name in contrasts["benchmark"].unique()
    ]
    effect_numbers = meta.set_index(["contrast", "question"])[_NUMBERS]
    for words, ending, form in (
        ("**pooled**", "", "{effect}"),
        ("interval", "", "[{low}, {high}]"),
        ("prediction interval", "", "[{prediction_low}, {prediction_high}]"),
        ("pooled, no stop words", STOPPED, "{effect}"),
    ):
        keys = [[(name + ending, values) for values in QUESTIONS.values()] for name in CONTRASTS]
        columns = [
            _two(form.format(**row.map(_write_sign)) for _, row in effect_numbers.reindex(pair).iterrows())
            for pair in keys
        ]
        body.append([words, "", *columns])
    return _table(["benchmark", "length", *CONTRASTS], body)


def _metrics(cells: pd.DataFrame, few: Sequence[str]) -> str:
    """Metrics by benchmarks, each cell with the value over systems and that over summaries of a topic."""
    overviews = [overview_cells(cells, level) for level in QUESTIONS]
    names, benchmarks = pd.concat(overviews)["metric"].unique(), pd.concat(overviews)["benchmark"].unique()
    upper, lower, bold = (
        metrics_by_benchmarks(benchmark, column).reindex(names, columns=benchmarks)
        for benchmark, column in zip((*overviews, overviews[0]), ("value", "value", "cluster"), strict=True)
    )

    def cell(name: str, benchmark: str) -> str:
        best = "**" if bold.at[name, benchmark] == 1 else ""
        return _two(
            [f"{best}{number(upper.at[name, benchmark], 2)}{best}", number(lower.at[name, benchmark], 2)]
        )

    heads = [f"{markdown(name)}{'<br>too few to tell' if name in few else ''}" for name in benchmarks]
    body = [[markdown(name), *(cell(name, benchmark) for benchmark in benchmarks)] for name in names]
    return _table(["metric", *heads], body)


def _table(head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    rows = [f"| {' | '.join(cells)} |" for cells in (head, *body)]
    return "\n".join([rows[0], "|---" * len(head) + "|", *rows[1:]])


def _two(values: Iterable[str]) -> str:
    """Two values in a cell, one above the other; one dash if both are undefined."""
    first, second = values
    return first if first == second == number(None) else f"{first}<br>{second}"


def _panels(
    names: Sequence[str], left_name: str, right_name: str, title: str
) -> tuple[Figure, Iterable[Axes]]:
    """A panel for each question, with a line for each name, and 0 where the two are equal."""
    size = (8.6, 0.36 * len(names) + 1.4)
    figure, panels = plt.subplots(1, 2, figsize=size, layout="constrained", sharey=True)
    for axes, question in zip(panels, QUESTIONS.values(), strict=True):
        axes.axvline(0, color="0.5", linewidth=0.8)
        axes.set_title(f"ranking {question}", fontsize=9)
        axes.set_xlabel(f"← {left_name} ahead   |   {right_name} ahead →", fontsize=8)
        axes.tick_params(labelsize=7.5)
        simplify_axes(axes, "x")
    panels[0].set_yticks(range(len(names)), names)
    panels[0].set_ylim(len(names) - 0.4, -0.6)
    set_title(figure, title)
    return figure, panels


def kinds_figure(pooled: pd.DataFrame, *, title: str) -> Figure:
    """Draw the pooled effects of kinds by relevance or coverage, with thin prediction intervals."""
    rows = well_known_kinds(pooled)
    names = list(dict.fromkeys(rows["name"]))
    figure, panels = _panels(names, "ROUGE-1-F", "kind", title)
    look = {"color": LINE_STYLES[4]["color"]}
    for axes, question in zip(panels, QUESTIONS.values(), strict=True):
        question_rows = rows[rows["question"] == question]
        places = [names.index(name) for name in question_rows["name"]]
        axes.hlines(
            places, question_rows["prediction_low"], question_rows["prediction_high"], linewidth=0.8, **look
        )
        axes.hlines(places, question_rows["low"], question_rows["high"], linewidth=2.5, **look)
        axes.plot(question_rows["effect"], places, "D", markersize=4.5, **look)
        axes.set_xlim(-1.2, 1.2)
    return figure


def forest_figure(contrasts: pd.DataFrame, meta: pd.DataFrame, *, title: str) -> Figure:
    """Draw SERA less ROUGE by benchmark, by means and best against best, and the pooled effects below."""
    own, others = [*NOT_POOLED, *TWICE], list(contrasts["benchmark"].unique())
    names = [name for name in others if name not in own]
    names += ["pooled", *(name for name in own if name in others)]
    figure, panels = _panels(
        [f"{name} (not pooled)" if name in own else name for name in names], "ROUGE", "SERA", title
    )
    for axes, (level, question) in zip(panels, QUESTIONS.items(), strict=True):
        for shift, contrast, style in ((-0.17, "means", LINE_STYLES[2]), (0.17, "best", LINE_STYLES[4])):
            look: dict[str, Any] = {"color": style["color"]}
            level_rows = contrasts[(contrasts["level"] == level) & (contrasts["contrast"] == contrast)]
            places = [names.index(name) + shift for name in level_rows["benchmark"]]
            axes.hlines(places, level_rows["low"], level_rows["high"], linewidth=1.5, **look)
            axes.plot(level_rows["effect"], places, style["marker"], markersize=4.5, label=contrast, **look)
            (row,) = meta[(meta["question"] == question) & (meta["contrast"] == contrast)].to_dict("records")
            place = names.index("pooled") + shift
            axes.hlines(place, row["prediction_low"], row["prediction_high"], linewidth=0.8, **look)
            corners = [row["low"], row["effect"], row["high"], row["effect"]]
            axes.fill(corners, [place, place - 0.15, place, place + 0.15], **look)
        least, most = axes.get_xlim()
        axes.set_xlim(max(least, -1.2), min(most, 1.2))
        legend = axes.get_legend_handles_labels()
    figure.legend(*legend, frameon=False, fontsize=8, ncols=2, loc="outside lower center")
    return figure
