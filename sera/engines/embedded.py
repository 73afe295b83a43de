"""The embedded engine: an index of numpy columns on disk that ranks as Lucene does, bit for bit.

An index is built in parts, each from documents, and parts are merged without the texts; see
`sera.engines.index_format` for what is stored.
"""

from __future__ import annotations

import heapq
import math
import shutil
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, repeat
from os import PathLike
from pathlib import Path
from typing import Protocol

import numpy as np
from scipy.sparse import csr_array

from sera import analysis
from sera.engines import Hit
from sera.engines.index_format import Column, Index, column, digest, joined, smallest, verify, write
from sera.errors import InputError
from sera.files import writing_folder
from sera.records import Document
from sera.registry import unknown

__all__ = ["EmbeddedEngine", "build_part", "lucene_lengths", "merge", "open_index", "verify"]

_Folder = str | PathLike[str]

MEMORY = 10**9
"""Bytes that building an index may use, unless told otherwise."""

_WORD_BYTES = 30  # that a word takes while its run is sorted
_DOCUMENT_BYTES = 500
_CHUNK_BYTES = 350  # that a chunk takes besides its characters: it, its word, its term, in their dictionaries
_LONGEST_CHUNK = 64  # characters; what is longer, such as text without blanks, is unlikely to come again
_ENTRIES = 4_000_000  # entries of a column that are merged in memory at a time


# Building
# --------


def build_part(
    documents: Iterable[Document], folder: _Folder, *, analyzer: str = "english", memory: int = MEMORY
) -> None:
    """Index documents, in the order given, into a folder; an older index there is replaced.

    ``memory`` is about how many bytes to use besides the program's own 80 MB, whatever the number of
    documents (but for their ids) and the text at hand. It does not change the index. Raises InputError if
    two documents have the same id or ``memory`` is not positive.
    """
    if memory <= 0:
        raise InputError(f"the memory for building an index is {memory} bytes", remedy="Give 1 GB or so.")
    chunks = _Chunks(analyzer)
    seen: set[str] = set()
    with writing_folder(folder, replaces="manifest.json") as target:
        runs: list[Path] = []
        run = _Run(chunks)
        for document in documents:
            if document.id in seen:
                raise _twice(document.id)
            seen.add(document.id)
            if run.bytes and run.bytes + chunks.bytes >= memory:
                runs.append(run.save(target / f"run{len(runs)}"))
                if chunks.bytes >= memory // 4:
                    chunks = _Chunks(analyzer)
                run = _Run(chunks)
            run.add(document)
        if not runs:
            run.write(target)
            return
        runs.append(run.save(target / f"run{len(runs)}"))
        _merge([Index(saved) for saved in runs], target)
        for saved in runs:
            shutil.rmtree(saved)


def merge(parts: Sequence[_Folder], folder: _Folder) -> None:
    """Make one index of parts; its documents are those of the parts, in the parts' order.

    The result is, byte for byte, what `build_part` makes of the same documents. Memory is bounded but for
    the ids. Raises InputError if there is no part, parts have different analyzers or a document is in two.
    """
    indexes = [Index(part) for part in parts]
    if not indexes:
        raise InputError("there are no parts to merge", remedy="Build one; it may hold no documents.")
    seen: set[bytes] = set()
    for index in indexes:
        if index.analyzer != indexes[0].analyzer:
            raise InputError(
                f"has the analyzer {index.analyzer}, but {indexes[0].folder} has {indexes[0].analyzer}",
                path=index.folder,
                remedy="Build all parts with the same analyzer.",
            )
        for id in index.every_id():
            if id in seen:
                raise _twice(id.decode("utf-8", "surrogatepass"), index.folder)
            seen.add(id)
    with writing_folder(folder, replaces="manifest.json") as target:
        _merge(indexes, target)


def _twice(id: str, path: Path | None = None) -> InputError:
    return InputError(f"the document {id!r} is there twice", path=path, remedy="Every id must be different.")


_BETWEEN_WORDS = ("\n", "-", "(", ")", "[", "]", "/", ", ", ". ")  # never in a word: as good as a blank


