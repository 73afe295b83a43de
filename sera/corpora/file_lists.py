"""Read the lists of files that accompany PubMed Central's packages (``*.filelist.csv``).

A list that cannot be read to its end is an error: a lost line might mark a retracted article.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from sera import files
from sera.corpora.package_archives import SUFFIX, Archive, plain_name, refusal
from sera.errors import Faults, InputError, together

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
