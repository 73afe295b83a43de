"""The Elasticsearch engine on a whole server on loopback, beside the embedded engine and Lucene's rankings.

`make test-all` runs these. The server is a 7.10, reached through a proxy that adds what it does not send.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from base64 import b64encode
from collections import defaultdict

import numpy as np
import pytest
from checkouts import checkout, command, snakemake
from conftest import rows
from elasticsearch_server.proxy import Proxy
from elasticsearch_server.server import Server, class_path, missing
from stub_server import VARIABLES

from sera.errors import InputError
from sera.io.records import Document
from sera.retrieval import lucene
from sera.retrieval.elasticsearch import connect, load, open_index
from sera.retrieval.index import build_part
from sera.retrieval.queries import keywords

pytestmark = pytest.mark.skipif(missing() is not None, reason=str(missing()))

KEY, USER, PASSWORD = "c29tZS1pZDpzb21lLWtleQ==", "reader", "hush-hush"  # the key is of some-id:some-key
BASIC = b64encode(f"{USER}:{PASSWORD}".encode()).decode()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server that lets in one API key and one user."""
    jars = class_path(tmp_path_factory.mktemp("maven"))
    folder = tmp_path_factory.mktemp("server") / "data"
    server = Server(jars, folder, authorization=(f"ApiKey {KEY}", f"Basic {BASIC}"))
    yield server
    server.stop()


@pytest.fixture(scope="module", autouse=True)
def front(server):
    """The server as an 8.17, which the environment names."""
    with Proxy(server.address, "8.17.0") as proxy, pytest.MonkeyPatch.context() as environment:
        for variable in VARIABLES:
            environment.delenv(f"ELASTICSEARCH_{variable}", raising=False)
        environment.setenv("ELASTICSEARCH_HOSTS", proxy.address)
        environment.setenv("ELASTICSEARCH_USER", USER)
        environment.setenv("ELASTICSEARCH_PASSWORD", PASSWORD)
        yield proxy


def loaded(documents, folder, name, **settings):
    load(documents, folder, name=name, **settings)
    return open_index(folder)


# Rankings


@pytest.fixture(scope="module", params=[("english", "3", 2000), ("standard", "1", 500)])
def engines(articles, request, tmp_path_factory):
    """The same documents in the embedded engine and on the server."""
    analyzer, shards, mu = request.param
    folder = tmp_path_factory.mktemp("engines")
    build_part(articles, folder / "index", analyzer=analyzer)
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("ELASTICSEARCH_SHARDS", shards)
        there = loaded(articles, folder / "receipt", "oracle", analyzer=analyzer, mu=mu)
    return lucene.open_index(folder / "index"), there


def test_rankings_are_lucenes_and_the_embedded_engines(engines, oracle, queries, fidelity):
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
    of, values = f"engine `elasticsearch`, analyzer `{there.analyzer}`", sum(map(len, expected.values()))
    original = "Lucene, and the engine `embedded`"
    fidelity(of, "rank and score of documents retrieved", values, original, "to the last bit")


def test_deep_rankings_are_the_embedded_engines(engines, oracle, queries):
    here, there = engines
    deep = dict.fromkeys(row.split("\t")[0] for row in rows(oracle / "deep_rankings_english_mu2000.tsv")[1:])
    texts = [queries[query] for query in deep]
    found = there.search(texts, 1000, mu=there.mu)
    assert found == here.search(texts, 1000, mu=there.mu)
    scores = [hit.score for hit in found[0]]
    assert 0.0 in [hit.score for hits in found for hit in hits] and len(set(scores)) < len(scores)


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


def test_phrases_and_ties_by_hand(tmp_path):
    texts = ["growth of the cell", "growth in a cell, of cells", "Growth cell", "the of", "cell growth"]
    texts.append("a protein, a kinase, a protein kinase, the nucleus\ud800site")
    documents = [Document(f"d{number}", text) for number, text in enumerate(texts)]
    engine = loaded(documents, tmp_path / "receipt", "phrases")
    phrases = ["growth of the cell", "the cells", "growth", "of the", "cell growth", "growing"]
    phrases += ["cell growth", ""]
    assert engine.document_frequency(phrases) == [2, 4, 4, 0, 1, 0, 1, 0]
    assert engine.search(["", "of the", "absent"], 5) == [[], [], []]
    # d1 has three tokens; the others have two, and the earlier is first
    assert [hit.document for hit in engine.search(["growth"], 5)[0]] == ["d0", "d2", "d4", "d1"]
    assert [hit.document for hit in engine.search(["site"], 5)[0]] == ["d5"]
    with pytest.raises(InputError, match="the Elasticsearch server answered 400: .*1024"):
        engine.search([" ".join(f"w{number}" for number in range(1025))], 1)
    nothing = loaded([], tmp_path / "nothing", "nothing")
    assert (nothing.documents, nothing.mean_idf(), nothing.search(["cell"], 5)) == (0, 0.0, [[]])


