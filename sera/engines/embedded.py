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
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import repeat
from os import PathLike
from pathlib import Path

import numpy as np

from sera import analysis
from sera.engines import Hit
from sera.engines.index_format import Column, Index, column, digest, joined, smallest, verify, write
from sera.errors import InputError
from sera.files import writing_folder
from sera.records import Document
from sera.registry import unknown

__all__ = ["EmbeddedEngine", "build_part", "lucene_lengths", "merge", "open_index", "verify"]

_Folder = str | PathLike[str]

_WORDS = 8_000_000  # words that are sorted in memory at a time, about 1,000 articles
_ENTRIES = 4_000_000  # entries of a column that are merged in memory at a time


# Building
# --------


def build_part(documents: Iterable[Document], folder: _Folder, *, analyzer: str = "english") -> None:
    """Index documents, in the order given, into a folder; an older index there is replaced.

    Memory stays bounded (some 0.5 GB) however many there are. Raises InputError if two have the same id.
    """
    terms = analysis.analyzer(analyzer)
    seen: set[str] = set()
    with writing_folder(folder) as target:
        runs: list[Path] = []
        run = _Run(terms)
        for document in documents:
            if document.id in seen:
                raise _twice(document.id)
            seen.add(document.id)
            if run.words >= _WORDS:
                runs.append(run.save(target / f"run{len(runs)}"))
                run = _Run(terms)
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
    with writing_folder(folder) as target:
        _merge(indexes, target)


def _twice(id: str, path: Path | None = None) -> InputError:
    return InputError(f"the document {id!r} is there twice", path=path, remedy="Every id must be different.")


class _Run:
    """Documents that are indexed in memory."""

    def __init__(self, analyzer: analysis.Analyzer) -> None:
        self.words = 0
        self._analyzer = analyzer
        self._numbers = _Numbers(analyzer)
        self._texts: list[np.ndarray] = []  # per document, the number of each word's term; -1 for a stop word
        self._ids: list[bytes] = []
        self._digests: list[bytes] = []

    def add(self, document: Document) -> None:
        content = document.content
        words = self._analyzer.words(content)
        self._texts.append(np.fromiter(map(self._numbers.__getitem__, words), np.int32, len(words)))
        self._ids.append(document.id.encode("utf-8", "surrogatepass"))
        self._digests.append(digest(document.id, content))
        self.words += len(words)

    def save(self, folder: Path) -> Path:
        folder.mkdir()
        self.write(folder)
        return folder

    def write(self, folder: Path) -> None:
        """Sort all words by term and write the columns; the run is used up."""
        starts = _starts([len(text) for text in self._texts])
        numbers = np.concatenate([*self._texts, np.empty(0, np.int32)])
        self._texts.clear()

        vocabulary = [term.encode() for term in self._numbers.terms]
        order = sorted(range(len(vocabulary)), key=vocabulary.__getitem__)
        terms, term_starts = joined(vocabulary[number] for number in order)
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))

        # A token is one integer, term above position: sorting the integers sorts by both.
        positions = np.flatnonzero(numbers >= 0)
        bits = int(starts[-1]).bit_length()
        tokens = rank[numbers[positions]] << bits | positions
        tokens.sort()
        ranks = tokens >> bits
        positions = tokens & ((1 << bits) - 1)
        documents = np.searchsorted(starts, positions, side="right") - 1

        first = np.ones(len(tokens), bool)  # whether a token is the first of its posting
        first[1:] = (ranks[1:] != ranks[:-1]) | (documents[1:] != documents[:-1])
        postings = np.flatnonzero(first)
        frequencies = np.diff(postings, append=len(tokens))
        lengths = np.bincount(documents, minlength=len(self._ids))
        ids, id_starts = joined(self._ids)
        write(
            folder,
            self._analyzer.name,
            {
                "ids": column(ids),
                "id_starts": column(id_starts),
                "digests": column(joined(self._digests)[0]),
                "lengths": column(lengths.astype(smallest(int(lengths.max(initial=0))))),
                "starts": column(starts),
                "terms": column(terms),
                "term_starts": column(term_starts),
                "posting_starts": column(_starts(np.bincount(ranks[postings], minlength=len(order)))),
                "documents": column(documents[postings].astype(smallest(len(self._ids)))),
                "frequencies": column(frequencies.astype(smallest(int(frequencies.max(initial=0))))),
                "position_starts": column(_starts(np.bincount(ranks, minlength=len(order)))),
                "positions": column(positions.astype(smallest(int(starts[-1])))),
            },
        )


