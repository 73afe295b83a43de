"""Scores, and the bootstrapped means of several: as in rouge_score.scoring."""

from collections import defaultdict, namedtuple
from collections.abc import Mapping
from typing import Any

import numpy as np

Score = namedtuple("Score", "precision recall fmeasure")
AggregateScore = namedtuple("AggregateScore", "low mid high")


class BootstrapAggregator:
    """The median and the confidence interval of bootstrapped means.

    It draws from NumPy's global generator, so numpy.random.seed makes the results repeatable.
    """

    def __init__(self, confidence_interval: float = 0.95, n_samples: int = 1000) -> None:
        if confidence_interval < 0 or confidence_interval > 1:
            raise ValueError("confidence_interval must be in range [0, 1]")
        if n_samples <= 0:
            raise ValueError("n_samples must be positive")
        self._n_samples, self._confidence_interval = n_samples, confidence_interval
        self._scores: dict[str, list[Any]] = defaultdict(list)

    def add_scores(self, scores: Mapping[str, Any]) -> None:
        """Add the scores of one prediction, named tuples by type."""
        for name, score in scores.items():
            self._scores[name].append(score)

    def aggregate(self) -> dict[str, AggregateScore]:
        """The low end, the median and the high end of each type."""
        results = {}
        for name, scores in self._scores.items():
            ends = self.resample(np.array(scores, dtype=float).reshape(len(scores), -1))
            results[name] = AggregateScore(*(type(scores[0])(*end) for end in ends))
        return results

    def resample(self, scores: np.ndarray) -> np.ndarray:
        """The low end, the median and the high end of the mean of each column, (3, column)."""
        count, means = len(scores), np.empty((self._n_samples, scores.shape[1]))
        for mean in means:
            drawn = scores[np.random.randint(0, count, count)]
            mean[:] = drawn.cumsum(axis=0)[-1] / count  # a running sum, as the package's; np.sum may differ
        tail = (1 - self._confidence_interval) / 2
        return np.percentile(means, 100 * np.array([tail, 0.5, 1 - tail]), axis=0)


def fmeasure(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
