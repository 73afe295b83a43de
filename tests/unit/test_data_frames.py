"""Data frames of other libraries, by classes that stand in for theirs; tests/adapters has the real ones."""

import pandas as pd
import pytest

from sera import evaluate, score
from sera.errors import InputError
from sera.io.data_frames import as_pandas, library_of


class DataFrame:
    """A frame as polars has it: columns that are turned into lists."""

    __module__ = "polars.dataframe.frame"

    def __init__(self, columns):
        self.of = {name: Column(cells) for name, cells in columns.items()}
        self.columns = list(columns)

    def __getitem__(self, name):
        return self.of[name]


class Column(list):
    def to_list(self):
        return list(self)


def test_a_frame_of_polars_is_one_of_pandas():
    frame = DataFrame({"topic": ["t", None], "sentences": [["a", "b"], []]})
    found = as_pandas(frame)
    assert library_of(frame) == "polars" and isinstance(found, pd.DataFrame)
    assert found["sentences"].tolist() == [["a", "b"], []]
    assert found["topic"][0] == "t" and pd.isna(found["topic"][1])


@pytest.mark.parametrize("other", [None, [1], {"topic": ["t"]}, pd.DataFrame({"a": [1]})])
def test_anything_else_stays_as_it_is(other):
    assert as_pandas(other) is other


def test_summaries_and_judgements_of_polars_are_scored_and_evaluated():
    names = {"topic": ["t", "t", "t"], "system": ["a", "b", "c"]}
    summaries = DataFrame({**names, "sentences": [["the kinase binds"], ["fish swim"], ["the kinase"]]})
    gold = DataFrame({"topic": ["t"], "reference": ["the kinase binds p53"]})
    scores = score(summaries, gold, "ROUGE-1-R")
    assert scores["score"].tolist() == [0.75, 0, 0.5]
    judged = DataFrame({**names, "quality": [3.0, 1.0, 2.0]})
    table = evaluate(DataFrame(scores.to_dict("list")), judged)["global_level"]
    assert table["spearman"].tolist() == [1]


def test_a_column_of_nulls_is_undefined_numbers():
    found = as_pandas(DataFrame({"topic": ["t", "u"], "z": [None, None]}))
    assert found["z"].dtype == float and found["z"].isna().all()


SUMMARIES = pd.DataFrame({"topic": ["t", "t"], "system": ["a", "b"], "summary": ["x y", "x"]})
GOLD = pd.DataFrame({"topic": ["t"], "reference": ["x y"]})
SCORED = SUMMARIES[["topic", "system"]].assign(m=[1.0, 2.0])
JUDGED = SCORED.rename(columns={"m": "quality"})


@pytest.mark.parametrize("name", ["summary", "system", "topic"])
def test_two_columns_of_one_name_are_refused(name):
    twice = pd.concat([SUMMARIES, SUMMARIES[[name]]], axis=1)
    with pytest.raises(InputError, match=f"the candidates have two columns {name}"):
        score(twice, GOLD, "ROUGE-1-F")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: score(SUMMARIES, GOLD, None), "the metrics are None"),
        (lambda: score(SUMMARIES.assign(topic=[["t"], ["t"]]), GOLD), "row 1 of the candidates"),
        (lambda: score(SUMMARIES, GOLD, "Pyramid", nuggets="abc"), "the nuggets are 'abc'"),
        (lambda: score(SUMMARIES, GOLD, "Pyramid", nuggets=5), "the nuggets are 5"),
        (lambda: score(SUMMARIES, GOLD, settings=[1]), r"the settings are \[1\]"),
        (lambda: score(SUMMARIES, GOLD, settings={"ROUGE": [1]}), r"the settings are .'ROUGE': \[1\]"),
        (lambda: score(SUMMARIES, GOLD, "SERA-5", index=5), "the index is 5"),
        (lambda: evaluate(pd.concat([SCORED, SCORED[["topic"]]], axis=1), SCORED), "two columns topic"),
        (lambda: evaluate(SCORED, JUDGED, preferences=[1]), r"the preferences are \[1\]"),
        (lambda: evaluate(SCORED, JUDGED, preferences=SCORED[:0]), "the preferences have no row"),
    ],
)
def test_what_is_no_table_is_refused_in_a_line(call, said):
    with pytest.raises(InputError, match=said):
        call()
