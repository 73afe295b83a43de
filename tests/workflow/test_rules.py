"""The files of rules: where their names come from, that their order does not matter, and their functions."""

from __future__ import annotations

import io
import json
import random
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from types import SimpleNamespace

import pytest
from checkouts import checkout, planned_jobs, ran, snakemake
from conftest import ROOT
from snakemake import parser

from sera.errors import InputError
from study.settings.checks import no_multiverse
from study.settings.systems import possible
from study.workflow.rules import growing, making, parameters_of, steps

RULES = ROOT / "rules"
OF_SNAKEMAKE = [
    *("WorkflowError", "checkpoint", "checkpoints", "config", "directory", "expand", "multiext", "report"),
    *("rule", "rules", "script", "shell", "workflow"),
]
"""What Snakemake defines in a file of rules."""


def text_of(path: Path) -> str:
    """The text of a file of rules, with those that it includes in their places."""

    def included(line: re.Match) -> str:
        return textwrap.indent(text_of(path.parent / line[2]), line[1])

    return re.sub(r'^( *)include: "(.+)"', included, path.read_text(encoding="utf-8"), flags=re.MULTILINE)


def python_of(text: str) -> str:
    """What Snakemake makes of rules, without what it adds itself."""
    source = SimpleNamespace(get_path_or_uri=lambda secret_free: "")
    workflow = SimpleNamespace(sourcecache=SimpleNamespace(open=lambda _: io.StringIO(text)))
    return parser.parse(source, workflow, {})[0]


def test_a_file_uses_its_own_names_and_those_of_common_and_imports_no_others(tmp_path):
    common = text_of(RULES / "common.smk")
    (tmp_path / "F821").mkdir()  # undefined names
    (tmp_path / "F401").mkdir()  # unused imports
    for path in RULES.glob("*.smk"):
        own = python_of(text_of(path))
        (tmp_path / f"F821/{path.stem}.py").write_text(python_of(common) + own)
        if path.stem != "common":  # what it imports is for all: study.smk includes them
            (tmp_path / f"F401/{path.stem}.py").write_text(own)
    known = f"builtins={json.dumps(OF_SNAKEMAKE)}"
    for fault in ("F821", "F401"):
        line = [sys.executable, "-m", "ruff", "check", "--isolated", "--config", known, "--select", fault]
        found = subprocess.run([*line, tmp_path / fault], capture_output=True, text=True)
        assert found.returncode == 0, found.stdout


def test_the_order_of_files_does_not_matter(tmp_path):
    folder = checkout(tmp_path / "study")
    study = folder / "rules/study.smk"
    before = planned_jobs(folder)
    assert len(before) > 25
    text = study.read_text(encoding="utf-8")
    common, *lines = re.findall(r"^include: .+$", text, re.MULTILINE)
    assert common == 'include: "common.smk"' and len(lines) > 8
    for order in (lines[::-1], random.Random(2016).sample(lines, len(lines))):
        study.write_text(text.replace("\n".join(lines), "\n".join(order)), encoding="utf-8")
        assert planned_jobs(folder) == before


def test_the_profile_is_found_from_another_folder(unrun, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "config.yaml").write_text((unrun / "config.yaml").read_text())
    (elsewhere / "own").symlink_to(unrun / "own")
    run = ran(elsewhere, "--snakefile", f"{unrun}/Snakefile", "--dry-run", "--printshellcmds")
    assert f"{unrun}/profiles/default" in run.stderr


def test_resources_grow_with_each_attempt(tmp_path):
    """Those of the profile, as those of a rule."""
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "profiles").symlink_to(ROOT / "profiles")
    said = "echo {resources.mem_mb} {resources.runtime} >> said"
    third = "test $(wc -l < said) = 3 && touch made"
    (folder / "Snakefile").write_text(f"rule x:\n    output: 'made'\n    shell: '{said}; {third}'\n")
    ran(folder, "--retries", "2", library=ROOT)
    assert (folder / "said").read_text() == "1000 2\n2000 4\n3000 6\n"
    assert [growing(30)(None, attempt) for attempt in (1, 2)] == [30, 60]


def test_parameters_of_a_system_come_before_those_of_its_paper():
    own = {"lsa": {"smooth": 0.2}}
    assert parameters_of("lsa", "papers", own) == {"sigma_ratio": 0.5, "smooth": 0.2}
    assert parameters_of("lsa", "sumy", own) == {"smooth": 0.2}
    assert parameters_of("mmr", "papers", own) == {}


class Output(str):
    """An output of a rule that takes only some values of its wildcards."""

    def match(self, path: str) -> bool:
        return "no" not in path


def test_the_steps_are_the_outputs_of_the_rules():
    one, other = (
        SimpleNamespace(output=[Output(path) for path in paths])
        for paths in (["out/a", "out/b/{x,[a-z]+}"], ["out/m/{y}-{x}.tsv"])
    )
    rules = [one, other, SimpleNamespace(output=["elsewhere/a"]), SimpleNamespace(output=[])]
    assert making("out", rules) == [one, other] and making("out/m", rules) == [other]
    assert making("out", rules, but=[other]) == [one]
    values = {"x": ["yes", "no"], "x,y": [(1, 2), (3, "no")]}
    assert steps([one, other], values) == ["out/a", "out/b/yes", "out/m/2-1.tsv"]
    with pytest.raises(KeyError):
        steps([other], {"x": [1]})


def test_why_there_is_no_multiverse():
    assert no_multiverse("demo", False, ["Pyramid"]) is None
    assert "nist provides summaries or clean articles" in no_multiverse("nist", True, ["pyramid"])
    assert "the benchmark scitldr has none" in no_multiverse("scitldr", False, [])
    assert "the language is de" in no_multiverse("folder", False, ["Pyramid"], "de")


def test_systems_that_need_what_a_benchmark_lacks_are_left_out():
    systems = ["lexrank", "citation_lexrank", "random_2", "mine"]
    assert possible(systems, []) == systems
    for lacks, language in ((["citances", "nuggets"], "en"), ([], "de")):
        assert possible(systems, lacks, language) == ["lexrank", "random_2", "mine"]
        with pytest.raises(InputError, match="all of them need citances"):
            possible(["citation_context"], lacks or ["citances"], language)


def test_the_multiverse_varies_the_index_once_for_all_universes(unrun):
    """By the study's own settings; without the multiverse no journals are listed."""
    jobs = planned_jobs(unrun, "multiverse")
    assert jobs["vary_index"] == 1 and jobs["list_journals"] == jobs["extract_corpus"] > 0
    jobs = planned_jobs(unrun, "results/demo/multiverse/index_sizes.tsv")
    assert (jobs["vary_index"], jobs["index_universes"]) == (1, 1)
    assert {"compute_universes", "score_universes_sera"}.isdisjoint(jobs)
    assert {"vary_index", "list_journals"}.isdisjoint(planned_jobs(unrun))


def test_the_setting_input_chooses_the_folder_of_scitldr(unrun, tmp_path):
    release = tmp_path / "scitldr/SciTLDR-Data"
    release.mkdir(parents=True)
    settings = ("benchmark=scitldr", f"data={release.parent}", "input=FullText")
    run = snakemake(unrun, "--dry-run", "--config", *settings)
    assert f"data: there is no folder {release}/SciTLDR-FullText" in run.stdout + run.stderr
