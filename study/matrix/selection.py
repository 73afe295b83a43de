"""Parts of the matrix that people look at first: the foremost judgement, and the metrics of the overview."""

from __future__ import annotations

import re

import pandas as pd

from study.matrix.column import OF_LENGTH, ONE_JUDGE
from study.matrix.further_cells import AT_RANDOM

FLOORS_AND_CEILING = (ONE_JUDGE, OF_LENGTH, AT_RANDOM)

MATRIX_TITLE = (
    "How metrics follow human judgements: Spearman's ρ over systems, by each benchmark's first judgement."
)

_SHOWN = re.compile(
    r"ROUGE-(1|2|3|L|SU|W-1\.2)-(F|R)|SERA(-DIS)?(-NP|-KW)?-(5|10)|Pyramid|S3-.*|JS|JS-2|ROUGE-K|MOULIN-ROUGE"
)
"""The metrics of the overview; all others are in the page and in the tables."""


def foremost_judgements(cells: pd.DataFrame) -> dict[str, str]:
    """The first judgement of each benchmark: that on which its readers rank systems."""
    first = cells.drop_duplicates("benchmark")
    return dict(zip(first["benchmark"], first["judgement"], strict=True))


def of_foremost(cells: pd.DataFrame) -> pd.DataFrame:
    """The rows about each benchmark's first judgement."""
    first = foremost_judgements(cells)
    return cells[cells["judgement"] == cells["benchmark"].map(first)]


def foremost(cells: pd.DataFrame, level: str = "system", coefficient: str = "spearman") -> pd.DataFrame:
    """The cells of the overview: first judgements at one level, the usual metrics, those given, and the rest.

    Metrics come in the order of the cells, and floors and ceilings after them. A benchmark without a defined
    value is left out.
    """
    kept = of_foremost(cells)
    kept = kept[(kept["level"] == level) & (kept["coefficient"] == coefficient)]
    kept = kept[kept["value"].groupby(kept["benchmark"]).transform("count") > 0]
    shown = [
        name
        for name, kind in dict(zip(kept["metric"], kept["kind"], strict=True)).items()
        if kind == "given" or (kind == "metric" and _SHOWN.fullmatch(name))
    ]
    order = [*shown, *(name for name in FLOORS_AND_CEILING if (kept["metric"] == name).any())]
    kept = kept[kept["metric"].isin(order)]
    return kept.sort_values(
        "metric", key=lambda column: column.map(order.index), kind="stable", ignore_index=True
    )


def table_of(cells: pd.DataFrame, column: str) -> pd.DataFrame:
    """One column of cells as a table of metrics by benchmarks, in the order of the cells."""
    benchmarks = list(dict.fromkeys(cells["benchmark"]))
    metrics = list(dict.fromkeys(cells["metric"]))
    return cells.pivot(index="metric", columns="benchmark", values=column).reindex(
        index=metrics, columns=benchmarks
    )
