"""ROUGE under each treatment of words and references: the grid of Lin (2004), section 6.

The paper correlates each measure with human judgements for words as they are (CASE), stemmed (STEM) and
without stop words (STOP), against one reference and against all. It marks the values that are "statistically
equivalent" to the best of a column by bootstrap, and leaves open how. Here a value is equivalent if its
interval and that of the best overlap, which is lenient. A paired test is beside it: the interval of the
difference between the best and the value, over the same resamples, includes 0.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from sera.defaults import CONFIDENCE
from sera.errors import InputError
from sera.evaluation.bootstrap import Bootstrap, percentile_intervals
from sera.evaluation.coefficients import COEFFICIENTS
from sera.evaluation.correlate import Scores, complete_topics, correlate, correlation
from sera.evaluation.tables import UNDEFINED, read_tsv
from sera.evaluation.ties import ROUND_OFF
from sera.metrics import make_metric
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
COEFFICIENT = "pearson"
"""The coefficient of the paper's tables."""


def grid(names: Sequence[str], settings: Mapping[str, Any]) -> dict[tuple[str, str, str], Metric]:
    """The metrics by name, references and words (`KEYS`); ``settings`` are ROUGE's other settings.

    InputError for a setting that the grid varies, and for a name that is not one of ROUGE's.
    """
    if twice := [name for name in VARIED if name in settings]:
        problem = f"ROUGE.{twice[0]} is given, but the grid has all its values"
        raise InputError(problem, remedy="Leave it out.")
    metrics = {}
    for name, references, words in product(names, REFERENCES_USED, TREATMENTS):
        treatment = {**TREATMENTS[words], "first_references": REFERENCES_USED[references]}
        metrics[name, references, words] = make_metric(name, **treatment, **settings)
    return metrics


def grid_means(scores: pd.DataFrame, metrics: Mapping[tuple[str, str, str], Metric]) -> pd.DataFrame:
    """Each system's mean score over its topics: `KEYS`, system, mean, topics."""
    keys = pd.DataFrame([(*key, str(metric)) for key, metric in metrics.items()], columns=[*KEYS, "label"])
    means = scores.groupby(["metric", "system"], sort=False)["score"].agg(mean="mean", topics="size")
    table = keys.merge(means.reset_index(), left_on="label", right_on="metric", suffixes=("", "_label"))
    return table[[*KEYS, "system", "mean", "topics"]]


def grid_correlations(
    scores: pd.DataFrame,
    metrics: Mapping[tuple[str, str, str], Metric],
    judgements: Sequence[str],
    *,
    bootstrap: Bootstrap | None = None,
    confidence: float = CONFIDENCE,
) -> pd.DataFrame:
    """The correlation of each metric with each judgement over systems: `KEYS`, then those of `correlate`.

    ``scores`` hold the judgements too. ``bootstrap`` draws topics if not given. ``best`` marks the highest
    `COEFFICIENT` among the measures of a column (judgement, references, words), ``equivalent`` the values
    whose interval overlaps that of the best, the best included. ``behind`` and the columns after it are those
    of `compare_with_best`. An undefined value has no mark.
    """
    all_scores, bootstrap = Scores.from_table(scores), bootstrap or Bootstrap()
    keys, names, parts = pd.DataFrame(list(metrics), columns=KEYS), list(map(str, metrics.values())), []
    for judgement in judgements:
        subset, pairs = all_scores.keep_judged(judgement), [(name, judgement) for name in names]
        table = correlate(subset, pairs, bootstrap=bootstrap, confidence=confidence)
        table = mark_best(pd.concat([keys, table.drop(columns="metric")], axis=1))
        parts.append(table.join(compare_with_best(subset, judgement, names, table, bootstrap, confidence)))
    return pd.concat(parts, ignore_index=True)


