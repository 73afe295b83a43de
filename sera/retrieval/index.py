"""An index of documents: a folder of numpy arrays in ``.npy`` files, and ``manifest.json``.

There are N documents, T terms, P postings (pairs of a term and a document with it) and S tokens, without stop
words:

===============  =======  ======  =======================================================================
column           type     length  content
===============  =======  ======  =======================================================================
ids              uint8    bytes   the documents' ids, UTF-8, a line for each
terms            uint8    bytes   the terms in order, UTF-8, a line for each
digests          uint8    16 N    a digest of each document's id and content
lengths          uint32   N       each document's tokens
starts           int64    N + 1   the position at which each document begins; stop words count
posting_starts   int64    T + 1   where each term's postings begin
documents        uint32   P       each posting's document, ascending within a term
frequencies      uint32   P       the count of each posting's term in its document
position_starts  int64    T + 1   where each term's positions begin
positions        uint32   S       a term's positions in the whole collection, ascending
===============  =======  ======  =======================================================================

The manifest has the size and the SHA-256 of each file. The same documents and analyzer give the same bytes,
however the documents were split into parts.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import shutil
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from sera import names
from sera.compiled import compiled
from sera.errors import InputError
from sera.io.data_frames import no_column
from sera.io.files import MANIFEST, sha256, unreadable
from sera.io.folders import writing_folder
from sera.io.records import Document, checked_documents
from sera.progress import progress
from sera.retrieval.engines import ENGINES, Engine, read_manifest
from sera.settings import shown
from sera.text import analysis

INDEX_FORMAT, INDEX_VERSION = "sera index", 2

DIGEST = 16  # bytes
_PART = 1 << 24  # chunks of the texts of a part: about 32 bytes of memory for each
_CHUNKS = 1 << 20  # different chunks of a part, unless its first text is longer
_REBUILD = "Build the index again."
_RECORDS = "Give a data frame with the columns id and text, a mapping of ids to texts, or records."

_Folder = str | PathLike[str]


@dataclasses.dataclass(frozen=True, eq=False)
class Index:
    """An opened index.

    ``terms`` maps each term to its number; the arrays are the columns of the same names.
    """

    folder: Path
    analyzer: str
    ids: list[str]
    terms: dict[str, int]
    digests: np.ndarray
    lengths: np.ndarray
    starts: np.ndarray
    posting_starts: np.ndarray
    documents: np.ndarray
    frequencies: np.ndarray
    position_starts: np.ndarray
    positions: np.ndarray

    @property
    def fingerprint(self) -> str:
        """The SHA-256, in hexadecimal, of the documents' digests in order."""
        return hashlib.sha256(self.digests.tobytes()).hexdigest()


_COLUMNS = [field.name for field in dataclasses.fields(Index)][2:]


def index(
    folder: _Folder,
    documents: pd.DataFrame | Mapping[str, str] | Iterable[Document] | None = None,
    *,
    analyzer: str = "english",
) -> Engine:
    """Open the index in ``folder``; with ``documents``, index these there first.

    ``documents``: a data frame with the columns ``id`` and ``text``, a mapping of ids to texts, or records
    (`sera.io.records.Document`). ``analyzer``: "english" (Lucene's, with stems and stop words) or "standard".
    An older index in the folder is replaced; any other folder that is there is refused.

    >>> pubmed = index("pubmed", {"d1": "A kinase phosphorylates p53.", "d2": "Fish swim in the sea."})
    >>> pubmed.documents
    2
    >>> pubmed.search(["p53"], 1)[0][0].document
    'd1'

    Raises InputError for documents in another form or without any text, for an id that is not a name or
    occurs twice, and for a folder that is not an index.
    """
    if documents is not None:
        build_part(checked_documents(_records(documents)), folder, analyzer=analyzer)
    engine: Engine = ENGINES.load("embedded")(folder)
    return engine


def _records(documents: Any) -> Iterator[Document]:
    if isinstance(documents, pd.DataFrame):
        for column in ("id", "text"):
            if column not in documents:
                raise no_column("documents", column, documents, _RECORDS)
        documents = zip(documents["id"], documents["text"])
    elif isinstance(documents, Mapping):
        documents = documents.items()
    elif isinstance(documents, str) or not isinstance(documents, Iterable):
        raise InputError(f"the documents are {shown(documents)}", remedy=_RECORDS)
    for each in documents:
        pair = isinstance(each, tuple) and len(each) == 2 and isinstance(each[1], str)
        if not pair and not isinstance(each, Document):
            raise InputError(f"a document is {shown(each)}", remedy=_RECORDS)
        yield Document(id=str(each[0]), text=each[1]) if pair else each


