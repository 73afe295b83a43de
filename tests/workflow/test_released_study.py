"""The study of the released scores: tables, answer and page, without texts."""

from __future__ import annotations

import re
import shlex
import shutil

import pandas as pd
import pytest
from checkouts import checkout, ran
from commands import sera
from conftest import ROOT

from study.published import RELEASED

SCORES = "scores.tsv.gz"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run on a copy in which every summary of one system has no score by SERA-5."""
    folder = checkout(tmp_path_factory.mktemp("released") / "study")
    shutil.copytree(ROOT / RELEASED, folder / "mine")
    table = pd.read_csv(folder / "mine" / SCORES, sep="\t", dtype=str)
    table.loc[(table["metric"] == "SERA-5") & (table["system"] == "mmr"), "score"] = "0"
    table.to_csv(folder / "mine" / SCORES, sep="\t", index=False)
    ran(folder, "--config", "benchmark=tac2014_scores", "data=mine", "resamples=50")
    return folder


def test_the_page_has_all_parts_but_those_of_texts(run):
    page = (run / "results/tac2014_scores/report.html").read_text(encoding="utf-8")
    for part in ("answer", "lacks", "rows2", "cutoffs", "similarity", "means", "metrics-compared"):
        assert f'id="{part}"' in page, part
    assert 'id="corpus"' not in page and 'id="topics"' not in page
    more = pd.read_csv(run / "mine/more_systems/answer.tsv", sep="\t")
    of = more[(more["question"] == "systems") & (more["coefficient"] == "spearman")].iloc[1]
    assert f"38 systems: {of['rouge']:.2f} ({of['rouge_low']:.2f} to {of['rouge_high']:.2f})" in page


def test_the_page_says_beside_its_numbers_that_a_program_made_pyramid(run):
    page = (run / "results/tac2014_scores/report.html").read_text(encoding="utf-8")
    caveat = (
        "Pyramid is a program's judgement, not people's: people marked nuggets in the gold summaries, and a "
        "program finds them in the systems' summaries; on news, its r with people's judgement is 0.81 over "
        "25 systems, but −0.05 (−0.45 to 0.49) over the 11 that copy sentences"
    )
    headline = page[page.index('<section id="headline">') :].partition("</section>")[0]
    places = [headline.index(each) for each in ('id="answer"', caveat, "<details>")]
    assert headline.count(caveat) == 2 and places == sorted(places)  # in sight, not in what unfolds
    assert caveat in re.search(r'<p id="cite">.*?</p>', headline, re.DOTALL)[0]


def test_each_row_of_table_2_has_the_command_that_recomputes_it_and_whether_it_moved(run, monkeypatch):
    page = (run / "results/tac2014_scores/report.html").read_text(encoding="utf-8")
    table = pd.read_csv(run / "results/tac2014_scores/tables/table2.tsv", sep="\t").set_index("metric")
    expected = pd.read_csv(ROOT / "resources/expected/tac2014.tsv", sep="\t", comment="#").set_index("metric")
    monkeypatch.chdir(run)
    rows = re.findall(r"<summary>([^<]*)</summary><code>(.*?) \| grep &#39;( .*? )&#39;</code>", page)
    assert [name for *_, name in rows] == [f" {metric} Pyramid " for metric in table.index]
    assert [row[::2] for row in rows if row[0] != "OK"] == [("moved", " SERA-5 Pyramid ")]
    (command,) = {command for _, command, _ in rows}
    printed = sera(*shlex.split(command)[1:])
    for (metric, row), (*_, pattern) in zip(table.iterrows(), rows, strict=True):
        (line,) = [line for line in printed.splitlines() if pattern in line]
        shown = [f"{row[name]:.3f}".replace("-", "−") for name in ("pearson", "spearman", "kendall")]
        assert line.split()[2:5] == shown, metric
    moved = re.findall(r"<li>([^,]*),", re.search(r'<ul id="moved">.*', page)[0])
    changed = (table[list(expected)[1:]] - expected[list(expected)[1:]]).abs() > 1e-3
    assert moved == ["SERA-5"] * 3 and changed.loc["SERA-5"].all()
