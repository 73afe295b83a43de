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
from sera.retrieval.elasticsearch import Documents, load, open_index

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
    with pytest.raises(
        InputError, match=r"manifest.json: the server's index sera-\w+ has 3 documents, not 2"
    ):
        open_index(receipt)
    with pytest.raises(InputError, match="has 3 documents, not 2. Delete it on the server"):
        load(DOCUMENTS, tmp_path / "again", name="sera")
    stub.ids.clear()
    with pytest.raises(InputError, match=r"manifest.json: the server has no index sera-\w+. Load"):
        open_index(receipt)


REASON = json.dumps({"error": {"type": "x", "root_cause": [{"reason": "deep"}]}, "status": 400}).encode()
ITEM = {"create": {"_id": "d1", "status": 400, "error": {"type": "x", "reason": "no field"}}}


@pytest.mark.parametrize(
    ("request_", "raw", "problem"),
    [
        ("HEAD .*", raw_answer(401, b""), "refuses the credentials .401.. Set ELASTICSEARCH_API_KEY"),
        ("HEAD .*", raw_answer(403, b""), "refuses the credentials .403."),
        ("HEAD .*", raw_answer(200, b"", product="other"), "not Elasticsearch, or older than 7.14"),
        ("HEAD .*", b"SSH-2.0-OpenSSH_9.2\r\n", "does not answer .ConnectionError.. Start it"),
        ("PUT /sera-[^/]*", raw_answer(400, REASON), "answered 400: deep"),
        ("POST .*/_refresh", raw_answer(503), "answered 503"),
        ("GET .*/_count|POST .*/_count", raw_answer(200, b"{"), "does not answer .SerializationError."),
        (
            "PUT .*/_bulk",
            raw_answer(200, json.dumps({"items": [ITEM]}).encode()),
            "'d1'.*answered 400: no field",
        ),
    ],
)
def test_answers_of_another_kind(stub, tmp_path, request_, raw, problem):
    stub.instead[request_] = raw
    with pytest.raises(InputError, match=problem):
        load(DOCUMENTS, tmp_path / "receipt", name="sera")
    assert list(tmp_path.iterdir()) == []


def test_a_search_that_fails_is_one_line(stub, receipt, tmp_path):
    failed = {
        "responses": [{"error": {"type": "x", "caused_by": {"reason": "too many clauses"}}, "status": 400}]
    }
    stub.instead["POST .*/_msearch"] = raw_answer(200, json.dumps(failed).encode())
    write(tmp_path / "q.jsonl", [Document("q", "kinase")])
    where = ("--queries", tmp_path / "q.jsonl", "--out", tmp_path / "o", "--index", receipt)
    printed = sera("search", "--engine", "elasticsearch", *where, code=2)
    assert printed.count("\n") == 1 and "answered 400: too many clauses" in printed


@pytest.mark.parametrize("entries", [{"format": "sera index"}, {"version": 2}])
def test_another_receipt_is_refused(stub, receipt, entries):
    manifest = receipt / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | entries))
    with pytest.raises(InputError, match="manifest.json: is not the receipt of an index in version 3"):
        open_index(receipt)


@pytest.mark.parametrize(
    ("documents", "settings", "problem"),
    [
        (DOCUMENTS * 2, {}, "the document 'd1' is there twice"),
        ([], {"name": "No Name"}, "'No Name' cannot be the name of an index"),
        ([], {"analyzer": "englisch"}, "there is no analyzer 'englisch'"),
    ],
)
def test_what_cannot_be_loaded(stub, tmp_path, documents, settings, problem):
    with pytest.raises(InputError, match=problem):
        load(documents, tmp_path / "receipt", **{"name": "sera", **settings})
    assert list(tmp_path.iterdir()) == [] and stub.ids == {}


def test_wrong_settings_of_a_search(stub, receipt):
    engine = open_index(receipt)
    for k in (0, 10_001):
        with pytest.raises(InputError, match="Give 1 to 10,000"):
            engine.search(["kinase"], k)
    with pytest.raises(InputError, match="smooths with mu = 2000, not 5"):
        engine.search(["kinase"], 5, mu=5)


def test_documents_of_files(tmp_path):
    write(tmp_path / "a.jsonl.gz", DOCUMENTS[:1])
    write(tmp_path / "b.jsonl", DOCUMENTS[1:])
    documents = Documents([tmp_path / "a.jsonl.gz", tmp_path / "b.jsonl"])
    assert list(documents) == list(documents) == DOCUMENTS


@pytest.mark.parametrize(
    ("variables", "problem"),
    [
        ({"HOSTS": ""}, "ELASTICSEARCH_HOSTS does not name a server"),
        ({"HOSTS": "localhost"}, "ELASTICSEARCH_HOSTS does not name a server"),
        ({"HOSTS": "http://a:9200, https://me:hush@b:9200"}, "has credentials. Put"),
    ],
)
def test_wrong_variables(stub, monkeypatch, tmp_path, variables, problem):
    for variable, value in variables.items():
        monkeypatch.setenv(f"ELASTICSEARCH_{variable}", value)
    with pytest.raises(InputError, match=problem) as caught:
        load(DOCUMENTS, tmp_path / "receipt", name="sera")
    assert "hush" not in str(caught.value) and stub.asked == []


@pytest.mark.parametrize(
    ("variables", "sent"),
    [
        (
            {"USER": "lëser", "PASSWORD": "密码 "},
            "Basic " + base64.b64encode("lëser:密码 ".encode()).decode(),
        ),
        ({"API_KEY": "some-id:some-key"}, "ApiKey " + base64.b64encode(b"some-id:some-key").decode()),
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
    with pytest.raises(InputError) as caught:
        open_index(tmp_path / "receipt")
    for secret in (sent.split()[1], *variables.values()):
        assert secret not in f"{caplog.text}{written}{caught.value}"
    assert "127.0.0.1" not in written
