"""The two tests of the whole curve (tests/workflow/test_multiverse.py has whole studies)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from sera.evaluation.correlate import Scores
from study.claims import multiverse as claims
from study.multiverse import permutation_tests
from study.multiverse.choices import SCORE_PARTS, Universe, cell_key
from study.multiverse.universes import Cells

ROUGE, SERA = slice(21), slice(21, 33)
LEVELS = ("system", "summary", "global")


def made(seed: int, topics: int, systems: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    return random.random((33, topics, systems)), random.random((topics, systems))


def made_universe(
    x: np.ndarray, y: np.ndarray, level: str, members: tuple[str, ...] = ()
) -> tuple[Universe, Cells]:
    """A universe and its cells; ``x``: the scores of `METRICS`, (metric, topic, system), ``y``: Pyramid's.

    Systems are ``s0``, ``s1`` and so on; ``members`` are all if not given.
    """
    names = [f"s{number}" for number in range(x.shape[2])]
    of_parts = {
        **{part: ([], x[:0]) for part in SCORE_PARTS},
        "pyramid": (["Pyramid"], y[None]),
        "rouge": (claims.METRICS[:21], x[:21]),
        "plain": (claims.METRICS[21:], x[21:]),
    }
    universe = {name: 0 for of in SCORE_PARTS.values() for name in of}
    universe |= {"systems": "all", "level": level, "members": members or tuple(names), "rouge_side": "all"}
    topics = tuple(f"t{number}" for number in range(x.shape[1]))
    cells = {
        cell_key(universe, part): Scores(tuple(metrics), topics, tuple(names), values)
        for part, (metrics, values) in of_parts.items()
    }
    return universe, cells


def correlations(x: np.ndarray, y: np.ndarray) -> list[float]:
    return [of(x, y).statistic for of in (stats.pearsonr, stats.spearmanr, stats.kendalltau)]


def test_pairs_count_every_variant_of_a_family_alike():
    drawn = permutation_tests.draw_exchanges(50, 3, 4, seed=1)
    assert drawn.sera.shape == drawn.rouge.shape == (51, 30)  # 12 + 21 ends of parts, 3 of them common
    for row in range(51):
        of = np.bincount(drawn.sera[row], drawn.weights, 33) + np.bincount(
            drawn.rouge[row], drawn.weights, 33
        )
        assert of[SERA] == pytest.approx([1 / 12] * 12) and of[ROUGE] == pytest.approx([1 / 21] * 21)
        assert drawn.sera[row].min() == 21 and drawn.rouge[row].max() == 20
    assert len({tuple(row) for row in drawn.rouge}) == 51


@pytest.mark.parametrize("level", LEVELS)
def test_effects_are_those_of_exchanged_parts_of_scores(level):
    """The definition, with means in loops and SciPy's coefficients."""
    x, y = made(1, 3, 5)
    drawn = permutation_tests.draw_exchanges(4, 3, 5, seed=2)
    found = permutation_tests.correlate_exchanges(x, y, level, drawn)
    if level == "system":
        x, y = x.mean(axis=1, keepdims=True), y.mean(axis=0, keepdims=True)
    axis = (1, 2) if level == "global" else 2
    z = (x - x.mean(axis=axis, keepdims=True)) / x.std(axis=axis, keepdims=True)
    topics, systems = z.mean(axis=2, keepdims=True), z.mean(axis=1, keepdims=True)
    rests = z - topics - systems
    for row in range(5):
        expected = np.zeros(3)
        for sera, rouge, weight in zip(drawn.sera[row], drawn.rouge[row], drawn.weights, strict=True):
            # half the difference of the two, each part with the other sign if it is exchanged
            half = [(part[sera] - part[rouge]) / 2 for part in (topics, systems, rests)]
            of_rests = np.where(drawn.rests[row, : len(y)], half[2], 0)
            centred = of_rests - of_rests.mean(axis=0) - of_rests.mean(axis=1)[:, None] + of_rests.mean()
            apart = np.where(drawn.topics[row, : len(y), None], -half[0], half[0])
            apart = apart + np.where(drawn.systems[row], -half[1], half[1]) + half[2] - 2 * centred
            apart = apart * (1 if row == 0 else np.sqrt(5 / 3))
            middle = (z[sera] + z[rouge]) / 2
            if level == "global":
                sides = [correlations((middle + sign * apart).ravel(), y.ravel()) for sign in (1, -1)]
            else:
                sides = [
                    np.mean([correlations(*of) for of in zip(middle + sign * apart, y, strict=True)], axis=0)
                    for sign in (1, -1)
                ]
            expected += weight * (np.array(sides[0]) - sides[1])
        assert found[row] == pytest.approx(expected)


