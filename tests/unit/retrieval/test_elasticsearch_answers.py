"""The Elasticsearch engine before a stub of a server, that can answer anything; no Java is needed."""

from __future__ import annotations

import base64
import gzip
import json
import logging
import math
import re
import socket
import subprocess
import sys
import threading
import time

import pytest
from stub_server import named_stub, raw_answer

from sera import servers
from sera.errors import InputError
from sera.records import Document
from sera.retrieval.engines import server_engine
from sera.retrieval.engines.elasticsearch import load, open_index

DOCUMENTS = [Document("d1", "kinase binds"), Document("d2", "kinase kinase other")]
LOOK = "Check that ELASTICSEARCH_HOSTS names the server itself, not a proxy or another service."


@pytest.fixture
def stub(monkeypatch):
    with named_stub(monkeypatch, "ELASTICSEARCH") as stub:
        yield stub


@pytest.fixture
def receipt(stub, tmp_path):
    load(DOCUMENTS, tmp_path / "receipt", name="sera", patience=0)
    return tmp_path / "receipt"


def test_loading_and_searching(stub, receipt):
    engine = open_index(receipt, patience=0)
    assert engine.search(["kinase"], 5) == [[("d2", 1.5)]]
    assert engine.document_frequency(["kinase"]) == [2]
    assert stub.meta[stub.alias]["seal"] == [[2, 1]]
    assert "seal" not in json.loads((receipt / "manifest.json").read_text())


# Answers of another shape

JSON_LIKE = [b"", b"[]", b"null", b"1", b'"text"', b"{}", b"{", b"\xff\xfe{}", b"NaN", b"[" * 100_000]


@pytest.mark.parametrize("body", JSON_LIKE)
@pytest.mark.parametrize(
    "request_", ["GET /", "GET /.*/_mapping", "POST /.*/_count", "PUT /.*/_bulk", "GET /.*/_stats/.*"]
)
def test_what_is_no_answer_when_loading(stub, tmp_path, request_, body):
    stub.instead[request_] = [raw_answer(body=body)]
    if body == b"{}" and request_.endswith("_mapping"):
        problem = "the index sera-.* was made by something else"  # an honest answer: there is no such index
    else:
        problem = "the Elasticsearch server's answer (is not|is nested|has no).*" + re.escape(LOOK)
    with pytest.raises(InputError, match=problem) as caught:
        load(DOCUMENTS, tmp_path / "receipt", name="sera", patience=0)
    assert len(str(caught.value)) < 400
    assert list(tmp_path.iterdir()) == []


HIT = {"_id": "d2", "sort": [1.5, 1]}
WHOLE = {"timed_out": False, "_shards": {"failed": 0}}
RESPONSES = [
    ([], "is to 0 searches, not 1"),
    ([{}, {}], "is to 2 searches, not 1"),
    ([7], "has no object"),
    ([{}], "has no whole number _shards.failed"),
    ([WHOLE | {"hits": 3}], "has no list hits.hits"),
    ([WHOLE | {"hits": {"hits": [HIT] * 6}}], "has 6 documents, not 5"),
    ([WHOLE | {"hits": {"hits": ["d"]}}], "has no list sort"),
    ([WHOLE | {"hits": {"hits": [HIT | {"sort": []}]}}], "has a document without a score"),
    ([WHOLE | {"hits": {"hits": [HIT | {"sort": [True]}]}}], "has a document without a score"),
    ([WHOLE | {"hits": {"hits": [HIT | {"sort": [1e39]}]}}], "has a document without a score"),
    ([WHOLE | {"hits": {"hits": [HIT | {"_id": 5}]}}], "has no text _id"),
    (
        [WHOLE | {"hits": {"hits": [HIT | {"_id": "a\nq Q0 b"}]}}],
        r"document 'a\\nq Q0 b' has the character U",
    ),
    ([WHOLE | {"timed_out": True}], "searched only a part of the index"),
    ([{"timed_out": False, "_shards": {"failed": 1}}], "searched only a part of the index"),
    ([{"error": {"root_cause": 5, "type": [], "reason": {}}}], "answered 500"),
    ([{"error": "odd", "status": "odd"}], "answered 500 error: odd"),
    ([{"error": {"type": "x", "caused_by": {"reason": "deep"}}, "status": 400}], "answered 400 x: deep"),
]


@pytest.mark.parametrize(("responses", "problem"), RESPONSES)
def test_what_is_no_answer_when_searching(stub, receipt, responses, problem):
    engine = open_index(receipt, patience=0)
    stub.instead["(GET|POST) /_msearch"] = [raw_answer(body=json.dumps({"responses": responses}).encode())]
    with pytest.raises(InputError, match=problem):
        engine.search(["kinase"], 5)


