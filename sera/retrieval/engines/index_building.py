"""Build the embedded engine's index: in parts from documents, then by merging parts without the texts.

A *chunk* is the text between two blanks. No word crosses a blank, and the text beyond a blank does not change
a word. A chunk is therefore analyzed at its first occurrence and afterwards found by its bytes.
"""

from __future__ import annotations

import heapq
import shutil
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from os import PathLike
from pathlib import Path

import numpy as np

from sera import names
from sera.compiled import compiled
from sera.errors import InputError
from sera.io.folders import writing_folder
from sera.io.records import Document
from sera.progress import progress
from sera.retrieval.engines.index_format import (
    INDEX_FORMAT,
    Column,
    Index,
    column,
    digest,
    joined,
    small,
    smallest,
    starts_of,
    write,
)
from sera.retrieval.engines.string_tables import AT_ONCE, Chunks, with_room

_Folder = str | PathLike[str]

MEMORY = 10**9
"""Default for the bytes of memory that building an index may use."""

_WORD_BYTES = 18  # bytes of a word until its run is written: its number, its position, its part of a posting
_DOCUMENT_BYTES = 400
_ID_BYTES = 120
_ENTRIES = 4_000_000  # entries of a column that are merged in memory at a time


def build_part(
    documents: Iterable[Document], folder: _Folder, *, analyzer: str = "english", memory: int = MEMORY
) -> None:
    """Index documents, in the given order, into a folder; an older index there is replaced.

    ``memory``: about the bytes of memory to use, besides the program's own 130 MB, the documents' ids and the
    text of one document. It does not change the index.

    Raises InputError if two documents have the same id, if an id is not a name (`sera.names`), if ``memory``
    is not above 0, and, before any document is read, if the folder exists and is not an index
    (`sera.io.folders.writing_folder`).
    """
    if memory <= 0:
        raise InputError(f"the memory for building an index is {memory} bytes", remedy="Give about 1 GB.")
    chunks = Chunks(analyzer)
    ids: set[str] = set()
    with writing_folder(folder, replaces=INDEX_FORMAT) as target:
        runs: list[Path] = []
        run = _Run(chunks)
        for document in progress(documents, "documents indexed"):
            if names.check("id", document.id) in ids:
                raise _twice(document.id)
            ids.add(document.id)
            if run.size and run.size + chunks.size + _ID_BYTES * len(ids) >= memory:
                runs.append(run.save(target / f"run{len(runs)}"))
                if chunks.size >= memory // 4:
                    chunks = Chunks(analyzer)
                run = _Run(chunks)
            run.add(document)
        if not runs:
            run.write(target)
            return
        runs.append(run.save(target / f"run{len(runs)}"))
        del run, chunks
        _merge([Index(saved, check="never") for saved in runs], target)
        for saved in runs:
            shutil.rmtree(saved)


def merge(parts: Sequence[_Folder], folder: _Folder) -> None:
    """Merge parts into one index of their documents, in the parts' order.

    The result equals that of `build_part` for the same documents, byte for byte. Memory is bounded, except
    for the ids.

    Raises InputError if there is no part, a part is wrong, parts have different analyzers or a document is in
    two parts, and, before parts are read, if the folder exists and is not an index.
    """
    if not parts:
        raise InputError("there are no parts to merge", remedy="Build one; it may be empty.")
    with writing_folder(folder, replaces=INDEX_FORMAT) as target:
        indexes = [Index(part) for part in parts]
        _check_parts(indexes)
        _merge(indexes, target)


def _check_parts(indexes: list[Index]) -> None:
    """Check that all parts have the same analyzer and no document is there twice."""
    ids: set[bytes] = set()
    for index in indexes:
        if index.analyzer != indexes[0].analyzer:
            problem = f"has the analyzer {index.analyzer}, but {indexes[0].folder} has {indexes[0].analyzer}"
            raise InputError(problem, path=index.folder, remedy="Build all parts with the same analyzer.")
        for id in index.every_id():
            if id in ids:
                raise _twice(id.decode(), index.folder)
            ids.add(id)


def _twice(id: str, path: Path | None = None) -> InputError:
    return InputError(f"the document {id!r} is there twice", path=path, remedy="Give each its own id.")


