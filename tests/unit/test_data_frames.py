"""Data frames that `score` and `evaluate` take, and what they refuse."""

import numpy as np
import pandas as pd
import pytest

from sera import evaluate, score
from sera.errors import InputError

SUMMARIES = pd.DataFrame({"topic": ["t", "t"], "system": ["a", "b"], "summary": ["x y", "x"]})
GOLD = pd.DataFrame({"topic": ["t"], "reference": ["x y"]})
SCORED = SUMMARIES[["topic", "system"]].assign(m=[1.0, 2.0])
JUDGED = SCORED.rename(columns={"m": "quality"})


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: score(SUMMARIES.assign(topic=[["t"], ["t"]]), GOLD), "row 1 of the candidates"),
        (lambda: score(SUMMARIES, GOLD, "Pyramid", nuggets="abc"), "the nuggets are 'abc'"),
        (lambda: score(SUMMARIES, GOLD, settings=[1]), r"the settings are \[1\]"),
        (lambda: score(SUMMARIES, GOLD, "SERA-5", index=5), "the index is 5"),
        (lambda: evaluate(pd.concat([SCORED, SCORED[["topic"]]], axis=1), SCORED), "two columns topic"),
        (lambda: evaluate(SCORED, JUDGED, preferences=[1]), r"the preferences are \[1\]"),
        (lambda: evaluate(SCORED, JUDGED, preferences=SCORED[:0]), "the preferences have no row"),
    ],
)
def test_what_is_no_table_is_refused_in_a_line(call, said):
    with pytest.raises(InputError, match=said):
        call()


def test_references_may_stand_in_the_rows_of_the_summaries():
    table = pd.DataFrame(
        {
            "topic": ["t", "u", "t"],
            "system": ["a", "a", "b"],
            "summary": ["the kinase binds p53", ["Fish swim.", "They fly."], "fish"],
            "references": [
                ["p53 is bound by the kinase", "the kinase"],
                np.array([["They fly.", "Fish swim."]], dtype=object),
                ["p53 is bound by the kinase", "the kinase"],
            ],
        },
        index=[7, 5, 7],
    )
    # "the kinase" of 5 and 1 bigrams; "fish swim" and "they fly" of 3; ROUGE-L by sentences
    found = score(table, metrics=["ROUGE-2-R", "ROUGE-L-F"]).pivot(
        index=["topic", "system"], columns="metric", values="score"
    )
    assert found["ROUGE-2-R"].tolist() == [0.33333, 0.0, 0.66667]
    assert found["ROUGE-L-F"].tolist()[2] == 1.0
    parts = [score(part, metrics="ROUGE-2-R") for part in (table[:1], table[1:])]  # of an engine's partitions
    assert pd.concat(parts, ignore_index=True).equals(score(table, metrics="ROUGE-2-R"))