@pytest.mark.parametrize(
    ("items", "problem"),
    [
        ([{}], "has no text create._id"),
        ([{"create": {"_id": "other", "status": 201}}], "is of a document that was not sent"),
        ([{"create": {"_id": "d1", "status": "201"}}], "has no whole number create.status"),
        ([{"create": {"_id": "d1", "status": 201}}] * 2, "is of a document that was not sent"),
        ([], "stayed too busy to load into"),
    ],
)
def test_what_is_no_answer_to_documents(stub, tmp_path, items, problem):
    stub.instead["PUT /.*/_bulk"] = [raw_answer(body=json.dumps({"items": items}).encode())]
    with pytest.raises(InputError, match=problem):
        load(DOCUMENTS, tmp_path / "receipt", name="sera", patience=0)


@pytest.mark.parametrize(
    "version", [None, 8, ["8"], {"number": "8"}, "", "x", "²", "8", "10.0.0", "8\x1b[2J"]
)
def test_versions_that_are_none(stub, tmp_path, version):
    stub.version = version
    problem = "has version|has no text version.number"
    with pytest.raises(InputError, match=problem) as caught:
        load(DOCUMENTS, tmp_path / "receipt", name="sera", patience=0)
    assert str(caught.value).isprintable()


# From the first answer of an OpenSearch server, by its documentation: a distribution, and no product header.
OPENSEARCH = {
    "name": "n1",
    "version": {"distribution": "opensearch", "number": "2.11.0"},
    "tagline": "The OpenSearch Project: https://opensearch.org/",
}


def test_opensearch_is_named(stub, tmp_path):
    raw = raw_answer(200, json.dumps(OPENSEARCH).encode())
    stub.instead["GET /"] = [raw.replace(b"X-Elastic-Product: Elasticsearch\r\n", b"")]
    with pytest.raises(InputError) as caught:
        load(DOCUMENTS, tmp_path / "receipt", name="sera", patience=0)
    assert str(caught.value) == (
        "the server is OpenSearch, not Elasticsearch. Use the engine `opensearch`, and name the server in "
        "OPENSEARCH_HOSTS."
    )
    assert [request for request, _ in stub.asked] == ["GET /"]


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (raw_answer(429), "answered 429"),
        (raw_answer(500, b"<html>\n<h1>Oh</h1>", kind="text/html"), "answered 500 error: <html>"),
        (raw_answer(503, b"{", kind="application/json"), "answered 503 error: {"),
        (raw_answer(503, b"\xff\xfe", kind="image/png"), "answered 503 error: "),
        (raw_answer(400, b'{"error": 5}'), "answered 400 error: 5"),
        (
            raw_answer(302, b"", "Location: http://user:secret@else/"),
            "answered 302, a redirect to another address",
        ),
        (raw_answer(200, b"<html>", kind="text/html"), "has no text version.number"),
        (raw_answer(200, b"GIF", kind="image/gif"), "is of another kind than JSON"),
        (raw_answer(200, b"{}", "Content-Encoding: gzip"), "is compressed, which was not asked for"),
        (raw_answer(200, gzip.compress(bytes(10**7), mtime=0), "Content-Encoding: gzip"), "is compressed"),
        (raw_answer(200, b'{"version"', length=1000), "does not answer"),
        (raw_answer(200, b"{}", "Content-Length: 7"), "does not answer"),
        (raw_answer(200, b"", *["X: y"] * 200), "does not answer"),
        (raw_answer(200, b"", "X: " + "y" * 70_000), "does not answer"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "does not answer"),
        (b"", "does not answer"),
        (
            raw_answer().replace(b"X-Elastic-Product: Elasticsearch\r\n", b""),
            "is not Elasticsearch, or older",
        ),
        (
            b"HTTP/1.1 200 OK\r\nX-Elastic-Product: Elasticsearch\r\nTransfer-Encoding: chunked\r\n\r\n"
            b"-1\r\n" + b"x" * 1000,
            "does not answer",
        ),
    ],
)
def test_answers_of_another_kind(stub, tmp_path, raw, problem):
    stub.instead["GET /"] = [raw]
    with pytest.raises(InputError, match=problem) as caught:
        load(DOCUMENTS, tmp_path / "receipt", name="sera", patience=0)
    assert str(caught.value).isprintable() and len(str(caught.value)) < 500
    assert "secret" not in str(caught.value)


