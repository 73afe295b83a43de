"""The format of an index folder: columns in ``.npy`` files, mapped into memory, and ``manifest.json``.

There are N documents, T terms, P postings (pairs of a term and a document with it) and S tokens, without stop
words:

===============  ======  =======================================================================
column           length  content
===============  ======  =======================================================================
ids              bytes   the documents' ids, UTF-8, joined
id_starts        N + 1   where each id begins
digests          16 N    a digest of each document's id and content
lengths          N       each document's tokens
starts           N + 1   the position at which each document begins; stop words count
terms            bytes   the terms in order of their UTF-8 bytes
term_starts      T + 1   where each term begins
posting_starts   T + 1   where each term's postings begin
documents        P       each posting's document, ascending within a term
frequencies      P       the count of each posting's term in its document
position_starts  T + 1   where each term's positions begin
positions        S       a term's positions in the whole collection, ascending
===============  ======  =======================================================================

Starts are int64; lengths, documents, frequencies and positions have the smallest unsigned type that fits. The
same documents and analyzer give the same bytes, however the documents were split into parts.

An index is used only after all of it was checked, its bytes against their checksums and its columns against
each other. Checksums do not protect from an attacker, who can write them too. The checks of the columns
therefore cover everything that the engine's compiled loops rely on: no document, frequency or position leads
out of a column.
"""

from __future__ import annotations

import codecs
import contextlib
import hashlib
import json
import mmap
import os
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

import numpy as np

from sera import names
from sera.compiled import compiled
from sera.errors import InputError
from sera.io.files import damage, unreadable
from sera.progress import Progress
from sera.retrieval.engines import MANIFEST, read_manifest
from sera.retrieval.engines.verified import Stamp
from sera.text import analysis

INDEX_FORMAT = "sera index"
INDEX_VERSION = 1
DIGEST = 16  # bytes
_SIGNPOST = 32  # terms from one signpost to the next

_SMALL = ("|u1", "<u2", "<u4")
_TYPES = {
    "ids": ("|u1",),
    "id_starts": ("<i8",),
    "digests": ("|u1",),
    "lengths": _SMALL,
    "starts": ("<i8",),
    "terms": ("|u1",),
    "term_starts": ("<i8",),
    "posting_starts": ("<i8",),
    "documents": _SMALL,
    "frequencies": _SMALL,
    "position_starts": ("<i8",),
    "positions": (*_SMALL, "<u8"),
}
_HEADER = 128  # bytes
_MOST_WORDS = 1 << 48  # the most words of a collection: sums of several stay below 2 ** 63
_STATISTICS = ("documents", "tokens", "terms")
_SUM = re.compile("[0-9a-f]{64}")
REMEDY = "Build the index again."


class Column(NamedTuple):
    """A column to write: its type, its length, and its content in pieces."""

    dtype: np.dtype
    length: int
    pieces: Iterable[np.ndarray]


def column(content: np.ndarray) -> Column:
    """A column with the whole content in memory."""
    return Column(content.dtype, len(content), [content])


def smallest(highest: int) -> np.dtype:
    """The smallest unsigned type that holds 0 to ``highest``."""
    return np.min_scalar_type(highest)


def small(values: np.ndarray) -> np.ndarray:
    """The values in the smallest type that holds them."""
    return values.astype(smallest(int(values.max(initial=0))), copy=False)


def starts_of(counts: Sequence[int] | np.ndarray) -> np.ndarray:
    """Where each group of entries begins, given the groups' sizes, with the end as last; int64."""
    starts = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    return starts


def digest(id: str, content: str) -> bytes:
    """A hash of 16 bytes over a document's id and content."""
    name = _bytes(id)
    hashed = hashlib.blake2b(len(name).to_bytes(8, "little"), digest_size=DIGEST)
    hashed.update(name)
    hashed.update(_bytes(content))
    return hashed.digest()


def joined(strings: Iterable[bytes]) -> tuple[np.ndarray, np.ndarray]:
    """Byte strings joined (uint8), and where each begins, with the end as last (int64)."""
    strings = list(strings)
    return np.frombuffer(b"".join(strings), np.uint8), starts_of(list(map(len, strings)))


