"""The embedded engine: it ranks the documents of an index as Lucene does, bit for bit, without a server.

`sera.retrieval.index` builds the index, and `sera.retrieval.dirichlet` has the scoring functions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from os import PathLike

import numpy as np

from sera.compiled import compiled
from sera.errors import InputError
from sera.progress import Progress
from sera.registry import unknown
from sera.retrieval.dirichlet import SCORERS, Clause, Scorer
from sera.retrieval.engines import MU, Hit, mean_idf
from sera.retrieval.index import Index, read_index
from sera.text import analysis

_AT_ONCE = 512  # the most queries in one pass, which shares the scores of terms that they have in common
_HIT = 2.0**-149  # the least score of a clause: a document is a hit even if its clauses score 0
_NOTHING = 1e-40  # a sum below this consists only of clauses that score 0
_PHRASES = 1 << 18  # phrases whose documents are remembered: summaries of a topic share them
_QUERIES = 1024  # queries whose terms are remembered: the multiverse searches repeatedly for them
_SCORERS_KEPT = 16

_analyzer = cache(analysis.analyzer)  # which remembers the terms of words, for all engines


@lru_cache(maxsize=_QUERIES)
def _counted_tokens(analyzer: str, query: str) -> tuple[tuple[str, int], ...]:
    return tuple(Counter(_analyzer(analyzer).tokens(query)).items())


class LuceneEngine:
    """An opened index; see `sera.retrieval.engines.Engine`. `open_index` returns one.

    ``documents``, ``tokens`` (without stop words) and ``terms`` are counts, ``ids`` are the documents' ids in
    the index's order, and ``fingerprint`` is a hash of the collection.
    """

    def __init__(self, index: Index, find_phrase: Callable[[str], np.ndarray] | None = None) -> None:
        self._index = index
        self._analyzer = _analyzer(index.analyzer)
        self._postings = np.diff(index.posting_starts)
        self._scorer = lru_cache(_SCORERS_KEPT)(lambda name, mu: SCORERS[name](index, mu))
        self._clauses = lru_cache(_QUERIES)(self._find_terms)
        self._documents_with = lru_cache(_PHRASES)(find_phrase or self._find_phrase)
        self.analyzer, self.ids = index.analyzer, index.ids
        self.documents = len(index.ids)
        self.tokens = int(index.position_starts[-1])
        self.terms = len(index.terms)
        self.fingerprint = index.fingerprint

    def search(
        self, queries: Sequence[str], k: int, *, mu: float = MU, scorer: str = "lucene"
    ) -> list[list[Hit]]:
        """For each query text, the best ``k`` documents, best first; ties are in the index's order.

        A document is a hit if it has a term of the query. There may be fewer than ``k`` hits, and a query
        without tokens has none. ``scorer``: ``lucene`` or ``query-likelihood``, the functions
        `sera.retrieval.dirichlet.LuceneDirichlet` and `sera.retrieval.dirichlet.QueryLikelihood`.

        Raises InputError for another scorer, for ``k`` below 1, and for a ``mu`` that is not finite and above
        0 in single precision.
        """
        if scorer not in SCORERS:
            raise unknown("scorer", scorer, SCORERS)
        if k < 1:
            raise InputError(f"the number of documents to retrieve is {k}", remedy="Give 1 or more.")
        if not 2.0**-149 <= mu <= float(np.finfo(np.float32).max):
            problem = f"the smoothing parameter mu is {mu}"
            raise InputError(problem, remedy=f"Give a number above 0, usually {MU:.0f}.")
        function = self._scorer(scorer, float(mu))
        different = list(dict.fromkeys(queries))
        k = min(int(k), self.documents)
        hits: dict[str, list[Hit]] = {}
        with Progress("queries searched", len(different)) as report:
            for first in range(0, len(different), _AT_ONCE):
                some = different[first : first + _AT_ONCE]
                rankings = _rank(self._index, list(map(self._clauses, some)), k, function)
                for query, (documents, scores) in zip(some, rankings):
                    ids = [self.ids[document] for document in documents.tolist()]
                    hits[query] = list(map(Hit, ids, scores.tolist()))
                report.advance(len(some))
        return [list(hits[query]) for query in queries]

    def document_frequency(self, phrases: Sequence[str]) -> list[int]:
        """For each phrase, the number of documents in which Lucene's phrase query finds it.

        The index's analyzer turns the phrase into terms. A stop word inside it matches any one word; stop
        words at its ends are left out. A phrase without terms occurs in no document. A phrase may have any
        length.
        """
        return [len(self._documents_with(phrase)) for phrase in phrases]

    def mean_idf(self) -> float:
        """The mean of ln(documents / document frequency) over the index's terms; 0 if there are none.

        The terms of the SMART stop words are left out, since the paper's mean is over "all terms except
        stopwords" (Cohan & Goharian 2016, section 3).
        """
        return self._mean_idf

    @cached_property
    def _mean_idf(self) -> float:
        terms = Counter(self._postings.tolist())
        terms.subtract(self.term_statistics(term)[0] for term in self._analyzer.stop_terms())
        return mean_idf(terms, self.documents)

    def term_statistics(self, term: str) -> tuple[int, int]:
        """The document frequency of a term and its frequency in the collection; 0 and 0 if it is unknown.

        ``term`` must be a term of the index: `sera.text.analysis` turns words into terms.
        """
        number = self._index.terms.get(term)
        if number is None:
            return 0, 0
        first, end = self._index.position_starts[number : number + 2]
        return int(self._postings[number]), int(end - first)

    def part(self, ids: Iterable[str]) -> LuceneEngine:
        """An engine over the documents of these ids, in the index's order, as if it were their own index."""
        names = set(ids)
        mask = np.array([id in names for id in self.ids], bool)

        def find_phrase(text: str) -> np.ndarray:  # other documents do not change where a phrase is
            documents = self._documents_with(text)
            return documents[mask[documents]]

        return LuceneEngine(self._index.part(mask), find_phrase)

    def _find_terms(self, query: str) -> list[Clause]:
        terms = self._index.terms
        tokens = _counted_tokens(self.analyzer, query)
        return [(terms[term], count) for term, count in tokens if term in terms]

    def _find_phrase(self, text: str) -> np.ndarray:
        index = self._index
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


