"""Tests between two systems: values worked out by hand, and scipy's tests beside."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from commands import sera
from made_scores import SCORE_HEAD, put_table
from scipy import stats

from sera.evaluation.correlate import WHY, Scores
from sera.evaluation.discrimination import compare_systems, discrimination, exchange_test, signed_rank
from sera.evaluation.tables import read_tsv

TOPICS = 8


def scores_of(**metrics: list[list[float]]) -> Scores:
    """Scores of metrics, each a row of topics per system."""
    names = tuple(sorted(metrics))
    values = np.array([np.array(metrics[name], float).T for name in names])
    topics, systems = (tuple(map(str, range(length))) for length in values.shape[1:])
    return Scores(names, topics, systems, values)


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        ([1, 2, 3, 4, 5, 6], 2 / 64),  # the one order of signs that is so extreme, and its contrary
        ([1, 1, -2], 1.0),  # ranks 1.5, 1.5 and 3: both signs have the sum 3
        ([1, 1, 2], 2 / 8),
        # ranks 1.5, 1.5, 3.5, 3.5: of 16 orders of signs three have a sum of 1.5 or less: 0, 1.5 and 1.5
        ([1, -1, 2, 2], 6 / 16),
        ([0, 0, 1, 2, 3, 4], 2 / 16),  # differences of 0 are left out
        ([0, 0], 1.0),
        ([0.1 + 0.2 - 0.3, 1], 1.0),  # 0 but for round-off; one difference has p 1
    ],
)
def test_the_signed_rank_test_is_exact(differences, p):
    assert signed_rank(np.array(differences, float))[0] == pytest.approx(p, abs=1e-15)
    assert signed_rank(-np.array(differences, float))[0] == pytest.approx(p, abs=1e-15)


def test_the_signed_rank_test_is_scipys_without_ties_and_the_count_of_all_signs_with_them():
    random = np.random.default_rng(3)
    for number in (5, 12, 40):
        differences = random.normal(0.3, 1, number)
        expected = stats.wilcoxon(differences, method="exact").pvalue
        assert signed_rank(differences)[0] == pytest.approx(expected, rel=1e-12)
    for _ in range(5):
        differences = random.integers(1, 4, 9) * random.choice([-1, 1], 9)
        ranks = stats.rankdata(np.abs(differences))
        centred = np.array([np.dot(signs, ranks) for signs in product([-1, 1], repeat=9)])
        extreme = np.abs(centred) >= abs(np.dot(np.sign(differences), ranks)) - 1e-9
        assert signed_rank(differences.astype(float))[0] == pytest.approx(extreme.mean())


# System 0 is ahead of 1, and 1 of 2, on each of eight topics: p is 2/256, and at most three times that with
# Holm's correction. The judgement has 0 and 1 equal and 2 ahead of both.
STEPS = np.arange(1, TOPICS + 1)
METRIC = [list(5.0 * STEPS), list(3.0 * STEPS), list(1.0 * STEPS)]
JUDGED = [list(1.0 * STEPS), list(1.0 * STEPS), list(4.0 * STEPS)]


def shares(row):
    return row["apart":"neither"].astype(float).tolist()


def test_pairs_told_apart_are_counted_by_hand():
    table = discrimination(scores_of(M=METRIC, P=JUDGED), [("M", "P")])
    row = table.iloc[0]
    # 0 and 1 by the metric alone; 0 and 2, 1 and 2 by both, in the opposite order
    assert shares(row) == pytest.approx([1, 2 / 3, 0, 2 / 3, 1 / 3, 0, 0])
    assert (row["uncorrected"], row["judged_uncorrected"]) == pytest.approx((1, 2 / 3))
    assert (row["pairs"], row["systems"], row["topics"], row["undefined"], row[WHY]) == (3, 3, TOPICS, 0, "")
    scores = scores_of(M=(-np.array(JUDGED)).tolist(), P=JUDGED)
    falling = discrimination(scores, [("M", "P")], falling=["M"]).iloc[0]
    assert shares(falling) == pytest.approx([2 / 3, 2 / 3, 2 / 3, 0, 0, 0, 1 / 3])
    rising = discrimination(scores, [("M", "P")]).iloc[0]
    assert shares(rising) == pytest.approx([2 / 3, 2 / 3, 0, 2 / 3, 0, 0, 1 / 3])


def test_holms_correction_is_over_all_pairs():
    # 1 is ahead of 0, and 3 of 2, on all topics but one, with the third rank: five sets of ranks have a sum
    # of at most 3 (none, 1, 2, 3, 1 and 2), so p is 10/256. The four other pairs have p 2/256. Corrected:
    # 6 * 2/256 = 0.047 for the four, and 2 * 10/256 = 0.078 for the two
    ahead, level = np.array([1.0, 2, -3, 4, 5, 6, 7, 8]), 20.0 + np.arange(8)
    metric = [each.tolist() for each in (0 * ahead, ahead, level, level + ahead)]
    row = discrimination(scores_of(M=metric, P=metric), [("M", "P")]).iloc[0]
    assert row["uncorrected"] == row["judged_uncorrected"] == 1
    assert shares(row) == pytest.approx([4 / 6, 4 / 6, 4 / 6, 0, 0, 0, 2 / 6])


def test_topics_that_do_not_count():
    metric = np.array(METRIC)
    metric[0, 0] = np.nan  # system 0 on the first topic
    scores = scores_of(M=metric.tolist(), P=JUDGED)
    row = discrimination(scores, [("M", "P")]).iloc[0]
    # seven topics for two of the pairs: p 2/128, and the third has 2/256; corrected 6/256, 4/128, 4/128
    assert row["apart"] == 1 and row["topics"] == TOPICS
    few = scores_of(M=[row[:6] for row in METRIC], P=[row[:6] for row in JUDGED])
    row = discrimination(few, [("M", "P")]).iloc[0]
    # 2/64 is the least p, and three times that is 0.094
    assert np.isnan(shares(row)).all()
    assert row[WHY] == "with 6 topics and 3 pairs no corrected p is below 0.094"
    assert (row["uncorrected"], row["judged_uncorrected"]) == pytest.approx((1, 2 / 3))


def scores_by_system(systems, metric="M"):
    """Scores of systems by topic: a list for each system, in the order of the topics."""
    rows = [
        (str(topic), system, metric, value)
        for system, values in systems.items()
        for topic, value in enumerate(values)
    ]
    return Scores.from_table(pd.DataFrame(rows, columns=["topic", "system", "metric", "score"]))


def test_exchanges():
    # the 8 sums of 1, 2, 3 with signs: 6, 4, 2, 0, 0, -2, -4, -6
    assert exchange_test(np.array([[1.0], [2.0], [3.0]])) == [2 / 8]
    assert exchange_test(np.array([[-1.0], [2.0], [3.0]])) == [4 / 8]
    assert exchange_test(np.array([[1.0], [2.0], [-3.0]])) == [1.0]
    assert exchange_test(np.array([[0.0], [0.0]])) == [1.0]
    # differences that are equal on paper are equal here: 0.3 and 0.1 + 0.2
    assert exchange_test(np.array([[0.3 - 0.2], [0.1]])) == [2 / 4]
    # exchanges of many topics are drawn
    random = np.random.default_rng(3)
    differences = random.normal(0.25, 1, (30, 4))
    p = exchange_test(differences, exchanges=4000, seed=1)
    assert p == pytest.approx(exchange_test(differences, exchanges=4000, seed=2), abs=0.03)
    assert exchange_test(np.ones((30, 1)), exchanges=99) == [1 / 100]


def test_a_pair_has_its_means_and_the_better_system():
    # b is better by 1 on each of 8 topics: of 256 exchanges 2 are as far; two of three tests alike
    scores = scores_by_system({"a": [1.0] * 8, "b": [2.0] * 8, "c": [1.0] * 8})
    table = compare_systems(scores, ["M"])
    assert table[["system", "other"]].to_numpy().tolist() == [["a", "b"], ["a", "c"], ["b", "c"]]
    assert table["difference"].tolist() == [-1, 0, 1]
    assert table["p"].tolist() == [2 / 256, 1, 2 / 256]
    assert table["holm"].tolist() == [6 / 256, 1, 6 / 256]
    assert table["better"].tolist() == ["b", "", "b"]
    assert compare_systems(scores, ["M"], falling=["M"])["better"].tolist() == ["a", "", "c"]
    assert table["topics"].tolist() == [8] * 3 and table["why_undefined"].tolist() == [""] * 3


def test_topics_without_both_scores_are_left_out_and_counted():
    nan = np.nan
    scores = scores_by_system({"a": [1.0, 2, 3, nan], "b": [0.0, 0, nan, 4], "c": [nan, nan, nan, 9]})
    table = compare_systems(scores, ["M"]).set_index(["system", "other"])
    first = table.loc[("a", "b")]
    assert (first["mean"], first["other_mean"], first["topics"], first["undefined"]) == (1.5, 0, 2, 2)
    # of the 4 exchanges of 1 and 2 two are as far; the test of b and c has one topic, and p 1
    assert first["p"] == 2 / 4 and first["holm"] == 1
    assert first["why_undefined"] == "with 2 topics and 2 pairs no corrected p is below 1"


def test_the_command_compares_the_systems_of_a_table(tmp_path):
    rows = [f"{topic} {row}" for topic in range(8) for row in ("a M 1", "a N 1", "b M 2", "b N 2")]
    put_table(tmp_path / "s.tsv", SCORE_HEAD, *rows)
    given = ("compare", tmp_path / "s.tsv", "--out", tmp_path / "pairs.tsv", "--metrics")
    assert sera(*given, "N").splitlines() == [
        "N: 1 of 1 pair of systems differs (p of at most .05 after Holm's correction)",
        f"1 test in {tmp_path}/pairs.tsv",
    ]
    (row,) = read_tsv(tmp_path / "pairs.tsv").to_dict("records")
    assert (row["metric"], row["better"], row["p"]) == ("N", "b", 0.007812)  # of 2 / 256, to six digits
    assert "there is no metric in the scores 'X'" in sera(*given, "X", code=2)
