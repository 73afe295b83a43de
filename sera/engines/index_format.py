"""What an index folder is: columns in ``.npy`` files that are mapped into memory, and ``manifest.json``.

With N documents, T terms, P postings (pairs of a term and a document that has it) and S tokens, stop words
not among them:

===============  ======  =======================================================================
column           length  content
===============  ======  =======================================================================
ids              bytes   the documents' ids, UTF-8, one after the other
id_starts        N + 1   where each id begins
digests          16 N    a digest of each document's id and content
lengths          N       each document's tokens
starts           N + 1   the position at which each document begins; a stop word takes a position
terms            bytes   the terms in order of their UTF-8 bytes
term_starts      T + 1   where each term begins
posting_starts   T + 1   where each term's postings begin
documents        P       each posting's document, ascending within a term
frequencies      P       how often the posting's term is in its document
position_starts  T + 1   where each term's positions begin
positions        S       a term's positions in the whole collection, ascending
===============  ======  =======================================================================

Starts are int64; lengths, documents, frequencies and positions take the smallest unsigned type. Equal
documents under the same analyzer give the same bytes, however they were split into parts.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sera import analysis
from sera.errors import InputError
from sera.progress import Progress

FORMAT = "sera index"
VERSION = 1
DIGEST = 16  # bytes
_SIGNPOST = 32  # terms

_COLUMNS = (
    "ids",
    "id_starts",
    "digests",
    "lengths",
    "starts",
    "terms",
    "term_starts",
    "posting_starts",
    "documents",
    "frequencies",
    "position_starts",
    "positions",
)
_STATISTICS = ("documents", "tokens", "terms")
_MANIFEST = "manifest.json"
REMEDY = "Build the index again."


class Column(NamedTuple):
    """A column to be written: its type, its length, and its content in pieces."""

    dtype: np.dtype
    length: int
    pieces: Iterable[np.ndarray]


def column(content: np.ndarray) -> Column:
    """A column whose content is at hand."""
    return Column(content.dtype, len(content), [content])


def smallest(highest: int) -> np.dtype:
    """The smallest unsigned type that holds 0 to ``highest``."""
    return np.min_scalar_type(highest)


def digest(id: str, content: str) -> bytes:
    """16 bytes that tell one document from another."""
    name = _bytes(id)
    hashed = hashlib.blake2b(len(name).to_bytes(8, "little"), digest_size=DIGEST)
    hashed.update(name)
    hashed.update(_bytes(content))
    return hashed.digest()


def joined(strings: Iterable[bytes]) -> tuple[np.ndarray, np.ndarray]:
    """Byte strings one after the other, uint8, and where each begins, int64, with the end as last."""
    strings = list(strings)
    starts = np.zeros(len(strings) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, strings), np.int64, len(strings)), out=starts[1:])
    return np.frombuffer(b"".join(strings), np.uint8), starts


def write(folder: Path, analyzer: str, columns: Mapping[str, Column]) -> None:
    """Write an index into an existing folder: every column, then the manifest."""
    files = {}
    fingerprint = hashlib.sha256()
    entries = sum(column.length for column in columns.values())
    with Progress("entries of the index written", entries) as told:
        for name in _COLUMNS:
            dtype, length, pieces = columns[name]
            dtype = dtype.newbyteorder("<")
            hashed = hashlib.sha256()
            with open(folder / f"{name}.npy", "w+b") as stream:
                header = {"descr": dtype.str, "fortran_order": False, "shape": (length,)}
                np.lib.format.write_array_header_1_0(stream, header)
                stream.seek(0)
                hashed.update(stream.read())
                for piece in pieces:
                    content = np.ascontiguousarray(piece, dtype).data
                    stream.write(content)
                    told.advance(len(piece))
                    hashed.update(content)
                    if name == "digests":
                        fingerprint.update(content)
                files[f"{name}.npy"] = {"bytes": stream.tell(), "sha256": hashed.hexdigest()}
    manifest = {
        "format": FORMAT,
        "version": VERSION,
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
    (folder / _MANIFEST).write_text(text, encoding="utf-8", newline="\n")


class Index:
    """An opened index folder; every column is an attribute, a read-only array mapped from its file.

    ``fingerprint`` is SHA-256 over the digests of the documents in order, as hexadecimal. Opening checks the
    manifest, the sizes of the files and that the columns fit together; InputError if anything is amiss.
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

    def __init__(self, folder: str | PathLike[str]) -> None:
        self.folder = Path(folder)
        self.manifest = _manifest(self.folder)
        self.analyzer: str = self.manifest["analyzer"]
        self.fingerprint: str = self.manifest["fingerprint"]
        for name in _COLUMNS:
            path = self.folder / f"{name}.npy"
            try:
                content = np.load(path, mmap_mode="r", allow_pickle=False).view(np.ndarray)
            except (ValueError, EOFError, OSError) as error:
                raise InputError(f"is not a column of an index: {error}", path=path, remedy=REMEDY) from None
            setattr(self, name, content)
        if not self._fits():
            raise InputError("the columns do not fit together", path=self.folder, remedy=REMEDY)

    def id(self, document: int) -> str:
        """The id of a document number."""
        first, end = self.id_starts[document : document + 2]
        return self.ids[first:end].tobytes().decode("utf-8", "surrogatepass")

    def term(self, number: int) -> bytes:
        """The term of that number, UTF-8."""
        first, end = self.term_starts[number : number + 2]
        return self.terms[first:end].tobytes()

    def number(self, term: str) -> int | None:
        """The number of a term, None if the index does not have it."""
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
        """Every so many terms one, so that a search begins near its end."""
        return [self.term(number) for number in range(0, len(self.term_starts) - 1, _SIGNPOST)]

    def every_id(self) -> Iterator[bytes]:
        """The ids in order, UTF-8."""
        return _split(self.ids, self.id_starts)

    def every_term(self) -> Iterator[bytes]:
        """The terms in order, UTF-8."""
        return _split(self.terms, self.term_starts)

    def _fits(self) -> bool:
        columns = [getattr(self, name) for name in _COLUMNS]
        if any(column.ndim != 1 or column.dtype.kind not in "iu" for column in columns):
            return False
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
            and all(map(_ascending, starts))
        )


