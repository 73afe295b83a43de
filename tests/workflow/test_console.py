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

pytestmark = pytest.mark.xdist_group("workflow")


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


def test_a_step_that_ends_is_a_line_and_one_that_fails_shows_its_log(study):
    assert said(study)[0][-1] == "Nothing to be done: all results are up to date."
    figure = study / "scripts/draw_figures.py"
    with changed(figure, figure.read_text(), figure.read_text() + "\n_CHANGED = True\n"):
        lines, status = said(study)
        assert status == 0 and lines[1] == "4 steps to run", lines
        shown = [re.fullmatch(r"\d\d:\d\d:\d\d  (\d) of 4 done  (.*)", line) for line in lines[2:]]
        assert [(line[1], line[2]) for line in shown][0] == ("1", "draw_figures")
        assert [line[1] for line in shown] == ["1", "2", "3", "4"]
    with changed(study / "own/mine.jsonl", "{", "{bad"):
        lines, status = said(study)
        assert status == 1
        place = lines.index("Error in rule take_candidates:")
        assert lines[place + 1] == "results/demo/logs/take_candidates/mine.log:"
        assert lines[place + 2].startswith("ERROR own/mine.jsonl, line 1: ")


def test_an_interrupt_of_the_main_process_alone_stops_its_jobs(study):
    figure = study / "scripts/draw_figures.py"
    with changed(figure, "\nfrom ", "\nimport time; time.sleep(300)\nfrom "):
        run = started(study)
        script = None
        while script is None and run.poll() is None:
            time.sleep(0.1)
            for each in psutil.Process(run.pid).children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    script = each if "draw_figures" in " ".join(each.cmdline()) else script
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
