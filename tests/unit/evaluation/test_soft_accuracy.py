"""Soft pairwise accuracy, beside every exchange of a small example counted one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from sera.evaluation.pairs.pairwise import exchange_signs, soft_pairwise_accuracy, system_p_values

# differences of systems a and b: 3 and 1, of a and c: 0 and 0, of b and c: -3 and -1
SCORES = np.array([[3.0, 0, 3], [1, 0, 1]])
ALL_EXCHANGES = np.array(list(product([1.0, -1.0], repeat=2)))


@pytest.mark.checked("soft pairwise accuracy")
def test_p_by_all_exchanges_by_hand():
    # the sums of a - b after exchange: 4, 2, -2, -4; observed 4
    assert system_p_values(SCORES, ALL_EXCHANGES).tolist() == [0.125, 0.5, 0.875]
    assert system_p_values(SCORES, ALL_EXCHANGES, tied=1).tolist() == [0.25, 1, 1]


@pytest.mark.checked("soft pairwise accuracy")
def test_the_statistic_by_hand(monkeypatch):
    monkeypatch.setattr("sera.evaluation.pairs.pairwise.exchange_signs", lambda *_: ALL_EXCHANGES)
    judged = np.array([[1.0, 1, 0], [1, 0, 0]])
    # a - b: 0, 1 with sums 1, -1, 1, -1: p .25; a - c: 1, 1, sums 2, 0, 0, -2: .125; b - c: 1, 0: .25
    assert system_p_values(judged, ALL_EXCHANGES).tolist() == [0.25, 0.125, 0.25]
    expected = 1 - (abs(0.125 - 0.25) + abs(0.5 - 0.125) + abs(0.875 - 0.25)) / 3
    assert soft_pairwise_accuracy(SCORES, judged) == pytest.approx(expected)


def test_the_order_of_systems_does_not_matter():
    random = np.random.default_rng(2)
    x, y = random.integers(0, 3, (2, 8, 5)).astype(float)
    turned = soft_pairwise_accuracy(x[:, ::-1], y[:, ::-1])
    assert soft_pairwise_accuracy(x, y) == pytest.approx(turned, abs=1e-12)
    assert soft_pairwise_accuracy(x, x) == 1
    assert soft_pairwise_accuracy(x, 7 * x + 3) == 1
    # where all p are 0 or 1, it is the accuracy: -x is wrong on all pairs
    far = np.arange(5) * 100 + random.random((20, 5))
    assert soft_pairwise_accuracy(far, -far) == pytest.approx(0, abs=0.001)


def test_what_is_undefined_and_the_seed():
    assert np.isnan(soft_pairwise_accuracy(np.ones((0, 3)), np.ones((0, 3))))
    assert np.isnan(soft_pairwise_accuracy(np.ones((3, 1)), np.ones((3, 1))))
    assert (exchange_signs(5, 4, 1) == exchange_signs(5, 4, 1)).all()
    assert (exchange_signs(50, 4, 1) != exchange_signs(50, 4, 2)).any()
    assert set(exchange_signs(50, 4).ravel()) == {-1.0, 1.0}