# Loading


def articles_of(count):
    return [
        Document(f"PMC{number}", f"protein{number} binds kinase{number % 7}" + " in the cell nucleus" * 30)
        for number in range(count)
    ]


def test_a_load_that_a_kill_of_the_server_ends_is_resumed(server, front, tmp_path):
    documents = articles_of(2000)

    class KillingDocuments(list):
        """The server is killed while the documents are sent, which is their second reading."""

        readings = 0

        def __iter__(self):
            self.readings += 1
            for number, document in enumerate(super().__iter__()):
                if self.readings == 2 and number == 1200:
                    server.kill()
                yield document

    with pytest.raises(InputError, match="answered 502|does not answer"):
        load(KillingDocuments(documents), tmp_path / "receipt", name="killed")
    assert list(tmp_path.iterdir()) == []
    server.start()
    client = connect()
    client.cluster.health(index="killed-*", wait_for_status="yellow")
    load(documents, tmp_path / "receipt", name="killed")
    build_part(documents, tmp_path / "index")
    texts = ["protein5 kinase3", "nucleus of a cell"]
    expected = lucene.open_index(tmp_path / "index").search(texts, 1500)
    assert open_index(tmp_path / "receipt").search(texts, 1500) == expected
    begun = len(front.paths)
    load(documents, tmp_path / "again", name="killed")
    assert not any("_bulk" in path for path in front.paths[begun:])
    client.indices.delete(index=open_index(tmp_path / "receipt")._index)
    with pytest.raises(InputError, match=r"manifest.json: the server has no index killed-\w+. Load"):
        open_index(tmp_path / "receipt")


@pytest.mark.parametrize("version", ["7.14.0", "7.17.29", "8.0.0", "9.2.1"])
def test_supported_versions(server, monkeypatch, tmp_path, version):
    """A 7.10 behind a proxy that plays the version: the number, the product header, and which media types
    are taken. What else differs between these versions is not played; none of them was run."""
    with Proxy(server.address, version) as proxy:
        monkeypatch.setenv("ELASTICSEARCH_HOSTS", proxy.address)
        engine = loaded(articles_of(3), tmp_path / "receipt", f"version-{version}")
        assert engine.search(["protein1"], 1)[0][0].document == "PMC1"
    monkeypatch.setenv("ELASTICSEARCH_HOSTS", server.address)
    with pytest.raises(InputError, match="not Elasticsearch, or older than 7.14"):
        open_index(tmp_path / "receipt")


# The workflow, as a user runs it


RUN = "results/demo/runs/plain.trec"
TABLES = [f"results/demo/tables/table{number}.tsv" for number in (2, 3)]


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    return checkout(tmp_path_factory.mktemp("study"))


def ranked(folder, formulation):
    """The lines of a run, without the tag that names the engine."""
    return [line.rsplit(maxsplit=1)[0] for line in rows(folder / f"results/demo/runs/{formulation}.trec")]


def test_the_study_is_the_embedded_engines(study, front):
    line, environment = command(study, RUN, "--config", "engine=elasticsearch")
    killed = subprocess.Popen(line, cwd=study, env=environment, start_new_session=True)
    while not any("_bulk" in path and "sera-demo" in path for path in front.paths):
        assert killed.poll() is None
        time.sleep(0.005)
    os.killpg(killed.pid, signal.SIGKILL)
    killed.wait()
    assert snakemake(study, "--unlock").returncode == 0
    found = {}
    for engine in ("elasticsearch", "embedded"):
        run = snakemake(study, *TABLES, "--config", f"engine={engine}")
        assert run.returncode == 0, run.stderr[-5000:]
        if engine == "elasticsearch":
            contents = [path.read_bytes() for path in study.rglob("*") if path.is_file()]
            assert any(b"sera-demo" in content for content in contents)  # the index's name may be told
            for secret in (BASIC, PASSWORD, front.address.removeprefix("http://")):
                assert not [content for content in contents if secret.encode() in content]
        runs = [ranked(study, formulation) for formulation in ("plain", "np", "kw")]
        assert min(map(len, runs)) > 500
        tables = [(study / name).read_text() for name in (*TABLES, "results/demo/scores.tsv")]
        found[engine] = (runs, tables)
    assert found["elasticsearch"] == found["embedded"]


def test_wrong_credentials_are_one_line_of_the_workflow(study, monkeypatch):
    monkeypatch.setenv("ELASTICSEARCH_PASSWORD", "wrong-word")
    run = snakemake(study, RUN, "--config", "engine=elasticsearch")
    assert run.returncode == 1
    [line] = rows(study / "results/demo/logs/load_index.log")
    assert line.startswith("ERROR ") and "refuses the credentials (401). Set ELASTICSEARCH_API_KEY" in line
    assert line.removeprefix("ERROR ") in run.stderr and "wrong-word" not in run.stderr
