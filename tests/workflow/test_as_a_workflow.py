"""The workflow in another one, beside a further study, and where Snakemake is installed alone."""

from __future__ import annotations

import subprocess

import pytest
from checkouts import command, counted, planned_jobs, ran
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
    assert "mine/demo/scores/SERA.tsv" in run.stdout + run.stderr


@pytest.mark.parametrize(
    ("setting", "shared", "own"),
    [
        ("mu: 100", {"extract_corpus", "build_index_part", "learn_vectors", "summarize"}, {"search"}),
        ("length: 100words", {"extract_corpus", "build_index_part", "learn_vectors"}, {"summarize"}),
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
