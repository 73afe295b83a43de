"""Power: simulated studies have the requested truth, and intervals find it as often as the power says."""

from time import process_time

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT
from scipy import stats

from sera.evaluation import power
from sera.evaluation.bootstrap import Bootstrap, percentile_interval, resample_counts
from sera.evaluation.coefficients import COEFFICIENTS
from sera.evaluation.correlate import correlation
from sera.evaluation.power import (
    Design,
    finds,
    measure_design,
    simulate_study,
    smallest_difference,
    smallest_pooled_difference,
)

RHO = COEFFICIENTS.index("spearman")
SYSTEMS = Design("system", 16, 1, center=0.6, highest=0.9, alike=0.5, judged=1.0, scored=1.0)
SUMMARIES = Design("summary", 9, 12, center=0.3, highest=1.0, alike=0.3, judged=0.2, scored=0.4)


def data(design: Design, difference: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    study = simulate_study(design, difference, np.random.default_rng(seed))
    return study[:2], study[2]


@pytest.mark.parametrize(
    ("design", "difference", "rho"),
    [
        (SYSTEMS, 0.4, (0.8, 0.4)),
        (SYSTEMS, 0.8, (0.9, 0.1)),  # not above the highest
        (SYSTEMS._replace(center=-0.7), 0.8, (-0.1, -0.9)),
        (SUMMARIES, 0.5, (0.55, 0.05)),
    ],
)
def test_a_study_has_the_true_difference(design, difference, rho):
    x, y = data(design._replace(systems=20_000), difference)
    assert correlation(x, y, design.level)[:, RHO] == pytest.approx(rho, abs=0.02)


def test_a_study_has_the_shares_of_systems_and_the_metrics_common_errors():
    x, y = data(SUMMARIES._replace(systems=400, topics=60), 0.0)
    assert [power._split_variance(side)[0] for side in (*x, y)] == pytest.approx([0.4, 0.4, 0.2], abs=0.04)
    measured = measure_design(x, y, "summary")
    assert measured[:5] == ("summary", 400, 10, pytest.approx(0.3, abs=0.051), 1)
    assert measured.alike == pytest.approx(0.3, abs=0.101)


def test_share_of_systems_by_hand():
    # means 1, 2 and 6 of both topics; residuals +-1, -+1 and 0: error 4 / 2; (7 - 2/2) / (6 + 2)
    share, residuals = power._split_variance(np.array([[2.0, 1, 6], [0, 3, 6]]))
    assert (share, *residuals) == (0.75, 1, -1, 0, -1, 1, 0)
    assert power._split_variance(np.array([[1.0, 2, 3], [3, 2, 1]]))[0] == 0


def test_the_highest_rho_comes_from_reliabilities():
    # reliabilities of means over four topics .8 and 0: only common errors are left
    random = np.random.default_rng(3)
    y = random.normal(size=1000) + random.normal(size=(4, 1000))
    noise = random.normal(size=(4, 1000))
    assert measure_design(noise, y, "system").highest == pytest.approx(0, abs=0.1)
    assert measure_design(y, y, "system").highest == 1
    x = y.mean(axis=0) + random.normal(size=(4, 1000))
    assert measure_design(x, y, "system").highest == pytest.approx(0.8, abs=0.05)


def test_resampled_differences_are_those_of_the_coefficients():
    x, y = data(SUMMARIES, 0.2)
    counts = resample_counts(9, 40, 5)
    drawn = np.array([np.repeat(np.arange(9), often) for often in counts])
    found = np.empty(40)
    power._resample(np.stack([*x, y]).argsort(axis=-1), drawn, found)
    expected = correlation(x, y, "summary", topics=np.ones((40, 12), int), systems=counts)[..., RHO]
    assert found == pytest.approx(expected[:, 0] - expected[:, 1], abs=1e-12)


@pytest.mark.parametrize("design", [SYSTEMS, SUMMARIES])
def test_studies_reach_the_verdict_as_often_as_the_power_says(design):
    """With the tool's own interval over systems: better in 80%, hardly ever worse, open in the rest."""
    smallest = power.find_smallest(design, 95.0, 0)
    verdicts = []
    for seed in range(150):
        x, y = data(design, smallest, seed)
        draws = correlation(x, y, design.level, **Bootstrap("systems", 400, seed).draw(y))[..., RHO]
        low, high = percentile_interval(draws[:, 0] - draws[:, 1], 95)
        verdicts.append("yes" if low > 0 else "no" if high < 0 else "open")
    assert verdicts.count("yes") / 150 == pytest.approx(0.8, abs=0.09)  # 2.8 standard errors
    assert verdicts.count("no") == 0


def test_without_a_difference_few_studies_find_one():
    found = np.mean([finds(SYSTEMS, 0.0, 95, 0, number) for number in range(600)])
    assert found == pytest.approx(0.025, abs=0.02)


def test_smallest_difference():
    x, y = data(SYSTEMS._replace(systems=38, topics=20, judged=0.3, scored=0.3), 0.0)
    one, pair = (smallest_difference(scores, y, "system") for scores in (x[0], x))
    assert 0.2 < pair <= one < 0.6 and smallest_difference(x[:1], y, "system") == one
    assert smallest_difference(x, y, "system", confidence=80) < pair
    # half of the systems
    assert smallest_difference(x[..., :19], y[:, :19], "system") > pair
    # too few, one topic, and all equal
    for columns, rows in ((3, 20), (38, 1)):
        assert np.isnan(smallest_difference(x[:, :rows, :columns], y[:rows, :columns], "system"))
    assert np.isnan(smallest_difference(0 * x, y, "system"))
    # five systems never show any
    assert np.isnan(smallest_difference(x[:, :, :5], y[:, :5], "system"))


def test_topics_with_a_gap_are_left_out():
    x, y = data(SUMMARIES, 0.2)
    gap = x.copy()
    gap[0, 4, 2] = np.nan
    kept = np.arange(12) != 4
    assert measure_design(gap, y, "summary") == measure_design(x[:, kept], y[kept], "summary")


def test_a_search_is_fast_and_is_made_once():
    x, y = data(SUMMARIES._replace(systems=16, topics=100), 0.2)
    finds(SUMMARIES, 0.0, 95, 0, 0)  # compiled
    start = process_time()
    found = smallest_difference(x, y, "summary")
    middle = process_time()
    assert smallest_difference(x, y, "summary") == found
    assert process_time() - middle < 0.2 and middle - start < 4  # 1.1 s on one core


@pytest.mark.parametrize(("degrees", "confidence"), [(1, 95), (4, 95), (6, 90), (30, 95)])
def test_smallest_pooled_difference_has_the_power_by_scipy(degrees, confidence):
    effect = smallest_pooled_difference(0.05, degrees, confidence)
    border = stats.t.ppf((100 + confidence) / 200, degrees)
    assert stats.nct.sf(border, degrees, effect / 0.05) == pytest.approx(0.8, abs=1e-6)
    if degrees == 30:
        assert effect / 0.05 == pytest.approx(1.96 + 0.84, abs=0.11)


def test_the_documentation_has_the_simulated_shares():
    found = pd.read_csv(ROOT / "bench/intervals.tsv", sep="\t").query("families == 0")
    page = (ROOT / "docs/statistics.md").read_text(encoding="utf-8")
    rows = {
        "interval: percentile over systems (default)": "percentile, systems",
        "percentile over topics": "percentile, topics",
        "percentile over both": "percentile, systems and topics",
        "test: PERM-SYSTEMS": "PERM-SYSTEMS",
        "PERM-BOTH": "PERM-BOTH",
    }
    sizes = [(9, 20), (16, 20), (16, 100), (38, 20), (55, 20)]
    equal = found[found["reliabilities"] == "equal"].set_index(["method", "metrics", "systems", "topics"])
    for name, method in rows.items():
        cells = [
            ", ".join(
                f"{equal['finds'][method, kind, *size]:.3f}".lstrip("0") for kind in ("equal", "different")
            )
            for size in sizes
        ]
        assert f"| {name} | {' | '.join(cells)} |\n" in page
    held = found[found["method"] == "percentile, systems"]
    as_many, endless = held["contains_as_many_topics"], held["contains_endless_topics"]
    assert (
        f"the true difference in {100 * as_many.min():.0f} to {100 * as_many.max():.0f}% of studies" in page
    )
    assert f"contain the difference in {100 * endless.min():.0f} to {100 * endless.max():.0f}%" in page
