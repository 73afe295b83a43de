"""A part of an index equals the index that is built of its documents alone."""

import numpy as np
import pytest

from sera.errors import InputError
from sera.io.records import Document
from sera.retrieval.engines.embedded import open_index
from sera.retrieval.engines.index_building import build_part
from sera.retrieval.engines.index_format import Index
from sera.retrieval.engines.index_parts import PartsOfIndex
from sera.retrieval.queries import keywords

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
    return PartsOfIndex(open_index(tmp_path / "whole"))


@pytest.mark.parametrize("ids", ["a", "bd", "acf", "é", "c", "bcdé", "abcdéf", ""])
def test_the_same_columns_statistics_and_rankings_as_of_its_own_index(whole, tmp_path, ids):
    alone = [each for each in DOCUMENTS if each.id in ids]
    build_part(alone, tmp_path / "alone", analyzer=whole.whole.analyzer)
    part, own = whole.of(list(ids)), open_index(tmp_path / "alone")
    for name, (header, column) in Index(tmp_path / "alone").contents().items():
        found_header, found = part._index.contents()[name]
        assert (found_header, found.tolist()) == (header, column.tolist()), name
    for name in ("documents", "tokens", "terms", "fingerprint", "analyzer"):
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
    part = PartsOfIndex(open_index(tmp_path / "whole")).of(["a", "d", "f"])
    # the stop words in, the, and are no terms: fish swim sea; fish ship; fish swim
    assert (part.documents, part.tokens, part.terms) == (3, 7, 4)
    assert [part.term_statistics(term) for term in ("fish", "swim", "ship", "war")] == [
        (3, 3), (2, 2), (1, 1), (0, 0)
    ]  # fmt: skip
    assert part.document_frequency(["fish swim", "swim in the sea", "ships of war"]) == [2, 1, 0]
    # fish in 3 of 3, swim in 2, sea and ship in 1: (0 + ln 1.5 + 2 ln 3) / 4
    assert part.mean_idf() == pytest.approx((np.log(1.5) + 2 * np.log(3)) / 4)


def test_an_unknown_document(whole):
    with pytest.raises(InputError, match="the index has no document 'x'"):
        whole.of(["a", "x"])
