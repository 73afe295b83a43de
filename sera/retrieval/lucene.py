"""The embedded engine: it ranks the documents of an index as Lucene does, bit for bit, without a server.

The score is that of Lucene's LMDirichletSimilarity, which Elasticsearch uses too (docs/retrieval.md): a
language model with Dirichlet smoothing (Zhai & Lafferty 2001). A *clause* is a term of a query with its count
in the query. mu and the score of a clause are in single precision, the rest is in double. A clause counts at
least 0, and lengths are rounded (`lucene_lengths`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from os import PathLike

import numpy as np

from sera.compiled import compiled
from sera.errors import InputError
from sera.progress import Progress
from sera.retrieval.engines import MU, Hit, mean_idf
from sera.retrieval.index import Index, read_index
from sera.text import analysis

_AT_ONCE = 512  # the most queries in one pass, which shares the scores of terms that they have in common
_HIT = 2.0**-149  # the least score of a clause: a document is a hit even if its clauses score 0
_NOTHING = 1e-40  # a sum below this consists only of clauses that score 0
_PHRASES = 1 << 18  # phrases whose documents are remembered: summaries of a topic share them
_QUERIES = 1024  # queries whose terms are remembered: the multiverse searches repeatedly for them
_SMOOTHINGS = 16  # values of mu whose parts of scores are kept

Clause = tuple[int, int]
"""The number of a term, and its count in the query."""

_analyzer = cache(analysis.analyzer)  # which remembers the terms of words, for all engines


@lru_cache(maxsize=_QUERIES)
def _counted_tokens(analyzer: str, query: str) -> tuple[tuple[str, int], ...]:
    return tuple(Counter(_analyzer(analyzer).tokens(query)).items())


class LuceneEngine:
    """An opened index; see `sera.retrieval.engines.Engine`. `open_index` returns one.

    ``documents``, ``tokens`` (without stop words) and ``terms`` are counts, ``ids`` are the documents' ids in
    the index's order, and ``fingerprint`` is a hash of the collection.
    """

    def __init__(self, index: Index) -> None:
        self.index = index
        self._analyzer = _analyzer(index.analyzer)
        self._smoothing = lru_cache(_SMOOTHINGS)(lambda mu: _Smoothing(index, mu))
        self.clauses = lru_cache(_QUERIES)(self._find_terms)
        self.documents_with = lru_cache(_PHRASES)(self._find_phrase)
        self.mean_idf = cache(self._find_mean_idf)
        self.analyzer, self.ids = index.analyzer, index.ids
        self.documents = len(index.ids)
        self.tokens = int(index.position_starts[-1])
        self.terms = len(index.terms)
        self.fingerprint = index.fingerprint

    def search(self, queries: Sequence[str], k: int, *, mu: float = MU) -> list[list[Hit]]:
        """As of `Engine`; ties are in the index's order. A document with a term of the query is a hit.

        Raises InputError for ``k`` below 1, and for a ``mu`` that is not finite and above 0 in single
        precision.
        """
        if k < 1:
            raise InputError(f"the number of documents to retrieve is {k}", remedy="Give 1 or more.")
        if not 2.0**-149 <= mu <= float(np.finfo(np.float32).max):
            problem = f"the smoothing parameter mu is {mu}"
            raise InputError(problem, remedy=f"Give a number above 0, usually {MU:.0f}.")
        smoothing = self._smoothing(float(np.float32(mu)))
        k = min(int(k), self.documents)
        rankings: list[list[Hit]] = []
        with Progress("queries searched", len(queries)) as report:
            for first in range(0, len(queries), _AT_ONCE):
                clauses = list(map(self.clauses, queries[first : first + _AT_ONCE]))
                rankings += self._rank(clauses, k, smoothing)
                report.advance(len(clauses))
        return rankings

    def document_frequency(self, phrases: Sequence[str]) -> list[int]:
        """As of `Engine`, for phrases of any length, as Lucene's phrase query finds them.

        The index's analyzer turns the phrase into terms. A stop word inside it matches any one word; stop
        words at its ends are left out. A phrase without terms occurs in no document.
        """
        return [len(self.documents_with(phrase)) for phrase in phrases]

    def _find_mean_idf(self) -> float:
        """As of `Engine`, without SMART's stop words (Cohan & Goharian 2016, section 3); 0 without terms."""
        terms = self.index.terms
        stops = [terms[term] for term in self._analyzer.stop_terms() if term in terms]
        frequencies = np.delete(np.diff(self.index.posting_starts), stops)
        return mean_idf(Counter(frequencies.tolist()), self.documents)

    def _find_terms(self, query: str) -> list[Clause]:
        terms = self.index.terms
        tokens = _counted_tokens(self.analyzer, query)
        return [(terms[term], count) for term, count in tokens if term in terms]

    def _find_phrase(self, text: str) -> np.ndarray:
        index = self.index
        terms, places = self._analyzer.positions(text)
        if not terms or any(term not in index.terms for term in terms):
            return np.empty(0, np.uint32)
        numbers = [index.terms[term] for term in terms]
        if len(numbers) == 1:
            return index.documents[index.posting_starts[numbers[0]] : index.posting_starts[numbers[0] + 1]]
        columns = [
            (
                index.positions[index.position_starts[number] : index.position_starts[number + 1]],
                place - places[0],
            )
            for number, place in zip(numbers, places)
        ]
        columns.sort(key=lambda column: len(column[0]))  # the rarest term first leaves the fewest to look up
        begins = columns[0][0].astype(np.int64) - columns[0][1]
        for positions, place in columns[1:]:
            begins = begins[(begins + place >= 0) & (begins + place <= int(positions[-1]))]
            targets = (begins + place).astype(positions.dtype)  # another type would convert the whole column
            begins = begins[positions[np.searchsorted(positions, targets)] == targets]
        documents = np.searchsorted(index.starts, begins, side="right") - 1
        return np.unique(documents[begins + (places[-1] - places[0]) < index.starts[documents + 1]])

    def _rank(self, queries: list[list[Clause]], k: int, smoothing: _Smoothing) -> list[list[Hit]]:
        """The best ``k`` documents of each query.

        The score of a clause for a document does not depend on the rest of the query, so it is computed once
        for all queries. A document's score adds those of its clauses in the order of the query, so it does
        not depend on the other queries.
        """
        index = self.index
        rows: dict[Clause, int] = {}
        query_clauses = [[rows.setdefault(clause, len(rows)) for clause in query] for query in queries]
        terms, counts = np.array(list(rows), np.int64).reshape(-1, 2).T
        gains = smoothing.gains(terms.tolist())
        firsts, ends = index.posting_starts[terms], index.posting_starts[terms + 1]
        worth_starts = np.cumsum([0, *(ends - firsts)])
        hit_counts = np.zeros(len(queries), np.int64)
        documents, scores = np.empty((len(queries), k), np.int64), np.empty((len(queries), k), np.float32)
        _score_queries(
            index.documents, index.frequencies, firsts, counts, np.concatenate([np.empty(0), *gains]),
            np.cumsum([0, *map(len, gains)]), smoothing.norms, worth_starts,
            np.empty(worth_starts[-1], np.float32),
            np.array([row for query in query_clauses for row in query], np.int64),
            np.cumsum([0, *map(len, query_clauses)]), hit_counts, documents, scores,
        )  # fmt: skip
        return [
            [Hit(self.ids[document], score) for document, score in zip(best[:count], values)]
            for best, values, count in zip(documents.tolist(), scores.tolist(), hit_counts.tolist())
        ]