def write(folder: Path, analyzer: str, columns: Mapping[str, Column]) -> None:
    """Write an index into an existing folder: every column, then the manifest."""
    files = {}
    fingerprint = hashlib.sha256()
    entries = sum(column.length for column in columns.values())
    with Progress("entries of the index written", entries) as report:
        for name in _TYPES:
            dtype, length, pieces = columns[name]
            dtype = dtype.newbyteorder("<")
            hashed = hashlib.sha256()
            with open(folder / f"{name}.npy", "wb") as stream:
                header = _header(dtype.str, length)
                stream.write(header)
                hashed.update(header)
                for piece in pieces:
                    content = np.ascontiguousarray(piece, dtype).data
                    stream.write(content)
                    report.advance(len(piece))
                    hashed.update(content)
                    if name == "digests":
                        fingerprint.update(content)
                files[f"{name}.npy"] = {"bytes": stream.tell(), "sha256": hashed.hexdigest()}
    manifest = {
        "format": INDEX_FORMAT,
        "version": INDEX_VERSION,
        "analyzer": analyzer,
        "fingerprint": fingerprint.hexdigest(),
        "statistics": {
            "documents": columns["lengths"].length,
            "tokens": columns["positions"].length,  # Lucene's sumTotalTermFreq
            "terms": columns["term_starts"].length - 1,
        },
        "files": files,
    }
    text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8", newline="\n")


def _header(dtype: str, length: int) -> bytes:
    """The header of a column's file: numpy's format 1.0, with room for numbers of 21 digits."""
    text = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({length},), }}"
    return (
        b"\x93NUMPY\x01\x00"
        + (_HEADER - 10).to_bytes(2, "little")
        + text.ljust(_HEADER - 11).encode()
        + b"\n"
    )


