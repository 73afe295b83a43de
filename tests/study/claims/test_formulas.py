"""Formulas of claims, on coefficients that are easy to compare by hand."""

from __future__ import annotations

import numpy as np
import pytest

from study.claims.formulas import AbsentScores, CoefficientTable, FormulaError, read_formula

VALUES = {
    **{"SERA-5": 0.5, "SERA-10": 0.7, "SERA-DIS-5": 0.9, "SERA-20": 0.1},
    **{"ROUGE-1-F": 0.4, "ROUGE-1-P": 0.2, "ROUGE-1-R": 0.6, "ROUGE-W-1.2-F": 0.3, "given:x": -0.5},
}


def value(metric, other):
    if metric not in VALUES:
        raise AbsentScores(metric)
    return VALUES[metric] * (10 if other else 1)


def effect(text, side="all", **sets):
    return float(read_formula(text, sets).effect(CoefficientTable(value, list(VALUES), side)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SERA-5 > ROUGE-1-F", 0.1),
        ("SERA-5 < ROUGE-1-F", -0.1),
        ("SERA-5 - ROUGE-1-F > 0", 0.1),
        ("SERA-10 > SERA-5 > ROUGE-1-F", 0.1),  # the smaller step
        ("mean(SERA-{5,10}) > max(ROUGE-1-F, ROUGE-1-R)", 0.0),
        ("mean(SERA{,-DIS}-5) > 0", 0.7),
        ("max(SERA-* without SERA-DIS-*) > 0", 0.7),
        ("median(ROUGE-*) > 0", 0.35),  # .2 .3 .4 .6
        ("sd(ROUGE-1-{F,P}) > 0", 0.1),
        ("min(*) > given:x", 0.0),
        ("ROUGE-W-1.2-F * 2 - 0.5 / 2 > -1", 1.35),
        ("-(SERA-5 + SERA-10) > -2 * SERA-5", -0.2),
        ("SERA-5~ROUGE-1-F > SERA-5", 4.5),
        ("max(SERA-{5,10}~ROUGE-1-F) > 0", 7.0),
        # (5, .5), (10, .7), (20, .1): (-20/3 * .2/3 - 5/3 * .8/3 + 25/3 * -1/3) / (350/3)
        ("slope(SERA-#) > 0", -11 / 350),
        ("max(means(SERA-# without *-10)) > 0", 0.5),
        ("max(-3.5, SERA-5) > 0", 0.5),
        ("SERA-5 / 0 > 0", np.nan),
        ("1 / (SERA-5 / (SERA-10 - 0.7)) > 0", np.nan),
        (f"{'9' * 400} > SERA-5", np.nan),
    ],
)
def test_an_effect_is_the_difference_of_the_sides(text, expected):
    assert effect(text) == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_sides_and_sets_stand_for_names():
    assert effect("mean(ROUGE) > 0", ROUGE="ROUGE-1-{side}") == pytest.approx(0.4)
    assert effect("mean(ROUGE) > 0", "P", ROUGE="ROUGE-1-{side}") == pytest.approx(0.2)
    assert effect("max(BOTH without SERA-10) > 0", BOTH="SERA-{5,10} ROUGE-1-F") == pytest.approx(0.5)
    assert read_formula("mean(SERA-*) > A~B").metrics(list(VALUES)) == [
        *("SERA-5", "SERA-10", "SERA-DIS-5", "SERA-20", "A", "B"),
    ]


def test_values_may_be_arrays_and_undefined():
    table = CoefficientTable(
        lambda metric, _: np.array([1.0, np.nan, 3.0]) if metric == "A" else np.array([2.0] * 3)
    )
    found = read_formula("max(A, B, 2) > B").effect(table)
    assert np.array_equal(found, [0, np.nan, 1], equal_nan=True)
    assert np.isnan(effect("max(means(SERA-# without *)) > 0")) and np.isnan(effect("slope(SERA-DIS-#) > 0"))


@pytest.mark.parametrize("text", ["SERA-99 > 0", "mean(BLEU-*) > 0", "max(SERA-5 without SERA-*) > 0"])
def test_an_absent_metric_is_said(text):
    with pytest.raises(AbsentScores):
        effect(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "cannot be read at ''"),
        ("SERA-5", "compares nothing"),
        ("A > B C", "cannot be read at 'C'"),
        ("SERA-{5,10} > 0", "stands for several metrics"),
        ("ROUGE-1-{side} > 0", "stands for several metrics"),
        ("SERA-* > 0", "stands for several metrics"),
        ("meen(A) > 0", "no function 'meen'"),
        ("mean(A > 0", r"cannot be read at '\(A"),
        ("max(SERA-#) > 0", "has no number"),
        ("slope(SERA-5) > 0", "need names with #"),
        ("means(SERA-#) > 0", "a list or a comparison"),
        ("max(*a*b) > 0", "'\\*a\\*b' has too many patterns"),
        ("A>B", "'A>B' cannot name a metric"),
        ("A + > 0", "cannot be read at '> 0'"),
        ("__import__('os') > 0", "no function"),
        ("A.__class__[0] > 0", "cannot name a metric"),
        ("mean(SERA-{5, 10}) > 0", "cannot be read at 'SERA-{5"),
        ("(" * 250 + "A" + ")" * 250 + " > 0", "too many nested"),
    ],
)
def test_a_formula_that_cannot_be_read(text, problem):
    with pytest.raises(FormulaError, match=problem) as caught:
        read_formula(text)
    assert caught.value.remedy.endswith(".")
