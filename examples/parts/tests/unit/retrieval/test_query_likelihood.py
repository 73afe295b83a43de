import math

import pytest

from sera.io.records import Document
from sera.retrieval.engines import ENGINES
from sera.retrieval.index import build_part


def test_what_a_document_lacks_counts(tmp_path):
    build_part([Document("a", "fish fish swim"), Document("b", "ship")], tmp_path / "index")
    (hits,) = ENGINES.load("query_likelihood")(tmp_path / "index").search(["fish ship"], 2, mu=4)
    assert [hit.document for hit in hits] == ["b", "a"]
    # of the collection's four tokens two are fish and one is ship; b has one token, ship
    assert hits[0].score == pytest.approx(
        math.log((0 + 4 * 2 / 4) / (1 + 4)) + math.log((1 + 4 * 1 / 4) / (1 + 4))
    )
