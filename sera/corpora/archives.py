"""Read PubMed Central's packages: archives as streams, even if damaged, and their lists of files.

A list (``*.filelist.csv``) that cannot be read to its end is an error: a lost line might mark a retracted
article.
"""

from __future__ import annotations

import contextlib
import csv
import io
import os
import re
import tarfile
import zlib
from collections.abc import Callable, Collection, Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

from sera.errors import Faults, InputError
from sera.io import files, limits

SUFFIX = ".tar.gz"


def plain_name(name: str) -> str:
    """A member's name without ``./`` at its beginning."""
    return name.removeprefix("./")


def refusal(
    member: tarfile.TarInfo, suffixes: Collection[str] = (".xml", ".nxml"), named: str = "XML"
) -> str:
    """Why a member must not be opened; empty if it may be. It may have as many bytes as `limits.MEMBER`.

    suffixes:  the endings of names that are read, in small letters; ``named`` is their kind in words
    """
    path = PurePosixPath(member.name)
    if path.is_absolute() or ".." in path.parts or "\\" in member.name:
        return "its path leads out of the archive"
    if not member.name.isprintable():
        return "its name holds control characters or is not text"
    if not member.isreg() or member.issparse():
        return "is a link" if member.issym() or member.islnk() else "is not a regular file"
    if path.suffix.lower() not in suffixes:
        return f"is not named as {named}"
    if member.size > limits.MEMBER.value:
        return f"is larger than {limits.MEMBER.value} bytes"
    return ""


# Errors of reading a damaged archive.
DAMAGE = (tarfile.TarError, EOFError, OSError, zlib.error, ValueError)


class Archive:
    """The members of a ``.tar.gz``, read once from front to back, each with a function to read its content.

    After the loop, ``damage`` says what is wrong with the archive; it is empty if nothing is.

    This class opens gzip itself, because the stream mode of tarfile checks neither the end of the compressed
    stream nor its checksum. It also checks for content after the end of the archive, because tarfile takes a
    broken header in the middle for that end.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.damage = ""

    def __iter__(self) -> Iterator[tuple[tarfile.TarInfo, Callable[[], bytes]]]:
        with files.opened(self._path) as stream:
            watched = _Watched(stream)
            try:
                with tarfile.open(fileobj=watched, mode="r|", encoding="utf-8") as tar:
                    while member := tar.next():
                        tar.members.clear()  # type: ignore[attr-defined]  # otherwise the members of a large package fill the memory
                        if not member.isdir():
                            yield member, partial(_content, tar, member)
                    end = tar.offset
                while watched.read(2**16):
                    pass
                if watched.text_end > end:
                    self.damage = f"the archive is damaged: no header at byte {end} of its content"
                elif watched.size < end + 2 * tarfile.BLOCKSIZE:
                    self.damage = "the archive is cut short: it has no end mark"
            except DAMAGE as error:
                self.damaged(error)

    def damaged(self, error: Exception) -> None:
        self.damage = f"the archive is cut short or damaged: {error}"


def _content(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    stream = tar.extractfile(member)
    assert stream is not None  # only regular members are read
    return stream.read()


class _Watched(io.RawIOBase):
    """Passes a stream on and counts its bytes: ``size`` so far, and only zeros after ``text_end``."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.size = self.text_end = 0

    def read(self, size: int = -1) -> bytes:
        piece = self._stream.read(size)
        if text := piece.rstrip(b"\0"):
            self.text_end = self.size + len(text)
        self.size += len(piece)
        return piece


# Lists of files
# --------------

LIST_SUFFIX = ".filelist.csv"


def file_list(package: str | Path) -> Path:
    """The path of a package's list of files, in the same folder."""
    package = Path(package)
    return package.with_name(package.name.removesuffix(SUFFIX) + LIST_SUFFIX)


TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d))?", re.ASCII)


WITHOUT_LIST = "retractions are not known, ids are the members' names"
LIST_FROM = (
    "Download the list again: if a line is missing, a retracted article might be read. "
    f"Or remove the list: then {WITHOUT_LIST}."
)


class NoList(InputError):
    """There is no list of files."""


class _Listed(NamedTuple):
    member: str
    id: str
    updated: str = ""
    retracted: bool = False


def contents(package: Path) -> Iterator[_Listed]:
    """The rows of a package's list; if there is no list, the members of the package itself."""
    try:
        yield from read_list(file_list(package))
    except NoList:
        for member, _ in Archive(package) if package.is_file() else ():
            name = plain_name(member.name)
            if not refusal(member):
                yield _Listed(name, PurePosixPath(name).stem)


def read_list(path: Path) -> Iterator[_Listed]:
    """The rows of a list of files, one for each line.

    Raises NoList if there is no list, and InputError for a list that lacks a column. Raises InputError also,
    after the rows before them and with up to ten lines, for lines that are not UTF-8, have an open quote, too
    few or too many cells or no member, or whose mark of retraction is neither yes nor no.
    """
    if not path.is_file():
        if os.path.lexists(path):  # a link to nothing, a pipe
            raise InputError("the file list is not a file", path=path, remedy=LIST_FROM)
        raise NoList("there is no file list", path=path, remedy=f"{WITHOUT_LIST}.")
    lines = files.lines(path, "a list of files")
    _, first = next(lines, (1, ""))
    header: list[str] = []
    with contextlib.suppress(ValueError):  # an open quote
        header = _cells(first)
    for column in _COLUMNS:
        if header.count(column) != 1:
            problem = f"the file list has {'two columns' if column in header else 'no column'} {column!r}"
            raise InputError(problem, path=path, line=1, remedy=LIST_FROM)
    places = [*map(header.index, _COLUMNS), *(n for n, name in enumerate(header) if name.startswith(_TIME))]
    faults = Faults()
    for number, line in lines:
        try:
            listed = _listed(line, len(header), *places[:4]) if line.strip() else None
        except ValueError as error:
            problem = f"the line cannot be read: {error}"
            faults.append(InputError(problem, path=path, line=number, remedy=LIST_FROM))
        else:
            if listed and not faults:
                yield listed
    faults.raise_all()


def _listed(line: str, width: int, file: int, id: int, gone: int, time: int | None = None) -> _Listed:
    """The row in a line, by the places of its columns; raises ValueError for a line of another form."""
    row = line.split(",") if '"' not in line else _cells(line)
    if len(row) != width:
        raise ValueError(f"it has {len(row)} cells, not {width}")
    mark = row[gone].strip().lower()
    if mark not in _MARKS:
        raise ValueError(f"Retracted is {mark[:40]!r}, not yes or no")
    updated = "" if time is None else row[time].strip()
    if updated and not TIME.fullmatch(updated):
        raise ValueError(f"LastUpdated is {updated[:40]!r}, not YYYY-MM-DD HH:MM:SS")
    if not (member := plain_name(row[file])):
        raise ValueError("it names no file")
    return _Listed(member, row[id].strip() or PurePosixPath(member).stem, updated, _MARKS[mark])


_COLUMNS, _TIME = ("Article File", "AccessionID", "Retracted"), "LastUpdated"
_MARKS = dict.fromkeys(("yes", "y", "true", "1"), True) | dict.fromkeys(("no", "n", "false", "0", ""), False)


def _cells(line: str) -> list[str]:
    """The cells of one line; raises ValueError for an open quote."""
    try:
        return next(csv.reader([line], strict=True), [])
    except csv.Error as error:
        raise ValueError(str(error)) from None
