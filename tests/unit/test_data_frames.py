"""Data frames of other libraries, by classes that stand in for theirs; tests/adapters has the real ones."""

import numpy as np
import pandas as pd
import pytest

from sera import evaluate, metric, score
from sera.errors import InputError
from sera.io.data_frames import as_pandas, library_of
from sera.metrics.score_table import score_batch


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
    found = as_pandas(DataFrame({"topic": ["t", "u"], "z": [None, None]}))
    assert found["z"].dtype == float and found["z"].isna().all()


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


# Rows of a frame


TABLE = pd.DataFrame(
    {
        "candidate": ["the kinase binds p53", ["Fish swim.", "They fly."], ""],
        "references": [
            ["p53 is bound by the kinase", "the kinase"],
            np.array([["They fly.", "Fish swim."]], dtype=object),
            "x",
        ],
        "article": ["Kinases bind.", "Fish.", ["x", "y"]],
    },
    index=[7, 5, 7],
)


def test_rows_get_a_column_of_each_metric():
    found = score_batch(TABLE, ["ROUGE-2-R", metric("ROUGE-L-F"), "ROUGE-1-R(multi=best)"])
    assert list(found) == [*TABLE, "ROUGE-2-R", "ROUGE-L-F", "ROUGE-1-R(multi=best)"]
    # "the kinase" of 5 and 1 bigrams; "fish swim" and "they fly" of 3
    assert found["ROUGE-2-R"].tolist() == [0.33333, 0.66667, 0.0]
    assert found["ROUGE-L-F"].tolist()[1:] == [1.0, 0.0]  # by sentences
    assert found["ROUGE-1-R(multi=best)"].tolist() == [1.0, 1.0, 0.0]
    assert found.index.tolist() == [7, 5, 7] and "ROUGE-2-R" not in TABLE
    parts = pd.concat([score_batch(TABLE[:1], ["ROUGE-2-R"]), score_batch(TABLE[1:], ["ROUGE-2-R"])])
    assert parts.equals(found[parts.columns])
    assert score_batch(TABLE[:0], ["ROUGE-2-R"])["ROUGE-2-R"].dtype == float
    renamed = TABLE.rename(columns={"candidate": "system", "references": "gold"})
    found = score_batch(renamed, ["JS-1"], candidate="system", references="gold", source="article")
    expected = metric("JS-1").score("the kinase binds p53", ["x"], "Kinases bind.")
    assert found["JS-1"].iloc[0] == expected


@pytest.mark.parametrize(
    ("table", "options", "said"),
    [
        (TABLE, {"candidate": "text"}, "the table has no column 'text'. It has"),
        (TABLE.assign(**{"ROUGE-1-F": 0}), {}, "the table has a column ROUGE-1-F already"),
        (TABLE.assign(candidate=["x", float("nan"), "y"]), {}, "row 2: sentence 1 of the summary is nan"),
        (TABLE.assign(references=[["x"], [], ["y"]]), {}, "row 2 has no reference"),
        (TABLE.assign(references=[["x"], ["x", 3], ["y"]]), {}, "row 2: sentence 1 of the summary is 3"),
        (pd.concat([TABLE, TABLE[["candidate"]]], axis=1), {}, "the rows have two columns candidate"),
        (TABLE, {"metrics": None}, "the metrics are None. Name one, or a list of them"),
        (TABLE, {"metrics": [["ROUGE-1-F"]]}, "there is no metric ['ROUGE-1-F']. Give its name as text"),
        ([TABLE], {}, "Give a data frame of pandas or polars, or"),
        (TABLE, {"metrics": ["JS-1"]}, "JS-1 compares with the article. Name its"),
        (TABLE, {"metrics": ["ROUGE-1-F"] * 2}, "ROUGE-1-F is there twice"),
        (TABLE, {"metrics": ["SERA-5"]}, "SERA-5 compares what summaries retrieve"),
    ],
)
def test_what_cannot_be_scored_is_refused(table, options, said):
    with pytest.raises(InputError) as error:
        score_batch(table, **{"metrics": ["ROUGE-1-F"], **options})
    assert said in str(error.value)