def verify(folder: str | PathLike[str]) -> None:
    """Read every byte of an index and compare with the checksums; InputError names a file that differs."""
    index = Index(folder)
    for name, facts in index.manifest["files"].items():
        with open(index.folder / name, "rb") as stream:
            if hashlib.file_digest(stream, "sha256").hexdigest() != facts["sha256"]:
                raise InputError("differs from its checksum", path=index.folder / name, remedy=REMEDY)
    if hashlib.sha256(index.digests.tobytes()).hexdigest() != index.fingerprint:
        raise InputError("the fingerprint is not that of the documents", path=folder, remedy=REMEDY)


def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / _MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(
            "there is no index: manifest.json is missing", path=folder, remedy="Name the folder of an index."
        ) from None
    except ValueError:  # not UTF-8, not JSON
        raise InputError("is damaged", path=path, remedy=REMEDY) from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise InputError("is not the manifest of an index", path=path, remedy="Name the folder of an index.")
    if manifest.get("version") != VERSION:
        raise InputError(
            f"has the format version {manifest.get('version')}, not {VERSION}", path=path, remedy=REMEDY
        )
    if not _complete(manifest):
        raise InputError("is damaged", path=path, remedy=REMEDY)
    try:
        analysis.analyzer(manifest["analyzer"])
    except InputError as error:
        raise InputError(error.problem, path=path, remedy=error.remedy) from None
    for name, facts in manifest["files"].items():
        if not (folder / name).is_file():
            raise InputError("a file of this index is missing", path=folder / name, remedy=REMEDY)
        size = (folder / name).stat().st_size
        if size != facts["bytes"]:
            raise InputError(f"has {size} bytes, not {facts['bytes']}", path=folder / name, remedy=REMEDY)
    return manifest


def _complete(manifest: dict[str, Any]) -> bool:
    """Whether a manifest has everything, of the right kind."""
    try:
        return (
            list(manifest["files"]) == [f"{name}.npy" for name in _COLUMNS]
            and all(
                isinstance(facts["bytes"], int) and isinstance(facts["sha256"], str)
                for facts in manifest["files"].values()
            )
            and all(isinstance(manifest["statistics"][name], int) for name in _STATISTICS)
            and isinstance(manifest["fingerprint"], str)
            and isinstance(manifest["analyzer"], str)
        )
    except (KeyError, TypeError, AttributeError):
        return False


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _ascending(starts: np.ndarray, at_once: int = 1 << 20) -> bool:
    """Whether starts begin at 0 and never fall, so that what is between two of them is inside the column."""
    blocks = (starts[first : first + at_once + 1] for first in range(0, len(starts), at_once))
    return starts[0] == 0 and all(bool((block[1:] >= block[:-1]).all()) for block in blocks)


def _split(content: np.ndarray, starts: np.ndarray, at_once: int = 65_536) -> Iterator[bytes]:
    """The byte strings that `joined` joined, without a copy of them all."""
    for first in range(0, len(starts) - 1, at_once):
        bounds = starts[first : first + at_once + 1].tolist()
        block = content[bounds[0] : bounds[-1]].tobytes()
        for start, end in zip(bounds, bounds[1:]):
            yield block[start - bounds[0] : end - bounds[0]]
