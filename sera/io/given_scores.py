"""Scores by metrics that come with a benchmark and were not computed here, in a table ``given.tsv``.

In a study they stand among the scores under the metric's name with ``given:`` before it. Settings and code
behind them are not known here, and neither is whether lower is better: they are taken to rise.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple
from os import PathLike

import pandas as pd

from sera.errors import InputError
from sera.io import tsv
from sera.io.records import GivenScore
from sera.io.scores import SCORE_COLUMNS, SIGNATURE_COLUMNS, read_scores, write_scores

MARK = "given:"


def read_given(path: str | PathLike[str]) -> pd.DataFrame:
    """Read given scores: topic, system, metric, score; the index is each row's line.

    InputError as of `sera.io.scores.read_scores`, and for a table without a line.
    """
    table = read_scores(path)
    if table.empty:
        raise InputError("holds no score", path=path, remedy="Add a line for each score, or remove the file.")
    return table[SCORE_COLUMNS]


def write_given(
    path: str | PathLike[str], signatures: str | PathLike[str], given: Iterable[GivenScore]
) -> None:
    """Write given scores under their marked names, and their signatures, as TSV."""
    table = pd.DataFrame(map(astuple, given), columns=SCORE_COLUMNS)
    table["metric"] = [name if name.startswith(MARK) else MARK + name for name in table["metric"]]
    write_scores(path, table)
    rows = [(name, f"{name}|as released with the benchmark", "", "") for name in table["metric"].unique()]
    tsv.write(signatures, pd.DataFrame(rows, columns=SIGNATURE_COLUMNS))
