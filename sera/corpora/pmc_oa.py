"""PubMed Central's Open Access bulk packages: ``*.tar.gz`` of JATS articles, a ``.filelist.csv`` beside each.

A package is read once, as a stream: nothing is unpacked to disk and one article is in memory at a time. A bad
package, member or article never stops the work and is never passed over in silence: it is an `Unreadable`.

A list of files that is there and cannot be read whole does stop it: what is lost might say that an article
was retracted.

Packages overlap: an incremental one replaces articles of an older one, and marks what was retracted since.
`select` settles that from the lists alone, so that the packages themselves can be read side by side.
"""

from __future__ import annotations

import csv
import hashlib
import io
import logging
import os
import re
import tarfile
import zlib
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

import numpy as np

from sera import files, limits, names, records, tsv
from sera.corpora import jats
from sera.errors import MOST, InputError, together
from sera.files import writing
from sera.progress import progress
from sera.records import Document

log = logging.getLogger(__name__)

SUFFIX = ".tar.gz"
LIST_SUFFIX = ".filelist.csv"

# Why an article of a package is not read although the package holds it. The words name no package, so that
# the selection of one package stays the same, byte for byte, whichever package replaces its articles.
RETRACTED = "retracted"
REPLACED = "another version of the article is read in its place"


@dataclass(frozen=True)
class Unreadable:
    """What of a package gave no document, and why. ``member`` is empty where no one member is meant."""

    package: str
    member: str
    reason: str


@dataclass(frozen=True)
class LeftOut:
    """A member of a package that is not read: it is `RETRACTED` or `REPLACED`."""

    member: str
    reason: str


class Counts(NamedTuple):
    """How many records of each kind were written."""

    documents: int
    unreadable: int


def packages(folder: str | Path) -> list[Path]:
    """The packages in a folder, by name; each may be a link to where it lies.

    Raises InputError where the folder or every package is missing, and for what is named as a package and is
    none.
    """
    folder = Path(folder)
    remedy = (  # a package may be a link: they are large, and kept where there is room
        "Put PubMed Central's bulk packages there, each *.tar.gz with its *.filelist.csv, "
        "from https://ftp.ncbi.nlm.nih.gov/pub/pmc/oa_bulk/."
    )
    if not folder.is_dir():
        raise InputError("there is no such folder of packages", path=folder, remedy=remedy)
    try:
        listed = sorted(os.listdir(folder))
    except OSError as error:
        raise files.unreadable(folder, error) from None
    found = [folder / name for name in listed if name.endswith(SUFFIX) and not name.startswith(".")]
    for path in found:
        names.check("package", path.name, path=path)
        if not path.is_file():
            raise InputError("is no file, or a link to nothing", path=path, remedy="Take it out.")
    if not found:
        raise InputError("holds no package (*.tar.gz)", path=folder, remedy=remedy)
    return found


def file_list(package: str | Path) -> Path:
    """Where a package's list of files is expected: beside it."""
    package = Path(package)
    return package.with_name(package.name.removesuffix(SUFFIX) + LIST_SUFFIX)


