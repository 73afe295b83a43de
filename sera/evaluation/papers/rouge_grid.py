"""ROUGE under each treatment of words and references: the grid of Lin (2004), section 6.

The paper correlates each measure with human judgements for words as they are (CASE), stemmed (STEM) and
without stop words (STOP), against one reference and against all. It estimates 95% intervals of the
correlations by bootstrap, and marks the values that are "statistically equivalent" to the best of a column.
It does not say what was resampled, or how two intervals decide. Here a value is equivalent if its interval
and that of the best overlap, which is lenient. Beside it stands a paired test: the interval of the difference
between the best and the value, over the same resamples, includes 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from sera.errors import InputError
from sera.evaluation.correlation.coefficients import COEFFICIENTS
from sera.evaluation.correlation.correlate import (
    Bootstrap,
    Scores,
    complete_topics,
    correlate,
    correlation,
    interval_columns,
)
from sera.evaluation.tables import read_tsv
from sera.evaluation.ties import DIGITS, rounded
from sera.metrics import metric
from sera.metrics.base import Metric

TREATMENTS: Mapping[str, Mapping[str, bool]] = {
    "CASE": {"stem": False, "stop": False},
    "STEM": {"stem": True, "stop": False},
    "STOP": {"stem": False, "stop": True},
    "STEM+STOP": {"stem": True, "stop": True},  # not in the paper
}
REFERENCES_USED: Mapping[str, int | None] = {"one": 1, "all": None}
"""The number of references to use; one is the first of a topic."""

VARIED = ("stem", "stop", "first_references")
"""The settings that the grid varies."""

LIN_MEASURES = (*map(str, range(1, 10)), "L", "S", "S4", "S9", "SU", "SU4", "SU9", "W-1.2")
"""The 17 measures in the order of the paper's tables; its text names S1 and SU1 in place of S and SU."""

KEYS = ["metric", "references", "words"]


def grid(names: Sequence[str], settings: Mapping[str, Any]) -> dict[tuple[str, str, str], Metric]:
    """The metrics by name, references and words (`KEYS`); ``settings`` are ROUGE's other settings.

    InputError for a setting that the grid varies, and for a name that is not one of ROUGE's.
    """
    if twice := [name for name in VARIED if name in settings]:
        raise InputError(
            f"ROUGE.{twice[0]} is given, but the grid has all its values", remedy="Leave it out."
        )
    return {
        (name, references, words): metric(
            name, **TREATMENTS[words], first_references=REFERENCES_USED[references], **settings
        )
        for name, references, words in product(names, REFERENCES_USED, TREATMENTS)
    }


def grid_means(scores: pd.DataFrame, metrics: Mapping[tuple[str, str, str], Metric]) -> pd.DataFrame:
    """Each system's mean score over its topics: `KEYS`, system, mean, topics."""
    parts = []
    for key, one in metrics.items():
        rows = scores[scores["metric"] == str(one)]
        means = rows.groupby("system", sort=False)["score"].agg(mean="mean", topics="size").reset_index()
        parts.append(means.assign(**dict(zip(KEYS, key, strict=True))))
    return pd.concat(parts, ignore_index=True)[[*KEYS, "system", "mean", "topics"]]


def grid_correlations(
    scores: pd.DataFrame,
    metrics: Mapping[tuple[str, str, str], Metric],
    judgements: Sequence[str],
    *,
    bootstrap: Bootstrap | None = None,
    confidence: float = 95.0,
    coefficient: str = "pearson",
) -> pd.DataFrame:
    """The correlation of each metric with each judgement over systems, as `correlate` gives it, after `KEYS`.

    ``scores`` hold the judgements too. ``bootstrap`` draws topics if not given. ``best`` marks the highest
    ``coefficient`` among the measures of a column (judgement, references, words), ``equivalent`` the values
    whose interval overlaps that of the best, the best included. ``behind`` and the columns after it are those
    of `behind_best`. An undefined value has no mark.
    """
    of = Scores.of(scores)
    bootstrap = bootstrap or Bootstrap()
    parts = []
    for by in judgements:
        judged = of.judged_by(by)
        names = [str(one) for one in metrics.values()]
        table = correlate(judged, [(name, by) for name in names], bootstrap=bootstrap, confidence=confidence)
        table = pd.concat([pd.DataFrame(list(metrics), columns=KEYS), table.drop(columns="metric")], axis=1)
        table = marked(table, coefficient)
        behind = behind_best(judged, by, names, table, bootstrap, confidence, coefficient)
        parts.append(pd.concat([table, behind], axis=1))
    return pd.concat(parts, ignore_index=True)


