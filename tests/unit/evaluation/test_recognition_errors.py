"""Plausible true presences: chances by hand, and draws that keep to them."""

from __future__ import annotations

import pytest

from sera import metric
from sera.errors import InputError
from sera.evaluation.recognition_errors import (
    Rates,
    base_rate,
    chance,
    chances,
    implied_base_rate,
    misread,
    misread_scores,
    rates_of,
    unit_name,
)
from sera.metrics.pyramid import Pyramid, Unit
from sera.metrics.scoring import comparisons
from sera.records import Candidate, Nugget, Reference

RATES = Rates(0.8, 0.9)
PERFECT = Rates(1, 1)
REFERENCES = [
    Reference("t", "A", ("Cell mutation drives the tumour.", "DNA methylation follows.")),
    Reference("t", "B", ("A cell mutation was found.", "IDH1 matters.")),
    Reference("t", "C", ("Mutations of cells and methylation of DNA were seen.",)),
]
MARKED = [
    Nugget("t", "A", "Cell mutation"),
    Nugget("t", "A", "DNA methylation"),
    Nugget("t", "B", "cell mutation"),
    Nugget("t", "B", "IDH1"),
]
CANDIDATES = [
    Candidate("t", "one", ("Methylated DNA is common.", "Here IDH1 is studied.")),
    Candidate("t", "two", ("Cells without mutation.",)),
    Candidate("t", "human_A", REFERENCES[0].sentences),
]


def _pyramid(**settings):
    return metric("Pyramid", nuggets=Pyramid.from_records(MARKED), **settings)


def test_the_base_rate_behind_a_share_of_recognised_units():
    assert base_rate(0.38, RATES) == pytest.approx(0.4)  # .8 * .4 + .1 * .6 = .38
    assert base_rate(0.05, RATES) == 0  # fewer than false alarms alone would be
    assert base_rate(0.95, RATES) == 1
    assert base_rate(0.38, PERFECT) == pytest.approx(0.38)


def test_chances_by_bayes():
    # of 100 units 40 are present: 32 recognised and 8 not; of the 60 absent, 6 recognised and 54 not
    assert chances(0.4, RATES) == pytest.approx((32 / 38, 8 / 62))
    assert chances(0, RATES) == (0, 0)
    assert chances(1, RATES) == (1, 1)
    for base in (0, 0.3, 1):
        assert chances(base, PERFECT) == (1, 0)


@pytest.mark.parametrize(
    ("rates", "problem"),
    [
        ((0.5, 0.5), "are those of chance"),
        ((1.2, 0.5), "sensitivity is 1.2"),
        ((0.9, -1), "specificity is -1"),
    ],
)
def test_rates_that_cannot_be(rates, problem):
    with pytest.raises(InputError, match=problem):
        Rates(*rates)


def test_a_draw_is_a_hash_of_its_names():
    # the SHA-256 of the text [0, 1, "t"] begins with the 53 bits of c34079ab49f4c and five more
    assert chance(0, 1, "t") == pytest.approx(0xC34079AB49F4CA / 2**56, abs=2**-52)
    assert chance(0, 1, "t") != chance(1, 0, "t")
    assert chance(0, 0, "a", "b") != chance(0, 0, "ab", "")


def test_draws_keep_to_the_chances_and_to_the_base_rate():
    found = {("t", "s", str(number)): number < 3800 for number in range(10_000)}
    drawn = misread(found, RATES, seed=3)
    kept = sum(drawn[place] for place, there in found.items() if there) / 3800
    missed = sum(drawn[place] for place, there in found.items() if not there) / 6200
    assert kept == pytest.approx(32 / 38, abs=0.02)
    assert missed == pytest.approx(8 / 62, abs=0.02)
    assert sum(drawn.values()) / 10_000 == pytest.approx(0.4, abs=0.02)
    assert misread(found, RATES, seed=3) == drawn != misread(found, RATES, seed=3, draw=1)
    assert misread(found, PERFECT) == found
    assert not any(misread(found, RATES, base=0).values()) and all(misread(found, RATES, base=1).values())
    assert misread({}, RATES) == {}


