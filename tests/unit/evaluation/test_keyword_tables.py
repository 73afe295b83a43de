"""The tables of ROUGE-K's paper: values worked out by hand, the paper's numbers, the command."""

import math
from functools import partial

import numpy as np
import pandas as pd
import pytest
from commands import put_texts, sera
from conftest import ROOT
from made_scores import SCORE_HEAD, put_table

from sera import metric
from sera.errors import InputError
from sera.evaluation.keyword_tables import (
    ALL_SYSTEMS,
    agreement,
    correlations,
    keyword_matches,
    keyword_recall,
    keyword_statistics,
    keyword_tables,
    list_keywords,
    papers_scores,
    spread,
    system_means,
)
from sera.evaluation.tables import read_tsv, readable_table4
from sera.io.records import Candidate, Reference, Section, Source
from sera.io.scores import SCORE_COLUMNS
from sera.metrics.scoring import score
from study.published.tables import add_published_table4, read_of_dataset

# Keywords of t1: "cell wall" (in the article), "mice" (not); of t2: "rats" (in it); of t3: none.
REFERENCES = [
    Reference("t1", "A", ("Cell wall of mice",)),
    Reference("t1", "B", ("Mice have a cell wall",)),
    Reference("t2", "A", ("Rats",)),
    Reference("t2", "B", ("Rats sleep",)),
    Reference("t3", "A", ("Dogs",)),
    Reference("t3", "B", ("Cats",)),
]
SOURCES = [
    Source("t1", "1", "Mice", (Section("Mice", ("The cell wall grows.",)),)),
    Source("t2", "2", "", (Section("", ("Rats and brats.",)),)),
    Source("t3", "3"),
]
CANDIDATES = [
    Candidate("t1", "good", ("The cell wall of mice", "is there")),
    Candidate("t2", "good", ("Rats",)),
    Candidate("t3", "good", ("Dogs",)),
    Candidate("t1", "bad", ("Walls, cells and mice",)),
    Candidate("t2", "bad", ("Nothing",)),
    Candidate("t3", "bad", ("Nothing",)),
]


def matches(*names):
    return keyword_matches([metric(name) for name in names or ["ROUGE-K"]], CANDIDATES, REFERENCES, SOURCES)


def table(rows):
    return pd.DataFrame(rows, columns=SCORE_COLUMNS)


def test_every_keyword_stands_beside_every_summary():
    found = matches().set_index(["system", "topic"]).sort_index()
    assert found.loc[("good", "t1"), "keyword"].tolist() == ["cell wall", "mice"]
    assert found.loc[("good", "t1"), "length"].tolist() == [2, 1]
    # the title is not a part of the article: "Mice" made a keyword, and stands nowhere in it
    assert found.loc[("good", "t1"), "in_source"].tolist() == [True, False]
    assert found.loc[("good", "t1"), "found"].tolist() == [True, True]
    assert found.loc[("bad", "t1"), "found"].tolist() == [False, True]
    assert pd.isna(found.loc[("bad", "t3"), "keyword"])
    assert len(found) == 8
    # what is found is what ROUGE-K counts
    for candidate in CANDIDATES:
        against = [each for each in REFERENCES if each.topic == candidate.topic]
        share = found.loc[[(candidate.system, candidate.topic)], "found"].mean()
        score = metric("ROUGE-K").score(candidate, against)
        assert math.isnan(score) if pd.isna(share) else share == score
    with pytest.raises(InputError, match="topic 't1' has no article"):
        keyword_matches([metric("ROUGE-K")], CANDIDATES, REFERENCES, SOURCES[1:])


def test_recall():
    rows = keyword_recall(matches(), "in_source").set_index(["system", "in_source"])
    # inside: cell wall in t1, rats in t2; outside: mice in t1; t3 has no keyword and is undefined twice
    expected = {("good", True): (1, 2, 1, 2), ("good", False): (1, 1, 2, 1), ("bad", True): (0, 2, 1, 2)}
    expected["bad", False] = (1, 1, 2, 1)
    for key, row in expected.items():
        assert tuple(rows.loc[key, ["recall", "summaries", "undefined", "keywords"]]) == row
    rows = keyword_recall(matches(), "length").set_index(["system", "length"])
    # one word: mice in t1, rats in t2; two: cell wall
    assert tuple(rows.loc[("bad", 1), ["recall", "summaries", "undefined", "keywords"]]) == (0.5, 2, 1, 2)
    assert tuple(rows.loc[("bad", 2), ["recall", "summaries", "undefined", "keywords"]]) == (0.0, 1, 2, 1)
    assert tuple(rows.loc[("good", 2), ["recall", "summaries"]]) == (1.0, 1)


