"""How well one metric's scores follow another's: correlation at the system level, with intervals.

A system's score is the mean over topics; the correlation is taken over systems (Cohan & Goharian 2016,
section 5). An undefined correlation, one where the systems are fewer than three or all get the same score, is
not a number, never zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import rankdata

COEFFICIENTS = ("pearson", "spearman", "kendall")


def pearson(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Pearson's r along the last axis; NaN where either side is constant."""
    x = x - x.mean(axis=-1, keepdims=True)
    y = y - y.mean(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = (x * y).sum(axis=-1) / np.sqrt((x * x).sum(axis=-1) * (y * y).sum(axis=-1))
    # round-off leaves a constant side with a tiny variance: compare with the values themselves
    return np.where(_constant(x) | _constant(y), np.nan, np.clip(r, -1, 1))


def spearman(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Spearman's rho along the last axis: Pearson's r of the ranks, ties at their mean rank."""
    return pearson(rankdata(_steady(x), axis=-1), rankdata(_steady(y), axis=-1))


def kendall(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Kendall's tau-b along the last axis: pairs tied on either side are taken off the denominator."""
    first, second = np.triu_indices(x.shape[-1], 1)
    x, y = _steady(x), _steady(y)
    one = np.sign(x[..., first] - x[..., second])
    other = np.sign(y[..., first] - y[..., second])
    with np.errstate(invalid="ignore", divide="ignore"):
        return (one * other).sum(axis=-1) / np.sqrt((one * one).sum(axis=-1) * (other * other).sum(axis=-1))


MEASURES: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}


def _steady(x: np.ndarray) -> np.ndarray:
    """Means that are equal on paper made equal in fact: rounded to twelve digits."""
    return np.round(x, 12)


def _constant(x: np.ndarray) -> np.ndarray:
    return np.ptp(_steady(x), axis=-1) == 0


@dataclass(frozen=True)
class Scores:
    """Scores as an array of (metric, topic, system); NaN where a summary has no defined score."""

    metrics: tuple[str, ...]
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    values: np.ndarray

    @classmethod
    def of(cls, table: pd.DataFrame, systems: Sequence[str] | None = None) -> Scores:
        """From a table with topic, system, metric and score; of the given systems, in order of name."""
        if systems is not None:
            table = table[table["system"].isin(systems)]
        axes = [tuple(sorted(table[name].unique())) for name in ("metric", "topic", "system")]
        index = pd.MultiIndex.from_product(axes, names=["metric", "topic", "system"])
        values = table.set_index(["metric", "topic", "system"])["score"].reindex(index).to_numpy()
        metrics, topics, names = axes
        return cls(metrics, topics, names, values.reshape([len(axis) for axis in axes]))

    def of_metric(self, name: str) -> np.ndarray:
        """One metric's scores, (topic, system)."""
        return self.values[self.metrics.index(name)]


def system_level(scores: Scores, metric: str, against: str) -> dict[str, float]:
    """The three coefficients between two metrics' system means; ``systems`` tells over how many.

    A topic counts only if both metrics are defined there for every system, so all means are over the
    same topics.
    """
    x, y = _paired(scores, metric, against)
    topics, systems = x.shape
    row = dict.fromkeys(MEASURES, np.nan)
    if topics and systems >= 3:
        means = x.mean(axis=0), y.mean(axis=0)
        row = {name: float(measure(*means)) for name, measure in MEASURES.items()}
    return {**row, "systems": systems, "topics": topics}


def bootstrap(
    scores: Scores,
    pairs: Sequence[tuple[str, str]],
    *,
    resamples: int = 1000,
    confidence: float = 95.0,
    seed: int = 0,
) -> pd.DataFrame:
    """Percentile intervals of the system-level coefficients, topics drawn anew with replacement.

    The same draws serve every pair, so intervals of different metrics can be compared. A draw whose
    coefficient is undefined is left out of the interval; ``undefined`` counts these.

    Gives one row a pair with ``<coefficient>_low`` and ``<coefficient>_high``.
    """
    draws: dict[int, np.ndarray] = {}  # number of topics -> how often each is drawn, (resample, topic)
    tail = (100 - confidence) / 2
    rows = []
    for metric, against in pairs:
        x, y = _paired(scores, metric, against)
        topics, systems = x.shape
        undefined = 0
        ends = {f"{name}_{end}": np.nan for name in MEASURES for end in ("low", "high")}
        if topics and systems >= 3:
            if topics not in draws:
                random = np.random.default_rng(seed)
                draws[topics] = (
                    random.multinomial(topics, np.full(topics, 1 / topics), size=resamples) / topics
                )
            means = draws[topics] @ x, draws[topics] @ y
            for name, measure in MEASURES.items():
                values = measure(*means)
                defined = values[~np.isnan(values)]
                undefined = max(undefined, len(values) - len(defined))
                if len(defined):
                    ends[f"{name}_low"], ends[f"{name}_high"] = np.percentile(defined, [tail, 100 - tail])
        rows.append({"metric": metric, "against": against, "undefined": undefined, **ends})
    return pd.DataFrame(rows)


def _paired(scores: Scores, metric: str, against: str) -> tuple[np.ndarray, np.ndarray]:
    """Both metrics' scores, (topic, system), of the topics where both are defined for every system."""
    x, y = scores.of_metric(metric), scores.of_metric(against)
    topics = ~np.isnan(x + y).any(axis=1)
    return x[topics], y[topics]


def correlate(
    scores: Scores,
    pairs: Sequence[tuple[str, str]],
    *,
    resamples: int = 1000,
    confidence: float = 95.0,
    seed: int = 0,
) -> pd.DataFrame:
    """One row a pair of metrics: coefficients, their intervals, and over how many systems and topics."""
    points = pd.DataFrame([{"metric": m, "against": a, **system_level(scores, m, a)} for m, a in pairs])
    intervals = bootstrap(scores, pairs, resamples=resamples, confidence=confidence, seed=seed)
    return points.merge(intervals, on=["metric", "against"], validate="one_to_one")
