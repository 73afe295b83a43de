"""Preferences: accuracy of a metric by hand, strengths beside closed forms."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sera.errors import InputError
from sera.evaluation.people.preferences import bradley_terry, preference_agreement, signs_of_both
from sera.io.preferences import COLUMNS


def preferences(*rows):
    return pd.DataFrame([("t", a, b, "j", said) for a, b, said in rows], columns=COLUMNS)


SCORES = pd.DataFrame({"topic": "t", "system": list("abcd"), "score": [3.0, 2.0, 2.0, np.nan]})


@pytest.mark.checked("preferences: accuracy of a metric")
def test_accuracy_by_hand():
    judged = preferences(
        *[("a", "b", "A"), ("a", "b", "B"), ("b", "c", "A"), ("b", "c", "tie"), ("a", "c", "tie")],
        ("a", "d", "A"),
    )
    # right, wrong, half; both ties agree on the fourth alone; d has no score
    expected = {"pairs": 5, "ties": 2, "metric_ties": 2, "accuracy": 1.5 / 3, "with_ties": 2 / 5}
    assert preference_agreement(signs_of_both(judged, SCORES)) == pytest.approx(expected)


@pytest.mark.checked("preferences: Bradley-Terry and Davidson strengths")
def test_strengths_of_two_systems_in_closed_form():
    # 3 to 1 without ties: the odds are 3
    rows = [("a", "b", "A"), ("b", "a", "B"), ("a", "b", "A"), ("a", "b", "B")]
    found = bradley_terry(preferences(*rows))
    assert found.table["system"].tolist() == ["a", "b"] and found.ties == 0
    assert np.diff(found.table["strength"])[0] == pytest.approx(-np.log(3), abs=1e-6)
    assert found.table[["wins", "losses", "ties"]].to_numpy().tolist() == [[3, 1, 0], [1, 3, 0]]
    # with two ties p = 3/6, 1/6, 2/6: the odds stay 3, and ties / sqrt(3) = (2/6) / (3/6)
    found = bradley_terry(preferences(*rows, ("a", "b", "tie"), ("b", "a", "tie")))
    assert np.diff(found.table["strength"])[0] == pytest.approx(-np.log(3), abs=1e-6)
    assert found.ties == pytest.approx(2 / 6 / (3 / 6) * np.sqrt(3), abs=1e-6)


def test_strengths_are_recovered_and_do_not_depend_on_sides():
    random = np.random.default_rng(0)
    strength, rows = np.array([1.0, 0.2, -0.2, -1.0]), []
    for _ in range(6000):
        a, b = random.choice(4, 2, replace=False)
        weights = np.exp([strength[a], strength[b], np.log(0.8) + (strength[a] + strength[b]) / 2])
        rows.append((f"s{a}", f"s{b}", random.choice(["A", "B", "tie"], p=weights / weights.sum())))
    found = bradley_terry(preferences(*rows))
    assert found.table["system"].tolist() == ["s0", "s1", "s2", "s3"]
    assert found.table["strength"].to_numpy() == pytest.approx(strength, abs=0.1)
    assert found.ties == pytest.approx(0.8, abs=0.07)
    turned = [(b, a, {"A": "B", "B": "A", "tie": "tie"}[said]) for a, b, said in rows]
    again = bradley_terry(preferences(*turned))
    assert again.table["strength"].to_numpy() == pytest.approx(found.table["strength"].to_numpy(), abs=1e-6)


@pytest.mark.parametrize(
    ("rows", "error"),
    [
        ([("a", "b", "A"), ("b", "c", "A"), ("c", "b", "A")], "a: always better or always worse"),
        ([("a", "b", "left")], "a preference is 'left'. Write one of A, B, tie"),
        ([("a", "a", "A")], "a is compared with itself"),
    ],
)
def test_what_has_no_strengths_is_refused(rows, error):
    with pytest.raises(InputError, match=error):
        bradley_terry(preferences(*rows))


def test_a_summary_without_a_row_and_a_frame_without_a_column_are_refused():
    with pytest.raises(InputError, match="x for t is preferred or not, but has no score"):
        signs_of_both(preferences(("a", "x", "A")), SCORES)
    with pytest.raises(InputError, match="no column judge"):
        bradley_terry(preferences(("a", "b", "A")).drop(columns="judge"))
