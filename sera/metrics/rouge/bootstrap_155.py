"""The averages and confidence intervals that ROUGE-1.5.5 prints for a system (``-c 95 -r 1000``).

Lin (2004, section 6) bootstraps the intervals of correlations; the program also bootstraps the average score
of a system. It prints the mean of 1,000 resampled means, not the plain mean of the scores. Its generator is
seeded, so the numbers are reproduced to the last digit.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

import numpy as np
import pandas as pd

from sera.errors import InputError
from sera.settings import number

RESAMPLES = 1000
AVERAGE_COLUMNS = ["system", "metric", "measure", "mean", "ci_low", "ci_high"]

_ORDER = ("R", "P", "F", "")
_MEASURE = re.compile(r"(?P<metric>.+)-(?P<measure>[PRF])(?P<settings>\(.*\))?")


def average(scores: pd.DataFrame, confidence: float = 95) -> pd.DataFrame:
    """Average a score table (topic, system, metric, score; see `sera.metrics.scoring`) per system.

    Each system is averaged over the topics that it has scores for. Returns the columns `AVERAGE_COLUMNS`, in
    the order of the scores: ``ROUGE-2-F`` becomes the metric ``ROUGE-2`` and the measure ``F``; settings stay
    with the metric, and the measure of metrics without these parts is empty. ``confidence`` is in percent,
    above 0 and up to 100. InputError for an undefined or repeated score, and for an empty table.
    """
    number("confidence", confidence, 0, 100, above=True)
    if scores.empty:
        raise InputError("there is no score to average", remedy="Give a table with scores.")
    for wrong, problem, remedy in (
        (scores["score"].isna(), "is undefined and has no average", "Leave out this metric or topic."),
        (scores.duplicated(["topic", "system", "metric"]), "is there twice", "Keep one of them."),
    ):
        if wrong.any():
            row = scores.loc[wrong].iloc[0]
            problem = f"the score of {row.system} for {row.topic} by {row.metric} {problem}"
            raise InputError(problem, remedy=remedy)
    table = []
    for system, of_system in scores.groupby("system", sort=False):
        for name, rows in of_system.groupby("metric", sort=False):
            found = average_of(dict(zip(rows["topic"], rows["score"])), system, confidence)
            table.append((system, *_parts(name), *found))
    return pd.DataFrame(table, columns=AVERAGE_COLUMNS)


def uneven_lines(scores: pd.DataFrame) -> list[str]:
    """A line for each metric by which some systems have scores on fewer topics than others; at most ten.

    The program averages what is there, so such averages are of different topics.
    """
    lines = []
    for metric, rows in scores.groupby("metric", sort=False):
        counts, topics = rows["system"].value_counts(sort=False), rows["topic"].nunique()
        fewer = [f"{system} has {count}" for system, count in counts.items() if count < topics]
        if fewer:
            few = ", ".join(fewer[:3]) + (f" and {len(fewer) - 3} more have fewer" if len(fewer) > 3 else "")
            lines.append(f"{metric}: averages over different topics: of {topics}, {few}")
    return lines[:10] + ([f"{len(lines) - 10} more metrics likewise"] if len(lines) > 10 else [])


def _parts(name: str) -> tuple[str, str]:
    if match := _MEASURE.fullmatch(name):
        return match["metric"] + (match["settings"] or ""), match["measure"]
    return name, ""


def average_of(scores: Mapping[str, float], system: str, confidence: float = 95) -> list[float]:
    """The mean of a system's scores, and the low and high end of its interval, as the program prints them.

    ``scores`` maps the id of an evaluation (a topic) to the score. The order of the mapping does not matter:
    evaluations are taken in the string order of ``<id>.<system>``, as in the program. All three have five
    decimals.
    """
    ids = sorted(scores, key=lambda evaluation: f"{evaluation}.{system}".encode("utf-8", "surrogatepass"))
    values = np.array([scores[evaluation] for evaluation in ids], dtype=float)
    sums = np.zeros(RESAMPLES)
    for drawn in _draws(len(values)):  # the order of the draws affects rounding
        sums += values[drawn]
    means = np.sort(sums / len(values))
    mean = np.cumsum(means)[-1] / RESAMPLES  # a running sum; np.sum adds in another order
    return [round(float(value), 5) for value in (mean, *_ends(means, confidence))]


def _ends(means: np.ndarray, confidence: float) -> tuple[float, float]:
    """The ends of the interval that holds ``confidence`` percent of the sorted means.

    An end between two means is interpolated; as in the program, the fraction of the upper end is used for
    both.
    """
    tail = RESAMPLES * ((100 - confidence) / 2) / 100
    low, high = int(tail), int(RESAMPLES - tail - 1)
    further = RESAMPLES - tail - 1 - high
    ends = [means[at] + (means[min(at + 1, RESAMPLES - 1)] - means[at]) * further for at in (low, high)]
    return ends[0], ends[1]


def printed_lines(averages: pd.DataFrame, confidence: float = 95) -> Iterator[str]:
    """The lines that the program prints for a table of `average`; ``confidence`` is that of the table."""
    for (system, metric), rows in averages.groupby(["system", "metric"], sort=False):
        yield "-" * 45
        name, opening, settings = metric.partition("(")
        any_gap = "*" if name in ("ROUGE-S", "ROUGE-SU") else ""
        for row in sorted(rows.itertuples(), key=lambda row: _ORDER.index(row.measure)):
            average = f"Average_{row.measure}" if row.measure else "Average"
            interval = f"({confidence:g}%-conf.int. {row.ci_low:.5f} - {row.ci_high:.5f})"
            yield f"{system} {name}{any_gap}{opening}{settings} {average}: {row.mean:.5f} {interval}"


@lru_cache(maxsize=4)  # most metrics and systems have scores on the same topics
def _draws(n: int) -> np.ndarray:
    """Drawn indices below n, (n, resample): resample i draws from the 48-bit generator seeded with i."""
    state = np.arange(RESAMPLES, dtype=np.uint64) * np.uint64(1 << 16) + np.uint64(0x330E)
    drawn = np.empty((n, RESAMPLES), dtype=np.intp)
    for draw in range(n):
        # uint64 wraps at 2^64, which does not change the value modulo 2^48
        state = (state * np.uint64(0x5DEECE66D) + np.uint64(0xB)) & np.uint64((1 << 48) - 1)
        drawn[draw] = n * (state / 2.0**48)
    return drawn
