"""The analyzers and the embedded engine against Lucene's recorded token streams and rankings."""

from __future__ import annotations

import hashlib
import json
import random
from collections import defaultdict

import numpy as np
import pytest
from conftest import RECORDED, rows

from sera.io.records import Document
from sera.retrieval.index import build_part
from sera.retrieval.lucene import lucene_lengths, open_index
from sera.text.analysis import STOP_WORDS, analyzer

ANALYZERS = ("standard", "english")

# Georgian capitals came with Unicode 11: Lucene 8, which recorded the streams, drops them; 9 keeps them.
GEORGIAN = {"nasty-scripts": "ქართული", "nasty-case_only_lower": "ა"}

SIZES = {  # of what was recorded; ``phrases``: so many documents have the commonest of those drawn
    "pages": {"streams": 44, "documents": 57, "rankings": 20, "terms": 252, "phrases": 5},
    "shared": {"streams": 161, "documents": 616, "rankings": 90, "terms": 2000, "phrases": 20},
}


@pytest.fixture(scope="session", params=SIZES)
def oracle(request):
    """What Lucene answered: on pages of this documentation, and on the texts of the folder `shared`."""
    if request.param == "pages":
        return RECORDED / "lucene"
    return request.getfixturevalue("shared") / "oracles" / "lucene"


@pytest.fixture
def sizes(oracle):
    return SIZES["pages" if RECORDED in oracle.parents else "shared"]


@pytest.fixture
def texts(articles, queries):
    return {article.id: article.content for article in articles} | queries


def told(fidelity, of, on, values, agreement="to the last bit", **what):
    """Tells what was compared with Lucene of an engine, or of what the text names."""
    subject = of if isinstance(of, str) else f"engine `embedded`, analyzer `{of.analyzer}`"
    fidelity(subject, on, values, "Lucene", agreement, **what)


@pytest.mark.parametrize("name", ANALYZERS)
def test_streams_are_lucenes(oracle, sizes, texts, name, fidelity):
    streams = [json.loads(row) for row in rows(oracle / f"tokens_{name}.jsonl.gz")]
    assert len(streams) == sizes["streams"]
    tokens_of = analyzer(name).tokens
    for stream in streams:
        tokens = tokens_of(texts[stream["id"]])
        if stream["id"] in GEORGIAN:
            tokens.remove(GEORGIAN[stream["id"]])
        assert tokens == stream["tokens"], stream["id"]
    values = sum(len(stream["tokens"]) for stream in streams)
    but = "capitals that came with Unicode 11 are left out of the comparison"
    on = "tokens of texts and queries"
    told(fidelity, f"analyzer `{name}`", on, values, agreement="equal, in order", but=but)


@pytest.mark.parametrize("name", ANALYZERS)
def test_every_document_has_lucenes_tokens(oracle, sizes, texts, name, fidelity):
    tokens_of = analyzer(name).tokens
    documents = [row.split("\t") for row in rows(oracle / f"documents_{name}.tsv")[1:]]
    assert len(documents) == sizes["documents"]
    for id, length, _, _, checksum in documents:
        tokens = tokens_of(texts[id])
        assert len(tokens) == int(length), id
        assert hashlib.sha256("".join(token + "\n" for token in tokens).encode()).hexdigest() == checksum, id
    on = "articles, by the checksum of their tokens"
    told(fidelity, f"analyzer `{name}`", on, len(documents), agreement="equal")


def test_stop_words_are_lucenes(shared):
    assert set(rows(shared / "oracles/lucene/stopwords_english.txt")) == STOP_WORDS


