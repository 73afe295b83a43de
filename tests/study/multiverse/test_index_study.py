"""Samples of the articles, and SERA in their indexes."""

from __future__ import annotations

import numpy as np
import pytest

from sera.io.records import Candidate, Document, Reference
from sera.metrics.configure import Resources, equip
from sera.metrics.sera import EngineRankings
from sera.retrieval.index import build_part
from sera.retrieval.lucene import open_index
from sera.retrieval.queries import noun_phrases, plain
from study.claims.sentences import SERA
from study.multiverse.index_study import (
    MEANS,
    draw_samples,
    draws_table,
    index_scores,
    metric_coefficients,
    shuffle,
    sizes_table,
)
from study.multiverse.indexes import PartEngine
from study.workflow.query_texts import collect_texts

IDS = [f"PMC{number}" for number in range(1, 13)]


def test_the_order_of_a_draw_is_that_of_the_hashes():
    # printf "7 1 PMC1" | sha256sum begins with df48, of PMC2 to PMC4 with eaab, d0de, 970d
    assert shuffle(IDS[:4], 7, 1) == ["PMC4", "PMC3", "PMC1", "PMC2"]
    assert shuffle(reversed(IDS), 7, 1) == shuffle(IDS, 7, 1)
    assert shuffle(IDS, 7, 1) != shuffle(IDS, 7, 2) != shuffle(IDS, 8, 2)


def test_a_larger_sample_begins_with_the_smaller_one():
    found = list(draw_samples(IDS, sizes=[3, 2, 20], draws=2, seed=7))
    assert found == [
        (0, tuple(IDS)),
        *((draw, tuple(shuffle(IDS, 7, draw)[:size])) for size in (2, 3) for draw in (1, 2)),
    ]


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
    texts = collect_texts(CANDIDATES, REFERENCES)
    queries = {
        "plain": {name: plain(text) for name, text in texts.items()},
        "np": {name: noun_phrases(text) for name, text in texts.items()},
    }
    build_part(DOCUMENTS, tmp_path / "whole")
    ids = [each.id for each in DOCUMENTS if each.id not in ("d3", "d10", "d11")]
    part = PartEngine(open_index(tmp_path / "whole"), ids)
    found = index_scores(part, CANDIDATES, REFERENCES, queries, SETTINGS)

    build_part([each for each in DOCUMENTS if each.id in ids], tmp_path / "alone")
    engine = open_index(tmp_path / "alone")
    metrics = equip(SERA, {"SERA": SETTINGS}, Resources(rankings=lambda **how: EngineRankings(engine, **how)))
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
    (system,) = metric_coefficients(MIXED, JUDGED, "system")
    assert system == pytest.approx([-0.8660254, -0.8660254, -0.8164966])
    # topics: ranks 1 3 2 against 1 2 3 give rho .5, tau 1/3; the other topic is reversed: -1
    (summary,) = metric_coefficients(MIXED, JUDGED, "summary")
    assert summary == pytest.approx([-0.25, -0.25, -1 / 3])


def of_twelve(values):
    return np.repeat(values, 12, axis=0)


FOUND = [
    ((0, ("a", "b", "c", "d")), of_twelve(SAME)),
    ((1, ("a", "b")), of_twelve(SAME)),
    ((2, ("c", "a")), of_twelve(REVERSED)),
]


def test_a_row_for_each_sample_level_and_metric_and_the_means_over_draws():
    draws = draws_table(FOUND, REVERSED, JUDGED)
    assert len(draws) == 3 * 2 * (12 + 2)
    sera = draws[(draws["metric"] == MEANS["SERA"]) & (draws["level"] == "system")]
    assert sera["spearman"].tolist() == pytest.approx([1, 1, -1])
    assert set(draws[draws["metric"] == MEANS["ROUGE"]]["kendall"].round(9)) == {-1}
    sizes = sizes_table(draws)
    assert len(sizes) == 2 * 2 * 14
    row = sizes[(sizes["metric"] == "SERA-5") & (sizes["level"] == "summary")].set_index("articles").loc[2]
    assert (row["draws"], row["pearson"]) == (2, pytest.approx(0))
    assert row["pearson_sd"] == pytest.approx(2**0.5)  # of 1 and -1, with 2 - 1 below
    whole = sizes[sizes["articles"] == 4]
    assert whole["pearson_sd"].isna().all() and set(whole["draws"]) == {1}
