"""The tables of ROUGE-K's paper by its numbers, on texts of a few words, worked out by hand."""

from __future__ import annotations

import math

import pandas as pd
import pytest
from conftest import ROOT

from sera import metric
from sera.errors import InputError
from sera.evaluation.papers.keyword_tables import (
    agreement,
    keyword_errors,
    keyword_statistics,
    keyword_tables,
    keywords_to_mark,
    papers_scores,
    read_marks,
    read_preferences,
)
from sera.evaluation.tables import readable_table4
from sera.io.records import Candidate, Reference, Section, Source
from sera.io.scores import SCORE_COLUMNS
from sera.metrics.scoring import score
from study.published.tables import beside_table4, read_published_table4

REFERENCES = [
    Reference("t1", "A", ("Deep nets make images.",)),  # 4 words
    Reference("t1", "B", ("Images by deep nets",)),  # 4 words
    Reference("t2", "A", ("Mice run",)),  # 2 words
]
SOURCES = [
    Source("t1", "1", "The images of cells", (Section("", ("Deep nets make images of cells.", "Good.")),)),
    Source("t2", "2", "Fast mice", (Section("", ("Mice run.",)),)),
]


def test_table_4_counts_texts_keywords_and_words():
    ours, authors = keyword_statistics(metric("ROUGE-K"), REFERENCES, SOURCES, "test").to_dict("records")
    # t1: "deep nets", "images" (two words and one), by its two references; t2: "mice", with the title
    assert ours == {
        **{"split": "test", "second": "title", "documents": 2, "undefined": 0},
        **{"document_words": (7 + 2) / 2, "summary_words": 10 / 3, "compression": 4.5 / (10 / 3)},
        **{"texts": (2 + 2) / 2, "keywords": 3 / 2, "keyword_words": 4 / 3},
    }
    # the title joins the two references of t1, and its "images" is there already
    assert authors == {**ours, "second": "title-always", "texts": (3 + 2) / 2}


def test_table_4_of_topics_without_keywords():
    sources = [Source("t2", "2", "", (Section("", ("Cats.",)),))]
    row = keyword_statistics(metric("ROUGE-K", second="title-always"), REFERENCES[2:], sources)
    assert len(row) == 1 and row["texts"][0] == 1 and row["keywords"][0] == 0 and row["undefined"][0] == 1
    assert math.isnan(row["keyword_words"][0])
    with pytest.raises(InputError, match="topic 't2' has no reference"):
        keyword_statistics(metric("ROUGE-K"), REFERENCES[:2], sources)


def test_the_papers_numbers_stand_beside_those_by_the_title():
    published = read_published_table4(ROOT / "resources/published/rougek_table4.tsv", "scitldr")
    ours = keyword_statistics(metric("ROUGE-K"), REFERENCES, SOURCES, "test")
    table = beside_table4(published, ours)
    assert table["split"].tolist() == ["test", "test", "train", "dev"]
    assert table["keywords_paper"].fillna(0).tolist() == [0, 5.2, 1.9, 4.2]
    assert table["documents_paper"].fillna(0).tolist() == [0, 618, 1992, 619]
    readable = readable_table4(table)
    assert readable["keywords"].tolist() == ["1.5", "1.5 (5.2)", "– (1.9)", "– (4.2)"]
    assert readable["documents"].tolist() == ["2", "2 (618)", "– (1992)", "– (619)"]
    assert beside_table4(published[:0], ours).equals(ours)


@pytest.mark.parametrize("name", ["scitldr", "xsum", "scisummnet"])
def test_the_printed_compression_is_what_the_columns_names_say(name):
    published = read_published_table4(ROOT / "resources/published/rougek_table4.tsv", name)
    assert len(published) == 3
    for row in published.to_dict("records"):
        assert row["compression"] == pytest.approx(row["document_words"] / row["summary_words"], abs=0.005)


