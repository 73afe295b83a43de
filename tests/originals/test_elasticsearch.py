"""The Elasticsearch engine on a whole server on loopback, beside the embedded engine and Lucene's rankings.

`make test-all` runs these. The server is a 7.10, reached through a node class or a proxy that adds
what it does not send; everything else goes over the wire as it does to a newer one. Where the engine is used
as a user does, by the workflow and the command line in processes of their own, it is through the proxy.
"""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor

import pytest
from checkouts import checkout, command, planned, snakemake
from conftest import ROOT, rows
from elasticsearch import Elasticsearch
from elasticsearch_server.proxy import Proxy
from elasticsearch_server.server import OldServerNode, Server, class_path, missing
from stub_server import VARIABLES

from sera.errors import InputError
from sera.io.records import Document
from sera.retrieval.engines import embedded, index_building
from sera.retrieval.engines import server as engine_of_server
from sera.retrieval.engines.server import Documents, elasticsearch_node
from sera.retrieval.engines.server import load_elasticsearch as load
from sera.retrieval.engines.server import open_elasticsearch as open_index

pytestmark = [
    pytest.mark.skipif(missing() is not None, reason=str(missing())),
]

KEY, USER, PASSWORD = "c29tZS1pZDpzb21lLWtleQ==", "reader", "hush-hush"  # the key is of some-id:some-key
BASIC = b64encode(f"{USER}:{PASSWORD}".encode()).decode()


def articles_of(count, words=30, first=0):
    """Made documents: two words of their own and some that all share."""
    return [
        Document(f"PMC{number}", f"protein{number} binds kinase{number % 7}" + " in the cell nucleus" * words)
        for number in range(first, first + count)
    ]


@pytest.fixture(scope="module")
def jars(tmp_path_factory):
    return class_path(tmp_path_factory.mktemp("maven"))


@pytest.fixture(scope="module")
def server(jars, tmp_path_factory):
    server = Server(jars, tmp_path_factory.mktemp("server") / "data")
    with pytest.MonkeyPatch.context() as environment:
        for variable in VARIABLES:
            environment.delenv(f"ELASTICSEARCH_{variable}", raising=False)
        environment.setenv("ELASTICSEARCH_HOSTS", server.address)
        yield server
    server.stop()


@pytest.fixture(scope="module")
def guarded(jars, tmp_path_factory):
    """A server that lets in one API key and one user."""
    folder = tmp_path_factory.mktemp("guarded") / "data"
    server = Server(jars, folder, authorization=(f"ApiKey {KEY}", f"Basic {BASIC}"))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def client(server):
    return Elasticsearch(server.address, node_class=OldServerNode)


def loaded(documents, folder, name, **settings):
    load(documents, folder, name=name, node=OldServerNode, **settings)
    return open_index(folder, node=OldServerNode)


def numbered(documents):
    """What `content_of` finds if these documents were loaded, and nothing else."""
    return {document.id: number for number, document in enumerate(documents)}, 0


def content_of(client, name):
    """The ids behind a name, with the number of each, and how many deleted documents are still about."""
    client.indices.refresh(index=name)
    hits = client.search(index=name, size=10_000, docvalue_fields=["number"])["hits"]["hits"]
    assert len({hit["_id"] for hit in hits}) == len(hits)
    deleted = client.indices.stats(index=name, metric="docs")["_all"]["primaries"]["docs"]["deleted"]
    return {hit["_id"]: hit["fields"]["number"][0] for hit in hits}, deleted


# Loading


def counting_node(when, then):
    """A node that, at the bulk request of that number, does something first."""
    seen = []

    class CountingNode(OldServerNode):
        def perform_request(self, method, target, *arguments, **settings):
            if "_bulk" in target:
                seen.append(target)
                if len(seen) == when:
                    then()
            return super().perform_request(method, target, *arguments, **settings)

    return CountingNode


@pytest.fixture
def small_batches(monkeypatch):
    monkeypatch.setattr(engine_of_server, "_BULK_DOCUMENTS", 20)


