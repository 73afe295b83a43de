"""The analyses of ROUGE-K's paper, on summaries of a few words and on the paper's own numbers."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from sera import metric
from sera.errors import InputError
from sera.evaluation.papers.keyword_tables import (
    ALL_SYSTEMS,
    LENGTH,
    by_single_reference,
    correlations,
    keyword_matches,
    lengths,
    recall_by,
    spread,
    system_means,
)
from sera.io.records import Candidate, Reference, Section, Source
from sera.io.scores import SCORE_COLUMNS

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


def test_lengths_are_words_between_blanks():
    assert lengths(CANDIDATES)["score"].tolist() == [7, 1, 1, 4, 1, 1]
    assert set(lengths(CANDIDATES)["metric"]) == {LENGTH}


def test_every_keyword_stands_beside_every_summary():
    found = matches().set_index(["system", "topic"]).sort_index()
    assert found.loc[("good", "t1"), "keyword"].tolist() == ["cell wall", "mice"]
    assert found.loc[("good", "t1"), "length"].tolist() == [2, 1]
    # the title is no part of the article: "Mice" made a keyword, and stands nowhere in it
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


def test_a_topic_without_an_article_is_told():
    with pytest.raises(InputError, match="topic 't1' has no article"):
        keyword_matches([metric("ROUGE-K")], CANDIDATES, REFERENCES, SOURCES[1:])


def test_recall_inside_and_outside_the_source():
    rows = recall_by(matches(), "in_source").set_index(["system", "in_source"])
    # inside: cell wall in t1, rats in t2; outside: mice in t1; t3 has no keyword and is undefined twice
    expected = {("good", True): (1, 2, 1, 2), ("good", False): (1, 1, 2, 1), ("bad", True): (0, 2, 1, 2)}
    expected["bad", False] = (1, 1, 2, 1)
    for key, row in expected.items():
        assert tuple(rows.loc[key, ["recall", "summaries", "undefined", "keywords"]]) == row


def test_recall_by_the_length_of_keywords():
    rows = recall_by(matches(), "length").set_index(["system", "length"])
    # one word: mice in t1, rats in t2; two: cell wall
    assert tuple(rows.loc[("bad", 1), ["recall", "summaries", "undefined", "keywords"]]) == (0.5, 2, 1, 2)
    assert tuple(rows.loc[("bad", 2), ["recall", "summaries", "undefined", "keywords"]]) == (0.0, 1, 2, 1)
    assert tuple(rows.loc[("good", 2), ["recall", "summaries"]]) == (1.0, 1)


def test_recall_is_a_mean_over_topics_not_keywords():
    rows = [("ROUGE-K", "a", "s", "x", 1, True, True)] + [
        ("ROUGE-K", "b", "s", k, 1, True, False) for k in "yzw"
    ]
    frame = pd.DataFrame(rows, columns=matches().columns).astype(matches().dtypes)
    assert recall_by(frame, "in_source")["recall"].tolist()[0] == 0.5


def test_where_there_is_no_keyword_at_all_nothing_is_defined():
    none = keyword_matches([metric("ROUGE-K")], [CANDIDATES[2], CANDIDATES[5]], REFERENCES, SOURCES)
    inside = recall_by(none, "in_source")
    assert inside["recall"].isna().all() and inside["undefined"].tolist() == [1, 1, 1, 1]
    by_length = recall_by(none, "length")
    assert by_length["length"].isna().all() and by_length["system"].tolist() == ["good", "bad"]


def test_scores_against_each_reference_alone():
    rows = by_single_reference(metric("ROUGE-1-R", stem=False, stop=False), CANDIDATES[:1], REFERENCES)
    # the first has 4 words, all there; the second 5: mice, cell and wall
    assert dict(zip(rows["metric"], rows["score"], strict=True)) == {
        "ROUGE-1-R (avg)": pytest.approx(0.8),
        "ROUGE-1-R (max)": 1.0,
    }


def test_means_leave_out_and_count_what_is_undefined():
    scores = table(
        [("t1", "s", "K", 0.5), ("t2", "s", "K", np.nan), ("t3", "s", "K", 1.0), ("t1", "s", "L", 1.0)]
    )
    assert system_means(scores, ["K"]).to_numpy().tolist() == [["s", "K", 0.75, 2, 1]]


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
    # a metric that was not computed is undefined everywhere
    absent = correlations(table(rows), ["z"], ["y"])
    assert absent["pearson"].isna().all()
    assert set(absent["why_undefined"]) == {"fewer than three summaries have a score by z and by y"}


def test_two_summaries_have_no_correlation():
    rows = [("t1", "s", "x", 1.0), ("t2", "s", "x", 2.0), ("t1", "s", "y", 5.0), ("t2", "s", "y", 9.0)]
    found = correlations(table(rows), ["x"], ["y"])
    assert found["pearson"].isna().all() and found["summaries"].tolist() == [2, 2]
    assert set(found["why_undefined"]) == {"fewer than three summaries have a score by x and by y"}


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
        fidelity(
            "spread of systems' means",
            original="the paper on ROUGE-K, Table 8",
            on="its means",
            values=1,
            equal=abs(found - printed) <= 0.0051,
            agreement="as far as printed",
            but="the paper's own means give 13.21 where it prints 13.12",
        )


def test_the_spread_is_over_systems_means_and_leaves_out_what_is_undefined():
    scores = [("t1", "a", "K", 1.0), ("t2", "a", "K", np.nan), ("t1", "b", "K", 2.0), ("t2", "b", "K", 4.0)]
    scores += [("t1", "c", "K", np.nan), ("t2", "c", "K", np.nan)]
    # means 1 and 3: spread 1
    assert spread(table(scores)).to_numpy().tolist() == [["K", 2.0, 1.0, 2, 1]]


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