def open_index(folder: str | PathLike[str]) -> LuceneEngine:
    """Open the index in a folder; raises InputError as `sera.retrieval.index.read_index` does."""
    return LuceneEngine(read_index(folder))


def _rank(
    index: Index, queries: list[list[Clause]], k: int, scorer: Scorer
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """For each query, the numbers of its best ``k`` documents (int64) and their scores (float64), best first.

    Ties are in the index's order. The score of a clause for a document does not depend on the rest of the
    query, so it is computed once for all queries. A document's score adds those of its clauses in the order
    of the query, so it does not depend on the other queries.
    """
    rows: dict[Clause, int] = {}
    query_clauses = [[rows.setdefault(clause, len(rows)) for clause in query] for query in queries]
    terms, counts = np.array(list(rows), np.int64).reshape(-1, 2).T
    gains = scorer.gains(terms)
    firsts, ends = index.posting_starts[terms], index.posting_starts[terms + 1]
    worth_starts = np.cumsum([0, *(ends - firsts)])
    hit_counts = np.zeros(len(queries), np.int64)
    documents, scores = np.empty((len(queries), k), np.int64), np.empty((len(queries), k))
    _score_queries(
        index.documents, index.frequencies, firsts, counts, np.concatenate([np.empty(0), *gains]),
        np.cumsum([0, *map(len, gains)]), scorer.norms, worth_starts,
        np.empty(worth_starts[-1], np.float32 if scorer.single else np.float64),
        np.array([row for query in query_clauses for row in query], np.int64),
        np.cumsum([0, *map(len, query_clauses)]),
        np.array([scorer.absent(query) for query in queries], float),
        np.array([sum(count for _, count in query) for query in queries], float),
        scorer.penalties, scorer.single, hit_counts, documents, scores,
    )  # fmt: skip
    for query, count in enumerate(hit_counts.tolist()):
        yield documents[query, :count], scores[query, :count]


@compiled
def _score_queries(
    documents, frequencies, firsts, counts, gains, gain_starts, norms, worth_starts, worth, query_clauses,
    query_starts, absent, tokens, penalties, single, kept, best, scores,
):  # fmt: skip
    """Score all documents for each query; fill in the number, documents and scores of the best.

    ``worth`` becomes what each posting of each clause adds to the score of its document.
    """
    for clause in range(len(firsts)):
        for entry in range(worth_starts[clause], worth_starts[clause + 1]):
            posting = firsts[clause] + entry - worth_starts[clause]
            gain = gains[gain_starts[clause] + frequencies[posting]]
            worth[entry] = max((gain + norms[documents[posting]]) * counts[clause], _HIT)
    sums = np.empty(len(penalties))
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
                score = sums[document] if sums[document] > _NOTHING else 0.0
                score += absent[query] - tokens[query] * penalties[document]
                if single:
                    score = np.float64(np.float32(score))
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
