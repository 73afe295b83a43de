"""One metric against another: the difference, its interval, and the sentence."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sera.errors import InputError
from sera.evaluation.bootstrap import Bootstrap
from sera.evaluation.correlate import Scores
from sera.evaluation.significance import differences
from sera.evaluation.versus import (
    best_metric,
    best_sentence,
    choose_versus,
    select_variants,
    versus_sentences,
)


@pytest.fixture(scope="module")
def scores():
    """Eight systems on twenty topics: GOOD is people's judgement with little noise, ROUGE-1-F with much."""
    random = np.random.default_rng(1)
    people = np.arange(8) + random.normal(size=(20, 8))
    made = {"people": people, "GOOD": people + 0.1 * random.normal(size=people.shape)}
    made |= {"ROUGE-1-F": random.normal(size=people.shape), "ROUGE-2-F": -people}
    return Scores.from_table(
        pd.DataFrame(
            [
                (f"t{topic}", f"s{system}", metric, values[topic, system])
                for metric, values in made.items()
                for topic in range(20)
                for system in range(8)
            ],
            columns=["topic", "system", "metric", "score"],
        )
    )


def _system_row(table):
    return table.query("level == 'system' and coefficient == 'spearman'").iloc[0]


def test_the_difference_is_that_of_the_coefficients(scores):
    table = differences(scores, [("GOOD", "ROUGE-2-F")], "people", bootstrap=Bootstrap("systems", 256))
    # GOOD ranks the systems as people do, 1, and its opposite -1; each resample too. Of 2^8 exchanges, four
    # keep that: of no system, of the fourth alone, whose scores are near the mean, and both of these turned
    row = _system_row(table)
    assert (row["difference"], row["difference_low"], row["difference_high"]) == pytest.approx((2, 2, 2))
    (over_systems, over_summaries) = versus_sentences(table)
    assert over_systems == (
        "GOOD is ahead of ROUGE-2-F by 2.00 in ranking 8 systems (+2.00 to +2.00, p = 0.016): significant."
    )
    assert "in ranking the summaries of a topic by 8 systems" in over_summaries


def test_an_interval_with_0_is_not_significant(scores):
    row = _system_row(
        differences(scores, [("ROUGE-1-F", "GOOD")], "people", bootstrap=Bootstrap("both", 200))
    )
    assert row["difference_low"] < row["difference"] < 0 and row["difference_high"] <= 0.001
    same = differences(scores, [("GOOD", "GOOD")], "people", bootstrap=Bootstrap("systems", 20))
    assert versus_sentences(same)[0].endswith("(+0.00 to +0.00, p = 1.000): not significant.")


def test_the_best_metric_is_named_with_those_it_cannot_be_told_from(scores):
    assert best_metric(scores, ["ROUGE-1-F", "ROUGE-2-F"], "people") == "ROUGE-1-F"
    assert best_metric(scores, [], "people") is None
    twice = Scores(
        (*scores.metrics, "SAME"),
        scores.topics,
        scores.systems,
        np.concatenate([scores.values, scores.metric("GOOD")[None]]),
    )
    drawn = {"bootstrap": Bootstrap("systems", 99), "confidence": 95}
    sentence = best_sentence(twice, ["GOOD", "SAME", "ROUGE-2-F"], "people", **drawn)
    assert "GOOD is highest of 3 metrics, but it cannot be told from 1 of the others." in sentence
    assert sentence.endswith("of the others.")
    alone = best_sentence(scores, ["GOOD", "ROUGE-2-F"], "people", **drawn)
    assert alone.endswith("GOOD is highest of 2 metrics, significantly above all others.")


def test_others_are_compared_with_the_f_of_a_measure_without_its_part():
    metrics = ["mine", "ROUGE-L-P", "ROUGE-L-F(stem=true)"]
    assert [choose_versus(name, metrics) for name in ("ROUGE-L", "mine", "best", None)] == [
        *("ROUGE-L-F(stem=true)", "mine", "best", None)
    ]
    with pytest.raises(InputError, match="there is no metric in the scores 'ROUGE-2'"):
        choose_versus("ROUGE-2", metrics)


def test_the_metric_without_scores_is_the_reason(scores):
    values = np.concatenate([scores.values, np.full_like(scores.values[:1], np.nan)])
    table = Scores((*scores.metrics, "BAD"), scores.topics, scores.systems, values)
    drawn = {"bootstrap": Bootstrap("systems", 9), "levels": ["system"]}
    rows = differences(table, [("BAD", "ROUGE-2-F")], "people", **drawn)
    (why,) = rows[rows["coefficient"] == "spearman"]["why_undefined"]
    assert why == "on no topic do all systems have a score by BAD and by people"


def test_a_measure_without_its_part_is_its_best_part(scores):
    values = np.stack([scores.metric(name) for name in ("people", "ROUGE-1-F", "GOOD", "ROUGE-2-F")])
    names = ("people", "ROUGE-2-P(stem=true)", "ROUGE-2-R(stem=true)", "ROUGE-2-F(stem=true)")
    three = Scores((*names, "ROUGE-2"), scores.topics, scores.systems, np.concatenate([values, values[:1]]))
    assert select_variants(["ROUGE-2", "ROUGE-3"], three, "people") == ["ROUGE-2"]  # a metric of this name
    three = Scores(names, scores.topics, scores.systems, values)
    assert select_variants(["ROUGE-2", names[3], "ROUGE-3"], three, "people") == [names[2], names[3]]
    # by the opposite judgement F is the best
    assert select_variants(["ROUGE-2"], three.negate(["people"]), "people") == [names[3]]
