"""The meta-analysis over benchmarks, on examples worked out step by step."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from study.matrix.pooling import meta_table, pool


def test_equal_variances_by_hand():
    # mean .2, deviations -.3, -.1, .4: the sum of squares is .26, the variance .13 = tau squared + .01
    found = pool(np.array([-0.1, 0.1, 0.6]), np.full(3, 0.1))
    assert (found.effect, found.tau_squared) == (pytest.approx(0.2), pytest.approx(0.12))
    # Hartung and Knapp: sqrt(.13 / 3) by t(.975; 2) = 4.302653
    half = 4.302653 * np.sqrt(0.13 / 3)
    assert (found.low, found.high) == (pytest.approx(0.2 - half), pytest.approx(0.2 + half))
    # prediction: t(.975; 1) = 12.706205 by sqrt(.12 + .13 / 3)
    wide = 12.706205 * np.sqrt(0.12 + 0.13 / 3)
    assert found.prediction_low == pytest.approx(0.2 - wide)
    assert found.prediction_high == pytest.approx(0.2 + wide)


def test_unequal_variances_by_hand():
    # two effects: (1 - 0)^2 / (.1 + .3 + 2 tau squared) = 1, so tau squared is .3; the weights are 1 / .4 and
    # 1 / .6, the mean .4, and Hartung and Knapp's variance (2.5 * .16 + .36 / .6) / (25 / 6) = .24
    found = pool(np.array([0.0, 1.0]), np.sqrt([0.1, 0.3]))
    assert (found.effect, found.tau_squared) == (pytest.approx(0.4), pytest.approx(0.3))
    assert found.high == pytest.approx(0.4 + 12.706205 * np.sqrt(0.24))
    assert np.isnan(found.prediction_low)


def test_alike_effects_have_no_variance_between_them():
    # the sum of squares, 2 * .01 / .04 = .5, is below k - 1 = 2
    found = pool(np.array([0.1, 0.2, 0.3]), np.full(3, 0.2))
    assert (found.effect, found.tau_squared) == (pytest.approx(0.2), 0)
    assert found.low == pytest.approx(0.2 - 4.302653 * np.sqrt(0.01 / 3))


def test_the_trials_of_the_bcg_vaccine():
    # 13 trials (Colditz et al. 1994): vaccinated cases and others, then those not vaccinated; log risk ratios
    trials = """4 119 11 128 6 300 29 274 3 228 11 209 62 13536 248 12619 33 5036 47 5761 180 1361 372 1079
        8 2537 10 619 505 87886 499 87892 29 7470 45 7232 17 1699 65 1600 186 50448 141 27197 5 2493 3 2338
        27 16886 29 17825"""
    a, b, c, d = np.array(trials.split(), float).reshape(-1, 4).T
    effects, variances = np.log(a / (a + b) / (c / (c + d))), 1 / a - 1 / (a + b) + 1 / c - 1 / (c + d)
    found = pool(effects, np.sqrt(variances))
    assert (found.tau_squared, found.effect) == pytest.approx((0.3181, -0.715), abs=5e-5)
    weights = 1 / (variances + 0.3181)
    mean = (weights * effects).sum() / weights.sum()
    assert (weights * (effects - mean) ** 2).sum() == pytest.approx(12, abs=1e-3)


def test_the_papers_own_benchmark_and_undefined_effects_are_not_pooled():
    rows = [
        ("one", 0.1, 0.1),
        ("two", 0.3, 0.1),
        ("tac2014", 9, 0.1),
        ("flat", 9, 0.0),
        ("lacking", np.nan, 0.1),
    ]
    contrasts = pd.DataFrame(rows, columns=["benchmark", "effect", "se"])
    table = meta_table(contrasts.assign(contrast="means", level="system"))
    assert list(table.columns) == [
        *("question", "contrast", "coefficient", "benchmarks", "effect", "low", "high"),
        *("prediction_low", "prediction_high", "tau_squared"),
    ]
    first, second = table.to_dict("records")
    assert (first["question"], first["benchmarks"], first["effect"]) == ("systems", 2, pytest.approx(0.2))
    assert (second["question"], second["benchmarks"]) == ("summaries", 0) and np.isnan(second["effect"])
