"""SummEval and Newsroom: small pickles in their layout, with judges, and what can be wrong."""

from __future__ import annotations

import json
import pickle

import pytest

from sera.benchmarks.summeval import NEWSROOM, SUMMEVAL
from sera.errors import InputError
from sera.records import Judgement

QUALITIES = ("relevance", "coherence", "consistency", "fluency")
PUT = {"text": "Cells divide ( often ) . It is so .", "scores": dict.fromkeys(QUALITIES, 2.0)}
ROW = {
    "id": "t1",
    "decoded": "cells divide -lrb- often -rrb-. it is so.",
    "expert_annotations": [dict.fromkeys(QUALITIES, score) for score in (1, 2, 3)],
    "turker_annotations": [dict.fromkeys(QUALITIES, 5)],
}


def write(folder, content):
    folder.mkdir(exist_ok=True)
    (folder / "data.pkl").write_bytes(pickle.dumps(content))
    return folder


def one(**changes):
    summary = {"sys_summ": PUT["text"], "scores": PUT["scores"]}
    return {"t1": {"src": "A. B.", "ref_summs": ["R.", "Q."], "sys_summs": {"M1": summary}, **changes}}


def test_topics(tmp_path):
    (topic,) = SUMMEVAL.read(release=write(tmp_path / "s", one()))
    assert [(each.annotator, each.sentences) for each in topic.references] == [
        ("ref_1", ("R.",)),
        ("ref_2", ("Q.",)),
    ]
    assert topic.candidates[0].sentences == ("Cells divide ( often ) .", "It is so .")
    assert topic.judgements == tuple(Judgement("t1", "M1", name, 2.0) for name in QUALITIES)
    assert SUMMEVAL.judged(tmp_path / "s") == (["M1"], list(QUALITIES))


@pytest.mark.parametrize("within", ["", "summeval_judges", "model_output_annotations"])
def test_judges(tmp_path, within):
    folder = write(tmp_path / "s", one())
    (folder / within).mkdir(exist_ok=True)
    (folder / within / "M1_outputs_annotations.jsonl").write_text(json.dumps(ROW) + "\n")
    (topic,) = SUMMEVAL.read(release=folder)
    relevance = [each for each in topic.judgements if each.judgement == "relevance"]
    assert [(each.judge, each.score) for each in relevance] == [
        ("", 2.0),
        ("expert_1", 1.0),
        ("expert_2", 2.0),
        ("expert_3", 3.0),
    ]
    assert Judgement("t1", "M1", "relevance_crowd", 5.0, "crowd_1") in topic.judgements
    assert len(SUMMEVAL.inputs(release=folder)) == 2


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"decoded": "cells live"}, "line 1: has another summary of t1 than data.pkl"),
        ({"expert_annotations": ROW["turker_annotations"]}, "line 1: has another mean of relevance of t1"),
        ({"id": "t9"}, "line 1: is no judged summary of data.pkl: KeyError('t9')"),
        ({"expert_annotations": []}, "line 1: is no judged summary of data.pkl"),
    ],
)
def test_judges_of_something_else_are_refused(tmp_path, change, problem):
    folder = write(tmp_path / "s", one())
    (folder / "M1_outputs_annotations.jsonl").write_text(json.dumps({**ROW, **change}) + "\n")
    with pytest.raises(InputError) as raised:
        SUMMEVAL.read(release=folder)
    assert problem in str(raised.value)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ([], "data.pkl: is no dictionary of topics"),
        ({"t": 1}, "data.pkl: has no sys_summs for topic t"),
        (one(ref_summs=[]), "data.pkl: has no 'ref_summ' for topic t1"),
        (one(src=None), "data.pkl: has a text that is none for topic t1"),
        (
            one(sys_summs={"M1": {"sys_summ": "A.", "scores": {}}}),
            "data.pkl: has no 'relevance' for topic t1",
        ),
    ],
)
def test_a_pickle_of_another_form_is_refused(tmp_path, content, problem):
    with pytest.raises(InputError) as raised:
        SUMMEVAL.read(release=write(tmp_path / "s", content))
    assert problem in str(raised.value)


def test_newsroom_has_one_reference_and_numbered_articles(tmp_path):
    names = ("informativeness", "relevance", "coherence", "fluency")
    content = {
        number: {
            "src": "A. B.",
            "ref_summ": "R.",
            "sys_summs": {
                system: {"sys_summ": "S.", "scores": dict(zip(names, (1.5, 2, 3, 4), strict=True))}
                for system in ("textrank", "lede3")
            },
        }
        for number in (12, 7)
    }
    first, second = NEWSROOM.read(release=write(tmp_path / "n", content))
    assert (first.id, second.id) == ("12", "7") and len(first.references) == 1
    assert first.judgements[0] == Judgement("12", "textrank", "informativeness", 1.5)
    assert NEWSROOM.judged(tmp_path / "n") == (["lede3", "textrank"], list(names))
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"empty: lacks data\.pkl\. Get SUM/Newsroom/data\.pkl"):
        NEWSROOM.inputs(release=tmp_path / "empty")