def compare_with_best(
    scores: Scores,
    by: str,
    names: Sequence[str],
    table: pd.DataFrame,
    bootstrap: Bootstrap,
    confidence: float,
) -> pd.DataFrame:
    """How far each value is behind the best of its column, by a paired bootstrap.

    ``names`` are the metrics of the rows of ``table``, of `mark_best` for the judgement ``by``. ``behind`` is
    the best coefficient (the first of several) less the row's, 0 to 2, on the topics that all of the column
    have, with its interval; ``not_behind`` is true if that includes 0. An undefined value has NaN and no
    mark. The best is chosen on the same data, and nothing is corrected for the number of measures.
    """
    result = pd.DataFrame(np.nan, table.index, ["behind", "behind_low", "behind_high"])
    place = COEFFICIENTS.index(COEFFICIENT)
    for _, rows in table[table[COEFFICIENT].notna()].groupby(["references", "words"], sort=False):
        x, y = scores.stack([names[row] for row in rows.index]), scores.metric(by)
        topics = complete_topics(y, *x)
        x, y = x[:, topics], y[topics]
        best = int(rows["best"].to_numpy().argmax())
        values = correlation(x, y, "system")[:, place]
        draws = correlation(x, y, "system", **bootstrap.draw(y))[:, :, place]
        ends = percentile_intervals(draws[:, [best]] - draws, confidence)
        result.loc[rows.index] = np.column_stack([values[best] - values, ends])
    result = result.mask(result.abs() <= ROUND_OFF, 0.0)
    return result.assign(not_behind=(result["behind_low"] <= 0) & (result["behind_high"] >= 0))


def mark_best(table: pd.DataFrame) -> pd.DataFrame:
    """The table with the columns ``best`` and ``equivalent``; see `grid_correlations`."""
    values, low, high = (table[f"{COEFFICIENT}{end}"] for end in ("", "_low", "_high"))
    treatment = [table[name] for name in ("against", "references", "words")]
    best = values >= values.groupby(treatment).transform("max") - ROUND_OFF
    overlap = high >= low.where(best).groupby(treatment).transform("min") - ROUND_OFF
    overlap &= low <= high.where(best).groupby(treatment).transform("max") + ROUND_OFF
    return table.assign(best=best, equivalent=best | overlap)


def grid_text(table: pd.DataFrame) -> pd.DataFrame:
    """The correlations as in the paper's tables: a row per measure, a column per references and words.

    ``*`` marks the best value of a column, ``=`` a value equivalent to it, and ``~`` after it one that the
    paired test does not find behind the best (`compare_with_best`). A column ``(published)`` follows if the
    table has one (`add_published`).
    """
    columns: dict[str, list[str]] = {}
    order = list(dict.fromkeys(table["metric"]))
    for (judgement, references, words), rows in table.groupby(["against", "references", "words"], sort=False):
        values = rows.set_index("metric").reindex(order)
        label = f"{judgement}: " if table["against"].nunique() > 1 else ""
        cells = values[[COEFFICIENT]].assign(published=values.get("published", np.nan))
        cells = cells.map("{:.2f}".format).replace("nan", UNDEFINED)
        marks = np.select([values["best"].astype(bool), values["equivalent"].astype(bool)], ["*", "="], " ")
        if "not_behind" in values:
            is_close = values["not_behind"].astype(bool) & (marks != "*")
            marks = np.char.add(marks, np.where(is_close, "~", " "))
        columns[f"{label}{references} {words}"] = list(cells[COEFFICIENT] + marks)
        if "published" in values and values["published"].notna().any():
            columns[f"({references} {words})"] = list(cells["published"])
    return pd.DataFrame({"metric": order} | columns)


def read_lin(path: str | PathLike[str]) -> pd.DataFrame:
    """The correlations of the paper's Tables 1 to 3: table, task, references, words, metric, pearson."""
    columns = ["task", *KEYS[1:], "metric", "pearson"]
    return read_tsv(path, comment="#", columns=columns, texts=["table", *columns[:-1]])


def add_published(table: pd.DataFrame, published: pd.DataFrame, task: str) -> pd.DataFrame:
    """The correlations with the paper's for a task: ``published``, and the ``difference`` of Pearson's r.

    InputError for a task that is not in the published table.
    """
    rows = published[published["task"] == task]
    if rows.empty:
        tasks = ", ".join(dict.fromkeys(published["task"]))
        raise InputError(f"the paper has no task {task!r}", remedy=f"Give one of {tasks}.")
    rows = rows[[*KEYS, "pearson"]].rename(columns={"pearson": "published"})
    result = table.merge(rows, how="left", on=KEYS)
    return result.assign(difference=result["pearson"] - result["published"])