@pytest.mark.parametrize("level", LEVELS)
def test_without_an_exchange_the_effect_is_the_claims(level):
    x, y = made(3, 4, 6)
    found = permutation_tests.correlate_exchanges(x, y, level, permutation_tests.draw_exchanges(1, 4, 6))[0]
    if level == "system":
        table = [correlations(of.mean(axis=0), y.mean(axis=0)) for of in x]
    elif level == "summary":
        table = [np.mean([correlations(*each) for each in zip(of, y, strict=True)], axis=0) for of in x]
    else:
        table = [correlations(of.ravel(), y.ravel()) for of in x]
    effects = claims.effects(np.array(table))
    places = [claims.outcome_number("sera_above_rouge", name) for name in ("pearson", "spearman", "kendall")]
    assert found == pytest.approx(effects[places])


def test_a_summary_without_a_score_is_exchanged_by_nobody():
    x, y = made(4, 4, 6)
    drawn = permutation_tests.draw_exchanges(6, 4, 6)
    lacking = x.copy()
    lacking[25, 1, 2] = np.nan  # a SERA's
    of_all, without_judgement = x.copy(), y.copy()
    of_all[:, 1, 2] = without_judgement[1, 2] = np.nan
    for level in LEVELS:
        found = permutation_tests.correlate_exchanges(lacking, y, level, drawn)
        assert not np.isnan(found).any()
        assert np.array_equal(found, permutation_tests.correlate_exchanges(of_all, y, level, drawn))
        assert np.array_equal(
            found, permutation_tests.correlate_exchanges(x, without_judgement, level, drawn)
        )
    # at the level of systems, the topic goes
    whole = replace(drawn, topics=drawn.topics[:, 1:], rests=drawn.rests[:, 1:])
    kept = [0, 2, 3]
    expected = permutation_tests.correlate_exchanges(x[:, kept], y[kept], "system", whole)
    assert permutation_tests.correlate_exchanges(lacking, y, "system", drawn) == pytest.approx(expected)


def test_a_universe_with_some_systems_has_their_exchanges():
    x, y = made(7, 3, 7)
    systems = ["baseline", *(f"s{number}" for number in range(7))]
    drawn = permutation_tests.draw_exchanges(5, 3, 8)
    universe, cells = made_universe(x, y, "global", members=("s1", "s3", "s4", "s6"))
    found = permutation_tests.exchanged_effects(universe, cells, systems, drawn)
    of = [1, 3, 4, 6]
    expected = permutation_tests.correlate_exchanges(
        x[:, :, of], y[:, of], "global", drawn.select_systems([2, 4, 5, 7])
    )
    assert np.array_equal(found, expected)


def test_p_of_the_difference_by_hand():
    found = np.full((3, 4, 3), np.nan)
    # three universes by r; the third has no own effect
    found[:2, :, 0] = [[0.2, 0.1, -0.1, 0.3], [0.4, 0.1, 0.3, 0.3]]
    found[:2, :, 1] = [[-0.2, 0.1, 0.1, 0.3], [-0.4, 0.1, 0.3, 0.3]]
    table = permutation_tests.exchange_table(found, np.ones(3))
    row = table.iloc[0]
    assert (row["claim"], row["coefficient"]) == ("sera_above_rouge", "pearson")
    assert (row["universes"], row["undefined"], row["exchanges"]) == (3, 1, 3)
    # the medians are .3, .1, .1 and .3, the shares 1, 1, .5 and 1
    assert row["median"] == pytest.approx(0.3) and row["exchanged_median"] == pytest.approx(0.5 / 3)
    assert (row["p_median"], row["p_contrary"], row["p_share"]) == (2 / 4, 1, 3 / 4)
    # by rho -.3, .1, .2 and .3: a p of the contrary of 1 / 4, twice the other
    assert table.iloc[1]["p_contrary"] == 1 / 4 and table.iloc[1]["p_median"] == 1
    assert list(table["holm_contrary"][:2]) == [1, 2 / 4] and list(table["holm_median"][:2]) == [1, 1]
    assert np.isnan(table.iloc[2]["p_median"]) and table.iloc[2]["undefined"] == 3


