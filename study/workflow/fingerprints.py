"""Fingerprints of the code of jobs, so that a change of code reruns exactly the jobs that use it."""

from __future__ import annotations

import ast
import hashlib
import platform
import re
import sys
import tomllib
from collections.abc import Callable, Iterable
from functools import cache
from importlib import metadata
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from study.workflow.memory import Memory

_ROOT = Path(__file__).resolve().parents[2]
_PACKAGES = {"sera": _ROOT, "study": _ROOT, "sera_guided": _ROOT / "plugins" / "sera-guided"}
"""The project's packages and the folders that contain them; any other package counts by its version."""

_FILE_NAME = re.compile(r"[\w.-]+\.\w+")
_SCRIPTS = _ROOT / "scripts"
_DATA = (_ROOT / "sera" / "resources", _ROOT / "study" / "resources")


_INSTALLED = [path for path in map(Path, dict.fromkeys(sys.path)) if path.is_dir() and path != _SCRIPTS]
_MEMORY = Memory(Path(__file__).parent / "__pycache__" / f"fingerprints.{sys.implementation.cache_tag}.json")
"""What earlier runs read of modules and packages, kept beside Python's bytecode."""
_MEMORY.keep_at_exit()


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
def _imports(module: str) -> list[str]:
    """The modules that the text of a module imports, and the package that contains it."""
    named = [name if _file(name) else name.partition(".")[0] for name in _read(module).imports]
    return [*filter(None, [module.rpartition(".")[0]]), *named]


@cache
def _file(module: str) -> Path | None:
    """The file of a module of the project or of a script; None for any other module."""
    path = _PACKAGES.get(module.partition(".")[0], _SCRIPTS).joinpath(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return path if path.is_file() else None


def _remembered(what: str, read: Callable[[], list[Any]], *of: Path) -> list[Any]:
    """What ``read`` returns, remembered while the times and the sizes of files or folders stay the same."""
    there = [path.stat() for path in (Path(__file__), *of) if path.exists()]
    return _MEMORY.value(
        what, [number for each in there for number in (each.st_mtime_ns, each.st_size)], read
    )


class _Read(NamedTuple):
    """A module's text: a hash over it, the names that it imports, and its texts that look like file names."""

    hash: str
    imports: list[str]
    texts: list[str]


@cache
def _read(module: str) -> _Read:
    file = _file(module)
    assert file is not None
    return _Read(*_remembered(f"{file} as {module}", lambda: [*_parsed(module, file)], file))


def _parsed(module: str, file: Path) -> _Read:
    """The syntax tree of a module, without docstrings and without the entries of registries."""
    tree = ast.parse(file.read_bytes())
    imports: list[str] = []
    texts: set[str] = set()
    waiting: list[ast.AST] = [tree]
    while waiting:  # one walk for all, because the workflow reads every module at every start
        node = waiting.pop()
        match node:
            case ast.Constant(value=str(text)) if _FILE_NAME.fullmatch(text):
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
    return _Read(hashlib.sha256(f"{module} {ast.dump(tree)}".encode()).hexdigest(), imports, sorted(texts))


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
    for name in sorted(_data_files().keys() & set(read.texts)):
        hashed.update(name.encode() + _data_files()[name].read_bytes())
    return hashed.hexdigest()


@cache
def _data_files() -> dict[str, Path]:
    return {path.name: path for folder in _DATA for path in folder.rglob("*.*")}


def versions() -> dict[str, str]:
    """The versions of Python and of all packages that the project requires, directly or indirectly."""
    packages = _remembered("required", _installed_versions, *_INSTALLED)
    return {"python": platform.python_version(), **dict(packages)}


def _installed_versions() -> list[tuple[str, str]]:
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {
        name: of for name, of in project["optional-dependencies"].items() if name not in ("arrow", "test")
    }
    packages = _required(Requirement(each).name for each in chain(project["dependencies"], *extras.values()))
    packages.pop(canonicalize_name(project["name"]), None)
    return sorted(packages.items())


@cache
def _versions(package: str) -> frozenset[str]:
    """The distributions of an imported package and those that they require, each with its version.

    A plug-in's module counts by the version of its package: its text is not read.
    """

    def read() -> list[str]:
        distributions = _providers().get(package.partition(".")[0], [])
        return [f"{name} {version}" for name, version in sorted(_required(distributions).items())]

    return frozenset(_remembered(package, read, *_INSTALLED))


def _required(distributions: Iterable[str]) -> dict[str, str]:
    """The versions of distributions and of all that they require, directly or indirectly.

    That of torch, which the trained systems need and another environment has, is ``elsewhere``.
    """
    found: dict[str, str] = {}
    waiting = list(distributions)
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name in found:
            continue
        try:
            there = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            found[name] = "elsewhere"
            continue
        found[name] = there.version
        needs = map(Requirement, there.requires or [])
        waiting += [each.name for each in needs if not each.marker or each.marker.evaluate({"extra": ""})]
    return found


_providers = cache(metadata.packages_distributions)
