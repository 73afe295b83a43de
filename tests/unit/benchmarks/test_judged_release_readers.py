"""SummEval, Newsroom, ScholarSum and SummEval-OP: small files in their layouts, and what can be wrong."""

import json
import pickle
import re

import pytest

from sera.benchmarks.judged_releases import (
    NEWSROOM,
    SCHOLARSUM_ARXIV,
    SCHOLARSUM_PUBMED,
    SUMMEVAL,
    SUMMEVAL_OP,
)
from sera.benchmarks.plain_pickle import read_plain
from sera.errors import InputError
from sera.io.records import GivenScore, Judgement

QUALITIES = ("relevance", "coherence", "consistency", "fluency")
SCORES = dict.fromkeys(QUALITIES, 2.0)
ROW = {
    "id": "t1",
    "expert_annotations": [dict.fromkeys(QUALITIES, score) for score in (1, 2, 3)],
    "turker_annotations": [dict.fromkeys(QUALITIES, 5)],
}
ARTICLE = {
    "article": "cells divide . fish swim .",
    "human": "cells divide .",
    "unjudged": "fish .",
    "a_b": "<s> cells swim. they divide.",
    "a_b_human": 0.5,
    "a_b_human_list": [1.0, 0.25, 0.5, 0.0],
    "a_b_bert": 0.75,
    "a_b_gpt4": 1.0,
    "a_b_gpt4_fm_list": [1.0],
    "other_gpt4": 0.1,
}
MEANS = dict.fromkeys(SUMMEVAL_OP.dimensions, 4.33)
PRODUCT = {
    "reviews": {"rev1": "Nice boots. They fit.", "rev2": "Too narrow."},
    "summaries": {
        "human-summaries": {"summary": "Narrow.", "dimensions": MEANS},
        "gpt": {"summary": "Nice. But narrow.", "dimensions": MEANS},
    },
}
SINGLE = {
    "reviews": ["Nice boots. They fit.", "Too narrow."],
    "summaries": ["Narrow.", "Nice. But narrow."],
    **{key: [[5, 4, 4], [4, 4, 5]] for key in SUMMEVAL_OP.KEYS},
}


def lines(path, *rows):
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path.parent


def pickled(folder, content):
    (folder / "data.pkl").write_bytes(pickle.dumps(content))
    return folder


def one(scores=SCORES, **changes):
    summary = {"sys_summ": "Cells divide ( often ) . It is so .", "scores": scores}
    return {"t1": {"src": "A. B.", "ref_summs": ["R.", "Q."], "sys_summs": {"M1": summary}, **changes}}


def products(folder, whole, single):
    lines(folder / "annotated_dataset/summeval-op.jsonl", whole)
    lines(folder / "annotated_dataset/summeval-op-detailed.jsonl", single)
    return folder


def test_summeval(tmp_path):
    (topic,) = SUMMEVAL.read(release=pickled(tmp_path, one()))
    references = [(each.annotator, each.sentences) for each in topic.references]
    assert references == [("ref_1", ("R.",)), ("ref_2", ("Q.",))]
    assert topic.candidates[0].sentences == ("Cells divide ( often ) .", "It is so .")
    assert topic.judgements == tuple(Judgement("t1", "M1", name, 2.0) for name in QUALITIES)
    assert SUMMEVAL.judged(tmp_path) == (["M1"], list(QUALITIES)) and SUMMEVAL.brings(tmp_path) == ()


@pytest.mark.parametrize("within", ["", "summeval_judges", "model_output_annotations"])
def test_summevals_judges(tmp_path, within):
    lines(pickled(tmp_path, one()) / within / "M1_outputs_annotations.jsonl", ROW)
    (topic,) = SUMMEVAL.read(release=tmp_path)
    relevance = {each.judge: each.score for each in topic.judgements if each.judgement == "relevance"}
    assert relevance == {"": 2.0, "expert_1": 1.0, "expert_2": 2.0, "expert_3": 3.0}
    assert Judgement("t1", "M1", "relevance_crowd", 5.0, "crowd_1") in topic.judgements
    assert len(SUMMEVAL.inputs(release=tmp_path)) == 2
    assert SUMMEVAL.judged(tmp_path)[1] == [*QUALITIES, *(f"{name}_crowd" for name in QUALITIES)]


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([{**ROW, "id": "t9"}], "line 1: has the topic 't9'"),
        ([ROW, ROW], "line 2: repeats the summary of t1 of line 1"),
    ],
)
def test_judges_of_something_else_are_refused(tmp_path, rows, problem):
    lines(pickled(tmp_path, one()) / "M1_outputs_annotations.jsonl", *rows)
    with pytest.raises(InputError, match=re.escape(f"M1_outputs_annotations.jsonl, {problem}")):
        SUMMEVAL.read(release=tmp_path)


