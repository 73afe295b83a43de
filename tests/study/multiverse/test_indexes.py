"""Parts of an index and the textbook's formula, beside indexes of their own and values by hand."""

from math import log

import numpy as np
import pytest

from sera.io.records import Document
from sera.retrieval.index import build_part
from sera.retrieval.lucene import open_index
from sera.retrieval.queries import keywords
from study.multiverse.indexes import SCORERS, PartEngine, QueryLikelihood

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
    part, own = PartEngine(whole, ids), open_index(tmp_path / "alone")
    for name in ("ids", "documents", "tokens", "terms", "fingerprint", "analyzer"):
        assert getattr(part, name) == getattr(own, name), name
    for scorer in SCORERS.values():
        for mu in (1, 2000):
            assert scorer(part).search(QUERIES, 4, mu=mu) == scorer(own).search(QUERIES, 4, mu=mu)
    assert part.document_frequency(PHRASES) == own.document_frequency(PHRASES)
    assert part.mean_idf() == own.mean_idf()
    if ids:
        text = ["Fish swim in the sea.", "Ships of war."]
        assert keywords(text, part) == keywords(text, own)


def test_statistics_by_hand(tmp_path):
    build_part(DOCUMENTS, tmp_path / "whole")
    part = PartEngine(open_index(tmp_path / "whole"), ["a", "d", "f"])
    # the stop words in, the, and are no terms: fish swim sea; fish ship; fish swim
    assert (part.documents, part.tokens, part.terms) == (3, 7, 4)
    assert part.document_frequency(["fish swim", "swim in the sea", "ships of war"]) == [2, 1, 0]
    # fish in 3 of 3, swim in 2, sea and ship in 1: (0 + ln 1.5 + 2 ln 3) / 4
    assert part.mean_idf() == pytest.approx((np.log(1.5) + 2 * np.log(3)) / 4)


def test_query_likelihood(tmp_path):
    texts = ["cell cell protein", "protein", "membrane", "cell " * 100]
    build_part([Document(f"d{number}", text) for number, text in enumerate(texts)], tmp_path / "index")
    engine = QueryLikelihood(open_index(tmp_path / "index"))
    # 105 tokens, of which 102 `cell` and 2 `protein`; `ribosome` is nowhere and left out
    [hits] = engine.search(["protein protein cell ribosome"], 9, mu=7)
    cell, protein = 7 * 102 / 105, 7 * 2 / 105
    expected = {
        "d0": 2 * log((1 + protein) / 10) + log((2 + cell) / 10),
        "d1": 2 * log((1 + protein) / 8) + log(cell / 8),
        "d3": 2 * log(protein / 107) + log((100 + cell) / 107),  # its length is exact; Lucene's would be 96
    }
    assert [hit.document for hit in hits] == ["d1", "d0", "d3"]
    assert dict(hits) == pytest.approx(expected, rel=1e-12)