def test_the_papers_rouge_stems_keeps_stop_words_and_pools_the_references():
    candidates = [Candidate("t1", "s", ("The deep net makes an image",))]
    scores = papers_scores(candidates, REFERENCES[:2], SOURCES).set_index("metric")["score"]
    # deep net make imag of the candidate's 6 words; 4 of A's 4 and 3 of B's 4: 7 of 8, and 7 of 12
    assert scores["R-1"] == pytest.approx(2 * (7 / 8) * (7 / 12) / (7 / 8 + 7 / 12), abs=1e-5)
    # deep net, net make of A's 3; deep net of B's 3: 3 of 6, and 3 of 10
    assert scores["R-2"] == pytest.approx(2 * 0.5 * 0.3 / 0.8, abs=1e-5)
    # A alone: 4 of 4 and 4 of 6, so .8; B alone: 3 of 4 and 3 of 6, so .6
    assert scores["R-1 (avg)"] == pytest.approx(0.7, abs=1e-5)
    assert scores["R-1 (max)"] == pytest.approx(0.8, abs=1e-5)


def test_the_papers_rouge_k_takes_the_title_always_and_searches_strings():
    sources = [Source("t1", "1", "Cells of art", (Section("", ("Cells.",)),))]
    references = [
        Reference("t1", "A", ("Deep nets make art",)),
        Reference("t1", "B", ("Deep nets see cells",)),
    ]
    # deep nets of both; cells of B and the title; art of A and the title, within "party" only
    (row,) = papers_scores([Candidate("t1", "s", ("A party of cells.",))], references, sources).query(
        "metric == 'R-K'"
    )["score"]
    assert row == pytest.approx(2 / 3, abs=1e-5)
    found = metric("ROUGE-K").score("A party of cells.", references, sources[0])
    assert found == 0  # deep nets alone


def test_every_table_is_there_and_the_systems_are_those_asked_for():
    candidates = [
        Candidate(topic, system, (text,))
        for system, text in (("good", "Deep nets make images"), ("bad", "Mice"), ("human_A", "Deep images"))
        for topic in ("t1", "t2")
        if not (system == "human_A" and topic == "t2")
    ]
    metrics = [metric("ROUGE-K")]
    scores = score(metrics, candidates, REFERENCES, SOURCES)
    tables = keyword_tables(metrics, scores, candidates, REFERENCES, SOURCES, systems=["good", "bad"])
    assert list(tables) == ["table5", "table6", "table7", "table8", "table8_pairs", "table9", "figure2"]
    means = tables["table5"].set_index(["system", "metric"])["mean"]
    assert means["good", "ROUGE-K"] == 0.5 and means["bad", "ROUGE-K"] == 0.5  # all of t1; all of t2
    assert means["human_A", "ROUGE-K"] == 1  # B and the title share "images" alone
    # 4 words on both topics, and 1 on both
    assert means["good", "words"] == 4 and means["bad", "words"] == 1 and means["human_A", "words"] == 2
    assert set(tables["table6"]["system"]) == {"all systems", "good", "bad"}
    against = tables["table7"].groupby("metric", sort=False)["against"].unique()
    others = ["R-1 (avg)", "R-1 (max)", "R-1", "R-2", "R-L"]
    assert {name: list(of) for name, of in against.items()} == {"ROUGE-K": [*others, "R-K"], "R-K": others}
    assert set(tables["table8"]["metric"]) == {"R-1", "R-2", "R-L", "R-K", "ROUGE-K"}
    pairs = tables["table8_pairs"].set_index("metric")
    assert list(pairs.index) == ["R-1", "R-2", "R-L", "R-K", "ROUGE-K"] and set(pairs["topics"]) == {2}
    # good has all keywords of t1 and none of t2, bad the contrary
    assert pairs.loc["ROUGE-K", ["system", "other", "difference", "p", "better"]].tolist() == [
        *("bad", "good", 0, 1, ""),
    ]
    place = tables["table9"].set_index(["metric", "system", "in_source"])["recall"]
    assert place["ROUGE-K", "good", True] == 0.5 and place["ROUGE-K", "bad", True] == 0.5


