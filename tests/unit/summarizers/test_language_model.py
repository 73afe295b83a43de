"""Questions to a language model, asked of a stub on loopback."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from click.testing import CliRunner

from sera.cli import main
from sera.errors import InputError
from sera.extras import EXTRA_OF
from sera.io.records import Section, Source
from sera.summarizers.language_model import ModelServer, Question, server_of_environment, summaries_of_model


def article(topic, *sentences):
    return Source(topic, topic, "a title", (Section("", sentences),))


ARTICLES = [article("one", "Cells divide.", "They grow in size."), article("two", "Fish swim.")]


@pytest.fixture
def stub():
    """A server that keeps what it is asked, and answers from a list, the last one again and again."""

    class Stub(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            server.asked.append((self.path, self.headers.get("Authorization"), json.loads(body)))
            status, answer = server.answers.pop(0) if len(server.answers) > 1 else server.answers[0]
            data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *arguments):
            pass

    with HTTPServer(("127.0.0.1", 0), Stub) as server:
        server.asked, server.answers = [], [(200, said("A cell divides. It grows."))]
        server.address = f"http://127.0.0.1:{server.server_port}/v1"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def said(text):
    return {"choices": [{"message": {"role": "assistant", "content": text}}]}


def test_the_question_is_the_papers(stub, tmp_path):
    found = summaries_of_model(
        Question("llama", input_words=3),
        ARTICLES[:1],
        "llama2_7b",
        ModelServer(stub.address, "secret"),
        tmp_path,
    )
    assert [(one.topic, one.system, one.sentences) for one in found] == [
        ("one", "llama2_7b", ("A cell divides.",))
    ]
    ((path, key, body),) = stub.asked
    assert (path, key) == ("/v1/chat/completions", "Bearer secret")
    text = "Generate a summary of the following document in one sentence:\n\nCells divide. They"
    assert body == {
        "model": "llama",
        "messages": [{"role": "user", "content": text}],
        "max_tokens": 128,
        "temperature": 0,
    }


def test_nothing_is_asked_twice(stub, tmp_path):
    server, question = ModelServer(stub.address, "secret"), Question("llama")
    first = summaries_of_model(question, ARTICLES[:1], "llm", server, tmp_path)
    both = summaries_of_model(question, ARTICLES, "llm", server, tmp_path)
    assert len(stub.asked) == 2 and both[0] == first[0]
    summaries_of_model(Question("llama", sentences=2), ARTICLES, "llm", server, tmp_path)
    assert len(stub.asked) == 2  # the answers are the same, and more of them is kept
    summaries_of_model(Question("other"), ARTICLES[:1], "llm", server, tmp_path)
    assert len(stub.asked) == 3
    files = list(tmp_path.iterdir())
    assert len(files) == 3
    for file in files:
        text = file.read_text()
        assert "secret" not in text and "127.0.0.1" not in text


def test_a_question_is_a_models_name_or_its_settings():
    assert Question.of("llama") == Question("llama")
    assert Question.of({"model": "llama", "prompt": "Sum up", "sentences": 3}) == Question(
        "llama", instruction="Sum up", sentences=3
    )


def test_a_busy_server_is_asked_again(stub, tmp_path, monkeypatch):
    waited = []
    monkeypatch.setattr("sera.summarizers.language_model.time.sleep", waited.append)
    stub.answers = [(503, {}), (429, {}), (200, said("Cells."))]
    found = summaries_of_model(Question("m"), ARTICLES[:1], "llm", ModelServer(stub.address), tmp_path)
    assert found[0].sentences == ("Cells.",) and waited == [2.0, 4.0]
    assert [key for _, key, _ in stub.asked] == [None] * 3


@pytest.mark.parametrize(
    ("status", "answer", "error"),
    [
        (401, {}, "401.*SERA_LLM_KEY"),
        (404, {}, "404"),
        (200, {"choices": []}, "without a text"),
        (200, b"<html>", "without a text"),
        (200, said(None), "without a text"),
        (302, {}, "status 302"),  # a key is not sent on
    ],
)
def test_a_wrong_answer_is_refused_and_not_kept(stub, tmp_path, status, answer, error):
    stub.answers = [(status, answer)]
    with pytest.raises(InputError, match=error) as caught:
        summaries_of_model(
            Question("m"), ARTICLES, "llm", ModelServer(stub.address, "secret"), tmp_path / "a"
        )
    assert "secret" not in str(caught.value) and len(stub.asked) == 1
    assert not (tmp_path / "a").exists()


def test_an_empty_answer_is_an_empty_summary_and_a_changed_one_is_refused(stub, tmp_path):
    server = ModelServer(stub.address)
    stub.answers = [(200, said(" \n"))]
    (found,) = summaries_of_model(Question("m"), ARTICLES[:1], "llm", server, tmp_path)
    assert found.sentences == ("",)
    (file,) = tmp_path.iterdir()
    file.write_text('{"answer": "other"}')
    with pytest.raises(InputError, match=f"{file.name}.*Remove it"):
        summaries_of_model(Question("m"), ARTICLES[:1], "llm", server, tmp_path)


def test_the_environment_names_the_server(monkeypatch):
    monkeypatch.delenv("SERA_LLM_URL", raising=False)
    with pytest.raises(InputError, match="SERA_LLM_URL is not set"):
        server_of_environment()
    monkeypatch.setenv("SERA_LLM_URL", "http://me:pw@host/v1")
    with pytest.raises(InputError, match="SERA_LLM_URL has a user or a password") as caught:
        server_of_environment()
    assert "pw" not in str(caught.value)
    monkeypatch.setenv("SERA_LLM_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("SERA_LLM_KEY", "secret")
    server = server_of_environment()
    assert server.key == "secret" and "secret" not in repr(server)
    with pytest.raises(InputError, match="cannot be reached: NewConnectionError"):
        server.answer({})


REFUSING_ALL_BUT = """
import sys

class Refused:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {refused}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Refused())
from sera.cli import main
main()
"""


def test_the_command_needs_syntok_and_urllib3_alone(stub, tmp_path, monkeypatch):
    monkeypatch.setenv("SERA_LLM_URL", stub.address)
    sources, out = tmp_path / "sources.jsonl", tmp_path / "out.jsonl"
    sources.write_text('{"topic": "t", "id": "a", "sentences": ["Cells divide."]}\n')
    arguments = [
        "research",
        "ask",
        "--model",
        "m",
        "--sources",
        sources,
        "--answers",
        tmp_path / "answers",
        "--out",
        out,
    ]
    code = REFUSING_ALL_BUT.format(refused=sorted({*EXTRA_OF} - {"syntok", "urllib3"}))
    done = subprocess.run([sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0 and "A cell divides." in out.read_text(), done.stderr
    assert {EXTRA_OF["syntok"], EXTRA_OF["urllib3"]} == {"text", "corpora"}  # as docs/plugins.md has it
    said = CliRunner().invoke(main, ["research", "ask", "--help"]).output
    assert "needs syntok and urllib3 alone" in " ".join(said.split())
