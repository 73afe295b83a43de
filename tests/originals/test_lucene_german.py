"""The analyzer of German, and rankings by it, against what Lucene's GermanAnalyzer was recorded to answer."""

from __future__ import annotations

import json
from collections import defaultdict

import numpy as np
from conftest import RECORDED, rows

from sera.io.records import Document
from sera.retrieval.index import build_part
from sera.retrieval.lucene import open_index
from sera.text.analysis import analyzer

GERMAN = RECORDED / "lucene_german"


def texts(name):
    return {record["id"]: record["text"] for record in map(json.loads, rows(GERMAN / f"{name}.jsonl"))}


def test_tokens_are_lucenes(fidelity):
    streams = {one["id"]: one["tokens"] for one in map(json.loads, rows(GERMAN / "tokens.jsonl.gz"))}
    read = texts("documents") | texts("queries")
    assert len(streams) == len(read) == 38
    assert {id: analyzer("german").tokens(text) for id, text in read.items()} == streams
    subject = "analyzer `german`"
    on = "tokens of texts and queries"
    fidelity(subject, on, sum(map(len, streams.values())), "Lucene", "equal, in order")


def test_rankings_are_lucenes_to_the_last_bit(tmp_path, fidelity):
    documents = [Document(id, text) for id, text in texts("documents").items()]
    build_part(documents, tmp_path / "index", analyzer="german")
    recorded = defaultdict(list)
    for row in rows(GERMAN / "rankings_mu2000.tsv.gz")[1:]:
        query, _, document, score = row.split("\t")
        recorded[query].append((document, np.float32(score)))
    engine = open_index(tmp_path / "index")
    for query, text in texts("queries").items():
        hits = [(hit.document, np.float32(hit.score)) for hit in engine.search([text], 20)[0]]
        assert hits == recorded.get(query, []), query
    subject = "engine `embedded`, analyzer `german`"
    on = "rank and score of documents retrieved"
    fidelity(subject, on, sum(map(len, recorded.values())), "Lucene", "to the last bit")
