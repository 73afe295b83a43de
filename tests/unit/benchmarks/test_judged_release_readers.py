"""Releases of judged summaries and of scores: small ones in their layouts, and what can be wrong."""

import json
import math
import pickle

import numpy as np
import pytest
from releases import put

from sera.benchmarks import load_benchmark, release
from sera.benchmarks.dialsummeval import DIALSUMMEVAL
from sera.benchmarks.judged_releases import NEWSROOM, SCHOLARSUM_ARXIV, SUMMEVAL, SUMMEVAL_OP
from sera.benchmarks.llm_judges import read_score
from sera.benchmarks.plain_pickle import read_plain
from sera.benchmarks.released_metrics import released_metrics
from sera.errors import InputError
from sera.io.records import Document, GivenScore, Judgement, Section

QUALITIES = ("relevance", "coherence", "consistency", "fluency")
SCORES, PARTLY = dict.fromkeys(QUALITIES, 2.0), {"relevance": 1}
ROW = {
    "id": "t1",
    "expert_annotations": [dict.fromkeys(QUALITIES, score) for score in (1, 2, 3)],
    "turker_annotations": [dict.fromkeys(QUALITIES, 5)],
}
ANNOTATIONS = "M1_outputs_annotations.jsonl"
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


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def summeval(*annotations, scores=SCORES, within=""):
    summary = {"sys_summ": "Cells divide ( often ) . It is so .", "scores": scores}
    topic = {"src": "A. B.", "ref_summs": ["R.", "Q."], "sys_summs": {"M1": summary}}
    judges = {f"{within}{ANNOTATIONS}": lines(*annotations)} if annotations else {}
    return {"data.pkl": pickle.dumps({"t1": topic})} | judges


DETAILED = "annotated_dataset/summeval-op-detailed.jsonl"
PRODUCTS = {"annotated_dataset/summeval-op.jsonl": lines(PRODUCT), DETAILED: lines(SINGLE)}


def test_summeval(tmp_path):
    (topic,) = SUMMEVAL.read(release=put(tmp_path, summeval()))
    references = [(each.annotator, each.sentences) for each in topic.references]
    assert references == [("ref_1", ("R.",)), ("ref_2", ("Q.",))]
    assert topic.candidates[0].sentences == ("Cells divide ( often ) .", "It is so .")
    assert topic.judgements == tuple(Judgement("t1", "M1", name, 2.0) for name in QUALITIES)
    assert SUMMEVAL.judged(tmp_path) == (["M1"], list(QUALITIES)) and SUMMEVAL.brings(tmp_path) == ()


@pytest.mark.parametrize("within", ["", "summeval_judges/", "model_output_annotations/"])
def test_summevals_judges(tmp_path, within):
    put(tmp_path, summeval(ROW, within=within))
    (topic,) = SUMMEVAL.read(release=tmp_path)
    relevance = {each.judge: each.score for each in topic.judgements if each.judgement == "relevance"}
    assert relevance == {"": 2.0, "expert_1": 1.0, "expert_2": 2.0, "expert_3": 3.0}
    assert Judgement("t1", "M1", "relevance_crowd", 5.0, "crowd_1") in topic.judgements
    assert len(SUMMEVAL.inputs(release=tmp_path)) == 2
    assert SUMMEVAL.judged(tmp_path)[1] == [*QUALITIES, *(f"{name}_crowd" for name in QUALITIES)]


def test_newsroom_has_one_reference_and_numbered_articles(tmp_path):
    scores = dict(zip(NEWSROOM.dimensions, (1.5, 2, 3, 4), strict=True))
    systems = {system: {"sys_summ": "S.", "scores": scores} for system in ("textrank", "lede3")}
    article = {"src": "A. B.", "ref_summ": "R.", "sys_summs": systems}
    put(tmp_path, {"data.pkl": pickle.dumps({12: article, 7: article})})
    first, second = NEWSROOM.read(release=tmp_path)
    assert (first.id, second.id) == ("12", "7") and len(first.references) == 1
    assert first.judgements[0] == Judgement("12", "textrank", "informativeness", 1.5)
    assert NEWSROOM.judged(tmp_path) == (["lede3", "textrank"], list(scores))


