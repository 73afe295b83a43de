"""The engines on a server before a stub of one, which can answer anything; no Java is needed."""

import base64
import json
import logging
import math
import socket
import time
from urllib.parse import urlsplit

import pytest
from commands import sera
from stub_server import named_stub, raw_answer

from sera.errors import InputError
from sera.io.records import Document, write
from sera.retrieval.engines import ENGINES, LOADERS
from sera.retrieval.engines.server import Documents

DOCUMENTS = [Document("d1", "kinase binds"), Document("d2", "kinase kinase other")]
PRODUCTS = ["elasticsearch", "opensearch"]


@pytest.fixture(params=PRODUCTS)
def stub(request, monkeypatch):
    with named_stub(monkeypatch, request.param.upper()) as stub:
        stub.product = request.param
        yield stub


def load(stub, folder, documents=DOCUMENTS, **settings):
    LOADERS.load(stub.product)(documents, folder, **{"name": "sera", "patience": 0, **settings})
    return folder


def opened(stub, folder, patience=0):
    return ENGINES.load(stub.product)(folder, patience=patience)


@pytest.fixture
def receipt(stub, tmp_path):
    return load(stub, tmp_path / "receipt", shards=2)


def test_loading_and_searching(stub, receipt):
    stub.bodies.clear()
    engine = opened(stub, receipt)
    assert engine.search(["kinase", "binds"], 5) == [[("d2", 1.5)]] * 2
    assert engine.document_frequency(["kinase"]) == [2]
    # of 2 documents kinase is in 2 and binds in 1; other is a stop word
    assert engine.mean_idf() == pytest.approx((math.log(2 / 2) + math.log(2)) / 2)
    assert stub.meta[stub.alias]["seal"] == [[2, 1], [0, -1]]
    facts = json.loads((receipt / "manifest.json").read_text())
    assert "seal" not in facts
    assert facts["format"] == stub.meta[stub.alias]["format"] == f"sera {stub.product} index"
    # otherwise a score would depend on the shard that holds a document
    headers = [json.loads(line) for body in stub.bodies for line in body.splitlines()[::2]]
    assert [header["search_type"] for header in headers] == ["dfs_query_then_fetch"] * 3


# Answers


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (raw_answer(401), "does not accept the credentials. Set .*_USER and .*_PASSWORD"),
        (raw_answer(403, b'{"error": {"reason": "no permissions"}}'), "credentials do not allow .*no perm"),
        (raw_answer(429), "answered 429"),
        (raw_answer(400, b'{"error": 5}'), "answered 400"),
        (raw_answer(500, b"<html>\n<h1>Oh</h1>", kind="text/html"), "answered 500 error: <html>"),
        (raw_answer(302, b"", "Location: http://user:secret@else/"), "answered 302, a redirect"),
        (raw_answer(200, b"<html>", kind="text/html"), "_HOSTS names the server itself"),
        (raw_answer(200, b"{"), "is not JSON.*_HOSTS names the server itself"),
        (raw_answer(200, b"[]"), "_HOSTS names the server itself"),
        (raw_answer(200, b'{"version"', length=1000), "does not answer"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "does not answer"),
        (b"", "does not answer"),
    ],
)
def test_answers_of_another_kind(stub, tmp_path, raw, problem):
    stub.instead["GET /"] = [raw]
    with pytest.raises(InputError, match=problem) as caught:
        load(stub, tmp_path / "receipt")
    assert str(caught.value).isprintable() and "secret" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


OTHER = {"elasticsearch": {"distribution": "opensearch"}, "opensearch": {}}


@pytest.mark.parametrize("version", [None, "x", "1.3.20", "6.8.23", "10.0.0", "other"])
def test_servers_of_another_kind_or_version(stub, tmp_path, version):
    stub.version = version
    if version == "other":
        stub.about, stub.version = OTHER[stub.product], "2.19.1"
    problem = f"not {stub.product}" if version == "other" else "has version .*Use a server of version"
    with pytest.raises(InputError, match=f"(?i){problem}"):
        load(stub, tmp_path / "receipt")
    assert [request for request, _ in stub.asked] == ["GET /"]


