"""A hash of a script and of the code of this repository that it imports, so that an edit reruns its jobs."""

import hashlib
import re
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_PACKAGES = {"sera": _ROOT, "study": _ROOT, "sera_guided": _ROOT / "plugins/sera-guided"}
_IMPORT = re.compile(r"^\s*(?:from ([\w.]+) import (\([^)]*\)|.*)|import ([\w.]+))", re.MULTILINE)
_ENTRIES = re.compile(rb"\bRegistry\(.*?^\)", re.DOTALL | re.MULTILINE)
# What a program does not read: comments with the blanks before them, and empty lines; strings are kept.
_UNREAD = re.compile(
    rb"""(\"""(?:\\.|[^\\])*?\"""|\'\'\'(?:\\.|[^\\])*?\'\'\'|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')"""
    rb"|\s*#[^\n]*|\n\s*(?=\n)",
    re.DOTALL,
)
_DATA_NAME = re.compile(r"[\"']([\w.-]+\.\w+)[\"']")


def code(*names: str) -> str:
    """A hash of scripts and modules, and of all that they import, as 16 hexadecimal digits.

    It covers the modules of this repository without their comments, the data files in ``sera/resources`` and
    ``study/resources`` that they name, the lock file of other packages, and Python's version. A registry
    imports no module of its entries: ``names`` include those that a job loads by name, also modules of
    plug-ins. Raises ModuleNotFoundError for an unknown name.
    """
    files, queue = {_ROOT / "envs/requirements.lock"}, []
    for name in names:
        if not (file := _file(name)):
            raise ModuleNotFoundError(f"no script or module is named {name}")
        queue.append(file)
    while queue:
        file = queue.pop()
        if file not in files:
            files.add(file)
            queue += _find_imports(file)
    parts = [".".join(map(str, sys.version_info[:2])).encode(), *map(_content, sorted(files))]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]


@cache
def _find_imports(file: Path) -> list[Path]:
    """The files of the modules that a module imports, and the data files that it names."""
    if file.suffix != ".py":
        return []
    text = _content(file).decode()
    names = []
    for module, members, plain in _IMPORT.findall(text):
        name = plain or module
        if name.partition(".")[0] in _PACKAGES:
            names += [name.rsplit(".", levels)[0] for levels in range(name.count(".") + 1)]
            names += [f"{name}.{each}" for each in re.findall(r"\w+", members)]
    data = _data_files()
    return [
        *filter(None, map(_file, names)),
        *(data[name] for name in _DATA_NAME.findall(text) if name in data),
    ]


@cache
def _file(module: str) -> Path | None:
    """The file of a script or module; of a plug-in's module, where it is installed."""
    if (script := _ROOT / f"scripts/{module}.py").is_file():
        return script
    if folder := _PACKAGES.get(module.partition(".")[0]):
        path = folder.joinpath(*module.split("."))
        return next(filter(Path.is_file, (path.with_suffix(".py"), path / "__init__.py")), None)
    spec = find_spec(module)
    return Path(spec.origin) if spec and spec.origin else None


@cache
def _content(file: Path) -> bytes:
    """The bytes of a file, of a program without comments.

    The entries of a registry are left out, so that a new one reruns nothing else.
    """
    if file.suffix not in (".py", ".lock"):
        return file.read_bytes()
    return _UNREAD.sub(rb"\1", _ENTRIES.sub(b"", file.read_bytes())).strip()


@cache
def _data_files() -> dict[str, Path]:
    folders = (_ROOT / "sera/resources", _ROOT / "study/resources")
    return {path.name: path for folder in folders for path in folder.rglob("*.*")}
