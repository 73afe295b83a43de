"""The checksums of files."""

import os
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from sera.io.files import sha256

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
