"""Notes on scores: the reasons of undefined ones, cautions, settings, and summaries that are not there."""

import warnings

import pandas as pd
import pytest
from commands import put_texts, sera
from made_scores import JUDGEMENT_HEAD, put_table

import sera as package
from sera import metric
from sera.evaluation.tables import read_tsv
from sera.io.records import Candidate, Document, Reference, Section, Source
from sera.io.scores import NOTE, read_scores
from sera.metrics.base import Caution
from sera.metrics.notes import (
    note_lines,
    settings_text,
    signature_lines,
    undefined_lines,
)
from sera.metrics.scoring import canonical_name, score_columns, write_signatures
from sera.metrics.sera import EngineRankings, RunRankings
from sera.retrieval.index import build_part
from sera.retrieval.lucene import open_index
from sera.retrieval.runs import read_first_zero, write_run
from sera.retrieval.search import search_settings

SMALL = "the cut-off is more than a tenth of the {} documents"
ZEROS = "some rankings have documents of score 0 within the cut-off"


def rankings_of(documents, **settings):
    """Kept rankings of an index of so many documents."""
    given = {"noun_phrases": "textblob", "keyword_threshold": "query", "query_stop": True, "mu": 2000.0}
    return RunRankings({"plain": {}}, search_settings("english", documents, **{**given, **settings}))


def index(path, texts):
    build_part([Document(f"d{number}", text) for number, text in enumerate(texts)], path)
    return open_index(path)


@pytest.mark.parametrize(
    ("cutoff", "documents", "small"), [(10, 12, True), (10, 99, True), (10, 100, False), (5, 49, True)]
)
def test_an_index_that_is_small_beside_the_cutoff_is_warned_of(cutoff, documents, small):
    caution = metric(f"SERA-{cutoff}", rankings=rankings_of(documents)).caution
    assert caution.startswith(SMALL.format(documents)) if small else caution == ""


