"""Partial correlation beside the closed formula of one control and a plain loop."""

import numpy as np
import pytest
from made_scores import scores_of
from scipy import stats

from sera.evaluation.correlation.partial import partial_correlation, partial_correlations, properties
from sera.io.records import Candidate, Section, Source


def of_one(x, y, controls):
    return partial_correlation(np.array([x]), np.array(y), np.array(controls))[0]


def first_order(x, y, z):
    """The textbook formula from three correlations."""
    xy, xz, yz = (np.corrcoef(*pair)[0, 1] for pair in ((x, y), (x, z), (y, z)))
    return (xy - xz * yz) / np.sqrt((1 - xz**2) * (1 - yz**2))


@pytest.mark.checked("partial correlation")
def test_one_control_equals_the_textbook_formula():
    x, y, z = [1.0, 2, 4, 3, 6], [2.0, 1, 3, 5, 6], [1.0, 2, 3, 4, 5]
    found = of_one(x, y, [z])
    # sums of products of deviations: xx 14.8, yy 17.2, zz 10, xy 12.6, xz 11, yz 12
    assert found[0] == pytest.approx(
        (12.6 - 11 * 12 / 10) / np.sqrt((14.8 - 11**2 / 10) * (17.2 - 12**2 / 10))
    )
    assert found[0] == pytest.approx(first_order(x, y, z))
    assert found[1] == pytest.approx(first_order(*map(stats.rankdata, (x, y, z))))
    assert of_one([*x, 9.0], [*y, np.nan], [[*z, 7.0]]) == pytest.approx(found)


def test_two_controls_equal_the_formula_applied_twice():
    x, y, z, w = np.random.default_rng(2).random((4, 9))
    xy, xw, yw = first_order(x, y, z), first_order(x, w, z), first_order(y, w, z)
    expected = (xy - xw * yw) / np.sqrt((1 - xw**2) * (1 - yw**2))
    assert of_one(x, y, [z, w])[0] == pytest.approx(expected)


def test_what_controls_explain_or_too_few_items_is_undefined():
    x, y = np.array([1.0, 2, 4, 3, 6]), np.array([2.0, 1, 3, 5, 6])
    assert np.isnan(of_one(x, y, [2 * x + 1])).all()
    assert np.isnan(of_one(x[:3], y[:3], [[1.0, 1, 2]])).all()


def test_levels_and_controls():
    random = np.random.default_rng(7)
    texts = [
        ["a b", "c a", "b", "a b c d", "x y z w v", "a x c y"],
        ["q r", "q", "r s t", "x", "q s", "t r q r"],
    ]
    candidates = [
        Candidate(str(topic), f"s{number}", (text,))
        for topic, row in enumerate(texts)
        for number, text in enumerate(row)
    ]
    sources = [Source("0", "i", sections=(Section("", ("a b c d",)),))]
    table = properties(candidates, sources)
    assert table.iloc[3].tolist() == ["0", "s3", 4, 1.0, 4.0]
    assert table["coverage"].isna().sum() == 6  # the second topic has no article
    h, m = random.random((2, 2, 6))
    scores = scores_of(topics="01", H=h, M=m)
    found = partial_correlations(scores, [("M", "H")], table).set_index(["level", "controls"])
    assert len(found) == 9
    lengths = table["length"].to_numpy(float).reshape(2, 6)
    both = found.loc[("system", "length")]
    assert both["partial_pearson"] == pytest.approx(first_order(m.mean(0), h.mean(0), lengths.mean(0)))
    assert both["pearson"] == pytest.approx(np.corrcoef(m.mean(0), h.mean(0))[0, 1])
    by_topic = [first_order(m[topic], h[topic], lengths[topic]) for topic in (0, 1)]
    assert found.loc[("summary", "length"), "partial_pearson"] == pytest.approx(np.mean(by_topic))
    flat = first_order(m.ravel(), h.ravel(), lengths.ravel())
    assert found.loc[("global", "length"), "partial_pearson"] == pytest.approx(flat)
    assert found.loc[("system", "extractiveness"), "pearson"] == pytest.approx(np.corrcoef(m[0], h[0])[0, 1])
    assert found.loc[("global", "length and extractiveness"), "items"] == 6
    assert len(partial_correlations(scores, [("M", "H")], properties(candidates, []))) == 3  # length alone
