"""The joint search for rankings that give all printed rows: a case by hand, and the paper's tables."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from conftest import ROOT
from scipy import stats

from study.published.audit import Pair, read_pairs
from study.published.joint import WeakOrders, joint


@pytest.mark.parametrize(("systems", "number"), [(2, 3), (3, 13), (4, 75), (6, 4683)])
def test_the_number_of_weak_orders_is_the_ordered_bell_number(systems, number):
    assert len(WeakOrders.of(systems).ranks) == number


def test_the_coefficients_of_all_weak_orders_are_those_of_scipy():
    orders = WeakOrders.of(4)
    for one, other in np.random.default_rng(7).integers(75, size=(200, 2)):
        x, y = orders.ranks[[one, other]]
        if np.ptp(x) == 0 or np.ptp(y) == 0:
            values = Fraction(0), Fraction(0)
            assert not orders.giving(one, values, Fraction(2))[other]
            continue
        values = Fraction(stats.spearmanr(x, y).statistic), Fraction(stats.kendalltau(x, y).statistic)
        assert orders.giving(one, values, Fraction(1, 10**8))[other]


def test_three_systems_by_hand():
    # Pyramid is A < B < C. With it, A < C < B and B < A < C have rho 1 - 6 * 2 / 24 = 1/2 and tau 1/3; a tie
    # makes tau a multiple of 1/2 or of 1 / sqrt(6). SERA with one tie has tau 2 / sqrt(2 * 3) and rho
    # 6 / sqrt(6 * 8) with the two rankings that break the tie, so it ties the systems that ROUGE swaps.
    rows = {
        "one": [
            Pair("ROUGE", "Pyramid", "0.5", "0.333"),
            Pair("SERA", "Pyramid", "0.866", "0.816"),
            Pair("SERA-X", "Pyramid", "0.9", "0.9"),
        ],
        "two": [Pair("SERA", "ROUGE", "0.866", "0.816"), Pair("SERA-X", "ROUGE", "1", "1")],
    }
    solutions, left_out = joint(rows, 3, systems=3)
    assert left_out == ["SERA-X"]
    assert solutions.to_numpy().tolist() == [
        [1, "Pyramid", "", 1, 2, 3],
        [1, "ROUGE", "", 1, 3, 2],
        [1, "SERA", "B=C", 1, 2.5, 2.5],
        [2, "Pyramid", "", 1, 2, 3],
        [2, "ROUGE", "", 2, 1, 3],
        [2, "SERA", "A=B", 1.5, 1.5, 3],
    ]
    rows["two"][0] = Pair("SERA", "ROUGE", "1", "1")  # then SERA has ROUGE's ranking, and .5 with Pyramid
    assert joint(rows, 3, systems=3)[0].empty


def test_in_the_papers_tables_sera_ties_the_systems_that_pyramid_ties():
    tables = {name: read_pairs(ROOT / f"resources/published/{name}.tsv") for name in ("table2", "table3")}
    solutions, left_out = joint(tables, 3)
    assert left_out == ["SERA-KW-10", "SERA-DIS-KW-10"]
    tied = solutions.pivot(index="solution", columns="metric", values="tied")
    assert list(tied["Pyramid"]) == ["D=E", "D=E", "B=C", "B=C"]  # ranks 4 and 5, or 2 and 3
    assert (tied[["ROUGE-2-F", "ROUGE-3-F"]] == "").all(axis=None)
    sera = tied[[name for name in tied if name.startswith("SERA")]]
    assert sera.shape == (4, 10)
    assert sera.eq(tied["Pyramid"], axis=0).all(axis=None)
    # every printed row, by scipy
    for _, solution in solutions.set_index("metric").drop(columns="tied").groupby("solution"):
        for pair in [*tables["table2"], *tables["table3"]]:
            if pair.metric in solution.index:
                x, y = solution.loc[[pair.metric, pair.against]].drop(columns="solution").to_numpy(float)
                assert abs(stats.spearmanr(x, y).statistic - float(pair.spearman)) <= 0.001
                assert abs(stats.kendalltau(x, y).statistic - float(pair.kendall)) <= 0.001
    text = (ROOT / "study/published/audit.md").read_text(encoding="utf-8")
    assert "some row of SERA-KW-10 and SERA-DIS-KW-10" in text
    assert (
        "Four assignments" in text
        and "10 variants of SERA" in text
        and "4,683 weak orders" in text
        and "ranks 2–3 or 4–5" in text
        and "40 of 40" in text
    )