def behind_best(
    scores: Scores,
    by: str,
    names: Sequence[str],
    table: pd.DataFrame,
    bootstrap: Bootstrap,
    confidence: float,
    coefficient: str = "pearson",
) -> pd.DataFrame:
    """How far each value is behind the best of its column, by a paired bootstrap.

    ``names`` are the metrics of the rows of ``table``, one of `marked` for the judgement ``by``. ``behind``
    is the best coefficient less the row's, 0 to 2, on the topics that all of the column have;
    ``behind_low`` and ``behind_high`` are the ends of its interval over resamples that both share, and
    ``not_behind`` says that the interval includes 0. With several best values, the first is compared with.
    An undefined value has NaN and is not marked. The best is chosen on the same data, and nothing is
    corrected for the number of measures.
    """
    found = pd.DataFrame(
        {name: np.nan for name in ("behind", "behind_low", "behind_high")}, index=table.index
    ).assign(not_behind=False)
    place = COEFFICIENTS.index(coefficient)
    for _, rows in table.groupby(["references", "words"], sort=False):
        defined = rows.index[rows[coefficient].notna()]
        if not len(defined):
            continue
        x = scores.of_metrics([names[row] for row in defined])
        y = scores.of_metric(by)
        topics = complete_topics(y, *x)
        x, y = x[:, topics], y[topics]
        best = list(defined).index(rows.index[rows["best"]][0])
        values = correlation(x, y, "system", topics=_once(y, 0), systems=_once(y, 1))[0, :, place]
        draws = correlation(
            x, y, "system", topics=bootstrap.of_topics(len(y)), systems=bootstrap.of_systems(y.shape[1])
        )[:, :, place]
        for number, row in enumerate(defined):
            ends = interval_columns("behind", rounded(draws[:, best] - draws[:, number]), confidence)
            found.loc[row, ["behind", *ends]] = [
                rounded(values[best] - values[number]),
                *ends.values(),
            ]
            found.loc[row, "not_behind"] = bool(ends["behind_low"] <= 0 <= ends["behind_high"])
    return found


def _once(y: np.ndarray, axis: int) -> np.ndarray:
    """The weights of a sample in which each topic (axis 0) or system (1) occurs once, (1, length)."""
    return np.ones((1, y.shape[axis]), np.int64)


def marked(table: pd.DataFrame, coefficient: str = "pearson") -> pd.DataFrame:
    """The table with the columns ``best`` and ``equivalent``; see `grid_correlations`."""
    low, high = f"{coefficient}_low", f"{coefficient}_high"
    table = table.assign(best=False, equivalent=False)
    for _, rows in table.groupby(["against", "references", "words"], sort=False):
        rows = rows.round({coefficient: DIGITS, low: DIGITS, high: DIGITS})
        values = rows[coefficient]
        if values.notna().any():
            top = values.max()
            best = rows[values == top]
            table.loc[best.index, "best"] = True
            overlap = (rows[high] >= best[low].min()) & (rows[low] <= best[high].max())
            table.loc[rows.index[overlap | (values == top)], "equivalent"] = True
    return table


def grid_text(table: pd.DataFrame, coefficient: str = "pearson", decimals: int = 2) -> pd.DataFrame:
    """The correlations as in the paper's tables: a row per measure, a column per references and words.

    ``*`` marks the best value of a column, ``=`` a value equivalent to it, and ``~`` after it one that the
    paired test does not find behind the best (`behind_best`). A column ``(published)`` follows where the
    table has one (`beside`).
    """
    shown: dict[str, list[str]] = {}
    order = list(dict.fromkeys(table["metric"]))
    for (by, references, words), rows in table.groupby(["against", "references", "words"], sort=False):
        of = rows.set_index("metric").reindex(order)
        label = f"{by}: {references} {words}" if table["against"].nunique() > 1 else f"{references} {words}"
        marks = [
            "*" if best else "=" if as_good else " " for best, as_good in zip(of["best"], of["equivalent"])
        ]
        if "not_behind" in of:
            close = of["not_behind"] & ~of["best"].astype(bool)
            marks = [mark + ("~" if near else " ") for mark, near in zip(marks, close, strict=True)]
        shown[label] = [
            _cell(value, decimals) + mark for value, mark in zip(of[coefficient], marks, strict=True)
        ]
        if "published" in of and of["published"].notna().any():
            shown[f"({references} {words})"] = [_cell(value, decimals) for value in of["published"]]
    return pd.DataFrame({"metric": order} | shown)


def _cell(value: float, decimals: int) -> str:
    return "undefined" if pd.isna(value) else f"{value:.{decimals}f}"


def read_lin(path: str | PathLike[str]) -> pd.DataFrame:
    """The correlations of the paper's Tables 1 to 3: table, task, references, words, metric, pearson."""
    columns = ["table", "task", *KEYS[1:], "metric", "pearson"]
    return read_tsv(path, comment="#", columns=columns, texts=columns[:-1])


def beside(table: pd.DataFrame, published: pd.DataFrame, task: str) -> pd.DataFrame:
    """The correlations with the paper's for a task: ``published``, and the ``difference`` of Pearson's r.

    InputError for a task that is not in the published table.
    """
    rows = published[published["task"] == task]
    if rows.empty:
        known = ", ".join(dict.fromkeys(published["task"]))
        raise InputError(f"the paper has no task {task!r}", remedy=f"Give one of {known}.")
    found = table.merge(
        rows[[*KEYS, "pearson"]].rename(columns={"pearson": "published"}), how="left", on=KEYS
    )
    return found.assign(difference=found["pearson"] - found["published"])
