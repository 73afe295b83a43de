"""Fingerprints of the code of jobs, so that a change of code reruns exactly the jobs that use it."""

from __future__ import annotations

import ast
import hashlib
import platform
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import metadata
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

_ROOT = Path(__file__).resolve().parents[2]
_PACKAGES = {"sera": _ROOT, "study": _ROOT, "sera_guided": _ROOT / "plugins" / "sera-guided"}
"""The project's packages and the folders that contain them; any other package counts by its version."""

_SCRIPTS = _ROOT / "scripts"
_DATA = (_ROOT / "sera" / "resources", _ROOT / "study" / "resources")


def code(script: str, *modules: str) -> str:
    """A hash over a script and all that it imports, as 16 hexadecimal digits.

    It covers the project's modules and the data files that they name, the versions of other packages, and the
    first two numbers of Python's version. Comments, docstrings and layout do not count. Entries of registries
    do not count either, since a registry loads modules by name and does not import them: ``modules`` names
    those that a job loads. A rule that runs one metric names the module of that metric.
    """
    parts = {".".join(platform.python_version_tuple()[:2])}
    names = frozenset().union(*map(_closure, [script, *modules]))
    for name in names:
        parts |= {_text(name)} if _file(name) else _versions(name)
    return hashlib.sha256("\0".join(sorted(parts)).encode()).hexdigest()[:16]


@cache
def _closure(module: str) -> frozenset[str]:
    """A module and all that it imports; a package outside the project counts only by its name."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            if _file(name):
                waiting += _imports(name)
    return frozenset(found)


@cache
def _imports(module: str) -> frozenset[str]:
    """The modules that the text of a module imports, and the packages that contain it."""
    return frozenset(_imported(module))


def _imported(module: str) -> Iterator[str]:
    if parent := module.rpartition(".")[0]:
        yield parent
    for name in _read(module).imports:
        package = name.partition(".")[0]
        if _file(name):
            yield name
        elif package not in _PACKAGES:
            yield package


@cache
def _file(module: str) -> Path | None:
    """The file of a module of the project or of a script; None for any other module."""
    path = _PACKAGES.get(module.partition(".")[0], _SCRIPTS).joinpath(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return path if path.is_file() else None


class _Read(NamedTuple):
    """What a module's text says: a hash over it, the names that it imports, and its texts."""

    hash: str
    imports: list[str]
    texts: set[str]


@cache
def _read(module: str) -> _Read:
    """The syntax tree of a module, without docstrings and without the entries of registries."""
    file = _file(module)
    assert file is not None
    tree = ast.parse(file.read_bytes())
    imports: list[str] = []
    texts: set[str] = set()
    waiting: list[ast.AST] = [tree]
    while waiting:  # one walk for all, because the workflow reads every module at every start
        node = waiting.pop()
        match node:
            case ast.Constant(value=str(text)):
                texts.add(text)
            case ast.Name() | ast.Constant():
                continue
            case ast.Import(names=names):
                imports += [alias.name for alias in names]
            case ast.ImportFrom(module=str(name), names=names):
                imports += [name, *(f"{name}.{alias.name}" for alias in names)]
            case ast.Module(body=body) | ast.ClassDef(body=body) | ast.FunctionDef(body=body):
                node.body = [part for part in body if not _is_text(part)]
            case ast.Call(func=ast.Name(id="Registry")):
                node.args = node.args[:1]
        waiting += ast.iter_child_nodes(node)
    return _Read(hashlib.sha256(f"{module} {ast.dump(tree)}".encode()).hexdigest(), imports, texts)


def _is_text(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
    return False


@cache
def _text(module: str) -> str:
    """A hash over a module's text and the data files that it names."""
    read = _read(module)
    hashed = hashlib.sha256(read.hash.encode())
    for name in sorted(_data_files().keys() & read.texts):
        hashed.update(name.encode() + _data_files()[name].read_bytes())
    return hashed.hexdigest()


@cache
def _data_files() -> dict[str, Path]:
    return {path.name: path for folder in _DATA for path in folder.rglob("*.*")}


@cache
def versions() -> dict[str, str]:
    """The versions of Python and of all packages that the project requires, directly or indirectly."""
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    apart = ("arrow", "test")  # not installed with the workflow
    extras = chain.from_iterable(
        each for name, each in project["optional-dependencies"].items() if name not in apart
    )
    packages = _required(Requirement(each).name for each in [*project["dependencies"], *extras])
    packages -= {canonicalize_name(project["name"])}
    return {
        "python": platform.python_version(),
        **{name: metadata.version(name) for name in sorted(packages)},
    }


@cache
def _versions(package: str) -> frozenset[str]:
    """The distributions of an imported package and those that they require, each with its version.

    A plug-in's module counts by the version of its package: its text is not read.
    """
    of_module = _providers().get(package.partition(".")[0], [])
    return frozenset(f"{name} {_version(name)}" for name in _required(of_module))


def _required(distributions: Iterable[str]) -> set[str]:
    """Distributions and all that they require, directly or indirectly."""
    found: set[str] = set()
    waiting = list(distributions)
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name not in found:
            found.add(name)
            waiting += _requires(name)
    return found


def _version(name: str) -> str:
    """The version; torch, which the trained systems need, is installed in an environment of its own."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "elsewhere"


@cache
def _requires(name: str) -> tuple[str, ...]:
    try:
        required = map(Requirement, metadata.requires(name) or [])
    except metadata.PackageNotFoundError:
        return ()
    return tuple(each.name for each in required if not each.marker or each.marker.evaluate({"extra": ""}))


@cache
def _providers() -> dict[str, list[str]]:
    return dict(metadata.packages_distributions())