# Reading
# -------


def read_index(folder: _Folder) -> Index:
    """Open the index in a folder.

    Raises InputError for a folder that is not an index, an index of another version, and a file that is
    missing or has another size than it was written with.
    """
    folder = Path(folder)
    manifest = read_manifest(folder, "an index")
    if (manifest.get("format"), manifest.get("version")) != (INDEX_FORMAT, INDEX_VERSION):
        problem = f"is not the manifest of an index in version {INDEX_VERSION}"
        raise InputError(problem, path=folder / MANIFEST, remedy=_REBUILD)
    files = {name: folder / f"{name}.npy" for name in _COLUMNS}
    columns = {name: _column(path, manifest["files"][path.name]["bytes"]) for name, path in files.items()}
    ids, terms = (columns.pop(name).tobytes().decode().split("\n")[:-1] for name in ("ids", "terms"))
    return Index(folder, manifest["analyzer"], ids, dict(zip(terms, range(len(terms)))), **columns)


def _column(path: Path, size: int) -> np.ndarray:
    """A column mapped from its file, which has this size in bytes."""
    try:
        if path.stat().st_size == size:
            return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
    except OSError as error:
        raise unreadable(path, error, "a file of this index") from None
    except ValueError:
        pass
    raise InputError(f"is not an array in {size} bytes", path=path, remedy=_REBUILD)


def verify_index(folder: _Folder) -> dict[str, int]:
    """Compare every file of an index with its checksum; the numbers of its documents, tokens and terms."""
    read_index(folder)
    manifest = read_manifest(folder, "an index")
    for name, facts in progress(manifest["files"].items(), "files of the index read"):
        path = Path(folder, name)
        if sha256(str(path)) != facts["sha256"]:
            raise InputError("differs from its checksum", path=path, remedy=_REBUILD)
    return dict(manifest["statistics"])


# Building
# --------


def build_part(documents: Iterable[Document], folder: _Folder, *, analyzer: str = "english") -> None:
    """Index documents, in the given order, into a folder; an older index there is replaced.

    Many documents are indexed in parts, which are then merged, so that about 600 MB of memory suffice,
    besides the ids, the terms and the text of one document. Raises InputError for an id that is not a name or
    is there twice, and, before any document is read, for a folder that is something else
    (`sera.io.folders.writing_folder`).
    """
    ids: set[str] = set()
    with writing_folder(folder, replaces=INDEX_FORMAT) as target:
        folders: list[Path] = []
        part = _Part(analyzer, _CHUNKS)
        for document in progress(documents, "documents indexed"):
            if names.check("id", document.id) in ids:
                raise _repetition(document.id)
            ids.add(document.id)
            text = _encode(document.content)
            if not part.has_room(text):
                folders.append(part.save(target / f"part{len(folders)}"))
                part = _Part(analyzer, max(_CHUNKS, len(text)))
            part.add(document.id, text)
        if not folders:
            part.save(target)
            return
        folders.append(part.save(target / f"part{len(folders)}"))
        _merge(list(map(read_index, folders)), target)
        for each in folders:
            shutil.rmtree(each)


def merge(parts: Sequence[_Folder], folder: _Folder) -> None:
    """Merge parts of one analyzer into one index of their documents, in the parts' order.

    The result equals that of `build_part` for the same documents, byte for byte. Files are written as they
    are merged, so only ids and terms are in memory. Raises InputError for a damaged part, for a document in
    two parts, and for a folder as `build_part`.
    """
    with writing_folder(folder, replaces=INDEX_FORMAT) as target:
        indexes = list(map(read_index, parts))
        ids: set[str] = set()
        for each in indexes:
            if twice := ids.intersection(each.ids):
                raise _repetition(min(twice), each.folder)
            ids.update(each.ids)
        _merge(indexes, target)


def _repetition(id: str, path: Path | None = None) -> InputError:
    return InputError(f"the document {id!r} is there twice", path=path, remedy="Give each its own id.")


def digest(id: str, content: bytes) -> bytes:
    """A hash of 16 bytes over a document's id and its content in UTF-8."""
    name = _encode(id)
    state = hashlib.blake2b(len(name).to_bytes(8, "little"), digest_size=DIGEST)
    state.update(name)
    state.update(content)
    return state.digest()


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


_SEPARATORS = bytes.maketrans(b"\n-()[]/", b"       ")