def test_an_answer_may_not_be_larger_than_the_limit(stub, tmp_path, monkeypatch):
    monkeypatch.setenv("SERA_LARGEST_ANSWER", "1000")
    stub.instead["GET /"] = [raw_answer(body=b" " * 1001)]
    with pytest.raises(
        InputError, match="an answer of a server is over the limit of 1000 bytes.*SERA_LARGEST"
    ):
        load(DOCUMENTS, tmp_path / "receipt", name="sera", patience=0)


@pytest.mark.parametrize("drip", [b"H", b"HTTP/1.1 100 Continue\r\n\r\n", raw_answer(length=10**6)])
def test_an_answer_that_drips_is_given_up(stub, tmp_path, monkeypatch, drip):
    monkeypatch.setattr(servers, "HEAD", 0.3)
    monkeypatch.setattr(servers, "WHOLE_ANSWER", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve():
            connection, _ = listener.accept()
            try:
                connection.sendall(drip)
                while True:
                    threading.Event().wait(0.02)
                    connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n" if b"100" in drip else b" ")
            except OSError:
                connection.close()

        threading.Thread(target=serve, daemon=True).start()
        monkeypatch.setenv("ELASTICSEARCH_HOSTS", f"http://127.0.0.1:{listener.getsockname()[1]}")
        begun = time.monotonic()
        with pytest.raises(InputError, match="does not answer"):
            load(DOCUMENTS, tmp_path / "receipt", name="sera", patience=0)
        assert time.monotonic() - begun < 5


def test_warnings_of_the_server_are_not_printed(stub, tmp_path, recwarn):
    body = b'{"version": {"number": "8.1.0"}}'
    stub.instead["GET /"] = [raw_answer(200, body, 'Warning: 299 x "mind \x1b[2J this"')]
    load(DOCUMENTS, tmp_path / "receipt", name="sera", patience=0)
    assert [str(each.message) for each in recwarn if "mind" in str(each.message)] == []


# Waiting


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [("7", 7), ("0", 0), ("-5", 0), ("9" * 50, 300), ("", 0), ("soon", 0), ("1e9", 0)]
    + [("Wed, 01 Jan 2020 00:00:00 GMT", 0), ("Fri, 31 Dec 9999 23:59:59 GMT", 300), ("32 x 99999 9:9:9", 0)],
)
def test_how_long_a_server_asks_to_wait(asked, seconds):
    assert servers.wait({"Retry-After": asked}) == seconds


def test_waiting_is_as_long_as_asked_and_no_longer_than_patience(stub, tmp_path, monkeypatch):
    waits = []
    monkeypatch.setattr(time, "sleep", waits.append)
    stub.instead["GET /"] = [raw_answer(503, b"", "Retry-After: 3")] * 2 + [b"once:" + raw_answer(429)]
    load(DOCUMENTS, tmp_path / "receipt", name="sera", patience=60)
    assert waits == [3, 3, 2]
    waits.clear()
    stub.instead["GET /"] = [b"once:" + raw_answer(503, b"", "Retry-After: 1000000000")]
    load(DOCUMENTS, tmp_path / "receipt", name="sera", patience=60)
    assert len(waits) == 1 and 59 < waits[0] <= 60


def test_a_search_after_a_restart_waits(stub, receipt):
    away = {
        "error": {"type": "search_phase_execution_exception", "reason": "all shards failed"},
        "status": 503,
    }
    late = raw_answer(200, json.dumps({"indices": {}}).encode())
    stub.instead = {
        "GET /": [b"", b"", b"", b"", b"once:"],
        "GET /sera/_mapping": [b"once:" + raw_answer(503)],
        "GET /.*/_stats/.*": [b"once:" + late],
        "(GET|POST) /_msearch": [
            raw_answer(429),
            b"once:" + raw_answer(200, json.dumps({"responses": [away]}).encode()),
        ],
    }
    assert open_index(receipt, patience=20).search(["kinase"], 5) == [[("d2", 1.5)]]


