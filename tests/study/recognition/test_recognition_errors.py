"""Plausible true presences: chances by hand, and draws that keep to them."""

from __future__ import annotations

import numpy as np
import pytest

from sera import metric
from sera.io.records import Candidate, Nugget, Reference
from sera.metrics.pyramid import Pyramid
from sera.metrics.scoring import score
from study.recognition.errors import (
    Rates,
    base_rate,
    chance,
    chances,
    draw_presences,
    misread_scores,
)

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


def of_pyramid(pyramid, candidates, references, rates, **how):
    """The scores of one metric by `misread_scores`."""
    (scores,) = misread_scores([pyramid], candidates, references, rates, **how)
    return scores


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


def test_draws_are_a_hash_of_seed_topic_text_and_unit():
    drawn = chance([("t", "s", "[]")], 2, 1)
    # the SHAKE-256 of the text [1, "t", "s", "[]"] begins with these 16 bytes
    first, second = 0x87B920061912090F / 2**64, 0xDCDF75E1627E11DF / 2**64
    assert drawn.tolist() == [[pytest.approx(first, abs=2**-53), pytest.approx(second, abs=2**-53)]]
    some = [("a", "b", "c"), ("ab", "", "c"), ("t", "s", "[]")]
    assert len(set(chance(some, 1, 1)[:, 0])) == 3  # names do not run into each other
    assert np.array_equal(chance(some, 5, 1)[:, :2], chance(some, 2, 1))  # fewer draws begin more
    assert np.array_equal(chance(some[::-1], 2, 1)[::-1], chance(some, 2, 1))
    assert not np.array_equal(chance(some, 2, 0), chance(some, 2, 1))


def test_draws_keep_to_the_chances_and_to_the_base_rate():
    found = {("t", "s", str(number)): number < 3800 for number in range(10_000)}
    drawn = draw_presences(found, RATES, draws=2, seed=3)
    for draw in drawn.T:  # five deviations are .03, .021 and .025
        assert draw[:3800].mean() == pytest.approx(32 / 38, abs=0.03)
        assert draw[3800:].mean() == pytest.approx(8 / 62, abs=0.021)
        assert draw.mean() == pytest.approx(0.4, abs=0.025)
    assert (drawn[:, 0] != drawn[:, 1]).any()
    assert draw_presences(found, PERFECT, draws=1)[:, 0].tolist() == list(found.values())
    assert draw_presences({}, RATES, draws=3).shape == (0, 3)


@pytest.mark.parametrize("jackknifed", [False, True])
@pytest.mark.parametrize(
    "settings",
    [{}, {"size": "references"}, {"size": "references", "tiers": "annotation"}, {"recogniser": "whole"}],
)
def test_without_errors_the_scores_are_those_of_the_metric(settings, jackknifed):
    pyramid = _pyramid(**settings)
    own = score([pyramid], CANDIDATES, REFERENCES, jackknifed=jackknifed)
    expected = {(topic, system): [value] * 2 for topic, system, _, value in own.itertuples(index=False)}
    drawn = of_pyramid(pyramid, CANDIDATES, REFERENCES, PERFECT, draws=2, jackknifed=jackknifed)
    assert drawn == expected and len(set(map(tuple, expected.values()))) > 1


def test_scores_where_presence_is_certain():
    # "one" has DNA methylation and IDH1, 2 of 3 units. If there are as many false alarms, no unit is present.
    scores = of_pyramid(_pyramid(), CANDIDATES[:1], REFERENCES, Rates(1, 1 / 3), draws=2)
    assert scores == {("t", "one"): [0, 0]}
    # If there are as many misses, all are: 2 + 1 + 1 by annotation. A reference has ceil(4 / 3) units: 2 + 1.
    marked = _pyramid(tiers="annotation", size="references")
    scores = of_pyramid(marked, CANDIDATES[:1], REFERENCES, Rates(2 / 3, 1), draws=2)
    assert scores == {("t", "one"): [4 / 3, 4 / 3]}


def test_jackknifed_scores_by_hand():
    marked = _pyramid(tiers="annotation", size="references")
    # All present. Without A: 1 + 1 of the highest tier, 1; without B the same; without C: 2 + 1 + 1 of 2 + 1.
    (scores,) = of_pyramid(
        marked, CANDIDATES[:1], REFERENCES, Rates(2 / 3, 1), draws=1, jackknifed=True
    ).values()
    assert scores == [pytest.approx((2 + 2 + 4 / 3) / 3)]
    # DNA methylation (not in the set without A) and IDH1 (not in that without B) are each present or not, the
    # same in all sets: one of them has 0, 1 and 1/3, both have 1, 1 and 2/3.
    (scores,) = of_pyramid(
        marked, CANDIDATES[:1], REFERENCES, Rates(1, 0.5), draws=100, jackknifed=True
    ).values()
    assert sorted(set(scores)) == pytest.approx([0, 4 / 9, 8 / 9])


def test_scores_of_draws():
    # Recognised are DNA methylation and IDH1, 2 of 3 units: the base rate is (2/3 - .5) / .5 = 1/3, and each
    # is present with the chance (1/3) / (1/3 + .5 * 2/3) = 1/2. Of five unmarked places in the references two
    # are recognised, fewer than false alarms alone would be. So the tiers are the marks, 2, 1 and 1, and the
    # scores those of no unit, of one (1 of 2) and of two (1 + 1 of 2 + 1).
    scores = of_pyramid(_pyramid(), CANDIDATES[:1], REFERENCES, Rates(1, 0.5), draws=400)["t", "one"]
    assert set(scores) == {0, 1 / 2, 2 / 3}
    assert [scores.count(score) / 400 for score in (0, 1 / 2, 2 / 3)] == pytest.approx(
        [0.25, 0.5, 0.25], abs=0.06
    )
