"""Score the rows of a data frame: a function to map over the partitions of a larger one.

    score_batch(frame, ["ROUGE-2-F", "ROUGE-L-F(stem=true)"])

A row has all that its scores need, so that the scores do not depend on how rows are parted.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np

from sera.errors import InputError
from sera.io.data_frames import cells_of, columns_of, library_of
from sera.metrics import metric
from sera.metrics.base import Metric, Summary
from sera.metrics.scoring import Compared, by_family, labels_of, scores_of, several
from sera.registry import listed
from sera.settings import shown

_Table = TypeVar("_Table")


def score_batch(
    table: _Table,
    metrics: str | Iterable[str | Metric],
    *,
    candidate: str = "candidate",
    references: str = "references",
    source: str | None = None,
) -> _Table:
    """The table with one more column of scores (float64) for each metric, named by its selector.

    ``table`` is a data frame of pandas or polars, or a table or record batch of pyarrow; the result is of the
    same kind and has its rows in the same order. In the column ``candidate`` a cell is a text, or a list of
    its sentences. In ``references`` it is a list of references, each a text or a list of its sentences, or
    one text. ``source`` names the column of the articles, for metrics that need them.

    ``metrics``: selectors such as ``ROUGE-2-F(stem=true)``, or metrics with their resources.

    Raises InputError for another kind of table, for a column that is missing or already there, for two
    metrics of one selector, and with the number of the row (from 1) for what is no text. Warns with
    `sera.metrics.base.Caution` of scores that say little.
    """
    chosen = [each if isinstance(each, Metric) else metric(each) for each in several(metrics)]
    labels = labels_of(chosen)
    for each in chosen:
        each.ready()
        if each.needs_source and source is None:
            raise InputError(f"{each.name} compares with the article", remedy="Name its column: source=...")
    _library(table)
    names = columns_of(table, "rows")
    for name in filter(None, (candidate, references, source)):
        if name not in names:
            raise InputError(f"the table has no column {name!r}", remedy=f"It has {listed(names)}.")
    if again := [label for label in labels if label in names]:
        raise InputError(f"the table has a column {again[0]} already", remedy="Rename or drop it.")
    columns = [cells_of(table, name) for name in (candidate, references, *filter(None, [source]))]
    scores = np.empty((len(columns[0]), len(labels)))
    families = by_family(chosen)
    for number, row in enumerate(zip(*columns)):
        scores[number] = _scored(families, number + 1, *row)
    for each in chosen:
        each.warn()
    return _with_columns(table, dict(zip(labels, scores.T)))


def _scored(families: list[list[Metric]], number: int, *row: Any) -> list[float]:
    """The scores of a row: candidate, references and, if there are articles, the article."""
    try:
        candidate, *others = map(_text, (row[0], *row[2:]))
        many = [_text(each) for each in ([row[1]] if isinstance(row[1], str) else _items(row[1]))]
    except InputError as error:
        raise InputError(f"row {number}: {error.problem}", remedy=_CELLS) from None
    if not many:
        raise InputError(f"row {number} has no reference", remedy=_CELLS)
    return scores_of(families, Compared(candidate, [many], False), *others)  # type: ignore[arg-type, list-item]


_CELLS = "A candidate is a text or a list of its sentences, and references are a list of such."


def _items(cell: Any) -> list[Any]:
    """The items of a cell, which pandas reads as an array; a cell that is no list has itself."""
    if isinstance(cell, np.ndarray):
        return cell.tolist()
    return list(cell) if isinstance(cell, list | tuple) else [cell]


def _text(cell: Any) -> Summary:
    """The text of a cell; InputError for what is none."""
    return Summary(tuple(_items(cell)))


def _with_columns(table: Any, scores: dict[str, np.ndarray]) -> Any:
    match _library(table):
        case "pandas":
            return table.assign(**scores)
        case "polars":
            series = sys.modules["polars"].Series
            return table.with_columns(*(series(name, column) for name, column in scores.items()))
    for name, column in scores.items():
        table = table.append_column(name, sys.modules["pyarrow"].array(column))
    return table


def _library(table: Any) -> str:
    """The library of a table; InputError for what is none."""
    if found := library_of(table):
        return found
    raise InputError(
        f"the table is {shown(table)}", remedy="Give a data frame of pandas or polars, or pyarrow's table."
    )
