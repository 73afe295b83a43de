"""The engines on whole servers on loopback, beside the embedded engine and Lucene's rankings.

`make test-all` runs these on Elasticsearch 7.10 and on those versions of OpenSearch for which there
is a Java (docs/retrieval.md).
"""

from __future__ import annotations

import threading
from collections import defaultdict
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import rows
from elasticsearch_server import server as elasticsearch_server
from opensearch_server import server as opensearch_server
from stub_server import VARIABLES

from sera.errors import InputError
from sera.io.records import Document
from sera.retrieval.engines import embedded, index_building
from sera.retrieval.engines import server as engine_of_server
from sera.retrieval.queries import keywords


def started(kind, folder):
    """A server, and what is particular to it; skips the test where it cannot be run."""
    name, _, major = kind.partition(" ")
    if name == "elasticsearch":
        if elasticsearch_server.missing():
            pytest.skip(elasticsearch_server.missing())
        server = elasticsearch_server.Server(elasticsearch_server.class_path(folder), folder / "data")
        product, node = engine_of_server.ELASTICSEARCH, elasticsearch_server.OldServerNode
    else:
        if opensearch_server.missing(int(major)):
            pytest.skip(opensearch_server.missing(int(major)))
        jars = opensearch_server.class_path(int(major), folder)
        server = opensearch_server.OpenSearchServer(int(major), jars, folder / "data")
        server.wait()
        product, node = engine_of_server.OPENSEARCH, None
    return SimpleNamespace(name=name, server=server, product=product, node=node)


@pytest.fixture(scope="module", params=["elasticsearch 7", "opensearch 2", "opensearch 3"])
def site(request, tmp_path_factory):
    """A server that the environment names."""
    site = started(request.param, tmp_path_factory.mktemp("server"))
    with pytest.MonkeyPatch.context() as environment:
        for variable in VARIABLES:
            environment.delenv(site.product.variable(variable), raising=False)
        environment.setenv(site.product.variable("HOSTS"), site.server.address)
        yield site
    site.server.stop()


def loaded(site, documents, folder, name, **settings):
    engine_of_server.load(documents, folder, site.product, name=name, node=site.node, **settings)
    return opened(site, folder)


def opened(site, folder):
    return engine_of_server.open_index(folder, site.product, node=site.node)


@pytest.fixture(scope="module")
def embedded_engines(articles, tmp_path_factory):
    """The documents in the embedded engine, by analyzer."""
    folder = tmp_path_factory.mktemp("embedded")
    for analyzer in ("english", "standard"):
        index_building.build_part(articles, folder / analyzer, analyzer=analyzer)
    return {analyzer: embedded.open_index(folder / analyzer) for analyzer in ("english", "standard")}


@pytest.fixture(scope="module", params=[("english", 3, 2000), ("standard", 1, 500)])
def engines(site, articles, embedded_engines, request, tmp_path_factory):
    """The same documents in the embedded engine and on the server."""
    analyzer, shards, mu = request.param
    folder = tmp_path_factory.mktemp("engines")
    on_server = loaded(site, articles, folder / "receipt", "oracle", analyzer=analyzer, shards=shards, mu=mu)
    return embedded_engines[analyzer], on_server


def test_rankings_are_lucenes_and_the_embedded_engines(site, engines, oracle, queries, fidelity):
    here, there = engines
    expected = defaultdict(list)
    for row in rows(oracle / f"rankings_{there.analyzer}_mu{there.mu:.0f}.tsv")[1:]:
        query, _, document, score = row.split("\t")
        expected[query].append((document, np.float32(score)))
    assert len(expected) > 90
    found = there.search(list(queries.values()), 20, mu=there.mu)
    assert found == here.search(list(queries.values()), 20, mu=there.mu)
    for query, hits in zip(queries, found, strict=True):
        assert [(hit.document, np.float32(hit.score)) for hit in hits] == expected[query], query
    subject = f"engine `{site.name}`, analyzer `{there.analyzer}`"
    on = "rank and score of documents retrieved"
    original = "Lucene, and the engine `embedded`"
    fidelity(subject, on, sum(map(len, expected.values())), original, "to the last bit")


def test_deep_rankings_are_the_embedded_engines(engines, oracle, queries):
    here, there = engines
    rankings = defaultdict(list)
    for row in rows(oracle / f"deep_rankings_{there.analyzer}_mu2000.tsv")[1:]:
        rankings[row.split("\t")[0]].append(row.split("\t")[2])
    texts = [queries[query] for query in rankings]
    found = there.search(texts, 1000, mu=there.mu)
    assert found == here.search(texts, 1000, mu=there.mu)
    scores = [hit.score for hit in found[0]]
    assert 0.0 in [hit.score for hits in found for hit in hits] and len(set(scores)) < len(scores)
    if there.mu == 2000:
        assert [[hit.document for hit in hits] for hits in found] == list(rankings.values())


