"""Simulated metrics: perfect and useless, with the noise of the study."""

from __future__ import annotations

import numpy as np
import pytest

from sera.evaluation.correlate import Scores
from study.multiverse.universes import simulate_metrics


def parts(values):
    of_topic, of_system = values.mean(axis=1), values.mean(axis=0) - values.mean()
    return of_topic, of_system, values - of_topic[:, None] - of_system


def made(kind, seed, x, y):
    names = tuple(map(str, range(len(x)))), tuple(map(str, range(x.shape[1])))
    scores = Scores(("SERA-5", "Pyramid"), *names, np.stack([x, y]))
    return simulate_metrics(scores, ["SERA-5"], "Pyramid", kind, np.random.default_rng(seed)).values[0]


def test_simulated_scores_are_parts_and_drawn_residuals():
    random = np.random.default_rng(1)
    x, y = random.random((6, 4)), random.random((6, 4))
    _, own, noise = parts(x)
    slope = own.std() / y.mean(axis=0).std()
    left = made("perfect", 2, x, y) - x.mean(axis=1)[:, None] - slope * (y - y.mean(axis=1)[:, None])
    for system in range(4):  # each is one of the system's residuals, times the root of 6 / 5
        assert np.isclose(left[:, system, None], noise[:, system] * np.sqrt(6 / 5)).any(axis=1).all()
    left = made("useless", 2, x, y) - x.mean(axis=1)[:, None]
    drawn = made("perfect", 2, x, 0 * y + np.arange(4)) - x.mean(axis=1)[:, None]
    drawn -= own.std() / np.arange(4).std() * (np.arange(4) - 1.5)
    assert np.sort((left - drawn)[0]) == pytest.approx(np.sort(own))  # the same noise on shuffled parts


def test_a_topic_without_a_score_stays_so():
    x, y = np.arange(12.0).reshape(3, 4) ** 2, np.arange(12.0).reshape(3, 4)
    x[1, 2] = np.nan
    found = made("perfect", 1, x, y)
    assert np.isnan(found[1]).all() and not np.isnan(found[[0, 2]]).any()