def extract(
    package: str | Path,
    *,
    left_out: Mapping[str, str] | None = None,
    figures: bool = False,
    largest: int | None = None,
) -> Iterator[Document | Unreadable]:
    """The articles of one package in its order; for text and ``figures`` see `jats.article`.

    An article's id is its accession in the file list, or the member's name without suffix where no list
    has it. ``left_out`` names the members that are not read, as `select` finds them over all packages;
    without it, those that the package's own list tells of.

    Given as `Unreadable`: members left out; members that are not regular files, lie outside the archive
    (absolute or ``..``), are larger than ``largest`` bytes (`limits.MEMBER` if not given), are not XML, hold
    no text, repeat an article or have an id that is no name (`sera.names`); listed articles that the archive
    lacks; an archive that is cut short or damaged, once, after the articles before the damage; a missing
    list, once. A folder is nothing.

    Raises InputError if the package does not exist, and for a list that is there and cannot be read whole,
    with up to ten of its lines.
    """
    package = Path(package)
    largest = limits.MEMBER.value if largest is None else largest
    if not package.is_file():
        raise InputError("there is no such package", path=package)
    ids: dict[str, str] = {}
    try:
        for listed in _read_list(file_list(package)):
            if ids.setdefault(listed.member, listed.id) != listed.id:
                raise InputError(
                    f"gives {listed.member} two ids, {ids[listed.member]} and {listed.id}",
                    path=file_list(package),
                    remedy=_LIST_FROM,
                )
    except _NoList as error:
        log.warning("%s", error)
        yield Unreadable(package.name, file_list(package).name, f"{error.problem}; {_WITHOUT_LIST}")
    if left_out is None:
        left_out = select([package])[package] if ids else {}
    met: set[str] = set()  # members
    given: set[str] = set()  # ids
    archive = _Archive(package)
    for member, content in archive:
        name = _member(member.name)
        met.add(name)
        id = ids.get(name) or PurePosixPath(name).stem
        if reason := _refusal(member, largest) or left_out.get(name):
            yield Unreadable(package.name, member.name, reason)
        elif wrong := _no_name(id):
            yield Unreadable(package.name, member.name, wrong)
        elif id in given:
            yield Unreadable(package.name, member.name, f"repeats article {id}, which came before")
        else:
            try:
                xml = content()
            except _DAMAGE as error:
                archive.damaged(error)
                met.discard(name)
                break
            try:
                document = jats.article(xml, id, figures=figures, largest=largest)
            except InputError as error:
                yield Unreadable(package.name, member.name, error.problem)
            else:
                given.add(id)
                yield document
    missing = [name for name in ids if name not in met]
    if archive.damage:
        rest = f"; {len(missing)} of the {len(ids)} listed articles were not reached" if ids else ""
        yield Unreadable(package.name, "", archive.damage + rest)
    else:
        for name in missing:
            yield Unreadable(package.name, name, "is listed but not in the archive")


def write_extract(
    packages: Sequence[str | Path],
    documents: str | Path,
    unreadable: str | Path,
    *,
    left_out: Mapping[Path, Mapping[str, str]] | None = None,
    figures: bool = False,
    largest: int | None = None,
) -> Counts:
    """Write the packages' articles as Documents (JSONL, ``.gz`` by the name) and the rest as a table.

    Each article is written once, in its newest version: ``left_out`` says what is not read of each package,
    and is what `select` finds for these packages if it is not given. The table is a TSV with the header
    ``package member reason``. Both files are complete or absent.
    """
    paths = list(dict.fromkeys(map(Path, packages)))
    left_out = select(paths) if left_out is None else left_out
    refused = 0

    def refuse(*cells: str) -> None:
        nonlocal refused
        refused += 1
        table.write("\t".join(map(_cell, cells)) + "\n")

    def articles() -> Iterator[Document]:
        given: set[str] = set()
        for package in paths:
            items = extract(package, left_out=left_out[package], figures=figures, largest=largest)
            for item in progress(items, f"articles of {package.name} read"):
                if isinstance(item, Unreadable):
                    refuse(item.package, item.member, item.reason)
                elif item.id in given:  # an archive that holds what its list does not say
                    refuse(package.name, item.id, "is in an earlier package too")
                else:
                    given.add(item.id)
                    yield item

    with writing(unreadable) as table:
        table.write("package\tmember\treason\n")
        count = records.write(documents, articles())
    return Counts(count, refused)


def unreadable_reasons(table: str | Path) -> dict[str, int]:
    """How often each reason stands in a table of `write_extract`, without an error's details."""
    reasons = tsv.read(table, ("package", "member", "reason"))["reason"]
    return dict(sorted(Counter(reason.split(":")[0] for reason in reasons).items()))


def _no_name(id: str) -> str:
    """Why an article's id may not be one; empty if it may."""
    try:
        names.check("id", id)
    except InputError as error:
        return error.problem
    return ""


def _cell(text: str) -> str:
    text = " ".join(text.split())
    return text if text.isprintable() else text.encode("unicode_escape").decode("ascii")


# --- which article is read from which package -----------------------------------------------------