def test_the_spread_is_over_systems_means_and_leaves_out_what_is_undefined():
    scores = table(
        [("t1", "s", "K", 0.5), ("t2", "s", "K", np.nan), ("t3", "s", "K", 1.0), ("t1", "s", "L", 1.0)]
    )
    assert system_means(scores, ["K"]).to_numpy().tolist() == [["s", "K", 0.75, 2, 1]]
    scores = [("t1", "a", "K", 1.0), ("t2", "a", "K", np.nan), ("t1", "b", "K", 2.0), ("t2", "b", "K", 4.0)]
    scores += [("t1", "c", "K", np.nan), ("t2", "c", "K", np.nan)]
    # means 1 and 3: spread 1
    assert spread(table(scores)).to_numpy().tolist() == [["K", 2.0, 1.0, 2, 1]]


def test_correlations_over_the_summaries_of_a_system_and_of_all():
    scores = {
        "s": ([1, 2, 3, 4], [2, 4, 6, np.nan]),  # r = 1 over three
        "t": ([1, 2, 3, 4], [4, 3, 2, 1]),  # r = -1
        "u": ([1, 1, 1, 1], [1, 2, 3, 4]),  # constant
    }
    rows = [
        (f"t{topic}", system, name, value)
        for system, both in scores.items()
        for name, values in zip("xy", both, strict=True)
        for topic, value in enumerate(values)
    ]
    found = correlations(table(rows), ["x"], ["y"]).set_index("system")
    assert found.loc["s", ["pearson", "summaries", "undefined"]].tolist() == [pytest.approx(1), 3, 1]
    assert found.loc["t", "pearson"] == pytest.approx(-1)
    assert math.isnan(found.loc["u", "pearson"])
    x, y = [1, 2, 3, 1, 2, 3, 4, 1, 1, 1, 1], [2, 4, 6, 4, 3, 2, 1, 1, 2, 3, 4]
    assert found.loc[ALL_SYSTEMS, "pearson"] == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert found.loc[ALL_SYSTEMS, ["summaries", "undefined"]].tolist() == [11, 1]
    assert found["why_undefined"].to_dict() == {
        **dict.fromkeys([ALL_SYSTEMS, "s", "t"], ""),
        "u": "all summaries have the same score by x",
    }


# Table 8 of the paper: means of eight systems, and their spread as printed, of the first four and of all. The
# other columns agree too.
PUBLISHED = {
    "SciTLDR R-1": ([43.93, 43.65, 43.82, 30.43, 43.98, 43.96, 44.08, 43.55], 5.79, 4.44),
    "SciTLDR R-2": ([22.31, 22.09, 22.24, 11.36, 22.39, 22.36, 22.48, 21.74], 4.70, 3.60),
    "SciTLDR R-K": ([41.36, 41.00, 42.83, 25.06, 41.03, 41.60, 41.85, 43.04], 7.25, 5.59),
    "XSum R-1": ([44.43, 43.86, 44.50, 22.16, 44.42, 44.57, 44.50, 44.13], 9.57, 7.34),
    "XSum R-K": ([56.14, 52.85, 56.06, 24.67, 55.58, 56.03, 56.06, 55.39], 13.12, 10.23),
    "ScisummNet R-1": ([50.75, 24.37, 50.75, 60.58, 50.75, 50.38, 50.64, 50.50], 13.45, 9.72),
    "ScisummNet R-K": ([68.95, 43.36, 68.81, 68.85, 69.40, 69.19, 69.56, 69.43], 11.05, 8.54),
}


