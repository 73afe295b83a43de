"""The record of what made the results: code, packages, settings and files."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

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
    """The ``commit`` of a checkout, whether it is ``modified``, and the ``repository`` it was cloned from.

    It is modified if tracked files differ from the commit. The repository is the `public_address` of the
    remote named origin. Each is None if git does not know it.
    """

    def git(*arguments: str) -> str | None:
        try:
            run = subprocess.run(["git", "-C", str(checkout), *arguments], capture_output=True, text=True)
        except OSError:
            return None
        return run.stdout.strip() if run.returncode == 0 else None

    top = git("rev-parse", "--show-toplevel")
    if not top or Path(top).resolve() != Path(checkout).resolve():  # a copy inside another repository
        return {"commit": None, "modified": None, "repository": None}
    changed = git("status", "--porcelain", "--untracked-files=no")
    return {
        "commit": git("rev-parse", "HEAD"),
        "modified": None if changed is None else bool(changed),
        "repository": public_address(git("remote", "get-url", "origin") or ""),
    }


def public_address(remote: str) -> str | None:
    """The address of a git remote without user, password and query, which may be secrets.

    None for a folder, which is an address on one machine alone.
    """
    short = re.fullmatch(r"(?:[^/@]*@)?([\w.-]{2,}):(?!//)(\S+)", remote)  # [user@]server:path
    if short:
        return f"{short[1]}:{short[2]}"
    try:
        parts = urlsplit(remote)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return None
    if parts.scheme not in ("http", "https", "ssh", "git") or not parts.hostname:
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}{port}{parts.path}"


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