_ISSUED = re.compile(r"\.(?P<kind>baseline|incr)\.(?P<date>\d{4}-\d\d-\d\d)\b")
_TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d))?", re.ASCII)


def select(packages: Sequence[str | Path]) -> dict[Path, dict[str, str]]:
    """For each package, the members that are not to be read, each with the reason.

    Each article, known by its accession, is read once: in the version with the latest *LastUpdated*; of
    equal ones, from the package issued last (by the date in its name, and at one date an incremental one
    after a baseline); of those still equal, the first in the order of ``packages`` and of their lists. A
    version without a time counts as of its package's date. An article is left out altogether if a list
    marks as retracted that version, another with its *LastUpdated*, or one in a package issued later. An
    older mark does not count: the newer list has withdrawn it.

    Only the lists are read; a package without one is gone through for its members' names. Time is linear in
    the lists (some 7 s a million articles), memory some 70 bytes an article plus what is left out.

    Raises InputError, with up to ten lines, for a list that is there and cannot be read whole.
    """
    paths = list(dict.fromkeys(map(Path, packages)))
    issued = [_issued(path) for path in paths]
    ranks = {when: rank for rank, when in enumerate(sorted(set(issued)))}
    articles, updated, retracted, counts = array("Q"), array("q"), array("b"), []
    for path, (date, _) in zip(paths, issued, strict=True):
        before = len(articles)
        for listed in _contents(path):
            articles.append(_hash(listed.id))
            updated.append(_number(listed.updated) or date)
            retracted.append(listed.retracted)
        counts.append(len(articles) - before)
    state = _states(
        np.frombuffer(articles, np.uint64),
        np.frombuffer(updated, np.int64),
        np.repeat(np.array([ranks[when] for when in issued], np.int32), counts),
        np.frombuffer(retracted, np.int8).astype(bool),
    )
    parts = np.split(state, np.cumsum(counts)[:-1]) if paths else []
    return {
        path: _left_out(path, states) if states.any() else {}
        for path, states in zip(paths, parts, strict=True)
    }


_READ, _RETRACTED, _REPLACED = 0, 1, 2


def _states(articles: np.ndarray, updated: np.ndarray, rank: np.ndarray, retracted: np.ndarray) -> np.ndarray:
    """What becomes of each listed version: `_READ`, `_RETRACTED` or `_REPLACED`."""
    if not len(articles):
        return np.zeros(0, np.int8)
    order = np.lexsort((-np.arange(len(articles)), rank, updated, articles))
    last = np.flatnonzero(np.append(articles[order][1:] != articles[order][:-1], True))
    newest = np.repeat(order[last], np.diff(last, prepend=-1))  # of the article, for each in `order`
    state = np.full(len(articles), _REPLACED, np.int8)
    state[order[last]] = _READ
    marks = retracted[order] & ((updated[order] == updated[newest]) | (rank[order] > rank[newest]))
    gone = np.zeros(len(articles), bool)
    gone[newest[marks]] = True
    state[order[gone[newest]]] = _RETRACTED
    return state


def _left_out(package: Path, states: np.ndarray) -> dict[str, str]:
    reasons: dict[str, str] = {}
    read = set()
    for listed, state in zip(_contents(package), states, strict=True):
        if state == _RETRACTED:
            reasons[listed.member] = RETRACTED
        elif state == _REPLACED:
            reasons.setdefault(listed.member, REPLACED)
        else:
            read.add(listed.member)
    # a list that names one member twice does not replace it by itself
    return {member: why for member, why in reasons.items() if why == RETRACTED or member not in read}


def _hash(id: str) -> int:
    """Eight bytes in place of an id; of PMC's seven million, two are the same with probability 1e-6."""
    return int.from_bytes(hashlib.blake2b(id.encode("utf-8"), digest_size=8).digest(), "big")


def _issued(package: Path) -> tuple[int, bool]:
    """When a package was issued, as a time to compare, and whether it is an incremental one."""
    found = _ISSUED.search(package.name)
    return (_number(found["date"]), found["kind"] == "incr") if found else (0, False)