class _Numbers(dict):
    """The number of a word's term, -1 for a stop word; terms are numbered as they turn up."""

    def __init__(self, analyzer: analysis.Analyzer) -> None:
        super().__init__()
        self.terms: dict[str, int] = {}
        self._term = analyzer.term

    def __missing__(self, word: str) -> int:
        term = self._term(word)
        number = self[word] = -1 if term is None else self.terms.setdefault(term, len(self.terms))
        return number


def _starts(counts: Sequence[int] | np.ndarray) -> np.ndarray:
    """Where each of so many entries begins, with the end as last."""
    starts = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    return starts


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
        hits: dict[str, list[Hit]] = {}
        for query in queries:
            if query not in hits:
                hits[query] = self._ranking(query, k, score)
        return [hits[query] for query in queries]

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

    def _ranking(self, query: str, k: int, score: _Scorer) -> list[Hit]:
        counts = Counter(self._analyzer.tokens(query))
        numbered = [(self._number(term), count) for term, count in counts.items()]
        documents, scores = score([(number, count) for number, count in numbered if number is not None])
        if len(documents) > k:
            best = scores >= np.partition(scores, len(scores) - k)[len(scores) - k]
            documents, scores = documents[best], scores[best]
        order = np.argsort(-scores, kind="stable")[:k]  # documents ascend, so ties stay in their order
        return list(map(Hit, map(self._id, documents[order].tolist()), scores[order].tolist()))

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


# Scorers
# -------

_Scorer = Callable[[list[tuple[int, int]]], tuple[np.ndarray, np.ndarray]]
_REMEMBERED = 1 << 18  # terms and ids whose places in the index are remembered


def _lucene(index: Index, mu: float) -> _Scorer:
    """LMDirichletSimilarity as Lucene computes it: mu and a term's score in float32, the rest in double."""
    mu = float(np.float32(mu))
    lengths = lucene_lengths()
    norms = np.array([math.log(mu / (length + mu)) for length in lengths.tolist()])
    norms = norms[np.searchsorted(lengths, index.lengths, side="right") - 1]
    every_token = len(index.positions) + 1

    def score(query: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
        scores = np.zeros(len(index.lengths))
        matched = np.zeros(len(index.lengths), bool)
        for number, count in query:
            documents, frequencies, occurrences = _postings(index, number)
            gains = _logarithms(frequencies, mu * ((occurrences + 1) / every_token))
            scores[documents] += np.maximum(count * (gains + norms[documents]), 0.0).astype(np.float32)
            matched[documents] = True
        documents = np.flatnonzero(matched)
        return documents, scores[documents].astype(np.float32)

    return score


def _query_likelihood(index: Index, mu: float) -> _Scorer:
    """Sum over the query's tokens of ln((tf + mu p) / (length + mu)), p a token's share of the collection."""
    lengths, places = np.unique(index.lengths, return_inverse=True)
    norms = np.array([math.log(length + mu) for length in lengths.tolist()])[places]

    def score(query: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
        scores = np.zeros(len(index.lengths))
        matched = np.zeros(len(index.lengths), bool)
        absent = 0.0  # the sum of ln(mu p): what every document has, whichever of the terms are in it
        for number, count in query:
            documents, frequencies, occurrences = _postings(index, number)
            smoothing = mu * (occurrences / len(index.positions))
            scores[documents] += count * _logarithms(frequencies, smoothing)
            absent += count * math.log(smoothing)
            matched[documents] = True
        documents = np.flatnonzero(matched)
        tokens = sum(count for _, count in query)
        return documents, scores[documents] + (absent - tokens * norms[documents])

    return score


_SCORERS: dict[str, Callable[[Index, float], _Scorer]] = {
    "lucene": _lucene,
    "query-likelihood": _query_likelihood,
}


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


def _postings(index: Index, number: int) -> tuple[np.ndarray, np.ndarray, int]:
    """A term's documents, its frequency in each, and in all."""
    first, end = index.posting_starts[number : number + 2].tolist()
    occurrences = index.position_starts[number + 1] - index.position_starts[number]
    return index.documents[first:end], index.frequencies[first:end], int(occurrences)


def _logarithms(frequencies: np.ndarray, smoothing: float) -> np.ndarray:
    """ln(1 + frequency / smoothing) of each, by libm: numpy's logarithm is not the same on every machine."""
    table = [math.log(1 + frequency / smoothing) for frequency in range(int(frequencies.max()) + 1)]
    return np.array(table)[frequencies]
