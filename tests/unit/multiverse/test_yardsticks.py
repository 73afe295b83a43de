"""Simulated metrics: perfect and useless, with the noise of the study."""

from __future__ import annotations

import numpy as np
import pytest

from sera.evaluation.correlation import Scores
from sera.multiverse import yardsticks


def test_simulated_scores_keep_the_noise_of_the_study():
    random = np.random.default_rng(1)
    x, y = random.random((6, 4)), random.random((6, 4))
    scores = Scores(("SERA-5", "Pyramid"), tuple("abcdef"), tuple("wxyz"), np.stack([x, y]))

    def parts(values):
        of_topic, of_system = values.mean(axis=1), values.mean(axis=0) - values.mean()
        return of_topic, of_system, values - of_topic[:, None] - of_system

    _, own, noise = parts(x)
    perfect, useless = (
        yardsticks.simulated(scores, ["SERA-5"], "Pyramid", kind, np.random.default_rng(2)).values[0]
        for kind in yardsticks.YARDSTICKS
    )
    # the residuals of each system are shuffled over topics, so they still add up to nothing
    slope = own.std() / y.mean(axis=0).std()
    left = perfect - x.mean(axis=1)[:, None] - slope * (y - y.mean(axis=1)[:, None])
    assert np.sort(left, axis=0) == pytest.approx(np.sort(noise, axis=0))
    assert perfect.mean(axis=0) - perfect.mean() == pytest.approx(slope * (y.mean(axis=0) - y.mean()))
    assert np.sort(useless.mean(axis=0) - useless.mean()) == pytest.approx(np.sort(own))
