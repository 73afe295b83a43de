"""What make is given reaches the programs unchanged: no shell, no make and no YAML reads it on the way."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

from rules.checks import typed
from sera.errors import InputError
from sera.reporting.study_page import command
from sera.reporting.study_settings import of_environment

HARD = [
    "/data/a b$c#d'e",
    "$(shell touch pwned)",
    "$(touch pwned)",
    "`touch pwned`",
    "x'; touch pwned; '",
    'a"b\\c',
    "-x",
    "a=b",
    "null",
    "12",
    "été/données",
    "{x}",
    "'quoted'",
]


def made(tmp_path: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
    """Run a target of the Makefile with programs that say what they are given."""
    (tmp_path / "Makefile").write_text((ROOT / "Makefile").read_text())
    programs = tmp_path / ".venv/bin"
    programs.mkdir(parents=True, exist_ok=True)
    say = (
        f"#!{sys.executable}\nimport json, os, sys\n"
        "settings = {k: v for k, v in os.environ.items() if k.startswith('SERA_')}\n"
        "print(json.dumps([os.path.basename(sys.argv[0]), sys.argv[1:], settings]))\n"
    )
    for name in ("snakemake", "sera"):
        (programs / name).write_text(say)
        (programs / name).chmod(0o755)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "SERA_"))}
    return subprocess.run(
        ["make", "-s", "-o", ".venv/ready", *arguments],
        cwd=tmp_path, env=kept | environment, text=True, capture_output=True,
    )  # fmt: skip


def calls(run: subprocess.CompletedProcess) -> list[tuple[str, list[str], dict[str, str]]]:
    assert run.returncode == 0, run.stderr
    return [tuple(json.loads(line)) for line in run.stdout.splitlines() if line.startswith("[")]


@pytest.mark.parametrize("value", HARD)
def test_a_setting_is_passed_as_it_stands(tmp_path, value):
    for name in ("RESULTS", "BENCHMARK"):
        (first, arguments, settings), (shown, said, after) = calls(
            made(tmp_path, "reproduce", f"{name}={value}")
        )
        assert first == "snakemake" and arguments == ["--cores=2"]
        assert shown == "sera" and said == ["study", "show"]
        assert settings[f"SERA_SETTING_{name.lower()}"] == value == after[f"SERA_SETTING_{name.lower()}"]
    assert not (tmp_path / "pwned").exists()


def test_every_setting_with_a_variable_of_its_own_arrives(tmp_path):
    names = ("benchmark", "tac2014", "pyramids", "pmc_oa", "realsumm", "nist", "results")
    given = {name: f"/data/{name}" for name in names}
    settings = '{"mu": 100}'
    variables = [f"{name.upper()}={value}" for name, value in given.items()]
    assert shlex.split(command(given)) == ["make", "report", *variables]
    for _, _, arrived in calls(made(tmp_path, "reproduce", *variables, f"SETTINGS={settings}")):
        assert {name: arrived[f"SERA_SETTING_{name}"] for name in names} == given
        assert arrived["SERA_SETTINGS"] == settings


def test_the_variables_of_the_command_line_are_named_except_to_targets_that_run_the_demo(tmp_path):
    given = ("TAC2014=/d", "CORES=1")
    for _, _, settings in calls(made(tmp_path, "reproduce", *given, NIST="/n")):
        assert settings["SERA_SETTING_nist"] == "/n"  # of the user's shell, so it may be for another run
        assert sorted(settings["SERA_GIVEN"].split()) == ["CORES", "TAC2014"]
    for target in ("audit", "download"):
        for _, _, settings in calls(made(tmp_path, target, "PMC_OA=/o")):
            assert settings["SERA_GIVEN"] == "" and settings["SERA_SETTING_pmc_oa"] == "/o"


def test_cores_and_profile_are_words(tmp_path):
    assert calls(made(tmp_path, "reproduce", "CORES=1; touch pwned"))[0][1] == ["--cores=1; touch pwned"]
    profile = "my $(touch pwned) profile's"
    run = made(tmp_path, "reproduce", f"PROFILE={profile}")
    assert (
        run.returncode == 2 and "there is no folder my $(touch pwned) profile's with a profile" in run.stderr
    )
    (tmp_path / profile).mkdir()
    assert calls(made(tmp_path, "reproduce", f"PROFILE={profile}"))[0][1] == [f"--workflow-profile={profile}"]
    assert not (tmp_path / "pwned").exists()


def test_a_line_break_is_refused(tmp_path):
    run = made(tmp_path, "reproduce", "RESULTS=a\ntouch pwned")
    assert run.returncode != 0 and "RESULTS has a line break in it" in run.stderr
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("BENCHMRK=tac2014", "there is no variable BENCHMRK. Did you mean BENCHMARK? `make help` lists"),
        ("benchmark=tac2014", "there is no variable benchmark. Did you mean BENCHMARK? `make help` lists"),
        ("RESULT=out", "there is no variable RESULT. Did you mean RESULTS? `make help` lists"),
        ("mu=5", "there is no variable mu. `make help` lists the variables; a setting without one is passed"),
        ("X'Y=5", "there is no variable X'Y. `make help` lists"),
        ("SEED=5", "SEED is a variable of `make fuzz` alone."),
        ("STUDY=mine", "STUDY is a variable of `make evaluate-recognition` alone."),
    ],
)
def test_a_variable_that_the_target_does_not_use_stops_before_anything_runs(tmp_path, given, said):
    run = made(tmp_path, "reproduce", given)
    assert run.returncode == 2 and not run.stdout
    assert said in run.stderr and run.stderr.endswith("  Stop.\n") and run.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("reprduce", "there is no target reprduce. Did you mean reproduce? `make help` lists the targets."),
        ("x'y", "there is no target x'y. `make help` lists the targets."),
    ],
)
def test_a_target_that_is_none_stops_with_the_nearest(tmp_path, target, said):
    run = made(tmp_path, target)
    assert run.returncode == 2 and not run.stdout
    assert said in run.stderr and run.stderr.count("\n") == 1


def test_variables_of_make_and_of_the_environment_do_not_disturb(tmp_path):
    ordinary = {"BENCHMRK": "x", "SEED": "1", "STUDY": "y", "benchmark": "z", "CC": "gcc", "EDITOR": "vi"}
    first, *_ = calls(made(tmp_path, "reproduce", "PYTHON=python3", "SHELL=/bin/bash", "CORES=3", **ordinary))
    assert first[:2] == ("snakemake", ["--cores=3"])
    assert not any(first[2][f"SERA_SETTING_{name}"] for name in ("benchmark", "results"))
    run = made(tmp_path, "-n", "-o", ".venv/ready-test", "fuzz", "SEED=1", "SECONDS=5")
    assert "--seconds 5 --seed 1 " in run.stdout and run.returncode == 0


def test_help_lists_every_target_and_every_variable(tmp_path):
    printed = made(tmp_path, "help").stdout
    text = (ROOT / "Makefile").read_text()
    ((targets,),) = [re.findall(r"^TARGETS := ((?:.*\\\n)*.*)$", text, re.MULTILINE)]
    targets = targets.replace("\\", " ").split()
    assert {"reproduce", "help", "lock"} <= set(targets) <= set(re.findall(r"^([\w-]+):", text, re.MULTILINE))
    listed = re.findall(r"^make ([\w-]+)", printed, re.MULTILINE)
    assert sorted(listed) == sorted(targets)
    database = made(tmp_path, "-pn", "help").stdout
    (names,) = re.findall(r"^KNOWN := (.*)$", database, re.MULTILINE)
    names = names.split()
    assert len(names) > 20 and {"BENCHMARK", "SETTINGS", "BENCH_WORDS"} <= set(names)
    assert [name for name in names if not re.search(rf"\b{name}\b", printed)] == []
    assert not printed.startswith("#") and "\n#" not in printed


def test_the_command_of_the_page_can_be_pasted(tmp_path):
    settings = {
        "benchmark": "/d/it's $mine #1",
        "results": "out here",
        "tac2014": None,
        "mu": 100,
        "words": 250,
        "candidates": {"own": "/d/run #2's.jsonl"},
    }
    text = command(settings, defaults={"mu": 2000, "words": 250, "candidates": {}})
    name, target, *arguments = shlex.split(text)
    assert (name, target) == ("make", "report")
    environment = calls(made(tmp_path, "reproduce", *arguments))[0][2]
    assert of_environment(environment) == {
        "benchmark": "/d/it's $mine #1",
        "results": "out here",
        "mu": 100,
        "candidates": {"own": "/d/run #2's.jsonl"},
    }


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        (
            {"SERA_SETTING_result": "x"},
            "SERA_SETTING_result names no setting that it may. Did you mean 'results'?",
        ),
        ({"SERA_SETTING_mu": "5"}, "SERA_SETTING_mu names no setting that it may."),
        ({"SERA_SETTINGS": "[1]"}, "SERA_SETTINGS: is no JSON object. Name settings as in"),
        ({"SERA_SETTINGS": "{mu: 5}"}, "SERA_SETTINGS, line 1: is not JSON: "),
    ],
)
def test_wrong_variables_are_told(environment, said):
    with pytest.raises(InputError) as error:
        of_environment(environment)
    assert said in str(error.value) and "\n" not in str(error.value)


def test_what_stands_inside_a_setting_is_not_read_a_second_time():
    given = {"candidates": {"mine": "/data/run #2.jsonl", "b": "a: b", "c": "[x]", "d": "&a *b"}}
    assert typed(given) == given
    assert typed({"x": {"a": "5", "b": "0.5", "c": "null", "d": "true", "e": "2016-01-02"}}) == {
        "x": {"a": 5, "b": 0.5, "c": None, "d": True, "e": "2016-01-02"}
    }


@pytest.mark.parametrize(
    ("version", "line"),
    [
        (None, "There is no program '{}'. Name a Python 3.11 or newer: make env PYTHON=python3.12. On a"),
        ("Python 3.9.18", "Python 3.11 or newer is needed; '{}' is Python 3.9.18. Name another: make env "),
    ],
)
def test_an_environment_without_a_python_that_will_do(tmp_path, version, line):
    python = tmp_path / "python"
    if version:
        python.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo {version}\n')
        python.chmod(0o755)
    run = subprocess.run(
        [str(ROOT / "envs/make_env.sh"), str(python), "requirements.lock"],
        cwd=tmp_path, text=True, capture_output=True,
    )  # fmt: skip
    assert run.returncode == 2 and run.stderr.startswith(line.format(python))
    assert len(run.stderr.splitlines()) == 1 and not (tmp_path / ".venv").exists()


FAKE_PYTHON = """#!/bin/bash
case "$*" in
  *"-m venv .venv") mkdir -p .venv/bin .venv/lib/python3/site-packages; cp "$0" .venv/bin/python;;
  *"--version") [ -x .venv/bin/python ] && [ "$0" = .venv/bin/python ];;
  *"--require-hashes"*)
    echo "Ignoring colorama: markers do not match"
    echo "Collecting numpy==2"; echo "  Downloading numpy"; echo "Collecting scipy==1"
    echo "WARNING: lxml 6.1.3 does not provide the extra 'html_clean'" >&2
    echo "WARNING: something else" >&2
    mkdir .venv/lib/python3/site-packages/numpy-2.dist-info
    sleep 4
    [ -z "$BROKEN" ] || { echo "ERROR: no such hash" >&2; exit 1; };;
