"""What make is given reaches the programs unchanged: no shell, no make and no YAML reads it on the way."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT
from snakemake.cli import parse_config

from study.settings.checks import read_types, settings_in_force
from study.settings.settings import DATA

HARD = ["/data/a b$c#d'e", "$(shell touch pwned)", "`touch pwned`", 'é"b\\c', "12"]


def made(tmp_path: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
    """Run a target of the Makefile with programs that say what they are given."""
    (tmp_path / "Makefile").write_text((ROOT / "Makefile").read_text())
    programs = tmp_path / ".venv/bin"
    programs.mkdir(parents=True, exist_ok=True)
    say = (
        f"#!{sys.executable}\nimport json, os, sys\n"
        "print(json.dumps([os.path.basename(sys.argv[0]), sys.argv[1:], os.environ.get('PYTHONPATH')]))\n"
    )
    for name in ("snakemake", "python"):
        (programs / name).write_text(say)
        (programs / name).chmod(0o755)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "PYTHONPATH"))}
    return subprocess.run(
        ["make", "-s", "-o", ".venv/ready", *arguments],
        cwd=tmp_path, env=kept | environment, text=True, capture_output=True,
    )  # fmt: skip


def calls(run: subprocess.CompletedProcess) -> list[tuple[str, list[str], str]]:
    assert run.returncode == 0, run.stderr
    return [tuple(json.loads(line)) for line in run.stdout.splitlines() if line.startswith("[")]


def in_force(words: list[str]) -> dict[str, object]:
    """The settings that Snakemake takes from words of ``--config``, and `python -m study` from the same
    words."""
    settings = {name: read_types(value) for name, value in parse_config(words).items()}
    of_library = settings_in_force(words, path=ROOT / "config.yaml")
    assert {name: of_library[name] for name in settings} == settings
    return settings


@pytest.mark.parametrize("value", HARD)
def test_a_setting_is_passed_as_it_stands(tmp_path, value):
    for name in ("RESULTS", "DATA"):
        (first, arguments, path), (shown, said, _) = calls(made(tmp_path, "reproduce", f"{name}={value}"))
        assert (first, path) == ("snakemake", "plugins")
        assert arguments[:3] == ["--logger=steps", "--cores=2", "--config"]
        assert shown == "python" and said == ["-m", "study", "show", *arguments[3:]]
        assert in_force(arguments[3:]) == {name.lower(): value}
    assert not (tmp_path / "pwned").exists()


def test_every_setting_with_a_variable_of_its_own_arrives(tmp_path):
    given = {name: f"/data/{name}" for name in ("benchmark", "results", *DATA)}
    variables = [f"{name.upper()}={value}" for name, value in given.items()]
    config = """CONFIG=mu=100  seed=3 rouge={"stem":false,"gaps":[1,4]} study=a$b'c"""
    (_, arguments, _), (_, said, _) = calls(made(tmp_path, "reproduce", *variables, config, "CONFIGFILE=m y"))
    assert arguments[2:4] == said[3:5] == ["--configfile", "m y"]
    own = {"mu": 100, "seed": 3, "rouge": {"stem": False, "gaps": [1, 4]}, "study": "a$b'c"}
    assert read_types(parse_config(arguments[5:])) == given | own
    (_, arguments, _), (_, said, _) = calls(made(tmp_path, "matrix", "DATA=/d"))
    seldom = "--max-jobs-per-timespan=1000/10s"
    assert arguments[2:] == [seldom, "matrix", "--config", 'datasets= "/d" ']
    assert said == ["-m", "study", "show", "matrix", arguments[-1]]
    # the target comes first: Snakemake takes every word after --configfile for a file
    (_, arguments, _), *_ = calls(made(tmp_path, "multiverse", "CONFIGFILE=mine.yaml"))
    assert arguments[2:] == [seldom, "multiverse", "--configfile", "mine.yaml"]


def test_cores_and_profile_are_words(tmp_path):
    assert calls(made(tmp_path, "reproduce", "CORES=1; touch pwned"))[0][1][1] == "--cores=1; touch pwned"
    profile = "my $(touch pwned) profile's"
    assert f"--workflow-profile={profile}" in calls(made(tmp_path, "reproduce", f"PROFILE={profile}"))[0][1]
    assert not (tmp_path / "pwned").exists()


def test_the_loops_that_a_study_runs_are_compiled_when_it_is_installed(tmp_path):
    files = ["evaluation/coefficients", "evaluation/discrimination", "vectors/learning", "retrieval/lucene"]
    wanted = {
        f"{Path(file).name}.{loop}"
        for file in files
        for loop in re.findall(r"^@compiled.*\ndef (\w+)", (ROOT / f"sera/{file}.py").read_text(), re.M)
    }
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    subprocess.run([sys.executable, ROOT / "envs/compile.py"], cwd=ROOT, env=environment, check=True)
    made = {path.name.rpartition("-")[0] for path in tmp_path.rglob("*.nbi")}
    assert len(wanted) >= 10 and wanted <= made


@pytest.mark.parametrize("given", ["BENCHMRK=tac2014", "mu=5"])
def test_a_variable_that_does_not_exist_stops_before_anything_runs(tmp_path, given):
    run = made(tmp_path, "reproduce", given)
    assert run.returncode == 2 and not run.stdout
    assert f"there is no variable {given.partition('=')[0]}" in run.stderr and run.stderr.count("\n") == 1