def test_statistics_are_the_embedded_engines(engines, queries):
    here, there = engines
    assert (there.documents, there.fingerprint, there.mean_idf()) == (616, here.fingerprint, here.mean_idf())
    for text in [queries[query] for query in queries if query.startswith("sum-")][:3]:
        words = text.split()
        phrases = [" ".join(words[start : start + length]) for start in range(80) for length in (1, 2, 3)]
        frequencies = there.document_frequency(phrases)
        assert frequencies == here.document_frequency(phrases)
        assert max(frequencies) > 100 and 1 in frequencies
        for threshold in ("collection", "query"):
            assert keywords([text], there, threshold) == keywords([text], here, threshold)
        assert keywords([text], there, "query")


def test_phrases_by_hand(site, tmp_path):
    texts = ["growth of the cell", "growth in a cell, of cells", "Growth cell", "the of", "cell growth"]
    texts.append("a protein, a kinase, a protein kinase, the nucleus")
    documents = [Document(f"d{number}", text) for number, text in enumerate(texts)]
    engine = loaded(site, documents, tmp_path / "receipt", "phrases")
    phrases = ["growth of the cell", "the cells", "growth", "of the", "cell growth", "growing", "cell growth"]
    assert engine.document_frequency(phrases) == [2, 4, 4, 0, 1, 0, 1]
    assert engine.document_frequency([""]) == [0]
    assert engine.search(["", "of the", "absent"], 5) == [[], [], []]
    # d1 has three tokens; the others have two, and the earlier is first
    assert [hit.document for hit in engine.search(["growth"], 5)[0]] == ["d0", "d2", "d4", "d1"]


def test_no_documents(site, tmp_path):
    engine = loaded(site, [], tmp_path / "receipt", "nothing")
    assert (engine.documents, engine.mean_idf(), engine.search(["cell"], 5)) == (0, 0.0, [[]])


def test_lone_surrogates_are_no_text(site, tmp_path):
    engine = loaded(site, [Document("d", "cell\ud800nucleus")], tmp_path / "receipt", "surrogates")
    assert [hit.document for hit in engine.search(["nucleus"], 1)[0]] == ["d"]


@pytest.mark.parametrize("change", ["add", "replace", "delete", "exchange", "add and delete"])
def test_an_index_that_was_changed_is_refused(site, tmp_path, change):
    documents = [Document(f"d{number}", f"growth of cell{number}") for number in range(9)]
    loaded(site, documents, tmp_path / "receipt", "changed", shards=3)
    server = engine_of_server.connect(site.product, 10, site.node)
    [index] = server.ask("GET", "_alias", "changed")
    if change != "delete":
        id = "d3" if change == "replace" else "foreign"
        server.ask("PUT", index, "_doc", id, body={"text": "a cell", "number": 5}, refresh="true")
    if change not in ("add", "replace"):
        server.ask("DELETE", index, "_doc", "foreign" if change == "add and delete" else "d3", refresh="true")
    problem = f"the index {index} was changed since it was loaded.*Delete it"
    with pytest.raises(InputError, match=problem):
        opened(site, tmp_path / "receipt")
    with pytest.raises(InputError, match=problem):
        loaded(site, documents, tmp_path / "again", "changed", shards=3)
    server.ask("DELETE", index)
    assert loaded(site, documents, tmp_path / "again", "changed", shards=3).documents == 9


def test_what_the_server_refuses(site, tmp_path):
    with pytest.raises(InputError, match=f"the {site.product.name} server answered 400 .*id"):
        loaded(site, [Document("i" * 513, "text")], tmp_path / "receipt", "refused")
    engine = loaded(site, [Document("d", "text")], tmp_path / "receipt", "terms")
    with pytest.raises(InputError, match="a query has 1025 distinct terms, more than the server takes"):
        engine.search([" ".join(f"w{number}" for number in range(1025))], 1)


def test_a_search_waits_for_a_server_that_is_killed_and_restarted(site, tmp_path):
    documents = [Document(f"d{number}", f"growth of cell{number}") for number in range(30)]
    engine = loaded(site, documents, tmp_path / "receipt", "killed", shards=2)
    expected = engine.search(["growth of cell7"], 30)
    assert expected[0][0].document == "d7" and len(expected[0]) == 30
    site.server.kill()
    again = threading.Timer(2, site.server.start)
    again.start()
    assert engine.search(["growth of cell7"], 30) == expected
    again.join()
    assert opened(site, tmp_path / "receipt").search(["growth of cell7"], 30) == expected
