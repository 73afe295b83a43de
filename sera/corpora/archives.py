"""Read PubMed Central's packages: archives as streams, even if damaged or hostile, and their lists of files.

A list (``*.filelist.csv``) that cannot be read to its end is an error: a lost line might mark a retracted
article.
"""

from __future__ import annotations

import csv
import io
import os
import re
import tarfile
import zlib
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

from sera.errors import Faults, InputError, together
from sera.io import files

SUFFIX = ".tar.gz"


def plain_name(name: str) -> str:
    """A member's name without ``./`` at its beginning."""
    return name.removeprefix("./")


def refusal(
    member: tarfile.TarInfo, largest: int, suffixes: Collection[str] = (".xml", ".nxml"), named: str = "XML"
) -> str:
    """Why a member must not be opened; empty if it may be.

    largest:   the most bytes that are read
    suffixes:  the endings of names that are read, in small letters; ``named`` is their kind in words
    """
    path = PurePosixPath(member.name)
    if path.is_absolute() or ".." in path.parts or "\\" in member.name:
        return "its path leads out of the archive"
    if not member.name.isprintable():
        return "its name holds control characters or is no text"
    if not member.isreg() or member.issparse():
        return "is a link" if member.issym() or member.islnk() else "is not a regular file"
    if path.suffix.lower() not in suffixes:
        return f"is not named as {named}"
    if member.size > largest:
        return f"is larger than {largest} bytes"
    return ""


# Errors of reading a damaged archive. RecursionError: headers nested too deeply.
DAMAGE = (tarfile.TarError, EOFError, OSError, zlib.error, ValueError, RecursionError)

_GLOBAL = 100  # the most global records of an archive; one of `git archive` has one record
_HEADER = 2**17  # the most bytes read to find the next member: tarfile keeps a whole header in memory


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

    def __iter__(self) -> Iterator[tuple[tarfile.TarInfo, _Content]]:
        with files.opened(self._path) as stream:
            watched = _Watched(stream, limit=_HEADER)
            try:
                with tarfile.open(fileobj=watched, mode="r|", encoding="utf-8", tarinfo=_Member) as tar:
                    while member := tar.next():
                        watched.limit = None
                        tar.members.clear()  # type: ignore[attr-defined]  # otherwise the members of a large package fill the memory
                        if len(tar.pax_headers) > _GLOBAL:  # copied for every member
                            raise tarfile.ReadError(f"it has more than {_GLOBAL} records for all its members")
                        if not member.isdir():
                            yield member, _Content(tar, member)
                        _pass_over(tar)
                        watched.limit = watched.size + _HEADER
                    end = tar.offset
                watched.limit = None
                watched.read_to_end()
                if watched.text_end > end:
                    self.damage = f"the archive is damaged: no header at byte {end} of its content"
                elif watched.size < end + 2 * tarfile.BLOCKSIZE:
                    self.damage = "the archive is cut short: it has no end mark"
            except DAMAGE as error:
                self.damaged(error)

    def damaged(self, error: Exception) -> None:
        self.damage = f"the archive is cut short or damaged: {error}"


