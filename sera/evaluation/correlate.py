"""Correlation between the scores of two metrics over systems, within topics and over all summaries.

docs/statistics.md defines the three levels, and what is left out where a score is undefined. An undefined
correlation (`sera.evaluation.coefficients`) stays NaN.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import numpy as np
import pandas as pd

from sera.defaults import CONFIDENCE
from sera.evaluation.bootstrap import Bootstrap, interval_columns
from sera.evaluation.coefficients import COEFFICIENTS, coefficients
from sera.evaluation.ties import mean_scores, merge_ties
from sera.progress import progress

LEVELS = ("system", "summary", "global")
WHY = "why_undefined"
"""The column of the reason if a value of the row is undefined; tables for reading have it only if needed."""

_CHUNK = 100_000  # weights at a time, few enough to stay in the processor's cache


@dataclass(frozen=True)
class Scores:
    """Scores as an array, (metric, topic, system); NaN where a summary has no defined score.

    Scores of a metric that differ by round-off alone become equal here (`sera.evaluation.ties`).
    """

    metrics: tuple[str, ...]
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    values: np.ndarray

    def __post_init__(self) -> None:
        merged = merge_ties(self.values.reshape(len(self.values), self.values[:1].size))
        object.__setattr__(self, "values", merged.reshape(self.values.shape))

    @classmethod
    def from_table(cls, table: pd.DataFrame, systems: Sequence[str] | None = None) -> Scores:
        """The scores of a table with columns topic, system, metric and score; all axes in order of name.

        ``systems`` are the systems to keep, all if not given.
        """
        if systems is not None:
            table = table[table["system"].isin(systems)]
        axes = [tuple(sorted(table[name].unique())) for name in ("metric", "topic", "system")]
        index = pd.MultiIndex.from_product(axes, names=["metric", "topic", "system"])
        values = table.set_index(["metric", "topic", "system"])["score"].reindex(index).to_numpy()
        metrics, topics, names = axes
        return cls(metrics, topics, names, values.reshape([len(axis) for axis in axes]))

    def metric(self, name: str) -> np.ndarray:
        """The scores of one metric, (topic, system)."""
        return self.values[self.metrics.index(name)]

    def stack(self, names: Sequence[str]) -> np.ndarray:
        """The scores of some metrics, (metric, topic, system)."""
        return self.values[[self.metrics.index(name) for name in names]]

    def keep_judged(self, name: str) -> Scores:
        """The scores of the judged systems: those with a score by the judgement on at least one topic."""
        return self.keep_systems(list(compress(self.systems, ~np.isnan(self.metric(name)).all(axis=0))))

    def keep_systems(self, names: Collection[str]) -> Scores:
        """The scores of the named systems alone."""
        mask = [system in names for system in self.systems]
        return replace(self, systems=tuple(compress(self.systems, mask)), values=self.values[:, :, mask])

    def keep_topics(self, names: Collection[str]) -> Scores:
        """The scores on the named topics alone."""
        mask = [topic in names for topic in self.topics]
        return replace(self, topics=tuple(compress(self.topics, mask)), values=self.values[:, mask])

    def negate(self, names: Collection[str]) -> Scores:
        """The scores with the sign of the named metrics changed: higher is better if lower was."""
        signs = np.array([-1 if name in names else 1 for name in self.metrics])
        return replace(self, values=self.values * signs[:, None, None])


def correlation(
    x: np.ndarray,
    y: np.ndarray,
    level: str,
    *,
    topics: np.ndarray | None = None,
    systems: np.ndarray | None = None,
) -> np.ndarray:
    """The coefficients at a level between two metrics' scores, in order of COEFFICIENTS.

    ``x`` and ``y`` are (topic, system). ``topics``, (resample, topic), and ``systems``, (resample, system),
    hold how often each is drawn; with both, the result is (resample, coefficient), else (coefficient,).
    Several metrics at once, ``x`` (metric, topic, system), have an axis before that of the coefficients. At
    the system level, leave out topics with an undefined score first (`complete_topics`).
    """
    if topics is None or systems is None:
        topics, systems = (np.ones((1, length), np.int64) for length in y.shape)
        return correlation(x, y, level, topics=topics, systems=systems)[0]
    if x.ndim == y.ndim:
        return correlation(x[None], y, level, topics=topics, systems=systems)[:, 0]
    if level == "system":
        values = coefficients(mean_scores(x, topics), mean_scores(y, topics), systems).swapaxes(0, 1)
    elif level == "summary":
        values = _mean_over_topics(x, y, topics, systems)
    else:
        flat_x, flat_y = x.reshape(len(x), 1, -1), y.reshape(-1)
        parts, rows = [], max(1, _CHUNK // max(y.size, 1))
        for start in range(0, len(topics), rows):
            t, s = topics[start : start + rows], systems[start : start + rows]
            often = (t[:, :, None] * s[:, None, :]).reshape(len(t), -1)
            parts.append(coefficients(flat_x, flat_y, often))
        values = np.concatenate(parts, axis=1).swapaxes(0, 1)
    if (y < 0).any():  # a gain cannot be negative, even if the means or the drawn systems are not
        values[..., COEFFICIENTS.index("ndcg")] = np.nan
    return values


def topic_coefficients(x: np.ndarray, y: np.ndarray, **ndcg: Any) -> np.ndarray:
    """The coefficients of each topic, (topic, coefficient), between scores (topic, system).

    ``ndcg`` holds the arguments depth and undiscounted of `sera.evaluation.coefficients.coefficients`.
    """
    values = coefficients(x, y, **ndcg)
    if (y < 0).any():
        values[..., COEFFICIENTS.index("ndcg")] = np.nan
    return values


def complete_topics(x: np.ndarray, *others: np.ndarray) -> np.ndarray:
    """Which topics have a defined score for every system by all metrics, whose scores are (topic, system)."""
    return ~np.isnan(sum(others, x)).any(axis=1)


def average_defined(values: np.ndarray, axis: int = 0) -> np.ndarray:
    """The mean along an axis of the values that are not NaN; NaN where all are."""
    defined = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        return np.where(defined, values, 0).sum(axis=axis) / defined.sum(axis=axis)


def _mean_over_topics(x: np.ndarray, y: np.ndarray, topics: np.ndarray, systems: np.ndarray) -> np.ndarray:
    total = np.zeros((len(topics), len(x), len(COEFFICIENTS)))
    times = np.zeros_like(total)
    same = (systems == systems[:1]).all()  # a topic's coefficients are then the same in every resample
    for topic_x, topic_y, draws in zip(x.swapaxes(0, 1), y, topics.T, strict=True):
        rows = np.flatnonzero(draws)
        weights = systems[:1] if same else systems[rows]
        values = coefficients(topic_x[:, None], topic_y, weights).swapaxes(0, 1)
        often = np.where(np.isnan(values), 0, draws[rows, None, None])
        total[rows] += often * np.nan_to_num(values)
        times[rows] += often
    with np.errstate(invalid="ignore"):
        return total / times


def level_coefficients(scores: Scores, metric: str, against: str, level: str = "system") -> dict[str, float]:
    """The coefficients between two metrics at a level, and the number of systems and topics behind them.

    ``undefined`` counts what was left out because it is undefined: topics, or summaries at the global level.
    """
    x, y = pair_scores(scores, metric, against, level)
    row = dict(zip(COEFFICIENTS, map(float, correlation(x, y, level)), strict=True))
    if level == "global":
        known = ~np.isnan(x + y)
        topics, undefined = known.any(axis=1).sum(), (~known).sum()
    else:
        topics = len(x) if level == "system" else (~np.isnan(topic_coefficients(x, y)[:, 0])).sum()
        undefined = len(scores.topics) - topics
    return {**row, "systems": x.shape[1], "topics": int(topics), "undefined": int(undefined)}


def why_undefined(
    row: Mapping[str, float], scores: Scores, metric: str, against: str, level: str = "system"
) -> str:
    """Why a coefficient in a row of `level_coefficients` is undefined; empty if all are defined."""
    if not any(np.isnan(row[name]) for name in COEFFICIENTS):
        return ""
    if not np.isnan(row["pearson"]):
        return f"NDCG: a score by {against} is negative"
    x, y = pair_scores(scores, metric, against, level)
    return why_not_at_level(x, y, metric, against, level)


def why_lines(table: pd.DataFrame) -> list[str]:
    """The reasons in a table of correlations, a line for each metric and judgement with one."""
    reasons = table.loc[table[WHY].fillna("").astype(bool), ["metric", "against", WHY]].to_numpy()
    return [f"Undefined: {metric} with {against}: {why}" for metric, against, why in reasons]


def why_not_at_level(x: np.ndarray, y: np.ndarray, metric: str, against: str, level: str) -> str:
    """Why no coefficient is defined at a level between scores, (topic, system)."""
    if level == "system":
        if not len(x):
            return f"on no topic do all systems have a score by {metric} and by {against}"
        return why_not(mean_scores(x), mean_scores(y), metric, against, "systems")
    if not len(x):
        return "there is no topic"
    if level == "summary":
        items = "systems of a topic"
        reasons = {why_not(*pair, metric, against, items) for pair in zip(x, y, strict=True)}
        return reasons.pop() if len(reasons) == 1 else "each topic has too few scores, or the same ones"
    return why_not(x.ravel(), y.ravel(), metric, against, "summaries")


def why_not(x: np.ndarray, y: np.ndarray, metric: str, against: str, items: str) -> str:
    """Why coefficients between the scores of some items are undefined: too few of them, or all the same."""
    known = ~np.isnan(x + y)
    if known.sum() < 3:
        return f"fewer than three {items} have a score by {metric} and by {against}"
    same = [name for name, side in ((metric, x), (against, y)) if np.ptp(side[known]) == 0]
    return f"all {items} have the same score by {' and by '.join(same)}"


def pair_scores(
    scores: Scores, metric: str, against: str, level: str = "system"
) -> tuple[np.ndarray, np.ndarray]:
    """The scores of both metrics, (topic, system); at the system level on complete topics alone."""
    x, y = scores.metric(metric), scores.metric(against)
    topics = complete_topics(x, y) if level == "system" else slice(None)
    return x[topics], y[topics]


def correlate(
    scores: Scores,
    pairs: Sequence[tuple[str, str]],
    *,
    level: str = "system",
    bootstrap: Bootstrap | None = None,
    confidence: float = CONFIDENCE,
) -> pd.DataFrame:
    """Correlate pairs of metrics: a row per pair with `level_coefficients` and percentile intervals.

    ``confidence`` is in percent; ``bootstrap`` draws topics if not given. The interval leaves out resamples
    with an undefined coefficient, and ``undefined_draws`` counts those without Pearson's r.
    """
    bootstrap = bootstrap or Bootstrap()
    rows = []
    for metric, against in progress(pairs, f"pairs of metrics correlated ({level} level)"):
        row = level_coefficients(scores, metric, against, level)
        x, y = pair_scores(scores, metric, against, level)
        draws = correlation(x, y, level, **bootstrap.draw(x))
        ends: dict[str, float] = {}
        for name, values in zip(COEFFICIENTS, draws.T, strict=True):
            # an undefined coefficient has no interval, even if some resamples define it
            sample = values if not np.isnan(row[name]) else values[:0]
            ends |= {name: row[name], **interval_columns(name, sample, confidence)}
        left_out = int(np.isnan(draws[:, 0]).sum())
        rows.append({"metric": metric, "against": against, **ends, **row, "undefined_draws": left_out})
        rows[-1][WHY] = why_undefined(row, scores, metric, against, level)
    return pd.DataFrame(rows)


def correlate_judged(
    scores: Scores, judgements: Sequence[str], metrics: Sequence[str], bootstrap: Bootstrap, confidence: float
) -> pd.DataFrame:
    """`correlate` metrics with each judgement at the system level, over the systems that it judges."""
    tables = []
    for judgement in judgements:
        judged, pairs = scores.keep_judged(judgement), [(name, judgement) for name in metrics]
        tables.append(correlate(judged, pairs, bootstrap=bootstrap, confidence=confidence))
    return pd.concat(tables, ignore_index=True)
