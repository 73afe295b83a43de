"""The plug-in requires all that its modules import, and nothing else."""

from __future__ import annotations

import ast
import re
import sys
import tomllib

from conftest import ROOT

from sera_guided.extras import PACKAGES


def required(file: str) -> set[str]:
    listed = tomllib.loads((ROOT / file).read_text(encoding="utf-8"))["project"]["dependencies"]
    return {re.split(r"[^\w-]", each)[0] for each in listed}


REQUIRED = required("plugins/sera-guided/pyproject.toml") - {"sera-reproduction"}


def imported() -> set[str]:
    """The packages outside the project that the plug-in's modules import, anywhere in them."""
    found = set()
    for file in (ROOT / "plugins/sera-guided/sera_guided").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Import(names=named):
                    found |= {alias.name for alias in named}
                case ast.ImportFrom(module=str(name)):
                    found.add(name)
    packages = {name.partition(".")[0] for name in found}
    return packages - {"sera", "sera_guided"} - sys.stdlib_module_names


def test_what_is_imported_is_required():
    assert imported() <= required("pyproject.toml") | REQUIRED


def test_what_is_required_is_imported_and_its_lack_names_what_installs_it():
    # sera.text.sentences imports syntok
    assert imported() | {"syntok"} >= REQUIRED == {*PACKAGES, "matplotlib", "syntok"}
