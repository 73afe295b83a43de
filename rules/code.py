"""The fingerprint of the code that a job runs, so that a change of code reruns exactly what uses it."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import sera

_ROOT = Path(sera.__file__).resolve().parent.parent


def code(*modules: str) -> str:
    """A hash over the named modules of this project and all of the project that they import.

    What a registry loads by name is not imported by it, so it has to be named: a rule that runs one
    metric names that metric's module.
    """
    digest = hashlib.sha256()
    for name in sorted(set().union(*(_closure(module) for module in modules))):
        digest.update(f"{name}\0".encode() + _file(name).read_bytes())
    return digest.hexdigest()[:16]


@cache
def _closure(module: str) -> frozenset[str]:
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _imports(name)
    return frozenset(found)


def _imports(module: str) -> Iterator[str]:
    """The project's modules that a module's text imports, its packages included."""
    parent = module.rpartition(".")[0]
    if parent:
        yield parent
    for node in ast.walk(ast.parse(_file(module).read_bytes())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        yield from (name for name in names if name.split(".")[0] == "sera" and _exists(name))


def _file(module: str) -> Path:
    path = _ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _exists(module: str) -> bool:
    return _file(module).is_file()
