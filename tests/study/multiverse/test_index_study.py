"""Samples of the articles, SERA in their indexes, and the curve that is continued."""

from __future__ import annotations

import numpy as np
import pytest

from sera.io.records import Candidate, Document, Reference
from sera.metrics.configure import Resources, equip
from sera.metrics.sera import EngineRankings
from sera.reporting.figures import save
from sera.retrieval.index import build_part
from sera.retrieval.lucene import open_index
from sera.retrieval.queries import noun_phrases, plain, texts_of
from study.multiverse.cells import Summaries, name_of_queries
from study.multiverse.index_figure import index_figure
from study.multiverse.index_study import (
    MEANS,
    VARIANTS,
    Sample,
    by_nearness,
    coefficients_of,
    curve_table,
    draws_table,
    extrapolated,
    in_order,
    kinds_table,
    largest_journal,
    means_of_draws,
    of_many_journals,
    on_subject,
    resampled,
    samples,
    scores_on,
    sizes_table,
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


# Scores and tables
# -----------------

WORDS = ("fish", "ship", "sea", "whale", "salt", "wind", "crew", "war", "port", "storm")
DOCUMENTS = [
    Document(f"d{number}", " ".join(WORDS[(number * step) % 10] for step in range(1, 8)))
    for number in range(1, 25)
]
CANDIDATES = [
    Candidate("t", "one", ("The fish and the whale swim in the sea.",)),
    Candidate("t", "two", ("A ship in a storm.", "The crew is at war.")),
    Candidate("u", "one", ("The port has wind and salt.",)),
]
REFERENCES = [
    Reference("t", "A", ("Whales and fish of the salt sea.",)),
    Reference("t", "B", ("The crew of the ship.",)),
    Reference("u", "A", ("A storm at the port.",)),
]
SETTINGS = {"mu": 100.0, "keyword_threshold": "query", "noun_phrases": "textblob"}


def test_the_scores_on_a_part_are_those_on_an_index_of_its_documents_alone(tmp_path):
    texts = texts_of(CANDIDATES, REFERENCES)
    queries = {
        name_of_queries("plain"): {name: plain(text) for name, text in texts.items()},
        name_of_queries("np"): {name: noun_phrases(text) for name, text in texts.items()},
    }
    summaries = Summaries(CANDIDATES, REFERENCES, queries)
    build_part(DOCUMENTS, tmp_path / "whole")
    ids = [each.id for each in DOCUMENTS if each.id not in ("d3", "d10", "d11")]
    found = scores_on(open_index(tmp_path / "whole").part(ids), summaries, SETTINGS)

    build_part([each for each in DOCUMENTS if each.id in ids], tmp_path / "alone")
    engine = open_index(tmp_path / "alone")
    metrics = equip(
        VARIANTS, {"SERA": SETTINGS}, Resources(rankings=lambda **how: EngineRankings(engine, **how))
    )
    expected = np.full((12, 2, 2), np.nan)
    for place, each in zip([(0, 0), (0, 1), (1, 0)], CANDIDATES, strict=True):
        against = [one for one in REFERENCES if one.topic == each.topic]
        expected[:, *place] = [metric.score(each, against) for metric in metrics]
    np.testing.assert_array_equal(found, expected)
    assert np.nanmax(found) > 0 and np.nanstd(found) > 0


JUDGED = np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]])
SAME, REVERSED = JUDGED[None], -JUDGED[None]
MIXED = np.array([[[1.0, 3.0, 2.0], [6.0, 4.0, 2.0]]])


def test_coefficients_at_the_level_of_systems_and_of_summaries():
    # means of systems: judged 1.5, 3, 4.5; mixed 3.5, 3.5, 2: ranks 2.5, 2.5, 1, so rho = -.866
    (system,) = coefficients_of(MIXED, JUDGED, "system")
    assert system == pytest.approx([-0.8660254, -0.8660254, -0.8164966])
    # topics: ranks 1 3 2 against 1 2 3 give rho .5, tau 1/3; the other topic is reversed: -1
    (summary,) = coefficients_of(MIXED, JUDGED, "summary")
    assert summary == pytest.approx([-0.25, -0.25, -1 / 3])
    # only the first topic, only the second, both
    (drawn,) = coefficients_of(MIXED, JUDGED, "system", np.array([[2, 0], [0, 1], [1, 1]]))
    assert drawn[:, 1] == pytest.approx([0.5, -1, -0.8660254])


def test_a_topic_without_a_score_is_left_out_of_the_systems_means():
    judged = np.array([[1.0, 2.0, 3.0], [9.0, np.nan, 1.0]])
    (row,) = coefficients_of(np.array([[[2.0, 4.0, 6.0], [0.0, 5.0, 9.0]]]), judged, "system")
    assert row == pytest.approx([1, 1, 1])


def of_twelve(values):
    return np.repeat(values, 12, axis=0)


FOUND = [
    (Sample("whole", 0, ("a", "b", "c", "d")), of_twelve(SAME)),
    (Sample("random", 1, ("a", "b")), of_twelve(SAME)),
    (Sample("random", 2, ("c", "a")), of_twelve(REVERSED)),
]