@pytest.fixture(scope="module", params=ANALYZERS)
def engine(articles, request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("index") / request.param
    build_part(articles, folder, analyzer=request.param)
    return open_index(folder)


def ranking_rows(path):
    rankings = defaultdict(list)
    for row in rows(path)[1:]:
        query, rank, document, score = row.split("\t")
        rankings[query].append((document, np.float32(score)))
        assert len(rankings[query]) == int(rank)
    return rankings


def in_single_precision(hits):
    return [(hit.document, np.float32(hit.score)) for hit in hits]


@pytest.mark.parametrize("mu", [500, 1000, 2000])
def test_rankings_are_lucenes_to_the_last_bit(engine, oracle, sizes, queries, mu, fidelity):
    rankings = ranking_rows(oracle / f"rankings_{engine.analyzer}_mu{mu}.tsv")
    assert len(rankings) > sizes["rankings"]
    for query, hits in zip(queries, engine.search(list(queries.values()), 20, mu=mu), strict=True):
        assert in_single_precision(hits) == rankings[query], query
    told(fidelity, engine, "rank and score of documents retrieved", sum(map(len, rankings.values())))


def test_deep_rankings_are_lucenes(engine, oracle, queries, fidelity):
    rankings = ranking_rows(oracle / f"deep_rankings_{engine.analyzer}_mu2000.tsv")
    assert any(score == 0 for ranking in rankings.values() for _, score in ranking)
    for query, ranking in rankings.items():
        assert in_single_precision(engine.search([queries[query]], 1000)[0]) == ranking, query
    told(fidelity, engine, "rank and score down to rank 1,000", sum(map(len, rankings.values())))


def test_as_many_documents_match_as_in_lucene(engine, oracle, queries, fidelity):
    for row in rows(oracle / f"query_hits_{engine.analyzer}.tsv"):
        query, _, documents = row.split("\t")
        assert len(engine.search([queries[query]], 1000)[0]) == int(documents), query
        told(fidelity, engine, "number of documents that match", 1)


def test_statistics_are_lucenes(engine, oracle):
    facts = json.loads((oracle / f"collection_stats_{engine.analyzer}.json").read_text())
    names = ("max_doc", "sum_total_term_freq", "unique_terms")
    assert [engine.documents, engine.tokens, engine.terms] == [facts[name] for name in names]


def test_term_statistics_are_lucenes(engine, oracle, sizes, fidelity):
    terms = [row.split("\t") for row in rows(oracle / f"terms_{engine.analyzer}.tsv")[1:]]
    assert len(terms) >= sizes["terms"]
    index = engine.index
    for term, *statistics in terms:
        both = slice(index.terms[term], index.terms[term] + 2)
        found = [np.diff(starts[both]) for starts in (index.posting_starts, index.position_starts)]
        assert found == list(map(int, statistics)), term
    told(fidelity, engine, "statistics of terms", sum(len(row) - 1 for row in terms))


def test_lengths_are_lucenes(oracle):
    table = [int(row.split("\t")[1]) for row in rows(oracle / "length_norm_table.tsv")[1:]]
    assert lucene_lengths().tolist() == table


def test_phrases_of_real_text_against_brute_force(oracle, sizes, articles, tmp_path):
    recorded = map(json.loads, rows(oracle / "tokens_standard.jsonl.gz"))
    streams = {record["id"]: record["tokens"] for record in recorded if record["kind"] != "query"}
    chosen = [article for article in articles if article.id in streams]
    build_part(chosen, tmp_path / "index", analyzer="standard")
    chance = random.Random(5)
    phrases = []
    for tokens in filter(lambda tokens: len(tokens) > 10, streams.values()):
        for length in (1, 2, 2, 3, 3):
            start = chance.randrange(len(tokens) - length)
            phrases.append(tuple(tokens[start : start + length]))
    expected = [0] * len(phrases)
    for tokens in streams.values():
        grams = {gram for length in (1, 2, 3) for gram in zip(*(tokens[skip:] for skip in range(length)))}
        for number, phrase in enumerate(phrases):
            expected[number] += phrase in grams
    assert max(expected) > sizes["phrases"]
    found = open_index(tmp_path / "index").document_frequency([" ".join(phrase) for phrase in phrases])
    assert found == expected


# German, on texts that were written by hand

GERMAN = RECORDED / "lucene_german"


def german_texts(name):
    return {record["id"]: record["text"] for record in map(json.loads, rows(GERMAN / f"{name}.jsonl"))}


def test_german_tokens_are_lucenes(fidelity):
    streams = {one["id"]: one["tokens"] for one in map(json.loads, rows(GERMAN / "tokens.jsonl.gz"))}
    read = german_texts("documents") | german_texts("queries")
    assert len(streams) == len(read) == 38
    assert {id: analyzer("german").tokens(text) for id, text in read.items()} == streams
    values = sum(map(len, streams.values()))
    told(fidelity, "analyzer `german`", "tokens of German texts and queries", values, "equal, in order")


def test_german_rankings_are_lucenes_to_the_last_bit(tmp_path, fidelity):
    documents = [Document(id, text) for id, text in german_texts("documents").items()]
    build_part(documents, tmp_path / "index", analyzer="german")
    recorded, engine = ranking_rows(GERMAN / "rankings_mu2000.tsv.gz"), open_index(tmp_path / "index")
    for query, text in german_texts("queries").items():
        assert in_single_precision(engine.search([text], 20)[0]) == recorded.get(query, []), query
    told(fidelity, engine, "rank and score of documents retrieved", sum(map(len, recorded.values())))
