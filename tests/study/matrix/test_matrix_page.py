"""The matrix as people see it: its page, its document, and the figure."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from sera.evaluation.tables import write_table, write_tsv
from sera.reporting.figures import save
from study.matrix.column import CONTRASTS, STOPPED
from study.matrix.kinds import kind_sentences
from study.matrix.page import (
    drop_clusters_of_few_systems,
    first_judgements,
    forest_figure,
    kinds_figure,
    metrics_by_benchmarks,
    overview,
    overview_cells,
    write_cells_page,
    write_document,
)
from study.matrix.pooling import kinds_table, meta_table

METRICS = ("ROUGE-1-F", "ROUGE-1-P", "SERA-5", "given:<b>", "length", "random")
KINDS = {"given:<b>": "given", "length": "floor", "random": "floor"}
COLUMNS = [("one", "quality"), ("one", "style"), ("two", "facets")]


@pytest.fixture(scope="module")
def tables():
    cells = pd.DataFrame(
        [
            {
                **{"benchmark": benchmark, "judgement": judgement, "level": level},
                **{"coefficient": coefficient, "metric": metric, "kind": KINDS.get(metric, "metric")},
                "value": np.nan if (benchmark, metric) == ("two", "SERA-5") else place / 10 - 0.2,
                **{"low": place / 10 - 0.4, "high": place / 10, "rank": float(6 - place)},
                "why_undefined": "no score" if (benchmark, metric) == ("two", "SERA-5") else "",
                **{"cluster": 1.0 if place > 2 and level == "system" else np.nan, "topics": 9},
                "systems": 6 if benchmark == "one" else 4,
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
                **{"contrast": contrast + ending, "effect": effect, "se": 0.01},
                **{"low": effect - 0.02, "high": effect + 0.02},
            }
            for name, by, shift in (("one", "quality", 0.0), ("two", "facets", 0.02))
            for level, sign in (("system", 1), ("summary", -1))
            for ending in ("", STOPPED)
            for place, contrast in enumerate(CONTRASTS)
            for effect in [sign * (place / 10 + 0.3 + shift)]
        ]
    )
    facts = pd.DataFrame(
        [
            {
                **{"benchmark": name, "judgement": by, "systems": 6 if name == "one" else 4},
                **{"topics": 9, "references": 1.5},
                **{"documents": 50, "searched": "its articles" if name == "one" else "its references"},
            }
            for name, by in COLUMNS
        ]
    )
    kinds = pd.DataFrame(
        [
            {
                **{"benchmark": str(number), "judgement": "j", "dimension": "relevance or coverage"},
                **{"level": level, "kind": kind, "reads": reads, "metrics": 2},
                **{"effect": effect + number / 100, "low": 0.0, "high": 1.0, "se": 0.01},
            }
            for number in range(3)
            for level in ("system", "summary")
            for kind, reads, effect in (("questions", "source", 0.3), ("words", "reference", -0.1))
        ]
    )
    meta = meta_table(contrasts)
    return {
        **{"cells": drop_clusters_of_few_systems(cells), "contrasts": contrasts, "meta": meta},
        **{"facts": facts, "pooled_kinds": kinds_table(kinds)},
    }


@pytest.fixture(scope="module")
def results(tables, tmp_path_factory):
    folder = tmp_path_factory.mktemp("results") / "matrix"
    (folder / "figures").mkdir(parents=True)
    figures = folder / "figures"
    save(forest_figure(tables["contrasts"], tables["meta"], title="T"), figures / "forest")
    save(kinds_figure(tables["pooled_kinds"], title="T"), figures / "kinds")
    write_document(folder / "matrix.md", **tables, confidence=95.0)
    write_cells_page(folder / "matrix.html", tables["cells"], 95.0)
    write_tsv(folder / "meta.tsv", tables["meta"])
    write_table(folder / "overview", overview(tables["cells"]), caption="T", benchmark="matrix")
    return folder.parent


def test_the_overview_has_the_first_judgements_and_the_usual_metrics(tables):
    cells = tables["cells"]
    assert first_judgements(cells) == {"one": "quality", "two": "facets"}
    assert list(overview(cells)["metric"]) == ["ROUGE-1-F", "SERA-5", "length", "random"]
    table = metrics_by_benchmarks(overview_cells(cells))
    assert list(table.columns) == ["one", "two"]
    assert table.at["SERA-5", "one"] == pytest.approx(0) and np.isnan(table.at["SERA-5", "two"])


def test_the_page_has_a_row_for_each_metric_and_judgement(results):
    page = (results / "matrix/matrix.html").read_text(encoding="utf-8")
    assert "given:&lt;b&gt;" in page and "given:<b>" not in page and ">nan<" not in page
    rows = re.findall(r'<tr><th scope="row">SERA-5</th>(.*?)</tr>', page)
    shown = [re.findall(r"<td.*?>(.*?)</td>", row) for row in rows]
    value = "0.00 <small>−0.20 to 0.20</small>"
    assert ["SERA: retrieved documents", "one", "quality", value, value] in shown


def test_the_document_has_the_pooled_effects(results, tables):
    lines = (results / "matrix/matrix.md").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "# Which metric to trust"
    assert [line for line in lines if line.startswith("![")][0].endswith("](figures/kinds.svg)")
    effects = "+0.30<br>−0.30 | +0.40<br>−0.40 | +0.50<br>−0.50 | +0.60<br>−0.60 | +0.70<br>−0.70 |"
    assert f"| one | 0.20<br>0.20 | {effects}" in lines
    (interval,) = (line for line in lines if line.startswith("| interval |"))
    assert interval.startswith("| interval |  | [+0.18, +0.44]<br>[−0.44, −0.18] |")
    assert "| one | 6 × 9 | quality | 50 (its articles) |" in lines
    assert "| two | 4 × 9 | facets | 50 (its references) |" in lines
    # over systems above, over summaries below; two has four systems, so nothing over systems is bold
    assert "| metric | one | two<br>too few to tell |" in lines
    assert "| ROUGE-1-F | −0.20<br>−0.20 | −0.20<br>−0.20 |" in lines
    assert "| SERA-5 | 0.00<br>0.00 | – |" in lines
    assert "| length | **0.20**<br>0.20 | 0.20<br>0.20 |" in lines


def test_the_kinds_that_are_ahead_and_behind(tables):
    systems, summaries, sure = kind_sentences(tables["pooled_kinds"])
    questions = "questions answered from source and summary"
    assert systems.startswith(
        "In ranking systems, 1 of 2 kinds of metrics on 3 or more benchmarks follows people better than "
        f"ROUGE-1-F: {questions}, "
    )
    # .30, .31 and .32: t(.975; 2) = 4.30 by .01 / sqrt(3)
    assert systems.endswith(
        "+0.31 (+0.29 to +0.33) on 3 benchmarks; worse: words in common with references, "
        "−0.09 (−0.11 to −0.07) on 3 benchmarks."
    )
    assert summaries.startswith("In ranking summaries, 1 of 2 kinds")
    # t(.975; 1) = 12.7 by the same: .31 less .07 is above 0
    assert f"{questions} in ranking systems and {questions} in ranking summaries" in sure
    wide = tables["pooled_kinds"].assign(prediction_low=-0.1)
    assert kind_sentences(wide)[2].startswith("No kind is sure to be ahead on a further benchmark")