def test_a_row_for_each_sample_level_and_metric_and_the_means_over_draws():
    draws = draws_table(FOUND, REVERSED, JUDGED, {"a"})
    assert len(draws) == 3 * 2 * (12 + 2)
    sera = draws[(draws["metric"] == MEANS["SERA"]) & (draws["level"] == "system")]
    assert sera["spearman"].tolist() == pytest.approx([1, 1, -1])
    assert sera["on_subject"].tolist() == [0.25, 0.5, 0.5]
    assert set(draws[draws["metric"] == MEANS["ROUGE"]]["kendall"].round(9)) == {-1}
    sizes = sizes_table(draws)
    assert len(sizes) == 2 * 2 * 14
    row = sizes[(sizes["metric"] == "SERA-5") & (sizes["level"] == "summary")].set_index("articles").loc[2]
    assert (row["draws"], row["pearson"]) == (2, pytest.approx(0))
    assert row["pearson_sd"] == pytest.approx(2**0.5)  # of 1 and -1, with 2 - 1 below
    whole = sizes[sizes["collection"] == "whole"]
    assert whole["pearson_sd"].isna().all() and set(whole["draws"]) == {1}


def test_the_models_by_hand():
    # .9 at 100, .7 at 1,000, .5 at 10,000: -.2 for each tenfold; two decades on, .1
    value, change = extrapolated([100, 1000, 10_000], np.array([0.9, 0.7, 0.5]), "line", 10**6)
    assert (value, change) == (pytest.approx(0.1), pytest.approx(-0.4))
    # 1 - 2 / sqrt(n): .8 at 100, .9 at 400, .998 at a million
    value, change = extrapolated([100, 400], np.array([0.8, 0.9]), "levelling off", 10**6)
    assert (value, change) == (pytest.approx(0.998), pytest.approx(0.098))


def test_draws_and_topics_are_drawn_again():
    drawn = resampled(4, 500, 3)
    assert drawn[0].tolist() == [1, 1, 1, 1]
    assert set(drawn.sum(axis=1)) == {4} and drawn[1:].mean() == pytest.approx(1)
    values = np.array([[[1.0, 3.0], [0.0, 2.0]]] * 2)
    np.testing.assert_allclose(means_of_draws(values, np.array([[1, 1], [2, 0]])), [[2, 1], [1, 0]])


def test_the_curve_of_a_study_without_noise():
    table = curve_table(FOUND, REVERSED, JUDGED, toward=400, resamples=20, confidence=90, seed=1)
    assert len(table) == 2 * 3 * 2
    row = table[(table["model"] == "line") & (table["level"] == "system")].iloc[1]
    # 0, the mean of 1 and -1, at 2 articles and 1 at 4: log2(400 / 2) at 400
    assert (row["whole"], row["rouge"], row["value"]) == pytest.approx((1, -1, np.log2(200)))
    assert row["change"] == pytest.approx(np.log2(100)) and row["ahead"] == pytest.approx(np.log2(200) + 1)
    # with both draws the same, 1 at either size, or -1 at 2 and 1 at 4
    assert (row["value_low"], row["value_high"]) == pytest.approx((1, 2 * np.log2(200) - 1))
    assert row["undefined_draws"] == 0
    assert curve_table(FOUND[:1], REVERSED, JUDGED, toward=400, resamples=2, confidence=90, seed=1).empty


def test_the_difference_between_two_kinds_at_one_size():
    found = [
        (Sample("on the subject", 1, ("a",)), of_twelve(SAME)),
        (Sample("on the subject", 2, ("b",)), of_twelve(SAME)),
        (Sample("off the subject", 1, ("c",)), of_twelve(REVERSED)),
        (Sample("off the subject", 2, ("d",)), of_twelve(SAME)),
        (Sample("one journal", 1, ("a",)), of_twelve(SAME)),  # nothing to compare with
    ]
    table = kinds_table(found, JUDGED, resamples=50, confidence=90, seed=1)
    assert len(table) == 2 * 3
    row = table.iloc[1]
    assert row[["level", "coefficient", "articles", "collection", "other"]].tolist() == [
        "system", "spearman", 1, "on the subject", "off the subject"
    ]  # fmt: skip
    # 1 less -1 in the first draw, 1 less 1 in the second; the same draw twice gives 2 or 0
    assert (row["difference"], row["difference_low"], row["difference_high"]) == pytest.approx((1, 0, 2))
    assert kinds_table(found[4:], JUDGED, resamples=2, confidence=90, seed=1).empty


@pytest.mark.parametrize("found", [FOUND, FOUND[:1]], ids=["samples", "all articles alone"])
def test_the_figure_has_a_panel_for_each_question_and_each_way_to_vary_the_index(found, tmp_path):
    draws = draws_table(found, REVERSED, JUDGED, {"a"})
    curve = curve_table(found, REVERSED, JUDGED, toward=400, resamples=2, confidence=90, seed=1)
    figure = index_figure(draws, curve, "made up")
    assert [axes.get_title(loc="left") for axes in figure.axes[::2]] == [
        "Does it rank systems?",
        "Does it rank the summaries of a topic?",
    ]
    assert {axes.get_ylim() for axes in figure.axes} == {(-1.05, 1.05)}  # some are -1
    save(figure, tmp_path / "index_sizes")
    assert (tmp_path / "index_sizes.svg").stat().st_size > 1000
