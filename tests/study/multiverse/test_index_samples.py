"""Samples of the articles, worked out by hand."""

from __future__ import annotations

import pytest

from study.multiverse.index_samples import (
    by_nearness,
    in_order,
    largest_journal,
    of_many_journals,
    on_subject,
    samples,
)

IDS = [f"PMC{number}" for number in range(1, 13)]
JOURNAL_OF = {id: "A" if place < 6 else f"J{place}" for place, id in enumerate(IDS)}


def drawn(**settings):
    given = {"sizes": [2, 3, 20], "draws": 2, "seed": 7, "share": 0.5} | settings
    return list(samples(IDS, JOURNAL_OF, IDS, **given))


def of(found, collection, draw, size):
    (sample,) = [
        each.documents
        for each in found
        if (each.collection, each.draw, len(each.documents)) == (collection, draw, size)
    ]
    return list(sample)


def test_the_order_of_a_draw_is_that_of_the_hashes():
    # printf "7 1 PMC1" | sha256sum begins with df48, of PMC2 to PMC4 with eaab, d0de, 970d
    assert in_order(IDS[:4], 7, 1) == ["PMC4", "PMC3", "PMC1", "PMC2"]
    assert in_order(reversed(IDS), 7, 1) == in_order(IDS, 7, 1)
    assert in_order(IDS, 7, 1) != in_order(IDS, 7, 2) != in_order(IDS, 8, 2)


def test_a_larger_sample_begins_with_the_smaller_one():
    found = drawn()
    for draw in (1, 2):
        assert of(found, "random", draw, 3) == in_order(IDS, 7, draw)[:3]
        assert of(found, "random", draw, 2) == in_order(IDS, 7, draw)[:2]
    assert [each for each in drawn(draws=1) if each.collection == "random"] == [
        each for each in found if each.collection == "random" and each.draw == 1
    ]


def test_the_kinds_of_articles():
    found = drawn()
    assert found[0] == ("whole", 0, tuple(IDS))
    assert of(found, "one journal", 1, 3) == [id for id in in_order(IDS, 7, 1) if id in IDS[:6]][:3]
    # a third of 12 articles is 4, and twice 2: samples of 3 would be alike
    assert set(of(found, "on the subject", 2, 2)) <= set(IDS[:4])
    assert set(of(found, "off the subject", 2, 2)) <= set(IDS[8:])
    counts = {(each.collection, len(each.documents)) for each in found}
    assert counts == {
        ("whole", 12),
        *((kind, size) for kind in ("random", "one journal", "many journals") for size in (2, 3)),
        ("on the subject", 2),
        ("off the subject", 2),
    }


def test_no_journal_has_more_than_its_share():
    order = ["a1", "a2", "b1", "a3", "c1", "b2"]
    journal_of = {id: id[0] for id in order}
    assert of_many_journals(order, journal_of, 4, 0.25) is None  # one each of a, b, c
    assert of_many_journals(order, journal_of, 4, 0.5) == ("a1", "a2", "b1", "c1")
    assert of_many_journals(order, journal_of, 3, 0.1) == ("a1", "b1", "c1")  # always one
    assert of_many_journals(order, journal_of, 6, 0.5) == tuple(order)


def test_articles_without_a_journal_are_no_journal():
    assert largest_journal(IDS, JOURNAL_OF) == tuple(IDS[:6])
    assert largest_journal(["x", "y", "z"], {"x": "", "y": "", "z": "B"}) == ("z",)
    assert largest_journal(["x", "y"], {"x": "B", "y": "A"}) == ("y",)
    assert largest_journal(["x"], {"x": ""}) == ()
    nameless = list(
        samples(IDS, dict.fromkeys(IDS, ""), IDS, sizes=[4], draws=1, seed=7, share=0.1)
    )  # each is a journal of its own
    assert of(nameless, "many journals", 1, 4) == in_order(IDS, 7, 1)[:4]
    assert "one journal" not in {each.collection for each in nameless}


@pytest.mark.parametrize(
    ("rankings", "expected"),
    [
        ([["c", "a"]], ["c", "a", "b", "d"]),  # b and d are not found, and stay in order
        ([["a", "b"], ["d", "b"]], ["a", "d", "b", "c"]),  # a: 0 and 4, d: 4 and 0; b: 1 and 1
        ([["a", "b", "c"], ["b", "c", "a"]], ["b", "a", "c", "d"]),  # b: 1 + 0 before a: 0 + 2
        ([], ["a", "b", "c", "d"]),
    ],
)
def test_nearness_is_the_best_rank(rankings, expected):
    assert by_nearness(["a", "b", "c", "d"], rankings) == expected


def test_the_nearest_third():
    assert on_subject(["a", "b", "c", "d", "e", "f", "g"]) == ["a", "b"]
