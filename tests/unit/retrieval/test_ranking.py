"""Rankings, phrases and the mean idf of the embedded engine, against brute force and values by hand."""

from math import log
from pathlib import Path

import numpy as np
import pytest

from sera.errors import InputError
from sera.io.records import Document
from sera.retrieval.engines import Hit
from sera.retrieval.index import build_part
from sera.retrieval.lucene import open_index
from sera.retrieval.queries import keywords


def documents_of(*texts: str) -> list[Document]:
    return [Document(f"d{number}", text) for number, text in enumerate(texts)]


def engine_of(folder: Path, *texts: str, analyzer: str = "english"):
    build_part(documents_of(*texts), folder, analyzer=analyzer)
    return open_index(folder)


def test_lucenes_score(tmp_path):
    engine = engine_of(tmp_path / "index", "cell cell protein", "protein")
    [[hit]] = engine.search(["cells"], 5, mu=10)
    assert hit == ("d0", pytest.approx(log(1 + 2 / (10 * 3 / 5)) + log(10 / 13), rel=1e-7))  # 0.0253
    [[twice]] = engine.search(["cell cells"], 5, mu=10)
    assert twice.score == pytest.approx(2 * hit.score, rel=1e-7)


def test_query_likelihood(tmp_path):
    engine = engine_of(tmp_path / "index", "cell cell protein", "protein", "membrane", "cell " * 100)
    # 105 tokens, of which 102 `cell` and 2 `protein`; `ribosome` is nowhere and left out
    [hits] = engine.search(["protein protein cell ribosome"], 9, mu=7, scorer="query-likelihood")
    cell, protein = 7 * 102 / 105, 7 * 2 / 105
    expected = {
        "d0": 2 * log((1 + protein) / 10) + log((2 + cell) / 10),
        "d1": 2 * log((1 + protein) / 8) + log(cell / 8),
        "d3": 2 * log(protein / 107) + log((100 + cell) / 107),  # its length is exact; Lucene's would be 96
    }
    assert [hit.document for hit in hits] == ["d1", "d0", "d3"]
    assert dict(hits) == pytest.approx(expected, rel=1e-12)


def test_what_matches_is_a_hit_even_with_a_score_of_zero(tmp_path):
    engine = engine_of(tmp_path / "index", "cell " * 50, "x cell " + "protein " * 5000, "protein")
    [hits] = engine.search(["cell"], 5, mu=10)
    assert [hit.document for hit in hits] == ["d0", "d1"]
    assert hits[0].score > hits[1].score == 0.0


def test_ties_stay_in_the_order_of_the_index(tmp_path):
    build_part([Document(id, "cell protein") for id in "zmaqb"], tmp_path / "index")
    engine = open_index(tmp_path / "index")
    for k in (1, 3, 5, 9):
        [hits] = engine.search(["cell"], k)
        assert [hit.document for hit in hits] == list("zmaqb")[:k]


def test_phrases(tmp_path):
    texts = [
        "role of cells in mice",
        "role cells",
        "the roles in a cell",
        "role",
        "cells of mice role x cell",
    ]
    engine = engine_of(tmp_path / "index", *texts, "nothing")
    expected = {
        "role of cells": 2,  # role _ cells: d0, and `role x cell` in d4
        "role cells": 1,
        "roles in the cell": 1,
        "the role of": 5,  # stop words at the ends do not count
        "cell mice": 0,
        "cell in mice": 2,
        "cells of mice role": 1,  # longer than three
        "of the": 0,
        "": 0,
        "role ribosome": 0,
    }
    assert dict(zip(expected, engine.document_frequency(list(expected)))) == expected
    engine = engine_of(tmp_path / "index", "x alpha", "beta", "", "of the", "alpha of a", "beta alpha")
    phrases = ["alpha beta", "alpha of the a beta", "beta alpha", "x alpha"]
    assert engine.document_frequency(phrases) == [0, 0, 1, 1]


