"""Power: exact cases, and the spread of differences beside a loop over studies."""

import numpy as np
import pytest
from made_scores import scores_of

from sera.evaluation.correlation.power import POWER_COLUMNS, metric_power, normal_power


@pytest.mark.checked("power")
def test_normal_power_equals_tables():
    assert normal_power(1.959964 + 0.841621, 1) == pytest.approx(0.8, abs=1e-5)
    assert normal_power(0, 2) == pytest.approx(0.05)
    assert np.isnan(normal_power(1, 0))


def test_the_spread_equals_that_of_a_loop_over_studies():
    random = np.random.default_rng(6)
    truth = np.arange(8) / 4
    judged = truth + random.random((10, 8))
    values = np.array([judged, judged + random.random((10, 8)), truth + 2 * random.random((10, 8))])
    scores = scores_of(**dict(zip("HMN", values, strict=True)))
    table = metric_power(scores, ["M", "N"], "H", resamples=4000)
    assert list(table.columns) == POWER_COLUMNS and len(table) == 3 * 4 * 4
    at = table[(table["coefficient"] == "pearson") & (table["topics"] == 20) & (table["systems"] == 16)]
    differences = []
    for _ in range(2000):
        topics, systems = random.integers(0, 10, 20), random.integers(0, 8, 16)
        h, m, n = values[:, topics].mean(axis=1)[:, systems]
        differences.append(np.corrcoef(m, h)[0, 1] - np.corrcoef(n, h)[0, 1])
    spread = float(at["spread"].iloc[0])
    assert spread == pytest.approx(np.std(differences), rel=0.1)
    assert at["power"].iloc[0] == normal_power(0.05, spread)
    assert normal_power(at["least_difference"].iloc[0], spread) == pytest.approx(0.8, abs=1e-4)
    by_topics = table[(table["coefficient"] == "pearson") & (table["systems"] == 8)]["spread"]
    assert by_topics.is_monotonic_decreasing


def test_too_little_has_no_row():
    few = scores_of(**dict(zip("HMN", np.random.default_rng(0).random((3, 2, 4)), strict=True)))
    assert metric_power(few, ["M", "N"], "H").empty
    assert metric_power(few, ["M"], "H").empty