def _number(time: str) -> int:
    """A time as a number that compares as it does; 0 for what is no time."""
    match = _TIME.fullmatch(time)
    return int("".join(match.groups("00"))) if match else 0


def write_selection(path: str | Path, left_out: Mapping[str, str]) -> None:
    """Write what is not read of one package as `LeftOut` records (JSONL, ``.gz`` by the name)."""
    records.write(path, (LeftOut(member, reason) for member, reason in left_out.items()))


def read_selection(path: str | Path) -> dict[str, str]:
    """What `write_selection` wrote. Raises InputError for a file of another kind."""
    return {entry.member: entry.reason for entry in records.iterate(path, LeftOut)}


# --- the list -------------------------------------------------------------------------------------

_WITHOUT_LIST = "retractions are not known, ids are the members' names"
_LIST_FROM = (
    "Fetch the list again: without all of its lines a retracted article might be read. "
    f"Or take it away: then {_WITHOUT_LIST}."
)


class _NoList(InputError):
    """There is no list of files."""


class _Listed(NamedTuple):
    member: str
    id: str
    updated: str = ""
    retracted: bool = False


def _contents(package: Path) -> Iterator[_Listed]:
    """What is listed of a package, or its members where there is no list."""
    try:
        yield from _read_list(file_list(package))
    except _NoList:
        for member, _ in _Archive(package) if package.is_file() else ():
            name = _member(member.name)
            if not _refusal(member, member.size):
                yield _Listed(name, PurePosixPath(name).stem)


def _read_list(path: Path) -> Iterator[_Listed]:
    """The rows of a list of files, in which a line is a row.

    Raises _NoList where there is no list. Raises InputError for one that has not the columns; and after the
    rows before them, with up to ten lines, for lines that are not UTF-8, have an open quote, too few or too
    many cells, no member, or say neither yes nor no to whether the article was retracted.
    """
    if not path.is_file():
        if os.path.lexists(path):  # a link to nothing, a pipe
            raise InputError("the file list is no file", path=path, remedy=_LIST_FROM)
        raise _NoList("there is no file list", path=path, remedy=f"{_WITHOUT_LIST}.")
    rows = _ListRows(path)
    faults: list[InputError] = []
    for number, line in rows:
        try:
            listed = rows.listed(line)
        except (csv.Error, ValueError) as error:
            problem = f"the line cannot be read: {error}"
            faults.append(InputError(problem, path=path, line=number, remedy=_LIST_FROM))
            if len(faults) > MOST:
                break
        else:
            if listed and not faults:
                yield listed
    if fault := together(faults):
        raise fault


class _ListRows:
    """The lines of a list of files after the one that names the columns; see `_read_list`."""

    def __init__(self, path: Path) -> None:
        self._lines = files.lines(path, "a list of files")
        _, first = next(self._lines, (1, ""))
        try:
            header = _cells(first.removeprefix("\ufeff"))
        except csv.Error as error:
            raise InputError(
                f"the file list cannot be read: {error}", path=path, line=1, remedy=_LIST_FROM
            ) from None
        for column in _COLUMNS:
            if header.count(column) != 1:
                raise InputError(
                    f"the file list has {'two columns' if column in header else 'no column'} {column!r}",
                    path=path,
                    line=1,
                    remedy=_LIST_FROM,
                )
        self._columns = len(header)
        self._file, self._accession, self._gone = map(header.index, _COLUMNS)
        self._time = next((i for i, column in enumerate(header) if column.startswith("LastUpdated")), None)

    def __iter__(self) -> Iterator[tuple[int, str]]:
        return self._lines

    def listed(self, line: str) -> _Listed | None:
        """What a line lists; None for a blank one. Raises csv.Error and ValueError for what is no row."""
        row = line.split(",") if '"' not in line else _cells(line)
        if len(row) != self._columns:
            if not line.strip():
                return None
            raise ValueError(f"it has {len(row)} cells, not {self._columns}")
        gone = row[self._gone].strip().lower()
        if gone not in _MARKS:
            raise ValueError(f"Retracted is {gone[:40]!r}, not yes or no")
        updated = "" if self._time is None else row[self._time].strip()
        if updated and not _TIME.fullmatch(updated):
            raise ValueError(f"LastUpdated is {updated[:40]!r}, not YYYY-MM-DD HH:MM:SS")
        if not (member := _member(row[self._file])):
            raise ValueError("it names no file")
        return _Listed(
            member, row[self._accession].strip() or PurePosixPath(member).stem, updated, _MARKS[gone]
        )


