"""PubMed Central's Open Access bulk packages: ``*.tar.gz`` of JATS articles, a ``.filelist.csv`` beside each.

A package is read once, as a stream: nothing is unpacked to disk and one article is in memory at a time. A bad
package, member or article never stops the work and is never passed over in silence: it is an `Unreadable`.
"""

from __future__ import annotations

import csv
import gzip
import io
import logging
import tarfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from tqdm import tqdm

from sera import records
from sera.corpora import jats
from sera.errors import InputError
from sera.files import writing
from sera.records import Document

log = logging.getLogger(__name__)

SUFFIX = ".tar.gz"


@dataclass(frozen=True)
class Unreadable:
    """What of a package gave no document, and why. ``member`` is empty where no one member is meant."""

    package: str
    member: str
    reason: str


class Counts(NamedTuple):
    """How many records of each kind were written."""

    documents: int
    unreadable: int


def packages(folder: str | Path) -> list[Path]:
    """The packages in a folder, by name. Raises InputError where the folder or every package is missing."""
    folder = Path(folder)
    remedy = (
        "Put PubMed Central's bulk packages there, each *.tar.gz with its *.filelist.csv, "
        "from https://ftp.ncbi.nlm.nih.gov/pub/pmc/oa_bulk/."
    )
    if not folder.is_dir():
        raise InputError("there is no such folder of packages", path=folder, remedy=remedy)
    found = sorted(path for path in folder.iterdir() if path.name.endswith(SUFFIX) and path.is_file())
    if not found:
        raise InputError("holds no package (*.tar.gz)", path=folder, remedy=remedy)
    return found


def file_list(package: str | Path) -> Path:
    """Where a package's list of files is expected: beside it."""
    package = Path(package)
    return package.with_name(package.name.removesuffix(SUFFIX) + ".filelist.csv")


def extract(
    package: str | Path, *, figures: bool = False, largest: int = jats.LARGEST
) -> Iterator[Document | Unreadable]:
    """The articles of one package in its order; for text and ``figures`` see `jats.article`.

    An article's id is its accession in the file list, or the member's name without suffix where no list
    has it. Given as `Unreadable`: retracted articles; members that are not regular files, lie outside
    the archive (absolute or ``..``), are larger than ``largest`` bytes, are not XML, hold no text, or
    repeat an article; listed articles that the archive lacks; an archive that is cut short or damaged,
    once, after the articles before the damage; a missing or unusable list, once. A folder is nothing.

    Raises InputError if the package does not exist.
    """
    package = Path(package)
    if not package.is_file():
        raise InputError("there is no such package", path=package)
    listed: dict[str, _Listed] = {}
    try:
        listed = _read_list(file_list(package))
    except InputError as error:
        log.warning("%s", error)
        yield Unreadable(package.name, file_list(package).name, f"{error.problem}; {_WITHOUT_LIST}")
    met: set[str] = set()  # members
    given: set[str] = set()  # ids
    archive = _Archive(package)
    for member, content in archive:
        name = member.name.removeprefix("./")
        met.add(name)
        entry = listed.get(name) or _Listed(PurePosixPath(name).stem, retracted=False)
        if reason := _refusal(member, largest):
            yield Unreadable(package.name, member.name, reason)
        elif entry.retracted:
            yield Unreadable(package.name, member.name, "retracted")
        elif entry.id in given:
            yield Unreadable(package.name, member.name, f"repeats article {entry.id}, which came before")
        else:
            try:
                xml = content()
            except _DAMAGE as error:
                archive.damaged(error)
                met.discard(name)
                break
            try:
                document = jats.article(xml, entry.id, figures=figures, largest=largest)
            except InputError as error:
                yield Unreadable(package.name, member.name, error.problem)
            else:
                given.add(entry.id)
                yield document
    missing = [name for name in listed if name not in met]
    if archive.damage:
        rest = f"; {len(missing)} of the {len(listed)} listed articles were not reached" if listed else ""
        yield Unreadable(package.name, "", archive.damage + rest)
    else:
        for name in missing:
            yield Unreadable(package.name, name, "is listed but not in the archive")


