"""Questions to a language model, asked of a stub on loopback."""

import pytest
from commands import sera
from language_model import said

from sera.errors import InputError
from sera.io.records import Section, Source
from sera.summarizers.language_model import ModelServer, Question, server_of_environment, summaries_of_model


def article(topic, *sentences):
    return Source(topic, topic, "a title", (Section("", sentences),))


ARTICLES = [article("one", "Cells divide.", "They grow in size."), article("two", "Fish swim.")]


def test_the_question_is_the_papers(language_model, tmp_path):
    question, server = Question("llama", input_words=3), ModelServer(language_model.address, "secret")
    (found,) = summaries_of_model(question, ARTICLES[:1], "llama2_7b", server, tmp_path)
    assert (found.topic, found.system, found.sentences) == ("one", "llama2_7b", ("A cell divides.",))
    ((path, key, body),) = language_model.asked
    assert (path, key) == ("/v1/chat/completions", "Bearer secret")
    text = "Generate a summary of the following document in one sentence:\n\nCells divide. They"
    assert body == {
        "model": "llama",
        "messages": [{"role": "user", "content": text}],
        "max_tokens": 128,
        "temperature": 0,
    }


def test_nothing_is_asked_twice(language_model, tmp_path):
    server, question = ModelServer(language_model.address, "secret"), Question("llama")
    first = summaries_of_model(question, ARTICLES[:1], "llm", server, tmp_path)
    both = summaries_of_model(question, ARTICLES, "llm", server, tmp_path)
    assert len(language_model.asked) == 2 and both[0] == first[0]
    summaries_of_model(Question("llama", sentences=2), ARTICLES, "llm", server, tmp_path)
    assert len(language_model.asked) == 2  # the answers are the same, and more of them is kept
    summaries_of_model(Question("other"), ARTICLES[:1], "llm", server, tmp_path)
    assert len(language_model.asked) == 3
    files = list(tmp_path.iterdir())
    assert len(files) == 3
    for file in files:
        text = file.read_text()
        assert "secret" not in text and "127.0.0.1" not in text


def test_a_busy_server_is_asked_again(language_model, tmp_path, monkeypatch):
    waited = []
    monkeypatch.setattr("urllib3.util.retry.time.sleep", waited.append)
    language_model.answers = [(503, {}), (429, {}), (200, said("Cells."))]
    found = summaries_of_model(
        Question("m"), ARTICLES[:1], "llm", ModelServer(language_model.address), tmp_path
    )
    assert found[0].sentences == ("Cells.",) and waited == [2]
    assert [key for _, key, _ in language_model.asked] == [None] * 3
    assert Question("m").kept(" \n") == ("",)  # an empty answer is an empty summary


def test_the_environment_names_the_server(monkeypatch):
    monkeypatch.delenv("SERA_LLM_URL", raising=False)
    with pytest.raises(InputError, match="SERA_LLM_URL is not set"):
        server_of_environment()
    monkeypatch.setenv("SERA_LLM_URL", "http://me:pw@host/v1")
    with pytest.raises(InputError, match="SERA_LLM_URL is not an address") as caught:
        server_of_environment()
    assert "pw" not in str(caught.value)
    monkeypatch.setenv("SERA_LLM_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("SERA_LLM_KEY", "secret")
    monkeypatch.setattr("urllib3.util.retry.time.sleep", lambda seconds: None)
    server = server_of_environment()
    assert server.key == "secret" and "secret" not in repr(server)
    with pytest.raises(InputError, match="cannot be reached: NewConnectionError"):
        server.answer({})


def test_the_command(language_model, tmp_path, monkeypatch):
    monkeypatch.setenv("SERA_LLM_URL", language_model.address)
    sources, out = tmp_path / "sources.jsonl", tmp_path / "out.jsonl"
    sources.write_text('{"topic": "t", "id": "a", "sentences": ["Cells divide."]}\n')
    arguments = ["research", "ask", "--model", "m", "--sources", sources]
    arguments += ["--answers", tmp_path / "answers", "--out", out]
    sera(*arguments)
    assert "A cell divides." in out.read_text()