def test_mean_idf(tmp_path):
    engine = engine_of(tmp_path / "english", "the cell protein", "the cell", "cell")
    assert engine.mean_idf() == pytest.approx((log(3 / 3) + log(3 / 1)) / 2)
    # The stop word `the` is in the standard index, but not in the mean.
    engine = engine_of(tmp_path / "standard", "the cell protein", "the cell", "cell", analyzer="standard")
    assert engine.terms == 3
    assert engine.mean_idf() == pytest.approx((log(3 / 3) + log(3 / 1)) / 2)
    texts = ("dass Häuser", "Haus dass", "dass", "Zelle war will")
    engine = engine_of(tmp_path / "index", *texts, analyzer="german")
    # in the index are dass, haus, zell, whatever stop words English has
    assert engine.terms == 3
    assert engine.mean_idf() == pytest.approx((log(4 / 2) + log(4 / 1)) / 2)


def test_documents_without_tokens_are_counted(tmp_path):
    engine = engine_of(tmp_path / "index", "", "cell", "the")
    assert engine.documents == 3
    # p is (1 + 1) / (1 + 1); ln(1 + 1 / 2000) and ln(2000 / 2001) cancel but for rounding
    assert engine.search(["cell"], 3) == [[Hit("d1", pytest.approx(0, abs=1e-9))]]
    assert engine.mean_idf() == pytest.approx(log(3))


def test_wrong_settings_of_a_search_are_refused(tmp_path):
    engine = engine_of(tmp_path / "index", "cell")
    for given, problem in (
        ({"k": 0}, "the number of documents to retrieve is 0"),
        ({"k": 1, "mu": 0}, "the smoothing parameter mu is 0"),
        ({"k": 1, "scorer": "bm25"}, "no scorer 'bm25'"),
    ):
        with pytest.raises(InputError, match=problem):
            engine.search(["cell"], **given)


# Parts


DOCUMENTS = [
    Document("a", "fish swim in the sea"),
    Document("b", "ships of the sea, ships of war"),
    Document("c", ""),
    Document("d", "the fish and the ship"),
    Document("é", "whales swim in the deep blue sea"),
    Document("f", "fish swim"),
]
QUERIES = ["fish swim in the sea", "ships", "the deep blue", "nothing here", ""]
PHRASES = ["fish swim", "sea ships", "swim sea", "ships war", "fish", "blue", "unknown", "the", ""]


@pytest.fixture(params=["english", "standard"])
def whole(request, tmp_path):
    build_part(DOCUMENTS, tmp_path / "whole", analyzer=request.param)
    return open_index(tmp_path / "whole")


@pytest.mark.parametrize("ids", ["a", "bd", "acf", "é", "c", "bcdé", "abcdéf", ""])
def test_a_part_has_the_statistics_and_rankings_of_its_own_index(whole, tmp_path, ids):
    alone = [each for each in DOCUMENTS if each.id in ids]
    build_part(alone, tmp_path / "alone", analyzer=whole.analyzer)
    part, own = whole.part(ids), open_index(tmp_path / "alone")
    for name in ("ids", "documents", "tokens", "terms", "fingerprint", "analyzer"):
        assert getattr(part, name) == getattr(own, name), name
    for scorer in ("lucene", "query-likelihood"):
        for mu in (1, 2000):
            found = part.search(QUERIES, 4, mu=mu, scorer=scorer)
            assert found == own.search(QUERIES, 4, mu=mu, scorer=scorer)
    assert part.document_frequency(PHRASES) == own.document_frequency(PHRASES)
    assert part.mean_idf() == own.mean_idf()
    if ids:
        text = ["Fish swim in the sea.", "Ships of war."]
        assert keywords(text, part) == keywords(text, own)


def test_statistics_by_hand(tmp_path):
    build_part(DOCUMENTS, tmp_path / "whole")
    part = open_index(tmp_path / "whole").part(["a", "d", "f"])
    # the stop words in, the, and are no terms: fish swim sea; fish ship; fish swim
    assert (part.documents, part.tokens, part.terms) == (3, 7, 4)
    assert [part.term_statistics(term) for term in ("fish", "swim", "ship", "war")] == [
        (3, 3), (2, 2), (1, 1), (0, 0)
    ]  # fmt: skip
    assert part.document_frequency(["fish swim", "swim in the sea", "ships of war"]) == [2, 1, 0]
    # fish in 3 of 3, swim in 2, sea and ship in 1: (0 + ln 1.5 + 2 ln 3) / 4
    assert part.mean_idf() == pytest.approx((np.log(1.5) + 2 * np.log(3)) / 4)
