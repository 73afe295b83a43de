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


def check_of(page: str, metric: str) -> tuple[str, str]:
    """What the row of a metric in Table 2 says of its expected numbers, and its command."""
    cell = r'<td class="text">([^<]*) <details><summary>command</summary><code>([^<]*)</code>'
    row = re.search(rf'<tr[^>]*><th scope="row">{metric}</th>.*?</tr>', page, re.DOTALL)[0]
    return re.search(cell, row).groups()


def test_the_page_has_all_parts_but_those_of_texts(run):
    page = (run / "results/tac2014_scores/report.html").read_text(encoding="utf-8")
    for part in ("answer", "lacks", "rows2", "cutoffs", "similarity", "means", "metrics-compared"):
        assert f'id="{part}"' in page, part
    assert 'id="corpus"' not in page and 'id="topics"' not in page
    more = pd.read_csv(run / "mine/more_systems/answer.tsv", sep="\t")
    of = more[(more["question"] == "systems") & (more["coefficient"] == "spearman")].iloc[0]
    assert f"{of['rouge']:.2f} ({of['rouge_low']:.2f} to {of['rouge_high']:.2f})" in page


def test_each_row_has_a_command_that_recomputes_it(run, monkeypatch):
    page = (run / "results/tac2014_scores/report.html").read_text(encoding="utf-8")
    table = pd.read_csv(run / "results/tac2014_scores/tables/table2.tsv", sep="\t").set_index("metric")
    expected = pd.read_csv(ROOT / "resources/expected/tac2014.tsv", sep="\t", comment="#").set_index("metric")
    monkeypatch.chdir(run)
    evaluated, found = page.split('class="sortable correlations" id="rows2"')[1], {}
    for metric in table.index:
        said, command = check_of(evaluated, metric)
        words, pattern = command.replace("&#39;", "'").split(" | grep ")
        found[metric] = said
        assert shlex.split(pattern) == [f" {metric} Pyramid"]
        assert words == ".venv/bin/sera evaluate mine/scores.tsv.gz mine/judgements.tsv"
    printed = sera(*shlex.split(words)[1:])
    for metric, row in table.iterrows():
        (line,) = [line for line in printed.splitlines() if f" {metric} Pyramid" in line]
        shown = [f"{row[name]:.3f}".replace("-", "−") for name in ("pearson", "spearman", "kendall")]
        assert line.split()[2:5] == shown, metric
    moved = found.pop("SERA-5")
    assert set(found.values()) == {"OK"}
    for symbol, name in (("r", "pearson"), ("ρ", "spearman"), ("τ", "kendall")):
        change = table.loc["SERA-5", name] - expected.loc["SERA-5", name]
        assert abs(change) > 0.01 and f"{symbol} {change:+.3f}".replace("-", "−") in moved.replace(
            "&#43;", "+"
        )
