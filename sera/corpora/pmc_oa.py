"""Read PubMed Central's Open Access bulk packages: ``*.tar.gz`` of JATS articles with ``.filelist.csv``.

A package is read once, as a stream: nothing is unpacked to disk, and only one article at a time is in memory.
A bad package, member or article does not stop the work; it is reported as an `Unreadable`. A list of files
(`sera.corpora.archives`) that cannot be read to its end does stop it.

Packages overlap: an incremental package replaces articles of older ones and marks those that were retracted
in the meantime. `select` decides from the lists alone which version of an article is read, so packages can be
read in parallel.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import numpy as np

from sera import names
from sera.corpora import archives, jats
from sera.errors import InputError
from sera.io import files, records, tsv
from sera.io.files import writing
from sera.io.records import Document
from sera.progress import progress

log = logging.getLogger(__name__)

# Reasons why an article in a package is not read. They name no package, so the selection of one package stays
# the same, byte for byte, whichever other package replaces its articles.
RETRACTED = "retracted"
REPLACED = "another version of the article is read in its place"


@dataclass(frozen=True)
class Unreadable:
    """A part of a package that gave no document, and why; ``member`` is empty for the package as a whole."""

    package: str
    member: str
    reason: str


@dataclass(frozen=True)
class LeftOut:
    """A member of a package that is not read; ``reason`` is `RETRACTED` or `REPLACED`."""

    member: str
    reason: str


class RecordCounts(NamedTuple):
    """The numbers of records written."""

    documents: int
    unreadable: int


def packages(folder: str | Path) -> list[Path]:
    """The packages in a folder, by name; each may be a link to a file.

    Raises InputError if there is no folder or no package in it, and if something else has a package's name.
    """
    folder = Path(folder)
    remedy = (  # a package may be a link, since packages are large and may be kept on another disk
        "Put PubMed Central's bulk packages there, each *.tar.gz with its *.filelist.csv, "
        "from https://ftp.ncbi.nlm.nih.gov/pub/pmc/oa_bulk/."
    )
    if not folder.is_dir():
        raise InputError("there is no such folder of packages", path=folder, remedy=remedy)
    try:
        listed = sorted(os.listdir(folder))
    except OSError as error:
        raise files.unreadable(folder, error) from None
    found = [folder / name for name in listed if name.endswith(archives.SUFFIX) and not name.startswith(".")]
    for path in found:
        names.check("package", path.name, path=path)
        if not path.is_file():
            raise InputError("is not a file, or is a link to nothing", path=path, remedy="Remove it.")
    if not found:
        raise InputError("holds no package (*.tar.gz)", path=folder, remedy=remedy)
    return found


def extract(
    package: str | Path,
    *,
    left_out: Mapping[str, str] | None = None,
    figures: bool = False,
) -> Iterator[Document | Unreadable]:
    """The articles of one package, in its order.

    package:   a ``.tar.gz``; an article's id is its accession in the file list, or else the member's name
               without suffix
    left_out:  members that are not read, each with the reason, as `select` returns them for all packages; by
               default, those that the package's own list implies
    figures:   whether to add the captions of figures and tables (`jats.read_article`)

    Yields an `Unreadable` for each member that is left out, is not a regular file, has a path outside the
    archive (absolute or ``..``), is over `limits.MEMBER`, is not XML, holds no text, repeats an article or
    has an id that is not a name (`sera.names`); for each listed article that the archive lacks; for a missing
    list; and for an archive that is cut short or damaged, after the articles before the damage. Folders are
    skipped.

    Raises InputError if the package does not exist, and, with up to ten lines, for a list that cannot be read
    to its end.
    """
    package = Path(package)
    if not package.is_file():
        raise InputError("there is no such package", path=package, remedy="Check the path.")
    ids: dict[str, str] = {}
    try:
        for listed in archives.read_list(archives.file_list(package)):
            if ids.setdefault(listed.member, listed.id) != listed.id:
                problem = f"gives {listed.member} two ids, {ids[listed.member]} and {listed.id}"
                raise InputError(problem, path=archives.file_list(package), remedy=archives.LIST_FROM)
    except archives.NoList as error:
        log.warning("%s", error)
        yield Unreadable(
            package.name, archives.file_list(package).name, f"{error.problem}; {archives.WITHOUT_LIST}"
        )
    if left_out is None:
        left_out = select([package])[package] if ids else {}
    met: set[str] = set()  # members
    given: set[str] = set()  # ids
    archive = archives.Archive(package)
    for member, content in archive:
        name = archives.plain_name(member.name)
        met.add(name)
        id = ids.get(name) or PurePosixPath(name).stem
        if reason := archives.refusal(member) or left_out.get(name):
            yield Unreadable(package.name, member.name, reason)
        elif wrong := _no_name(id):
            yield Unreadable(package.name, member.name, wrong)
        elif id in given:
            yield Unreadable(package.name, member.name, f"repeats article {id}, which came before")
        else:
            try:
                xml = content()
            except archives.DAMAGE as error:
                archive.damaged(error)
                met.discard(name)
                break
            try:
                document = jats.read_article(xml, id, figures=figures)
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
) -> RecordCounts:
    """Write the articles of packages to the file ``documents``, and the rest to the table ``unreadable``.

    documents:   Documents as JSONL, compressed if the name ends in ``.gz``; each article once,
                 in its newest version
    unreadable:  a TSV with the header ``package member reason``
    left_out:    the members of each package that are not read (default: `select` of these packages)

    For ``figures`` see `extract`. Both files appear complete or not at all. Raises InputError
    as `extract` does.
    """
    paths = list(dict.fromkeys(map(Path, packages)))
    left_out = select(paths) if left_out is None else left_out
    refused = 0

    def refuse(*cells: str) -> None:
        nonlocal refused
        refused += 1
        table.write("\t".join(map(tsv.cell, cells)) + "\n")

    def articles() -> Iterator[Document]:
        given: set[str] = set()
        for package in paths:
            items = extract(package, left_out=left_out[package], figures=figures)
            for item in progress(items, f"articles of {package.name} read"):
                if isinstance(item, Unreadable):
                    refuse(item.package, item.member, item.reason)
                elif item.id in given:  # the archive holds an article that its list lacks
                    refuse(package.name, item.id, "is in an earlier package too")
                else:
                    given.add(item.id)
                    yield item

    with writing(unreadable) as table:
        table.write("package\tmember\treason\n")
        count = records.write(documents, articles())
    return RecordCounts(count, refused)


def unreadable_reasons(table: str | Path) -> dict[str, int]:
    """How often each reason, without its details, occurs in a table of `write_extract`."""
    reasons = tsv.read(table, ("package", "member", "reason"))["reason"]
    return dict(sorted(Counter(reason.split(":")[0] for reason in reasons).items()))


def _no_name(id: str) -> str:
    """Why an article's id is not allowed; empty if it is."""
    try:
        names.check("id", id)
    except InputError as error:
        return error.problem
    return ""