def test_table_9_and_figure_2_by_the_papers_text_and_by_its_code():
    references = [
        Reference("t1", "A", ("Deep nets make art",)),
        Reference("t1", "B", ("Deep nets see cells",)),
    ]
    sources = [Source("t1", "1", "Cells and art", (Section("", ("A party of cells.",)),))]
    candidates = [Candidate("t1", "s", ("Cells party",))]
    metrics = [metric("ROUGE-K")]
    scores = score(metrics, candidates, references, sources)
    tables = keyword_tables(metrics, scores, candidates, references, sources)
    place = tables["table9"].set_index(["metric", "in_source"])[["recall", "summaries", "keywords"]]
    # by the code: cells and art, with the title, are in both texts (art in party); deep nets is in neither
    assert place.loc[("R-K", True)].tolist() == [1, 1, 2] and place.loc[("R-K", False)].tolist() == [0, 1, 1]
    # by the text: deep nets alone
    assert math.isnan(place.loc[("ROUGE-K", True), "recall"])
    assert place.loc[("ROUGE-K", False)].tolist() == [0, 1, 1]
    by_length = tables["figure2"].set_index(["metric", "length"])["recall"]
    assert by_length.to_dict() == {("R-K", 1): 1, ("R-K", 2): 0, ("ROUGE-K", 2): 0}


# Preferences, as in Table 3
# --------------------------


def table(*rows):
    return pd.DataFrame([row.split() for row in rows], columns=SCORE_COLUMNS).astype({"score": float})


SCORES = table(
    *("t1 a M 2", "t1 b M 1", "t2 a M 1", "t2 b M 1", "t3 a M 0", "t3 b M 5", "t4 a M nan", "t4 b M 1"),
    *("t1 a D 2", "t1 b D 1", "t2 a D 1", "t2 b D 1", "t3 a D 0", "t3 b D 5", "t4 a D 0", "t4 b D 1"),
)
PREFERENCES = pd.DataFrame(
    [("t1", "a", "b"), ("t1", "b", "a"), ("t2", "a", "b"), ("t3", "b", "a"), ("t4", "a", "b")],
    columns=["topic", "better", "worse"],
)


def test_agreement_is_the_share_of_preferences_with_the_higher_score():
    by_m, by_d = agreement(SCORES, PREFERENCES, falling=["D"], by="M").to_dict("records")
    # M: of t1's two people one; the tie of t2 is none; t3; t4 is undefined
    assert by_m == {
        **{"metric": "M", "agreement": 2 / 4, "preferences": 4, "equal": 1, "undefined": 1},
        "keywords_alone": 0,
    }
    # D falls: the other person of t1; t4. M alone agrees with the first person of t1, and with that of t3
    assert by_d == {
        **{"metric": "D", "agreement": 2 / 5, "preferences": 5, "equal": 1, "undefined": 0},
        "keywords_alone": 2 / 4,
    }


def test_a_preference_of_an_unscored_summary_is_refused():
    other = pd.DataFrame([("t1", "a", "c")], columns=["topic", "better", "worse"])
    with pytest.raises(InputError, match="there is no score of 'c' for topic 't1'"):
        agreement(SCORES, other)


