"""What a run says: one line for each step, why it runs again, and at the end what changed."""

from __future__ import annotations

import io
import logging
import re
from types import SimpleNamespace

import pytest
from checkouts import copy_of_the_study, snakemake
from snakemake.logging import ColorizingTextHandler, DefaultFormatter
from snakemake_interface_logger_plugins.common import LogEvent
from test_reruns import changed

from rules.changes import Basis, Changes
from rules.console import Console
from rules.contents import Contents
from rules.reasons import Reason, of_values
from sera.reporting.job import job
from sera.reporting.last_run import RunStep, read_last_run

pytestmark = pytest.mark.xdist_group("workflow")


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """A study whose steps have all run."""
    return copy_of_the_study(tmp_path_factory.mktemp("console") / "study")


def said(study, *arguments):
    run = snakemake(study, *arguments)
    assert run.returncode == 0, run.stderr
    return (run.stdout + run.stderr).splitlines()


def steps(study, *arguments):
    """The lines of the steps of a dry run."""
    return [line.strip() for line in said(study, "--dry-run", *arguments) if line.startswith("  ")]


def test_a_setting_that_changed_is_named_with_both_values(study):
    lines = said(study, "--dry-run", "--config", "mu=100")
    assert "  Search with the queries (plain): mu 100 (2000 before)" in lines
    assert "  Score by SERA: after search" in lines
    assert "  Write table2: after correlate, gather_signatures" in lines
    assert sum(line.startswith("total ") for line in lines) == 1  # the table of steps, once
    assert max(map(len, lines)) < 150 and not any("reason" in line.lower() for line in lines)


def test_a_module_an_input_and_a_missing_result_are_named(study):
    path = study / "sera/summarizers/luhn.py"
    with changed(path, path.read_text(), path.read_text() + "\n\n_CHANGED = True\n"):
        assert "Summarise by luhn: sera/summarizers/luhn.py changed" in steps(study)
    path = study / "own/mine.jsonl"
    with changed(path, path.read_text(), path.read_text() + "\n"):
        assert "Take the summaries of mine: own/mine.jsonl changed" in steps(study)
    path = study / "results/demo/figures/figure1.svg"
    kept = path.read_bytes()
    path.unlink()
    try:
        assert (
            "Draw the correlations of SERA by cut-off: results/demo/figures/figure1.svg is missing"
            in steps(study)
        )
    finally:
        path.write_bytes(kept)


def test_a_run_that_has_nothing_to_do_writes_that_down(study):
    before = read_last_run(study / "results/demo")
    assert before.before is None and len(before.steps) > 40 and not any(step.causes for step in before.steps)
    assert said(study, "--cores", "1")[-1] == (
        "Nothing to be done (all requested files are present and up to date)."
    )
    after = read_last_run(study / "results/demo")
    assert (after.before, list(after.changed), after.steps) == (before.ended, [], [])


def test_a_step_that_runs_again_is_recorded_and_a_step_that_fails_shows_its_log(study):
    figure = study / "scripts/plot_figure1.py"
    with changed(figure, figure.read_text(), figure.read_text() + "\n_CHANGED = True\n"):
        lines = said(study, "--cores", "1")
        assert "3 steps to run" in lines
        (line,) = [line for line in lines if "Draw the correlations" in line]
        assert re.fullmatch(
            r"\d\d:\d\d:\d\d  0 of 3 done  Draw the correlations of SERA by cut-off: "
            "scripts/plot_figure1.py changed",
            line,
        )
        assert [line[8:] for line in lines if line.endswith("of 3 done")] == ["  3 of 3 done"]
        run = read_last_run(study / "results/demo")
        assert list(run.changed) == ["scripts/plot_figure1.py"]
        assert run.steps[0] == RunStep("plot_figure1", ["scripts/plot_figure1.py changed"], [])
    with changed(study / "own/mine.jsonl", "{", "{bad"):
        run = snakemake(study, "--cores", "1")
        assert run.returncode == 1
        assert re.search(
            r"^\d\d:\d\d:\d\d  Error in rule take_candidates:\n"
            r"Logfile results/demo/logs/take_candidates/mine.log:\n=+\n"
            r"ERROR own/mine.jsonl, line 1: is not JSON: .*\n=+\n",
            run.stderr,
            re.MULTILINE,
        )
        assert "CalledProcessError" not in run.stderr and run.stderr.count("Error in rule") == 1
    assert list(read_last_run(study / "results/demo").changed) == ["scripts/plot_figure1.py"]


def test_a_wrong_setting_is_one_line(study):
    run = snakemake(study, "--dry-run", "--config", "mu=x")
    assert run.returncode == 1
    assert run.stdout.splitlines() == ["Error: config: mu: 'x' is not a number above 0"]
    run = snakemake(study, "--dry-run", "--config", "tac2014=/d")
    assert run.stdout.splitlines() == [
        "Error: tac2014: the benchmark of this run, demo, does not read it. Leave it out, or run "
        "`snakemake --cores 2 --config benchmark=tac2014 tac2014=/d`."
    ]


def test_snakemakes_own_console_comes_back_with_its_options(study):
    own = said(study, "--dry-run", "--config", "mu=100", "--printshellcmds")
    assert "Job 36: Search with the queries (plain)" in [re.sub(r"\d+:", "36:", line) for line in own]