def restarted(server):
    """Kill the server; it starts again after two seconds, in the thread that is returned."""
    server.kill()
    restart = threading.Timer(2, server.start)
    restart.start()
    return restart


def test_a_server_killed_and_restarted_in_the_middle(server, tmp_path, client, small_batches, caplog):
    documents = articles_of(200)
    restarts = []
    node = counting_node(6, lambda: restarts.append(restarted(server)))
    load(documents, tmp_path / "receipt", name="killed", shards=2, node=node)
    restarts[0].join()
    assert "the Elasticsearch server is away or busy; the next attempt is in 0.5 s" in caplog.messages
    assert content_of(client, "killed") == numbered(documents)
    engine = open_index(tmp_path / "receipt", node=OldServerNode)
    index_building.build_part(documents, tmp_path / "index")
    texts = ["protein5 kinase3", "nucleus of a cell"]
    expected = embedded.open_index(tmp_path / "index").search(texts, 150)
    assert engine.search(texts, 150) == expected
    # a merge and a restart change nothing, and a search waits for the server
    client.indices.forcemerge(index="killed", max_num_segments=1)
    for opened in (lambda: open_index(tmp_path / "receipt", node=OldServerNode), lambda: engine):
        restart = restarted(server)
        assert opened().search(texts, 150) == expected
        restart.join()


def test_a_load_that_is_cut_off_is_resumed_and_nobody_sees_a_half(server, tmp_path, client, small_batches):
    before, after = articles_of(30), articles_of(100, first=10)
    old = loaded(before, tmp_path / "old", "resumed")

    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load(after, tmp_path / "new", name="resumed", node=counting_node(4, interrupt))
    assert not (tmp_path / "new").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    # 60 documents are on their way, but what is searched is still the old corpus
    [half] = set(client.indices.get(index="resumed-*")) - set(client.indices.get_alias(name="resumed"))
    settings = client.indices.get_settings(index=half, flat_settings=True)[half]["settings"]
    assert settings["index.refresh_interval"] == "-1"
    assert client.count(index="resumed")["count"] == 30
    [hits] = open_index(tmp_path / "old", node=OldServerNode).search(["protein3"], 1)
    assert [hit.document for hit in hits] == ["PMC3"]

    load(after, tmp_path / "new", name="resumed", node=OldServerNode)
    assert content_of(client, "resumed") == numbered(after)
    assert list(client.indices.get(index="resumed-*")) == [half]  # the old one is deleted
    settings = client.indices.get_settings(index=half, flat_settings=True)[half]["settings"]
    assert "index.refresh_interval" not in settings
    with pytest.raises(InputError, match="no longer on the server"):
        old.search(["protein3"], 1)
    with pytest.raises(InputError, match="another corpus"):
        open_index(tmp_path / "old", node=OldServerNode)


def test_a_server_that_stays_away(server, tmp_path, client, small_batches):
    documents = articles_of(100)
    with pytest.raises(InputError, match="does not answer.*ELASTICSEARCH_HOSTS"):
        load(documents, tmp_path / "receipt", name="away", patience=1, node=counting_node(3, server.kill))
    assert not (tmp_path / "receipt").exists()
    server.start()
    load(documents, tmp_path / "receipt", name="away", node=OldServerNode)
    assert content_of(client, "away") == numbered(documents)


@pytest.mark.parametrize("other", [articles_of(200), articles_of(150, first=100)])
def test_two_loads_at_once(server, tmp_path, client, small_batches, other):
    corpora = {tmp_path / "a": articles_of(200), tmp_path / "b": other}
    with ThreadPoolExecutor(2) as pool:
        loads = [
            pool.submit(load, documents, folder, name="either", node=OldServerNode)
            for folder, documents in corpora.items()
        ]
        for each in loads:
            each.result()
    there = content_of(client, "either")
    winners = [folder for folder, documents in corpora.items() if there == numbered(documents)]
    assert len(winners) == (2 if other == articles_of(200) else 1)
    assert len({(folder / "manifest.json").read_bytes() for folder in corpora}) == 3 - len(winners)
    for folder, documents in corpora.items():
        if folder in winners:
            assert open_index(folder, node=OldServerNode).documents == len(documents)
        else:
            with pytest.raises(InputError, match="another corpus"):
                open_index(folder, node=OldServerNode)


