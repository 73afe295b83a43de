"""The plug-in requires all that the guided summarizers and BERTScore import, and nothing else."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from conftest import ROOT

from sera_guided.extras import PACKAGES


def project(file: str) -> dict:
    return tomllib.loads((ROOT / file).read_text(encoding="utf-8"))["project"]


BY_NAME = ["sera.metrics.rouge.measures", "sera.metrics.rouge_k", "sera_guided.bert_score"]
"""Modules that registries load: metrics that judge a training, and the one that needs the extra."""


def names(extra: list[str]) -> set[str]:
    return {re.split(r"[^\w-]", each)[0] for each in extra}


REQUIRED = names(project("plugins/sera-guided/pyproject.toml")["dependencies"]) - {"sera-reproduction"}
INSTALLED = names(project("pyproject.toml")["dependencies"]) | REQUIRED
HOUSES = {"sera": ROOT, "sera_guided": ROOT / "plugins/sera-guided"}


def file_of(module: str) -> Path | None:
    house = HOUSES.get(module.partition(".")[0])
    if house is None:
        return None
    path = house.joinpath(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return path if path.is_file() else None


def imports(file: Path, *, deep: bool) -> Iterator[str]:
    """What a file imports: with ``deep`` anywhere, otherwise where it is imported itself."""
    waiting: list[ast.AST] = [ast.parse(file.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.FunctionDef() if not deep:
                continue
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                continue
            case ast.Import(names=named):
                yield from (alias.name for alias in named)
            case ast.ImportFrom(module=str(name), names=named):
                yield name
                yield from (f"{name}.{alias.name}" for alias in named if file_of(f"{name}.{alias.name}"))
        waiting += ast.iter_child_nodes(node)


def packages(starts: list[str]) -> dict[str, str]:
    """The packages outside the project that modules need, and those that they import, each with a module.

    What a module of `sera_guided` imports counts wherever it stands in it.
    """
    found: dict[str, str] = {}
    seen: set[str] = set()
    waiting = list(starts)
    while waiting:
        module = waiting.pop()
        file = file_of(module)
        if file and module not in seen:
            seen.add(module)
            for name in imports(file, deep=module.startswith("sera_guided.")):
                waiting += [name, name.rpartition(".")[0]]
                package = name.partition(".")[0]
                if package not in HOUSES and package not in sys.stdlib_module_names:
                    found.setdefault(package, module)
    return found


MODULES = [
    f"sera_guided.{file.stem}"
    for file in sorted((ROOT / "plugins/sera-guided/sera_guided").glob("[a-z]*.py"))
]


def test_the_plug_in_requires_every_package_that_is_imported():
    found = packages([*MODULES, *BY_NAME])
    assert {"torch", "syntok", "matplotlib", "tokenizers", "safetensors"} <= set(found)
    assert {package: module for package, module in found.items() if package not in INSTALLED} == {}


def test_a_required_package_is_imported_and_its_lack_names_what_installs_it():
    assert REQUIRED <= set(packages(MODULES)) and {*PACKAGES, "matplotlib", "syntok"} == REQUIRED
