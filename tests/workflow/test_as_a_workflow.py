"""The workflow in another one, beside a further study, and where Snakemake is installed alone."""

from __future__ import annotations

import subprocess

import pytest
from checkouts import command, counted, planned_jobs, ran, refused
from commands import refusing

IMPORTING = """
config["sera"] = {"results": "mine", "mu": 500, "cutoffs": [5, 10]}


module sera:
    snakefile:
        "%s/Snakefile"
    config:
        config["sera"]


use rule * from sera as sera_*


rule count_rows:
    default_target: True
    input:
        "mine/demo/scores.tsv",
    output:
        "rows.txt",
    shell:
        "wc -l < {input} > {output}"
"""


def test_the_study_is_a_module_of_another_workflow(unrun, tmp_path):
    (tmp_path / "Snakefile").write_text(IMPORTING % unrun)
    run = ran(tmp_path, "--dry-run", "--printshellcmds", "--config", "other=1")
    assert {"count_rows", "sera_search", "sera_score", "sera_gather_scores"} <= counted(run).keys()
    assert "mine/demo/scores/index.tsv" in run.stdout + run.stderr


def test_a_module_with_a_prefix_of_paths_is_refused(unrun, tmp_path):
    prefixed = IMPORTING.replace("    config:\n", "    prefix:\n        'sub'\n    config:\n")
    (tmp_path / "Snakefile").write_text(prefixed % unrun)
    said = refused(tmp_path, "--dry-run")
    assert "Error: a module's `prefix` changes paths" in said and "{'results': 'sub/results'}" in said


def test_a_module_from_github_is_told_to_be_a_clone(unrun, tmp_path, monkeypatch):
    """Snakemake's cache of repositories has one that was fetched."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    cached = "cache/snakemake/snakemake/source-cache/snakemake-git-cache/github.com/owner/sera"
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    for line in (
        ["git", "init", "--quiet", "work"],
        ["cp", "-r", *(unrun / name for name in ("Snakefile", "config.yaml", "rules")), "work"],
        ["git", "-C", "work", "add", "."],
        [*git, "-C", "work", "commit", "--quiet", "--message=a"],
        ["git", "-C", "work", "tag", "v9"],
        ["git", "clone", "--quiet", "--bare", "work", cached],
    ):
        subprocess.run(line, cwd=tmp_path, check=True)
    (tmp_path / "Snakefile").write_text(
        IMPORTING.replace('"%s/Snakefile"', 'github("owner/sera", path="Snakefile", tag="v9")')
    )
    said = refused(tmp_path, "--dry-run")
    assert "Error: a module by `github` has no packages" in said and "Traceback" not in said


@pytest.mark.parametrize(
    ("setting", "shared", "own"),
    [
        ("mu: 100", {"extract_corpus", "build_index_part", "learn_vectors", "summarize"}, {"search"}),
        ("length: 100words", {"extract_corpus", "build_index_part", "learn_vectors"}, {"summarize"}),
        ("seed: 1", {"extract_corpus", "build_index_part", "learn_vectors"}, {"summarize"}),
        ("analyzer: standard", {"extract_corpus", "summarize"}, {"build_index_part"}),
        ("figures: true", set(), {"extract_corpus", "build_index_part"}),
    ],
)
def test_a_further_study_reads_what_its_settings_do_not_change(unrun, setting, shared, own):
    jobs = planned_jobs(unrun, "--config", f"studies={{further: {{{setting}}}}}")
    assert {f"further_{rule}" for rule in own} <= jobs.keys()
    assert not {f"further_{rule}" for rule in shared} & jobs.keys() and shared <= jobs.keys()


def test_rules_need_snakemake_alone(unrun, tmp_path):
    """And pandas, which its plug-in for SLURM imports."""
    hidden = {"scipy", "numba", "matplotlib", "lxml", "syntok", "nltk", "sumy"}
    (tmp_path / "sitecustomize.py").write_text(refusing(hidden))
    line, environment = command(unrun, "--dry-run")
    environment["PYTHONPATH"] = f"{tmp_path}:{unrun}"
    run = subprocess.run(line, cwd=unrun, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "gather_scores" in run.stdout + run.stderr
