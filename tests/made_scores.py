"""Scores from arrays."""

from __future__ import annotations

import numpy as np

from sera.evaluation.correlation.correlate import Scores


def scores_of(topics=None, **values) -> Scores:
    """Scores of metrics, each an array (topic, system); topics are t0, t1 and so on, and systems s0, s1."""
    array = np.array(list(values.values()), float)
    names = topics or (f"t{number}" for number in range(array.shape[1]))
    return Scores(tuple(values), tuple(names), tuple(f"s{number}" for number in range(array.shape[2])), array)