_COLUMNS = ("Article File", "AccessionID", "Retracted")
_MARKS = dict.fromkeys(("yes", "y", "true", "1"), True) | dict.fromkeys(("no", "n", "false", "0", ""), False)


def _cells(line: str) -> list[str]:
    """The cells of one line; csv.Error for a quote that is not closed in it."""
    return next(csv.reader([line], strict=True), [])


def _member(name: str) -> str:
    return name.removeprefix("./")


# --- the archive ----------------------------------------------------------------------------------


def _refusal(member: tarfile.TarInfo, largest: int) -> str:
    """Why a member is not to be opened; empty if it may be."""
    path = PurePosixPath(member.name)
    if path.is_absolute() or ".." in path.parts or "\\" in member.name:
        return "its path leads out of the archive"
    if not member.name.isprintable():
        return "its name holds control characters or is no text"
    if not member.isreg() or member.issparse():
        return "is a link" if member.issym() or member.islnk() else "is not a regular file"
    if path.suffix.lower() not in (".xml", ".nxml"):
        return "is not named as XML"
    if member.size > largest:
        return f"is larger than {largest} bytes"
    return ""


# What reading a damaged archive may raise. RecursionError: headers of headers of headers.
_DAMAGE = (tarfile.TarError, EOFError, OSError, zlib.error, ValueError, RecursionError)

_GLOBAL = 100  # records for all members that an archive may have; that of `git archive` has one
_HEADER = 2**17  # bytes that may be read to find the next member: tarfile takes a header into memory whole


class _Archive:
    """A ``.tar.gz`` read from front to back; after the loop ``damage`` says what is wrong with it, if so.

    gzip is opened here and not by tarfile, whose stream mode checks neither the compressed stream's end
    nor its checksum; and tarfile takes a broken header in the middle for the end of the archive.
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
                        tar.members.clear()  # type: ignore[attr-defined]  # or a package of a million articles fills the memory
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
            except _DAMAGE as error:
                self.damaged(error)

    def damaged(self, error: Exception) -> None:
        self.damage = f"the archive is cut short or damaged: {error}"


class _Member(tarfile.TarInfo):
    """A member whose extended header is looked at first: for many digits tarfile would take quadratic time.

    Python 3.11.10 and 3.12.6 have that mended.
    """

    def _proc_pax(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        stream = archive.fileobj
        head = stream.read(-(-self.size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE)
        if re.search(rb"[0-9]{100}", head):
            raise tarfile.ReadError("a header holds a number of 100 digits or more")

        class Again:
            """Gives what was read once more, and the stream its place back."""

            def read(self, size: int) -> bytes:
                archive.fileobj = stream
                return head

        archive.fileobj = Again()  # type: ignore[assignment]
        return super()._proc_pax(archive)  # type: ignore[misc]


class _Content:
    """Reads one member, when called and not before."""

    def __init__(self, tar: tarfile.TarFile, member: tarfile.TarInfo) -> None:
        self._tar, self._member = tar, member

    def __call__(self) -> bytes:
        stream = self._tar.extractfile(self._member)
        assert stream is not None  # only regular members are read
        return stream.read()


def _pass_over(tar: tarfile.TarFile) -> None:
    """Read on to the next header; tarfile itself would take a size of 2**60 for so many reads."""
    while (left := tar.offset - tar.fileobj.tell()) > 0:
        if not tar.fileobj.read(min(left, 2**16)):
            raise tarfile.ReadError("unexpected end of data")


class _Watched(io.RawIOBase):
    """Passes a stream on and counts: ``size`` bytes so far, of which none but zeros from ``text_end`` on.

    Reading past ``limit`` bytes, where there is one, is an error.
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
