"""Two yardsticks for a share of universes: what it would be if SERA were perfect, and if it were useless.

Both keep the study's own noise. A score by a metric is a mean, plus the topic's part, plus the system's part,
plus a residual. Here the residuals are drawn anew: each system's are shuffled over the topics. A *perfect*
metric has the judgement in place of the system's part, as far spread between systems as the metric's own
part. A *useless* one has its own systems' parts, shuffled over the systems.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sera.evaluation.correlation import Scores, complete_topics

YARDSTICKS = ("perfect", "useless")


def simulated(
    scores: Scores, metrics: Sequence[str], against: str, kind: str, random: np.random.Generator
) -> Scores:
    """The scores with these metrics made ``perfect`` or ``useless``; the others stay.

    All simulated metrics share one shuffle, as variants of one metric share their noise. Topics that are
    undefined for a metric or the judgement stay so.
    """
    values = scores.values.copy()
    topics, systems = len(scores.topics), len(scores.systems)
    moved = np.stack([random.permutation(topics) for _ in range(systems)], axis=1)
    order = random.permutation(systems)
    judged = scores.of_metric(against)
    for name in metrics:
        number = scores.metrics.index(name)
        values[number] = _simulated(values[number], judged, kind, moved, order)
    return replace(scores, values=values)


def _simulated(x: np.ndarray, y: np.ndarray, kind: str, moved: np.ndarray, order: np.ndarray) -> np.ndarray:
    known = complete_topics(x, y)
    made = np.full_like(x, np.nan)
    if known.sum() == 0:
        return made
    x, y = x[known], y[known]
    rows = np.argsort(np.argsort(moved[known], axis=0), axis=0)  # the same shuffle of the topics there
    of_topic, of_system = x.mean(axis=1, keepdims=True), x.mean(axis=0) - x.mean()
    residual = x - of_topic - of_system
    noise = np.take_along_axis(residual, rows, axis=0)
    if kind == "useless":
        made[known] = of_topic + of_system[order] + noise
    else:
        spread = y.mean(axis=0).std()
        slope = of_system.std() / spread if spread > 0 else 0.0
        made[known] = of_topic + slope * (y - y.mean(axis=1, keepdims=True)) + noise
    return made