def test_loading_again_sends_nothing(server, tmp_path, client):
    documents = articles_of(50)
    load(documents, tmp_path / "receipt", name="again", node=OldServerNode)
    load(documents, tmp_path / "again", name="again", node=counting_node(1, lambda: pytest.fail("was sent")))
    assert content_of(client, "again")[1] == 0
    receipts = [(tmp_path / folder / "manifest.json").read_bytes() for folder in ("receipt", "again")]
    assert receipts[0] == receipts[1]


# Errors


@pytest.mark.parametrize(
    "variables",
    [{"API_KEY": KEY}, {"API_KEY": "some-id:some-key"}, {"USER": USER, "PASSWORD": PASSWORD}],
)
def test_credentials_open_the_server_and_stand_nowhere(guarded, monkeypatch, tmp_path, caplog, variables):
    monkeypatch.setenv("ELASTICSEARCH_HOSTS", guarded.address)
    for variable, value in variables.items():
        monkeypatch.setenv(f"ELASTICSEARCH_{variable}", value)
    with caplog.at_level(logging.DEBUG):
        engine = loaded(articles_of(3), tmp_path / "receipt", "guarded")
        assert engine.search(["protein2"], 1)[0][0].document == "PMC2"
        with pytest.raises(InputError) as caught:
            engine.search(["protein2"], 0)
    assert "_msearch" in caplog.text  # the log is at work
    written = (tmp_path / "receipt" / "manifest.json").read_text()
    for text in (caplog.text, written, repr(engine), repr(caught.value)):
        for secret in (KEY, "some-key", BASIC, PASSWORD):
            assert secret not in text
    assert "127.0.0.1" not in written


@pytest.mark.parametrize("version", ["7.14.0", "7.17.29", "8.0.0", "8.19.2", "9.0.0", "9.2.1"])
def test_versions_that_will_do(server, monkeypatch, tmp_path, version):
    """A 7.10 behind a proxy that plays the version: the number, the product header, and which media types
    are taken. What else differs between these versions is not played; none of them was run."""
    with Proxy(server.address, version) as proxy:
        monkeypatch.setenv("ELASTICSEARCH_HOSTS", proxy.address)
        load(articles_of(3), tmp_path / "receipt", name=f"version-{version}")
        [hits] = open_index(tmp_path / "receipt").search(["protein1"], 1)
        assert [hit.document for hit in hits] == ["PMC1"]