def test_preferences_are_read_with_their_faults(tmp_path):
    path = tmp_path / "preferences.tsv"
    path.write_text("topic\tannotator\tbetter\tworse\nt1\tx\ta\tb\n", encoding="utf-8")
    assert read_preferences(path).values.tolist() == [["t1", "a", "b"]]
    path.write_text("topic\tbetter\tworse\nt1\ta\tb\nt1\tb\tb\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"preferences\.tsv, line 3: 'b' is preferred to itself"):
        read_preferences(path)
    path.write_text("topic\tbetter\tworse\n", encoding="utf-8")
    with pytest.raises(InputError, match="holds no preference"):
        read_preferences(path)
    path.write_text("topic\tbetter\n", encoding="utf-8")
    with pytest.raises(InputError, match="worse"):
        read_preferences(path)


@pytest.mark.parametrize(
    ("printed", "pairs", "said"),
    [
        ((61.11, 58.89, 60.00, 57.78, 72.22), 90, 92),  # SciTLDR
        ((63.73, 59.80, 56.86, 62.75, 70.59), 102, 100),  # XSum
    ],
)
def test_the_papers_table_3_is_over_other_numbers_of_pairs_than_it_says(printed, pairs, said):
    def possible(number):
        shares = {round(100 * count / number, 2) for count in range(number + 1)}
        return set(printed) <= shares

    assert possible(pairs) and not possible(said)
    assert [number for number in range(85, 110) if possible(number)] == [pairs]


# Keywords that people marked, as in section 3
# --------------------------------------------


def test_wrong_keywords_are_counted_by_topic_and_by_keyword(tmp_path):
    metrics = [metric("ROUGE-K"), metric("ROUGE-K-TFIDF", count=1)]
    listed = keywords_to_mark(metrics, REFERENCES, SOURCES)
    assert listed[listed["metric"] == "ROUGE-K"].to_numpy().tolist() == [
        *(["t1", "ROUGE-K", "deep nets"], ["t1", "ROUGE-K", "images"], ["t2", "ROUGE-K", "mice"]),
    ]
    path = tmp_path / "marks.tsv"
    lines = ["\t".join(row) for row in listed.to_numpy()]
    assert [line.rpartition("\t")[0] for line in lines] == [
        *("t1\tROUGE-K", "t1\tROUGE-K", "t1\tROUGE-K-TFIDF", "t2\tROUGE-K", "t2\tROUGE-K-TFIDF"),
    ]
    marks = ["1", "0", "1", "0", "0"]
    rows = [f"{line}\t{mark}" for line, mark in zip(lines, marks, strict=True)]
    path.write_text("\n".join(["topic\tmetric\tkeyword\twrong", *rows]) + "\n")
    found = keyword_errors(read_marks(path)).set_index("metric")
    # deep nets is wrong, of three keywords of ROUGE-K on two topics; one of the other's two
    assert found["keywords"].tolist() == [3, 2] and found["topics"].tolist() == [2, 2]
    assert found["wrong_keywords"].tolist() == [0.5, 0.5]
    assert found["false_discovery_rate"].tolist() == [1 / 3, 0.5]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "holds no mark"),
        (["t\tM\tart\tyes"], "line 2: wrong is 'yes'. Write 1 for a wrong keyword"),
        (["t\tM\tart\t1", "t\tM\tart\t0"], "line 3: M has the keyword 'art' of topic 't' twice"),
    ],
)
def test_marks_that_are_none_are_refused(tmp_path, rows, said):
    path = tmp_path / "marks.tsv"
    path.write_text("\n".join(["topic\tmetric\tkeyword\twrong", *rows]) + "\n")
    with pytest.raises(InputError, match=said):
        read_marks(path)


def test_the_printed_error_rates_are_of_unlike_numbers_of_keywords():
    # "the same amount" of keywords for each: wrong a summary by the rate is the number of keywords a summary
    printed = {"ROUGE-K": (0.64, 0.13), "TF-IDF": (0.85, 0.16), "TextRank": (0.94, 0.21)}
    ranges = {
        name: ((wrong - 0.005) / (rate + 0.005), (wrong + 0.005) / (rate - 0.005))
        for name, (wrong, rate) in printed.items()
    }
    assert {name: (round(low, 2), round(high, 2)) for name, (low, high) in ranges.items()} == {
        **{"ROUGE-K": (4.7, 5.16), "TF-IDF": (5.12, 5.52), "TextRank": (4.35, 4.61)},
    }
