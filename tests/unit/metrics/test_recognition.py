"""Recognisers of content units, on units and sentences worked out by hand."""

import math

import pytest

from sera.metrics.pyramid import content_stems
from sera.metrics.recognition import (
    in_order,
    inverse_frequencies,
    likeness,
    recognisers,
    share,
    soft,
    stems_in_order,
    weighted,
    whole,
)

UNIT = ("cell", "divid", "fast")
SENTENCES = [("fast", "cell", "grow"), ("cancer", "divid")]
DOCUMENTS = [("cell", "cell", "grow"), ("cell", "fast"), ("cell",)]


def test_stems_keep_their_order_and_number():
    text = "The cells divide, and dividing cells grow."
    assert stems_in_order(text) == ("cell", "divid", "divid", "cell", "grow")
    assert content_stems(text) == {"cell", "divid", "grow"}


def test_share_is_of_one_sentence_and_whole_of_all():
    assert share([UNIT], SENTENCES) == 2 / 3
    assert whole([UNIT], SENTENCES) == 1.0
    assert share([("cell", "cell", "divid")], SENTENCES) == 1 / 2  # a repeated stem counts once


def test_idf_weighs_rare_stems_more():
    idf = inverse_frequencies(DOCUMENTS)
    assert idf == {"": math.log(4), "cell": math.log(1), "fast": math.log(2), "grow": math.log(2)}
    # cell 0, fast ln 2, divid (in no document) ln 4: the first sentence has ln 2 of 3 ln 2, the second 2 ln 2
    assert weighted(idf)([UNIT], SENTENCES) == pytest.approx(2 / 3)
    assert weighted(idf)([("cell",)], SENTENCES) == 1.0  # no weight at all: the plain share


def test_order_counts():
    assert in_order([UNIT], [("fast", "cell", "divid")]) == 2 / 3
    assert in_order([UNIT], [("cell", "cell", "may", "divid", "fast")]) == 1.0
    assert in_order([("a", "b", "a")], [("a", "b")]) == 2 / 3


def test_soft_counts_like_words():
    # _ca cat at_ and _ca car ar_ have one trigram in common
    assert likeness("cat", "car") == 2 / 6
    assert likeness("a", "a") == 1.0
    assert soft([("cat", "dog")], [("car", "dog"), ("cat",)]) == (2 / 6 + 1) / 2


def test_the_best_wording_counts_and_nothing_is_nothing():
    for name, recogniser in recognisers(DOCUMENTS).items():
        assert recogniser([("x",), ("cell",)], SENTENCES) == 1.0, name
        assert recogniser([()], SENTENCES) == recogniser([UNIT], []) == recogniser([UNIT], [()]) == 0.0, name