def test_tls_and_the_certificate_file(server, monkeypatch, tmp_path):
    if shutil.which("openssl") is None:
        pytest.skip("openssl is missing: no certificate can be made")
    command = ["openssl", "req", "-x509", "-nodes", "-newkey", "rsa:2048", "-days", "2"]
    command += ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    command += ["-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=forward, args=(listener, context, server.address), daemon=True).start()
        monkeypatch.setenv("ELASTICSEARCH_HOSTS", f"https://127.0.0.1:{listener.getsockname()[1]}")
        with pytest.raises(InputError, match="TLS was not accepted. Name the file.*ELASTICSEARCH_CA"):
            load(articles_of(2), tmp_path / "receipt", name="tls", node=OldServerNode)
        monkeypatch.setenv("ELASTICSEARCH_CA", str(tmp_path / "cert.pem"))
        assert loaded(articles_of(2), tmp_path / "receipt", "tls").documents == 2


def forward(listener, context, address):
    """Take TLS off what comes in and pass it on, both ways."""

    def pump(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
        except OSError:
            pass
        target.close()

    host, port = address.removeprefix("http://").split(":")
    while True:
        try:
            incoming = context.wrap_socket(listener.accept()[0], server_side=True)
        except ssl.SSLError:
            continue
        except OSError:  # the listener is closed
            return
        onward = socket.create_connection((host, int(port)))
        for pair in ((incoming, onward), (onward, incoming)):
            threading.Thread(target=pump, args=pair, daemon=True).start()


def test_other_settings_are_another_index(server, tmp_path):
    documents = articles_of(3)
    loaded(documents, tmp_path / "a", "settings")
    other = loaded(documents, tmp_path / "b", "settings", mu=500)
    assert len(other.search(["cell"], 5, mu=500)[0]) == 3
    with pytest.raises(InputError, match="smooths with mu = 500, not 2000. Load the corpus again"):
        other.search(["cell"], 5)
    with pytest.raises(InputError, match="another corpus or with other settings"):
        open_index(tmp_path / "a", node=OldServerNode)


def test_a_name_that_belongs_to_something_else(server, tmp_path, client):
    client.indices.create(index="books")
    client.indices.create(index="shelf-1", aliases={"shelf": {}})
    for name in ("books", "shelf"):
        with pytest.raises(InputError, match=f"the name {name} belongs to the index (books|shelf-1)"):
            load(articles_of(1), tmp_path / "receipt", name=name, node=OldServerNode)
    with pytest.raises(InputError, match="another corpus"):
        loaded(articles_of(1), tmp_path / "receipt", "novels")
        manifest = tmp_path / "receipt" / "manifest.json"
        manifest.write_text(manifest.read_text().replace('"novels"', '"books"'))
        open_index(tmp_path / "receipt", node=OldServerNode)


def test_an_index_of_that_name_that_was_made_by_hand(server, tmp_path, client):
    load(articles_of(3), tmp_path / "receipt", name="hand", node=OldServerNode)
    [index] = client.indices.get_alias(name="hand")
    client.indices.delete(index=index)
    client.index(index=index, document={"text": "made by the first document that came"})
    with pytest.raises(InputError, match=f"the index {index} .*was made by something else"):
        load(articles_of(3), tmp_path / "receipt", name="hand", node=OldServerNode)


# The workflow and the command line, as a user runs them


SECRETS = (KEY, "some-key", BASIC, PASSWORD, "wrong-word", b64encode(f"{USER}:wrong-word".encode()).decode())
STUDY = "engine=elasticsearch"
RUN = "results/demo/runs/plain.trec"
TABLES = [f"results/demo/tables/table{number}.tsv" for number in (2, 3)]


@pytest.fixture(scope="module")
def front(guarded):
    """What the guarded server would be, were it an 8.17; see `Proxy` for what that means."""
    with Proxy(guarded.address, "8.17.0") as proxy:
        yield proxy


def ask_as_user(environment, front):
    for variable in VARIABLES:
        environment.delenv(f"ELASTICSEARCH_{variable}", raising=False)
    environment.setenv("ELASTICSEARCH_HOSTS", front.address)
    environment.setenv("ELASTICSEARCH_USER", USER)
    environment.setenv("ELASTICSEARCH_PASSWORD", PASSWORD)


@pytest.fixture
def user(front, monkeypatch):
    """The environment of a user of that server."""
    ask_as_user(monkeypatch, front)


@pytest.fixture(scope="module")
def study(front, tmp_path_factory):
    """The small study up to its tables, run on the server; not to be changed."""
    folder = checkout(tmp_path_factory.mktemp("study"))
    with pytest.MonkeyPatch.context() as environment:
        ask_as_user(environment, front)
        run = snakemake(folder, *TABLES, "--config", STUDY)
    assert run.returncode == 0, run.stderr[-5000:]
    return folder


@pytest.fixture
def copied(study, user, tmp_path):
    """A copy of the study's folder, and the study's corpus on the server."""
    corpus = Documents(sorted((study / "results/demo/corpus").glob("oa_*.jsonl.gz")))
    load(corpus, tmp_path / "receipt", name="sera-demo")
    receipts = (tmp_path / "receipt", study / "results/demo/index/whole")
    assert len({(folder / "manifest.json").read_bytes() for folder in receipts}) == 1
    return shutil.copytree(study, tmp_path / "study")


def ranked(folder, formulation="plain"):
    """The lines of a run, without the tag that names the engine."""
    return [line.rsplit(maxsplit=1)[0] for line in rows(folder / f"results/demo/runs/{formulation}.trec")]


def assert_untold(*texts, folder=None):
    """No secret stands in the texts or in any file of a folder, nor does an address of a server."""
    contents = [text.encode() for text in texts]
    if folder:
        contents += [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
        assert any(b"sera-demo" in content for content in contents)  # the index's name may be told
    for content in contents:
        assert not [secret for secret in SECRETS if secret.encode() in content]
        assert not re.search(rb"127\.0\.0\.1:\d", content)


def test_the_study_is_the_embedded_engines(study, copied):
    run = snakemake(copied, *TABLES)  # the embedded engine
    assert run.returncode == 0, run.stderr[-5000:]
    for formulation in ("plain", "np", "kw"):
        assert len(ranked(study, formulation)) > 500
        assert ranked(study, formulation) == ranked(copied, formulation)
        for folder, engine in ((study, "elasticsearch"), (copied, "embedded")):
            lines = rows(folder / f"results/demo/runs/{formulation}.trec")
            assert {line.split()[5] for line in lines} == {f"{engine}-{formulation}"}
    for name in ("scores.tsv", "tables/table2.tsv", "tables/table3.tsv"):
        tables = [(folder / "results/demo" / name).read_text() for folder in (study, copied)]
        assert "SERA-DIS-KW-5" in tables[0]
        assert tables[0] == tables[1]


def test_the_study_again_does_nothing(study, user, front):
    before = len(front.paths)
    assert before > 100
    run = snakemake(study, *TABLES, "--config", STUDY)
    assert run.returncode == 0 and "Nothing to be done" in run.stderr
    assert len(front.paths) == before


def test_another_corpus_is_loaded_anew_after_a_kill_too(study, copied, front):
    at_server = Elasticsearch(front.address, node_class=elasticsearch_node(), basic_auth=(USER, PASSWORD))
    [before] = at_server.indices.get_alias(name="sera-demo")
    settings = ("--config", STUDY, "topic_documents=True")
    assert {"load_index", "search"} <= planned(copied, *settings)
    begun = len(front.paths)
    line, environment = command(copied, RUN, *settings)
    killed = subprocess.Popen(line, cwd=copied, env=environment, start_new_session=True)
    while not any("_bulk" in path for path in front.paths[begun:]):
        assert killed.poll() is None
        time.sleep(0.005)
    os.killpg(killed.pid, signal.SIGKILL)
    assert killed.wait() == -signal.SIGKILL
    assert snakemake(copied, "--unlock").returncode == 0
    run = snakemake(copied, RUN, *settings)
    assert run.returncode == 0, run.stderr[-5000:]
    receipts = [
        json.loads((folder / "results/demo/index/whole/manifest.json").read_text())
        for folder in (study, copied)
    ]
    assert [receipt["documents"] for receipt in receipts] == [40, 40 + 21]
    [after] = at_server.indices.get_alias(name="sera-demo")
    assert before != after and list(at_server.indices.get(index="sera-demo-*")) == [after]
    assert at_server.count(index="sera-demo")["count"] == 61
    assert ranked(study) != ranked(copied)


def test_an_index_that_was_lost_is_loaded_again(study, copied, guarded):
    remove_index(guarded)
    (copied / RUN).unlink()
    shutil.rmtree(copied / "results/demo/index/whole")  # as docs/retrieval.md says
    run = snakemake(copied, RUN, "--config", STUDY)
    assert run.returncode == 0, run.stderr[-5000:]
    assert ranked(study) == ranked(copied)


def test_no_secret_is_in_the_studys_files(study):
    assert_untold(folder=study)


def remove_index(guarded):
    at_server = Elasticsearch(guarded.address, node_class=OldServerNode, basic_auth=(USER, PASSWORD))
    at_server.indices.delete(index=list(at_server.indices.get_alias(name="sera-demo")))


FAULTS = {
    "password": "does not accept the credentials. Set ELASTICSEARCH_API_KEY, or ELASTICSEARCH_USER",
    "away": "does not answer (ConnectionError). Start it, or correct ELASTICSEARCH_HOSTS",
    "missing": "{receipt}: the server has no index sera-demo. Load the corpus again",
}


@pytest.fixture(params=FAULTS)
def fault(request, copied, monkeypatch, guarded):
    """Something is wrong with the server or with how it is asked; gives the line that tells so."""
    with socket.socket() as free:
        if request.param == "password":
            monkeypatch.setenv("ELASTICSEARCH_PASSWORD", "wrong-word")
        elif request.param == "away":
            free.bind(("127.0.0.1", 0))  # and nobody listens
            monkeypatch.setenv("SERA_LONGEST_WAIT", "1")
            monkeypatch.setenv("ELASTICSEARCH_HOSTS", f"http://127.0.0.1:{free.getsockname()[1]}")
        elif request.param == "missing":
            remove_index(guarded)
        yield FAULTS[request.param]


def latest_log(folder):
    """What Snakemake wrote into its own log of the latest run, which has more than the console."""
    return max((folder / ".snakemake/log").iterdir(), key=lambda path: path.stat().st_mtime_ns).read_text()


def test_a_fault_is_told_by_the_workflow(fault, copied):
    mendable = "{receipt}" in fault  # by loading
    for rule in ("search",) if mendable else ("search", "load_index"):
        run = snakemake(copied, RUN, "--forcerun", rule, "--config", STUDY)
        assert run.returncode == 1  # Snakemake's, whatever the job's
        log = f"results/demo/logs/{'search/1-of-1' if rule == 'search' else rule}.log"
        assert f"Error in rule {rule}:\n" in run.stderr and f"Logfile {log}:\n" in run.stderr
        assert f".{rule}.py' returned non-zero exit status 2." in latest_log(copied)
        told = fault.format(receipt="results/demo/index/whole/manifest.json")
        [line] = [each for each in rows(copied / log) if "server is away or busy" not in each]
        assert line.startswith("ERROR ") and told in line and told in run.stderr
        assert not (copied / "results/demo/search/1-of-1/plain.trec").exists()
        assert_untold(run.stdout, run.stderr, folder=copied)


def test_the_command_line_gives_the_studys_numbers(study, copied, monkeypatch, tmp_path):
    monkeypatch.delenv("ELASTICSEARCH_USER")
    monkeypatch.delenv("ELASTICSEARCH_PASSWORD")
    monkeypatch.setenv("ELASTICSEARCH_API_KEY", KEY)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    results = study / "results/demo"
    there = ["--engine", "elasticsearch", "--index", results / "index/whole"]
    records = ["--candidates", results / "summaries.jsonl", "--references", results / "references.jsonl"]
    for line in (
        ["search", *there, "--queries", results / "queries/plain.jsonl", "--k", "20", "--out", "run.trec"],
        ["score", "--metrics", "SERA-5,SERA-DIS-10", *there, *records, "--out", "scores.tsv"],
    ):
        command = [sys.executable, "-m", "sera.cli", *line]
        run = subprocess.run(command, cwd=tmp_path, text=True, capture_output=True)
        assert (run.returncode, run.stderr) == (0, "")
        assert_untold(run.stdout)
    assert [line.rsplit(maxsplit=1)[0] for line in rows(tmp_path / "run.trec")] == ranked(study)
    # the last column has a caution, since the index is small
    scores = [row.rpartition("\t")[0] for row in rows(tmp_path / "scores.tsv")[1:]]
    assert len(scores) == 3 * 9 * 2
    assert set(scores) < set(rows(study / "results/demo/scores.tsv"))