@pytest.mark.parametrize("stub", ["elasticsearch"], indirect=True)
def test_a_server_without_the_header_of_elasticsearch(stub, tmp_path):
    stub.instead["GET /"] = [raw_answer().replace(b"X-Elastic-Product: Elasticsearch\r\n", b"")]
    with pytest.raises(InputError, match="not Elasticsearch, or older than 7.14"):
        load(stub, tmp_path / "receipt")


WHOLE = {"timed_out": False, "_shards": {"failed": 0}}


@pytest.mark.parametrize(
    ("response", "problem"),
    [
        (WHOLE | {"timed_out": True}, "only a part of the index"),
        ({"timed_out": False, "_shards": {"failed": 1}}, "only a part of the index"),
        ({"error": "odd", "status": 500}, "answered 500 error: odd"),
        ({"error": {"type": "x", "caused_by": {"reason": "deep"}}, "status": 400}, "answered 400 x: deep"),
        ({}, "_HOSTS names the server itself"),
    ],
)
def test_answers_to_searches(stub, receipt, response, problem):
    stub.instead["POST /_msearch"] = [raw_answer(body=json.dumps({"responses": [response]}).encode())]
    with pytest.raises(InputError, match=problem):
        opened(stub, receipt).search(["kinase"], 5)


def test_documents_that_are_refused_and_put_off(stub, tmp_path, monkeypatch):
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    for status, problem in ((400, "the document 'd1': .*answered 400"), (429, "answered 429")):
        item = {"create": {"_id": "d1", "status": status, "error": {"type": "x", "reason": "y"}}}
        stub.instead = {"(PUT|POST) /.*/_bulk": [raw_answer(body=json.dumps({"items": [item]}).encode())]}
        with pytest.raises(InputError, match=problem):
            load(stub, tmp_path / "receipt")
    both = {"items": [item, {"create": item["create"] | {"_id": "d2"}}]}
    stub.instead = {"(PUT|POST) /.*/_bulk": [b"once:" + raw_answer(body=json.dumps(both).encode())]}
    load(stub, tmp_path / "receipt", patience=20)  # they are sent again
    assert opened(stub, tmp_path / "receipt").documents == 2


def test_warnings_of_the_server_are_not_printed(stub, tmp_path, recwarn):
    body = json.dumps({"version": {"number": stub.version, **stub.about}}).encode()
    stub.instead["GET /"] = [raw_answer(200, body, 'Warning: 299 x "mind \x1b[2J this"')]
    load(stub, tmp_path / "receipt")
    assert [str(each.message) for each in recwarn if "mind" in str(each.message)] == []


# Waiting


def test_waiting_doubles_and_ends_with_patience(stub, tmp_path, monkeypatch):
    waits = []
    monkeypatch.setattr(time, "sleep", waits.append)
    monkeypatch.setattr(time, "monotonic", lambda: sum(waits))
    stub.instead["GET /"] = [b""]
    with pytest.raises(InputError, match="does not answer"):
        load(stub, tmp_path / "receipt", patience=60)
    assert waits == [0.5, 1, 2, 4, 8, 16, 28.5]


def test_a_search_after_a_restart_waits(stub, receipt):
    away = {"error": {"type": "phase", "reason": "all shards failed"}, "status": 503}
    late = raw_answer(200, json.dumps({"indices": {}}).encode())
    stub.instead = {
        "GET /": [b"", b"", b"", b"", b"once:"],
        "GET /sera/_mapping": [b"once:" + raw_answer(503)],
        "GET /.*/_stats/.*": [b"once:" + late],
        "POST /_msearch": [b"once:" + raw_answer(200, json.dumps({"responses": [away]}).encode())],
    }
    assert opened(stub, receipt, patience=20).search(["kinase"], 5) == [[("d2", 1.5)]]


