"""The workflow behaves as any other: in a module, with rules of a user's own, with a user's own profile."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from checkouts import command, planned_jobs, ran, snakemake
from conftest import ROOT

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


@pytest.fixture
def importing(unrun, tmp_path):
    """A workflow in another folder that uses the study as a module and adds a rule."""
    (tmp_path / "Snakefile").write_text(IMPORTING % unrun)
    return tmp_path


def test_the_study_is_a_module_of_another_workflow(unrun, importing):
    jobs = planned_jobs(importing, "--config", "other=1")
    assert {"count_rows", "sera_search", "sera_score", "sera_gather_scores"} <= jobs.keys()
    run = ran(importing, "--dry-run", "--printshellcmds")
    assert "mine/demo/scores/SERA.tsv" in run.stdout + run.stderr


OWN_RULE = """

rule count_rows:
    input:
        "<results>/summaries.jsonl",
    output:
        "<results>/rows.txt",
    %s
"""
WAYS = {
    "shell": 'shell:\n        "wc -l < {input} %s> {output}"',
    "run": "run:\n        open(output[0], 'w').write('%s')",
    "script": 'script:\n        "count.sh"',
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("file", ["Snakefile", "rules/summarize.smk"])
def test_a_rule_of_ones_own_reruns_when_its_text_changes(study, tmp_path, way, file):
    folder = tmp_path / "study"
    shutil.copytree(study, folder, symlinks=True)
    for record in (folder / ".snakemake/metadata").iterdir():  # names inputs by their absolute paths
        record.write_text(record.read_text().replace(f"{study}/", f"{folder}/"))
    path, before = folder / file, (folder / file).read_text()

    def write(change: str) -> None:
        text = WAYS[way] % change if way != "script" else WAYS[way]
        path.write_text(before + OWN_RULE % text)
        for script in (folder / "count.sh", folder / "rules/count.sh"):
            script.write_text(f"wc -l < ${{snakemake_input[0]}} {change} > ${{snakemake_output[0]}}\n")

    target = "results/demo/rows.txt"
    write("")
    ran(folder, target)
    assert planned_jobs(folder, target) == {}
    write("  ")
    assert planned_jobs(folder, target) == {"count_rows": 1}


def test_a_profile_of_ones_own_sets_what_jobs_request(unrun, tmp_path):
    profile = tmp_path / "site"
    profile.mkdir()
    (profile / "config.yaml").write_text("default-resources:\n  mem_mb: 3000\n  partition: \"'long'\"\n")
    run = snakemake(unrun, "--dry-run", "--profile", str(profile), "results/demo/references.jsonl")
    assert run.returncode == 0 and "mem_mb=3000" in run.stdout + run.stderr
    assert "partition=long" in run.stdout + run.stderr


def test_a_dry_run_names_the_rule_its_reason_and_its_outputs(unrun):
    run = snakemake(unrun, "--dry-run", "results/demo/scores/SERA.tsv")
    text = (run.stdout + run.stderr).partition("rule score:")[2]
    assert "results/demo/scores/SERA.tsv" in text and "reason: Missing output files" in text


@pytest.mark.parametrize("command", ["--list-rules", "--summary", "--lint", "--unlock"])
def test_commands_that_run_nothing_work_at_any_time(unrun, command):
    assert snakemake(unrun, command).returncode == 0


def test_the_page_of_files_names_their_rules():
    page = (ROOT / "results/README.md").read_text(encoding="utf-8")
    cells = re.findall(r"^\| `.*\| (.*) \|$", page, re.MULTILINE)
    named = {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "rules").glob("*.smk"))
    assert len(named) > 20 and named <= set(re.findall(r"^ *(?:rule|checkpoint) (\w+):", text, re.MULTILINE))


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


# Hides the packages of the study from its modules, as where Snakemake is installed alone.
HIDING = """
import builtins, importlib.util

HIDDEN = {"numpy", "pandas", "scipy", "numba", "matplotlib", "lxml", "syntok", "nltk", "sumy"}
importing, finding = builtins.__import__, importlib.util.find_spec

def without(name, globals=None, locals=None, fromlist=(), level=0):
    module = str((globals or {}).get("__name__")).partition(".")[0]
    if module in ("sera", "study", "sera_guided") and name.partition(".")[0] in HIDDEN:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return importing(name, globals, locals, fromlist, level)

builtins.__import__ = without
importlib.util.find_spec = lambda name, package=None: None if name in HIDDEN else finding(name, package)
"""


@pytest.mark.parametrize("arguments", [["--dry-run"], ["--list-rules"]])
def test_rules_need_snakemake_alone(unrun, tmp_path, arguments):
    (tmp_path / "sitecustomize.py").write_text(HIDING)
    line, environment = command(unrun, *arguments)
    environment["PYTHONPATH"] = f"{tmp_path}:{unrun}"
    run = subprocess.run(line, cwd=unrun, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "gather_scores" in run.stdout + run.stderr