def write_extract(
    packages: Sequence[str | Path],
    documents: str | Path,
    unreadable: str | Path,
    *,
    figures: bool = False,
    largest: int = jats.LARGEST,
) -> Counts:
    """Write the packages' articles as Documents (JSONL, ``.gz`` by the name) and the rest as a table.

    An article that an earlier package gave is not written again. The table is a TSV with the header
    ``package member reason``. Both files are complete or absent. Shows progress where standard error is a
    terminal.
    """
    refused = 0

    def refuse(*cells: str) -> None:
        nonlocal refused
        refused += 1
        table.write("\t".join(" ".join(cell.split()) for cell in cells) + "\n")

    def articles() -> Iterator[Document]:
        given: set[str] = set()
        for package in map(Path, packages):
            items = extract(package, figures=figures, largest=largest)
            for item in tqdm(items, desc=package.name, unit=" articles", disable=None):
                if isinstance(item, Unreadable):
                    refuse(item.package, item.member, item.reason)
                elif item.id in given:
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
    with open(table, encoding="utf-8", newline="") as lines:
        return dict(
            sorted(
                Counter(
                    row["reason"].split(":")[0]
                    for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
                ).items()
            )
        )


# --- the list -------------------------------------------------------------------------------------

_WITHOUT_LIST = "retractions are not known, ids are the members' names"


class _Listed(NamedTuple):
    id: str
    retracted: bool


def _read_list(path: Path) -> dict[str, _Listed]:
    try:
        with open(path, encoding="utf-8-sig", newline="") as lines:
            rows = csv.DictReader(lines)
            for column in ("Article File", "AccessionID", "Retracted"):
                if column not in (rows.fieldnames or ()):
                    raise InputError(
                        f"the file list has no column {column!r}", path=path, remedy=f"{_WITHOUT_LIST}."
                    )
            return {
                row["Article File"].removeprefix("./"): _Listed(
                    (row["AccessionID"] or "").strip() or PurePosixPath(row["Article File"]).stem,
                    (row["Retracted"] or "").strip().lower() in ("yes", "y", "true", "1"),
                )
                for row in rows
                if row["Article File"]
            }
    except FileNotFoundError:
        raise InputError("there is no file list", path=path, remedy=f"{_WITHOUT_LIST}.") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"the file list cannot be read: {error}", path=path, remedy=f"{_WITHOUT_LIST}."
        ) from None


# --- the archive ----------------------------------------------------------------------------------


def _refusal(member: tarfile.TarInfo, largest: int) -> str:
    """Why a member is not to be opened; empty if it may be."""
    path = PurePosixPath(member.name)
    if path.is_absolute() or ".." in path.parts or "\\" in member.name:
        return "its path leads out of the archive"
    if not member.isreg():
        return "is a link" if member.issym() or member.islnk() else "is not a regular file"
    if path.suffix.lower() not in (".xml", ".nxml"):
        return "is not named as XML"
    if member.size > largest:
        return f"is larger than {largest} bytes"
    return ""


# What reading a damaged archive may raise.
_DAMAGE = (tarfile.TarError, EOFError, OSError, zlib.error, ValueError)


class _Archive:
    """A ``.tar.gz`` read from front to back; after the loop ``damage`` says what is wrong with it, if so.

    gzip is opened here and not by tarfile, whose stream mode checks neither the compressed stream's end
    nor its checksum; and tarfile takes a broken header in the middle for the end of the archive.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.damage = ""

    def __iter__(self) -> Iterator[tuple[tarfile.TarInfo, _Content]]:
        with gzip.open(self._path, "rb") as stream:
            watched = _Watched(stream)
            try:
                with tarfile.open(fileobj=watched, mode="r|") as tar:
                    for member in tar:
                        tar.members.clear()  # or a package of a million articles fills the memory
                        if not member.isdir():
                            yield member, _Content(tar, member)
                    end = tar.offset
                watched.read_to_end()
                if watched.text_end > end:
                    self.damage = f"the archive is damaged: no header at byte {end} of its content"
                elif watched.size < end + 2 * tarfile.BLOCKSIZE:
                    self.damage = "the archive is cut short: it has no end mark"
            except _DAMAGE as error:
                self.damaged(error)

    def damaged(self, error: Exception) -> None:
        self.damage = f"the archive is cut short or damaged: {error}"


class _Content:
    """Reads one member, when called and not before."""

    def __init__(self, tar: tarfile.TarFile, member: tarfile.TarInfo) -> None:
        self._tar, self._member = tar, member

    def __call__(self) -> bytes:
        stream = self._tar.extractfile(self._member)
        assert stream is not None  # only regular members are read
        return stream.read()


class _Watched(io.RawIOBase):
    """Passes a stream on and counts: ``size`` bytes so far, of which none but zeros from ``text_end`` on."""

    def __init__(self, stream: gzip.GzipFile) -> None:
        self._stream = stream
        self.size = self.text_end = 0

    def read(self, size: int = -1) -> bytes:
        piece = self._stream.read(size)
        if text := piece.rstrip(b"\0"):
            self.text_end = self.size + len(text)
        self.size += len(piece)
        return piece

    def read_to_end(self) -> None:
        while self.read(2**16):
            pass