@pytest.mark.parametrize("column", PUBLISHED)
def test_the_spread_is_the_papers(column, fidelity):
    means, of_four, of_all = PUBLISHED[column]
    for count, printed in ((4, of_four), (8, of_all)):
        rows = [("t", str(system), column, mean) for system, mean in enumerate(means[:count])]
        (found,) = spread(table(rows))["spread"]
        if (column, count) == ("XSum R-K", 4):  # the one that the paper's own means do not give
            assert (f"{found:.2f}", printed) == ("13.21", 13.12)
        else:
            assert found == pytest.approx(printed, abs=0.0051)
        but = "the paper's own means give 13.21 where it prints 13.12"
        subject = "spread of systems' means"
        on = "its means"
        original = "the paper on ROUGE-K, Table 8"
        fidelity(subject, on, 1, original, "as far as printed", equal=abs(found - printed) <= 0.0051, but=but)


def test_tables_5_and_8_have_means_over_seeds():
    scores = table(
        [
            *[("t1", "bart_1", "K", 0.25), ("t2", "bart_1", "K", 0.75), ("t1", "bart_2", "K", 1.0)],
            *[("t2", "bart_2", "K", np.nan), ("t1", "lead", "K", 0.25), ("t2", "lead", "K", 0.25)],
        ]
    )
    seeds = {"bart_1": "bart", "bart_2": "bart"}
    # .5 and 1: mean .75, squares of .25 twice, of one degree of freedom
    bart, lead = system_means(scores, ["K"], seeds).to_dict("records")
    means = {"metric": "K", "mean": 0.75, "deviation": pytest.approx(math.sqrt(0.125)), "seeds": 2}
    assert bart == {**means, "system": "bart", "summaries": 3, "undefined": 1}
    assert (lead["system"], lead["mean"], lead["seeds"]) == ("lead", 0.25, 1) and math.isnan(
        lead["deviation"]
    )
    # the systems' means .75 and .25
    assert spread(scores, seeds).to_numpy().tolist() == [["K", 0.5, 0.25, 2, 0]]


TEXTS = [
    Reference("t1", "A", ("Deep nets make images.",)),  # 4 words
    Reference("t1", "B", ("Images by deep nets",)),  # 4 words
    Reference("t2", "A", ("Mice run",)),  # 2 words
]
ARTICLES = [
    Source("t1", "1", "The images of cells", (Section("", ("Deep nets make images of cells.", "Good.")),)),
    Source("t2", "2", "Fast mice", (Section("", ("Mice run.",)),)),
]


def test_table_4_counts_texts_keywords_and_words():
    ours, authors = keyword_statistics(metric("ROUGE-K"), TEXTS, ARTICLES, "test").to_dict("records")
    # t1: "deep nets", "images" (two words and one), by its two references; t2: "mice", with the title
    assert ours == {
        **{"split": "test", "second": "title", "documents": 2, "undefined": 0},
        **{"document_words": (7 + 2) / 2, "summary_words": 10 / 3, "compression": 4.5 / (10 / 3)},
        **{"texts": (2 + 2) / 2, "keywords": 3 / 2, "keyword_words": 4 / 3},
    }
    # the title joins the two references of t1, and its "images" is there already
    assert authors == {**ours, "second": "title-always", "texts": (3 + 2) / 2}
    with pytest.raises(InputError, match="topic 't2' has no reference"):
        keyword_statistics(metric("ROUGE-K"), TEXTS[:2], ARTICLES)


def test_the_papers_numbers_stand_beside_those_by_the_title():
    published = read_of_dataset(ROOT / "resources/published/rougek_table4.tsv", "scitldr")
    ours = keyword_statistics(metric("ROUGE-K"), TEXTS, ARTICLES, "test")
    made_table = add_published_table4(published, ours)
    assert made_table["split"].tolist() == ["test", "test", "train", "dev"]
    assert made_table["keywords_paper"].fillna(0).tolist() == [0, 5.2, 1.9, 4.2]
    assert made_table["documents_paper"].fillna(0).tolist() == [0, 618, 1992, 619]
    readable = readable_table4(made_table)
    assert readable["keywords"].tolist() == ["1.5", "1.5 (5.2)", "– (1.9)", "– (4.2)"]
    assert readable["documents"].tolist() == ["2", "2 (618)", "– (1992)", "– (619)"]
    assert add_published_table4(published[:0], ours).equals(ours)