def test_scholarsum(tmp_path):
    first, second = SCHOLARSUM_ARXIV.read(release=put(tmp_path, {"arxiv.json": lines(ARTICLE, ARTICLE)}))
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
    (topic,) = SUMMEVAL_OP.read(release=put(tmp_path, PRODUCTS))
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


DIALS = "reproduce/analysis/models_eval_new/dials.txt"


def dialogues():
    """Two dialogues, a reference and one system; the scores are in the other order."""
    rows = [
        {
            **{"id": str(number), "dialogue": f"dialogue {number}", "model_id": system, "summary": text},
            "annotations": [dict.fromkeys(QUALITIES, judge) for judge in (1, 2, 3)],
        }
        for number, texts in ((1, ("gold one .", "one .")), (2, ("gold two .", "two .")))
        for system, text in zip("AB", texts, strict=True)
    ]
    scores = dict.fromkeys((metric.field for metric in released_metrics("dialsummeval")), "0.1")
    scored = [scores | {"rouge-1": "0.5", "ppl": "2"}, scores | {"rouge-1": "0.25", "ppl": "9"}]
    return {
        "annotation_campus/human_judgment.jsonl": lines(*rows),
        DIALS: "dialogue 2\ndialogue 1\n",
        DIALS.replace("dials.txt", "B/metrics.csv"): "".join(
            f"{','.join(cells)}\n" for cells in (scores, *(row.values() for row in scored))
        ),
    }


def test_scores_are_joined_by_dialogue_not_by_line(tmp_path):
    put(tmp_path, dialogues())
    first, second = DIALSUMMEVAL.read(release=tmp_path)
    assert DIALSUMMEVAL.judged(tmp_path)[0] == ["B"]
    assert (first.id, first.references[0].sentences) == ("1", ("gold one .",))
    assert [one.score for one in first.judgements if one.judgement == "relevance"] == [1, 2, 3]
    given = {(one.topic, one.metric): one.score for topic in (first, second) for one in topic.given}
    assert (given["1", "ROUGE-1-F"], given["2", "ROUGE-1-F"]) == (0.25, 0.5)
    # lower is better: 2 + 9 less the value
    assert (given["1", "Perplexity"], given["2", "Perplexity"]) == (2, 9)


ROUGE = " ".join(f"R:0.{n}1 P:0.{n}2 F:0.{n}3" for n in range(1, 8))
SERA = "ordered_score_wiki_0-4840.txt"
SECOND = "D0901-A.M.100.A.2\t0.4 0.8 1.0 0.6 0.7\n"
WIKISERA = {
    "SCORES_TAC2009.txt": f"D0901-A.1 0.176 0.18 {ROUGE}\nD0901-A.2 0.7 0.6 {ROUGE}\n"
    f"D0901-B.1 0.5 0.4 {ROUGE}\n",
    SERA: f"D0901-A.M.100.A.1\t0.2 0.2 0.2 0.2 0.2\n{SECOND}D0901-B.M.100.A.1\t0 0 0 0 0.25\n",
}
OTHER_SYSTEM = WIKISERA[SERA].replace("A.2", "A.3")


def test_scores_without_texts(tmp_path):
    put(tmp_path, WIKISERA)
    benchmark = load_benchmark("wikisera_tac2009")
    (topic,) = benchmark.read(release=tmp_path)
    assert not benchmark.HAS_TEXTS and not topic.candidates and not topic.references
    assert [(one.system, one.score) for one in topic.judgements] == [("1", 0.176), ("2", 0.7)]
    scores = {one.metric: one.score for one in topic.given if one.system == "2"}
    assert (scores["SERA-5"], scores["ROUGE-1-R"], scores["ROUGE-SU4-F"]) == (0.7, 0.11, 0.73)
    (update,) = load_benchmark("wikisera_tac2009_update").read(release=tmp_path)
    assert (update.id, len(update.judgements)) == ("D0901-B", 1)