class Index:
    """An opened index folder; each column is an attribute, a read-only array mapped from its file.

    ``fingerprint`` is the SHA-256, in hexadecimal, of the documents' digests in order.

    The manifest and the files' sizes and types are always checked; ``check`` says when all bytes are
    (`check_index`): "always"; "changed", if the files changed since the last check
    (`sera.retrieval.engines.verified`); or "never", for an index that this process has just written. Raises
    InputError if a check fails.
    """

    ids: np.ndarray
    id_starts: np.ndarray
    digests: np.ndarray
    lengths: np.ndarray
    starts: np.ndarray
    terms: np.ndarray
    term_starts: np.ndarray
    posting_starts: np.ndarray
    documents: np.ndarray
    frequencies: np.ndarray
    position_starts: np.ndarray
    positions: np.ndarray

    def __init__(
        self, folder: str | PathLike[str], *, check: Literal["changed", "always", "never"] = "changed"
    ) -> None:
        self.folder = Path(folder)
        self.manifest = _manifest(self.folder)
        self.analyzer: str = self.manifest["analyzer"]
        self.fingerprint: str = self.manifest["fingerprint"]
        with contextlib.ExitStack() as stack:
            streams = [stack.enter_context(self._opened(f"{name}.npy")) for name in _TYPES]
            for (name, types), stream in zip(_TYPES.items(), streams):
                setattr(self, name, _mapped(self.folder / f"{name}.npy", stream, types))
            if not self._fits():
                raise InputError("the columns do not fit together", path=self.folder, remedy=REMEDY)
            if check != "never":
                self._check(streams, again=check == "always")

    def contents(self) -> dict[str, tuple[bytes, np.ndarray]]:
        """The header of each column's file, and the column, by the column's name."""
        columns = {name: getattr(self, name) for name in _TYPES}
        return {name: (_header(each.dtype.str, len(each)), each) for name, each in columns.items()}

    def id(self, document: int) -> str:
        """The id of a document number."""
        first, end = self.id_starts[document : document + 2]
        return self.ids[first:end].tobytes().decode("utf-8", "surrogatepass")

    def term(self, number: int) -> bytes:
        """The term of a number, UTF-8."""
        first, end = self.term_starts[number : number + 2]
        return self.terms[first:end].tobytes()

    def number(self, term: str) -> int | None:
        """The number of a term; None if the index does not have it."""
        wanted = _bytes(term)
        first = _SIGNPOST * max(0, bisect_right(self._signposts, wanted) - 1)
        bounds = self.term_starts[first : first + _SIGNPOST + 1].tolist()
        block = self.terms[bounds[0] : bounds[-1]].tobytes()
        for number, (start, end) in enumerate(zip(bounds, bounds[1:]), first):
            if block[start - bounds[0] : end - bounds[0]] == wanted:
                return number
        return None

    @cached_property
    def _signposts(self) -> list[bytes]:
        """Every `_SIGNPOST`-th term, so that a search begins close to its end."""
        return [self.term(number) for number in range(0, len(self.term_starts) - 1, _SIGNPOST)]

    def every_id(self) -> Iterator[bytes]:
        """The ids in order, UTF-8."""
        return _split(self.ids, self.id_starts)

    def every_term(self) -> Iterator[bytes]:
        """The terms in order, UTF-8."""
        return _split(self.terms, self.term_starts)

    def _opened(self, name: str) -> IO[bytes]:
        """Open a file of the index; InputError for a missing file and a size other than the manifest's."""
        path = self.folder / name
        try:
            stream = open(path, "rb")
        except OSError as error:
            raise unreadable(path, error, "a file of this index") from None
        there, size = os.fstat(stream.fileno()).st_size, self.manifest["files"][name]["bytes"]
        if there != size:
            stream.close()
            raise InputError(f"has {there} bytes, not {size}", path=path, remedy=REMEDY)
        return stream

    def _check(self, streams: list[IO[bytes]], *, again: bool) -> None:
        """Read and check all files, unless they are known to be right and ``again`` is false."""

        def stamp() -> Stamp:
            facts = ("index", CHECKS_VERSION, self.manifest)
            return Stamp(facts, [os.fstat(stream.fileno()) for stream in streams])

        before = stamp()
        if again or not before.is_known():
            check_index(self)
            if stamp() != before:
                problem = "changed while it was read"
                raise InputError(problem, path=self.folder, remedy="Run the same command again.")
            before.remember()

    def _fits(self) -> bool:
        """Whether the lengths of the columns fit together; reads only the ends of the columns."""
        documents, tokens, terms = (self.manifest["statistics"][name] for name in _STATISTICS)
        starts = (self.id_starts, self.starts, self.term_starts, self.posting_starts, self.position_starts)
        return (
            [len(column) for column in starts] == [documents + 1] * 2 + [terms + 1] * 3
            and len(self.lengths) == documents
            and len(self.digests) == DIGEST * documents
            and len(self.ids) == self.id_starts[-1]
            and len(self.terms) == self.term_starts[-1]
            and len(self.documents) == len(self.frequencies) == self.posting_starts[-1]
            and len(self.positions) == tokens == self.position_starts[-1]
            and 0 <= self.starts[-1] <= _MOST_WORDS
        )


def _mapped(path: Path, stream: IO[bytes], types: Iterable[str]) -> np.ndarray:
    """A column mapped from its file; the file must begin with exactly the header that `write` writes."""
    with damage(path):
        header, size = stream.read(_HEADER), os.fstat(stream.fileno()).st_size - _HEADER
        for dtype in map(np.dtype, types):
            length = size // dtype.itemsize
            if header == _header(dtype.str, length) and length * dtype.itemsize == size:
                mapped = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
                return np.frombuffer(mapped, dtype, length, _HEADER)
    raise InputError("is not a column of an index", path=path, remedy=REMEDY)


def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    manifest = read_manifest(folder, "an index")
    if manifest.get("format") != INDEX_FORMAT:
        raise InputError("is not the manifest of an index", path=path, remedy="Name the folder of an index.")
    version = manifest.get("version")
    if type(version) is not int or version != INDEX_VERSION:
        problem = f"has the format version {str(version)[:40]}, not {INDEX_VERSION}"
        raise InputError(problem, path=path, remedy=REMEDY)
    if not _complete(manifest):
        raise InputError("is damaged", path=path, remedy=REMEDY)
    try:
        analysis.analyzer(manifest["analyzer"])
    except InputError as error:
        raise InputError(error.problem, path=path, remedy=error.remedy) from None
    return manifest


