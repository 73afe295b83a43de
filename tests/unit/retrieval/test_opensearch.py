"""The OpenSearch engine before a stub of a server; what it shares with Elasticsearch's is tested there."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import time
from urllib.parse import urlsplit

import pytest
from conftest import ROOT
from stub_server import named_stub, raw_answer

from sera.errors import InputError
from sera.records import Document
from sera.retrieval.engines import ENGINES, LOADERS
from sera.retrieval.engines.opensearch import load, open_index

DOCUMENTS = [Document("d1", "kinase binds"), Document("d2", "kinase kinase other")]
LOOK = "Check that OPENSEARCH_HOSTS names the server itself, not a proxy or another service."


@pytest.fixture
def stub(monkeypatch):
    with named_stub(monkeypatch, "OPENSEARCH") as stub:
        yield stub


@pytest.fixture
def receipt(stub, tmp_path):
    load(DOCUMENTS, tmp_path / "receipt", name="sera", shards=2, patience=0)
    return tmp_path / "receipt"


def test_the_registries_have_it():
    assert ENGINES.load("opensearch") is open_index and LOADERS.load("opensearch") is load


def test_loading_and_searching(stub, receipt):
    engine = open_index(receipt, patience=0)
    assert engine.search(["kinase"], 5) == [[("d2", 1.5)]]
    assert engine.document_frequency(["kinase"]) == [2]
    assert stub.meta[stub.alias]["seal"] == [[2, 1], [0, -1]]
    assert json.loads((receipt / "manifest.json").read_text())["format"] == "sera opensearch index"
    assert stub.meta[stub.alias]["format"] == "sera opensearch index"


def test_the_other_engine_refuses_its_receipt(receipt):
    with pytest.raises(InputError, match="is not the receipt of an index"):
        ENGINES.load("elasticsearch")(receipt)


@pytest.mark.parametrize(
    ("about", "version", "problem"),
    [
        (
            {"distribution": "elasticsearch"},
            "2.19.1",
            "the server is not OpenSearch. Use a server",
        ),
        ({}, "8.17.0", "the server is not OpenSearch. .*for Elasticsearch, the engine `elasticsearch`"),
        ({"distribution": "opensearch"}, "1.3.20", "the OpenSearch server has version 1.3.20. Use .*2 or 3"),
        ({"distribution": "opensearch"}, "4.0.0", "has version 4.0.0"),
        ({"distribution": "opensearch"}, 2, "has no text version.number"),
    ],
)
def test_servers_of_another_kind_or_version(stub, tmp_path, about, version, problem):
    stub.about, stub.version = about, version
    with pytest.raises(InputError, match=problem):
        load(DOCUMENTS, tmp_path / "receipt", name="sera", patience=0)
    assert [request for request, _ in stub.asked] == ["GET /"]


@pytest.mark.parametrize("version", ["2.0.0", "2.19.1", "3.8.0"])
def test_versions_that_are_taken(stub, tmp_path, version):
    stub.version = version
    load(DOCUMENTS, tmp_path / "receipt", name="sera", patience=0)


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (
            raw_answer(401),
            "does not accept the credentials. Set OPENSEARCH_USER and OPENSEARCH_P",
        ),
        (
            raw_answer(403, b'{"error": {"reason": "no permissions"}}'),
            "OpenSearch credentials do not allow this: no p",
        ),
        (raw_answer(429), "answered 429"),
        (raw_answer(500, b"<html>\n<h1>Oh</h1>", kind="text/html"), "answered 500 error: <html>"),
        (raw_answer(503, b"\xff\xfe", kind="image/png"), "answered 503 error: "),
        (raw_answer(302, b"", "Location: http://user:secret@else/"), "answered 302, a redirect"),
        (raw_answer(200, b"<html>", kind="text/html"), "is of another kind than JSON"),
        (raw_answer(200, b"GIF", kind="image/gif"), "is of another kind than JSON"),
        (raw_answer(200, b"", kind="application/json"), "has no object version"),
        (raw_answer(200, b"{"), "is not JSON"),
        (raw_answer(200, b"\xff\xfe{}"), "is not UTF-8 text"),
        (raw_answer(200, b"[" * 100_000), "is nested too deeply"),
        (raw_answer(200, b"{}", "Content-Encoding: gzip"), "is compressed, which was not asked for"),
        (raw_answer(200, b'{"version"', length=1000), r"does not answer \(ConnectionError\)"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "does not answer"),
        (b"", "does not answer"),
    ],
)
def test_answers_of_another_kind(stub, tmp_path, raw, problem):
    stub.instead["GET /"] = [raw]
    with pytest.raises(InputError, match=problem) as caught:
        load(DOCUMENTS, tmp_path / "receipt", name="sera", patience=0)
    assert str(caught.value).isprintable() and len(str(caught.value)) < 500
    assert "secret" not in str(caught.value) and list(tmp_path.iterdir()) == []


def test_what_is_no_answer_when_searching(stub, receipt):
    stub.instead["POST /_msearch"] = [raw_answer(200, b'{"responses": [{}]}')]
    with pytest.raises(InputError) as caught:
        open_index(receipt, patience=0).search(["kinase"], 5)
    assert str(caught.value) == f"the OpenSearch server's answer has no whole number _shards.failed. {LOOK}"


def test_copies_that_differ_are_awaited(stub, receipt):
    """A search may ask any copy, so one that is behind would give other scores."""
    stub.replica = {"docs": {"count": 1, "deleted": 0}}
    with pytest.raises(InputError, match="the copies of the index sera-.* differ on the OpenSearch server"):
        open_index(receipt, patience=0)
    stub.replica = {"docs": {"count": 2, "deleted": 1}}
    with pytest.raises(InputError, match="the copies of the index sera-.* differ"):
        open_index(receipt, patience=0)
    stub.replica = {}
    assert open_index(receipt, patience=0).documents == 2


def test_an_answer_may_not_be_larger_than_the_limit(stub, tmp_path, monkeypatch):
    monkeypatch.setenv("SERA_LARGEST_ANSWER", "1000")
    stub.instead["GET /"] = [raw_answer(body=b" " * 1001)]
    with pytest.raises(InputError, match="an answer of a server is over the limit of 1000 bytes"):
        load(DOCUMENTS, tmp_path / "receipt", name="sera", patience=0)


def test_waiting_is_as_long_as_asked(stub, tmp_path, monkeypatch):
    waits = []
    monkeypatch.setattr(time, "sleep", waits.append)
    stub.instead["GET /"] = [raw_answer(503, b"", "Retry-After: 3")] * 2 + [b"once:" + raw_answer(429)]
    load(DOCUMENTS, tmp_path / "receipt", name="sera", patience=60)
    assert waits == [3, 3, 2]


def test_warnings_of_the_server_are_not_printed(stub, tmp_path, recwarn):
    body = b'{"version": {"number": "2.1.0", "distribution": "opensearch"}}'
    stub.instead["GET /"] = [raw_answer(200, body, 'Warning: 299 x "mind \x1b[2J this"')]
    load(DOCUMENTS, tmp_path / "receipt", name="sera", patience=0)
    assert [str(each.message) for each in recwarn if "mind" in str(each.message)] == []


def test_user_and_password_are_sent_and_hidden(stub, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENSEARCH_USER", "lëser")
    monkeypatch.setenv("OPENSEARCH_PASSWORD", "密码 hush")
    sent = base64.b64encode("lëser:密码 hush".encode()).decode()
    load(DOCUMENTS, tmp_path / "receipt", name="sera", patience=0)
    assert {header for _, header in stub.asked} == {f"Basic {sent}"}
    stub.instead["GET /"] = [raw_answer(400, f"got Basic {sent}, 密码 hush".encode(), kind="text/plain")]
    with pytest.raises(InputError, match=r"answered 400 error: got Basic \*\*\*, \*\*\*. Check"):
        open_index(tmp_path / "receipt", patience=0)


@pytest.mark.parametrize(
    ("variables", "problem"),
    [
        ({"API_KEY": "hush"}, "OPENSEARCH_API_KEY is set, which is not supported. Set OPENSEARCH_USER and"),
        ({"USER": "me"}, "the user or the password for OpenSearch is missing"),
        ({"HOSTS": ""}, "OPENSEARCH_HOSTS does not name a server"),
        (
            {"HOSTS": "https://me:hush@localhost:9200"},
            "put credentials into OPENSEARCH_USER and",
        ),
        ({"CA": "hush"}, "OPENSEARCH_CA does not name a file of certificates"),
        ({"SHARDS": "0"}, "OPENSEARCH_SHARDS is not a whole number from 1 to 1024"),
    ],
)
def test_wrong_variables(stub, monkeypatch, tmp_path, variables, problem):
    for variable, value in variables.items():
        monkeypatch.setenv(f"OPENSEARCH_{variable}", value)
    with pytest.raises(InputError, match=problem) as caught:
        load(DOCUMENTS, tmp_path / "receipt", name="sera", patience=0)
    assert "hush" not in str(caught.value) and stub.asked == []


def test_a_second_address_is_asked_if_the_first_is_away(stub, receipt, monkeypatch):
    port = urlsplit(stub.address).port
    monkeypatch.setenv("OPENSEARCH_HOSTS", f"http://127.0.0.1:9,http://127.0.0.1:{port}")
    for _ in range(4):  # the client begins with any of them
        assert open_index(receipt, patience=0).search(["kinase"], 5) == [[("d2", 1.5)]]


def test_without_the_package_the_error_names_the_command():
    line = "import sys; sys.modules['opensearchpy'] = None; from sera.cli import main; main(prog_name='sera')"
    build = "index build --engine opensearch --documents tests/fuzz.py --out build/none".split()
    run = subprocess.run([sys.executable, "-c", line, *build], cwd=ROOT, text=True, capture_output=True)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == (
        "Error: sera index build needs opensearchpy. Run: pip install 'sera-reproduction[opensearch]'\n"
    )