def test_the_papers_rouge():
    candidates = [Candidate("t1", "s", ("The deep net makes an image",))]
    scores = papers_scores(candidates, TEXTS[:2], ARTICLES).set_index("metric")["score"]
    # deep net make imag of the candidate's 6 words; 4 of A's 4 and 3 of B's 4: 7 of 8, and 7 of 12
    assert scores["R-1"] == pytest.approx(2 * (7 / 8) * (7 / 12) / (7 / 8 + 7 / 12), abs=1e-5)
    # deep net, net make of A's 3; deep net of B's 3: 3 of 6, and 3 of 10
    assert scores["R-2"] == pytest.approx(2 * 0.5 * 0.3 / 0.8, abs=1e-5)
    # A alone: 4 of 4 and 4 of 6, so .8; B alone: 3 of 4 and 3 of 6, so .6
    assert scores["R-1 (avg)"] == pytest.approx(0.7, abs=1e-5)
    assert scores["R-1 (max)"] == pytest.approx(0.8, abs=1e-5)
    sources = [Source("t1", "1", "Cells of art", (Section("", ("Cells.",)),))]
    # deep nets of both; cells of B and the title; art of A and the title, within "party" only
    (row,) = papers_scores([Candidate("t1", "s", ("A party of cells.",))], ART, sources).query(
        "metric == 'R-K'"
    )["score"]
    assert row == pytest.approx(2 / 3, abs=1e-5)
    found = metric("ROUGE-K").score("A party of cells.", ART, sources[0])
    assert found == 0  # deep nets alone


ART = [Reference("t1", "A", ("Deep nets make art",)), Reference("t1", "B", ("Deep nets see cells",))]


def test_every_table_is_there_and_the_systems_are_those_asked_for():
    candidates = [
        Candidate(topic, system, (text,))
        for system, text in (("good", "Deep nets make images"), ("bad", "Mice"), ("human_A", "Deep images"))
        for topic in ("t1", "t2")
        if not (system == "human_A" and topic == "t2")
    ]
    metrics = [metric("ROUGE-K")]
    listed = [list(row) for row in list_keywords(metrics, TEXTS, ARTICLES).to_numpy()[:, 1:]]
    assert listed == [["ROUGE-K", "deep nets"], ["ROUGE-K", "images"], ["ROUGE-K", "mice"]]
    scores = score(metrics, candidates, TEXTS, ARTICLES)
    tables = keyword_tables(metrics, scores, candidates, TEXTS, ARTICLES, systems=["good", "bad"])
    assert list(tables) == ["table5", "table6", "table7", "table8", "table8_pairs", "table9", "figure2"]
    means = tables["table5"].set_index(["system", "metric"])["mean"]
    assert means["good", "ROUGE-K"] == 0.5 and means["bad", "ROUGE-K"] == 0.5  # all of t1; all of t2
    assert means["human_A", "ROUGE-K"] == 1  # B and the title share "images" alone
    pairs = tables["table8_pairs"].set_index("metric")
    assert list(pairs.index) == ["R-1", "R-2", "R-L", "R-K", "ROUGE-K"] and set(pairs["topics"]) == {2}
    # good has all keywords of t1 and none of t2, bad the contrary
    assert pairs.loc["ROUGE-K", ["system", "other", "difference", "p", "better"]].tolist() == [
        *("bad", "good", 0, 1, "")
    ]
    place = tables["table9"].set_index(["metric", "system", "in_source"])["recall"]
    assert place["ROUGE-K", "good", True] == 0.5 and place["ROUGE-K", "bad", True] == 0.5


def test_table_9_and_figure_2_by_the_papers_text_and_by_its_code():
    sources = [Source("t1", "1", "Cells and art", (Section("", ("A party of cells.",)),))]
    candidates = [Candidate("t1", "s", ("Cells party",))]
    metrics = [metric("ROUGE-K")]
    scores = score(metrics, candidates, ART, sources)
    tables = keyword_tables(metrics, scores, candidates, ART, sources)
    place = tables["table9"].set_index(["metric", "in_source"])[["recall", "summaries", "keywords"]]
    # by the code: cells and art, with the title, are in both texts (art in party); deep nets is in neither
    assert place.loc[("R-K", True)].tolist() == [1, 1, 2] and place.loc[("R-K", False)].tolist() == [0, 1, 1]
    # by the text: deep nets alone
    assert math.isnan(place.loc[("ROUGE-K", True), "recall"])
    assert place.loc[("ROUGE-K", False)].tolist() == [0, 1, 1]
    by_length = tables["figure2"].set_index(["metric", "length"])["recall"]
    assert by_length.to_dict() == {("R-K", 1): 1, ("R-K", 2): 0, ("ROUGE-K", 2): 0}


