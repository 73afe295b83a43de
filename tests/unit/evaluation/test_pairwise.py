"""Pairs: examples by hand, plain loops, and the command's numbers."""

from itertools import combinations, product

import numpy as np
import pytest
from made_scores import scores_of

from sera.evaluation.clusters import assign_clusters, metric_clusters, one_sided_p
from sera.evaluation.pairwise import (
    Calibrated,
    ClosePairs,
    accuracy_draws,
    calibrate,
    close_pairs,
    exchange_signs,
    pairwise_accuracy,
    soft_pairwise_accuracy,
    system_p_values,
)


def accuracy(x, y, epsilon=0.0):
    """The share of the pairs of each row that are right at an epsilon, mean over the rows with a pair."""
    shares = []
    for of_x, of_y in zip(x, y, strict=True):
        known = [(a, b) for a, b in zip(of_x, of_y, strict=True) if not np.isnan(a + b)]
        right = [
            np.sign(0 if abs(a - b) <= epsilon + 1e-12 else a - b) == np.sign(c - d)
            for (a, c), (b, d) in combinations(known, 2)
        ]
        shares += [np.mean(right)] if right else []
    return np.mean(shares)


def test_groupings():
    # without ties of the judgement alone, no epsilon is better than 0
    x, y = np.array([[1.0, 2, 3], [3, 2, 2]]), np.array([[1.0, 2, 3], [3, 2, 1]])
    assert calibrate(x, y, "topic") == Calibrated(pytest.approx((1 + 2 / 3) / 2), 0)
    x, y = np.array([[1.0, 2, 3], [3, 2, 2]]), np.array([[1.0, 2, 4], [3, 2, 5]])
    assert calibrate(x, y, "system") == Calibrated(pytest.approx((1 + 1 + 0) / 3), 0)


def test_scores_that_differ_by_round_off_are_ties():
    x, y = scores_of(M=[[0.1 + 0.2, 0.3]]).metric("M"), np.array([[1.0, 1.0]])
    assert calibrate(x, y) == Calibrated(1, 0)
    assert pairwise_accuracy(x[0], y[0]) == 1
    assert calibrate(np.array([[0, 1e-11]]), y).epsilon == pytest.approx(1e-11)


def test_calibration_by_hand():
    # one topic: |differences| .1 (judged a tie), .9 and 1.0 (judged apart, rightly): at epsilon 0 2 of 3 are
    # right, from .1 on all three
    x, y = np.array([[0.0, 0.1, 1.0]]), np.array([[1.0, 1.0, 2.0]])
    assert calibrate(x, y) == Calibrated(1.0, pytest.approx(0.1))
    # a second topic whose ties are real at .95 weighs against: epsilon .1 gives (1 + 0) / 2 as 0 gives
    # (2/3 + 0) / 2, and .95 gives (2/3 - 1/3 + 1) / 2
    x = np.array([[0.0, 0.1, 1.0], [0.0, 0.95, np.nan]])
    y = np.array([[1.0, 1.0, 2.0], [3.0, 3.0, 1.0]])
    assert calibrate(x, y) == Calibrated(pytest.approx((2 / 3 + 1) / 2), pytest.approx(0.95))
    assert accuracy(x, y, 0.95) == pytest.approx((2 / 3 + 1) / 2)
    alone = calibrate(x[:, :1], y[:, :1])
    assert np.isnan([alone.accuracy, alone.epsilon]).all()


def test_no_epsilon_beats_the_calibrated_one():
    random = np.random.default_rng(4)
    for grouping in ("topic", "system", "all"):
        x, y = random.random((5, 6)), random.integers(0, 3, (5, 6)).astype(float)
        found = calibrate(x, y, grouping)
        gaps = np.unique(np.abs(x.ravel()[:, None] - x.ravel()))
        rows = {"topic": (x, y), "system": (x.T, y.T), "all": (x.reshape(1, -1), y.reshape(1, -1))}[grouping]
        reached = [accuracy(*rows, gap) for gap in gaps]
        assert found.accuracy == pytest.approx(max(reached), abs=1e-12)
        assert accuracy(*rows, found.epsilon) == pytest.approx(found.accuracy)
        assert gaps[int(np.argmax(np.array(reached) > max(reached) - 1e-9))] == pytest.approx(found.epsilon)


def test_accuracy_and_close_pairs_by_hand():
    x, y = np.array([1.0, 2.0, 4.0, 4.5]), np.array([1.0, 3.0, 2.0, 4.0])
    assert pairwise_accuracy(x, y) == 5 / 6  # all but 2 and 3
    # by the metric .5 (right), 1 (right), 2 (wrong), 2.5, 3, 3.5 (right)
    assert close_pairs(x, y, share=0.5) == ClosePairs(3, 2.0, pytest.approx(2 / 3), pytest.approx(1 / 3))
    assert close_pairs(x, y, share=1).accuracy == 5 / 6
    assert close_pairs(x[:1], y[:1]).pairs == 0
    # ties with the last difference are kept: .5, 1, 1
    assert close_pairs(np.array([0.0, 0.5, 1.5, 2.5]), y, share=0.3).pairs == 3


