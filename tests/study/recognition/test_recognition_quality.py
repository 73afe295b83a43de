"""Rates, thresholds, correlations and comparisons of recognisers, on judgements worked out by hand."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from sera.errors import InputError
from sera.evaluation.bootstrap import Bootstrap
from sera.io.language_models import Answers, ModelServer
from sera.io.records import Candidate, Nugget
from study.recognition.quality import (
    THRESHOLDS,
    Labelled,
    compare,
    confusion,
    cross_validate,
    decisions,
    judge,
    rates,
    rates_by_length,
    score_units,
)
from study.recognition.realsumm import ask_model
from study.recognition.recognisers import (
    in_order,
    inverse_frequencies,
    likeness,
    recognisers,
    share,
    soft,
    stems_in_order,
    weighted,
    whole,
)

UNITS = (("cell",), ("cell", "divid"), ("a", "b", "c", "d"))
SUMMARIES = ((("cell", "grow"),), (("cell",), ("divid", "cell")), (("a", "b", "c"), ("d",)))
LABELS = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1]], bool)
TOPIC = Labelled("t", UNITS, SUMMARIES, LABELS)
BOOTSTRAP = Bootstrap("topics", 50)


def test_each_unit_is_scored_in_each_summary():
    (scores,) = score_units(share, [TOPIC])
    assert scores.tolist() == [[1, 0.5, 0], [1, 1, 0], [0, 0, 0.75]]
    assert decisions([scores], 0.75)[0].tolist() == LABELS.tolist()
    assert decisions([scores], 0.8)[0].sum() == 3


def test_counts_of_each_topic():
    found = [np.array([[1, 1, 0, 0]], bool), np.array([[1]], bool)]
    labels = [np.array([[1, 0, 1, 0]], bool), np.array([[1]], bool)]
    assert confusion(found, labels).tolist() == [[1, 1, 1, 1], [1, 0, 0, 0]]


def test_rates_of_counts():
    # 20 of 30 found are right, 20 of 25 present are found, 65 of 75 absent are not found; kappa: agreement
    # .85, by chance .3 * .25 + .7 * .75 = .6
    assert rates(np.array([20, 10, 5, 65])) == pytest.approx(
        [20 / 30, 20 / 25, 40 / 55, 65 / 75, (0.85 - 0.6) / 0.4]
    )
    nothing = rates(np.array([0, 0, 2, 8]))
    assert math.isnan(nothing[0]) and nothing[1:].tolist() == [0, 0, 1, 0]


def test_a_fold_gets_the_threshold_of_the_others():
    scores = [np.array([[0.2, 0.5]]), np.array([[0.6, 0.9]]), np.array([[0.2, 0.5]])]
    labels = [np.array([[0, 1]], bool)] * 3
    found, thresholds = cross_validate(scores, labels, folds=3)
    # topics 1 and 2: absent .6 and .2, present .9 and .5; from .65 to .9 three of four are right, and from
    # .25 to .5 too, with the same kappa of .5; topics 0 and 2 are apart by any threshold from .25 to .5
    assert thresholds == [0.9, 0.5, 0.9]
    assert [each.tolist() for each in found] == [[[False, False]], [[True, True]], [[False, False]]]
    with pytest.raises(InputError, match="there are 3 topics, fewer than 10 folds"):
        cross_validate(scores, labels)
    assert THRESHOLDS[0] == 0.05 and THRESHOLDS[-1] == 1


def test_decisions_are_judged_by_rates_and_correlations():
    found = [np.array([[1, 0], [1, 1], [0, 0]], bool)] * 3
    labels = [np.array([[1, 0], [1, 1], [1, 0]], bool)] * 3
    row = judge(found, labels, BOOTSTRAP)
    assert (row["true_positive"], row["false_positive"], row["false_negative"], row["true_negative"]) == (
        *(9, 0, 3),
        6,
    )
    assert row["recall"] == row["recall_low"] == row["recall_high"] == 0.75
    # shares found .5, 1, 0 and true .5, 1, .5; tau-b is 2 / sqrt(3 * 2)
    for level in ("system", "summary"):
        assert row[f"{level}_pearson"] == pytest.approx(math.sqrt(3) / 2)
        assert row[f"{level}_kendall"] == pytest.approx(2 / math.sqrt(6))
    assert row["global_pearson"] == pytest.approx(math.sqrt(3) / 2)


def test_rates_by_the_number_of_stems():
    found = decisions(score_units(share, [TOPIC]), 0.5)
    table = rates_by_length(found, [TOPIC], BOOTSTRAP).set_index("stems")
    assert table["units"].to_dict() == {1: 1, 2: 1, 4: 1}
    assert table.loc[2, "precision"] == 1 / 2  # found in the first two summaries, present in the second
    assert table.loc[2, "present"] == 1 / 3


def test_a_language_model_is_asked_about_each_summary(language_model, tmp_path):
    """Its verdicts are scores, 0.5 for partly and 0 for none, of the systems in the order of their names."""
    texts = [Candidate("t", "b", ("Mice ran.",)), Candidate("t", "a", ("Fish swam.",))]
    topic = SimpleNamespace(candidates=texts, nuggets=[Nugget("t", "A", "mice"), Nugget("t", "A", "running")])
    language_model.tell = lambda prompt: "1: yes\n2: partly" if "Mice ran." in prompt else "1: no\n2: maybe"
    answers = Answers(tmp_path / "answers.jsonl", ModelServer(language_model.address))
    (found,) = ask_model([topic], "m", answers)
    assert found.tolist() == [[0, 0], [1, 0.5]]
    assert [each.tolist() for each in decisions([found], 0.75)] == [[[False, False], [True, False]]]


def test_a_recogniser_is_better_only_by_both_measures():
    labels = [np.array([[1, 1, 0], [1, 0, 0], [0, 0, 0]], bool)] * 4
    worse = [np.array([[1, 0, 1], [0, 1, 0], [1, 0, 0]], bool)] * 4
    found = {"sentence": worse, "whole": labels, "idf": worse}
    table = compare(found, labels, BOOTSTRAP).set_index("recogniser")
    assert table["clearly_better"].to_dict() == {"whole": True, "idf": False}
    assert table["confidence"].to_list() == [97.5, 97.5]
    # the present one agrees on 4 of 9 with 4 found and 3 present: chance 12/81 + 30/81
    assert table.loc["whole", "kappa"] == pytest.approx(1 - (4 / 9 - 42 / 81) / (1 - 42 / 81))
    # shares found 2/3, 1/3, 1/3 and true 2/3, 1/3, 0: tau-b is 2 / sqrt(2 * 3)
    assert table.loc["whole", "summary_kendall"] == pytest.approx(1 - 2 / math.sqrt(6))
    # the right share of wrong units: higher kappa alone is not enough
    right_shares = [each[:, ::-1] for each in labels]
    table = compare({"sentence": right_shares, "whole": labels}, labels, BOOTSTRAP)
    assert table["kappa"][0] > 0 and table["summary_kendall"][0] == 0 and not table["clearly_better"][0]


# Recognisers of units


UNIT = ("cell", "divid", "fast")
SENTENCES = [("fast", "cell", "grow"), ("cancer", "divid")]
DOCUMENTS = [("cell", "cell", "grow"), ("cell", "fast"), ("cell",)]


def test_recognisers():
    text = "The cells divide, and dividing cells grow."
    assert stems_in_order(text) == ("cell", "divid", "divid", "cell", "grow")
    # `share` is that of one sentence, `whole` that of all
    assert share(UNIT, SENTENCES) == 2 / 3
    assert whole(UNIT, SENTENCES) == 1.0
    assert share(("cell", "cell", "divid"), SENTENCES) == 1 / 2  # a repeated stem counts once
    # the idf weighs rare stems more
    idf = inverse_frequencies(DOCUMENTS)
    assert idf == {"": math.log(4), "cell": math.log(1), "fast": math.log(2), "grow": math.log(2)}
    # cell 0, fast ln 2, divid (in no document) ln 4: the first sentence has ln 2 of 3 ln 2, the second 2 ln 2
    assert weighted(idf)(UNIT, SENTENCES) == pytest.approx(2 / 3)
    assert weighted(idf)(("cell",), SENTENCES) == 1.0  # no weight at all: the plain share
    # the order counts
    assert in_order(UNIT, [("fast", "cell", "divid")]) == 2 / 3
    assert in_order(UNIT, [("cell", "cell", "may", "divid", "fast")]) == 1.0
    assert in_order(("a", "b", "a"), [("a", "b")]) == 2 / 3
    # `soft` counts words that are alike
    # _ca cat at_ and _ca car ar_ have one trigram in common
    assert likeness("cat", "car") == 2 / 6
    assert likeness("a", "a") == 1.0
    assert soft(("cat", "dog"), [("car", "dog"), ("cat",)]) == (2 / 6 + 1) / 2
    # without words the share is 0
    for name, recogniser in recognisers(DOCUMENTS).items():
        assert recogniser(("cell",), SENTENCES) == 1.0, name
        assert recogniser((), SENTENCES) == recogniser(UNIT, []) == recogniser(UNIT, [()]) == 0.0, name
