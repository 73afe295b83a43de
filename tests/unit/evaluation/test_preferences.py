"""Preferences: how they are read, accuracy of a metric by hand."""

import numpy as np
import pandas as pd
import pytest

from sera.evaluation.bootstrap import Bootstrap, resample_counts
from sera.evaluation.correlate import WHY
from sera.evaluation.judges import SEED_OF_JUDGES
from sera.evaluation.preferences import (
    agreement_draws,
    compare_signs,
    preference_agreement,
    preference_table,
)
from sera.io.scores import PREFERENCE_COLUMNS


def preferences(*rows):
    return pd.DataFrame([("t", a, b, "j", said) for a, b, said in rows], columns=PREFERENCE_COLUMNS)


SCORES = pd.DataFrame({"topic": "t", "system": list("abcd"), "score": [3.0, 2.0, 2.0, np.nan]})


def test_accuracy_by_hand():
    judged = preferences(
        *[("a", "b", "A"), ("a", "b", "B"), ("b", "c", "A"), ("b", "c", "tie"), ("a", "c", "tie")],
        ("a", "d", "A"),
    )
    # right, wrong, half; both ties agree on the fourth alone; d has no score
    expected = {"pairs": 5, "ties": 2, "metric_ties": 2, "accuracy": 1.5 / 3, "with_ties": 2 / 5}
    assert preference_agreement(compare_signs(judged, SCORES)) == pytest.approx(expected)


CHOSEN = pd.DataFrame(
    [
        ("t", "a", "b", "j", "A"),
        ("t", "b", "c", "j", "A"),
        ("t", "b", "c", "k", "tie"),
        ("u", "a", "c", "j", "B"),
        ("u", "b", "a", "j", "B"),
    ],
    columns=PREFERENCE_COLUMNS,
)


def scores(metric, *values):
    summaries = [(topic, system) for topic in "tu" for system in "abc"]
    rows = [(*summary, metric, value) for summary, value in zip(summaries, values, strict=True)]
    return pd.DataFrame(rows, columns=["topic", "system", "metric", "score"])


OF_METRICS = pd.concat([scores("M", 3, 2, 1, 1, 1, 2), scores("E", -3, -2, -1, -1, -1, -2)])
NONE = scores("N", *[np.nan] * 6)


def test_a_row_for_each_metric_with_its_interval_over_topics():
    of = preference_table(CHOSEN, OF_METRICS, falling=["E"], resamples=2000).set_index("metric")
    # t: right, right; u: right, and a tie of the metric, which counts half
    assert of.at["M", "accuracy"] == 3.5 / 4
    # two topics: drawn are t alone (2 of 2), u alone (1.5 of 2), or both, each often enough
    assert of.loc["M", ["accuracy_low", "accuracy_high"]].tolist() == [0.75, 1.0]
    assert of.at["M", "with_ties"] == 3 / 5
    counts = of.loc["M", ["pairs", "ties", "metric_ties", "undefined", "topics", "judges"]]
    assert counts.tolist() == [5, 1, 1, 0, 2, 2]
    assert of.loc["E"].tolist() == of.loc["M"].tolist()  # less is better there


def test_a_metric_without_scores_has_a_reason():
    row = preference_table(CHOSEN, NONE).iloc[0]
    assert np.isnan(row["accuracy"]) and np.isnan(row["accuracy_low"])
    assert row["undefined"] == 5 and row[WHY] == "no preference that is not a tie has two defined scores"
    assert compare_signs(preferences(("a", "x", "A")), SCORES).empty


def test_judges_are_redrawn_where_they_are_known():
    # each topic: j agrees with the metric, k does not
    rows = [(topic, "a", "b", judge, said) for topic in "tu" for judge, said in (("j", "A"), ("k", "B"))]
    known = pd.DataFrame(rows, columns=PREFERENCE_COLUMNS)
    of = scores("M", 3, 2, 1, 3, 2, 1)
    (row,) = preference_table(known, of, resamples=2000).to_dict("records")
    # two judges: drawn are j twice or k twice, a quarter of the times each, or both; topics change nothing
    assert (row["accuracy"], row["accuracy_low"], row["accuracy_high"]) == (0.5, 0, 1)
    assert (row["judges"], row["resampled"]) == (2, "topics and judges")
    # a judge without a name is no judge who could be drawn twice
    unnamed = known.assign(judge=["j", "k", "j", ""])
    (row,) = preference_table(unnamed, of, resamples=2000).to_dict("records")
    assert (row["accuracy_low"], row["accuracy_high"], row["resampled"]) == (0.5, 0.5, "topics")


def test_a_resample_is_the_preferences_repeated_as_often_as_drawn():
    random = np.random.default_rng(3)
    rows = [
        (f"t{topic}", "abc"[judge], right)
        for topic in range(4)
        for judge in range(3)
        for right in random.choice([0, 0.5, 1], size=random.integers(0, 3))
    ]
    decided = pd.DataFrame(rows, columns=["topic", "judge", "right"])
    drawn, _ = agreement_draws(decided, Bootstrap("topics", 50, 1))
    topics, judges = (list(dict.fromkeys(decided[name])) for name in ("topic", "judge"))
    of_topics = resample_counts(len(topics), 50, 1)
    of_judges = resample_counts(len(judges), 50, [1, SEED_OF_JUDGES])
    for number, value in enumerate(drawn):
        repeated = [
            right
            for topic, judge, right in rows
            for _ in range(of_topics[number, topics.index(topic)] * of_judges[number, judges.index(judge)])
        ]
        assert value == pytest.approx(np.mean(repeated) if repeated else np.nan, nan_ok=True)
