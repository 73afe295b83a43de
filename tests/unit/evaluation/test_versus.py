"""One metric against another: the difference, its interval, and the sentence."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sera.evaluation.correlate import Scores
from sera.evaluation.versus import best_of_family, versus_sentences, versus_table


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


def test_the_difference_is_that_of_the_coefficients(scores):
    table = versus_table(scores, ["GOOD"], "ROUGE-2-F", "people", resamples=50)
    # GOOD ranks the systems as people do, 1, and its opposite -1; each resample too
    row = table.set_index("level").loc["system"]
    assert (row["difference"], row["low"], row["high"]) == pytest.approx((2, 2, 2))
    (over_systems, over_summaries) = versus_sentences(table)
    assert over_systems == (
        "GOOD is ahead of ROUGE-2-F by 2.00 in ranking 8 systems (+2.00 to +2.00): significant."
    )
    assert "in ranking the summaries of a topic by 8 systems" in over_summaries


def test_an_interval_with_0_is_not_significant(scores):
    table = versus_table(scores, ["ROUGE-1-F"], "GOOD", "people", resamples=200)
    row = table.set_index("level").loc["system"]
    assert row["low"] < row["difference"] < 0 and row["high"] <= 0.001
    same = versus_table(scores, ["GOOD"], "GOOD", "people", resamples=20)
    assert versus_sentences(same)[0].endswith("(+0.00 to +0.00): not significant.")


def test_the_best_of_a_family(scores):
    assert best_of_family(scores, "ROUGE", "people") == "ROUGE-1-F"
    assert best_of_family(scores, "SERA", "people") is None


def test_what_is_undefined_has_its_reason(scores):
    constant = Scores(
        (*scores.metrics[:1], *scores.metrics[1:]), scores.topics, scores.systems, scores.values
    )
    values = constant.values.copy()
    values[constant.metrics.index("GOOD")] = 1.0
    table = versus_table(
        Scores(scores.metrics, scores.topics, scores.systems, values), ["GOOD"], "ROUGE-1-F", "people"
    )
    assert table["difference"].isna().all() and (table["why_undefined"] != "").all()
    assert versus_sentences(table)[0].startswith("GOOD and ROUGE-1-F in ranking 8 systems: ")
