"""The matrix as people see it: its answer in sentences, its page, its document, and the figure."""

from __future__ import annotations

import json
import re
from functools import partial

import numpy as np
import pandas as pd
import pytest
from browser import AXE, PROGRAM, Browser

from sera.errors import InputError
from sera.evaluation.correlation.correlate import LEVELS
from sera.evaluation.tables import write_table, write_tsv
from sera.reporting.figures import save_both
from study.matrix import answers
from study.matrix.answers import FIRST_CLAIM, answer, foremost, standing, standings, table_of
from study.matrix.column import FURTHER_COEFFICIENTS, MATRIX_COEFFICIENTS, POWER_FACTS
from study.matrix.document import write_document
from study.matrix.figure import matrix_figure
from study.matrix.page import by_level, overview, packed, write_matrix_page
from study.report.further_results import matrix_lines, publish_matrix

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
                **{"cluster": 1.0 if place > 2 and level == "system" else np.nan, "systems": 4, "topics": 9},
            }
            for benchmark, judgement in COLUMNS
            for level in ("system", "summary")
            for coefficient in ("pearson", "spearman", "kendall", *FURTHER_COEFFICIENTS)
            for place, metric in enumerate(METRICS)
        ]
    )
    effects = {("one", "system"): (0.3, 0.1, 0.5), ("two", "system"): (0.1, -0.2, 0.4)}
    effects |= {("one", "summary"): (-0.2, -0.3, -0.1), ("two", "summary"): (np.nan, np.nan, np.nan)}
    claims = pd.DataFrame(
        [
            {
                **{"benchmark": benchmark, "judgement": dict(reversed(COLUMNS))[benchmark], "level": level},
                **{"coefficient": "spearman", "claim": claim},
                **dict(zip(("effect", "low", "high"), effect, strict=True)),
            }
            for claim in (FIRST_CLAIM, "lin_2004_rouge_2_best_of_n")
            for (benchmark, level), effect in effects.items()
        ]
    )
    facts = pd.DataFrame(
        [
            {
                **{"benchmark": name, "judgement": by, "systems": 6 if name == "one" else 4},
                **{"topics": 9, "references": 1.5},
                **{"documents": 50, "searched": "its articles" if name == "one" else "its references"},
                **dict(zip(POWER_FACTS, (0.123, 0.345, *decided), strict=True)),
            }
            for (name, by), decided in zip(COLUMNS, [(8, 18), (8, 18), (np.nan, np.nan)], strict=True)
        ]
    )
    return {"cells": cells, "claims": claims, "facts": facts}


@pytest.fixture(scope="module")
def results(tables, tmp_path_factory):
    folder = tmp_path_factory.mktemp("results") / "matrix"
    (folder / "figures").mkdir(parents=True)
    save_both(partial(matrix_figure, tables["cells"], title="T"), folder / "figures/matrix")
    page = {**tables, "confidence": 95.0}
    write_matrix_page(folder / "matrix.html", figure=folder / "figures/matrix.svg", **page)
    write_document(folder / "matrix.md", **page)
    write_tsv(folder / "claims.tsv", tables["claims"])
    write_table(folder / "overview", overview(tables["cells"]), caption="T", benchmark="matrix")
    return folder.parent


@pytest.mark.parametrize(
    ("effect", "stands"),
    [
        ((0.2, 0.1, 0.3), "ahead"),
        ((0.2, 0.0, 0.3), "open"),
        ((-0.2, -0.3, -0.1), "behind"),
        ((-0.2, -0.3, 0.0), "open"),
        ((np.nan, np.nan, np.nan), "undefined"),
    ],
)
def test_an_effect_stands_by_its_whole_interval(effect, stands):
    assert standing(*effect) == stands


def test_the_answer_counts_benchmarks(tables):
    assert standings(tables["claims"], "system") == {"one": "ahead", "two": "open"}
    text = answer(tables["claims"])
    assert text.startswith("Is SERA ahead of ROUGE on 2 other benchmarks?")
    words = "SERA is ahead on 1 (one); neither ahead nor behind (the interval includes 0) on 1 (two)."
    assert f"In ranking systems, {words}" in text
    assert "one topic, SERA is behind on 1 (one). There are too few systems or scores on two." in text


def test_the_papers_own_benchmark_is_no_other(tables):
    claims = tables["claims"].replace({"benchmark": {"one": "tac2014"}})
    assert standings(claims, "system") == {"two": "open"}
    assert "on 1 other benchmark?" in answer(claims)


def test_the_overview_has_the_first_judgements_and_the_usual_metrics(tables):
    cells = tables["cells"]
    assert answers.foremost_judgements(cells) == {"one": "quality", "two": "facets"}
    assert list(overview(cells)["metric"]) == ["ROUGE-1-F", "SERA-5", "given:<b>", "length", "random"]
    table = table_of(foremost(cells), "value")
    assert list(table.columns) == ["one", "two"]
    assert table.at["SERA-5", "one"] == pytest.approx(0) and np.isnan(table.at["SERA-5", "two"])


def test_a_table_for_each_level_and_coefficient_has_all_judgements(tables):
    cells = tables["cells"]
    found = by_level(cells)
    assert set(found) <= {f"{level}_{name}" for level in LEVELS for name in MATRIX_COEFFICIENTS}
    table = found["system_spearman"].set_index("metric")
    of = cells[(cells["level"] == "system") & (cells["coefficient"] == "spearman")].dropna(subset="value")
    assert table.count().sum() == len(of) > 10
    for row in of.to_dict("records"):
        assert table.at[row["metric"], f"{row['benchmark']}: {row['judgement']}"] == row["value"]