class _Chunks(dict):
    """The number of a chunk: of what stands between two blanks. No word goes over a blank, nor does what is
    beyond one matter to a word, so a chunk is analyzed once, whatever surrounds it.
    """

    def __init__(self, analyzer: str) -> None:
        super().__init__()
        self.analyzer = analyzer
        self.terms: dict[str, int] = {}  # terms are numbered as they turn up
        self.starts = array("q", [0])  # per chunk where its words begin
        self.words = array("i")  # per word the number of its term, -1 for a stop word
        self.bytes = 0
        self._analyzer = analysis.analyzer(analyzer)

    def __missing__(self, chunk: str) -> int:
        for word in self._analyzer.words(chunk):
            term = self._analyzer.term(word)
            self.words.append(-1 if term is None else self.terms.setdefault(term, len(self.terms)))
        self.starts.append(len(self.words))
        number = len(self.starts) - 2
        if len(chunk) <= _LONGEST_CHUNK:
            self[chunk] = number
            self.bytes += _CHUNK_BYTES + len(chunk)
        self.bytes += 4 * (self.starts[-1] - self.starts[-2]) + 8
        return number


class _Run:
    """Documents that are indexed in memory."""

    def __init__(self, chunks: _Chunks) -> None:
        self.bytes = 0
        self._chunks = chunks
        self._texts: list[np.ndarray] = []  # per document, its words as `_Chunks` has them
        self._ids: list[bytes] = []
        self._digests: list[bytes] = []

    def add(self, document: Document) -> None:
        content = document.content
        text = content
        for beside in _BETWEEN_WORDS:
            text = text.replace(beside, " ")
        chunks = text.split(" ")
        numbers = np.fromiter(map(self._chunks.__getitem__, chunks), np.int32, len(chunks))
        starts = np.asarray(self._chunks.starts)
        firsts = starts[numbers]
        self._texts.append(np.asarray(self._chunks.words)[_ranges(firsts, starts[numbers + 1] - firsts)])
        self._ids.append(document.id.encode("utf-8", "surrogatepass"))
        self._digests.append(digest(document.id, content))
        self.bytes += _WORD_BYTES * len(self._texts[-1]) + _DOCUMENT_BYTES

    def save(self, folder: Path) -> Path:
        folder.mkdir()
        self.write(folder)
        return folder

    def write(self, folder: Path) -> None:
        """Sort all words by term and write the columns; the run is used up."""
        starts = _starts([len(text) for text in self._texts])
        numbers = np.concatenate([*self._texts, np.empty(0, np.int32)])
        self._texts.clear()

        # The terms that are in this run; those that are not, and stop words, have the rank -1.
        there = np.bincount(numbers + 1, minlength=len(self._chunks.terms) + 1)[1:] > 0
        vocabulary = [term.encode() for term, used in zip(self._chunks.terms, there.tolist()) if used]
        order = sorted(range(len(vocabulary)), key=vocabulary.__getitem__)
        terms, term_starts = joined(vocabulary[number] for number in order)
        ranks_there = np.empty(len(order), np.int64)
        ranks_there[order] = np.arange(len(order))
        rank = np.full(len(there) + 1, -1)  # of term -1 last
        rank[:-1][there] = ranks_there

        # A token is one integer, term above position: sorting the integers sorts by both.
        bits = int(starts[-1]).bit_length()
        tokens = rank[numbers]
        tokens <<= bits
        tokens |= np.arange(len(tokens))
        tokens = tokens[numbers >= 0]
        del numbers
        tokens.sort()
        positions = (tokens & ((1 << bits) - 1)).astype(smallest(int(starts[-1])))
        tokens >>= bits
        ranks = tokens.astype(np.int32)
        del tokens
        dtype = smallest(len(self._ids))
        documents = np.repeat(np.arange(len(self._ids), dtype=dtype), np.diff(starts))[positions]

        first = np.ones(len(ranks), bool)  # whether a token is the first of its posting
        np.not_equal(documents[1:], documents[:-1], out=first[1:])
        first[1:] |= ranks[1:] != ranks[:-1]
        postings = np.flatnonzero(first)
        frequencies = np.diff(postings, append=len(ranks))
        lengths = np.bincount(documents, minlength=len(self._ids))
        ids, id_starts = joined(self._ids)
        write(
            folder,
            self._chunks.analyzer,
            {
                "ids": column(ids),
                "id_starts": column(id_starts),
                "digests": column(joined(self._digests)[0]),
                "lengths": column(lengths.astype(smallest(int(lengths.max(initial=0))))),
                "starts": column(starts),
                "terms": column(terms),
                "term_starts": column(term_starts),
                "posting_starts": column(_starts(np.bincount(ranks[postings], minlength=len(order)))),
                "documents": column(documents[postings]),
                "frequencies": column(frequencies.astype(smallest(int(frequencies.max(initial=0))))),
                "position_starts": column(_starts(np.bincount(ranks, minlength=len(order)))),
                "positions": column(positions),
            },
        )


