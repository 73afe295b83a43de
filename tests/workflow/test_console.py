"""What a run of `make` says: a line for each finished step, and the log of a failed one."""

from __future__ import annotations

import re
import subprocess

import pytest
from checkouts import command, copy_of_the_study
from test_reruns import changed


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """A study whose steps have all run."""
    return copy_of_the_study(tmp_path_factory.mktemp("console") / "study")


def said(study):
    """What a run with the console of `make` says, and its exit status."""
    line, environment = command(study, "--logger", "steps")
    environment["PYTHONPATH"] += f":{study}/plugins"
    run = subprocess.run(line, cwd=study, env=environment, text=True, capture_output=True)
    assert run.stdout == ""
    return run.stderr.splitlines(), run.returncode


def test_a_step_that_ends_is_a_line(study):
    assert said(study)[0][-1] == "Nothing to be done: all results are up to date."
    script = study / "scripts/write_provenance.py"
    with changed(script, script.read_text(), script.read_text() + "\n_CHANGED = True\n"):
        lines, status = said(study)
        assert status == 0 and lines[1] == "3 steps to run", lines
        shown = [re.fullmatch(r"\d\d:\d\d:\d\d  (\d of 3) done  (.*)", line) for line in lines[2:]]
        assert [line[1] for line in shown] == ["1 of 3", "2 of 3", "3 of 3"]
        assert [line[2] for line in shown[:2]] == ["write_provenance", "write_report"]


def test_a_step_that_fails_shows_its_log(study):
    """The last test of the study: the next run would do again all that follows the lost file."""
    with changed(study / "own/mine.jsonl", "{", "{bad"):
        lines, status = said(study)
        assert status == 1
        place = lines.index("Error in rule take_candidates:")
        assert lines[place + 1] == "results/demo/logs/take_candidates/mine.log:"
        assert lines[place + 2].startswith("ERROR own/mine.jsonl, line 1: ")