def _complete(manifest: dict[str, Any]) -> bool:
    """Whether a manifest has all entries, each of the right kind, and names only the files of columns."""
    try:
        return (
            list(manifest["files"]) == [f"{name}.npy" for name in _TYPES]
            and all(
                _is_count(facts["bytes"]) and _is_sum(facts["sha256"]) for facts in manifest["files"].values()
            )
            and all(_is_count(manifest["statistics"][name]) for name in _STATISTICS)
            and _is_sum(manifest["fingerprint"])
            and isinstance(manifest["analyzer"], str)
        )
    except (KeyError, TypeError, AttributeError):
        return False


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 60


def _is_sum(value: Any) -> bool:
    return isinstance(value, str) and bool(_SUM.fullmatch(value))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


_SPLIT_AT_ONCE = 65_536  # byte strings


def _split(content: np.ndarray, starts: np.ndarray) -> Iterator[bytes]:
    """The byte strings that `joined` joined, without a copy of them all."""
    for first in range(0, len(starts) - 1, _SPLIT_AT_ONCE):
        bounds = starts[first : first + _SPLIT_AT_ONCE + 1].tolist()
        block = content[bounds[0] : bounds[-1]].tobytes()
        for start, end in zip(bounds, bounds[1:]):
            yield block[start - bounds[0] : end - bounds[0]]


# Checking
# --------

CHECKS_VERSION = 1
"""Version of the checks; after a new version, all indexes are checked again."""

_AT_ONCE = 1 << 20  # entries or bytes that are checked at a time
_STARTS = ("id_starts", "starts", "term_starts", "posting_starts", "position_starts")


def check_index(index: Index) -> None:
    """Read and check all of an index; raises InputError with the wrong file."""
    if not all(_ascending(getattr(index, name)) for name in _STARTS):
        raise InputError("the columns do not fit together", path=index.folder, remedy=REMEDY)
    _check_sums(index)
    _check_ids(index)
    _check_terms(index)
    _check_postings(index)


def _fault(index: Index, column: str, problem: str) -> InputError:
    return InputError(problem, path=index.folder / f"{column}.npy", remedy=REMEDY)


def _check_sums(index: Index) -> None:
    facts = index.manifest["files"]
    fingerprint = hashlib.sha256()
    with Progress("bytes of the index checked", sum(each["bytes"] for each in facts.values())) as progress:
        for name, (header, content) in index.contents().items():
            hashed = hashlib.sha256(header)
            for first in range(0, len(content), _AT_ONCE):
                piece = content[first : first + _AT_ONCE]
                hashed.update(piece.data)
                progress.advance(piece.nbytes)
                if name == "digests":
                    fingerprint.update(piece.data)
            if hashed.hexdigest() != facts[f"{name}.npy"]["sha256"]:
                raise _fault(index, name, "differs from its checksum")
    if fingerprint.hexdigest() != index.fingerprint:
        raise InputError("the fingerprint is not that of the documents", path=index.folder, remedy=REMEDY)


def _check_ids(index: Index) -> None:
    """Check that each id is a name and occurs once."""
    if _longest(index.id_starts) > 4 * names.LONGEST:
        raise _fault(index, "ids", f"an id has more than {names.LONGEST} characters")
    for number, id in enumerate(index.every_id()):
        try:
            names.check("id", id.decode(), path=index.folder / "ids.npy")
        except UnicodeDecodeError:
            raise _fault(index, "ids", f"the id of the document number {number} is not UTF-8") from None
    hashes = np.fromiter(map(hash, index.every_id()), np.int64, len(index.lengths))
    hashes.sort()
    alike = hashes[1:][hashes[1:] == hashes[:-1]]
    if len(alike):  # ids with equal hashes are compared themselves
        suspects = set(alike.tolist())
        known: set[bytes] = set()
        for id in index.every_id():
            if hash(id) in suspects:
                if id in known:
                    raise _fault(index, "ids", f"the document {id.decode()!r} is there twice")
                known.add(id)


