"""Data frames that `score` and `evaluate` take, and what they refuse."""

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
