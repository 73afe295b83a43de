"""docs/matrix.md: SERA and ROUGE by benchmark and pooled, and how the most used metrics follow people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from os import PathLike
from pathlib import Path

import pandas as pd

from sera.evaluation.tables import markdown
from sera.io.files import writing
from sera.reporting.page import number
from study.matrix.answers import (
    FOREST_TITLE,
    answer,
    contrast_table,
    foremost,
    foremost_judgements,
    length_alone,
    sides_in_words,
    table_of,
    too_few,
)
from study.matrix.column import CONTRASTS, STOPPED
from study.matrix.meta import QUESTIONS
from study.multiverse.page import filled

_signed = partial(number, digits=2, sign="+")
_NUMBERS = ["effect", "low", "high", "prediction_low", "prediction_high"]


def write_document(
    path: str | PathLike[str],
    *,
    cells: pd.DataFrame,
    contrasts: pd.DataFrame,
    meta: pd.DataFrame,
    facts: pd.DataFrame,
    confidence: float,
) -> None:
    """Write the matrix as Markdown: the pooled effects first, then those of benchmarks, and the metrics."""
    text = filled(
        Path(__file__).with_name("matrix.md.j2"),
        answer=answer(meta),
        forest=FOREST_TITLE,
        sides=sides_in_words(contrasts, cells),
        contrasts=_contrasts(contrasts, meta, cells),
        metrics=_metrics(cells[cells["kind"] != "given"], too_few(facts)),
        benchmarks=facts.drop_duplicates("benchmark").to_dict("records"),
        first=foremost_judgements(cells),
        confidence=confidence,
    )
    with writing(path) as stream:
        stream.write(f"{text}\n")


def _contrasts(contrasts: pd.DataFrame, meta: pd.DataFrame, cells: pd.DataFrame) -> str:
    effects = contrast_table(contrasts)
    lengths = [length_alone(cells, level) for level in QUESTIONS]
    body = [
        [
            markdown(name),
            _two(number(of.get(name), 2) for of in lengths),
            *(_two(_signed(effects[each].get((level, name))) for level in QUESTIONS) for each in CONTRASTS),
        ]
        for name in effects.index.unique("benchmark")
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
    shown = [foremost(cells, level) for level in QUESTIONS]
    tables = [*(table_of(of, "value") for of in shown), table_of(shown[0], "cluster")]
    names, benchmarks = (
        list(dict.fromkeys(name for t in tables for name in t.axes[axis])) for axis in (0, 1)
    )
    above, below, bold = (table.reindex(names, columns=benchmarks) for table in tables)

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
