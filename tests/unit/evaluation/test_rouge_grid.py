"""The grid of Lin (2004), section 6: hand-made scores, and the paper's tables."""

import numpy as np
import pandas as pd
import pytest
from commands import put_texts, sera
from conftest import ROOT
from made_scores import JUDGEMENT_HEAD, put_table

from sera.errors import InputError
from sera.evaluation.bootstrap import Bootstrap
from sera.evaluation.rouge_grid import (
    KEYS,
    LIN_MEASURES,
    add_published,
    grid,
    grid_correlations,
    grid_means,
    grid_text,
    mark_best,
    read_lin,
)
from sera.evaluation.tables import read_tsv
from sera.io.records import Candidate, Reference
from sera.metrics.scoring import score

LIN = ROOT / "resources" / "published" / "lin2004.tsv"
REFERENCES = [Reference("t", "A", ("the cells divide",)), Reference("t", "B", ("kinases bind cells",))]
SUMMARIES = {"one": "the cell divides", "two": "kinases bind", "three": "the cells"}
CANDIDATES = [Candidate("t", system, (text,)) for system, text in SUMMARIES.items()]
# ROUGE-1-R by hand, systems one, two, three; one reference has 3 words, both have 6; "the" is a stop word
MEANS = {
    ("one", "CASE"): (1 / 3, 0, 2 / 3),
    ("one", "STEM"): (1, 0, 2 / 3),
    ("one", "STOP"): (0, 0, 1 / 2),
    ("one", "STEM+STOP"): (1, 0, 1 / 2),
    ("all", "CASE"): (1 / 6, 2 / 6, 3 / 6),
    ("all", "STEM"): (4 / 6, 2 / 6, 3 / 6),
    ("all", "STOP"): (0, 2 / 5, 2 / 5),
    ("all", "STEM+STOP"): (3 / 5, 2 / 5, 2 / 5),
}


def test_scores_and_correlations_of_every_treatment():
    metrics = grid(["ROUGE-1-R"], {"multi": "pooled"})
    assert [key[1:] for key in metrics] == list(MEANS)
    means = grid_means(score(list(metrics.values()), CANDIDATES, REFERENCES), metrics)
    found = means.pivot_table(index=KEYS[1:], columns="system", values="mean")[list(SUMMARIES)]
    for treatment, expected in MEANS.items():
        assert found.loc[treatment].tolist() == pytest.approx(expected, abs=5e-6)
    assert set(means["topics"]) == {1}
    metrics = grid(["ROUGE-1-R"], {})
    judged = pd.DataFrame(
        [("t", system, "coverage", value) for system, value in zip(SUMMARIES, (0.0, 0.5, 1.0), strict=True)],
        columns=["topic", "system", "metric", "score"],
    )
    scores = pd.concat([score(list(metrics.values()), CANDIDATES, REFERENCES), judged], ignore_index=True)
    table = grid_correlations(scores, metrics, ["coverage"], bootstrap=Bootstrap("systems", 20, 1))
    found = table.set_index(KEYS[1:])["pearson"]
    for treatment, means in MEANS.items():
        expected = np.corrcoef(means, (0, 0.5, 1))[0, 1]
        assert found[treatment] == pytest.approx(expected, abs=1e-4)
    assert found["all", "CASE"] == pytest.approx(1)  # 1, 2, 3 sixths
    assert table["best"].all() and table["equivalent"].all()  # one measure a column


def correlations(rows: list[tuple]) -> pd.DataFrame:
    columns = ["metric", "references", "words", "pearson", "pearson_low", "pearson_high"]
    return pd.DataFrame(rows, columns=columns).assign(against="coverage")


def test_equivalent_to_the_best_are_the_overlapping_intervals():
    table = mark_best(
        correlations(
            [
                ("ROUGE-1-R", "one", "CASE", 0.9, 0.8, 0.95),
                ("ROUGE-2-R", "one", "CASE", 0.7, 0.5, 0.8),  # touches it
                ("ROUGE-3-R", "one", "CASE", 0.6, 0.4, 0.79),
                ("ROUGE-4-R", "one", "CASE", np.nan, np.nan, np.nan),
                ("ROUGE-1-R", "one", "STOP", 0.2, 0.1, 0.3),
                ("ROUGE-2-R", "one", "STOP", 0.5, 0.4, 0.6),
            ]
        )
    )
    assert table["best"].tolist() == [True, False, False, False, False, True]
    assert table["equivalent"].tolist() == [True, True, False, False, False, True]
    shown = grid_text(table)
    assert shown["one CASE"].tolist() == ["0.90*", "0.70=", "0.60 ", "undefined "]
    assert shown["one STOP"].tolist()[:2] == ["0.20 ", "0.50*"]