def test_a_search_while_nobody_listens_waits_and_gives_up(stub, receipt, monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
        monkeypatch.setenv(f"{stub.product.upper()}_HOSTS", address)
        monkeypatch.setenv("SERA_LONGEST_WAIT", "1")
        begun = time.monotonic()
        with pytest.raises(InputError, match="does not answer.*Start it"):
            opened(stub, receipt, patience=None)
        assert 1 <= time.monotonic() - begun < 10


def test_a_second_address_is_asked_if_the_first_is_away(stub, receipt, monkeypatch):
    port = urlsplit(stub.address).port
    hosts = f"http://127.0.0.1:9,http://127.0.0.1:{port}"
    monkeypatch.setenv(f"{stub.product.upper()}_HOSTS", hosts)
    for _ in range(4):  # the client begins with any of them
        assert opened(stub, receipt).search(["kinase"], 5) == [[("d2", 1.5)]]


# An index that was changed


def exchange(stub):
    del stub.ids[stub.alias]["d1"]
    stub.put(stub.alias, "foreign")


@pytest.mark.parametrize(
    "change",
    [
        lambda stub: stub.ids[stub.alias].pop("d1"),
        lambda stub: stub.put(stub.alias, "foreign"),
        lambda stub: stub.put(stub.alias, "d1"),
        exchange,
        lambda stub: setattr(stub, "deleted", 1),
    ],
)
def test_an_index_that_was_changed_is_refused(stub, receipt, tmp_path, change):
    opened(stub, receipt)
    change(stub)
    stub.asked.clear()
    with pytest.raises(InputError, match=r"manifest\.json: the index sera-.* was changed .*Delete it"):
        opened(stub, receipt)
    with pytest.raises(InputError, match="was changed since it was loaded.*Delete it"):
        load(stub, tmp_path / "again", shards=2)
    assert not [request for request, _ in stub.asked if "_bulk" in request]


@pytest.mark.parametrize(
    "replica", [{"docs": {"count": 1, "deleted": 0}}, {"docs": {"count": 2, "deleted": 1}}]
)
def test_copies_that_differ_are_awaited(stub, receipt, replica):
    """A search may ask any copy, so one that is behind would give other scores."""
    stub.replica = replica
    with pytest.raises(InputError, match="the copies of the index sera-.* differ"):
        opened(stub, receipt)
    stub.replica = {}
    assert opened(stub, receipt).documents == 2


def test_an_index_without_a_seal_is_sealed_by_loading(stub, receipt, tmp_path):
    del stub.meta[stub.alias]["seal"]
    with pytest.raises(InputError, match="was not loaded to its end. Load the corpus again"):
        opened(stub, receipt)
    load(stub, tmp_path / "again", shards=2)
    opened(stub, receipt)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "manifest.json is missing"),
        ("{", "is damaged"),
        ("[]", "is not the manifest"),
        ('{"format": "sera index"}', "is not the receipt"),
        ({"name": 8}, "is not the receipt"),
        ({"name": "No name"}, "is not the receipt"),
        ({"mu": "2000"}, "another corpus or with other settings"),
        ({"version": 1}, "has the version 1, not 2"),  # its mean idf counts stop words
    ],
)
def test_receipts_with_other_values(stub, receipt, content, problem):
    manifest = receipt / "manifest.json"
    if isinstance(content, dict):
        content = json.dumps(json.loads(manifest.read_text()) | content)
    manifest.write_text(content) if content else manifest.unlink()
    with pytest.raises(InputError, match=problem):
        opened(stub, receipt)


@pytest.mark.parametrize(
    ("documents", "settings", "problem"),
    [
        (DOCUMENTS * 2, {}, "the document 'd1' is there twice"),
        (iter(DOCUMENTS), {}, "can be read only once. Give a list, or Documents"),
        ([], {"name": "No Name"}, "'No Name' cannot be the name of an index"),
        ([], {"mu": 0}, "the smoothing parameter mu is 0"),
        ([], {"analyzer": "englisch"}, "there is no analyzer 'englisch'. Did you mean english"),
        ([], {"shards": 0}, "not a whole number from 1 to 1024"),
    ],
)
def test_what_cannot_be_loaded(stub, tmp_path, documents, settings, problem):
    with pytest.raises(InputError, match=problem):
        load(stub, tmp_path / "receipt", documents, **settings)
    assert list(tmp_path.iterdir()) == []


def test_documents_of_files(tmp_path):
    write(tmp_path / "a.jsonl.gz", DOCUMENTS[:1])
    write(tmp_path / "b.jsonl", DOCUMENTS[1:])
    documents = Documents([tmp_path / "a.jsonl.gz", tmp_path / "b.jsonl"])
    assert list(documents) == list(documents) == DOCUMENTS


def test_a_wrong_depth(stub, receipt):
    for k in (0, 10_001):
        with pytest.raises(InputError, match="Give 1 to 10,000"):
            opened(stub, receipt).search(["kinase"], k)
    [other] = set(PRODUCTS) - {stub.product}
    with pytest.raises(InputError, match=r"manifest\.json: .*not the receipt"):
        ENGINES.load(other)(receipt)


