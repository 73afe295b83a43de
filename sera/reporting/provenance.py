"""The record of what made the results: code, packages, settings and files."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from sera import tsv
from sera.reporting.made import sha256

_Path = str | PathLike[str]


class File(NamedTuple):
    """The name of a file, its size in bytes and the SHA-256 of its content in hexadecimal."""

    file: str
    bytes: int
    sha256: str


def checksums(paths: Iterable[_Path], root: _Path = ".") -> Iterator[File]:
    """The checksums of files and of files in folders, except hidden ones; paths in ``root`` are relative."""
    files: set[Path] = set()
    for path in map(Path, paths):
        inside = path.rglob("*") if path.is_dir() else [path]
        files.update(each for each in inside if each.is_file() and not each.name.startswith("."))
    for path in sorted(files):
        name = path.relative_to(root) if path.is_relative_to(root) else path
        yield File(name.as_posix(), path.stat().st_size, sha256(os.fspath(path)))


def write_files(path: _Path, files: Iterable[File]) -> None:
    """Write checksums as a TSV table: ``file``, ``bytes``, ``sha256``."""
    tsv.write(path, pd.DataFrame(files, columns=File._fields))


def read_files(path: _Path) -> list[File]:
    """Read a table that `write_files` wrote; InputError for another form."""
    table = tsv.read(path, File._fields)
    sizes = tsv.numbers(table, "bytes", path).astype("int64")
    return [File(*row) for row in zip(table["file"], sizes, table["sha256"], strict=True)]


def commit(checkout: _Path) -> dict[str, Any]:
    """The commit of a checkout, and whether tracked files differ from it; None if git does not know."""

    def git(*arguments: str) -> str | None:
        try:
            run = subprocess.run(["git", "-C", str(checkout), *arguments], capture_output=True, text=True)
        except OSError:
            return None
        return run.stdout.strip() if run.returncode == 0 else None

    top = git("rev-parse", "--show-toplevel")
    if not top or Path(top).resolve() != Path(checkout).resolve():  # a copy inside another repository
        return {"commit": None, "modified": None}
    changed = git("status", "--porcelain", "--untracked-files=no")
    return {"commit": git("rev-parse", "HEAD"), "modified": None if changed is None else bool(changed)}


def record(
    *,
    code: Mapping[str, Any],
    versions: Mapping[str, str],
    settings: Mapping[str, Any],
    inputs: Iterable[File],
    results: Iterable[File],
) -> dict[str, Any]:
    """The record as plain data; ``code`` is the result of `commit`, ``versions`` has those of packages."""
    return {
        "code": dict(code),
        "versions": dict(versions),
        "settings": dict(settings),
        "inputs": [file._asdict() for file in inputs],
        "results": [file._asdict() for file in results],
    }
