"""The checksums of files."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from sera.errors import Path as AnyPath
from sera.io.files import sha256


class File(NamedTuple):
    """The name of a file, its size in bytes and the SHA-256 of its content in hexadecimal."""

    file: str
    bytes: int
    sha256: str


def checksums(paths: Iterable[AnyPath], root: AnyPath = ".") -> Iterator[File]:
    """The checksums of files and of files in folders, except hidden ones; paths in ``root`` are relative."""
    inside = (file for path in map(Path, paths) for file in (path.rglob("*") if path.is_dir() else [path]))
    for path in sorted({file for file in inside if file.is_file() and not file.name.startswith(".")}):
        name = path.relative_to(root) if path.is_relative_to(root) else path
        yield File(name.as_posix(), path.stat().st_size, sha256(os.fspath(path)))
