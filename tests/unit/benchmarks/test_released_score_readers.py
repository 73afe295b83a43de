"""Readers of releases with the scores of other metrics, on small files written by hand."""

from __future__ import annotations

import json
import math
import pickle

import numpy as np
import pytest

from sera.benchmarks import load_benchmark
from sera.benchmarks.dialsummeval import DIALSUMMEVAL
from sera.benchmarks.llm_judges import read_score
from sera.benchmarks.plain_pickle import read_plain
from sera.benchmarks.released_metrics import released_metrics
from sera.errors import InputError


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


@pytest.mark.parametrize("protocol", [2, 4])
def test_a_pickle_has_numbers_of_numpy_and_no_other_names(tmp_path, protocol):
    path = tmp_path / "scores.pkl"
    path.write_bytes(pickle.dumps({"a": np.float64(0.1), "b": [np.float32(0.5)]}, protocol))
    assert read_plain(path) == {"a": 0.1, "b": [0.5]}
    path.write_bytes(pickle.dumps({"a": print}, protocol))
    with pytest.raises(InputError, match=r"names (__builtin__|builtins)\.print"):
        read_plain(path)


def test_scores_are_joined_by_dialogue_not_by_line(tmp_path):
    write_dialsummeval(tmp_path)
    benchmark = load_benchmark("dialsummeval")
    first, second = benchmark.read(release=tmp_path)
    assert benchmark.judged(tmp_path)[0] == ["B"]
    assert (first.id, first.references[0].sentences) == ("1", ("gold one .",))
    assert [one.score for one in first.judgements if one.judgement == "relevance"] == [1, 2, 3]
    given = {(one.topic, one.metric): one.score for topic in (first, second) for one in topic.given}
    assert (given["1", "ROUGE-1-F"], given["2", "ROUGE-1-F"]) == (0.25, 0.5)
    # lower is better: 2 + 9 less the value
    assert (given["1", "Perplexity"], given["2", "Perplexity"]) == (2, 9)


def test_scores_of_another_dialogue_are_refused(tmp_path):
    folder = write_dialsummeval(tmp_path)
    (folder / "dials.txt").write_text("dialogue 2\nanother\n")
    with pytest.raises(InputError, match=r"dials.txt, line 2: is no judged dialogue"):
        load_benchmark("dialsummeval").read(release=tmp_path)


def write_dialsummeval(release):
    """Two dialogues, a reference and one system; the scores are in the other order."""
    judgements = release / "annotation_campus"
    folder = release / "reproduce/analysis/models_eval_new"
    judgements.mkdir()
    (folder / "B").mkdir(parents=True)
    lines = [
        {
            **{"id": str(number), "dialogue": f"dialogue {number}", "model_id": system, "summary": text},
            "annotations": [dict.fromkeys(DIALSUMMEVAL.dimensions, judge) for judge in (1, 2, 3)],
        }
        for number, texts in ((1, ("gold one .", "one .")), (2, ("gold two .", "two .")))
        for system, text in zip("AB", texts, strict=True)
    ]
    (judgements / "human_judgment.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    (folder / "dials.txt").write_text("dialogue 2\ndialogue 1\n")
    fields = [each.field for each in released_metrics("dialsummeval")]
    rows = [{**dict.fromkeys(fields, "0.1"), "rouge-1": "0.5", "ppl": "2"}]
    rows.append({**rows[0], "rouge-1": "0.25", "ppl": "9"})
    table = [fields, *([row[field] for field in fields] for row in rows)]
    (folder / "B/metrics.csv").write_text("".join(f"{','.join(cells)}\n" for cells in table))
    return folder


ROUGE = " ".join(f"R:0.{n}1 P:0.{n}2 F:0.{n}3" for n in range(1, 8))


def write_wikisera(folder, second="D0901-A.M.100.A.2\t0.4 0.8 1.0 0.6 0.7\n"):
    lines = [f"D0901-A.1 0.176 0.18 {ROUGE}", f"D0901-A.2 0.7 0.6 {ROUGE}", f"D0901-B.1 0.5 0.4 {ROUGE}"]
    (folder / "SCORES_TAC2009.txt").write_text("".join(f"{line}\n" for line in lines))
    sera = ["D0901-A.M.100.A.1\t0.2 0.2 0.2 0.2 0.2\n", second, "D0901-B.M.100.A.1\t0 0 0 0 0.25\n"]
    (folder / "ordered_score_wiki_0-4840.txt").write_text("".join(sera))


def test_scores_without_texts(tmp_path):
    write_wikisera(tmp_path)
    benchmark = load_benchmark("wikisera_tac2009")
    (topic,) = benchmark.read(release=tmp_path)
    assert not benchmark.HAS_TEXTS and not topic.candidates and not topic.references
    assert [(one.system, one.score) for one in topic.judgements] == [("1", 0.176), ("2", 0.7)]
    scores = {one.metric: one.score for one in topic.given if one.system == "2"}
    assert (scores["SERA-5"], scores["ROUGE-1-R"], scores["ROUGE-SU4-F"]) == (0.7, 0.11, 0.73)
    (update,) = load_benchmark("wikisera_tac2009_update").read(release=tmp_path)
    assert (update.id, len(update.judgements)) == ("D0901-B", 1)


def test_scores_of_another_summary_are_refused(tmp_path):
    write_wikisera(tmp_path, second="D0901-A.M.100.A.3\t0.4 0.8 1.0 0.6 0.7\n")
    with pytest.raises(InputError, match=r"ordered_score_wiki_0-4840.txt, line 2: has not the scores"):
        load_benchmark("wikisera_tac2009").read(release=tmp_path)
