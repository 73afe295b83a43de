"""Released scores of other metrics, as their authors made them."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from sera import metric
from sera.benchmarks import load_benchmark
from sera.benchmarks.realsumm import read_given
from sera.evaluation.correlate import level_coefficients
from sera.evaluation.evaluate import JudgedScores
from sera.io.records import Judgement


@pytest.fixture
def released(shared):
    return shared / "data/benchmarks"


def judged(topics, *names):
    """The scores of the named metrics and the judgements, for correlations."""
    scores = pd.DataFrame([one for topic in topics for one in topic.given if one.metric in names])
    table = pd.DataFrame([one for topic in topics for one in topic.judgements])
    return JudgedScores.from_tables(scores, table.drop(columns="judge").astype({"score": float})).scores


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("wikisera_tac2009", ((0.779, 0.309), (0.899, 0.623), (0.956, 0.622))),
        ("wikisera_tac2009_update", ((0.722, 0.364), (0.844, 0.634), (0.892, 0.632))),
    ],
)
def test_wikisera(released, name, expected):
    # by scipy.stats.spearmanr on the lines of the files, for which 0.7 and 0.7000000000000001 are no tie
    topics = load_benchmark(name).read(release=released / "wikisera_tac2009")
    assert (len(topics), len(topics[0].judgements)) == (44, 55)
    names = ("SERA-5", "ROUGE-1-F", "ROUGE-2-F")
    scores = judged(topics, *names)
    for name, values in zip(names, expected, strict=True):
        for level, value in zip(("system", "summary"), values, strict=True):
            found = level_coefficients(scores, name, "pyramid", level)
            assert found["spearman"] == pytest.approx(value, abs=1e-3)


def test_dialsummeval_has_the_scores_of_its_own_summaries(released):
    topics = load_benchmark("dialsummeval").read(release=released / "dialsummeval")
    assert len(topics) == 100
    (first,) = (topic for topic in topics if topic.id == "13611791")
    assert Judgement("13611791", "B", "consistency", 4, "judge_1") in first.judgements
    rouge, both = metric("ROUGE-1-F", stem=True), []
    for topic in topics:
        scores = {one.system: one.score for one in topic.given if one.metric == "ROUGE-1-F"}
        for candidate in topic.candidates:
            own = rouge.score(" ".join(candidate.sentences), [" ".join(topic.references[0].sentences)])
            both.append((scores[candidate.system], own))
    table = pd.DataFrame(both)
    assert table[0].corr(table[1]) > 0.999  # 0.1 if joined by the line


def test_opinsummeval(released):
    topics = load_benchmark("opinsummeval").read(release=released / "opinsummeval")
    first = topics[0]
    assert (len(topics), len(first.candidates), len(first.judgements)) == (100, 14, 14 * 4 * 2)
    assert Judgement("1", "bart", "aspect relevance", 2, "judge_1") in first.judgements
    given = {(one.system, one.metric): one.score for one in first.given}
    assert given["bart", "BARTScore(source to summary)"] == -1.908255696296692
    assert given["bart", "SUPERT"] == 0.5364708243410242
    refused = [one for topic in topics for one in topic.given if math.isnan(one.score)]
    assert sum(one.metric == "ChatGPT(all aspects at once, relevance)" for one in refused) == 51


def test_language_models_as_judges(released, tmp_path):
    (tmp_path / "summeval_llm_judges").symlink_to(released / "summeval_llm_judges")
    (tmp_path / "data.pkl").write_bytes((released / "summeval/data.pkl").read_bytes())
    benchmark = load_benchmark("summeval_llm_judges")
    topics = benchmark.read(release=tmp_path)
    assert len(benchmark.judged(tmp_path)[0]) == 12
    scores = judged(topics, "GPT-4 (reason, then score, relevance)")
    found = level_coefficients(scores, "GPT-4 (reason, then score, relevance)", "relevance")
    assert found["spearman"] == pytest.approx(0.944, abs=5e-4)  # by scipy on the answers


def test_realsumm_has_the_published_scores(released, shared, tmp_path):
    for path in (shared / "data/realsumm").iterdir():
        (tmp_path / path.name).symlink_to(path)  # the release itself may not have links
    published = pd.read_csv(tmp_path / "published_scores.tsv", sep="\t")
    (tmp_path / "realsumm_scores").symlink_to(released / "realsumm_scores")
    scores = {(one.topic, one.system, one.metric): one.score for one in read_given(tmp_path)}
    assert len(scores) == 2500 * 14
    for row in published.itertuples():
        key = str(row.doc_id), f"{row.split}_{row.system}"
        assert scores[*key, "BERTScore-R"] == pytest.approx(row.bert_recall_score, abs=1e-9)
        assert scores[*key, "MoverScore"] == pytest.approx(row.mover_score, abs=1e-9)
