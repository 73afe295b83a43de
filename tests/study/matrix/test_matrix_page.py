"""The matrix as people see it: its page, its document, and the figure."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from sera.evaluation.tables import write_table
from sera.reporting.figures import save
from study.matrix.effects import BASELINES, CONTRASTS
from study.matrix.kinds import kind_sentences
from study.matrix.page import (
    forest_figure,
    kinds_figure,
    overview,
    shown_cells,
    write_cells_page,
    write_document,
)
from study.matrix.pooling import choices_table, kinds_table, pooled_table, releases_table

METRICS = ("ROUGE-1-F", "ROUGE-1-P", "SERA-5", "given:<b>", "length", "random")
KINDS = {"given:<b>": "given", "length": "floor", "random": "floor"}
COLUMNS = [("realsumm", "quality"), ("realsumm", "style"), ("mslr", "facets")]


@pytest.fixture(scope="module")
def tables():
    cells = pd.DataFrame(
        [
            {
                **{"benchmark": benchmark, "judgement": judgement, "level": level},
                **{"coefficient": coefficient, "metric": metric, "kind": KINDS.get(metric, "metric")},
                "value": np.nan if (benchmark, metric) == ("mslr", "SERA-5") else place / 10 - 0.2,
                **{"low": place / 10 - 0.4, "high": place / 10, "rank": float(6 - place)},
                "why_undefined": "no score" if (benchmark, metric) == ("mslr", "SERA-5") else "",
                **{"topics": 9, "systems": 6 if benchmark == "realsumm" else 4},
            }
            for benchmark, judgement in COLUMNS
            for level in ("system", "summary")
            for coefficient in ("spearman", "kendall")
            for place, metric in enumerate(METRICS)
        ]
    )
    contrasts = pd.DataFrame(
        [
            {
                **{"benchmark": name, "judgement": by, "level": level, "coefficient": "spearman"},
                **{"contrast": contrast, "effect": effect, "se": 0.01, "p": 0.01},
                **{"low": effect - 0.02, "high": effect + 0.02, "systems": 6, "topics": 9},
            }
            for name, by, shift in (
                *[("realsumm", "quality", 0.0), ("mslr", "facets", 0.02), ("tac2014", "Pyramid", 0.5)],
            )
            for level, sign in (("system", 1), ("summary", -1))
            for place, contrast in enumerate(CONTRASTS)
            for effect in [sign * (place / 10 + 0.3 + shift)]
        ]
    )
    facts = pd.DataFrame(
        [
            {
                **{"benchmark": name, "judgement": by, "systems": 6 if name == "realsumm" else 4},
                **{"topics": 9, "references": 1.5},
                **{"documents": 50, "searched": "its articles" if name == "realsumm" else "its references"},
            }
            for name, by in COLUMNS
        ]
    )
    numbers = {"se": 0.01, "p": 0.01, "low": 0.0, "high": 1.0, "systems": 6, "topics": 9}
    kinds = pd.DataFrame(
        [
            {
                **{"benchmark": name, "judgement": "j", "dimension": "relevance or coverage"},
                **{"level": level, "kind": kind, "reads": reads, "metrics": 2, "baseline": baseline},
                **{"effect": effect + number / 100, **numbers},
            }
            for number, name in enumerate(("realsumm", "summeval", "wikisera_tac2009"))
            for level in ("system", "summary")
            for baseline in BASELINES[:2]
            for kind, reads, effect in (("questions", "source", 0.3), ("words", "reference", -0.1))
        ]
    )
    differences = pd.DataFrame(
        [
            {"benchmark": name, "level": level, "metric": metric, "baseline": "ROUGE-1-F", "effect": effect}
            | numbers
            for name in ("realsumm", "summeval", "wikisera_tac2009", "mslr")
            for level in ("system", "summary")
            for metric, effect in (("SERA-5", -0.4), ("length", 0.1))
        ]
    )
    return {
        **{"cells": cells, "shown": shown_cells(cells), "contrasts": contrasts, "facts": facts},
        **{"pooled": pooled_table(contrasts), "releases": releases_table(contrasts)},
        **{"pooled_kinds": kinds_table(kinds), "choices": choices_table(differences, kinds)},
    }


@pytest.fixture(scope="module")
def results(tables, tmp_path_factory):
    folder = tmp_path_factory.mktemp("results") / "matrix"
    (folder / "figures").mkdir(parents=True)
    figures = folder / "figures"
    forest = forest_figure(*(tables[name] for name in ("contrasts", "releases", "pooled")), title="T")
    labels = [label.get_text() for label in forest.axes[0].get_yticklabels()]
    assert labels == [
        *("REALSumm (6 systems)", "MSLR (6 systems)", "pooled", "pooled without REALSumm"),
        *("pooled without MSLR", "TAC 2014, the paper's nine (not pooled)"),
    ]
    save(forest, figures / "forest")
    save(kinds_figure(tables["pooled_kinds"], title="T"), figures / "kinds")
    shown = {name: table for name, table in tables.items() if name not in ("cells", "contrasts")}
    write_document(folder / "matrix.md", 95.0, **shown)
    write_cells_page(folder / "matrix.html", tables["cells"], 95.0)
    write_table(folder / "overview", overview(tables["shown"]), caption="T", benchmark="matrix")
    return folder.parent


def test_the_overview_has_the_first_judgements_and_the_usual_metrics(tables):
    table = overview(tables["shown"]).set_index("metric")
    assert list(table.index) == ["ROUGE-1-F", "SERA-5", "length", "random"]
    assert list(table.columns) == ["realsumm", "mslr"]
    assert table.at["SERA-5", "realsumm"] == pytest.approx(0) and np.isnan(table.at["SERA-5", "mslr"])


def test_the_page_has_a_row_for_each_metric_and_judgement(results):
    page = (results / "matrix/matrix.html").read_text(encoding="utf-8")
    assert "given:&lt;b&gt;" in page and "given:<b>" not in page and ">nan<" not in page
    rows = re.findall(r'<tr><th scope="row">SERA-5</th>(.*?)</tr>', page)
    shown = [re.findall(r"<td.*?>(.*?)</td>", row) for row in rows]
    value = "0.00 <small>−0.20 to 0.20</small>"
    assert ["SERA: retrieved documents", "REALSumm", "quality", value, value] in shown


def test_the_document_says_what_to_use_and_how_sure_it_is(results):
    lines = (results / "matrix/matrix.md").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "# Which metric to trust"
    # three releases with the error .01: -.4 less 1.96 * .01 / sqrt(3); one release has its own interval
    behind, length = "`SERA-5` −0.40 (−0.41 to −0.39)", "+0.10 (+0.09 to +0.11)"
    kind = "questions answered from source and summary"
    ahead = f"{kind} +0.31 (+0.30 to +0.32)"
    news = f"{ahead}<br>{ahead} | {behind}<br>{behind} | 0<br>0 | {length}<br>{length} | –<br>–"
    assert f"| news: 18 systems, 3 releases | {news} |" in lines
    length = "+0.10 (+0.00 to +1.00)"
    articles = f"none<br>none | none<br>none | 1<br>1 | {length}<br>{length} | –<br>–"
    assert f"| scientific articles: 6 systems, 1 release | {articles} |" in lines
    of_kind = "**+0.31 (+0.29 to +0.33)**<br>**+0.31 (+0.29 to +0.33)**"
    assert f"| {kind} | {of_kind} | {of_kind} | – | – | 3 |" in lines


def test_the_document_has_the_pooled_contrasts_and_the_metrics(results):
    lines = (results / "matrix/matrix.md").read_text(encoding="utf-8").splitlines()
    # two effects .02 apart: their variance .0002 is more than .0001, and the error is sqrt(.0002 / 2)
    means = "+0.31 (+0.18 to +0.44) in ranking systems and −0.31 (−0.44 to −0.18) in ranking single summaries"
    assert any(means in line for line in lines)
    assert (
        "| metric | REALSumm: 6 systems, 9 topics, quality "
        "| MSLR, reviews of medicine: 4 systems, 9 topics, facets |"
    ) in lines
    assert "| ROUGE-1-F | −0.20<br>−0.20 | −0.20<br>−0.20 |" in lines
    assert "| SERA-5 | 0.00<br>0.00 | – |" in lines


def test_the_document_of_data_that_are_not_pooled(tables, tmp_path):
    names = ("shown", "facts", "releases", "pooled_kinds", "choices")
    shown = {"pooled": tables["pooled"].iloc[:0], **{name: tables[name] for name in names}}
    write_document(tmp_path / "matrix.md", 95.0, **shown)
    text = (tmp_path / "matrix.md").read_text(encoding="utf-8")
    assert "has the numbers. [replication.md]" in text and "Pooled" not in text


def test_the_kinds_that_are_ahead_and_behind(tables):
    systems, summaries, sure = kind_sentences(tables["pooled_kinds"])
    questions = "questions answered from source and summary"
    assert systems.startswith(
        "In ranking systems, 1 of 2 kinds of metrics on 3 or more releases is surely above ROUGE-1-F: "
        f"{questions}, "
    )
    # .30, .31 and .32: t(.975; 2) = 4.30 by .01 / sqrt(3)
    assert systems.endswith(
        "+0.31 (+0.29 to +0.33) on 3 releases; surely below: words in common with references, "
        "−0.09 (−0.11 to −0.07) on 3 releases."
    )
    assert summaries.startswith("In ranking summaries, 1 of 2 kinds")
    # t(.975; 1) = 12.7 by the same: .31 less .07 is above 0
    assert f"{questions} in ranking systems and {questions} in ranking summaries" in sure
    wide = tables["pooled_kinds"].assign(prediction_low=-0.1)
    assert kind_sentences(wide)[2].startswith("On a further release, none is sure to be above")
