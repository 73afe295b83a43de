"""The test of the whole curve under the null (tests/workflow/test_multiverse.py permutes whole studies)."""

from __future__ import annotations

import numpy as np
import pytest
from made_universes import made_universe
from scipy import stats

from study.claims import multiverse as claims
from study.multiverse import null_curve


def test_p_under_the_null_by_hand():
    found = np.full((3, 5, len(claims.OUTCOMES)), np.nan)
    # three universes, their own effects and those of four permutations
    found[:, :, 0] = [[0.1, 0.2, -0.1, 0.0, 0.3], [0.2, 0.3, -0.2, -0.1, 0.1], [0.3, 0.1, 0.2, -0.3, 0.2]]
    table = null_curve.null_table(found, np.array([1.0, 1.0, 2.0]))
    row = table.iloc[0]
    # medians: .25 (half of the weight lies on 0.3), .15, .05, -.2, .2; shares: 1, 1, .5, 0, 1
    assert (row["median"], row["share"]) == (pytest.approx(0.25), 1)
    assert (row["p_median"], row["p_share"]) == (1 / 5, 3 / 5)
    assert row["null_median"] == pytest.approx((0.15 + 0.05 - 0.2 + 0.2) / 4)
    assert row["p_contrary"] == 1  # no median is lower
    assert row["holm_median"] == 1 / 5  # the other claims are undefined: no tests
    assert np.isnan(table.iloc[1]["p_median"])


def made_curve(level: str, effect: float, seed: int) -> float:
    """The p of SERA above ROUGE by r in a made study: SERA follows Pyramid by so much, ROUGE not at all."""
    random = np.random.default_rng(seed)
    systems, universes = 8, 3
    quality = random.normal(size=systems)
    found = []
    assignments = null_curve.orders(39, systems, seed=seed)
    for _ in range(universes):
        # errors of a system, which all its summaries share
        x = random.normal(size=(len(claims.METRICS), 4, systems)) + random.normal(size=(1, 1, systems))
        x[-len(claims.SERA) :] += effect * quality
        judged = quality + 0.5 * random.normal(size=(4, systems))
        universe, cells = made_universe(x, judged, level)
        found.append(null_curve.permuted_effects(universe, cells, universe["members"], assignments))
    table = null_curve.null_table(np.stack(found), np.ones(universes))
    place = claims.outcome_number("sera_above_rouge", "pearson")
    return float(table["p_median"].iloc[place])


@pytest.mark.slow
@pytest.mark.parametrize("level", ["system", "summary", "global"])
def test_p_is_uniform_without_an_effect_and_finds_a_planted_one(level):
    p = np.array([made_curve(level, 0.0, seed) for seed in range(80)])
    assert stats.kstest(p - np.random.default_rng(1).random(80) / 40, "uniform").pvalue > 0.01
    assert (p <= 0.05).mean() <= 0.1
    assert np.mean([made_curve(level, 2.0, seed) <= 0.05 for seed in range(8)]) >= 0.75
