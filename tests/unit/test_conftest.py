"""What the tests' own configuration says at the end of a run."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from conftest import ROOT

TESTS = """
import pytest


@pytest.fixture(scope="module")
def oracle(shared):
    return shared / "oracles"


def test_reads_the_data(shared): ...
def test_reads_an_answer(oracle): ...
def test_needs_neither(): ...
def test_is_skipped_for_another_reason(): pytest.skip("another")
"""


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["0", "2"])
@pytest.mark.parametrize(
    ("there", "line"),
    [
        (
            False,
            "2 comparisons with original programs or on real data were skipped: {} is absent (SERA_SHARED",
        ),
        (True, None),
    ],
)
def test_one_line_says_what_was_skipped_without_the_shared_folder(tmp_path, workers, there, line):
    (tmp_path / "test_small.py").write_text(TESTS)
    shared = tmp_path / "shared"
    if there:
        shared.mkdir()
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "conftest",
            "-n",
            workers,
            "-c",
            os.devnull,
            "test_small.py",
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path, "SERA_SHARED": str(shared)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    said = [text for text in run.stdout.splitlines() if "SERA_SHARED" in text]
    assert len(said) == (line is not None)
    assert line is None or said[0].startswith(line.format(shared))