class _Member(tarfile.TarInfo):
    """A member whose extended header is checked first: tarfile takes quadratic time for a long number.

    Python 3.11.10 and 3.12.6 do not have this fault.
    """

    def _proc_pax(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        stream = archive.fileobj
        head = stream.read(-(-self.size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE)
        if re.search(rb"[0-9]{100}", head):
            raise tarfile.ReadError("a header holds a number of 100 digits or more")

        class Again:
            """Returns the header again and puts the stream back in its place."""

            def read(self, size: int) -> bytes:
                archive.fileobj = stream
                return head

        archive.fileobj = Again()  # type: ignore[assignment]
        return super()._proc_pax(archive)  # type: ignore[misc]


class _Content:
    """Reads the content of one member when it is called."""

    def __init__(self, tar: tarfile.TarFile, member: tarfile.TarInfo) -> None:
        self._tar, self._member = tar, member

    def __call__(self) -> bytes:
        stream = self._tar.extractfile(self._member)
        assert stream is not None  # only regular members are read
        return stream.read()


def _pass_over(tar: tarfile.TarFile) -> None:
    """Read on to the next header; for a false size of 2**60, tarfile itself would read on without an end."""
    while (left := tar.offset - tar.fileobj.tell()) > 0:
        if not tar.fileobj.read(min(left, 2**16)):
            raise tarfile.ReadError("unexpected end of data")


class _Watched(io.RawIOBase):
    """Passes a stream on and counts its bytes: ``size`` so far, and only zeros after ``text_end``.

    Reading past ``limit`` bytes is an error; None is no limit.
    """

    def __init__(self, stream: IO[bytes], limit: int | None) -> None:
        self._stream = stream
        self.limit = limit
        self.size = self.text_end = 0

    def read(self, size: int = -1) -> bytes:
        if self.limit is not None and self.size > self.limit:
            raise tarfile.ReadError(f"a header is larger than {_HEADER} bytes")
        piece = self._stream.read(size)
        if text := piece.rstrip(b"\0"):
            self.text_end = self.size + len(text)
        self.size += len(piece)
        return piece

    def read_to_end(self) -> None:
        while self.read(2**16):
            pass


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
            if not refusal(member, member.size):
                yield _Listed(name, PurePosixPath(name).stem)


def read_list(path: Path) -> Iterator[_Listed]:
    """The rows of a list of files, one for each line.

    Raises NoList if there is no list, and InputError for a list that lacks a column. Raises InputError also,
    after the rows before them and with up to ten lines, for lines that are not UTF-8, have an open quote, too
    few or too many cells or no member, or whose mark of retraction is neither yes nor no.
    """
    if not path.is_file():
        if os.path.lexists(path):  # a link to nothing, a pipe
            raise InputError("the file list is no file", path=path, remedy=LIST_FROM)
        raise NoList("there is no file list", path=path, remedy=f"{WITHOUT_LIST}.")
    rows = _ListRows(path)
    faults = Faults()
    for number, line in rows:
        try:
            listed = rows.listed(line)
        except (csv.Error, ValueError) as error:
            problem = f"the line cannot be read: {error}"
            faults.append(InputError(problem, path=path, line=number, remedy=LIST_FROM))
        else:
            if listed and not faults:
                yield listed
    if fault := together(faults):
        raise fault


class _ListRows:
    """The lines of a list of files after its header; see `read_list`."""

    def __init__(self, path: Path) -> None:
        self._lines = files.lines(path, "a list of files")
        _, first = next(self._lines, (1, ""))
        try:
            header = _cells(first.removeprefix("\ufeff"))
        except csv.Error as error:
            raise InputError(
                f"the file list cannot be read: {error}", path=path, line=1, remedy=LIST_FROM
            ) from None
        for column in _COLUMNS:
            if header.count(column) != 1:
                raise InputError(
                    f"the file list has {'two columns' if column in header else 'no column'} {column!r}",
                    path=path,
                    line=1,
                    remedy=LIST_FROM,
                )
        self._columns = len(header)
        self._file, self._accession, self._gone = map(header.index, _COLUMNS)
        self._time = next((i for i, column in enumerate(header) if column.startswith("LastUpdated")), None)

    def __iter__(self) -> Iterator[tuple[int, str]]:
        return self._lines

    def listed(self, line: str) -> _Listed | None:
        """The row in a line; None for a blank line. Raises csv.Error or ValueError for any other line."""
        row = line.split(",") if '"' not in line else _cells(line)
        if len(row) != self._columns:
            if not line.strip():
                return None
            raise ValueError(f"it has {len(row)} cells, not {self._columns}")
        gone = row[self._gone].strip().lower()
        if gone not in _MARKS:
            raise ValueError(f"Retracted is {gone[:40]!r}, not yes or no")
        updated = "" if self._time is None else row[self._time].strip()
        if updated and not TIME.fullmatch(updated):
            raise ValueError(f"LastUpdated is {updated[:40]!r}, not YYYY-MM-DD HH:MM:SS")
        if not (member := plain_name(row[self._file])):
            raise ValueError("it names no file")
        return _Listed(
            member, row[self._accession].strip() or PurePosixPath(member).stem, updated, _MARKS[gone]
        )


_COLUMNS = ("Article File", "AccessionID", "Retracted")
_MARKS = dict.fromkeys(("yes", "y", "true", "1"), True) | dict.fromkeys(("no", "n", "false", "0", ""), False)


def _cells(line: str) -> list[str]:
    """The cells of one line; raises csv.Error for an open quote."""
    return next(csv.reader([line], strict=True), [])
