"""The paired test between two systems by one metric: worked out by hand, and beside scipy."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy import stats

from sera.cli import main
from sera.evaluation.correlation.correlate import Scores
from sera.evaluation.correlation.significance import holm
from sera.evaluation.pairs.systems import compare_systems, exchange_test
from sera.evaluation.tables import read_tsv


def scores_of(systems, metric="M"):
    """Scores of systems by topic: a list for each system, in the order of the topics."""
    rows = [
        (str(topic), system, metric, value)
        for system, values in systems.items()
        for topic, value in enumerate(values)
    ]
    return Scores.of(pd.DataFrame(rows, columns=["topic", "system", "metric", "score"]))


def test_all_exchanges_of_few_topics_are_used():
    # the 8 sums of 1, 2, 3 with signs: 6, 4, 2, 0, 0, -2, -4, -6
    assert exchange_test(np.array([[1.0], [2.0], [3.0]])) == [2 / 8]
    assert exchange_test(np.array([[-1.0], [2.0], [3.0]])) == [4 / 8]
    assert exchange_test(np.array([[1.0], [2.0], [-3.0]])) == [1.0]
    assert exchange_test(np.array([[0.0], [0.0]])) == [1.0]
    # differences that are equal on paper are equal here: 0.3 and 0.1 + 0.2
    assert exchange_test(np.array([[0.3 - 0.2], [0.1]])) == [2 / 4]


def test_exchanges_of_many_topics_are_drawn():
    random = np.random.default_rng(3)
    differences = random.normal(0.25, 1, (30, 4))
    p = exchange_test(differences, exchanges=4000, seed=1)
    assert p == pytest.approx(exchange_test(differences, exchanges=4000, seed=2), abs=0.03)
    for pair, value in zip(differences.T, p, strict=True):
        by_scipy = stats.permutation_test(
            (pair, np.zeros(30)),
            lambda one, other, axis: (one - other).mean(axis),
            permutation_type="samples",
            n_resamples=4000,
            vectorized=True,
            random_state=1,
        )
        assert value == pytest.approx(by_scipy.pvalue, abs=0.03)
    assert exchange_test(np.ones((30, 1)), exchanges=99) == [1 / 100]


def test_a_pair_has_its_means_and_the_better_system():
    # b is better by 1 on each of 8 topics: of 256 exchanges 2 are as far; two of three tests alike
    scores = scores_of({"a": [1.0] * 8, "b": [2.0] * 8, "c": [1.0] * 8})
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
    scores = scores_of({"a": [1.0, 2, 3, nan], "b": [0.0, 0, nan, 4], "c": [nan, nan, nan, 9]})
    table = compare_systems(scores, ["M"]).set_index(["system", "other"])
    first = table.loc[("a", "b")]
    assert (first["mean"], first["other_mean"], first["topics"], first["undefined"]) == (1.5, 0, 2, 2)
    # of the 4 exchanges of 1 and 2 two are as far; the test of b and c has one topic, and p 1
    assert first["p"] == 2 / 4 and first["holm"] == 1
    assert first["why_undefined"] == "with 2 topics and 2 pairs no corrected p is below 1"
    none = table.loc[("a", "c")]
    assert np.isnan(none["p"]) and np.isnan(none["holm"]) and none["better"] == ""
    assert none["why_undefined"] == "the two systems have no topic with both scores"


def test_every_metric_is_corrected_by_itself():
    random = np.random.default_rng(0)
    systems = {name: list(random.normal(size=9)) for name in "abcd"}
    one = compare_systems(scores_of(systems), ["M"])
    assert one["holm"].tolist() == holm(one["p"].to_numpy()).tolist()
    two = Scores.of(
        pd.concat(
            [
                pd.DataFrame(
                    [(str(t), s, metric, v) for s, values in systems.items() for t, v in enumerate(values)],
                    columns=["topic", "system", "metric", "score"],
                )
                for metric in ("M", "N")
            ]
        )
    )
    both = compare_systems(two, ["M", "N"])
    assert both[both["metric"] == "N"]["holm"].tolist() == one["holm"].tolist()


def test_the_command_compares_the_systems_of_a_table(tmp_path):
    lines = ["topic\tsystem\tmetric\tscore"]
    lines += [
        f"{topic}\t{system}\t{metric}\t{score}"
        for topic in range(8)
        for system, score in (("a", 1), ("b", 2))
        for metric in ("M", "N")
    ]
    (tmp_path / "s.tsv").write_text("\n".join(lines) + "\n")
    arguments = ["compare", str(tmp_path / "s.tsv"), "--metrics", "N"]
    result = CliRunner().invoke(main, [*arguments, "--out", str(tmp_path / "pairs.tsv")])
    assert result.exit_code == 0, result.output
    assert result.output.splitlines() == [
        "N: 1 of 1 pairs of systems differ (p of at most .05 after Holm's correction)",
        f"1 tests in {tmp_path}/pairs.tsv",
    ]
    (row,) = read_tsv(tmp_path / "pairs.tsv").to_dict("records")
    assert (row["metric"], row["better"], row["p"]) == ("N", "b", 0.007812)  # of 2 / 256, to six digits
    result = CliRunner().invoke(main, [*arguments, "--metrics", "X", "--out", str(tmp_path / "pairs.tsv")])
    assert result.exit_code == 2 and "there is no metric in the scores 'X'" in result.output