def test_nothing_is_loaded_if_the_receipt_has_no_place(stub, tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(InputError, match="is something else already"):
        load(stub, tmp_path)
    assert stub.asked == [] and [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


# The environment


@pytest.mark.parametrize(
    ("value", "given", "shards"), [(None, None, 1), ("", None, 1), ("1024", None, 1024), ("3", 2, 2)]
)
def test_the_number_of_shards(stub, monkeypatch, tmp_path, value, given, shards):
    variable = f"{stub.product.upper()}_SHARDS"
    if value is not None:
        monkeypatch.setenv(variable, value)
    load(stub, tmp_path / "receipt", shards=given)
    assert list(stub.shards.values()) == [shards]
    monkeypatch.setenv(variable, "2")
    assert opened(stub, tmp_path / "receipt").documents == 2  # an index keeps its own number


@pytest.mark.parametrize(
    ("variables", "problem"),
    [
        ({"HOSTS": ""}, "{}_HOSTS does not name a server"),
        ({"HOSTS": "localhost"}, "address 1 in {}_HOSTS"),
        ({"HOSTS": "http://a:9200, https://me:hush@b:9200"}, "address 2 .*put credentials into {}_"),
        ({"HOSTS": "http://a:9200?key=hush"}, "address 1"),
        ({"HOSTS": "https://[hush"}, "address 1"),
        ({"HOSTS": "ftp://hush:9200"}, "address 1"),
        ({"API_KEY": "hush\nand more"}, "{}_API_KEY is "),
        ({"API_KEY": "húsh"}, "{}_API_KEY is "),
        ({"API_KEY": "hush", "USER": "me", "PASSWORD": "hush"}, "(?i)api.key .*{}_USER and"),
        ({"PASSWORD": "hush"}, "the user or the password .* missing"),
        ({"CA": "hush" * 2000}, "{}_CA does not name a file of certificates"),
        ({"CA": __file__}, "{}_CA does not name a file of certificates"),
        *(({"SHARDS": value}, "{}_SHARDS .*1 to 1024") for value in ("0", "1025", "-1", "2.5", "three")),
    ],
)
def test_wrong_variables(stub, monkeypatch, tmp_path, variables, problem):
    for variable, value in variables.items():
        monkeypatch.setenv(f"{stub.product.upper()}_{variable}", value)
    with pytest.raises(InputError, match=problem.format(stub.product.upper())) as caught:
        load(stub, tmp_path / "receipt")
    assert "hush" not in str(caught.value) and stub.asked == []


@pytest.mark.parametrize("password", ["schön", "密码 ", "كلمة", "a:b", "e\u0301"])
def test_a_password_in_any_script_is_sent_and_hidden(stub, monkeypatch, tmp_path, caplog, password):
    monkeypatch.setenv(f"{stub.product.upper()}_USER", "lëser")
    monkeypatch.setenv(f"{stub.product.upper()}_PASSWORD", password)
    sent = base64.b64encode(f"lëser:{password}".encode()).decode()
    with caplog.at_level(logging.DEBUG):
        load(stub, tmp_path / "receipt")
    assert {header for _, header in stub.asked} == {f"Basic {sent}"}
    assert sent not in caplog.text and password not in caplog.text
    assert password not in (tmp_path / "receipt/manifest.json").read_text()
    stub.instead["GET /"] = [raw_answer(400, f"got Basic {sent}, {password}".encode(), kind="text/plain")]
    with pytest.raises(InputError, match=r"answered 400 error: got Basic \*\*\*, \*\*\*. Check"):
        opened(stub, tmp_path / "receipt")


# The command line


def test_the_command_line_prints_one_line(stub, receipt, tmp_path):
    stub.instead["POST /_msearch"] = [raw_answer(200, b"{")]
    (tmp_path / "q.jsonl").write_text('{"id": "q", "text": "kinase"}\n')
    where = ("--queries", tmp_path / "q.jsonl", "--out", tmp_path / "o", "--index", receipt)
    said = sera("search", "--engine", stub.product, *where, code=2)
    assert said.startswith("Error: ") and said.count("\n") == 1 and "is not JSON" in said
