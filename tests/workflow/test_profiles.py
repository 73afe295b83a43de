"""The profiles agree with each other and with the rules, and the page on clusters with them."""

from __future__ import annotations

import os
import re
import subprocess

import yaml
from conftest import ROOT

DEFAULT, SLURM = (
    yaml.safe_load((ROOT / "profiles" / name / "config.yaml").read_text()) for name in ("default", "slurm")
)
PAGE = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")


def test_what_holds_on_one_machine_holds_on_a_cluster():
    """Snakemake reads one of them, so what makes reruns exact has to be in both."""
    assert {name for name in DEFAULT if SLURM.get(name) != DEFAULT[name]} == {"cores"}


def test_every_rule_is_in_a_group_or_has_jobs_of_its_own():
    rules = set()
    for path in (ROOT / "rules").glob("*.smk"):
        rules |= set(
            re.findall(
                r"^ *(?:rule|checkpoint|use rule \w+ as) (\w+)(?: with)?:", path.read_text(), re.MULTILINE
            )
        )
    alone = {
        "generate_demo",
        "select_articles",
        "merge_index",
        "load_index",
        "learn_vectors",
        "sample_spectrum",
        "checksum_inputs",
        "vary_index",
    }
    assert set(SLURM["groups"]) | alone | {"download", "audit", "multiverse", "study"} == rules
    assert not set(SLURM["groups"]) & alone


def test_the_page_tells_of_every_setting_of_the_profile():
    rows = re.findall(r"^\| (`.+?`) \|", PAGE, re.MULTILINE)
    told = {name for row in rows for name in re.findall(r"`([\w-]+)`", row)}
    assert set(SLURM) - set(DEFAULT) - told == set()


def test_the_pages_profile_for_pbs_takes_the_place_of_slurms_settings():
    (text,) = [text for text in re.findall(r"^```yaml\n(.*?)^```", PAGE, re.M | re.S) if "generic" in text]
    profile = yaml.safe_load(text)
    assert {"executor", "default-resources"} < set(profile)
    submit = profile["cluster-generic-submit-cmd"]
    assert set(re.findall(r"{(.+?)}", submit)) == {"threads", "resources.mem_mb", "resources.runtime"}
    assert set(SLURM["default-resources"]) == set(profile["default-resources"]) == {"mem_mb", "runtime"}


def test_the_pages_script_says_what_pbs_knows_in_snakemakes_words(tmp_path):
    (script,) = re.findall(r"^```sh\n(.*?)^```", PAGE, re.M | re.S)
    qstat = tmp_path / "qstat"
    qstat.write_text('#!/bin/sh\necho "Job Id: $3"\nprintf "    $STATE"\n')
    qstat.chmod(0o755)
    for state, word in [
        ("job_state = Q", "running"),
        ("job_state = R", "running"),
        (r"job_state = F\n    Exit_status = 0", "success"),
        (r"job_state = F\n    Exit_status = 271", "failed"),
    ]:
        environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "STATE": state}
        run = subprocess.run(
            ["sh", "-c", script, "status", "7"], env=environment, capture_output=True, text=True
        )
        assert run.stdout == word + "\n", run.stderr


def test_make_passes_the_profile_on():
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))
    }
    run = subprocess.run(
        ["make", "-n", "-o", ".venv/ready", "reproduce", "PROFILE=profiles/slurm"],
        cwd=ROOT,
        env=environment,
        text=True,
        capture_output=True,
    )
    first = run.stdout.splitlines()[0]
    assert first == '.venv/bin/snakemake --workflow-profile="$SERA_PROFILE"'  # tests/workflow/test_make.py