def _starts(counts: Sequence[int] | np.ndarray) -> np.ndarray:
    """Where each of so many entries begins, with the end as last."""
    starts = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    return starts


def _ranges(firsts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """The integers from each first on, so many of them, one range after the other."""
    ends = np.cumsum(lengths)
    return np.repeat(firsts - (ends - lengths), lengths) + np.arange(ends[-1] if len(ends) else 0)


def _merge(parts: list[Index], folder: Path) -> None:
    """Write the index that holds the documents of all parts into an existing folder."""
    terms, term_starts, numbers = _vocabulary(parts)
    first_ids = _starts([len(part.ids) for part in parts])
    first_documents = _starts([len(part.lengths) for part in parts])
    first_positions = _starts([part.starts[-1] for part in parts])
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
    """The terms of all parts in order, where each begins, and for each part its terms' numbers among them."""
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
    """Where the entries of the parts' terms, postings or positions, stand once they are merged.

    ``sources`` are the parts' starts, ``numbers`` the merged numbers of the parts' terms.
    """

    def __init__(self, sources: list[np.ndarray], numbers: list[np.ndarray], terms: int) -> None:
        counts = np.zeros(terms, np.int64)
        for source, merged in zip(sources, numbers):
            counts[merged] += np.diff(source)
        self.starts = _starts(counts)
        self._sources, self._numbers = sources, numbers

    def column(self, contents: list[np.ndarray], dtype: np.dtype, offsets: np.ndarray) -> Column:
        """The parts' entries merged, each part's raised by its offset."""
        return Column(dtype, int(self.starts[-1]), self._pieces(contents, dtype, offsets))

    def _pieces(
        self, contents: list[np.ndarray], dtype: np.dtype, offsets: np.ndarray
    ) -> Iterator[np.ndarray]:
        first, terms = 0, len(self.starts) - 1
        while first < terms:  # terms first to end at a time
            full = int(np.searchsorted(self.starts, self.starts[first] + _ENTRIES, side="right")) - 1
            end = max(first + 1, full)
            piece = np.empty(self.starts[end] - self.starts[first], dtype)
            free = self.starts[first:end] - self.starts[first]  # where a term's next entries go
            for content, offset, source, numbers in zip(contents, offsets, self._sources, self._numbers):
                low, high = np.searchsorted(numbers, [first, end])
                bounds = source[low : high + 1]
                counts = np.diff(bounds)
                terms_here = numbers[low:high] - first
                entries = content[bounds[0] : bounds[-1]].astype(np.int64) + offset
                shifts = np.repeat(free[terms_here] - (bounds[:-1] - bounds[0]), counts)
                piece[shifts + np.arange(len(entries))] = entries
                free[terms_here] += counts
            yield piece
            first = end


# Searching
# ---------

_QUERIES = 4096  # queries that are answered in one pass
_CELLS = 1 << 21  # entries of a table that is filled for a block of documents
_NARROWEST = 256  # documents of a block
_RARE = 32  # a term is rare if less than one document in so many has it
_HIT = 1e-300  # what a clause that is worth nothing adds: too little to show, but the document is a hit


class EmbeddedEngine:
    """An opened index; see `sera.engines.Engine`. Get one from `open_index`.

    ``documents``, ``tokens`` (stop words not among them) and ``terms`` are counts; ``fingerprint`` tells one
    collection from another.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self._analyzer = analysis.analyzer(index.analyzer)
        self._number = lru_cache(_REMEMBERED)(index.number)
        self._id = lru_cache(_REMEMBERED)(index.id)
        self.analyzer = index.analyzer
        self.documents = len(index.lengths)
        self.tokens = len(index.positions)
        self.terms = len(index.term_starts) - 1
        self.fingerprint = index.fingerprint

    def search(
        self, queries: Sequence[str], k: int, *, mu: float = 2000.0, scorer: str = "lucene"
    ) -> list[list[Hit]]:
        """For each query text the best ``k`` documents, best first, ties in the index's order.

        A document is a hit if it has one of the query's terms, so there may be fewer than ``k``, and none
        for a query without tokens. ``scorer`` is

        - ``lucene``: what LMDirichletSimilarity gives, to the last bit, in single precision. Terms that the
          document lacks add nothing, a term's negative score counts as 0, and lengths are Lucene's;
        - ``query-likelihood``: the logarithm of the query's probability under the document's language model
          with Dirichlet smoothing (Zhai and Lafferty, 2001), in double precision: with exact lengths, and
          with the query's terms that the document lacks. Terms that no document has are left out.

        Raises InputError for another scorer, ``k`` below 1, or a ``mu`` that is not positive and finite.
        """
        if scorer not in _SCORERS:
            raise unknown("scorer", scorer, _SCORERS)
        if k < 1:
            raise InputError(f"the number of documents to retrieve is {k}", remedy="It is 1 or more.")
        if not (0 < mu < math.inf and 0 < np.float32(mu) < np.inf):
            raise InputError(f"the smoothing parameter mu is {mu}", remedy="It is above 0; 2000 is usual.")
        score = _SCORERS[scorer](self._index, mu)
        clauses = {query: self._clauses(query) for query in queries}
        hits: dict[str, list[Hit]] = {}
        different = list(clauses)
        for first in range(0, len(different), _QUERIES):
            batch = different[first : first + _QUERIES]
            best = _Batch(self._index, [clauses[query] for query in batch]).best(k, score)
            for query, (documents, scores) in zip(batch, best):
                hits[query] = list(map(Hit, map(self._id, documents.tolist()), scores.tolist()))
        return [list(hits[query]) for query in queries]

    def document_frequency(self, phrases: Sequence[str]) -> list[int]:
        """For each phrase, in how many documents it occurs as Lucene's phrase query finds it.

        The phrase goes through the index's analyzer. A stop word inside it stands for any one word; at its
        ends it stands for nothing. A phrase without terms is in no document. Phrases may have any length.
        """
        found: dict[tuple[tuple[str, int], ...], int] = {}
        frequencies = []
        for phrase in phrases:
            terms, positions = self._analyzer.positions(phrase)
            key = tuple((term, position - positions[0]) for term, position in zip(terms, positions))
            if key not in found:
                found[key] = self._phrase_frequency(key)
            frequencies.append(found[key])
        return frequencies

    def mean_idf(self) -> float:
        """Mean of ln(documents / document frequency) over the index's terms, 0 if there are none.

        An `english` index has no stop words; of a `standard` one, Lucene's English stop words are left out.
        """
        # How many terms have which frequency. Summed exactly, with libm's logarithm: the same on any machine.
        terms = np.bincount(np.diff(self._index.posting_starts), minlength=1)
        if self.analyzer == "standard":
            stop_words = [self.term_statistics(word)[0] for word in analysis.STOP_WORDS]
            np.subtract.at(terms, stop_words, 1)
        terms[0] = 0
        used = np.flatnonzero(terms).tolist()
        total = math.fsum(terms[frequency] * math.log(self.documents / frequency) for frequency in used)
        return total / int(terms.sum()) if used else 0.0

    def term_statistics(self, term: str) -> tuple[int, int]:
        """A term's document frequency and its frequency in the collection; 0 and 0 if it is not there.

        The term is looked up as it is; `sera.analysis` makes terms of words.
        """
        number = self._number(term)
        if number is None:
            return 0, 0
        return (
            int(self._index.posting_starts[number + 1] - self._index.posting_starts[number]),
            int(self._index.position_starts[number + 1] - self._index.position_starts[number]),
        )

    def _clauses(self, query: str) -> list[_Clause]:
        counts = Counter(self._analyzer.tokens(query))
        numbered = ((self._number(term), count) for term, count in counts.items())
        return [(number, count) for number, count in numbered if number is not None]

    def _phrase_frequency(self, phrase: tuple[tuple[str, int], ...]) -> int:
        """The document frequency of terms at places relative to the first."""
        index = self._index
        numbers = [self._number(term) for term, _ in phrase]
        if not numbers or None in numbers:
            return 0
        if len(numbers) == 1:
            return self.term_statistics(phrase[0][0])[0]
        terms = [
            (index.positions[index.position_starts[number] : index.position_starts[number + 1]], place)
            for number, (_, place) in zip(numbers, phrase)
        ]
        terms.sort(key=lambda term: len(term[0]))  # the rarest first: it leaves the fewest to be looked up
        begins = terms[0][0].astype(np.int64) - terms[0][1]
        for positions, place in terms[1:]:
            wanted = begins + place
            begins = begins[(wanted >= 0) & (wanted <= int(positions[-1]))]
            wanted = (begins + place).astype(positions.dtype)  # else the whole column would be converted
            begins = begins[positions[np.searchsorted(positions, wanted)] == wanted]
        last = phrase[-1][1]
        documents = np.searchsorted(index.starts, begins, side="right") - 1
        return len(np.unique(documents[begins + last < index.starts[documents + 1]]))


def open_index(folder: _Folder) -> EmbeddedEngine:
    """Open the index in a folder; see `sera.engines.index_format.Index` for what is checked."""
    return EmbeddedEngine(Index(folder))


_REMEMBERED = 1 << 18  # terms and ids whose places in the index are remembered
_Clause = tuple[int, int]  # a term's number and how often the query has it


class _Batch:
    """Queries that are answered in one pass over the index, a block of documents at a time.

    What a clause adds to a document's score does not depend on the rest of the query, so it is worked out
    once for all queries of the batch. The clauses of frequent terms become rows of a table that has a column
    for each document of the block, and a query adds up its rows; for rare terms only the documents that have
    them are visited. Sums are in double precision, the frequent terms' and the rare ones' each in the order
    of the query. Which terms are frequent depends on the index alone, so scores do not depend on the batch.
    """

    def __init__(self, index: Index, queries: list[list[_Clause]]) -> None:
        self._index = index
        self._queries = queries
        clauses = list(dict.fromkeys(clause for query in queries for clause in query))
        terms = np.array([term for term, _ in clauses], np.int64)
        postings = index.posting_starts[terms + 1] - index.posting_starts[terms]
        frequent = postings * _RARE >= len(index.lengths)
        self._frequent = int(frequent.sum())
        order = np.argsort(~frequent, kind="stable")  # the frequent clauses first
        self._terms = terms[order]
        self._counts = np.array([count for _, count in clauses], np.int64)[order]
        rows = {clauses[place]: row for row, place in enumerate(order.tolist())}
        numbers = [[rows[clause] for clause in query] for query in queries]
        self._frequent_of = _matrix([[n for n in ns if n < self._frequent] for ns in numbers], self._frequent)
        self._rare_of = _matrix(
            [[n - self._frequent for n in ns if n >= self._frequent] for ns in numbers],
            len(clauses) - self._frequent,
        )

    def best(self, k: int, scorer: _Scorer) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """For each query its best ``k`` documents' numbers and their scores, ties in the index's order."""
        gains, first_gains = self._gains(scorer)
        absent = np.array([scorer.absent(query) for query in self._queries])
        tokens = np.array([sum(count for _, count in query) for query in self._queries])
        count = len(self._index.lengths)
        block = max(_NARROWEST, _CELLS // max(self._frequent, len(self._queries), 1))
        best = _Best(len(self._queries), k)
        firsts = self._index.posting_starts[self._terms]
        ends = self._index.posting_starts[self._terms + 1]
        for first in range(0, count, block):
            end = min(first + block, count)
            # The clauses' postings in this block: those before `bounds`.
            bounds = _bisect(self._index.documents, firsts, ends, end) if end < count else ends
            counts = bounds - firsts
            documents = self._entries(self._index.documents, firsts, bounds).astype(np.int64)
            frequencies = self._entries(self._index.frequencies, firsts, bounds)
            gain = gains[np.repeat(first_gains, counts) + frequencies]
            worth = scorer.worth(np.repeat(self._counts, counts), gain, documents)
            documents -= first
            sums = self._sums(documents, worth, counts, end - first)
            best.add(first, np.where(sums > 0, scorer.scores(sums, absent, tokens, first, end), -np.inf))
            firsts = bounds
        return best.rankings()

    def _entries(self, column: np.ndarray, firsts: np.ndarray, ends: np.ndarray) -> np.ndarray:
        """A column's entries for each clause from its first to its end, one clause after the other."""
        split = self._frequent
        long = map(slice, firsts[:split].tolist(), ends[:split].tolist())
        return np.concatenate(
            [*map(column.__getitem__, long), column[_ranges(firsts[split:], (ends - firsts)[split:])]]
        )

    def _gains(self, scorer: _Scorer) -> tuple[np.ndarray, np.ndarray]:
        """ln(1 + frequency / smoothing) for the frequencies of each clause's term, and where its 0 would be.

        By libm: numpy's logarithm is not the same on every machine, and few frequencies differ.
        """
        index = self._index
        firsts = index.posting_starts[self._terms].tolist()
        ends = index.posting_starts[self._terms + 1].tolist()
        highest = [int(index.frequencies[first:end].max()) for first, end in zip(firsts, ends)]
        occurrences = index.position_starts[self._terms + 1] - index.position_starts[self._terms]
        smoothings = scorer.smoothings(occurrences).tolist()
        gains = [
            math.log(1 + frequency / smoothing)
            for frequencies, smoothing in zip(highest, smoothings)
            for frequency in range(1, frequencies + 1)
        ]
        return np.array(gains), _starts(highest)[:-1] - 1

    def _sums(self, documents: np.ndarray, worth: np.ndarray, counts: np.ndarray, width: int) -> np.ndarray:
        """What each query adds up for each document of a block of that width."""
        split = int(counts[: self._frequent].sum())
        table = np.zeros((self._frequent, width))
        rows = np.repeat(np.arange(self._frequent) * width, counts[: self._frequent])
        table.reshape(-1)[rows + documents[:split]] = worth[:split]
        sums = self._frequent_of @ table
        starts = _starts(counts[self._frequent :])
        rare = csr_array((worth[split:], documents[split:], starts), (len(starts) - 1, width))
        visited = (self._rare_of @ rare).tocoo()
        sums[visited.row, visited.col] += visited.data
        return sums


def _matrix(rows: list[list[int]], width: int) -> csr_array:
    """The matrix that has 1 at each row's numbers, in their order."""
    starts = _starts([len(row) for row in rows])
    numbers = np.fromiter(chain.from_iterable(rows), np.int64, starts[-1])
    return csr_array((np.ones(len(numbers)), numbers, starts), (len(rows), width))


def _bisect(values: np.ndarray, firsts: np.ndarray, ends: np.ndarray, limit: int) -> np.ndarray:
    """For each range of ascending values, where the first that is not below the limit stands, or its end."""
    low, high = firsts.copy(), ends.copy()
    open_ = np.flatnonzero(low < high)
    while len(open_):
        middle = (low[open_] + high[open_]) >> 1
        below = values[middle] < limit
        low[open_[below]] = middle[below] + 1
        high[open_[~below]] = middle[~below]
        open_ = open_[low[open_] < high[open_]]
    return low


class _Best:
    """The best ``k`` documents of each query so far."""

    def __init__(self, queries: int, k: int) -> None:
        self._k = k
        self._query = np.empty(0, np.int64)  # ascending; the best document of a query first
        self._score = np.empty(0)
        self._document = np.empty(0, np.int64)
        self._least = np.full(queries, -np.inf)  # what a score must exceed: later documents lose ties

    def add(self, first: int, scores: np.ndarray) -> None:
        """Add documents, from number ``first`` on: queries x documents, -inf for what is no hit."""
        candidates = scores > self._least[:, None]
        width = scores.shape[1]
        if width > self._k and np.count_nonzero(candidates) > 4 * self._k * len(scores):
            cut = width - self._k
            candidates &= scores >= np.partition(scores, cut, axis=1)[:, cut, None]
        query, document = np.nonzero(candidates)
        score = np.concatenate([self._score, scores[query, document]])
        query = np.concatenate([self._query, query])
        document = np.concatenate([self._document, document + first])
        order = np.lexsort((document, -score, query))
        query = query[order]
        place = np.arange(len(query)) - np.searchsorted(query, query)
        order = order[place < self._k]
        self._query, self._score, self._document = query[place < self._k], score[order], document[order]
        last = place[place < self._k] == self._k - 1
        self._least[self._query[last]] = self._score[last]

    def rankings(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        bounds = np.searchsorted(self._query, np.arange(len(self._least) + 1)).tolist()
        for start, end in zip(bounds, bounds[1:]):
            yield self._document[start:end], self._score[start:end]


# Scorers
# -------


class _Scorer(Protocol):
    """A scoring function at one mu."""

    def __init__(self, index: Index, mu: float) -> None: ...

    def smoothings(self, occurrences: np.ndarray) -> np.ndarray:
        """mu p of terms that occur so often in the collection."""
        ...

    def worth(self, counts: np.ndarray, gains: np.ndarray, documents: np.ndarray) -> np.ndarray:
        """What clauses add to documents' scores: above 0, `_HIT` for nothing."""
        ...

    def absent(self, query: list[_Clause]) -> float:
        """What a query adds for every document, whichever of its terms are in it."""
        ...

    def scores(
        self, sums: np.ndarray, absent: np.ndarray, tokens: np.ndarray, first: int, end: int
    ) -> np.ndarray:
        """The scores of documents first to end, queries x documents, from the sums of what clauses add.

        ``absent`` has what `absent` gives for each query, ``tokens`` each query's tokens.
        """
        ...


class _Lucene:
    """LMDirichletSimilarity as Lucene computes it: mu and a term's score in float32, the rest in double."""

    def __init__(self, index: Index, mu: float) -> None:
        self._mu = float(np.float32(mu))
        self._every_token = len(index.positions) + 1
        lengths = lucene_lengths()
        norms = np.array([math.log(self._mu / (length + self._mu)) for length in lengths.tolist()])
        self._norms = norms[np.searchsorted(lengths, index.lengths, side="right") - 1]

    def smoothings(self, occurrences: np.ndarray) -> np.ndarray:
        return self._mu * ((occurrences + 1) / self._every_token)

    def worth(self, counts: np.ndarray, gains: np.ndarray, documents: np.ndarray) -> np.ndarray:
        gains += self._norms[documents]
        gains *= counts
        return np.maximum(gains.astype(np.float32).astype(float), _HIT)

    def absent(self, query: list[_Clause]) -> float:
        return 0.0

    def scores(
        self, sums: np.ndarray, absent: np.ndarray, tokens: np.ndarray, first: int, end: int
    ) -> np.ndarray:
        return sums.astype(np.float32)


class _QueryLikelihood:
    """Sum over the query's tokens of ln((tf + mu p) / (length + mu)), p a token's share of the collection."""

    def __init__(self, index: Index, mu: float) -> None:
        self._index, self._mu = index, mu
        lengths, places = np.unique(index.lengths, return_inverse=True)
        self._norms = np.array([math.log(length + mu) for length in lengths.tolist()])[places]

    def smoothings(self, occurrences: np.ndarray) -> np.ndarray:
        return self._mu * (occurrences / len(self._index.positions))

    def worth(self, counts: np.ndarray, gains: np.ndarray, documents: np.ndarray) -> np.ndarray:
        return np.maximum(counts * gains, _HIT)

    def absent(self, query: list[_Clause]) -> float:
        terms = np.array([term for term, _ in query], np.int64)
        occurrences = self._index.position_starts[terms + 1] - self._index.position_starts[terms]
        smoothings = self.smoothings(occurrences).tolist()
        return sum(count * math.log(smoothing) for (_, count), smoothing in zip(query, smoothings))

    def scores(
        self, sums: np.ndarray, absent: np.ndarray, tokens: np.ndarray, first: int, end: int
    ) -> np.ndarray:
        return sums + (absent[:, None] - tokens[:, None] * self._norms[first:end])


_SCORERS: dict[str, type[_Scorer]] = {"lucene": _Lucene, "query-likelihood": _QueryLikelihood}


def lucene_lengths() -> np.ndarray:
    """The 256 document lengths that Lucene can tell apart, ascending.

    A length is stored rounded down to one of them: exact to 40, from there on 24 and a number of four
    significant bits.
    """
    lengths = list(range(40))
    shift = 1
    while len(lengths) < 256:
        lengths += [24 + (significand << shift) for significand in range(8, 16)]
        shift += 1
    return np.array(lengths, np.int64)
