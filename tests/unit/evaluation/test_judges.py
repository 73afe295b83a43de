"""Several judges: published values of alpha, and everything else beside loops and by hand."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from sera.evaluation.bootstrap import Bootstrap
from sera.evaluation.correlate import Scores
from sera.evaluation.judges import (
    alpha_draws,
    judge_tables,
    krippendorff_alpha,
    leave_one_out,
    redraw_judges,
)

_ = np.nan
# Krippendorff 2011, Computing Krippendorff's Alpha-Reliability, sections C and D
PUBLISHED = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
        [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
    ]
)


@pytest.mark.parametrize(("scale", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_equals_its_authors_example(scale, alpha, fidelity):
    assert krippendorff_alpha(PUBLISHED, scale) == pytest.approx(alpha, abs=5e-4)
    fidelity("judges: Krippendorff's alpha", "his example", 1, "Krippendorff (2011)", "to three decimals")


def test_alpha_by_hand():
    two = np.array([[1.0, 1, 2], [1.0, 2, 2]])
    # of 6 values 3 are 1 and 3 are 2: 9 * 2 of 6 * 5 ordered pairs differ; of 2 in a unit those of unit 2
    assert krippendorff_alpha(two, "nominal") == pytest.approx(1 - (2 / 6) / (18 / 30))
    assert krippendorff_alpha(two, "interval") == pytest.approx(1 - (2 / 6) / (18 / 30))
    assert krippendorff_alpha(10 * two + 3, "interval") == krippendorff_alpha(two, "interval")
    assert krippendorff_alpha(two**9, "ordinal") == krippendorff_alpha(two, "ordinal")
    assert krippendorff_alpha(np.array([[1.0, 2, 3]] * 2)) == 1
    assert krippendorff_alpha(np.array([[1.0, 2], [2, 1]]), "nominal") == pytest.approx(1 - 1 / (8 / 12))
    for undefined in ([[1, 1], [1, 1]], [[1, 2], [_, _]], [[1], [2]]):
        assert np.isnan(krippendorff_alpha(np.array(undefined, float)))


def test_alpha_of_drawn_topics_equals_that_of_repeated_ones():
    random = np.random.default_rng(1)
    values = random.integers(0, 4, (3, 4, 5)).astype(float)
    found = alpha_draws(values, "ordinal", np.array([[1, 1, 1, 1], [2, 0, 1, 1]]))
    assert found[0] == krippendorff_alpha(values.reshape(3, -1), "ordinal")
    drawn = values[:, [0, 0, 2, 3]].reshape(3, -1)
    assert found[1] == krippendorff_alpha(drawn, "ordinal")


def test_leave_one_out_by_hand():
    # one topic, four systems; the third judge turns the order round
    values = np.array([[[1.0, 2, 3, 4]], [[1, 2, 3, 5]], [[4, 3, 2, 1]]])
    found = leave_one_out(values, "system")
    others = [[2.5, 2.5, 2.5, 3], [2.5, 2.5, 2.5, 2.5], [1, 2, 3, 4.5]]
    assert found[0, 0] == pytest.approx(stats.pearsonr(values[0, 0], others[0]).statistic)
    assert np.isnan(found[1]).all()  # the other two cancel out
    assert found[2, 1] == pytest.approx(-1)
    missing = values.copy()
    missing[2] = np.nan
    assert leave_one_out(missing)[0, 0] == pytest.approx(stats.pearsonr([1, 2, 3, 4], [1, 2, 3, 5]).statistic)
    assert np.isnan(leave_one_out(missing)[2]).all()


def test_redrawn_judges_equal_a_loop():
    random = np.random.default_rng(3)
    x, values = random.random((6, 5)), random.random((4, 6, 5))
    values[1, 2], values[3, :, 1] = np.nan, np.nan
    values[:3, 5, 1] = np.nan  # nobody judges this summary, so its topic is left out
    draws = [random.multinomial(size, np.full(size, 1 / size), 30) for size in (6, 5, 4)]
    (found,) = redraw_judges(x[None], values, *draws)
    for row, topics, systems, judges in zip(found, *draws, strict=True):
        judged = np.repeat(values, judges, axis=0)
        times = (~np.isnan(judged)).sum(axis=0)
        mean = np.where(times > 0, np.nansum(judged, axis=0) / np.maximum(times, 1), np.nan)
        kept = np.repeat(np.arange(6), topics)
        kept = kept[~np.isnan(mean[kept]).any(axis=1)]
        at = np.repeat(np.arange(5), systems)
        one, other = (side[kept].mean(axis=0)[at] if len(kept) else np.ones(5) for side in (x, mean))
        expected = stats.pearsonr(one, other).statistic if np.ptp(one) and np.ptp(other) else np.nan
        assert row[0] == pytest.approx(expected, nan_ok=True)


def frame(values):
    judges, topics, systems = values.shape
    sizes = {"judge": judges, "topic": topics, "system": systems}
    levels = [[f"{name[0]}{number}" for number in range(size)] for name, size in sizes.items()]
    index = pd.MultiIndex.from_product(levels, names=list(sizes))
    return pd.Series(values.ravel(), index, name="score").dropna().reset_index().assign(judgement="H")


def test_the_tables_of_judges():
    random = np.random.default_rng(5)
    truth = random.random((8, 6))
    values = truth + 0.3 * random.random((3, 8, 6))
    table = frame(values)
    means = table.groupby(["topic", "system"], as_index=False)["score"].mean().assign(metric="H")
    scores = Scores.from_table(pd.concat([means, means.assign(metric="M", score=truth.ravel())]))
    found = judge_tables(table, scores, bootstrap=Bootstrap("topics", 50))
    assert list(found) == ["judges", "ceilings", "system_level_judges"]
    (agreement,) = found["judges"].to_dict("records")
    assert (agreement["judges"], agreement["summaries"], agreement["judged_twice"]) == (3, 48, 48)
    assert agreement["alpha_interval"] == krippendorff_alpha(values.reshape(3, -1))
    assert agreement["alpha_interval_low"] < agreement["alpha_interval"] < agreement["alpha_interval_high"]
    assert found["ceilings"]["level"].tolist() == ["system", "summary", "global"]
    ceiling = found["ceilings"].iloc[1]
    assert ceiling["pearson"] == pytest.approx(leave_one_out(values, "summary")[:, 0].mean())
    assert ceiling["pearson_low"] <= ceiling["pearson"] <= ceiling["pearson_high"]
    (row,) = found["system_level_judges"].to_dict("records")
    expected = stats.pearsonr(truth.mean(axis=0), values.mean(axis=(0, 1))).statistic
    assert row["metric"] == "M" and row["pearson"] == pytest.approx(expected)
    assert judge_tables(table[table["judge"] == "j1"], scores) == {}