class _Run:
    """Documents indexed in memory."""

    def __init__(self, chunks: Chunks) -> None:
        self.size = 0
        self._chunks = chunks
        self._texts: list[np.ndarray] = []  # per document, its words as from `Chunks.words`
        self._lengths: list[int] = []  # per document, its tokens
        self._ids: list[bytes] = []
        self._digests: list[bytes] = []
        # per term, the numbers of its postings and tokens, and the last document with it
        self._postings = np.zeros(AT_ONCE, np.int64)
        self._tokens = np.zeros(AT_ONCE, np.int64)
        self._last = np.full(AT_ONCE, -1)

    def add(self, document: Document) -> None:
        content = document.content
        words = self._chunks.words(content.encode("utf-8", "surrogatepass"))
        known, terms = len(self._last), len(self._chunks.terms)
        if known < terms:
            self._postings, self._tokens, self._last = (
                with_room(values, terms) for values in (self._postings, self._tokens, self._last)
            )
            self._postings[known:] = self._tokens[known:] = 0
            self._last[known:] = -1
        self._lengths.append(_count(words, len(self._texts), self._postings, self._tokens, self._last))
        self._texts.append(words)
        self._ids.append(document.id.encode("utf-8", "surrogatepass"))
        self._digests.append(digest(document.id, content))
        self.size += _WORD_BYTES * len(words) + _DOCUMENT_BYTES

    def save(self, folder: Path) -> Path:
        folder.mkdir()
        self.write(folder)
        return folder

    def write(self, folder: Path) -> None:
        """Sort all words by their terms and write the columns; the run cannot be used afterwards."""
        starts = starts_of(list(map(len, self._texts)))
        # The terms of this run, in order.
        every_term = list(self._chunks.terms)
        used = np.flatnonzero(self._tokens)
        order = sorted((every_term[number].encode(), number) for number in used.tolist())
        del every_term
        terms, term_starts = joined(term for term, _ in order)
        numbers = np.array([number for _, number in order], np.int64)
        del order
        posting_starts, position_starts = starts_of(self._postings[numbers]), starts_of(self._tokens[numbers])

        # The places of each term's next posting and next position.
        next_posting, next_position = np.empty_like(self._postings), np.empty_like(self._tokens)
        next_posting[numbers], next_position[numbers] = posting_starts[:-1], position_starts[:-1]
        self._last[:] = -1
        documents = np.empty(posting_starts[-1], np.uint32)
        frequencies = np.empty(posting_starts[-1], np.uint32)
        positions = np.empty(position_starts[-1], np.uint32 if starts[-1] < 1 << 32 else np.uint64)
        for document, first in enumerate(starts[:-1].tolist()):
            words, self._texts[document] = self._texts[document], np.empty(0, np.int32)
            _place(
                words, document, first, next_posting, next_position, self._last,
                documents, frequencies, positions,
            )  # fmt: skip

        ids, id_starts = joined(self._ids)
        lengths = np.array(self._lengths, np.int64)
        write(
            folder,
            self._chunks.analyzer,
            {
                "ids": column(ids),
                "id_starts": column(id_starts),
                "digests": column(joined(self._digests)[0]),
                "lengths": column(small(lengths)),
                "starts": column(starts),
                "terms": column(terms),
                "term_starts": column(term_starts),
                "posting_starts": column(posting_starts),
                "documents": column(documents.astype(smallest(len(self._ids)), copy=False)),
                "frequencies": column(small(frequencies)),
                "position_starts": column(position_starts),
                "positions": column(positions.astype(smallest(int(starts[-1])), copy=False)),
            },
        )


@compiled
def _count(words, document, postings, tokens, last):
    """Add a document's words to the postings and tokens of its terms; returns its number of tokens."""
    length = 0
    for word in words:
        if word >= 0:
            length += 1
            tokens[word] += 1
            if last[word] != document:
                last[word] = document
                postings[word] += 1
    return length


@compiled
def _place(
    words, document, first, next_posting, next_position, last, documents, frequencies, positions
):  # fmt: skip
    """Add a document's words, whose positions begin at ``first``, to the columns of their terms."""
    for place in range(len(words)):
        word = words[place]
        if word >= 0:
            positions[next_position[word]] = first + place
            next_position[word] += 1
            if last[word] != document:
                last[word] = document
                documents[next_posting[word]] = document
                frequencies[next_posting[word]] = 1
                next_posting[word] += 1
            else:
                frequencies[next_posting[word] - 1] += 1


# Merging
# -------


