"""Ties of scores: what counts as equal, in whatever unit a metric is written."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from made_scores import scores_of

from sera.evaluation.bootstrap import Bootstrap
from sera.evaluation.coefficients import coefficients
from sera.evaluation.correlate import correlation
from sera.evaluation.discrimination import compare_systems
from sera.evaluation.evaluate import FURTHER_TABLES, JUDGE_TABLES, TABLE_NAMES, TEXT_TABLES, evaluation_tables
from sera.evaluation.pairwise import accuracy_draws, pairwise_accuracy
from sera.evaluation.preferences import preference_table
from sera.evaluation.ties import mean_scores, merge_ties, typical_size

IN_UNITS = {"epsilon", "epsilon_by_system", "epsilon_of_all", "close_difference"}


def test_the_typical_size_is_the_median():
    assert typical_size(np.array([3.0, -5, 9])).item() == 5
    assert (
        typical_size(np.array([0, 0, 0, 0.3, np.nan])).item() == 0.3
    )  # what is 0 or undefined does not count
    assert typical_size(np.array([1e-17, 1e-17, 0.3])).item() == 0.3  # nor what is 0 but for round-off
    assert typical_size(np.array([[1e-300, 3e-300], [8, 9]]), axes=1).tolist() == [[1e-300], [8]]
    assert typical_size(np.zeros((2, 0)), axes=1).tolist() == [[0], [0]]


def test_neighbours_are_merged_by_their_gap():
    ulp = 2.0**-52
    assert merge_ties([1 + ulp, 1, 2, np.nan, 1 + 2e-12])[[0, 1, 2, 4]].tolist() == [1, 1, 2, 1 + 2e-12]
    assert np.isnan(merge_ties([np.nan, np.nan])).all()
    assert merge_ties([1.0, 1 + 0.8e-12, 1 + 1.6e-12]).tolist() == [1, 1, 1]  # a chain is one tie
    assert merge_ties([[1e15, 1e15 + 1, 1, 1 + 1e-9]]).tolist() == [[1e15, 1e15, 1, 1 + 1e-9]]
    assert merge_ties([]).tolist() == []


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        ([1e-15, 2e-15, 3e-15], [1, 1, 1]),
        ([1.0e-12, 1.4e-12, 1.8e-12], [1, 1, 1]),
        ([1e300, 2e300, 3e300], [1, 1, 1]),
        ([-3e-200, -2e-200, -1e-200], [1, 1, 1]),
        ([1e9 + 1e-4, 1e9 + 2e-4, 1e9 + 3e-4], [np.nan] * 3),  # 1e-13 of the scores apart: round-off
        # tau-b of a tie on one side: 2 / sqrt(2 * 3), and rho the same as r of 1.5, 1.5, 3
        ([3e6, 3e6 + 2.0**-31, 4e6], [np.sqrt(0.75), np.sqrt(0.75), np.sqrt(2 / 3)]),
    ],
)
def test_coefficients_do_not_depend_on_the_unit(x, expected):
    scores = scores_of(X=[x], Y=[[1.0, 2, 3]])
    found = coefficients(scores.metric("X")[0], scores.metric("Y")[0])[:3]
    assert found == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_a_score_far_from_the_others_ties_none_of_them():
    x, y = np.array([[1.0, 2, 3, 1e15], [2.0, 3, 4, 3e15]]), np.array([[1.0, 2, 3, 4]] * 2)
    assert correlation(x, y, "system")[1:3].tolist() == [1, 1]
    assert correlation(x, y, "summary")[1:3].tolist() == [1, 1]
    assert pairwise_accuracy(x[0], y[0]) == 1
    assert accuracy_draws(x, y, np.array([[1, 1]]), np.ones((1, 4), int)).tolist() == [1]


def test_what_is_zero_but_for_round_off_on_a_topic_is_a_tie():
    nothing = 0.1 + 0.2 - 0.3  # 5.6e-17
    x, y = np.array([[0.1, 0.2, 0.3], [nothing, 0, -nothing]]), np.array([[1.0, 2, 3]] * 2)
    scores = scores_of(X=x, Y=y)
    found = correlation(scores.metric("X"), scores.metric("Y"), "summary")[:3]
    assert found == pytest.approx([1, 1, 1])  # of the first topic
    cancelled = np.array([[0.1, 0.3, 0.2], [0.2, -0.1, 0.1], [-0.3, -0.2, -0.3]])
    assert len(set(cancelled.mean(axis=0))) > 1  # 0 on paper
    assert np.isnan(correlation(cancelled, np.array([[1.0, 2, 3]] * 3), "system")).all()


def test_means_that_are_equal_on_paper_are_tied_at_the_border_of_a_grid():
    """Five-decimal scores of two systems over 256 topics, in another order and changed by pairs."""
    random = np.random.default_rng(3)
    grid_would_lose = 0
    for _ in range(40):
        one = random.integers(0, 100_000, 256)
        moved = random.integers(-20, 20, 128)
        other = random.permutation(one) + np.concatenate([moved, -moved])
        third = one + random.permutation([0] * 255 + [1])  # a mean that is greater by 1e-5 / 256
        exact = [sum(Fraction(int(score), 100_000) for score in side) / 256 for side in (one, other, third)]
        assert exact[0] == exact[1] < exact[2]
        x = np.array([one, other, third]).T / 100_000
        y = np.array([[1.0, 1, 2]] * 256)
        means = mean_scores(x)
        grid_would_lose += len(set(np.round(x.mean(axis=0), 12))) == 3
        assert correlation(x, y, "system")[2] == 1
        assert pairwise_accuracy(means, y[0]) == 1
        assert compare_systems(scores_of(X=x), ["X"])["p"][0] == 1
    assert grid_would_lose > 0


def _study() -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Scores of four metrics, one always 0.1, (topic, system), and those of three judges."""
    random = np.random.default_rng(7)
    quality = random.normal(size=8)
    shape = (14, 8)
    near = np.round(0.4 + 0.1 * quality + random.normal(0, 0.15, shape), 5)
    signed = np.round(quality + random.normal(0, 1.5, shape), 1)
    signed[3, 2] = signed[5, 5] = 0
    offset = np.round(30 - 2 * quality + random.normal(0, 3, shape), 2)
    offset[6, 1] = np.nan
    judges = np.clip(np.round(3 + quality + random.normal(0, 0.8, (3, *shape))), 1, 5)
    return {"near": near, "signed": signed, "offset": offset, "same": np.full(shape, 0.1)}, judges