def test_a_search_while_nobody_listens_waits_and_gives_up(stub, receipt, monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv("ELASTICSEARCH_HOSTS", f"http://127.0.0.1:{free.getsockname()[1]}")
        monkeypatch.setenv("SERA_LONGEST_WAIT", "1")
        begun = time.monotonic()
        with pytest.raises(InputError, match="does not answer.*Start it"):
            open_index(receipt)
        assert 1 <= time.monotonic() - begun < 10


# An index that was changed


def change_count(stub):
    del stub.ids[stub.alias]["d1"]


def change_add(stub):
    stub.put(stub.alias, "foreign")


def change_replace(stub):
    stub.put(stub.alias, "d1")


def change_exchange(stub):
    change_count(stub)
    change_add(stub)


def change_leftover(stub):
    stub.deleted = 1


@pytest.mark.parametrize(
    "change", [change_count, change_add, change_replace, change_exchange, change_leftover]
)
def test_an_index_that_was_changed_is_refused(stub, receipt, tmp_path, change):
    open_index(receipt, patience=0)
    change(stub)
    problem = "the index sera-.* was changed since it was loaded.*Delete it on the server and load the corpus"
    with pytest.raises(InputError, match=problem) as caught:
        open_index(receipt, patience=0)
    assert str(caught.value).startswith(str(receipt / "manifest.json"))
    sent = len([request for request, _ in stub.asked if "_bulk" in request])
    with pytest.raises(InputError, match=problem):
        load(DOCUMENTS, tmp_path / "again", name="sera", patience=0)
    assert len([request for request, _ in stub.asked if "_bulk" in request]) == sent


def test_an_index_without_a_seal_is_sealed_by_loading(stub, receipt, tmp_path):
    del stub.meta[stub.alias]["seal"]
    with pytest.raises(InputError, match="was not loaded to its end. Load the corpus again"):
        open_index(receipt, patience=0)
    load(DOCUMENTS, tmp_path / "again", name="sera", patience=0)
    open_index(receipt, patience=0)


@pytest.mark.parametrize("value", [None, "8", True, [], {}])
@pytest.mark.parametrize("field", ["name", "mu", "documents", "version", "mean_idf", "analyzer"])
def test_receipts_with_other_values(receipt, field, value):
    manifest = receipt / "manifest.json"
    content = json.loads(manifest.read_text())
    if type(content[field]) is not type(value):
        manifest.write_text(json.dumps(content | {field: value}))
        with pytest.raises(InputError, match="is not the receipt of an index"):
            open_index(receipt, patience=0)


def test_the_mean_idf_is_of_no_stop_word_of_smart(receipt):
    # of 2 documents kinase is in 2 and binds in 1; other is a stop word
    assert open_index(receipt, patience=0).mean_idf() == pytest.approx((math.log(2 / 2) + math.log(2)) / 2)


def test_a_receipt_of_a_mean_with_stop_words_is_refused(receipt):
    manifest = receipt / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"version": 1}))
    with pytest.raises(InputError, match="has the version 1, not 2. Load the corpus again"):
        open_index(receipt, patience=0)


# Shards


@pytest.mark.parametrize(("value", "shards"), [(None, 1), ("", 1), ("3", 3), ("1024", 1024)])
def test_the_environment_gives_the_number_of_shards(stub, monkeypatch, tmp_path, value, shards):
    if value is not None:
        monkeypatch.setenv("ELASTICSEARCH_SHARDS", value)
    load(DOCUMENTS, tmp_path / "receipt", name="sera", patience=0)
    assert list(stub.shards.values()) == [shards] and len(stub.meta[stub.alias]["seal"]) == shards
    monkeypatch.setenv("ELASTICSEARCH_SHARDS", "2")
    assert open_index(tmp_path / "receipt", patience=0).documents == 2  # an index keeps its own number


def test_a_number_of_shards_that_is_given_has_the_last_word(stub, monkeypatch, tmp_path):
    monkeypatch.setenv("ELASTICSEARCH_SHARDS", "3")
    load(DOCUMENTS, tmp_path / "receipt", name="sera", shards=2, patience=0)
    assert list(stub.shards.values()) == [2]


@pytest.mark.parametrize("value", ["0", "1025", "-1", "2.5", "three", "99999", "²"])
def test_a_wrong_number_of_shards(stub, monkeypatch, tmp_path, value):
    monkeypatch.setenv("ELASTICSEARCH_SHARDS", value)
    with pytest.raises(InputError) as caught:
        load(DOCUMENTS, tmp_path / "receipt", name="sera", patience=0)
    assert str(caught.value) == (
        "ELASTICSEARCH_SHARDS is not a whole number from 1 to 1024. Correct it, or unset it for one shard."
    )
    assert stub.asked == []


def test_searches_use_the_statistics_of_all_shards(stub, receipt):
    """Otherwise a score would depend on the shard that holds a document."""
    stub.bodies.clear()
    engine = open_index(receipt, patience=0)
    engine.search(["kinase", "binds"], 1)
    engine.document_frequency(["kinase"])
    headers = [json.loads(line) for body in stub.bodies for line in body.splitlines()[::2]]
    assert [header["search_type"] for header in headers] == ["dfs_query_then_fetch"] * 3