def test_changes_are_told_apart(tmp_path):
    (tmp_path / "a.txt").write_text("a")
    contents = Contents(str(tmp_path))
    digest = contents.of([tmp_path / "a.txt"])
    before = Basis({"mu": 2000, "rouge": {"stem": True}}, {"a.py": "1", "b.py": "1"}, {"numpy": "2.0"}, {})
    now = Basis(
        {"mu": 2000, "rouge": {"stem": False}},
        {"a.py": "2", "b.py": "1", "c.py": "1"},
        {"numpy": "2.1"},
        contents.files_of(),
    )
    changes = Changes(before, now, contents)
    assert changes.phrases() == [
        "rouge.stem false (true before)",
        "a.py",
        "numpy 2.1 (2.0 before)",
        f"{tmp_path}/a.txt is new",
    ]
    assert changes.of_files(digest) == f"{tmp_path}/a.txt changed"
    assert changes.of_files("none") == "" == changes.of_code("none")
    assert Changes(now, now, contents).phrases() == []
    gone = Changes(now, before, contents).phrases()
    assert gone[-1] == f"{tmp_path}/a.txt is not read any more"


@pytest.mark.parametrize(
    ("reason", "phrase"),
    [
        (Reason(), ""),
        (Reason(("forced",), ("search",)), "forced"),
        (Reason(after=("a", "b", "c", "d", "e")), "after a, b, c and 2 more"),
    ],
)
def test_a_reason_is_a_phrase(reason, phrase):
    assert reason.phrase() == phrase


def record(text, level=logging.INFO, **facts):
    return logging.makeLogRecord({"msg": text, "levelno": level, "levelname": "INFO", **facts})


def test_faults_of_the_input_have_a_line_each():
    stream = io.StringIO()
    own = ColorizingTextHandler(stream=stream, formatter=DefaultFormatter())
    console = Console(own, SimpleNamespace(output_settings=SimpleNamespace(show_failed_logs=True)))
    place = 'WorkflowError in file "/code/rules/data.smk", line 66:\n'
    stack = '\n  File "/code/Snakefile", line 44, in <module>\n'
    console.handle(record(f"{place}mine: lacks a{stack}", logging.ERROR))
    console.handle(record(f"{place}mine: lacks a\nb, line 2: is c{stack}", logging.ERROR))
    assert stream.getvalue().splitlines() == [
        "Error: mine: lacks a",
        "Errors:",
        "  mine: lacks a",
        "  b, line 2: is c",
    ]


def test_an_interrupt_is_one_line():
    stream = io.StringIO()
    own = ColorizingTextHandler(stream=stream, formatter=DefaultFormatter())
    console = Console(own, SimpleNamespace(output_settings=SimpleNamespace(show_failed_logs=True)))
    failed = {"event": LogEvent.JOB_ERROR, "rule_name": "search", "aux": {"status": 1}, "log": []}
    console.handle(record("Error", logging.ERROR, created=0, **failed))
    assert stream.getvalue().split("  ", 1)[1] == "Error in rule search:\n    status: 1\n"
    stream.truncate(0)
    stream.seek(0)
    console.handle(record("Terminating processes on user request, this might take some time."))
    console.handle(record("RuleException:\nCommand died with <Signals.SIGINT: 2>.", logging.ERROR))
    console.handle(record("Error", logging.ERROR, created=0, **failed))
    console.handle(record("WorkflowError:\nAt least one job did not complete", logging.ERROR))
    assert stream.getvalue().splitlines() == [
        "Interrupted: the steps at work are stopped. The same command continues the run.",
        "WorkflowError:",
        "At least one job did not complete",
    ]


@pytest.fixture
def own_logging():
    """Puts back the handlers of the root, which a job replaces in its own process."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


def test_an_interrupted_job_ends_without_a_traceback(tmp_path, own_logging):
    rule = SimpleNamespace(output=[str(tmp_path / "a")], log=[str(tmp_path / "log")], rule="search")
    with pytest.raises(SystemExit) as end, job(rule):
        raise KeyboardInterrupt
    assert end.value.code == 130 and (tmp_path / "log").read_text() == ""


@pytest.mark.parametrize(
    ("now", "before", "settings", "expected"),
    [
        # both are settings of their own name
        (
            {"seed": 7, "bootstrap": "both"},
            ["2016", "'topics'"],
            ["seed 7 (2016 before)", 'bootstrap "both" ("topics" before)'],
            ["seed 7 (2016 before)", 'bootstrap "both" ("topics" before)'],
        ),
        # a group is known by its names, and the setting by its values
        (
            {"settings": {"stem": False, "stop": True}, "mu": 500},
            ["{'stem': True, 'stop': True}", "2000"],
            ["rouge.stem false (true before)", "mu 500 (2000 before)"],
            ["mu 500 (2000 before)", "rouge.stem false (true before)"],
        ),
        # without a record of the last run, by kind; a hash is of code
        (
            {"seed": 7, "bootstrap": "both"},
            ["2016", "'topics'", "'0123456789abcdef0123456789abcdef'"],
            [],
            ["seed 7 (2016 before)", 'bootstrap "both" ("topics" before)'],
        ),
        ({"gaps": [1]}, ["None"], [], ["gaps [1] (null before)"]),
        # two numbers: which is whose is unknown
        ({"a": 1, "b": 2}, ["3", "4"], [], ["a changed", "b changed"]),
    ],
)
def test_parameters_that_changed_together_have_both_values(now, before, settings, expected):
    assert of_values(now, before, settings) == expected
