"""The audit of printed rank correlations: the enumeration beside brute force and scipy, and what it tells."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from commands import sera as command
from conftest import ROOT
from scipy import stats

from sera.evaluation.coefficients import coefficients
from study.published.attainable import HYPOTHESES, SYSTEMS, Hypothesis, grid
from study.published.audit import (
    audit,
    read_pairs,
    round_printed,
    summary,
)

PUBLISHED = ROOT / "resources" / "published"
UNIT = 0.001


def holds(hypothesis: Hypothesis, rho: float, tau: float, tolerance: float = UNIT) -> bool:
    """Whether a hypothesis allows one pair."""
    (found,) = hypothesis.holds([(rho, tau)], tolerance)
    return bool(found)


def rankings(systems: int, tied: bool) -> list[tuple[int, ...]]:
    """All score vectors without ties, or all with exactly one tied pair; as level of each system."""
    levels = [*range(systems - tied)]
    found = product(levels, repeat=systems)
    return [each for each in found if set(each) == set(levels)]


@cache
def described(scores: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Twice the mid-ranks, less their mean; and of each two systems which is the better."""
    doubled = [sum(2 * (b < a) + (b == a) for b in scores) + 1 for a in scores]
    better = [(a > b) - (a < b) for a, b in combinations(scores, 2)]
    return np.array(doubled) - (len(scores) + 1), np.array(better)


def exact(x: tuple[int, ...], y: tuple[int, ...]) -> tuple[tuple[int, Fraction], ...]:
    """Spearman's rho and tau-b by their definitions, each as its sign and its square."""
    parts = []
    for one, other in zip(described(x), described(y), strict=True):
        product = int(one @ other)
        parts.append((np.sign(product), Fraction(product**2, int(one @ one) * int(other @ other))))
    return tuple(parts)


@pytest.mark.parametrize("systems", [4, 5])
@pytest.mark.parametrize("sides", [0, 1, 2])
def test_the_pairs_are_those_of_all_pairs_of_rankings(systems, sides):
    both = rankings(systems, sides > 0), rankings(systems, sides > 1)
    tried = Counter(exact(x, y) for x, y in product(*both))
    enumerated = grid(systems, sides)
    a, b = enumerated.squares
    counted: Counter = Counter()
    for (p, s), count in enumerated.counts.items():
        rho = (p > 0) - (p < 0), Fraction(p * p, a)
        tau = (s > 0) - (s < 0), Fraction(s * s, b)
        counted[rho, tau] += count
    assert len(counted) == len(enumerated.counts)
    assert set(counted) == set(tried)
    # and as often as there, but for a factor: an arrangement stands for all namings of the systems
    often = Fraction(tried.total(), counted.total())
    assert {Fraction(tried[pair], counted[pair]) for pair in tried} == {often}


@cache
def brute_force(systems: int, sides: int) -> list[tuple[float, float]]:
    both = rankings(systems, sides > 0), rankings(systems, sides > 1)
    x, y = (np.array(side, dtype=float) for side in both)
    # one naming of the first side's systems is enough
    x = np.unique(np.sort(x, axis=1), axis=0)
    pairs = [*product(x, y)]
    return [*map(tuple, coefficients(*map(np.array, zip(*pairs)))[..., 1:3])]


@pytest.mark.parametrize(
    "hypothesis", [each for each in HYPOTHESES if each.systems in (4, 5)], ids=lambda h: h.name
)
def test_a_printed_pair_fits_if_and_only_if_some_rankings_are_near(hypothesis):
    sides = {"none": (0,), "one": (1,), "both": (2,), "any": (0, 1, 2)}[hypothesis.ties]
    attainable = np.array([pair for each in sides for pair in brute_force(hypothesis.systems, each)])
    chance = random.Random(hypothesis.name)
    printed = [chance.choice(attainable) for _ in range(40)] + [
        (chance.uniform(-1, 1), chance.uniform(-1, 1)) for _ in range(20)
    ]
    fits = 0
    for rho, tau in printed:
        # to the nearest digit, or off by one or two
        units = [round(1000 * value) + chance.choice([0, 0, 0, 1, -1, 2]) for value in (rho, tau)]
        near = (np.abs(attainable * 1000 - units) <= 1).all(axis=1).any()
        assert holds(hypothesis, *(unit / 1000 for unit in units)) == near, units
        fits += near
    assert 10 < fits < 50


