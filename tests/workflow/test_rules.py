"""The files of rules: each imports what it uses, their order does not matter, and no step is named twice."""

from __future__ import annotations

import ast
import builtins
import random
import re
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
from checkouts import checkout, planned_jobs, snakemake
from conftest import ROOT
from snakemake import parser

from sera.errors import InputError
from study.settings.checks import no_multiverse
from study.settings.systems import possible
from study.workflow.rules import growing, making, parameters_of, steps

FILES = sorted((ROOT / "rules").glob("*.smk"))
COMMON = ROOT / "rules" / "common.smk"
OF_SNAKEMAKE = {
    *("WorkflowError", "checkpoints", "config", "directory", "expand", "multiext", "report", "rules"),
    *("script", "shell", "workflow"),
}
"""What Snakemake defines in a file of rules."""


class Rules:
    """The names that a file of rules imports, defines and uses, and the files that it includes."""

    def __init__(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(_python(path))
        nodes = list(ast.walk(tree))
        names = [node for node in nodes if isinstance(node, ast.Name)]
        self.imported = {
            (alias.asname or alias.name).partition(".")[0]
            for node in nodes
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        }
        functions = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
        arguments = {node.arg for node in nodes if isinstance(node, ast.arg)}
        caught = {node.name for node in nodes if isinstance(node, ast.ExceptHandler)}
        stored = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        self.own = functions | arguments | caught | stored
        self.used = {node.id for node in names if isinstance(node.ctx, ast.Load)}
        self.included = [path.parent / name for name in re.findall(r'^include: "(.+)"', text, re.MULTILINE)]

    def shared(self) -> set[str]:
        """The names that it and the files that it includes define for others; imports are none of them."""
        return self.own.union(*(read(path).shared() for path in self.included))


@cache
def read(path: Path) -> Rules:
    return Rules(path)


def _python(path: Path) -> str:
    """What Snakemake makes of a file, without what it adds itself."""
    source = SimpleNamespace(get_path_or_uri=lambda secret_free: str(path))
    workflow = SimpleNamespace(sourcecache=SimpleNamespace(open=lambda _: path.open(encoding="utf-8")))
    return parser.parse(source, workflow, {})[0]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_imports_what_it_uses(path):
    file = read(path)
    here = file.imported | file.shared() | OF_SNAKEMAKE | set(dir(builtins))
    unknown = file.used - here - {"rule", "checkpoint"} - read(COMMON).shared()
    assert unknown == set()
    assert file.imported <= file.used


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


def test_the_profile_is_found_from_another_folder(tmp_path):
    folder, elsewhere = checkout(tmp_path / "study"), tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "config.yaml").write_text((folder / "config.yaml").read_text())
    (elsewhere / "own").symlink_to(folder / "own")
    run = snakemake(elsewhere, "--snakefile", f"{folder}/Snakefile", "--dry-run", "--printshellcmds")
    assert run.returncode == 0, run.stderr
    assert f"{folder}/profiles/default" in run.stderr


def test_resources_grow_with_each_attempt(tmp_path):
    """Those of the profile, as those of a rule."""
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "profiles").symlink_to(ROOT / "profiles")
    said = "echo {resources.mem_mb} {resources.runtime} >> said"
    third = "test $(wc -l < said) = 3 && touch made"
    (folder / "Snakefile").write_text(f"rule x:\n    output: 'made'\n    shell: '{said}; {third}'\n")
    run = snakemake(folder, "--retries", "2", library=ROOT)
    assert run.returncode == 0, run.stderr
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
    assert "nist gives summaries or clean articles" in no_multiverse("nist", True, ["pyramid"])
    assert "the benchmark scitldr has none" in no_multiverse("scitldr", False, [])
    assert "the language is de" in no_multiverse("folder", False, ["Pyramid"], "de")


def test_systems_that_need_what_a_benchmark_lacks_are_left_out():
    systems = ["lexrank", "citation_lexrank", "random_2", "mine"]
    assert possible(systems, []) == systems
    for lacks, language in ((["citances", "nuggets"], "en"), ([], "de")):
        assert possible(systems, lacks, language) == ["lexrank", "random_2", "mine"]
        with pytest.raises(InputError, match="all of them need citances"):
            possible(["citation_context"], lacks or ["citances"], language)


def test_the_setting_input_chooses_the_folder_of_scitldr(tmp_path):
    release = tmp_path / "scitldr/SciTLDR-Data"
    release.mkdir(parents=True)
    settings = ("benchmark=scitldr", f"data={release.parent}", "input=FullText")
    run = snakemake(checkout(tmp_path / "study"), "--dry-run", "--config", *settings)
    assert f"data: there is no folder {release}/SciTLDR-FullText" in run.stdout + run.stderr