def test_accuracy_of_resamples_equals_a_loop():
    random = np.random.default_rng(9)
    x, y = random.integers(0, 3, (2, 5, 6)).astype(float)
    topics, systems = (random.multinomial(size, np.full(size, 1 / size), 50) for size in (5, 6))
    systems[0] = [6, 0, 0, 0, 0, 0]
    found = accuracy_draws(x, y, topics, systems)
    assert np.isnan(found[0])
    for value, of_topics, of_systems in zip(found[1:], topics[1:], systems[1:], strict=True):
        at = np.repeat(np.arange(6), of_systems)
        one, other = (np.round((of_topics @ side) / 5, 12)[at] for side in (x, y))
        pairs = [(i, j) for i in range(6) for j in range(i) if at[i] != at[j]]
        right = [np.sign(one[i] - one[j]) == np.sign(other[i] - other[j]) for i, j in pairs]
        assert value == pytest.approx(np.mean(right))


# differences of systems a and b: 3 and 1, of a and c: 0 and 0, of b and c: -3 and -1
SCORES = np.array([[3.0, 0, 3], [1, 0, 1]])
ALL_EXCHANGES = np.array(list(product([1.0, -1.0], repeat=2)))


def test_p_by_all_exchanges_by_hand(monkeypatch):
    # the sums of a - b after exchange: 4, 2, -2, -4; observed 4
    assert system_p_values(SCORES, ALL_EXCHANGES).tolist() == [0.125, 0.5, 0.875]
    assert system_p_values(SCORES, ALL_EXCHANGES, tied=1).tolist() == [0.25, 1, 1]
    monkeypatch.setattr("sera.evaluation.pairwise.exchange_signs", lambda *_: ALL_EXCHANGES)
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
    assert set(exchange_signs(50, 4).ravel()) == {-1.0, 1.0}


# Clusters


def test_clusters_by_hand():
    p = np.ones((5, 5))
    assert assign_clusters(p) == [1, 1, 1, 1, 1]
    p[0, 2] = 0.05  # the third is below the first, and the fourth below the second, of an earlier cluster
    p[1, 3] = 0.01
    p[3, 4] = 0.04
    assert assign_clusters(p) == [1, 1, 2, 2, 3]
    p[0, 1] = np.nan
    assert assign_clusters(p) == [1, 1, 2, 2, 3] and assign_clusters(np.ones((0, 0))) == []


def test_p_equals_a_loop_over_exchanges(monkeypatch):
    random = np.random.default_rng(3)
    x, judged = random.random((3, 4, 6)), random.random((4, 6))
    exchanged = random.integers(0, 2, (40, 4, 6)).astype(bool)

    class Drawn:
        integers = staticmethod(lambda *_, size, **__: exchanged[: size[0]])

    monkeypatch.setattr("sera.evaluation.clusters.np.random.default_rng", lambda *_: Drawn)
    found = one_sided_p(x, judged, permutations=40)
    scaled = [(of - of.mean()) / of.std() for of in x]

    def gap(one, other):
        r = [np.corrcoef(of.mean(axis=0), judged.mean(axis=0))[0, 1] for of in (one, other)]
        return r[0] - r[1]

    for i in range(3):
        assert np.isnan(found[0, i, i])
        for j in set(range(3)) - {i}:
            drawn = [
                gap(np.where(swap, scaled[j], scaled[i]), np.where(swap, scaled[i], scaled[j]))
                for swap in exchanged
            ]
            as_great = np.sum(np.array(drawn) >= gap(scaled[i], scaled[j]) - 1e-12)
            assert found[0, i, j] == pytest.approx((1 + as_great) / 41)


def test_a_good_metric_leads_and_what_has_no_topic_is_left_out():
    random = np.random.default_rng(1)
    judged = np.arange(12) / 4 + random.random((30, 12))
    near, noise, other = (random.random((30, 12)) for _ in range(3))
    none, same = np.full((30, 12), np.nan), np.ones((30, 12))
    scores = scores_of(H=judged, good=judged + 0.1 * near, noise=noise, none=none, other=other, same=same)
    table = metric_clusters(scores, scores.metrics[1:], "H", permutations=200)
    rows = table[table["coefficient"] == "spearman"].set_index("metric")
    assert rows.loc["good", ["rank", "cluster", "better_than"]].tolist() == [1, 1, 2]
    assert rows.loc["noise", "cluster"] == rows.loc["other", "cluster"] == 2
    assert "by none" in rows.loc["none", "why_undefined"]
    assert rows.loc["same", "why_undefined"] == "all systems have the same score by same"
    assert (rows["topics"] == 30).all() and rows.loc["good", "why_undefined"] == ""
