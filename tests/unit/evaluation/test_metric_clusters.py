"""Clusters of metrics: WMT's rule by hand, and p beside the paired permutation test of two metrics."""

import numpy as np
import pytest
from made_scores import scores_of

from sera.evaluation.pairs.clusters import clusters_of, metric_clusters, one_sided_p


@pytest.mark.checked("clusters of metrics: WMT's rule")
def test_clusters_by_hand():
    p = np.ones((5, 5))
    assert clusters_of(p) == [1, 1, 1, 1, 1]
    p[0, 2] = 0.05  # the third is below the first, and the fourth below the second, of an earlier cluster
    p[1, 3] = 0.01
    p[3, 4] = 0.04
    assert clusters_of(p) == [1, 1, 2, 2, 3]
    p[0, 1] = np.nan
    assert clusters_of(p) == [1, 1, 2, 2, 3] and clusters_of(np.ones((0, 0))) == []


def test_p_equals_a_loop_over_exchanges(monkeypatch):
    random = np.random.default_rng(3)
    x, judged = random.random((3, 4, 6)), random.random((4, 6))
    exchanged = random.integers(0, 2, (40, 4, 6)).astype(bool)

    class Drawn:
        integers = staticmethod(lambda *_, size, **__: exchanged[: size[0]])

    monkeypatch.setattr("sera.evaluation.pairs.clusters.np.random.default_rng", lambda *_: Drawn)
    found = one_sided_p(x, judged, permutations=40)
    scaled = [(of - of.mean()) / of.std() for of in x]

    def gap(one, other):
        r = [np.corrcoef(of.mean(axis=0), judged.mean(axis=0))[0, 1] for of in (one, other)]
        return r[0] - r[1]

    for i in range(3):
        assert np.isnan(found[0, i, i])
        for j in set(range(3)) - {i}:
            drawn = [
                gap(np.where(swap, scaled[j], scaled[i]), np.where(swap, scaled[i], scaled[j]))
                for swap in exchanged
            ]
            as_great = np.sum(np.array(drawn) >= gap(scaled[i], scaled[j]) - 1e-12)
            assert found[0, i, j] == pytest.approx((1 + as_great) / 41)


def test_a_good_metric_leads_and_what_has_no_topic_is_left_out():
    random = np.random.default_rng(1)
    judged = np.arange(12) / 4 + random.random((30, 12))
    near, noise, other = (random.random((30, 12)) for _ in range(3))
    none, same = np.full((30, 12), np.nan), np.ones((30, 12))
    scores = scores_of(H=judged, good=judged + 0.1 * near, noise=noise, none=none, other=other, same=same)
    table = metric_clusters(scores, scores.metrics[1:], "H", permutations=200)
    rows = table[table["coefficient"] == "spearman"].set_index("metric")
    assert rows.loc["good", ["rank", "cluster", "better_than"]].tolist() == [1, 1, 2]
    assert rows.loc["noise", "cluster"] == rows.loc["other", "cluster"] == 2
    assert "by none" in rows.loc["none", "why_undefined"]
    assert rows.loc["same", "why_undefined"] == "all systems have the same score by same"
    assert (rows["topics"] == 30).all() and rows.loc["good", "why_undefined"] == ""