def _check_terms(index: Index) -> None:
    """Check that terms are UTF-8, in order, and different."""
    if _longest(index.term_starts) > 4 * analysis.LONGEST_TOKEN:
        raise _fault(index, "terms", f"a term has more than {4 * analysis.LONGEST_TOKEN} bytes")
    number = _first_out_of_order(index.terms, index.term_starts)
    if number >= 0:
        raise _fault(index, "terms", f"the term number {number} is not in order")
    begins = index.term_starts[:-1]
    for first in range(0, len(begins), _AT_ONCE):
        if ((index.terms[begins[first : first + _AT_ONCE]] & 0xC0) == 0x80).any():  # inside a character
            raise _fault(index, "terms", "a term is not UTF-8")
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for first in range(0, len(index.terms), _AT_ONCE):
            decoder.decode(index.terms[first : first + _AT_ONCE].data)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        raise _fault(index, "terms", "a term is not UTF-8") from None


@compiled
def _first_out_of_order(terms, starts):
    """The number of the first term that is empty or not above the one before; -1 if there is none."""
    for term in range(len(starts) - 1):
        place, end = starts[term], starts[term + 1]
        before = starts[max(term - 1, 0)]
        while before < starts[term] and place < end and terms[before] == terms[place]:
            before += 1
            place += 1
        if place == end or (before < starts[term] and terms[before] > terms[place]):
            return term
    return -1


_FAULTS = {
    1: ("posting_starts", "has no posting"),
    2: ("documents", "has postings of documents that are not there or not in order"),
    3: ("frequencies", "has frequencies that are not those of its positions"),
    4: ("positions", "has positions outside its documents or not in order"),
}


def _check_postings(index: Index) -> None:
    """Check that postings and positions are inside documents, and fit each other and the lengths."""
    tokens = np.zeros(len(index.lengths), np.int64)
    term, fault = _posting_fault(
        index.posting_starts, index.documents, index.frequencies, index.position_starts, index.positions,
        index.starts, tokens,
    )  # fmt: skip
    if fault:
        column, problem = _FAULTS[fault]
        raise _fault(index, column, f"the term number {term} {problem}")
    for first in range(0, len(tokens), _AT_ONCE):
        wrong = np.flatnonzero(tokens[first : first + _AT_ONCE] != index.lengths[first : first + _AT_ONCE])
        if len(wrong):
            number = first + int(wrong[0])
            said = f"the document number {number} has {tokens[number]} tokens, not {index.lengths[number]}"
            raise _fault(index, "lengths", said)


@compiled
def _posting_fault(
    posting_starts, documents, frequencies, position_starts, positions, starts, tokens
):  # fmt: skip
    """The first wrong term and its fault, a key of `_FAULTS`, or 0 if there is none.

    Adds the tokens of each document to ``tokens``. The starts must ascend from 0 to the length of the column
    that they belong to.
    """
    for term in range(len(posting_starts) - 1):
        place, end = position_starts[term], position_starts[term + 1]
        if posting_starts[term] == posting_starts[term + 1]:
            return term, 1
        before = np.int64(-1)
        for posting in range(posting_starts[term], posting_starts[term + 1]):
            document, often = np.int64(documents[posting]), np.int64(frequencies[posting])
            if document <= before or document >= len(tokens):
                return term, 2
            if often < 1 or often > end - place:
                return term, 3
            lowest, limit = starts[document], starts[document + 1]
            for at in range(place, place + often):
                position = np.int64(positions[at])
                if position < lowest or position >= limit:
                    return term, 4
                lowest = position + 1
            place += often
            tokens[document] += often
            before = document
        if place < end:
            return term, 3
    return 0, 0


def _ascending(starts: np.ndarray) -> bool:
    """Whether starts begin at 0 and never decrease, so the entries between two of them are in the column."""
    return starts[0] == 0 and all(bool((block[1:] >= block[:-1]).all()) for block in _blocks(starts))


def _longest(starts: np.ndarray) -> int:
    """The longest distance between two starts."""
    return max((int(np.diff(block).max(initial=0)) for block in _blocks(starts)), default=0)


def _blocks(starts: np.ndarray) -> Iterator[np.ndarray]:
    """Starts in pieces; the last entry of a piece is the first of the next."""
    return (starts[first : first + _AT_ONCE + 1] for first in range(0, len(starts), _AT_ONCE))
