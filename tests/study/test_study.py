"""The commands `python -m study`: what they print of results, keep and copy, and what they refuse."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import ROOT

from study.__main__ import main
from study.published.comparison import read_expected
from study.report import results as study_results
from study.settings.checks import matrix_benchmarks

RHO = "Mean Spearman's ρ with Pyramid over systems:"
SIGNATURES = """\
metric	signature	settings	caution
ROUGE-1-F	ROUGE-1-F|stem:yes	stem=true,stop=true	
ROUGE-2-F	ROUGE-2-F|stem:yes	stem=true,stop=true	
SERA-10	SERA-10|documents:12	mu=100	it is small
SERA-5	SERA-5|documents:12		
Pyramid	Pyramid|tiers:text		
"""


def table2(**values: tuple[float, float]) -> str:
    """Table 2 with a metric's value of all three coefficients, and the published one."""
    names = ("pearson", "spearman", "kendall")
    columns = [f"{name}{part}" for name in names for part in ("", "_low", "_high", "_paper", "_difference")]
    lines = ["\t".join(["metric", "against", *columns, "systems", "topics", "why_undefined", "benchmark"])]
    for metric, (value, paper) in values.items():
        cells = [value, value - 0.1, value + 0.1, paper, value - paper] * len(names)
        numbers = [f"{cell:.6f}" for cell in cells]
        lines.append("\t".join([metric, "Pyramid", *numbers, "9", "6", "", "demo (synthetic)"]))
    return "\n".join(lines) + "\n"


COMMANDS = {name: ["show", name] for name in ("audit", "multiverse", "matrix")}
COMMANDS |= {"expected": ["publish", "expected"]}
COMMANDS |= {name: [name] for name in ("show", "publish")}


def sera(*arguments: str, code: int = 0) -> str:
    run = CliRunner().invoke(main, [*COMMANDS[arguments[0]], *arguments[1:]])
    assert run.exit_code == code, run.output
    return run.output


def refused(*arguments: str) -> str:
    """The one line of an error."""
    output = sera(*arguments, code=2)
    assert output.startswith("Error: ") and output.count("\n") == 1, output
    return output.removeprefix("Error: ").removesuffix("\n")