def p_of_made_curve(level: str, seed: int, ahead: float = 0.0) -> np.ndarray:
    """The p of SERA above ROUGE by r, and of the contrary, in a made study in which both follow Pyramid.

    Families have errors of their own for a system, a topic and a summary, which the variants share in all
    universes, and variants have more. With ``ahead``, ROUGE's errors are larger by this
    share, and SERA's smaller.
    """
    random = np.random.default_rng(seed)
    topics, systems, universes = 4, 8, 2
    quality, ease = random.normal(size=systems), random.normal(size=(topics, 1))
    judged = quality + ease + 0.5 * random.normal(size=(topics, systems))

    def errors(*shape: int) -> np.ndarray:
        return sum(
            0.7 * random.normal(size=(*shape, *of)) for of in ((1, systems), (topics, 1), (topics, systems))
        )

    of_rouge, of_sera = (1 + ahead) * errors(), (1 - ahead) * errors()
    of_families = np.stack([of_rouge] * 21 + [of_sera] * 12)
    drawn = permutation_tests.draw_exchanges(39, topics, systems, seed=seed)
    found = [
        permutation_tests.correlate_exchanges(
            quality + ease + of_families + 0.5 * errors(33), judged, level, drawn
        )
        for _ in range(universes)
    ]
    return permutation_tests.exchange_table(np.stack(found), np.ones(universes)).loc[
        0, ["p_median", "p_contrary"]
    ]


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_p_is_uniform_if_both_follow_pyramid_and_finds_a_planted_difference(level):
    p = np.array([p_of_made_curve(level, seed) for seed in range(200)], float)
    for side in p.T:
        for size in (0.1, 0.5):
            assert stats.binomtest(int((side <= size).sum()), len(p), size).pvalue > 0.01, (size, side)
    found = np.array([p_of_made_curve(level, seed, ahead=0.9) for seed in range(40)], float)
    assert (found[:, 0] <= 0.1).mean() >= 0.5 and (found[:, 1] <= 0.1).mean() <= 0.05


# Under the null
# --------------


def test_p_under_the_null_by_hand():
    found = np.full((3, 5, len(claims.OUTCOMES)), np.nan)
    # three universes, their own effects and those of four permutations
    found[:, :, 0] = [[0.1, 0.2, -0.1, 0.0, 0.3], [0.2, 0.3, -0.2, -0.1, 0.1], [0.3, 0.1, 0.2, -0.3, 0.2]]
    table = permutation_tests.null_table(found, np.array([1.0, 1.0, 2.0]))
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
    assignments = permutation_tests.draw_assignments(39, systems, seed=seed)
    for _ in range(universes):
        # errors of a system, which all its summaries share
        x = random.normal(size=(len(claims.METRICS), 4, systems)) + random.normal(size=(1, 1, systems))
        x[-len(claims.SERA) :] += effect * quality
        judged = quality + 0.5 * random.normal(size=(4, systems))
        universe, cells = made_universe(x, judged, level)
        found.append(permutation_tests.permuted_effects(universe, cells, universe["members"], assignments))
    table = permutation_tests.null_table(np.stack(found), np.ones(universes))
    place = claims.outcome_number("sera_above_rouge", "pearson")
    return float(table["p_median"].iloc[place])


@pytest.mark.slow
@pytest.mark.parametrize("level", ["system", "summary", "global"])
def test_p_is_uniform_without_an_effect_and_finds_a_planted_one(level):
    p = np.array([made_curve(level, 0.0, seed) for seed in range(80)])
    assert stats.kstest(p - np.random.default_rng(1).random(80) / 40, "uniform").pvalue > 0.01
    assert (p <= 0.05).mean() <= 0.1
    assert np.mean([made_curve(level, 2.0, seed) <= 0.05 for seed in range(8)]) >= 0.75
