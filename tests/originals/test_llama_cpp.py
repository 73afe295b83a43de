"""What a real server of llama.cpp answered, read as its scores, its tokens' probabilities and its errors."""

import json
import math

import pytest
from conftest import RECORDED

from sera import metric
from sera.errors import InputError
from sera.io.language_models import Answers, ModelServer
from sera.io.records import Candidate, Nugget, Reference
from sera.metrics.pyramid import Pyramid

ROWS = map(json.loads, (RECORDED / "llama_cpp/answers.jsonl").read_text("utf-8").splitlines())
RECORDS = {row["to"]: (row["status"], row["body"]) for row in ROWS}
SUMMARY, ARTICLE = "Mice without the kinase died young.", "Kinases change proteins in cells."


@pytest.fixture
def answers(language_model, tmp_path):
    return Answers(tmp_path / "answers.jsonl", ModelServer(language_model.address, "sk-secret"))


def test_scores_are_read_from_its_answers(language_model, answers):
    """Its tokens are S, co, re, a colon, a blank and 1."""
    language_model.answers = [RECORDS["score"]]
    judge = metric("Judge", model="m", answers=answers, question="fluency")
    assert judge.score(SUMMARY, source=ARTICLE) == 1.0
    expected = metric("Judge", model="m", answers=answers, question="fluency", expected=True)
    tokens = RECORDS["score"][1]["choices"][0]["logprobs"]["content"]
    assert [token["token"] for token in tokens] == ["S", "co", "re", ":", " ", "1", ""]
    logs = {each["token"]: each["logprob"] for each in tokens[5]["top_logprobs"]}
    total = sum(math.exp(logs[str(number)]) for number in range(1, 6))
    by_hand = sum(number * math.exp(logs[str(number)]) for number in range(1, 6)) / total
    assert expected.score(SUMMARY, source=ARTICLE) == pytest.approx(by_hand) == pytest.approx(2.56023350)
    language_model.answers = [RECORDS["free"]]
    assert math.isnan(judge.score("Fish swim.", source=ARTICLE))


def test_nuggets_are_read_from_its_answers(language_model, answers):
    language_model.answers = [RECORDS["nuggets"]]
    nuggets = Pyramid.from_records([Nugget("t", "A", "mice died"), Nugget("t", "A", "fish swim")])
    pyramid = metric("Pyramid", recogniser="model", model="m", answers=answers, nuggets=nuggets)
    units = pyramid.units([Reference("t", "A", (SUMMARY,))])
    assert pyramid.support(Candidate("t", "s", (SUMMARY,)), units) == [0.0, 1.0]


@pytest.mark.parametrize(("record", "status"), [("wrong_key", 401), ("wrong_request", 400)])
def test_its_errors_stop_at_once(language_model, answers, record, status):
    language_model.answers = [RECORDS[record]]
    with pytest.raises(InputError, match=f"answers with status {status}.*0 of 1 answers are kept"):
        metric("Judge", model="m", answers=answers).score(SUMMARY, source=ARTICLE)
    assert len(language_model.asked) == 1