# Credentials


def test_a_password_in_any_script(stub, monkeypatch, tmp_path, caplog):
    for password in ("schön", "пароль", "密码 ", "كلمة", "a:b", "e\u0301"):
        monkeypatch.setenv("ELASTICSEARCH_USER", "lëser")
        monkeypatch.setenv("ELASTICSEARCH_PASSWORD", password)
        stub.asked.clear()
        with caplog.at_level(logging.DEBUG):
            load(DOCUMENTS, tmp_path / "receipt", name="sera", patience=0)
        sent = base64.b64encode(f"lëser:{password}".encode()).decode()
        assert {header for _, header in stub.asked} == {f"Basic {sent}"}
        assert sent not in caplog.text and password not in caplog.text
        assert password not in (tmp_path / "receipt/manifest.json").read_text()


@pytest.mark.parametrize(
    ("variables", "problem"),
    [
        ({"USER": "me:you", "PASSWORD": "hush"}, "ELASTICSEARCH_USER has a colon"),
        ({"USER": "me", "PASSWORD": "hush\n"}, "ELASTICSEARCH_PASSWORD has a control character"),
        ({"USER": "me", "PASSWORD": "hush\udcff"}, "ELASTICSEARCH_PASSWORD has a control character"),
        ({"API_KEY": ":hush"}, "is not an API key"),
        ({"API_KEY": "húsh"}, "is not an API key"),
        ({"CA": "hush" * 2000}, "does not name a file of certificates"),
        ({"HOSTS": "https://me:hush@[::1]:9200"}, "address 1 .*put credentials into ELASTICSEARCH_API_KEY"),
        ({"HOSTS": "https://[hush"}, "address 1 in ELASTICSEARCH_HOSTS"),
        ({"HOSTS": "https://a b:9200"}, "address 1 in ELASTICSEARCH_HOSTS"),
        ({"HOSTS": "ftp://hush:9200"}, "address 1 in ELASTICSEARCH_HOSTS"),
        ({"HOSTS": "https://hush:99999"}, "address 1 in ELASTICSEARCH_HOSTS"),
    ],
)
def test_wrong_variables(stub, monkeypatch, tmp_path, variables, problem):
    for variable, value in variables.items():
        monkeypatch.setenv(f"ELASTICSEARCH_{variable}", value)
    with pytest.raises(InputError, match=problem) as caught:
        load(DOCUMENTS, tmp_path / "receipt", name="sera", patience=0)
    assert "hush" not in str(caught.value)


def test_a_server_that_sends_the_credentials_back(stub, monkeypatch, tmp_path):
    monkeypatch.setenv("ELASTICSEARCH_USER", "me")
    monkeypatch.setenv("ELASTICSEARCH_PASSWORD", "hush-hush")
    sent = base64.b64encode(b"me:hush-hush").decode()
    stub.instead["GET /"] = [raw_answer(400, f"got Basic {sent}, hush-hush".encode(), kind="text/plain")]
    with pytest.raises(InputError) as caught:
        load(DOCUMENTS, tmp_path / "receipt", name="sera", patience=0)
    problem = "the Elasticsearch server answered 400 error: got Basic ***, ***"
    assert str(caught.value) == f"{problem}. Check the server and its log."


def test_the_command_line_prints_one_line(stub, receipt, tmp_path):
    stub.instead["(GET|POST) /_msearch"] = [raw_answer(200, b"<html>", kind="text/html")]
    (tmp_path / "q.jsonl").write_text('{"id": "q", "text": "kinase"}\n')
    line = "index search --engine elasticsearch --queries q.jsonl --out o.trec --index".split()
    command = [sys.executable, "-c", "from sera.cli import main; main(prog_name='sera')", *line, str(receipt)]
    run = subprocess.run(command, cwd=tmp_path, text=True, capture_output=True)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == f"Error: the Elasticsearch server's answer has no list responses. {LOOK}\n"


def test_nothing_is_loaded_if_the_receipt_has_no_place(stub, tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(InputError, match="is something else already"):
        load(DOCUMENTS, tmp_path, name="sera", patience=0)
    assert stub.asked == []
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_hits_are_checked_in_little_time():
    answer = {"hits": {"hits": [{"_id": f"PMC{n}", "sort": [1.5, n]} for n in range(10_000)]}}
    begun = time.process_time()
    assert len(server_engine._hits(answer, 10_000)) == 10_000
    assert time.process_time() - begun < 1