def test_newsroom_has_one_reference_and_numbered_articles(tmp_path):
    scores = dict(zip(NEWSROOM.dimensions, (1.5, 2, 3, 4), strict=True))
    systems = {system: {"sys_summ": "S.", "scores": scores} for system in ("textrank", "lede3")}
    article = {"src": "A. B.", "ref_summ": "R.", "sys_summs": systems}
    first, second = NEWSROOM.read(release=pickled(tmp_path, {12: article, 7: article}))
    assert (first.id, second.id) == ("12", "7") and len(first.references) == 1
    assert first.judgements[0] == Judgement("12", "textrank", "informativeness", 1.5)
    assert NEWSROOM.judged(tmp_path) == (["lede3", "textrank"], list(scores))


def test_scholarsum(tmp_path):
    first, second = SCHOLARSUM_ARXIV.read(release=lines(tmp_path / "arxiv.json", ARTICLE, ARTICLE))
    assert (first.id, second.id) == ("0", "1")
    assert first.candidates[0].sentences == ("cells swim.", "they divide.")
    assert [each.system for each in first.candidates] == ["a_b"]
    scores = (0.5, 1.0, 0.25, 0.5, 0.0)
    names = ("facets", "facet_background", "facet_method", "facet_result", "facet_conclusion")
    expected = zip(names, scores, strict=True)
    assert first.judgements == tuple(Judgement("0", "a_b", name, score) for name, score in expected)
    assert second.given == (GivenScore("1", "a_b", "BERTScore", 0.75), GivenScore("1", "a_b", "GPT-4", 1.0))
    assert SCHOLARSUM_ARXIV.judged(tmp_path)[0] == ["a_b"]
    assert SCHOLARSUM_ARXIV.brings(tmp_path) == ("given",)


def test_in_summeval_op_the_persons_summary_is_the_reference(tmp_path):
    (topic,) = SUMMEVAL_OP.read(release=products(tmp_path, PRODUCT, SINGLE))
    assert [(each.annotator, each.sentences) for each in topic.references] == [("human", ("Narrow.",))]
    assert [each.system for each in topic.candidates] == ["gpt"]
    assert [section.sentences for section in topic.source.sections][1] == ("Too narrow.",)
    assert topic.judgements[:3] == tuple(
        Judgement("0", "gpt", "Relevance", score, f"judge_{number}")
        for number, score in enumerate((4.0, 4.0, 5.0), 1)
    )
    assert len(topic.judgements) == 7 * 3
    assert SUMMEVAL_OP.judged(tmp_path)[0] == ["gpt"] and SUMMEVAL_OP.brings(tmp_path) == ("judges",)
    assert SUMMEVAL_OP.inputs(release=tmp_path / "annotated_dataset") == SUMMEVAL_OP.inputs(release=tmp_path)


@pytest.mark.parametrize(
    ("benchmark", "file", "problem"),
    [
        (NEWSROOM, "", r"lacks data\.pkl\. Get SUM/Newsroom/data\.pkl"),
        (SCHOLARSUM_PUBMED, "pubmed.json", r"pubmed\.json, line 1: has no judged summary"),
        (SUMMEVAL_OP, "summeval-op.jsonl", r"lacks summeval-op-detailed\.jsonl"),
    ],
)
def test_what_is_missing(tmp_path, benchmark, file, problem):
    if file:
        lines(tmp_path / file, {"article": "a"})
    with pytest.raises(InputError, match=problem):
        benchmark.judged(tmp_path)


# Pickles


PLAIN = {"a": [1, 2.5, None, True, "é" * 300], 7: {"b": ("x", (), (1, 2, 3, 4))}, "big": 2**70}


@pytest.mark.parametrize("protocol", [0, 2, 5])
def test_plain_data_is_read(tmp_path, protocol):
    path = tmp_path / "data.pkl"
    path.write_bytes(pickle.dumps(PLAIN, protocol))
    assert read_plain(path) == PLAIN


class Harmful:
    def __reduce__(self):
        return (open, ("harmed", "w"))


@pytest.mark.parametrize(
    "content",
    [
        pickle.dumps({"a": Harmful()}, 0),
        pickle.dumps({"a": Harmful()}),
        pickle.dumps(PLAIN)[:-5],
        b"{}",
    ],
)
def test_anything_else_is_refused(tmp_path, monkeypatch, content):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "data.pkl"
    path.write_bytes(content)
    with pytest.raises(InputError, match="is not a pickle of plain data: .+ Nothing of it was run"):
        read_plain(path)
    assert [each.name for each in tmp_path.iterdir()] == ["data.pkl"]
