"""The released tables of the matrix: docs/matrix.md shows them, and a second hand pools them alike."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import ROOT
from scipy import optimize, stats

from sera.evaluation.tables import read_tsv
from study.matrix.page import write_document
from study.published import MATRIX_RELEASED, POOLED_RELEASED


@pytest.fixture(scope="module")
def tables():
    folder = (ROOT / POOLED_RELEASED).parent
    return {name.removesuffix(".tsv"): read_tsv(folder / name) for name in MATRIX_RELEASED}


def test_every_number_of_the_document_is_released(tables, tmp_path):
    """If not: `python -m study publish matrix` writes docs/matrix.md."""
    named = {name: table for name, table in tables.items() if name != "benchmarks"}
    write_document(tmp_path / "matrix.md", 95.0, facts=tables["benchmarks"], **named)
    written = (tmp_path / "matrix.md").read_text(encoding="utf-8")
    assert written == (ROOT / "docs/matrix.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("level", ["system", "summary"])
def test_a_second_hand_pools_the_releases(tables, level):
    releases = tables["releases"].query("level == @level")
    pooled = tables["pooled"].query("level == @level and contrast == 'means'").set_index("left_out")
    assert set(pooled.index) == {"", *releases["release"]} and len(releases) > 5
    for left_out, row in pooled.iterrows():
        kept = releases[releases["release"] != left_out]
        effects, variances, k = kept["effect"].to_numpy(), kept["se"].to_numpy() ** 2, len(kept)

        def pool(tau_squared, effects=effects, variances=variances):
            """The mean, its error by the normal distribution, and Cochran's Q."""
            weights = 1 / (variances + tau_squared)
            mean = np.average(effects, weights=weights)
            return mean, weights.sum() ** -0.5, weights @ (effects - mean) ** 2

        def excess(tau_squared, pool=pool, k=k):
            return pool(tau_squared)[2] - (k - 1)

        # of differences from -2 to 2, no variance is above 4
        tau_squared = 0.0 if excess(0) <= 0 else optimize.brentq(excess, 0, 4, xtol=1e-12)
        # Q is at most k - 1, so Hartung and Knapp's error is not above this one, which then counts
        mean, error, _ = pool(tau_squared)
        assert (row["effect"], row["tau_squared"]) == pytest.approx((mean, tau_squared), abs=1e-5)
        ends = stats.t.interval(0.95, k - 1, mean, error)
        assert (row["low"], row["high"]) == pytest.approx(ends, abs=2e-5)
        further = stats.t.interval(0.95, k - 2, mean, np.sqrt(error**2 + tau_squared))
        assert (row["prediction_low"], row["prediction_high"]) == pytest.approx(further, abs=5e-5)
        power = stats.nct.sf(stats.t.ppf(0.975, k - 1), k - 1, row["smallest"] / error)
        assert power == pytest.approx(0.8, abs=1e-3)