class _Smoothing:
    """The parts of scores that are the same for all queries, for one index and one mu."""

    def __init__(self, index: Index, mu: float) -> None:
        self._index, self._mu = index, mu
        self._gains: dict[int, np.ndarray] = {}
        lengths = lucene_lengths()
        norms = np.array([math.log(mu / (length + mu)) for length in lengths.tolist()])
        self.norms = norms[np.searchsorted(lengths, index.lengths, side="right") - 1]

    def gains(self, terms: Sequence[int]) -> list[np.ndarray]:
        """For each term, ln(1 + tf / (mu p)) for its frequencies tf in documents, from 0 to the highest.

        The logarithm is libm's, since numpy's is not the same on every machine.
        """
        index = self._index
        tokens = int(index.position_starts[-1])
        for term in set(terms).difference(self._gains):
            first, end = index.position_starts[term : term + 2].tolist()
            smoothing = self._mu * ((end - first + 1) / (tokens + 1))
            postings = slice(*index.posting_starts[term : term + 2].tolist())
            highest = int(index.frequencies[postings].max())
            self._gains[term] = np.array([math.log(1 + tf / smoothing) for tf in range(highest + 1)])
        return [self._gains[term] for term in terms]


def lucene_lengths() -> np.ndarray:
    """The 256 document lengths that Lucene distinguishes, ascending, int64.

    Lucene rounds a length down to one of them: lengths up to 40 are exact, and the others are 24 plus a
    number of four significant bits.
    """
    lengths = list(range(40))
    shift = 1
    while len(lengths) < 256:
        lengths += [24 + (significand << shift) for significand in range(8, 16)]
        shift += 1
    return np.array(lengths, np.int64)


def open_index(folder: str | PathLike[str]) -> LuceneEngine:
    """Open the index in a folder; raises InputError as `sera.retrieval.index.read_index` does."""
    return LuceneEngine(read_index(folder))


@compiled
def _score_queries(
    documents, frequencies, firsts, counts, gains, gain_starts, norms, worth_starts, worth, query_clauses,
    query_starts, kept, best, scores,
):  # fmt: skip
    """Score all documents for each query; fill in the number, documents and scores of the best.

    ``worth`` becomes what each posting of each clause adds to the score of its document.
    """
    for clause in range(len(firsts)):
        for entry in range(worth_starts[clause], worth_starts[clause + 1]):
            posting = firsts[clause] + entry - worth_starts[clause]
            gain = gains[gain_starts[clause] + frequencies[posting]]
            worth[entry] = max((gain + norms[documents[posting]]) * counts[clause], _HIT)
    sums = np.empty(len(norms))
    k = best.shape[1]
    for query in range(len(kept)):
        sums[:] = 0.0
        for clause in query_clauses[query_starts[query] : query_starts[query + 1]]:
            added = worth[worth_starts[clause] : worth_starts[clause + 1]]
            here = documents[firsts[clause] : firsts[clause] + len(added)]
            for entry in range(len(added)):
                sums[here[entry]] += added[entry]
        for document in range(len(sums)):
            if sums[document] > 0.0:
                score = np.float32(sums[document] if sums[document] > _NOTHING else 0.0)
                if kept[query] == k and score <= scores[query, k - 1]:
                    continue
                kept[query] = min(k, kept[query] + 1)
                rank = kept[query] - 1  # its place is after all equal scores
                while rank > 0 and scores[query, rank - 1] < score:
                    scores[query, rank] = scores[query, rank - 1]
                    best[query, rank] = best[query, rank - 1]
                    rank -= 1
                scores[query, rank] = score
                best[query, rank] = document
