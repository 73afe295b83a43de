"""The OpenSearch engine on three nodes on loopback, with replicas; `make test-all` runs these.

A node is killed in the middle of a load and of a search. No document may be lost or counted twice, and
rankings and scores stay those of the embedded engine, whatever the number of shards.
"""

from __future__ import annotations

import threading

import pytest
from opensearch_server.server import RUNNERS, Cluster, class_path, missing
from opensearchpy import Urllib3HttpConnection

from sera.retrieval.engines import embedded, index_building
from sera.retrieval.engines import server as engine_of_server
from sera.retrieval.engines.server import OPENSEARCH, connect
from sera.retrieval.engines.server import load_opensearch as load
from sera.retrieval.engines.server import open_opensearch as open_index


@pytest.fixture(scope="module", params=RUNNERS)
def cluster(request, tmp_path_factory):
    if missing(request.param):
        pytest.skip(missing(request.param))
    jars = class_path(request.param, tmp_path_factory.mktemp("jars"))
    cluster = Cluster(request.param, jars, tmp_path_factory.mktemp("cluster"))
    with pytest.MonkeyPatch.context() as environment:
        for variable in ("USER", "PASSWORD", "CA", "INDEX", "SHARDS", "API_KEY"):
            environment.delenv(f"OPENSEARCH_{variable}", raising=False)
        environment.setenv("OPENSEARCH_HOSTS", cluster.addresses)
        yield cluster
    cluster.stop()


@pytest.fixture(scope="module")
def here(articles, tmp_path_factory):
    folder = tmp_path_factory.mktemp("here") / "index"
    index_building.build_part(articles, folder)
    return embedded.open_index(folder)


def node_that(when, part, then):
    """A class of connections that does something before the request of that number with that path."""
    seen = []

    class CountingNode(Urllib3HttpConnection):
        def perform_request(self, method, url, *arguments, **settings):
            if url.endswith(part):
                seen.append(url)
                if len(seen) == when:
                    then()
            return super().perform_request(method, url, *arguments, **settings)

    return CountingNode


def healthy(ask, index=""):
    """Wait until all copies of all shards are there, on three nodes."""
    waiting = {"wait_for_status": "green", "wait_for_nodes": "3", "timeout": "100s", "request_timeout": 120}
    answer = ask("GET", "_cluster", "health", *([index] if index else []), **waiting)
    assert (answer["status"], answer["number_of_nodes"], answer["timed_out"]) == ("green", 3, False)


@pytest.mark.parametrize("shards", [1, 3, 8])
def test_a_node_is_killed_in_a_load_and_in_a_search(
    cluster, here, articles, queries, shards, tmp_path, monkeypatch
):
    monkeypatch.setattr(engine_of_server, "_BULK_DOCUMENTS", 20)
    server = connect(OPENSEARCH, 60)
    victim, other = cluster.nodes[shards % 3], cluster.nodes[(shards + 1) % 3]
    late = []

    def away_for_a_while(node):
        """Kill a node when all copies are there, and start it again after five seconds."""
        healthy(server.ask, "killed-*")
        node.kill()
        late.append(threading.Timer(5, node.launch))
        late[-1].start()

    in_load = node_that(15, "/_bulk", lambda: away_for_a_while(victim))
    load(articles, tmp_path / "receipt", name="killed", shards=shards, node=in_load)
    late[-1].join()
    victim.wait()
    healthy(server.ask, "killed")

    [index] = server.ask("GET", "_alias", "killed")
    settings = server.ask("GET", index, "_settings", flat_settings="true")[index]["settings"]
    assert settings["index.number_of_shards"] == str(shards)
    assert settings["index.number_of_replicas"] == "1"
    hits = server.ask("GET", index, "_search", size="1000", docvalue_fields="number")["hits"]["hits"]
    assert sorted((hit["fields"]["number"][0], hit["_id"]) for hit in hits) == [
        (number, article.id) for number, article in enumerate(articles)
    ]
    for copy in ("_primary", "_replica"):
        assert server.ask("GET", index, "_count", preference=copy)["count"] == len(articles)

    texts = list(queries.values())
    expected = here.search(texts, 100)
    assert open_index(tmp_path / "receipt").search(texts, 100) == expected
    in_search = node_that(3, "/_msearch", lambda: away_for_a_while(other))
    assert open_index(tmp_path / "receipt", node=in_search).search(texts, 100) == expected
    assert len(late) == 2
    late[-1].join()
    other.wait()
    healthy(server.ask, "killed")
    assert open_index(tmp_path / "receipt").search(texts, 100) == expected
    server.ask("DELETE", index)