@pytest.mark.parametrize("systems", SYSTEMS)
@pytest.mark.parametrize("sides", [0, 1, 2])
def test_what_scipy_gives_for_rankings_is_in_the_grid(systems, sides, fidelity):
    chance = np.random.default_rng(systems)
    hypothesis = Hypothesis(systems, ("none", "one", "both")[sides])
    for _ in range(40):
        x, y = (
            chance.permutation([0, *range(systems - 1)] if tied else systems)
            for tied in (sides > 0, sides > 1)
        )
        if chance.random() < 0.5:
            x, y = y, x  # it does not matter which side is tied
        of = stats.spearmanr(x, y).statistic, stats.kendalltau(x, y, variant="b").statistic
        assert holds(hypothesis, *of, 1e-12)
        assert np.abs(grid(systems, sides).values - of).sum(axis=1).min() < 1e-12
        subject = "audit: attainable pairs of coefficients"
        fidelity(subject, "drawn rankings", 1, "scipy", "among them, to 1e-12")


def test_the_sums_for_four_and_nine_systems_are_the_known_ones():
    # p = (n^3 - n)/3 - 2 d for a sum d of squared rank differences: the exact distribution of d for n = 4
    # is that of Spearman's test, 1 3 1 4 2 2 2 4 1 3 1 of 24 for d = 0, 2, ..., 20
    by_d = Counter()
    for (p, _), count in grid(4, 0).counts.items():
        by_d[(20 - p) // 2] += count
    assert [by_d[d] for d in range(0, 21, 2)] == [1, 3, 1, 4, 2, 2, 2, 4, 1, 3, 1]
    # permutations of nine by inversions: the coefficients of (1)(1 + q)(1 + q + q^2)...
    coefficients = np.array([1])
    for factor in range(1, 10):
        coefficients = np.convolve(coefficients, np.ones(factor, dtype=int))
    by_s = Counter()
    for (_, s), count in grid(9, 0).counts.items():
        by_s[(36 - s) // 2] += count
    assert [by_s[inversions] for inversions in range(37)] == coefficients.tolist()
    assert grid(9, 0).counts.total() == 362_880


def test_a_pair_worked_out_by_hand():
    # Six systems in order, against 1 3 2 4 5.5 5.5. Products of ranks: 1 + 6 + 6 + 16 + 27.5 + 33 = 89.5,
    # less 6 * 3.5^2 = 73.5, is 16; squares 17.5 and 17. Of 15 pairs 13 agree, one does not, one is tied.
    rho, tau = 16 / (17.5 * 17) ** 0.5, (13 - 1) / (15 * 14) ** 0.5
    assert (f"{rho:.3f}", f"{tau:.3f}") == ("0.928", "0.828")
    assert holds(Hypothesis(6, "one"), 0.928, 0.828) and not holds(Hypothesis(6, "none"), 0.928, 0.828)
    # one unit off is allowed, two are not: rho is 0.92763
    assert holds(Hypothesis(6, "one"), 0.927, 0.828) and not holds(Hypothesis(6, "one"), 0.926, 0.828)


@pytest.fixture(scope="module")
def tables():
    return {name: read_pairs(PUBLISHED / f"{name}.tsv") for name in ("table2", "table3")}


@pytest.fixture(scope="module")
def audited(tables):
    return audit(tables, 3)


@pytest.fixture(scope="module")
def counts(audited):
    return summary(audited, 3)


@pytest.mark.slow
def test_the_published_tables_fit_six_systems(audited, counts):
    by_name = counts.set_index("hypothesis")
    of_six = by_name.loc["6_any", ["table2_fit", "table2_rows", "table3_fit", "table3_rows"]]
    assert list(of_six) == [29, 33, 24, 24]
    assert list(by_name.loc["9_any", ["table2_fit", "table3_fit"]]) == [9, 3]
    assert list(by_name.loc["9_none", ["table2_fit", "table3_fit"]]) == [2, 0]
    assert len(audited) == 53 + 4
    unfit = audited[(audited[[each.name for each in HYPOTHESES]] == "no").all(axis=1)]
    assert list(unfit["metric"]) == ["ROUGE-1-R", "ROUGE-SU-F", "SERA-KW-10", "SERA-DIS-KW-10"]
    # rankings that agree wholly can do so with no tie, or with the same pair tied on both sides
    row = audited[audited["metric"].eq("SERA-NP-5") & audited["against"].eq("Pyramid")].iloc[0]
    fits = {name for name in by_name.index if row[name] == "yes"}
    assert fits == {f"{n}_{ties}" for n in SYSTEMS for ties in ("none", "both", "any")}


def test_what_chance_gives_is_what_drawn_rankings_give(audited, counts):
    drawn, own = 20_000, np.random.default_rng(9)
    by_name = counts.set_index("hypothesis")
    drawn_ties = {"chance": (False, False), "chance_one": (False, True), "chance_both": (True, True)}
    for column, sides in drawn_ties.items():
        x, y = (own.permuted(_levels(own, drawn, tied), axis=1).astype(float) for tied in sides)
        rounded = Counter(zip(*np.round(coefficients(x, y)[..., 1:3], 3).T.tolist(), strict=True))
        for name in ("4_none", "6_any", "8_both", "9_none", "9_any"):
            hypothesis = next(each for each in HYPOTHESES if each.name == name)
            fits = hypothesis.holds(list(rounded), UNIT) @ list(rounded.values())
            share = by_name.loc[name, column]
            assert abs(fits / drawn - share) <= 5 * (share * (1 - share) / drawn) ** 0.5, (name, column)


def _levels(own, drawn, tied):
    """Nine systems' scores in order, one line a draw; if tied, of two neighbours, drawn anew in each line."""
    places = own.integers(1, 9, size=drawn) if tied else np.full(drawn, 9)
    return np.arange(9) - (np.arange(9) >= places[:, None])


def test_chance_near_a_row_counts_the_arrangements_near_it():
    printed = {"metric": "m", "against": ["a", "b"], "spearman": ["0.5", "-0.1"], "kendall": ["0.4", "nan"]}
    table = audit({"t": pd.DataFrame(printed)}, 1)
    share = summary(table, 1).set_index("hypothesis")["chance_near"]
    of_nine = grid(9, 0)
    rounded, often = round_printed(of_nine.values, 1), np.array(list(of_nine.counts.values()))
    near = np.isin(rounded[:, 0], (0.4, 0.5, 0.6))
    fits = [holds(Hypothesis(4, "none"), *pair, 0.1) for pair in rounded[near]]
    assert 0 < sum(fits) < len(fits)
    assert share["4_none"] == pytest.approx(often[near] @ fits / often[near].sum())
    assert share["9_none"] == 1


def test_the_rows_of_six_systems_agree_on_who_is_tied(audited):
    sides = {  # with a tied pair, by row
        (row["metric"], row["against"]): {
            k for k, ties in enumerate(("none", "one", "both")) if row[f"6_{ties}"] == "yes"
        }
        for row in audited.to_dict("records")
    }
    sides = {pair: of for pair, of in sides.items() if of}
    others = sorted({against for _, against in sides})
    found = []
    for states in product((0, 1), repeat=len(others)):
        tied = dict(zip(others, states, strict=True))
        may = {
            metric: [
                own
                for own in ((tied[metric],) if metric in tied else (0, 1))
                if all(own + tied[second] in of for (first, second), of in sides.items() if first == metric)
            ]
            for metric, _ in sides
        }
        if all(may.values()):
            found.append({**{name: [state] for name, state in tied.items()}, **may})
    (only,) = found  # Pyramid and SERA need a tied pair, ROUGE none
    assert all(states == [int(not name.startswith("ROUGE"))] for name, states in only.items())
    assert Counter(name[:4] for name in only) == {"Pyra": 1, "SERA": 12, "ROUG": 19}


def test_an_undefined_row_is_counted_as_such(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text(
        "# a comment\nmetric\tkendall\tspearman\na\t\u22120.6\t-.7\n\nb\tundefined\t0.5\nc\tNaN\t\r\n"
    )
    assert read_pairs(path).to_numpy().tolist() == [
        ["a", "", "-.7", "-0.6"], ["b", "", "0.5", "undefined"], ["c", "", "", "NaN"],
    ]  # fmt: skip
    assert command("audit", path).count("undefined") >= 2
