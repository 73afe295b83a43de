"""The engine `elasticsearch` before a stub of a server, which can answer anything; no Java is needed."""

import base64
import json
import logging
import math

import pytest
from commands import sera
from stub_server import named_stub, raw_answer

from sera.errors import InputError
from sera.io.records import Document, write
from sera.retrieval.elasticsearch import load, open_index

DOCUMENTS = [Document("d1", "kinase binds"), Document("d2", "kinase kinase other")]


@pytest.fixture
def stub(monkeypatch):
    with named_stub(monkeypatch) as stub:
        yield stub


@pytest.fixture
def receipt(stub, tmp_path):
    load(DOCUMENTS, tmp_path / "receipt", name="sera")
    return tmp_path / "receipt"


def test_loading_and_searching(stub, receipt, monkeypatch, tmp_path):
    engine = open_index(receipt)
    assert engine.search(["kinase", "binds", ""], 5) == [[("d2", 1.5)], [("d2", 1.5)], []]
    assert engine.document_frequency(["kinase"]) == [2]
    # of 2 documents kinase is in 2 and binds in 1; other is a stop word
    assert engine.mean_idf() == pytest.approx((math.log(2 / 2) + math.log(2)) / 2)
    # otherwise a score would depend on the shard that holds a document, and ties on the server
    lines = [json.loads(line) for body in stub.bodies for line in body.splitlines()]
    assert {line["search_type"] for line in lines[::2]} == {"dfs_query_then_fetch"}
    assert lines[1]["sort"] == [{"_score": "desc"}, {"number": "asc"}]
    [settings] = [created["settings"] for created in stub.created.values()]
    assert settings["number_of_shards"] == 1
    assert settings["similarity"] == {"dirichlet": {"type": "LMDirichlet", "mu": 2000.0}}
    monkeypatch.setenv("ELASTICSEARCH_SHARDS", "3")
    load(DOCUMENTS, tmp_path / "other", name="sera", mu=5)
    assert [each["settings"]["number_of_shards"] for each in stub.created.values()] == [1, "3"]


def test_a_second_load_sends_what_is_missing(stub, receipt, tmp_path):
    first = (receipt / "manifest.json").read_bytes()
    [ids] = stub.ids.values()
    for missing, sent in ((set(), 0), ({"d1"}, 1)):
        ids.difference_update(missing)
        stub.asked.clear()
        load(DOCUMENTS, receipt, name="sera")
        assert sum("_bulk" in request for request, _ in stub.asked) == sent
        assert ids == {"d1", "d2"} and (receipt / "manifest.json").read_bytes() == first
    ids.add("foreign")
    problem = r"manifest.json: the server's index sera-\w+ has 3 documents, not 2"
    with pytest.raises(InputError, match=problem):
        open_index(receipt)
    with pytest.raises(InputError, match="has 3 documents, not 2. Delete it on the server"):
        load(DOCUMENTS, tmp_path / "again", name="sera")
    stub.ids.clear()
    with pytest.raises(InputError, match=r"manifest.json: the server has no index sera-\w+. Load"):
        open_index(receipt)


def test_a_search_that_fails_is_one_line(stub, receipt, tmp_path):
    error = {"type": "x", "caused_by": {"reason": "too many clauses"}}
    failed = {"responses": [{"error": error, "status": 400}]}
    stub.instead["POST .*/_msearch"] = raw_answer(200, json.dumps(failed).encode())
    write(tmp_path / "q.jsonl", [Document("q", "kinase")])
    where = ("--queries", tmp_path / "q.jsonl", "--out", tmp_path / "o", "--index", receipt)
    printed = sera("search", "--engine", "elasticsearch", *where, code=2)
    assert printed.count("\n") == 1 and "answered 400: too many clauses" in printed


def test_another_receipt_is_refused(stub, receipt):
    (receipt / "manifest.json").write_text('{"format": "sera index"}')
    with pytest.raises(InputError, match="manifest.json: is not the receipt of an index in version 3"):
        open_index(receipt)


def encoded(text):
    return base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    ("variables", "sent"),
    [
        ({"USER": "lëser", "PASSWORD": "密码 "}, f"Basic {encoded('lëser:密码 ')}"),
        ({"API_KEY": "some-id:some-key"}, f"ApiKey {encoded('some-id:some-key')}"),
        ({"API_KEY": "c29tZQ=="}, "ApiKey c29tZQ=="),
    ],
)
def test_credentials_are_sent_and_never_written(stub, monkeypatch, tmp_path, caplog, variables, sent):
    for variable, value in variables.items():
        monkeypatch.setenv(f"ELASTICSEARCH_{variable}", value)
    with caplog.at_level(logging.DEBUG):
        load(DOCUMENTS, tmp_path / "receipt", name="sera")
    assert {header for _, header in stub.asked} == {sent} and "_bulk" in caplog.text
    written = (tmp_path / "receipt/manifest.json").read_text()
    stub.instead["HEAD .*"] = raw_answer(401, b"")
    with pytest.raises(InputError, match=r"refuses the credentials \(401\)") as caught:
        open_index(tmp_path / "receipt")
    for secret in (sent.split()[1], *variables.values()):
        assert secret not in f"{caplog.text}{written}{caught.value}"
    assert "127.0.0.1" not in written
