"""Tables 1 and 3 of Peyrard et al. (2017): their topics, ROUGE's settings, one model per judgement."""

import pandas as pd
import pytest
from made_scores import scores_of

from sera.evaluation.bootstrap import Bootstrap
from sera.evaluation.evaluate import evaluation_tables
from sera.evaluation.s3_tables import s3_distribution, s3_table1, s3_table3, update_lines
from sera.metrics.s3.training import initial_topics, learnt_on
from study.workflow.s3 import replace_scores

RISING, FALLING = [1, 2, 3, 4], [4, 3, 2, 1]


def test_update_sets_are_no_topics_of_the_tables():
    # right on the initial sets and reversed on the update sets: with both, the means were 0
    scores = scores_of(
        ["D0801-A", "D0801-B", "D0802-A", "D0802-B"], M=[RISING, FALLING, RISING, FALLING], H=[RISING] * 4
    )
    tables = evaluation_tables(scores, ["H"], bootstrap=Bootstrap("topics", 10))
    (row,) = tables["s3_table1"].to_dict("records")
    assert (row["pearson"], row["spearman"], row["ndcg_10"]) == pytest.approx((1, 1, 1))
    (row,) = tables["s3_table3"].to_dict("records")
    assert (row["pearson_failure"], row["spearman_failure"], row["ndcg_10_failure"]) == (0, 0, 0)
    (row,) = tables["summary_level"].to_dict("records")  # the other tables keep all topics
    assert (row["pearson"], row["topics"]) == (pytest.approx(0), 4)
    assert update_lines(scores.topics) == ["2 of 4 topics are update sets and are left out"]
    assert update_lines(["D0701", "t-b"]) == []
    topics = ["D0801-A", "D0801-B", "d0802a-c", "801-B", "D0801", "t1-B", "D0801-AB", "D08011-B"]
    assert initial_topics(topics) == ["D0801-A", "D0801", "t1-B", "D0801-AB", "D08011-B"]


def test_what_is_undefined_has_its_reason():
    scores = scores_of(["D0801-B"], M=[RISING], H=[RISING])
    for table in (s3_table1(scores, "H"), s3_table3(scores, "H")):
        numbers = table.drop(columns=["metric", "against", "why_undefined"])
        assert numbers.isna().all(axis=None) and list(table["why_undefined"]) == ["there is no topic"]
    scores = scores_of(["t1", "t2"], M=[[1, 1, 1, 1]] * 2, K=[RISING] * 2, H=[RISING] * 2)
    for table in (s3_table1(scores, "H"), s3_table3(scores, "H")):
        assert dict(zip(table["metric"], table["why_undefined"], strict=True)) == {
            "M": "all systems of a topic have the same score by M",
            "K": "",
        }


def test_what_stands_in_the_tables():
    models = {learnt_on("S3-best", "H"): [RISING], learnt_on("S3-best", "G"): [FALLING]}
    scores = scores_of(["t1"], **models, H=[RISING], G=[FALLING])
    for by, other in (("H", "G"), ("G", "H")):
        table = s3_table1(scores, by).set_index("metric")["pearson"]
        assert table.to_dict() == {"S3-best": pytest.approx(1), other: pytest.approx(-1)}
    # the scores of S3 replace those of the study
    names = ["ROUGE-1-R", "ROUGE-2-F", "JS-ref-1", "SERA-5", "S3-best", "mine"]
    study = pd.DataFrame({"topic": "t", "system": "a", "metric": names, "score": range(6)})
    own = ["ROUGE-1-R", "JS-ref-1", learnt_on("S3-best", "H")]
    own = pd.DataFrame({"topic": "t", "system": "a", "metric": own, "score": [7, 8, 9]})
    table = replace_scores(study, own).set_index("metric")["score"]
    # ROUGE-2-F has the study's settings, so it would not be comparable with ROUGE-1-R
    assert table.to_dict() == {
        "SERA-5": 3, "mine": 5, "ROUGE-1-R": 7, "JS-ref-1": 8, "S3-best(judgement=H)": 9,
    }  # fmt: skip
    # S3's NDCG does not discount rank 2
    scores = scores_of(M=[[4, 5, 3, 2, 1]], H=[[5, 4, 3, 2, 1]])
    tables = evaluation_tables(scores, ["H"], bootstrap=Bootstrap("topics", 10))
    assert tables["s3_table1"]["ndcg_10"].tolist() == [pytest.approx(1)]
    # 4 + 5 / log2(3) of 5 + 4 / log2(3), and both 3 / 2 + 2 / log2(5) + 1 / log2(6): 9.9028 of 10.2719
    assert tables["summary_level"]["ndcg"].tolist() == [pytest.approx(0.9641, abs=5e-5)]


def test_topics_above_each_value():
    # Spearman's rho with 1, 2, 3, 4: 1, then 1 - 6 * 2 / 60 = .8, then -1, then 1 - 6 * 10 / 60 = 0
    topics = [RISING, [1, 2, 4, 3], FALLING, [2, 4, 1, 3], [1, 1, 1, 1]]
    scores = scores_of(["a-A", "b-A", "c-A", "d-A", "e-A", "D0802-B"], M=[*topics, RISING], H=[RISING] * 6)
    table = s3_distribution(scores, "H")
    assert table["coefficient"].tolist() == ["pearson", "spearman", "ndcg_10"]
    (row,) = table[table["coefficient"] == "spearman"].to_dict("records")
    # e-A is undefined, D0802-B no topic
    assert (row["metric"], row["against"], row["topics"]) == ("M", "H", 4)
    counts = [row[f"above_{x / 10}"] for x in range(10)]
    assert counts == [3, 3, 3, 3, 3, 3, 3, 3, 2, 2]  # .8 is not above .8, and -1 counts as 1
    (row,) = table[table["coefficient"] == "ndcg_10"].to_dict("records")
    # the gains 1 to 4: reversed 1 + 2 + 3 / log2(3) + 4 / 2 = 6.893 of 4 + 3 + 2 / log2(3) + 1 / 2 = 8.762
    assert (row["topics"], row["above_0.7"], row["above_0.8"]) == (4, 4, 3)
    scores = scores_of(["t1"], M=[RISING], H=[RISING], G=[FALLING])
    table = evaluation_tables(scores, ["H", "G"], bootstrap=Bootstrap("topics", 10))["s3_distribution"]
    assert table["against"].tolist() == ["H"] * 6 + ["G"] * 6
    assert table["above_0.9"].tolist()[:2] == [1, 1]  # r and rho of G, or M, with H
