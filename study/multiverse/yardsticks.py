"""Two yardsticks for a share of universes: what it would be if SERA were perfect, and if it were useless.

Both have the noise of the study. A score by a metric is a mean, plus the topic's part, plus the system's
part, plus a residual. The residuals are drawn anew, with replacement, from those of the same system on
all topics, so a system's mean has an error as large as its own. A *perfect* metric has the judgement of
each summary in place of the system's part, as far spread between systems as the metric's own part. A
*useless* one has its own systems' parts, shuffled over the systems. Each universe has draws of its own,
so a share is that expected of such a metric, without a spread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sera.evaluation.correlation.correlate import Scores, complete_topics

YARDSTICKS = ("perfect", "useless")


def simulated(
    scores: Scores, metrics: Sequence[str], against: str, kind: str, random: np.random.Generator
) -> Scores:
    """The scores with these metrics made ``perfect`` or ``useless``; the others stay.

    All simulated metrics share the draws, as variants of one metric share their noise. Topics that are
    undefined for a metric or the judgement stay so.
    """
    values = scores.values.copy()
    topics, systems = len(scores.topics), len(scores.systems)
    drawn = random.random((topics, systems))
    order = random.permutation(systems)
    judged = scores.of_metric(against)
    for name in metrics:
        number = scores.metrics.index(name)
        values[number] = _simulated(values[number], judged, kind, drawn, order)
    return replace(scores, values=values)


def _simulated(x: np.ndarray, y: np.ndarray, kind: str, drawn: np.ndarray, order: np.ndarray) -> np.ndarray:
    known = complete_topics(x, y)
    made = np.full_like(x, np.nan)
    count = int(known.sum())
    if count < 2:
        return made
    x, y = x[known], y[known]
    of_topic, of_system = x.mean(axis=1, keepdims=True), x.mean(axis=0) - x.mean()
    residual = x - of_topic - of_system
    rows = (drawn[known] * count).astype(int)
    # residuals around the topics' and systems' means are smaller than the errors by this factor
    noise = np.take_along_axis(residual, rows, axis=0) * np.sqrt(count / (count - 1))
    if kind == "useless":
        made[known] = of_topic + of_system[order] + noise
    else:
        spread = y.mean(axis=0).std()
        slope = of_system.std() / spread if spread > 0 else 0.0
        made[known] = of_topic + slope * (y - y.mean(axis=1, keepdims=True)) + noise
    return made
