"""ScholarSum: small files in its layout, and what can be wrong with them."""

from __future__ import annotations

import json

import pytest

from sera.benchmarks.scholarsum import ARXIV, PUBMED
from sera.errors import InputError
from sera.records import GivenScore, Judgement

ROW = {
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


def write(folder, *rows):
    (folder / "arxiv.json").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def test_topics(tmp_path):
    first, second = ARXIV.read(release=write(tmp_path, ROW, ROW))
    assert (first.id, second.id) == ("0", "1")
    assert first.candidates[0].sentences == ("cells swim.", "they divide.")
    assert [each.system for each in first.candidates] == ["a_b"]
    assert first.judgements == tuple(
        Judgement("0", "a_b", name, score)
        for name, score in {
            "facets": 0.5,
            "facet_background": 1.0,
            "facet_method": 0.25,
            "facet_result": 0.5,
            "facet_conclusion": 0.0,
        }.items()
    )
    assert second.given == (GivenScore("1", "a_b", "BERTScore", 0.75), GivenScore("1", "a_b", "GPT-4", 1.0))
    assert ARXIV.judged(tmp_path)[0] == ["a_b"] and ARXIV.brings(tmp_path) == ("given",)


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({**ROW, "a_b_human_list": [1.0]}, "line 2: has no usable"),
        ({key: text for key, text in ROW.items() if key != "human"}, "line 2: has no usable 'human'"),
        ({**ROW, "a_b_bert": "high"}, "line 2: has no usable could not convert string to float: 'high'"),
    ],
)
def test_faults_have_their_line(tmp_path, row, problem):
    with pytest.raises(InputError) as raised:
        ARXIV.read(release=write(tmp_path, ROW, row))
    assert problem in str(raised.value)


def test_what_is_missing(tmp_path):
    with pytest.raises(InputError, match=r"lacks pubmed\.json\. Get the folder dataset"):
        PUBMED.inputs(release=tmp_path)
    with pytest.raises(InputError, match=r"arxiv\.json: has no judged summary"):
        ARXIV.judged(write(tmp_path, {"article": "a"}))