class _Part:
    """Documents indexed in memory, with room for ``room`` different chunks.

    A chunk is the text between two blanks, brackets, hyphens or slashes. No word crosses these, and the text
    beyond them does not change a word. A chunk is therefore analyzed at its first occurrence and afterwards
    found by its hash of 64 bits.
    """

    def __init__(self, analyzer: str, room: int) -> None:
        self._analyzer = analysis.analyzer(analyzer)
        self._terms: dict[str, int] = {}  # in the order of first occurrence
        self._words = array("i")  # of all chunks, the numbers of the words' terms; -1 for a stop word
        self._chunk_starts = array("q", [0])  # where each chunk's words begin
        self._hashes = np.zeros(room, np.uint64)  # of the chunks
        self._slots = np.full(1 << (2 * room).bit_length(), -1, np.int32)  # a chunk's number, or -1 if free
        self._texts: list[np.ndarray] = []  # the numbers of each text's chunks
        self._ids: list[str] = []
        self._digests: list[bytes] = []
        self._length = 0  # of all texts, in chunks

    def has_room(self, text: bytes) -> bool:
        chunks = len(self._chunk_starts) - 1
        return self._length < _PART and chunks + len(text) // 2 < len(self._hashes)

    def add(self, id: str, text: bytes) -> None:
        first_new = len(self._chunk_starts) - 1
        # without the marks that end most words, there are fewer different chunks
        plain = text.translate(_SEPARATORS).replace(b", ", b" ").replace(b". ", b" ") + b" "
        chunks, spans = np.empty(len(plain) // 2, np.int32), np.empty((len(plain) // 2, 2), np.int64)
        count, new = _split(
            np.frombuffer(plain, np.uint8), self._slots, self._hashes, first_new, chunks, spans
        )
        for start, end in spans[:new].tolist():
            for word in self._analyzer.words(plain[start:end].decode("utf-8", "surrogatepass")):
                term = self._analyzer.term(word)
                self._words.append(-1 if term is None else self._terms.setdefault(term, len(self._terms)))
            self._chunk_starts.append(len(self._words))
        self._texts.append(chunks[:count].copy())
        self._ids.append(id)
        self._digests.append(digest(id, text))
        self._length += count

    def save(self, folder: Path) -> Path:
        """Sort all words by their terms and write the index."""
        terms = sorted(self._terms)
        places = np.full(len(terms) + 1, -1, np.int32)  # by the number of first occurrence; -1 stays -1
        places[[self._terms[term] for term in terms]] = np.arange(len(terms))
        words, chunk_starts = places[np.asarray(self._words)], np.asarray(self._chunk_starts)
        bounds = starts_of(list(map(len, self._texts)))
        text = np.concatenate([np.empty(0, np.int32), *self._texts])
        self._texts.clear()
        is_term = words >= 0
        times = np.repeat(np.bincount(text, minlength=len(chunk_starts) - 1), np.diff(chunk_starts))
        position_starts = starts_of(np.bincount(words[is_term], times[is_term], len(terms)).astype(np.int64))
        positions, owners = np.empty((2, position_starts[-1]), np.uint32)
        starts, lengths = np.zeros(len(bounds), np.int64), np.zeros(len(self._ids), np.uint32)
        _place(
            text, bounds, words, chunk_starts, position_starts[:-1].copy(), positions, owners, starts, lengths
        )  # fmt: skip

        first = np.ones(len(owners), bool)  # whether a token is the first of its posting
        np.not_equal(owners[1:], owners[:-1], out=first[1:])
        first[position_starts[:-1]] = True
        columns = {
            "ids": _lines(self._ids),
            "terms": _lines(terms),
            "digests": np.frombuffer(b"".join(self._digests), np.uint8),
            "lengths": lengths,
            "starts": starts,
            "posting_starts": starts_of(first)[position_starts],
            "documents": owners[first],
            "frequencies": np.diff(np.flatnonzero(first), append=len(owners)).astype(np.uint32),
            "position_starts": position_starts,
            "positions": positions,
        }
        folder.mkdir(exist_ok=True)
        for name, column in columns.items():
            np.save(folder / f"{name}.npy", column)
        _write_manifest(folder, self._analyzer.name, len(self._ids), len(positions), len(terms))
        return folder


@compiled
def _split(text, slots, hashes, known, chunks, spans):
    """Fill in the number of each chunk of a text, and where the new ones are; returns the counts of both."""
    mask = np.uint64(len(slots) - 1)
    count = new = start = 0
    hash = np.uint64(0)
    for place in range(len(text)):
        if text[place] != 32:
            hash = (hash ^ np.uint64(text[place])) * np.uint64(0x100000001B3)
            continue
        if place > start:
            slot = (hash ^ (hash >> np.uint64(29))) & mask
            while slots[slot] >= 0 and hashes[slots[slot]] != hash:
                slot = (slot + np.uint64(1)) & mask
            if slots[slot] < 0:
                slots[slot] = known + new
                hashes[known + new] = hash
                spans[new, 0], spans[new, 1] = start, place
                new += 1
            chunks[count] = slots[slot]
            count += 1
        start, hash = place + 1, np.uint64(0)
    return count, new


@compiled
def _place(text, bounds, words, chunk_starts, places, positions, owners, starts, lengths):
    """Fill in each token's position and document at the next of the ``places`` of its term.

    Fills in, too, where each document ends, in ``starts``, and the number of its tokens.
    """
    position = 0
    for document in range(len(lengths)):
        for chunk in text[bounds[document] : bounds[document + 1]]:
            for word in words[chunk_starts[chunk] : chunk_starts[chunk + 1]]:
                if word >= 0:
                    positions[places[word]] = position
                    owners[places[word]] = document
                    places[word] += 1
                    lengths[document] += 1
                position += 1
        starts[document + 1] = position


def _merge(parts: list[Index], folder: Path) -> None:
    """Write the index of the documents of all parts into an existing folder."""
    terms = sorted(set().union(*(part.terms for part in parts)))
    number = dict(zip(terms, range(len(terms))))
    numbers = [np.fromiter(map(number.__getitem__, part.terms), np.int64, len(part.terms)) for part in parts]
    first_documents = starts_of([len(part.ids) for part in parts])
    first_positions = starts_of([part.starts[-1] for part in parts])

    def save(name: str, column: np.ndarray) -> None:
        np.save(folder / f"{name}.npy", column)

    def save_entries(name: str, starts_name: str, offsets: np.ndarray) -> np.ndarray:
        """Merge a column of entries, each part's increased by its offset; returns where each term's begin."""
        counts = np.zeros(len(terms), np.int64)
        for part, own_terms in zip(parts, numbers):
            counts[own_terms] += np.diff(getattr(part, starts_name))
        starts = starts_of(counts)
        path, size = folder / f"{name}.npy", (int(starts[-1]),)
        column = np.asarray(np.lib.format.open_memmap(path, "w+", np.uint32, size))
        places = starts[:-1].copy()
        for part, own_terms, offset in zip(parts, numbers, offsets):
            own_starts = getattr(part, starts_name)
            length = np.diff(own_starts)
            here = np.arange(own_starts[-1])  # where each entry of the part goes
            here += np.repeat(places[own_terms] - own_starts[:-1], length)
            column[here] = getattr(part, name) + np.uint32(offset)
            places[own_terms] += length
        return starts

    save("ids", _lines([id for part in parts for id in part.ids]))
    save("terms", _lines(terms))
    save("digests", np.concatenate([part.digests for part in parts]))
    save("lengths", np.concatenate([part.lengths for part in parts]))
    starts = [part.starts[1:] + first for part, first in zip(parts, first_positions)]
    save("starts", np.concatenate([np.zeros(1, np.int64), *starts]))
    save_entries("frequencies", "posting_starts", np.zeros(len(parts), np.int64))
    save("posting_starts", save_entries("documents", "posting_starts", first_documents))
    position_starts = save_entries("positions", "position_starts", first_positions)
    save("position_starts", position_starts)
    _write_manifest(folder, parts[0].analyzer, first_documents[-1], position_starts[-1], len(terms))


def starts_of(counts: Sequence[int] | np.ndarray) -> np.ndarray:
    """Where each group of entries begins, given the groups' sizes, with the end as last; int64."""
    starts = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    return starts


def _lines(texts: Iterable[str]) -> np.ndarray:
    return np.frombuffer("".join(f"{text}\n" for text in texts).encode(), np.uint8)


def _write_manifest(folder: Path, analyzer: str, documents: int, tokens: int, terms: int) -> None:
    paths = [folder / f"{name}.npy" for name in _COLUMNS]
    manifest = {
        "format": INDEX_FORMAT,
        "version": INDEX_VERSION,
        "analyzer": analyzer,
        "fingerprint": hashlib.sha256(np.load(folder / "digests.npy").tobytes()).hexdigest(),
        "statistics": {"documents": int(documents), "tokens": int(tokens), "terms": int(terms)},
        "files": {path.name: {"bytes": path.stat().st_size, "sha256": sha256(str(path))} for path in paths},
    }
    text = json.dumps(manifest, indent=1) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8", newline="\n")
