"""What a run of `make` says: a line for each finished step, the log of a failed one, and its interruption."""

from __future__ import annotations

import contextlib
import re
import signal
import subprocess
import time

import psutil
import pytest
from checkouts import command, copy_of_the_study
from test_reruns import changed


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """A study whose steps have all run."""
    return copy_of_the_study(tmp_path_factory.mktemp("console") / "study")


def started(study):
    """A run with the console of `make`."""
    line, environment = command(study, "--logger", "steps")
    environment["PYTHONPATH"] += f":{study}/plugins"
    return subprocess.Popen(
        line, cwd=study, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a background shell ignores it
    )  # fmt: skip


def said(study):
    """What a run says, and its exit status."""
    run = started(study)
    out, err = run.communicate()
    assert out == ""
    return err.splitlines(), run.returncode


def test_a_step_that_ends_is_a_line(study):
    assert said(study)[0][-1] == "Nothing to be done: all results are up to date."
    script = study / "scripts/write_provenance.py"
    with changed(script, script.read_text(), script.read_text() + "\n_CHANGED = True\n"):
        lines, status = said(study)
        assert status == 0 and lines[1] == "3 steps to run", lines
        shown = [re.fullmatch(r"\d\d:\d\d:\d\d  (\d of 3) done  (.*)", line) for line in lines[2:]]
        assert [line[1] for line in shown] == ["1 of 3", "2 of 3", "3 of 3"]
        assert [line[2] for line in shown[:2]] == ["write_provenance", "write_report"]


def test_an_interrupt_of_the_main_process_alone_stops_its_jobs(study):
    with changed(study / "scripts/write_report.py", "\nfrom ", "\nimport time; time.sleep(300)\nfrom "):
        run = started(study)
        script = None
        while script is None and run.poll() is None:
            time.sleep(0.5)
            for each in psutil.Process(run.pid).children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    script = each if "write_report" in " ".join(each.cmdline()) else script
        assert script, run.communicate()
        begun = time.monotonic()
        run.send_signal(signal.SIGINT)
        _, err = run.communicate()
        assert time.monotonic() - begun < 60 and not script.is_running()
    assert run.returncode != 0
    assert err.splitlines()[-1] == (
        "Interrupted: the steps at work are stopped. The same command continues the run."
    )
    assert said(study)[1] == 0


def test_a_step_that_fails_shows_its_log(study):
    """The last test of the study: the next run would do again all that follows the lost file."""
    with changed(study / "own/mine.jsonl", "{", "{bad"):
        lines, status = said(study)
        assert status == 1
        place = lines.index("Error in rule take_candidates:")
        assert lines[place + 1] == "results/demo/logs/take_candidates/mine.log:"
        assert lines[place + 2].startswith("ERROR own/mine.jsonl, line 1: ")