def test_the_paired_test_finds_what_overlapping_intervals_do_not():
    """Two topics and systems judged 0, 1, 2; a resample has the first topic twice, both, or the second twice.

    Pearson's r in these: A 1, .866, .5; B .866, .5, 0, always behind A; C .5, .756, 1, behind or ahead of A.
    """
    of_topics = {
        "A": ([0, 1, 2], [0, 2, 1]),
        "B": ([0, 1, 1], [2, 0, 2]),
        "C": ([0, 2, 1], [0, 0.5, 1]),
        "D": ([1, 1, 1], [1, 1, 1]),  # undefined
        "see": ([0, 1, 2], [0, 1, 2]),
    }
    rows = [
        (topic, system, name, value)
        for name, topics in of_topics.items()
        for topic, values in enumerate(topics)
        for system, value in zip("abc", values, strict=True)
    ]
    scores = pd.DataFrame(rows, columns=["topic", "system", "metric", "score"])
    metrics = {(name, "one", "CASE"): name for name in "ABCD"}
    table = grid_correlations(scores, metrics, ["see"], bootstrap=Bootstrap("topics", 400, 1)).set_index(
        "metric"
    )
    root = 0.75**0.5
    assert table.loc[["A", "B", "C"], "pearson"].tolist() == pytest.approx([root, 0.5, 1 / 1.75**0.5])
    assert table["best"].tolist() == [True, False, False, False]
    assert table["equivalent"].tolist() == [True, True, True, False]  # .5 to 1, 0 to .866, .5 to 1
    assert table["not_behind"].tolist() == [True, False, True, False]
    behind = table[["behind", "behind_low", "behind_high"]]
    assert behind.loc["A"].tolist() == [0, 0, 0]
    assert behind.loc["B"].tolist() == pytest.approx([root - 0.5, 1 - root, 0.5])
    assert behind.loc["C"].tolist() == pytest.approx([root - 1 / 1.75**0.5, -0.5, 0.5])
    assert behind.loc["D"].isna().all()
    shown = grid_text(table.reset_index())["one CASE"].tolist()
    assert shown == ["0.87* ", "0.50= ", "0.76=~", "undefined  "]


def test_the_papers_tables():
    table = read_lin(LIN)
    # 17 measures; columns of Table 1, 2, 3 A, 3 C to F
    assert len(table) == 17 * (12 + 6 + 18 + 18) and set(table["metric"]) == {
        f"ROUGE-{measure}-R" for measure in LIN_MEASURES
    }
    assert not table.duplicated(["task", *KEYS]).any()
    values = table.set_index(["task", "references", "words", "metric"])["pearson"]
    assert values["duc2001-single-100", "one", "STOP", "ROUGE-1-R"] == 0.84
    assert values["duc2002-multi-10", "all", "STEM", "ROUGE-5-R"] == -0.25
    assert values["duc2001-multi-400", "all", "STOP", "ROUGE-W-1.2-R"] == 0.86
    table = mark_best(correlations([("ROUGE-2-R", "all", "STOP", 0.9, 0.8, 0.95)]))
    (row,) = add_published(table, read_lin(LIN), "duc2003-multi-100").to_dict("records")
    assert (row["published"], row["difference"]) == (0.81, pytest.approx(0.09))
    assert grid_text(pd.DataFrame([row])).loc[0].tolist() == ["ROUGE-2-R", "0.90*", "0.81"]
    with pytest.raises(InputError, match="no task 'duc2004'. Give one of duc2001-single-100, "):
        add_published(table, read_lin(LIN), "duc2004")


def test_the_grid_has_the_settings_that_it_varies():
    with pytest.raises(InputError, match="ROUGE.stem is given, but the grid has all its values"):
        grid(["ROUGE-1-R"], {"stem": True})


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    put_texts(tmp_path, candidates=CANDIDATES, references=REFERENCES)
    put_table(tmp_path / "j.tsv", JUDGEMENT_HEAD, "t one see 0", "t two see 0.5", "t three see 1")
    return tmp_path


def run(*options, code=0):
    texts = ["candidates.jsonl", "references.jsonl", "--out", "g.tsv"]
    return sera("research", "grid", *texts, *options, code=code)


def test_the_command_scores_and_correlates(files):
    assert "24 means of 3 systems in g.tsv" in run("--metrics", "ROUGE-1-R")
    assert read_tsv(files / "g.tsv", texts=[*KEYS, "system"])["mean"].max() == 1
    options = ["--judgements", "j.tsv", "--resamples", "20"]
    printed = run(*options, "--published", LIN, "--task", "duc2003-multi-100")
    assert "136 correlations over 3 systems in g.tsv" in printed
    table = read_tsv(files / "g.tsv", texts=[*KEYS, "against", "why_undefined"])
    row = table[
        (table["metric"] == "ROUGE-1-R") & (table["references"] == "all") & (table["words"] == "CASE")
    ]
    assert row[["pearson", "published"]].to_numpy().tolist() == [[1, 0.58]]
    first = next(line for line in printed.splitlines() if "ROUGE-1-R" in line)
    assert "0.58" in first.split()