@pytest.mark.parametrize(
    ("name", "files", "problem"),
    [
        ("newsroom", {}, r"lacks data\.pkl\. Get SUM/Newsroom/data\.pkl"),
        ("summeval", summeval({**ROW, "id": "t9"}), f"{ANNOTATIONS}, line 1: has the topic 't9'"),
        ("summeval", summeval(ROW, ROW), f"{ANNOTATIONS}, line 2: repeats the summary of t1 of line 1"),
        (
            "summeval",
            summeval(scores=PARTLY),
            "topic t1 has no field 'coherence'; it has relevance",
        ),
        ("scholarsum_pubmed", {"pubmed.json": lines({"article": "a"})}, "line 1: has no judged summary"),
        ("summeval_op", {**PRODUCTS, DETAILED: ""}, "has 0 lines where"),
        ("dialsummeval", {**dialogues(), DIALS: "dialogue 2\nanother\n"}, "line 2: is no judged dialogue"),
        ("wikisera_tac2009", {**WIKISERA, SERA: OTHER_SYSTEM}, "line 2: has not the scores"),
    ],
)
def test_what_is_wrong_has_its_place(tmp_path, name, files, problem):
    with pytest.raises(InputError, match=problem):
        load_benchmark(name).read(release=put(tmp_path, files))


@pytest.mark.parametrize(
    ("answer", "prompt", "score"),
    [
        ("It misses the goal. Score: 4/5.", "rts", 4),
        ("The summary reflects the main points. Final score: 5.", "rts", 5),
        ("It lacks 2 of 3 details, earning a score of 3.5", "altrts", 3.5),
        ("Rated on a scale of 1 to 5, I would give a score of 2 for relevance.", "rts", 2),
        ("He scored in the 87th minute, which is wrong. 2", "rts", 2),
        ("Four stars. The summary captures the key points.", "stareval", 4),
        ("D", "mcq", 4),
        (" (E) all of it", "altmcq", 5),
        ("I cannot say.", "rts", math.nan),
        ("Overall, it is clear.", "mcq", math.nan),
    ],
)
def test_the_score_in_an_answer(answer, prompt, score):
    assert read_score(answer, prompt) == pytest.approx(score, nan_ok=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Cells divide. Fish swim.", ("Cells divide.", "Fish swim.")),
        ("cells divide . fish swim ? yes", ("cells divide .", "fish swim ?", "yes")),
        ("<pad> cells divide. fish, e.g. eels, swim. see figs. 1 and 2.</s>",
         ("cells divide.", "fish, e.g. eels, swim.", "see figs. 1 and 2.")),
        ("<s> one <n> two", ("one two",)),
        ("A rise of 2.5 cells was seen. it fell.", ("A rise of 2.5 cells was seen. it fell.",)),
        (" ", ()),
    ],
)  # fmt: skip
def test_sentences(text, expected):
    assert release.sentences(text) == expected


def test_without_an_article_the_references_are_searched():
    topic = release.topic("t", (), {"A": "One. Two.", "B": "Three."}, {"s": "Four."})
    assert topic.source.sections == () and topic.documents == [Document("t", "One. Two. Three.")]
    topic = release.topic("t", ["First. Second.", " ", "Third."], {"A": "One."}, {"s": "Four."})
    assert topic.source.sections == (Section("", ("First.", "Second.")), Section("", ("Third.",)))
    assert topic.documents[0].text == "First. Second. Third."
    assert topic.candidates[0].sentences == ("Four.",)


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


HARMFUL = {"a": Harmful()}


@pytest.mark.parametrize(
    "content", [pickle.dumps(HARMFUL, 0), pickle.dumps(HARMFUL), pickle.dumps(PLAIN)[:-5], b"{}"]
)
def test_anything_else_is_refused(tmp_path, monkeypatch, content):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "data.pkl"
    path.write_bytes(content)
    with pytest.raises(InputError, match="is not a pickle of plain data: .+ Nothing of it was run"):
        read_plain(path)
    assert [each.name for each in tmp_path.iterdir()] == ["data.pkl"]


@pytest.mark.parametrize("protocol", [2, 4])
def test_a_pickle_has_numbers_of_numpy_and_no_other_names(tmp_path, protocol):
    path = tmp_path / "scores.pkl"
    path.write_bytes(pickle.dumps({"a": np.float64(0.1), "b": [np.float32(0.5)]}, protocol))
    assert read_plain(path) == {"a": 0.1, "b": [0.5]}
    path.write_bytes(pickle.dumps({"a": print}, protocol))
    with pytest.raises(InputError, match=r"names (__builtin__|builtins)\.print"):
        read_plain(path)
