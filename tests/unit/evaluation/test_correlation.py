"""Correlations of several metrics, intervals by hand, and the reasons of undefined ones."""

import numpy as np
import pandas as pd
import pytest
from made_scores import scores_of

from sera.evaluation.correlation.coefficients import COEFFICIENTS, coefficients
from sera.evaluation.correlation.correlate import (
    LEVELS,
    Bootstrap,
    correlate,
    correlation,
    percentile_interval,
    percentile_intervals,
    why_lines,
)


@pytest.mark.parametrize("items", [4, 60])
def test_coefficients_of_arrays_that_are_broadcast_are_those_of_each_pair(items):
    random = np.random.default_rng(8)
    x, y = np.round(random.random((3, 1, items)), 1), np.round(random.random((5, items)), 1)
    weights = random.integers(0, 3, (5, items))
    x[0, 0, 1], y[2, 3], y[3, 0] = np.nan, np.nan, np.inf
    found = coefficients(x, y, weights)
    assert found.shape == (3, 5, len(COEFFICIENTS))
    for metric in range(3):
        for row in range(5):
            alone = coefficients(x[metric, 0], y[row], weights[row])
            assert np.array_equal(found[metric, row], alone, equal_nan=True)


@pytest.mark.parametrize("level", LEVELS)
def test_correlations_of_several_metrics_are_those_of_each(level):
    random = np.random.default_rng(9)
    x, y = np.round(random.random((3, 6, 5)), 1), np.round(random.random((6, 5)), 1)
    bootstrap = Bootstrap("both", 20, 1)
    for drawn in ({}, {"topics": bootstrap.of_topics(6), "systems": bootstrap.of_systems(5)}):
        found = correlation(x, y, level, **drawn)
        for metric, scores in enumerate(x):
            alone = correlation(scores, y, level, **drawn)
            assert np.array_equal(found[..., metric, :], alone, equal_nan=True)


def test_percentile_intervals_of_columns_are_those_of_each():
    values = np.array([[1.0, np.nan, np.nan], [2.0, 5.0, np.nan], [4.0, 7.0, np.nan]])
    expected = [percentile_interval(column, 50) for column in values.T]
    assert expected[:2] == [(1.5, 3.0), (5.5, 6.5)] and np.isnan(expected[2]).all()
    assert np.array_equal(percentile_intervals(values, 50), expected, equal_nan=True)


def test_round_off_makes_no_difference_of_equal_means():
    x = np.array([0.1 + 0.2, 0.3, 0.5])
    y = np.array([1.0, 2.0, 3.0])
    assert coefficients(x, y)[2] == pytest.approx(2 / np.sqrt(2 * 3))
    assert np.isnan(coefficients(np.array([0.1 + 0.2, 0.3, 0.3]), y)[0])


def test_metrics_that_are_undefined_for_the_same_reason_share_a_line():
    rows = [
        ("A", "H", "all systems have the same score by A"),
        ("B", "H", ""),
        ("C", "H", "all systems have the same score by C"),
        ("D", "H", "fewer than three systems have a score by D and by H"),
    ]
    assert why_lines(pd.DataFrame(rows, columns=["metric", "against", "why_undefined"])) == [
        "Undefined: A, C with H: all systems have the same score by each of them",
        "Undefined: D with H: fewer than three systems have a score by D and by H",
    ]
    assert why_lines(pd.DataFrame({"metric": ["A"], "against": ["H"]})) == []


def test_undefined_draws_are_counted():
    # of one topic both metrics are the same for all systems: draws of it alone are undefined
    scores = scores_of(M=[[1, 1, 1], [1, 2, 3]], P=[[1, 1, 1], [1, 3, 2]])
    table = correlate(scores, [("M", "P")], bootstrap=Bootstrap("topics", 200))
    draws = np.random.default_rng(0).multinomial(2, [0.5, 0.5], size=200)
    assert table.loc[0, "undefined_draws"] == (draws[:, 0] == 2).sum() > 20


@pytest.mark.parametrize(
    ("values", "confidence", "expected"),
    [
        ([*range(101)], 95, (2.5, 97.5)),  # 2.5 of 100 steps: between the third value and the fourth
        ([*range(101)], 98, (1, 99)),
        ([30, np.nan, 10, 20, np.nan], 50, (15, 25)),  # a quarter of two steps is half a step
        ([7, np.nan], 95, (7, 7)),
        ([1, 2], 0, (1.5, 1.5)),
        ([1, 2], 100, (1, 2)),
    ],
)
def test_percentile_interval_by_hand(values, confidence, expected):
    assert percentile_interval(np.array(values, float), confidence) == expected


NAN = float("nan")


@pytest.mark.parametrize(
    ("x", "y", "level", "why"),
    [
        ([[1, 2, 3], [3, 2, 1]], [[1, 2, 3], [1, 2, 4]], "system", "all systems have the same score by X"),
        (
            [[1, 2, 3], [3, 2, 1]],
            [[1, 2, 3], [3, 2, 1]],
            "system",
            "all systems have the same score by X and by Y",
        ),
        ([[1, 2, 3]], [[5, 5, 5]], "system", "all systems have the same score by Y"),
        ([[1, 2]], [[1, 2]], "system", "fewer than three systems have a score by X and by Y"),
        (
            [[1, 2, NAN], [NAN, 2, 1]],
            [[1, 2, 3]] * 2,
            "system",
            "on no topic do all systems have a score by X and by Y",
        ),
        ([[1, 2, 4]], [[-1, 0, 1]], "system", "NDCG: a score by Y is negative"),
        ([[1, 2, 4]], [[1, 0, 2]], "system", ""),
        (
            [[1, 1, 1], [2, 2, 2]],
            [[1, 2, 3]] * 2,
            "summary",
            "all systems of a topic have the same score by X",
        ),
        (
            [[1, 1, 1], [2, NAN, 2]],
            [[1, 2, 3]] * 2,
            "summary",
            "each topic has too few scores, or the same ones",
        ),
        ([[1, 1, 1], [1, 2, 3]], [[1, 2, 3]] * 2, "summary", ""),
        ([[1, 1, NAN]], [[1, 2, 3]], "global", "fewer than three summaries have a score by X and by Y"),
        ([[1, 1], [1, 1]], [[1, 2], [3, 4]], "global", "all summaries have the same score by X"),
    ],
)
def test_an_undefined_coefficient_has_its_reason(x, y, level, why):
    (row,) = correlate(
        scores_of(X=x, Y=y), [("X", "Y")], level=level, bootstrap=Bootstrap("topics", 2)
    ).to_dict("records")
    assert row["why_undefined"] == why
    assert bool(why) == any(np.isnan(row[name]) for name in COEFFICIENTS)