esac
"""


def installed(tmp_path, **environment):
    """Run the installation with a Python that only says what pip says."""
    python = tmp_path / "python"
    python.write_text(FAKE_PYTHON)
    python.chmod(0o755)
    lines = ("colorama==1", "numpy==2 \\", "    --hash=x", "scipy[all]==1", "    # via x==1", "")
    (tmp_path / "x.lock").write_text("\n".join(lines))
    return subprocess.run(
        [ROOT / "envs/make_env.sh", python, "x.lock"],
        cwd=tmp_path, env={"PATH": "/usr/bin:/bin", **environment}, text=True, capture_output=True,
    )  # fmt: skip


def test_the_installation_says_each_phase_and_how_far_it_is(tmp_path):
    run = installed(tmp_path)
    assert run.returncode == 0 and run.stderr == "WARNING: something else\n"
    assert run.stdout.splitlines() == [
        "Creating .venv",
        "Installing the packages of x.lock into .venv with pip, one to two minutes",
        "  2 of 2 packages fetched, 1 installed",
        "Installing this package",
        "Compiling its loops, some ten seconds",
        "Ready: .venv/bin/sera and .venv/bin/snakemake",
    ]


def test_an_installation_that_fails_shows_why_and_stops(tmp_path):
    run = installed(tmp_path, BROKEN="yes")
    assert run.returncode == 1 and run.stderr.splitlines()[-1] == "ERROR: no such hash"
    assert "Installing this package" not in run.stdout
