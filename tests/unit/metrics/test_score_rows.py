"""Scores of the rows of a data frame of pandas; those of other libraries are in tests/adapters."""

import numpy as np
import pandas as pd
import pytest

from sera import metric
from sera.errors import InputError
from sera.metrics.score_table import score_batch

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


def test_columns_have_any_name():
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
