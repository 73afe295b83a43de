"""Scores from arrays, and tables in files."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from sera.evaluation.correlate import Scores

SCORE_HEAD = "topic system metric score"
JUDGEMENT_HEAD = "topic system judgement score"


def scores_of(topics=None, **values) -> Scores:
    """Scores of metrics, each an array (topic, system); topics are t0, t1 and so on, and systems s0, s1."""
    array = np.array(list(values.values()), float)
    names = topics or (f"t{number}" for number in range(array.shape[1]))
    return Scores(tuple(values), tuple(names), tuple(f"s{number}" for number in range(array.shape[2])), array)


def put_table(path: Path, head: str, *rows: str | Iterable) -> Path:
    """Write a TSV; the head and each row are texts with blanks between the cells, or the cells."""
    cells = (row.split(" ") if isinstance(row, str) else map(str, row) for row in (head, *rows))
    path.write_text("".join("\t".join(row) + "\n" for row in cells), encoding="utf-8")
    return path
