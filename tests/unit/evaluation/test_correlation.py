"""Correlations of several metrics, intervals by hand, and the reasons of undefined ones."""

import numpy as np
import pytest
from made_scores import scores_of
from scipy import stats

from sera.evaluation.bootstrap import Bootstrap, percentile_interval
from sera.evaluation.coefficients import COEFFICIENTS, coefficients
from sera.evaluation.correlate import LEVELS, correlate, correlation
from sera.evaluation.partial import partial_correlation, partial_correlations, properties
from sera.io.records import Candidate, Section, Source


@pytest.mark.parametrize("items", [4, 60])
def test_coefficients_of_arrays_that_are_broadcast_are_those_of_each_pair(items):
    random = np.random.default_rng(8)
    x, y = np.round(random.random((3, 1, items)), 1), np.round(random.random((5, items)), 1)
    weights = random.integers(0, 3, (5, items))
    x[0, 0, 1], y[2, 3] = np.nan, np.nan
    found = coefficients(x, y, weights)
    assert found.shape == (3, 5, len(COEFFICIENTS))
    for metric in range(3):
        for row in range(5):
            alone = coefficients(x[metric, 0], y[row], weights[row])
            assert np.array_equal(found[metric, row], alone, equal_nan=True)


@pytest.mark.parametrize("level", LEVELS)
def test_correlations_of_several_metrics_are_those_of_each(level):
    random = np.random.default_rng(9)
    x, y = np.round(random.random((3, 6, 5)), 1), np.round(random.random((6, 5)), 1)
    bootstrap = Bootstrap("both", 20, 1)
    for drawn in ({}, {"topics": bootstrap.draw_topics(6), "systems": bootstrap.draw_systems(5)}):
        found = correlation(x, y, level, **drawn)
        for metric, scores in enumerate(x):
            alone = correlation(scores, y, level, **drawn)
            assert np.array_equal(found[..., metric, :], alone, equal_nan=True)


def test_undefined_draws_are_counted():
    # of one topic both metrics are the same for all systems: draws of it alone are undefined
    scores = scores_of(M=[[1, 1, 1], [1, 2, 3]], P=[[1, 1, 1], [1, 3, 2]])
    table = correlate(scores, [("M", "P")], bootstrap=Bootstrap("topics", 200))
    draws = np.random.default_rng(0).multinomial(2, [0.5, 0.5], size=200)
    assert table.loc[0, "undefined_draws"] == (draws[:, 0] == 2).sum() > 20


@pytest.mark.parametrize(
    ("values", "confidence", "expected"),
    [
        ([*range(101)], 95, (2.5, 97.5)),  # 2.5 of 100 steps: between the third value and the fourth
        ([*range(101)], 98, (1, 99)),
        ([30, np.nan, 10, 20, np.nan], 50, (15, 25)),  # a quarter of two steps is half a step
        ([7, np.nan], 95, (7, 7)),
    ],
)
def test_percentile_interval_by_hand(values, confidence, expected):
    assert percentile_interval(np.array(values, float), confidence) == expected


NAN = float("nan")
UP, DOWN = [1, 2, 3], [3, 2, 1]
ON_NO_TOPIC = "on no topic do all systems have a score by X and by Y"
ONES, TWOS = [1, 1, 1], [2, 2, 2]


@pytest.mark.parametrize(
    ("x", "y", "level", "why"),
    [
        ([UP, DOWN], [UP, [1, 2, 4]], "system", "all systems have the same score by X"),
        ([[1, 2]], [[1, 2]], "system", "fewer than three systems have a score by X and by Y"),
        ([[1, 2, NAN], [NAN, 2, 1]], [UP, UP], "system", ON_NO_TOPIC),
        ([[1, 2, 4]], [[-1, 0, 1]], "system", "NDCG: a score by Y is negative"),
        ([ONES, TWOS], [UP, UP], "summary", "all systems of a topic have the same score by X"),
        ([ONES, [2, NAN, 2]], [UP, UP], "summary", "each topic has too few scores, or the same ones"),
        ([[1, 1], [1, 1]], [[1, 2], [3, 4]], "global", "all summaries have the same score by X"),
    ],
)
def test_an_undefined_coefficient_has_its_reason(x, y, level, why):
    table = correlate(scores_of(X=x, Y=y), [("X", "Y")], level=level, bootstrap=Bootstrap("topics", 2))
    (row,) = table.to_dict("records")
    assert row["why_undefined"] == why
    assert bool(why) == any(np.isnan(row[name]) for name in COEFFICIENTS)


def test_coefficients_of_two_drawn_topics_by_hand():
    x = np.array([[1.0, 2.0], [3.0, 3.0]])
    y = np.array([[1.0, 3.0], [2.0, 4.0]])
    topics, systems = np.array([[1, 1], [2, 0], [0, 2]]), np.ones((3, 2), int)
    drawn = correlation(x, y, "global", topics=topics, systems=systems)
    # x 1 2 3 3 and y 1 3 2 4: means 2.25 and 2.5, squares 2.75 and 5, products 2.5
    assert drawn[0, 0] == pytest.approx(2.5 / np.sqrt(2.75 * 5))
    # ranks 1 2 3.5 3.5 and 1 3 2 4: squares 4.5 and 5, products 3
    assert drawn[0, 1] == pytest.approx(3 / np.sqrt(4.5 * 5))
    # of six pairs four are concordant, one is discordant, one is tied by x
    assert drawn[0, 2] == pytest.approx(3 / np.sqrt(5 * 6))
    weights = 1 / np.log2([2, 3, 4, 5])
    found = (2 + 4) * (weights[0] + weights[1]) / 2 + 3 * weights[2] + 1 * weights[3]
    assert drawn[0, 3] == pytest.approx(found / (weights @ [4, 3, 2, 1]))
    assert drawn[1] == pytest.approx([1, 1, 1, 1])  # 1 1 2 2 beside 1 1 3 3
    assert np.isnan(drawn[2]).all()  # one score by x


# Partial correlation


def of_one(x, y, controls):
    return partial_correlation(np.array([x]), np.array(y), np.array(controls))[0]


def first_order(x, y, z):
    """The textbook formula from three correlations."""
    xy, xz, yz = (np.corrcoef(*pair)[0, 1] for pair in ((x, y), (x, z), (y, z)))
    return (xy - xz * yz) / np.sqrt((1 - xz**2) * (1 - yz**2))


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


def test_partial_correlation_by_formula():
    x, y, z, w = np.random.default_rng(2).random((4, 9))
    xy, xw, yw = first_order(x, y, z), first_order(x, w, z), first_order(y, w, z)
    expected = (xy - xw * yw) / np.sqrt((1 - xw**2) * (1 - yw**2))
    assert of_one(x, y, [z, w])[0] == pytest.approx(expected)
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
