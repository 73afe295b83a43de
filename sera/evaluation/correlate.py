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
from sera.evaluation.bootstrap import Bootstrap, percentile_intervals
from sera.evaluation.coefficients import COEFFICIENTS, block_coefficients, coefficients
from sera.evaluation.ties import mean_scores, merge_ties
from sera.progress import progress

LEVELS = ("system", "summary", "global")
WHY = "why_undefined"
"""The column of the reason if a value of the row is undefined; tables for reading have it only if needed."""

_CHUNK = 2_000_000  # weights of summaries at a time
_TOGETHER = 64  # metrics at a time


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
    names: Collection[str] = COEFFICIENTS,
) -> np.ndarray:
    """The coefficients at a level between two metrics' scores, in order of COEFFICIENTS.

    ``x`` and ``y`` are (topic, system). ``topics``, (resample, topic), and ``systems``, (resample, system),
    hold how often each is drawn; with both, the result is (resample, coefficient), else (coefficient,).
    Several metrics at once, ``x`` (metric, topic, system), have an axis before that of the coefficients;
    those that are not in ``names`` are NaN. At the system level, leave out topics with an undefined score
    first (`complete_topics`).
    """
    if topics is None or systems is None:
        topics, systems = (np.ones((1, length), np.int64) for length in y.shape)
        return correlation(x, y, level, topics=topics, systems=systems, names=names)[0]
    if x.ndim == y.ndim:
        return correlation(x[None], y, level, topics=topics, systems=systems, names=names)[:, 0]
    # what no resample changes is computed once
    same_topics, same_systems = (len(draws) and (draws == draws[0]).all() for draws in (topics, systems))
    if level == "system":
        drawn = topics[:1] if same_topics else topics
        values = coefficients(mean_scores(x, drawn), mean_scores(y, drawn), systems, names=names)
    elif level == "summary" and same_systems:
        of_topics = coefficients(x, y, systems[0], names=names)  # (metric, topic, coefficient)
        defined = (~np.isnan(of_topics)).astype(float)
        with np.errstate(invalid="ignore"):
            values = np.einsum("rt,mtc->mrc", topics, np.nan_to_num(of_topics))
            values /= np.einsum("rt,mtc->mrc", topics, defined)
    elif level == "summary":
        values = block_coefficients(x.swapaxes(0, 1), y, systems[None], topics.T, names=names)
    else:
        flat_x, flat_y = x.reshape(len(x), 1, -1), y.reshape(-1)
        parts, rows = [], max(1, _CHUNK // max(y.size, 1))
        for start in range(0, len(topics), rows):
            t, s = topics[start : start + rows], systems[start : start + rows]
            often = (t[:, :, None] * s[:, None, :]).reshape(len(t), -1)
            parts.append(coefficients(flat_x, flat_y, often, names=names))
        values = np.concatenate(parts, axis=1)
    if (y < 0).any():  # a gain cannot be negative, even if the means or the drawn systems are not
        values[..., COEFFICIENTS.index("ndcg")] = np.nan
    return values.swapaxes(0, 1)


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


def level_coefficients(scores: Scores, metric: str, against: str, level: str = "system") -> dict[str, float]:
    """The coefficients between two metrics at a level, and the number of systems and topics behind them.

    ``undefined`` counts what was left out because it is undefined: topics, or summaries at the global level.
    """
    x, y = pair_scores(scores, metric, against, level)
    return _count(x, y, correlation(x, y, level), level, len(scores.topics))


def _count(x: np.ndarray, y: np.ndarray, values: np.ndarray, level: str, every: int) -> dict[str, float]:
    """A row of `level_coefficients` of values, (coefficient,), with ``every`` topic counted."""
    row = dict(zip(COEFFICIENTS, values.tolist(), strict=True))
    if level == "global":
        known = ~np.isnan(x + y)
        topics, undefined = known.any(axis=1).sum(), (~known).sum()
    elif level == "summary":
        topics = (~np.isnan(coefficients(x, y, names=["pearson"])[:, 0])).sum()
        undefined = every - topics
    else:
        topics, undefined = len(x), every - len(x)
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


def group_pairs(
    scores: Scores, pairs: Sequence[tuple[str, str]], level: str
) -> list[tuple[str, np.ndarray, list[int]]]:
    """Pairs with one judgement and the same topics, some at a time: the judgement, the topics, their places.

    Topics are true if they count: those that are complete at the system level, else all.
    """
    alike: dict[tuple[str, bytes], list[int]] = {}
    for place, (metric, against) in enumerate(pairs):
        x, y = scores.metric(metric), scores.metric(against)
        topics = complete_topics(x, y) if level == "system" else np.ones(len(y), bool)
        alike.setdefault((against, topics.tobytes()), []).append(place)
    return [
        (against, np.frombuffer(mask, bool), places[first : first + _TOGETHER])
        for (against, mask), places in alike.items()
        for first in range(0, len(places), _TOGETHER)
    ]


def correlate(
    scores: Scores,
    pairs: Sequence[tuple[str, str]],
    *,
    level: str = "system",
    bootstrap: Bootstrap | None = None,
    confidence: float = CONFIDENCE,
) -> pd.DataFrame:
    """Correlate pairs of metrics: a row per pair with `level_coefficients` and percentile intervals.

    ``confidence`` is in percent; ``bootstrap`` draws systems if not given. The interval leaves out resamples
    with an undefined coefficient, and ``undefined_draws`` counts those without Pearson's r.
    """
    bootstrap = bootstrap or Bootstrap()
    rows: dict[int, dict[str, Any]] = {}
    for against, topics, places in progress(
        group_pairs(scores, pairs, level), f"metrics correlated ({level} level)"
    ):
        x, y = scores.stack([pairs[place][0] for place in places])[:, topics], scores.metric(against)[topics]
        values, draws = correlation(x, y, level), correlation(x, y, level, **bootstrap.draw(y))
        bounds = percentile_intervals(draws.reshape(len(draws), -1), confidence).reshape(*values.shape, 2)
        # an undefined coefficient has no interval, even if some resamples define it
        bounds[np.isnan(values)] = np.nan
        left_out = np.isnan(draws[..., 0]).sum(axis=0).tolist()
        for place, side, own, ends, undefined in zip(
            places, x, values, bounds.tolist(), left_out, strict=True
        ):
            metric, row = pairs[place][0], _count(side, y, own, level, len(scores.topics))
            columns: dict[str, Any] = {"metric": metric, "against": against}
            for name, (low, high) in zip(COEFFICIENTS, ends, strict=True):
                columns |= {name: row[name], f"{name}_low": low, f"{name}_high": high}
            why = why_undefined(row, scores, metric, against, level)
            rows[place] = {**columns, **row, "undefined_draws": undefined, WHY: why}
    return pd.DataFrame([rows[place] for place in range(len(pairs))])


def correlate_judged(
    scores: Scores, judgements: Sequence[str], metrics: Sequence[str], bootstrap: Bootstrap, confidence: float
) -> pd.DataFrame:
    """`correlate` metrics with each judgement at the system level, over the systems that it judges."""
    tables = []
    for judgement in judgements:
        judged, pairs = scores.keep_judged(judgement), [(name, judgement) for name in metrics]
        tables.append(correlate(judged, pairs, bootstrap=bootstrap, confidence=confidence))
    return pd.concat(tables, ignore_index=True)