def test_a_draw_does_not_depend_on_the_other_units():
    found = {("t", "s", str(number)): number % 2 == 0 for number in range(100)}
    some = dict(list(found.items())[50:])
    drawn = misread(found, RATES, base=0.4)
    assert misread(some, RATES, base=0.4) == {place: drawn[place] for place in some}


def test_a_units_name_does_not_depend_on_the_order_of_its_wordings():
    one, other = frozenset({"cell", "mutat"}), frozenset({"mutat"})
    assert (
        unit_name(Unit((one, other), 1))
        == unit_name(Unit((other, one), 2))
        == '[["cell", "mutat"], ["mutat"]]'
    )


@pytest.mark.parametrize(
    "settings", [{}, {"size": "references"}, {"tiers": "annotation"}, {"recogniser": "whole"}]
)
def test_without_errors_the_scores_are_those_of_the_metric(settings):
    pyramid = _pyramid(**settings)
    own = {
        (each.topic, each.system): pyramid.score(each, against)
        for each, against in comparisons(CANDIDATES, REFERENCES)
    }
    drawn = misread_scores(pyramid, CANDIDATES, REFERENCES, PERFECT, draws=2)
    assert drawn == {summary: [score, score] for summary, score in own.items()}


def test_the_base_rate_of_a_study():
    # one: DNA methylation and IDH1 of three units; two: cell mutation
    share, base = implied_base_rate(_pyramid(), CANDIDATES[:2], REFERENCES, RATES)
    assert share == 3 / 6
    assert base == pytest.approx(0.4 / 0.7)
    with pytest.raises(InputError, match="no reference has a nugget"):
        implied_base_rate(metric("Pyramid", nuggets={}), CANDIDATES, REFERENCES, RATES)


def test_rates_may_differ_by_the_number_of_stems():
    one, two, four = (Unit((frozenset(stems),), 1) for stems in ("a", "ab", "abcd"))
    by_stems = {1: PERFECT, 2: RATES}
    assert [rates_of(unit, by_stems) for unit in (one, two, four)] == [PERFECT, RATES, RATES]
    assert rates_of(Unit((frozenset("abcd"), frozenset("a")), 1), by_stems) == PERFECT
    with pytest.raises(InputError, match="no rates for a unit of 1 stems"):
        rates_of(one, {2: RATES})
    # IDH1, the unit of one stem, is certain: present and of tier 1; the other two are drawn
    scores = misread_scores(
        _pyramid(tiers="annotation"), CANDIDATES[:1], REFERENCES, {1: PERFECT, 2: Rates(0.9, 0.6)}, draws=400
    )["t", "one"]
    # one of two is recognised: the base rate is (.5 - .4) / .5 = .2; tiers are 2, 1 and 1
    assert set(scores) == {1 / 2, (1 + 1) / 3, (2 + 1) / 3, 1}
    present, missed = 0.18 / 0.5, 0.02 / 0.5  # DNA methylation, cell mutation
    assert scores.count(1 / 2) / 400 == pytest.approx((1 - present) * (1 - missed), abs=0.06)
    assert scores.count(2 / 3) / 400 == pytest.approx(present * (1 - missed), abs=0.06)


def test_scores_of_draws():
    # Recognised are DNA methylation and IDH1, 2 of 3 units: the base rate is (2/3 - .5) / .5 = 1/3, and each
    # is present with the chance (1/3) / (1/3 + .5 * 2/3) = 1/2. Of five unmarked places in the references two
    # are recognised, fewer than false alarms alone would be. So the tiers are the marks, 2, 1 and 1, and the
    # scores those of no unit, of one (1 of 2) and of two (1 + 1 of 2 + 1).
    scores = misread_scores(_pyramid(), CANDIDATES[:1], REFERENCES, Rates(1, 0.5), draws=400)["t", "one"]
    assert set(scores) == {0, 1 / 2, 2 / 3}
    assert [scores.count(score) / 400 for score in (0, 1 / 2, 2 / 3)] == pytest.approx(
        [0.25, 0.5, 0.25], abs=0.06
    )
    with pytest.raises(InputError, match="draws is 0"):
        misread_scores(_pyramid(), CANDIDATES, REFERENCES, RATES, draws=0)