@pytest.fixture
def results(tmp_path, monkeypatch) -> Path:
    """The folder of results of a study, in a checkout in which the command runs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(study_results, "CHECKOUT", tmp_path)
    shutil.copy(ROOT / "config.yaml", tmp_path)
    (tmp_path / "schemas").symlink_to(ROOT / "schemas")
    for folder in ("resources/expected", "docs"):
        (tmp_path / folder).mkdir(parents=True)
    record = {"settings": {"benchmark": "demo", "seed": 2016, "results": "results"}, "inputs": []}
    files = {
        "demo/tables/table2.tsv": table2(SERA=(0.5, 0.8), ROUGE=(0.25, 0.25)),
        "demo/corpus/unreadable.tsv": "part\tfile\treason\na\tb\tretracted\n",
        "demo/scores.tsv": "topic\tsystem\tmetric\tscore\nt\ts\tPyramid\t0.5\nt\ts\tROUGE-K\tnan\n",
        "demo/scores/left_out.tsv": "metric\treason\nFrame-1\tno frames\nFrame-2\tno frames\n"
        "S3-best\tno reason\n",
        "demo/signatures.tsv": SIGNATURES,
        "demo/provenance.json": json.dumps(record),
        "demo/index/whole/manifest.json": '{"documents": 12345}',
        "demo/multiverse/replication.md": "# Claims\n",
        "demo/multiverse/figures/curve.png": "a curve",
        "demo/multiverse/figures/curve.svg": "<svg/>",
        "audit/summary.md": "| systems | fit |\n",
    }
    for name, text in files.items():
        path = tmp_path / "results" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "results"


def test_table_2_is_shown_with_what_was_left_out(results):
    lines = sera("show").split("\n")
    assert lines[4:7] == [
        "        metric     r paper  diff.     ρ paper  diff.     τ paper  diff.",
        "SERA           0.500 0.800 −0.300 0.500 0.800 −0.300 0.500 0.800 −0.300",
        "ROUGE          0.250 0.250 +0.000 0.250 0.250 +0.000 0.250 0.250 +0.000",
    ]
    assert lines[8:12] == [
        "Articles left out: 1 retracted (see results/demo/corpus/unreadable.tsv)",
        "Metrics left out: Frame-1, Frame-2: no frames",
        "Metrics left out: S3-best: no reason",
        "Scores left out: ROUGE-K (1 of 1): undefined: the references have no keyword",
    ]
    means = "ROUGE 0.250 (published 0.250), SERA 0.500 (published 0.800)"
    assert f"{RHO} {means}" in lines and "Report: results/demo/report.html" in lines


def test_expected_numbers_that_moved_are_shown(results):
    path = results.parent / "resources/expected/demo.tsv"
    assert sera("expected") == f"{path}\n"
    assert read_expected(path).settings == {"benchmark": "demo", "seed": 2016}
    assert read_expected(path).data == "6 topics, 12,345 documents, 9 systems"
    assert "\n6 OK, 0 moved, within the interval, 0 moved\n" in sera("show")
    (results / "demo/tables/table2.tsv").write_text(table2(SERA=(0.5, 0.8), ROUGE=(0.3, 0.25)))
    moved = sera("show").split("(resources/expected/demo.tsv):\n")[1]
    assert moved.split(f"\n\n{RHO}")[0].splitlines() == [
        "3 OK, 3 moved, within the interval, 0 moved",
        "metric coefficient  expected  found                    verdict",
        " ROUGE     pearson     0.250  0.300 moved, within the interval",
        " ROUGE    spearman     0.250  0.300 moved, within the interval",
        " ROUGE     kendall     0.250  0.300 moved, within the interval",
    ]


def test_the_matrix_has_the_benchmarks_of_a_folder_and_its_own(tmp_path):
    for name in ("realsumm", "scitldr"):
        (tmp_path / name).mkdir()
    own = {"scitldr_informativeness": {"mu": 100}, "tac2014": {"pyramids": "/p"}}
    assert matrix_benchmarks({"matrix": own, "datasets": None}) == (own, [])
    matrix, missing = matrix_benchmarks({"matrix": own, "datasets": str(tmp_path)})
    assert matrix == {
        "realsumm": {"data": str(tmp_path / "realsumm")},
        "scitldr_informativeness": {"data": str(tmp_path / "scitldr"), "mu": 100},
        "tac2014": {"pyramids": "/p"},
    }
    assert "summeval" in missing and "scitldr" not in missing


def test_the_folder_is_that_of_the_settings_in_force(results):
    Path("my.yaml").write_text("{benchmark: tac2014, results: else where}")
    given = ("--configfile", "my.yaml")
    assert refused("show", *given).startswith("else where/tac2014: no results were found")
    elsewhere = refused("show", *given, 'results="/o//x/"', "study=mine")
    assert elsewhere.startswith("/o/x/mine: no results were found")
    other = refused("show", *given, "benchmark=/data/bench")
    assert other.startswith("else where/bench: no results were found")
    assert refused("show", "demo").startswith("there is no kind of results 'demo'")


def test_a_folder_without_settings_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert refused("show").startswith("config.yaml: there is no such file. Run the command in the folder")


def test_pages_of_other_targets_are_printed_and_copied(results):
    assert sera("audit").startswith("| systems | fit |\n\nPage: results/audit/summary.md")
    assert sera("multiverse").startswith("# Claims\n")
    assert refused("matrix").startswith("results/matrix: no results were found. Run `make matrix` first")
    published = ["new/docs/replication.md", "new/docs/figures/curve.png"]
    assert sera("publish", "multiverse", "--to", "new/docs").splitlines() == published
    assert Path("new/docs/figures/curve.png").read_text() == "a curve"