def _merge(parts: list[Index], folder: Path) -> None:
    """Write the index of the documents of all parts into an existing folder."""
    terms, term_starts, numbers = _vocabulary(parts)
    first_ids = starts_of([len(part.ids) for part in parts])
    first_documents = starts_of([len(part.lengths) for part in parts])
    first_positions = starts_of([part.starts[-1] for part in parts])
    postings = _Entries([part.posting_starts for part in parts], numbers, len(term_starts) - 1)
    tokens = _Entries([part.position_starts for part in parts], numbers, len(term_starts) - 1)

    def chained(name: str) -> Column:
        columns = [getattr(part, name) for part in parts]
        return Column(_common(columns), sum(map(len, columns)), columns)

    def shifted(name: str, by: np.ndarray) -> Column:
        starts = [getattr(part, name)[1:] + first for part, first in zip(parts, by)]
        return column(np.concatenate([np.zeros(1, np.int64), *starts]))

    documents = [part.documents for part in parts]
    frequencies = [part.frequencies for part in parts]
    positions = [part.positions for part in parts]
    write(
        folder,
        parts[0].analyzer,
        {
            "ids": chained("ids"),
            "id_starts": shifted("id_starts", first_ids),
            "digests": chained("digests"),
            "lengths": chained("lengths"),
            "starts": shifted("starts", first_positions),
            "terms": column(terms),
            "term_starts": column(term_starts),
            "posting_starts": column(postings.starts),
            "documents": postings.column(documents, smallest(int(first_documents[-1])), first_documents),
            "frequencies": postings.column(frequencies, _common(frequencies), np.zeros(len(parts), np.int64)),
            "position_starts": column(tokens.starts),
            "positions": tokens.column(positions, smallest(int(first_positions[-1])), first_positions),
        },
    )


def _common(columns: list[np.ndarray]) -> np.dtype:
    return np.result_type(*(column.dtype for column in columns))


def _vocabulary(parts: list[Index]) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """All terms in order (joined), where each begins, and, for each part, the numbers of its terms."""
    blob = bytearray()
    starts = array("q", [0])
    numbers = [array("q") for _ in parts]
    last = None
    streams = (zip(part.every_term(), repeat(number)) for number, part in enumerate(parts))
    for term, part in heapq.merge(*streams):
        if term != last:
            blob += term
            starts.append(len(blob))
            last = term
        numbers[part].append(len(starts) - 2)
    return np.frombuffer(blob, np.uint8), np.asarray(starts), [np.asarray(of_part) for of_part in numbers]


class _Entries:
    """The places of the parts' entries (postings or positions) in the merged index.

    sources:  for each part, where the entries of its terms begin
    numbers:  for each part, the merged numbers of its terms
    terms:    the number of merged terms
    """

    def __init__(self, sources: list[np.ndarray], numbers: list[np.ndarray], terms: int) -> None:
        counts = np.zeros(terms, np.int64)
        for source, merged in zip(sources, numbers):
            counts[merged] += np.diff(source)
        self.starts = starts_of(counts)
        self._sources, self._numbers = sources, numbers

    def column(self, contents: list[np.ndarray], dtype: np.dtype, offsets: np.ndarray) -> Column:
        """The merged entries of the parts, each increased by the offset of its part."""
        return Column(dtype, int(self.starts[-1]), self._pieces(contents, dtype, offsets))

    def _pieces(
        self, contents: list[np.ndarray], dtype: np.dtype, offsets: np.ndarray
    ) -> Iterator[np.ndarray]:
        first, terms = 0, len(self.starts) - 1
        while first < terms:  # terms first to end at a time
            end = int(np.searchsorted(self.starts, self.starts[first] + _ENTRIES, side="right")) - 1
            if end == first:  # a term with too many entries is merged alone, part by part
                for content, offset, source, numbers in zip(contents, offsets, self._sources, self._numbers):
                    low, high = np.searchsorted(numbers, [first, first + 1])
                    for start in range(source[low], source[high], _ENTRIES):
                        entries = content[start : min(start + _ENTRIES, source[high])].astype(dtype)
                        yield entries + dtype.type(offset)
                first += 1
                continue
            piece = np.empty(self.starts[end] - self.starts[first], dtype)
            free = self.starts[first:end] - self.starts[first]  # the place of each term's next entries
            for content, offset, source, numbers in zip(contents, offsets, self._sources, self._numbers):
                low, high = np.searchsorted(numbers, [first, end])
                _copy(content, source[low : high + 1], numbers[low:high] - first, offset, free, piece)
            yield piece
            first = end


@compiled
def _copy(content, starts, terms, offset, free, piece):
    """Copy a part's entries, each increased by the offset, to the next places of their terms."""
    for number in range(len(terms)):
        place = free[terms[number]]
        for entry in range(starts[number], starts[number + 1]):
            piece[place] = np.int64(content[entry]) + offset
            place += 1
        free[terms[number]] = place
