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
"""

from __future__ import annotations

import hashlib
import io
import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sera.errors import InputError
from sera.io.files import damage, sha256
from sera.progress import Progress
from sera.retrieval.engines import MANIFEST, read_manifest

INDEX_FORMAT = "sera index"
INDEX_VERSION = 1
DIGEST = 16  # bytes
_SIGNPOST = 32  # terms from one signpost to the next

COLUMNS = (
    *("ids", "id_starts", "digests", "lengths", "starts", "terms", "term_starts"),
    *("posting_starts", "documents", "frequencies", "position_starts", "positions"),
)
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
        for name in COLUMNS:
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
    """The header of a column's file, as numpy writes it."""
    header = io.BytesIO()
    facts = {"descr": dtype, "fortran_order": False, "shape": (length,)}
    np.lib.format.write_array_header_1_0(header, facts)
    return header.getvalue()


class Index:
    """An opened index folder; each column is an attribute, a read-only array mapped from its file.

    ``fingerprint`` is the SHA-256, in hexadecimal, of the documents' digests in order.

    Opening it checks the manifest and the files' sizes, and `verify` their checksums. Raises InputError for a
    wrong or damaged index.
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
        for name in COLUMNS:
            path = self.folder / f"{name}.npy"
            with damage(path):
                there, size = path.stat().st_size, self.manifest["files"][path.name]["bytes"]
                if there != size:
                    raise InputError(f"has {there} bytes, not {size}", path=path, remedy=REMEDY)
                setattr(self, name, np.asarray(np.load(path, mmap_mode="r")))

    def verify(self) -> None:
        """Compare all files with their checksums; raises InputError with the wrong file."""
        facts = self.manifest["files"]
        with Progress("bytes of the index checked", sum(each["bytes"] for each in facts.values())) as report:
            for name, each in facts.items():
                if sha256(self.folder / name) != each["sha256"]:
                    raise InputError("differs from its checksum", path=self.folder / name, remedy=REMEDY)
                report.advance(each["bytes"])

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


def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    manifest = read_manifest(folder, "an index")
    if manifest.get("format") != INDEX_FORMAT:
        raise InputError("is not the manifest of an index", path=path, remedy="Name the folder of an index.")
    if (version := manifest.get("version")) != INDEX_VERSION:
        raise InputError(f"has the format version {version}, not {INDEX_VERSION}", path=path, remedy=REMEDY)
    entries = {"analyzer": str, "fingerprint": str, "statistics": dict, "files": dict}
    wrong = [name for name, kind in entries.items() if not isinstance(manifest.get(name), kind)]
    if wrong or list(manifest["files"]) != [f"{name}.npy" for name in COLUMNS]:
        raise InputError("is damaged", path=path, remedy=REMEDY)
    return manifest


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