# --- from which package each article is read ------------------------------------------------------

_ISSUED = re.compile(r"\.(?P<kind>baseline|incr)\.(?P<date>\d{4}-\d\d-\d\d)\b")


def select(packages: Sequence[str | Path]) -> dict[Path, dict[str, str]]:
    """For each package, the members that are not read, each with the reason.

    Each article, identified by its accession, is read once, in its newest version:

    1. the version with the latest *LastUpdated* (if it has none, the date of its package);
    2. among equal ones, the version in the package issued last, by the date in the package's name; at the
       same date, an incremental package comes after a baseline;
    3. among those, the first in the order of ``packages`` and of their lists.

    An article is left out completely if a list marks this version as retracted, or another version with the
    same *LastUpdated*, or a version in a package issued later. An older mark does not count: the newer list
    has withdrawn it.

    Only the lists are read; if a package has none, the names of its members are. Time is linear in the
    length of the lists (about 7 s for a million articles); memory is about 70 bytes an article plus the
    members left out.

    Raises InputError, with up to ten lines, for a list that cannot be read to its end.
    """
    paths = list(dict.fromkeys(map(Path, packages)))
    issued = [_issued(path) for path in paths]
    ranks = {when: rank for rank, when in enumerate(sorted(set(issued)))}
    articles, updated, retracted, counts = array("Q"), array("q"), array("b"), []
    for path, (date, _) in zip(paths, issued, strict=True):
        before = len(articles)
        for listed in archives.contents(path):
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
    """The state of each listed version: `_READ`, `_RETRACTED` or `_REPLACED`; all arrays have its length."""
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
    for listed, state in zip(archives.contents(package), states, strict=True):
        if state == _RETRACTED:
            reasons[listed.member] = RETRACTED
        elif state == _REPLACED:
            reasons.setdefault(listed.member, REPLACED)
        else:
            read.add(listed.member)
    # a member that is listed twice does not replace itself
    return {member: why for member, why in reasons.items() if why == RETRACTED or member not in read}


def _hash(id: str) -> int:
    """A hash of 8 bytes for an id; the probability that two of PMC's seven million are equal is 1e-6."""
    return int.from_bytes(hashlib.blake2b(id.encode("utf-8"), digest_size=8).digest(), "big")


def _issued(package: Path) -> tuple[int, bool]:
    """The date when a package was issued, as a number, and whether the package is incremental."""
    found = _ISSUED.search(package.name)
    return (_number(found["date"]), found["kind"] == "incr") if found else (0, False)


def _number(time: str) -> int:
    """A time as a number that sorts in the same order; 0 for a text that is not a time."""
    match = archives.TIME.fullmatch(time)
    return int("".join(match.groups("00"))) if match else 0


def write_selection(path: str | Path, left_out: Mapping[str, str]) -> None:
    """Write the members left out of one package as `LeftOut` records (JSONL, or compressed for ``.gz``)."""
    records.write(path, (LeftOut(member, reason) for member, reason in left_out.items()))


def read_selection(path: str | Path) -> dict[str, str]:
    """Read a file of `write_selection`. Raises InputError for a file of another kind."""
    return {entry.member: entry.reason for entry in records.iterate(path, LeftOut)}