def _tables(of_metrics: float, of_judges: float) -> dict[str, pd.DataFrame]:
    """All tables of the study, with the scores in other units."""
    metrics, judges = _study()
    by = judges.mean(axis=0) * of_judges
    scores = scores_of(**{name: x * of_metrics for name, x in metrics.items()}, by=by)
    names = [(topic, system) for topic in scores.topics for system in scores.systems]
    summaries = pd.DataFrame(names, columns=["topic", "system"])
    lengths = np.random.default_rng(1).integers(50, 250, len(names))
    summaries = summaries.assign(length=lengths, coverage=(lengths % 7) / 7, density=lengths % 11)
    single = pd.concat(
        summaries[["topic", "system"]].assign(
            judgement="by", judge=f"j{number}", score=of.ravel() * of_judges
        )
        for number, of in enumerate(judges)
    )
    found = evaluation_tables(
        scores,
        ["by"],
        [*TABLE_NAMES, *FURTHER_TABLES, *TEXT_TABLES, *JUDGE_TABLES],
        falling=["offset"],
        bootstrap=Bootstrap("both", 40, 3),
        top=[4],
        compared=list(metrics),
        summaries=summaries,
        judges=single,
    )
    table = pd.concat(
        summaries[["topic", "system"]].assign(metric=name, score=scores.metric(name).ravel())
        for name in metrics
    )
    pairs = [(topic, one, other) for topic in scores.topics for one, other in (("s0", "s1"), ("s2", "s3"))]
    preferences = pd.DataFrame(pairs, columns=["topic", "system_a", "system_b"])
    preferences = preferences.assign(judge="", preference=["A", "B", "tie", "B"] * 7)
    found["preferences"] = preference_table(preferences, table, resamples=40)
    found["compare"] = compare_systems(scores, list(metrics), falling=["offset"])
    return found


@pytest.fixture(scope="module")
def tables() -> dict[str, pd.DataFrame]:
    return _tables(1, 1)


@pytest.mark.parametrize("power", [-300, -3, 12])
@pytest.mark.parametrize("scaled", ["metrics", "judgement", "both"])
def test_no_table_depends_on_the_unit_of_the_scores(tables, power, scaled):
    unit = float(f"1e{power}")
    of_metrics, of_judges = (1.0 if scaled == other else unit for other in ("judgement", "metrics"))
    found = _tables(of_metrics, of_judges)
    assert found.keys() == tables.keys()
    for name, expected in tables.items():
        assert not expected.empty
        for column in expected.columns:
            mine, other = found[name][column], expected[column]
            in_units = column in IN_UNITS or (
                name == "compare" and column in ("mean", "other_mean", "difference")
            )
            if in_units:
                mine = mine / of_metrics
            if pd.api.types.is_numeric_dtype(other) and not pd.api.types.is_bool_dtype(other):
                assert mine.to_numpy() == pytest.approx(other.to_numpy(), rel=1e-9, abs=1e-9, nan_ok=True), (
                    name,
                    column,
                )
            else:
                assert mine.tolist() == other.tolist(), (name, column)


def test_equal_scores_have_no_correlation_in_any_table(tables):
    for name in ("system_level", "summary_level", "global_level"):
        same = tables[name].set_index("metric").loc["same"]
        assert same[["pearson", "spearman", "kendall", "ndcg"]].isna().all()