# Preferences, as in Table 3


def made_table(*rows):
    return pd.DataFrame([row.split() for row in rows], columns=SCORE_COLUMNS).astype({"score": float})


SCORES = made_table(
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


# The command


@pytest.fixture
def said(tmp_path, monkeypatch):
    """Run the command in a folder with texts, preferences and scores: a function of further options."""
    monkeypatch.chdir(tmp_path)
    mine = Candidate("t", "mine", ("Deep neural networks make images.", "A party began."))
    section = Section("", ("Networks make images of cells.",))
    _, candidates, _, references, *sources = put_texts(
        tmp_path,
        candidates=[mine, Candidate("t", "theirs", ("Networks make a party.",))],
        references=[Reference("t", "A", ("Deep neural networks make art.",))],
        sources=[Source("t", "a", "Images and art by deep neural networks", (section,))],
    )
    chosen = ["t mine theirs", "t theirs mine", "t mine theirs"]
    put_table(tmp_path / "preferences.tsv", "topic better worse", *chosen)
    put_table(tmp_path / "scores.tsv", SCORE_HEAD, "t mine Theirs 1", "t theirs Theirs 2")
    return partial(sera, "research", "keywords", candidates, references, *sources, "--out", "tables")


def test_all_tables_are_written(said, tmp_path):
    output = said("--preferences", "preferences.tsv", "--scores", "scores.tsv")
    assert output.endswith("10 tables of 2 systems in tables\n")
    names = [*(f"table{number}" for number in range(3, 10)), "table8_pairs", "figure2", "keywords"]
    assert {path.name for path in (tmp_path / "tables").iterdir()} == {
        f"rougek_{name}.{ending}" for name in names for ending in ("tsv", "md", "tex")
    } | {f"rougek_figure2.{ending}" for ending in ("svg", "png", "pdf")}
    agreement = read_tsv(tmp_path / "tables/rougek_table3.tsv").set_index("metric")
    assert agreement["agreement"]["ROUGE-K"] == pytest.approx(2 / 3, abs=1e-6)
    assert agreement["agreement"]["Theirs"] == pytest.approx(1 / 3, abs=1e-6)
    assert agreement["equal"]["ROUGE-K-TFIDF"] == 3
    # "deep neural networks" and "art", of the reference and the title; one of them is in the summary
    (row, _) = read_tsv(tmp_path / "tables/rougek_table4.tsv").to_dict("records")
    assert (row["split"], row["texts"], row["keywords"], row["keyword_words"]) == ("all", 2, 2, 2)
    means = read_tsv(tmp_path / "tables/rougek_table5.tsv").set_index(["system", "metric"])["mean"]
    assert means["mine", "ROUGE-K"] == 0.5 and means["theirs", "ROUGE-K"] == 0
    # 4 of the reference's 5 words, and of the summary's 8
    assert means["mine", "R-1"] == pytest.approx(2 * 0.8 * 0.5 / 1.3, abs=1e-5)


def test_settings_and_input_of_ones_own(said, tmp_path):
    assert "--set names ROUGE, but this command sets only ROUGE-K" in said("--set", "ROUGE.stem=true", code=2)
    path = put_table(tmp_path / "preferences.tsv", "topic better worse", "t mine nobody")
    assert "there is no score of 'nobody' for topic 't'" in said("--preferences", path, code=2)
    assert not (tmp_path / "tables").exists()
    said("--set", "ROUGE-K.longest=1")
    (row, _) = read_tsv(tmp_path / "tables/rougek_table4.tsv").to_dict("records")
    assert (row["keywords"], row["keyword_words"]) == (4, 1)  # deep, neural, networks, art