def test_all_cells_are_packed_for_the_page(tables):
    data = packed(tables["cells"])
    assert data["columns"] == [["one", "quality", True], ["one", "style", False], ["two", "facets", True]]
    assert data["metrics"][:3] == [["ROUGE-1-F", "metric"], ["ROUGE-1-P", "metric"], ["SERA-5", "metric"]]
    assert data["cells"]["system"]["kendall"][3] == [[0.1, -0.1, 0.3, 3.0, 1.0]] * 3
    assert data["cells"]["summary"]["pearson"][2] == [[0.0, -0.2, 0.2, 4.0, None]] * 2 + [0]
    assert data["reasons"] == ["no score"] and data["cells"]["global"]["pearson"][0] == [None] * 3


def test_the_page_holds_the_numbers_and_no_markup_of_names(results, tables):
    page = (results / "matrix/matrix.html").read_text(encoding="utf-8")
    (data,) = re.findall(r'<script type="application/json" id="cells">(.*?)</script>', page, re.S)
    assert json.loads(data) == packed(tables["cells"])
    markup = page.replace(data, "")
    assert "given:<b>" not in markup and ">nan<" not in markup


def test_the_document_answers_first(results, tables):
    lines = (results / "matrix/matrix.md").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "# Which metric to trust" and lines[2] == answer(tables["claims"])
    assert "| one | 6 | 9 | 1.5 | quality | 50 (its articles) | 12% | 0.34 |" in lines
    assert "| two | 4 | 9 | 1.5 | facets | 50 (its references) | 12% | 0.34 |" in lines
    assert any("On 1 of 2 benchmarks, even four times the systems" in line for line in lines)
    # over systems above, over summaries below; two has four systems, so nothing over systems is bold
    assert "| ROUGE-1-F | −0.20<br>−0.20 | −0.20<br>−0.20 |" in lines
    assert "| SERA-5 | 0.00<br>0.00 | – |" in lines
    assert "| length | **0.20**<br>0.20 | 0.20<br>0.20 |" in lines
    assert any("Too few systems to tell (at most 4), so nothing is bold: two." in line for line in lines)
    assert r"| given:\<b> | **0.10**<br>0.10 | 0.10<br>0.10 |" in lines
    effects = "**0.30 [0.10, 0.50]**<br>**−0.20 [−0.30, −0.10]** | 0.10 [−0.20, 0.40]<br>–"
    assert f"| sera above rouge | {effects} |" in lines
    # ROUGE-1-F and ROUGE-1-P: -.2 and -.1; SERA-5: 0, undefined on two; length: .2
    assert "| one | 0.20 | −0.15 | −0.15 | −0.15 | 0.00 | 0.00 | 0.00 |" in lines
    assert "| two | 0.20 | −0.15 | −0.15 | −0.15 | – | – | – |" in lines
    assert "| one | −0.15 | 0.00 | −0.15 | 0.00 | 0.30 |" in lines  # acc_eq of random scores: .3
    others = lines[lines.index("## Claims of other papers") :]
    assert not any("sera above rouge" in line for line in others)
    (quoted,) = (line for line in others if line.startswith("- "))
    assert "ROUGE-2 performed better among the ROUGE-N variants" in quoted and "Lin (2004)" in quoted
    assert f"| lin 2004 rouge 2 best of n | {effects} |" in others


def test_the_results_are_printed_and_published(results, tmp_path):
    lines = list(matrix_lines(results))
    assert "SERA-5" in lines[0] and f"page {results}/matrix/matrix.html" in lines
    assert [path.name for path in publish_matrix(results, tmp_path / "docs")] == ["matrix.md", "matrix.svg"]
    with pytest.raises(InputError, match="matrix: there are no results. Run `make matrix`"):
        list(matrix_lines(tmp_path))


@pytest.fixture(scope="module")
def browser(results):
    if PROGRAM is None:
        pytest.skip("there is no Chromium; `make test` installs it where it is root of a Debian")
    with Browser() as browser:
        yield browser


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_sorts_filters_and_is_accessible(browser, results, width):
    browser.problems.clear()
    browser.open(results / "matrix/matrix.html", width=width)
    names = "[...document.querySelectorAll('#matrix tbody th')].map(cell => cell.textContent)"
    assert browser.run(names)[:2] == ["ROUGE-1-F", "ROUGE-1-P"]
    browser.run("document.querySelectorAll('#matrix thead button')[1].click()")
    assert browser.run(names)[0] == "random (floor)"  # .3, the highest
    browser.run("document.getElementById('filter').value = 'sera'")
    browser.run("document.getElementById('filter').dispatchEvent(new Event('input'))")
    assert browser.run(names) == ["SERA-5"]
    browser.run("document.getElementById('coefficient').value = 'spearman_given_length'")
    browser.run("document.getElementById('coefficient').dispatchEvent(new Event('change'))")
    first = "document.querySelector('#matrix tbody td').firstChild.textContent"
    assert browser.run(first) == "0.00"
    browser.run("document.getElementById('level').value = 'global'")
    browser.run("document.getElementById('level').dispatchEvent(new Event('change'))")
    assert browser.run("document.getElementById('count').textContent").startswith("This level has no such")
    browser.run("document.getElementById('judgements').value = 'all'")
    browser.run("document.getElementById('judgements').dispatchEvent(new Event('change'))")
    assert browser.run("document.querySelectorAll('#matrix thead th').length") == 4
    assert browser.run("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    assert browser.problems == []
    if AXE is not None:
        assert browser.violations() == []
