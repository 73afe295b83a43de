"""The folders of the package are rooms in the order in which a summary travels."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from itertools import pairwise

import pytest
from conftest import ROOT

GROUND = "the ground floor"
ROOMS = [
    GROUND,
    *(
        "text",
        "corpora",
        "retrieval",
        "vectors",
        "metrics",
        "adapters",
        "evaluation",
        "summarizers",
        "published",
    ),
    *("benchmarks", "guided", "reporting", "multiverse", "matrix", "cli"),
]
FILES = sorted((ROOT / "sera").rglob("*.py"))
PRODUCT = ("sera", "rules", "scripts", "schemas", "envs", "bench")
LONGEST, LONGEST_OF_COMMANDS = 450, 250  # lines
SHARED = {"concatenate_tables", "extract_corpus", "read_benchmark"}
"""The scripts of several rules."""


def room(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in ROOMS else GROUND


def imported(file):
    """The modules of the package that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("sera."))
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == "sera":
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_a_room_imports_only_from_rooms_before_it(file):
    own = ROOMS.index(room(".".join(file.relative_to(ROOT).with_suffix("").parts)))
    later = [module for module in imported(file) if ROOMS.index(room(module)) > own]
    assert not later


def test_every_folder_is_a_room():
    folders = {path.name for path in (ROOT / "sera").iterdir() if (path / "__init__.py").exists()}
    assert folders == {*ROOMS[1:], "resources"}


def test_no_two_modules_have_one_name():
    names = sorted(file.stem for file in FILES if file.stem != "__init__")
    assert not [one for one, other in pairwise(names) if one == other]


INTERFACES = {"JUDGED", "LACKS", "RELEASE", "log"}
"""What each benchmark says of itself, and each module's logger."""


def test_no_two_classes_or_constants_have_one_name():
    found = defaultdict(set)
    for file in [*FILES, *(ROOT / "rules").glob("*.py")]:
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                names = [node.name]
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = [name.id for one in targets for name in ast.walk(one) if isinstance(name, ast.Name)]
            else:
                continue
            for name in names:
                if not name.startswith("_"):
                    found[name].add(str(file.relative_to(ROOT)))
    assert {name: files for name, files in found.items() if len(files) > 1 and name not in INTERFACES} == {}


def test_no_file_is_too_long_to_read():
    files = [file for folder in PRODUCT for file in (ROOT / folder).rglob("*.py")]
    long = {
        str(file.relative_to(ROOT)): lines
        for file in files
        if (lines := len(file.read_text(encoding="utf-8").splitlines()))
        > (LONGEST_OF_COMMANDS if file.parent == ROOT / "sera" / "cli" else LONGEST)
    }
    assert files and long == {}


def test_each_script_is_that_of_the_rule_of_its_name():
    rules_of = defaultdict(set)
    for file in (ROOT / "Snakefile", *(ROOT / "rules").glob("*.smk")):
        text = file.read_text(encoding="utf-8")
        for part in re.split(r"^ *(?=(?:rule|checkpoint) \w+:)", text, flags=re.MULTILINE)[1:]:
            for script in re.findall(r"^ *script:\s*\"(.*)\"", part, re.MULTILINE):
                rules_of[script].add(part.split(":")[0].split()[1])
    scripts = {
        path.stem: f"../scripts/{path.name}" for path in (ROOT / "scripts").iterdir() if path.is_file()
    }
    assert sorted(rules_of) == sorted(scripts.values())
    alone = {name: rules_of[script] for name, script in scripts.items() if name not in SHARED}
    assert alone == {name: {name} for name in alone}
    assert all(len(rules_of[scripts[name]]) > 1 for name in SHARED)