def test_python_warns_of_a_score_that_says_little(tmp_path):
    engine = index(tmp_path / "small", ["kinase binds p53", "cells die", "fish swim"])
    one = metric("SERA-2", rankings=EngineRankings(engine))
    with pytest.warns(Caution, match="^SERA-2: the cut-off is more than a tenth of the 3 documents"):
        one.score("The kinase.", ["A kinase."])
    with pytest.warns(Caution) as found:
        one.score_all(["The kinase."], [["A kinase."]])
    assert found[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        engine = index(tmp_path / "large", ["kinase binds p53"] + ["cells die"] * 19)
        metric("SERA-2", rankings=EngineRankings(engine)).score("The kinase.", ["A kinase."])


def test_documents_of_score_0_are_warned_of_and_documents_without_a_match_have_no_rank(tmp_path):
    """The long documents have one of many words, less than the collection's share: Lucene's score is 0."""
    long = " ".join(["kinase", *(f"w{number}" for number in range(3000))])
    engine = index(tmp_path / "i", ["kinase kinase p53", long, *(["cells die in the sea"] * 38)])
    (hits,) = engine.search(["kinase"], 10)
    # two documents have the word; the other eight ranks stay empty
    assert [(hit.document, hit.score > 0) for hit in hits] == [("d0", True), ("d1", False)]
    rankings = EngineRankings(engine)
    at_1, at_2 = metric("SERA-1", rankings=rankings), metric("SERA-2", rankings=rankings)
    with pytest.warns(Caution, match=f"^SERA-2: {ZEROS}"):
        at_2.score("kinase", ["kinase"])
    assert at_1.caution == "" and rankings.zeros == {"plain": 2}
    # the same from a run that was kept
    write_run(tmp_path / "r.trec", [("q", hits)], tag="x")
    assert read_first_zero(tmp_path / "r.trec") == 2
    write_run(tmp_path / "r.trec", [("q", hits[:1])], tag="x")
    assert read_first_zero(tmp_path / "r.trec") is None
    kept = RunRankings({"plain": {}}, {"documents": 40}, {"plain": 2})
    cautions = [metric(name, rankings=kept).caution for name in ("SERA-2", "SERA-1", "SERA-KW-2")]
    assert cautions == [at_2.caution, "", ""]  # the last has other queries


def test_each_undefined_score_has_its_reason():
    texts = [Candidate("t", "s", ("Deep cells.",)), Candidate("t", "e", ()), Candidate("u", "s", ("x",))]
    gold = [Reference(*each) for each in (("t", "A", ("Fish swim.",)), ("t", "B", ("Walls grow.",)))]
    gold.append(Reference("u", "A", ("x",)))
    articles = [Source("t", "a", "Title", (Section("", ("Cells die.",)),)), Source("u", "b")]
    novel = "MOULIN-ROUGE-Novel-Phrase-2"
    metrics = [metric(name) for name in ("ROUGE-1-F", "ROUGE-K", novel)]
    table = pd.DataFrame(score_columns(metrics, texts, gold, articles))
    notes = {(row.topic, row.system, row.metric): row.note for row in table.itertuples()}
    assert notes["t", "s", "ROUGE-1-F"] == notes["t", "s", novel] == ""
    assert (
        "no keyword" in notes["t", "s", "ROUGE-K"]
        and notes["t", "s", "ROUGE-K"] == notes["t", "e", "ROUGE-K"]
    )
    assert "no phrase" in notes["t", "e", novel] and "no sentence" in notes["u", "s", novel]
    assert (table["note"].str.startswith("undefined") == table["score"].isna()).all()
    lines = [line.partition(":")[0] for line in note_lines(table["metric"], table[NOTE])]
    assert lines == ["ROUGE-K (3 of 3)", f"{novel} (1 of 3)", f"{novel} (1 of 3)"]
    assert [line.partition(":")[0] for line in undefined_lines(table)] == [lines[0], f"{novel} (2 of 3)"]


def test_a_summary_without_a_letter_that_counts_is_noted():
    hindi, english = "पूर्व प्रधानमन्त्री", "a Minister"
    table = package.score(
        [hindi, english, "…"], [hindi, english, "x"], ["ROUGE-1-F", "ROUGE-1-F(language=de)", "Cov-1"],
        sources=[hindi, english, "x"],
    )  # fmt: skip
    assert table["score"].tolist() == [0, 1, 1, 1, 1, 1, 0, 0, 0]
    note, *others = table["note"]
    assert note.startswith("no word: ") and others == [""] * 8
    assert note_lines(table["metric"], table[NOTE]) == [f"ROUGE-1-F (1 of 3): {note}"]
    named = ["ROUGE-1-F", "ROUGE-1-F(tokenizer=unicode)"]
    table = package.score([english, english], [[hindi, hindi], [hindi, "x"]], named)
    assert table[NOTE].str.partition(" no ASCII")[0].tolist() == ["no word: the references have", "", "", ""]


@pytest.mark.parametrize(
    ("candidate", "references", "said"),
    [
        (
            "今天天气很好",
            ["今天天气很好"],
            "no word: the summary has no ASCII letter or digit, and no others",
        ),
        ("पूर्व प्रधानमन्त्री", "a Minister", "no word: the summary has no ASCII letter"),
        ("a Minister", ["पूर्व", "प्रधानमन्त्री"], "no word: the references have no ASCII letter"),
    ],
)
def test_a_score_of_a_text_without_a_letter_that_counts_warns(candidate, references, said):
    with pytest.warns(Caution, match=f"^ROUGE-1-F: {said}"):
        assert metric("ROUGE-1-F").score(candidate, references) == 0
    with pytest.warns(Caution, match=rf"^ROUGE-L-R \(2 scores\): {said}"):
        scores = metric("ROUGE-L-R").score_all([candidate, "x", candidate], [references, "x", references])
    assert scores == [0, 1, 0]


def test_a_score_of_0_warns_of_nothing_else(recwarn):
    one = metric("ROUGE-1-F")
    assert one.score_all(["…", "", "a", "b"], ["x", "今", ["今", "x"], ["y"]]) == [0, 0, 0, 0]
    assert metric("ROUGE-1-F", tokenizer="unicode").score("今天", ["天"]) == 0
    assert metric("ROUGE-1-F", language="de").score("今天", ["天"]) == 0
    assert [str(each.message)[:37] for each in recwarn] == ["ROUGE-1-F: no word: the references ha"]


def test_settings_and_cautions_of_signatures_are_told_by_family(tmp_path):
    metrics = [metric(f"ROUGE-{n}-F", stem=True, stop=True) for n in (1, 2)] + [metric("JS-1")]
    metrics += [metric(f"SERA-{n}", rankings=rankings_of(12, mu=100.0)) for n in (1, 5)]
    assert [settings_text(one) for one in metrics] == ["stem=true,stop=true"] * 2 + ["", "mu=100", "mu=100"]
    path = tmp_path / "signatures.tsv"
    write_signatures(path, metrics, label=canonical_name, others={"S3-best": "S3-best|features:6"})
    changed, small = signature_lines(path)
    assert changed.endswith(": ROUGE (stem=true,stop=true); SERA (mu=100)")
    assert small.startswith(f"SERA-5: {SMALL.format(12)}")
    assert signature_lines(path, ["JS-1", "ROUGE-1-F"]) == [changed.partition(";")[0]]


def test_notes_go_where_the_scores_go(tmp_path):
    """`sera score` writes and prints them, and `sera evaluate` shows them on the screen and in each table."""
    index(tmp_path / "index", ["kinase binds p53", "cells die", "fish swim"])
    texts = {"a": ("The kinase.",), "b": ("Fish.",), "c": ("Cells die.",)}
    gold = [Reference(topic, "A", ("Kinases bind.",)) for topic in ("t", "u")]
    summaries = [Candidate("t", name, text) for name, text in texts.items()]
    given = put_texts(tmp_path, candidates=summaries, references=gold)[1::2]
    given += ["--index", tmp_path / "index", "--out", tmp_path / "s.tsv"]
    _, missing, note = sera("score", "--metrics", "SERA-2,ROUGE-1-F(stem=true)", *given).splitlines()
    assert "topic 'u'" in missing and note.startswith(f"Note: SERA-2: {SMALL.format(3)}")
    table = read_scores(tmp_path / "s.tsv")
    noted = table["note"].str.startswith(SMALL.format(3))
    assert (noted == (table["metric"] == "SERA-2")).all() and set(table[~noted]["note"]) == {""}
    put_table(tmp_path / "h.tsv", JUDGEMENT_HEAD, *(f"t {name} H {n}" for n, name in enumerate(texts)))
    out = tmp_path / "tables"
    given = (tmp_path / "h.tsv", "--resamples", 5, "--all", "--out", out)
    assert f"\nSERA-2: {SMALL.format(3)}" in sera("evaluate", tmp_path / "s.tsv", *given)
    for name in ("system_level", "global_level"):
        assert f"SERA-2: {SMALL.format(3)}" in (out / f"{name}.md").read_text()
    assert sorted(read_tsv(out / "system_level.tsv")["metric"]) == ["ROUGE-1-F(stem=true)", "SERA-2"]
