"""The averages and confidence intervals that ROUGE-1.5.5 prints for a system (``-c 95 -r 1000``).

Lin (2004, section 6) bootstraps the intervals of correlations; the program also bootstraps a system's
average score. What it prints is not the plain mean of the scores but the mean of 1,000 resampled
means, drawn from a seeded generator, so it can be had again to the last digit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from sera.errors import InputError
from sera.settings import number

RESAMPLES = 1000
COLUMNS = ["system", "metric", "measure", "mean", "ci_low", "ci_high"]

_ORDER = ("R", "P", "F", "")
_MEASURE = re.compile(r"(.+)-([PRF])")


def average(scores: pd.DataFrame, confidence: float = 95) -> pd.DataFrame:
    """The averages of a score table (topic, system, metric, score; see `sera.metrics.scoring`).

    Each system is averaged over the topics that it has scores for. Gives the columns `COLUMNS`, in the order
    of the scores: ``ROUGE-2-F`` is the metric ``ROUGE-2`` and the measure ``F``; metrics without such
    parts are averaged in the same way, and their measure is empty. ``confidence`` is in percent, above 0 and
    up to 100. Raises InputError for a score that is undefined or stands twice, and where there is none.
    """
    if scores.empty:
        raise InputError("there is no score to average")
    for wrong, problem in (
        (scores["score"].isna(), "is undefined and has no average"),
        (scores.duplicated(["topic", "system", "metric"]), "stands twice"),
    ):
        if wrong.any():
            row = scores.loc[wrong].iloc[0]
            raise InputError(f"the score of {row.system} for {row.topic} by {row.metric} {problem}")
    table = []
    for system, of_system in scores.groupby("system", sort=False):
        of_metrics = {
            name: dict(zip(rows["topic"], rows["score"]))
            for name, rows in of_system.groupby("metric", sort=False)
        }
        with_topics: dict[frozenset, list[str]] = {}
        for name, by_topic in of_metrics.items():
            with_topics.setdefault(frozenset(by_topic), []).append(name)
        found: dict[str, list[float]] = {}
        for topics, names in with_topics.items():
            together = {topic: [of_metrics[name][topic] for name in names] for topic in topics}
            found |= zip(names, averages(together, system, confidence).tolist())
        for name in of_metrics:
            metric, measure = match.groups() if (match := _MEASURE.fullmatch(name)) else (name, "")
            table.append((system, metric, measure, *found[name]))
    return pd.DataFrame(table, columns=COLUMNS)


def averages(scores: Mapping[str, Sequence[float]], system: str, confidence: float = 95) -> np.ndarray:
    """Mean, low and high end of one system's scores by one or more metrics, as the program prints them.

    ``scores`` maps an evaluation's id (a topic) to the system's scores there, the same metrics in the same
    order for each. The order of the mapping is of no account: evaluations are taken in the string order of
    ``<id>.<system>``, as by the program, and each metric sees the same draws. Gives an array of shape
    (metrics, 3), five decimals. Raises ValueError for no scores, or for evaluations of unequal length.
    """
    number("confidence", confidence, 0, 100, above=True)
    if not scores:
        raise ValueError(f"there are no scores of {system} to average")
    ids = sorted(scores, key=lambda evaluation: f"{evaluation}.{system}".encode("utf-8", "surrogatepass"))
    table = np.array([scores[evaluation] for evaluation in ids], dtype=float)
    if table.ndim != 2:
        raise ValueError("every evaluation has a list of scores, one for each metric")

    sums = np.zeros((RESAMPLES, table.shape[1]))
    for drawn in _draws(len(table)):  # in the order drawn, for rounding's sake
        sums += table[drawn]
    means = np.sort(sums / len(table), axis=0)
    mean = np.cumsum(means, axis=0)[-1] / RESAMPLES  # a running sum; np.sum adds in another order
    rounded = [[round(float(value), 5) for value in row] for row in (mean, *_ends(means, confidence))]
    return np.array(rounded).T


def _ends(means: np.ndarray, confidence: float) -> tuple[np.ndarray, np.ndarray]:
    """The ends of the interval among the sorted means, which hold ``confidence`` percent of them.

    An end between two means lies between their values; how far is told by the upper end for both, as in the
    program.
    """
    tail = RESAMPLES * ((100 - confidence) / 2) / 100
    low, high = int(tail), int(RESAMPLES - tail - 1)
    further = RESAMPLES - tail - 1 - high
    ends = [means[at] + (means[min(at + 1, RESAMPLES - 1)] - means[at]) * further for at in (low, high)]
    return ends[0], ends[1]


def lines(averages: pd.DataFrame, confidence: float = 95) -> Iterator[str]:
    """A table of averages as the program prints it; ``confidence`` is that of the table."""
    for (system, metric), rows in averages.groupby(["system", "metric"], sort=False):
        yield "-" * 45
        any_gap = "*" if metric in ("ROUGE-S", "ROUGE-SU") else ""
        for row in sorted(rows.itertuples(), key=lambda row: _ORDER.index(row.measure)):
            average = f"Average_{row.measure}" if row.measure else "Average"
            interval = f"({confidence:g}%-conf.int. {row.ci_low:.5f} - {row.ci_high:.5f})"
            yield f"{system} {metric}{any_gap} {average}: {row.mean:.5f} {interval}"


def _draws(n: int) -> np.ndarray:
    """Indices below n, shape (n, resamples): resample i draws from the 48-bit generator seeded with i."""
    state = np.arange(RESAMPLES, dtype=np.uint64) * np.uint64(1 << 16) + np.uint64(0x330E)
    drawn = np.empty((n, RESAMPLES), dtype=np.intp)
    for draw in range(n):
        # uint64 wraps at 2^64, which leaves the value modulo 2^48 as it is.
        state = (state * np.uint64(0x5DEECE66D) + np.uint64(0xB)) & np.uint64((1 << 48) - 1)
        drawn[draw] = n * (state / 2.0**48)
    return drawn
