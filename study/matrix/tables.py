"""Selections of cells and tables for the matrix's page, its document and its figure."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd

from sera.io.scores import GIVEN
from sera.reporting.page import number
from study.matrix.column import AT_RANDOM, OF_LENGTH, ONE_JUDGE
from study.matrix.kinds import KIND_WORDS, RELEVANCE

FLOORS_AND_CEILING = (ONE_JUDGE, OF_LENGTH, AT_RANDOM)

MATRIX_TITLE = (
    "How metrics follow human judgements: Spearman's ρ over systems, by each benchmark's first judgement."
)

FOREST_TITLE = "SERA less ROUGE in Spearman's ρ with human judgements, by benchmark and pooled."

_SHOWN = re.compile(r"ROUGE-(1|2|L)-(F|R)|SERA-(5|10|NP-5|KW-5)|S3-full")
"""The metrics of the overview; the page has all others."""

TOO_FEW = 4
"""With so few systems or fewer, a test over systems cannot tell metrics apart."""


def first_judgements(cells: pd.DataFrame) -> dict[str, str]:
    """The first judgement of each benchmark: that on which its readers rank systems."""
    first = cells.drop_duplicates("benchmark")
    return dict(zip(first["benchmark"], first["judgement"], strict=True))


def first_judgement_cells(cells: pd.DataFrame, level: str) -> pd.DataFrame:
    """The cells of each benchmark's first judgement by Spearman's rho at one level."""
    first = cells["judgement"] == cells["benchmark"].map(first_judgements(cells))
    return cells[first & (cells["coefficient"] == "spearman") & (cells["level"] == level)]


def overview_cells(cells: pd.DataFrame, level: str = "system") -> pd.DataFrame:
    """The cells of the overview: first judgements at one level, the usual metrics, those given, and the rest.

    Metrics come in the order of the cells, and floors and ceilings after them. A benchmark without a defined
    value is left out.
    """
    kept = first_judgement_cells(cells, level)
    kept = kept[kept["value"].groupby(kept["benchmark"]).transform("count") > 0]
    shown = [name for name in kept["metric"].unique() if name.startswith(GIVEN) or _SHOWN.fullmatch(name)]
    order = {name: place for place, name in enumerate([*shown, *FLOORS_AND_CEILING])}
    kept = kept[kept["metric"].isin(order)]
    return kept.sort_values("metric", key=lambda names: names.map(order), kind="stable", ignore_index=True)


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


def benchmarks_with_few_systems(facts: pd.DataFrame) -> list[str]:
    """The benchmarks with at most `TOO_FEW` systems."""
    return list(facts[facts["systems"] <= TOO_FEW]["benchmark"].unique())


FEWEST = 3
"""The fewest benchmarks on which a sentence about a kind of metrics rests."""


def name_kinds(pooled: pd.DataFrame) -> pd.DataFrame:
    """The table of `study.matrix.pooling.kinds_table`, with the ``name`` of each kind in words."""
    pairs = zip(pooled["kind"], pooled["reads"], strict=True)
    return pooled.assign(name=[KIND_WORDS[pair] for pair in pairs])


def well_known_kinds(pooled: pd.DataFrame) -> pd.DataFrame:
    """The rows on relevance or coverage that rest on at least `FEWEST` benchmarks, with names."""
    return name_kinds(pooled[(pooled["dimension"] == RELEVANCE) & (pooled["benchmarks"] >= FEWEST)])


def kind_sentences(pooled: pd.DataFrame) -> list[str]:
    """Which kinds of metrics follow people better or worse than ROUGE-1-F: a sentence a question."""
    sentences = []
    for question, of in well_known_kinds(pooled).groupby("question", sort=False):
        rows = of.to_dict("records")
        ahead, behind = [row for row in rows if row["low"] > 0], [row for row in rows if row["high"] < 0]
        which = _list_kinds(ahead) if ahead else f"the highest is {_list_kinds(rows[:1])}"
        worse = f" Worse: {_list_kinds(behind)}." if behind else ""
        sentences.append(
            f"In ranking {question}, {len(ahead) or 'none'} of {len(rows)} kinds of metrics follow people "
            f"better than ROUGE-1-F: {which}.{worse}"
        )
    return sentences


def _list_kinds(rows: list[dict[str, Any]]) -> str:
    form = "{name}, {effect} ({low} to {high}) on {benchmarks} benchmarks"
    shown = [{name: number(row[name], 2, "+") for name in ("effect", "low", "high")} for row in rows]
    return "; ".join(form.format(**row | numbers) for row, numbers in zip(rows, shown, strict=True))


def kind_rows(pooled: pd.DataFrame) -> list[dict[str, Any]]:
    """The kinds by dimension, each with its effects by question, None where there is none."""
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    absent = dict.fromkeys(pooled["question"])
    for row in name_kinds(pooled).to_dict("records"):
        key = row["dimension"], row["name"]
        rows.setdefault(key, {"dimension": key[0], "name": key[1], **absent})[row["question"]] = row
    return list(rows.values())
