"""The scorer of `bench/exhaustive.py` and the embedded engine agree, each on its own way to the scores."""

from __future__ import annotations

import sys

import pytest
from conftest import ROOT

from sera.io.records import Document
from sera.retrieval.engines.embedded import open_index
from sera.retrieval.engines.index_building import build_part


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    yield
    for name in ("documents", "exhaustive"):
        sys.modules.pop(name, None)


def test_both_rank_documents_alike(bench, tmp_path, monkeypatch):
    import documents
    from documents import lines_of_documents, write_queries
    from exhaustive import Collection

    monkeypatch.setattr(documents, "VOCABULARY", 3000)  # fewer words are drawn faster
    documents.vocabulary.cache_clear()

    whole = list(lines_of_documents(0, 1200, 60))
    assert whole[500:] == list(lines_of_documents(500, 700, 60))  # parts of a collection are drawn alike
    assert [whole[0][:11], whole[-1][:11]] == ["doc0000000\t", "doc0001199\t"]
    texts = (line.rstrip("\n").split("\t") for line in whole)
    build_part((Document(id, text) for id, text in texts), tmp_path / "index")
    write_queries(tmp_path / "queries", 5, 40)
    queries = (tmp_path / "queries").read_text(encoding="utf-8").splitlines()
    ours = open_index(tmp_path / "index").search(queries, 30)
    exhaustive = Collection(queries, 1200, 60).best(30)
    assert [[(f"doc{hit:07}", score) for hit, score in row] for row in exhaustive] == [
        [(hit.document, hit.score) for hit in row] for row in ours
    ]
    assert all(len(row) == 30 for row in ours)
