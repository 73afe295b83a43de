"""Questions to a language model, asked of a stub on loopback."""

from commands import sera
from language_model import said

from sera.io.language_models import ModelServer
from sera.io.records import Section, Source
from sera.summarizers.language_model import Question, summaries_of_model


def article(topic, *sentences):
    return Source(topic, topic, "a title", (Section("", sentences),))


ARTICLES = [article("one", "Cells divide.", "They grow in size."), article("two", "Fish swim.")]


def test_the_question_is_the_papers(language_model, tmp_path):
    question, server = Question("llama", input_words=3), ModelServer(language_model.address, "secret")
    (found,) = summaries_of_model(question, ARTICLES[:1], "llama2_7b", tmp_path, server)
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
    first = summaries_of_model(question, ARTICLES[:1], "llm", tmp_path, server)
    both = summaries_of_model(question, ARTICLES, "llm", tmp_path, server)
    assert len(language_model.asked) == 2 and both[0] == first[0]
    summaries_of_model(Question("llama", sentences=2), ARTICLES, "llm", tmp_path, server)
    assert len(language_model.asked) == 2  # the answers are the same, and more of them is kept
    summaries_of_model(Question("other"), ARTICLES[:1], "llm", tmp_path, server)
    assert len(language_model.asked) == 3
    (record,) = tmp_path.iterdir()
    text = record.read_text()
    assert text.count("\n") == 3 and "secret" not in text and "127.0.0.1" not in text


def test_answers_of_an_earlier_version_are_taken(language_model, tmp_path):
    """It wrote a file for each, whose name is the hash over this request."""
    name = "e2151a7ac1e108675c755091afa336d9dde311bbb9b1e538190e6193c0392721"
    (tmp_path / f"{name}.json").write_text('{"request": {}, "answer": "Old cells."}')
    found = summaries_of_model(Question("llama"), ARTICLES[1:], "llm", tmp_path)
    assert [each.sentences for each in found] == [("Old cells.",)] and not language_model.asked


def test_an_empty_answer_is_an_empty_summary(language_model, tmp_path):
    language_model.answers = [(200, said(None))]
    server = ModelServer(language_model.address)
    assert summaries_of_model(Question("m"), ARTICLES[:1], "llm", tmp_path, server)[0].sentences == ("",)
    assert Question("m").kept(" \n") == ("",)
    assert [key for _, key, _ in language_model.asked] == [None]


def test_the_command(language_model, tmp_path, monkeypatch):
    monkeypatch.setenv("SERA_LLM_URL", language_model.address)
    sources, out = tmp_path / "sources.jsonl", tmp_path / "out.jsonl"
    sources.write_text('{"topic": "t", "id": "a", "sentences": ["Cells divide."]}\n')
    arguments = ["research", "ask", "--model", "m", "--sources", sources]
    arguments += ["--answers", tmp_path / "answers", "--out", out]
    sera(*arguments)
    assert "A cell divides." in out.read_text()
