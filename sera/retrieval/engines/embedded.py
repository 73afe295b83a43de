"""The embedded engine: it searches an index of numpy columns on disk and ranks as Lucene does, bit for bit.

`sera.retrieval.engines.index_building` builds the index; `sera.retrieval.engines.index_format` describes its
files.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from os import PathLike

import numpy as np

from sera.compiled import compiled
from sera.errors import InputError
from sera.progress import Progress
from sera.registry import unknown
from sera.retrieval.engines import Hit
from sera.retrieval.engines.index_format import REMEDY, Index
from sera.text import analysis

_QUERIES = 4096  # the most queries in one pass
_KEPT = 1 << 24  # the most hits kept in one pass, which limits its queries too
_WIDEST = 1 << 11  # the most documents in a block, below 65,536: their sums stay in the processor's cache
_ENTRIES = 1 << 23  # the most postings scored at a time, unless the block is smaller than the next number
_NARROWEST = 64  # documents
_SMALLEST_MU, _LARGEST_MU = 2.0**-149, float(np.finfo(np.float32).max)  # in single precision
_HIT = 2.0**-149  # the least score of a clause: a document is a hit even if its clauses score 0
_NOTHING = 1e-40  # a sum below this consists only of clauses that score 0
_REMEMBERED = 1 << 18  # terms and ids whose numbers are cached; phrases whose frequencies are
_SEARCHED = 1024  # queries that are remembered: the multiverse searches repeatedly for them
_SCORERS_KEPT = 16  # scoring functions whose logarithms are remembered, for the same reason

_Clause = tuple[int, int]  # the number of a term and its count in the query


class EmbeddedEngine:
    """An opened index; see `sera.retrieval.engines.Engine`. `open_index` returns one.

    ``documents``, ``tokens`` (without stop words) and ``terms`` are counts; ``fingerprint`` is a hash of the
    collection.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self._analyzer = _analyzer(index.analyzer)
        self._number = lru_cache(_REMEMBERED)(index.number)
        self._id = lru_cache(_REMEMBERED)(index.id)
        self._frequency = lru_cache(_REMEMBERED)(self._phrase_frequency)  # summaries of a topic share phrases
        self._clauses = lru_cache(_SEARCHED)(self._clauses_of)
        self._scorer = lru_cache(_SCORERS_KEPT)(lambda scorer, mu: _SCORERS[scorer](index, mu))
        self.analyzer = index.analyzer
        self.documents = len(index.lengths)
        self.tokens = len(index.positions)
        self.terms = len(index.term_starts) - 1
        self.fingerprint = index.fingerprint

    def search(
        self, queries: Sequence[str], k: int, *, mu: float = 2000.0, scorer: str = "lucene"
    ) -> list[list[Hit]]:
        """For each query text, the best ``k`` documents, best first; ties are in the index's order.

        A document is a hit if it has a term of the query. There may be fewer than ``k`` hits, and a query
        without tokens has none. ``scorer`` is one of

        - ``lucene``: the score of Lucene's LMDirichletSimilarity, equal to the last bit, in single precision.
          Terms that the document lacks add nothing, negative scores of terms count as 0, and lengths are
          rounded as in Lucene;
        - ``query-likelihood``: the logarithm of the query's probability under the document's language model
          with Dirichlet smoothing (Zhai and Lafferty, 2001), in double precision, with exact lengths and with
          the query's terms that the document lacks. Terms that no document has are left out.

        Raises InputError for another scorer, for ``k`` below 1, and for a ``mu`` that is not finite and above
        0 in single precision.
        """
        if scorer not in _SCORERS:
            raise unknown("scorer", scorer, _SCORERS)
        if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1:
            raise InputError(f"the number of documents to retrieve is {k}", remedy="Give 1 or more.")
        if not _SMALLEST_MU <= mu <= _LARGEST_MU:
            said = f"a number of {mu.bit_length()} bits" if isinstance(mu, int) and mu else mu
            problem = f"the smoothing parameter mu is {said}"
            raise InputError(problem, remedy="Give a number above 0, usually 2000.")
        k, mu = int(k), float(mu)
        k = min(k, max(1, self.documents))
        score = self._scorer(scorer, mu)
        clauses = {query: self._clauses(query) for query in queries}
        hits: dict[str, list[Hit]] = {}
        different = list(clauses)
        at_once = min(_QUERIES, max(1, _KEPT // k))
        for first in range(0, len(different), at_once):
            batch = different[first : first + at_once]
            best = _best(self._index, [clauses[query] for query in batch], k, score)
            for query, (documents, scores) in zip(batch, best):
                hits[query] = list(map(Hit, map(self._id, documents.tolist()), scores.tolist()))
        return [list(hits[query]) for query in queries]

    def document_frequency(self, phrases: Sequence[str]) -> list[int]:
        """For each phrase, the number of documents in which Lucene's phrase query finds it.

        The index's analyzer turns the phrase into terms. A stop word inside it matches any one word; stop
        words at its ends are left out. A phrase without terms occurs in no document. A phrase may have any
        length.
        """
        return list(map(self._frequency, phrases))

    def mean_idf(self) -> float:
        """The mean of ln(documents / document frequency) over the index's terms; 0 if there are none.

        The terms of the SMART stop words are left out, since the paper's mean is over "all terms except
        stopwords" (Cohan & Goharian 2016, section 3).
        """
        return self._mean_idf

    @cached_property
    def _mean_idf(self) -> float:
        # The number of terms for each frequency. The sum is exact and uses libm's logarithm, so it is the
        # same on any machine.
        terms = np.bincount(np.diff(self._index.posting_starts), minlength=1)
        np.subtract.at(terms, [self.term_statistics(term)[0] for term in self._analyzer.stop_terms()], 1)
        terms[0] = 0
        used = np.flatnonzero(terms).tolist()
        total = math.fsum(terms[frequency] * math.log(self.documents / frequency) for frequency in used)
        return total / int(terms.sum()) if used else 0.0

    def term_statistics(self, term: str) -> tuple[int, int]:
        """The document frequency of a term and its frequency in the collection; 0 and 0 if it is unknown.

        ``term`` must be a term of the index: `sera.text.analysis` turns words into terms.
        """
        number = self._number(term)
        if number is None:
            return 0, 0
        return (
            int(self._index.posting_starts[number + 1] - self._index.posting_starts[number]),
            int(self._index.position_starts[number + 1] - self._index.position_starts[number]),
        )

    def _clauses_of(self, query: str) -> list[_Clause]:
        number = self._number
        return [
            (known, count)
            for term, count in _counted_tokens(self.analyzer, query)
            if (known := number(term)) is not None
        ]

    def _phrase(self, text: str) -> tuple[tuple[str, int], ...]:
        """The terms of a phrase with their places relative to the first."""
        terms, positions = self._analyzer.positions(text)
        return tuple((term, position - positions[0]) for term, position in zip(terms, positions))

    def _phrase_frequency(self, text: str) -> int:
        """The document frequency of a phrase."""
        phrase = self._phrase(text)
        if len(phrase) == 1:
            return self.term_statistics(phrase[0][0])[0]
        return len(self._phrase_documents(phrase))

    def _phrase_documents(self, phrase: tuple[tuple[str, int], ...]) -> np.ndarray:
        """The numbers of the documents with a phrase, ascending; terms with their places as above."""
        index = self._index
        numbers = [number for term, _ in phrase if (number := self._number(term)) is not None]
        if not numbers or len(numbers) < len(phrase):
            return np.empty(0, np.int64)
        if len(numbers) == 1:
            return index.documents[index.posting_starts[numbers[0]] : index.posting_starts[numbers[0] + 1]]
        terms = [
            (index.positions[index.position_starts[number] : index.position_starts[number + 1]], place)
            for number, (_, place) in zip(numbers, phrase)
        ]
        terms.sort(
            key=lambda term: len(term[0])
        )  # the rarest term first: it leaves the fewest places to look up
        begins = terms[0][0].astype(np.int64) - terms[0][1]
        for positions, place in terms[1:]:
            wanted = begins + place
            begins = begins[(wanted >= 0) & (wanted <= int(positions[-1]))]
            wanted = (begins + place).astype(
                positions.dtype
            )  # a search with another type would convert the whole column
            begins = begins[positions[np.searchsorted(positions, wanted)] == wanted]
        last = phrase[-1][1]
        documents = np.searchsorted(index.starts, begins, side="right") - 1
        return np.unique(documents[begins + last < index.starts[documents + 1]])


_analyzer = cache(analysis.analyzer)  # which remembers the terms of words, for all engines


@lru_cache(maxsize=_SEARCHED)
def _counted_tokens(analyzer: str, query: str) -> tuple[tuple[str, int], ...]:
    """The terms of a query in order, each with its count."""
    return tuple(Counter(_analyzer(analyzer).tokens(query)).items())


def open_index(folder: str | PathLike[str]) -> EmbeddedEngine:
    """Open the index in a folder.

    Raises InputError for a wrong or damaged index; `sera.retrieval.engines.index_format.Index` lists the
    checks.
    """
    return EmbeddedEngine(Index(folder))


def _best(
    index: Index, queries: list[list[_Clause]], k: int, scorer: _Scorer
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """For each query, the numbers of its best ``k`` documents (int64) and their scores (float64), best first.

    Ties are in the index's order. One pass over the index, a block of documents at a time, answers all
    queries. The score of a clause for a document does not depend on the rest of the query, so it is computed
    once for all queries. A document's score adds those of its clauses in the order of the query, so it does
    not depend on the batch.
    """
    rows: dict[_Clause, int] = {}
    clauses_of = [[rows.setdefault(clause, len(rows)) for clause in query] for query in queries]
    query_starts = np.cumsum([0, *map(len, clauses_of)])
    query_clauses = np.array([row for query in clauses_of for row in query], np.int64)
    terms, counts = np.array(list(rows), np.int64).reshape(-1, 2).T
    gains, first_gains = _gains(index, terms, scorer)
    absent = np.array([scorer.absent(query) for query in queries])
    tokens = np.array([sum(count for _, count in query) for query in queries], float)
    kept = np.zeros(len(queries), np.int64)
    documents, scores = np.empty((len(queries), k), np.int64), np.empty((len(queries), k))

    firsts, ends = index.posting_starts[terms], index.posting_starts[terms + 1]
    entry_documents, worth = np.empty(0, np.uint16), np.empty(0, np.float32 if scorer.single else float)
    first, width = 0, _WIDEST
    with Progress("documents searched", len(index.lengths)) as report:
        while first < len(index.lengths):
            # The clauses' postings in this block are those from `firsts` to `bounds`.
            end = min(first + width, len(index.lengths))
            bounds = _bounds(index.documents, firsts, ends, end)
            while (entries := int((bounds - firsts).sum())) > _ENTRIES and end - first > _NARROWEST:
                width = (end - first) // 2
                end = first + width
                bounds = _bounds(index.documents, firsts, ends, end)
            if entries > len(worth):
                entry_documents, worth = (np.empty(entries, each.dtype) for each in (entry_documents, worth))
            starts = _worth(
                index.documents, index.frequencies, firsts, bounds, first, counts, gains, first_gains,
                scorer.norms, entry_documents, worth, end - first,
            )  # fmt: skip
            if not len(starts) or (end == len(index.lengths) and (bounds < ends).any()):
                problem = "the postings are not those of its documents"
                raise InputError(problem, path=index.folder, remedy=REMEDY)
            _add_up(
                first, end, query_starts, query_clauses, starts, entry_documents, worth, absent, tokens,
                scorer.penalties, scorer.single, kept, documents, scores,
            )  # fmt: skip
            report.advance(end - first)
            firsts, first = bounds, end
    for query, count in enumerate(kept.tolist()):
        yield documents[query, :count], scores[query, :count]


def _gains(index: Index, terms: np.ndarray, scorer: _Scorer) -> tuple[np.ndarray, np.ndarray]:
    """ln(1 + frequency / smoothing) for the frequencies of each clause's term, and the place of frequency 0.

    The logarithm is libm's, since numpy's is not the same on every machine. The scorer keeps those of a term.
    """
    different, of_clause = np.unique(terms, return_inverse=True)
    new = np.array([term for term in different.tolist() if term not in scorer.gains], np.int64)
    firsts, ends = index.posting_starts[new].tolist(), index.posting_starts[new + 1].tolist()
    smoothings = scorer.smoothings(index.position_starts[new + 1] - index.position_starts[new]).tolist()
    for term, first, end, smoothing in zip(new.tolist(), firsts, ends, smoothings):
        highest = int(index.frequencies[first:end].max())
        gains = [math.log(1 + frequency / smoothing) for frequency in range(1, highest + 1)]
        scorer.gains[term] = np.array(gains)
    gains_of = [scorer.gains[term] for term in different.tolist()]
    first_gains = np.cumsum([0, *map(len, gains_of)])[:-1]
    return np.concatenate([np.zeros(1), *gains_of]), first_gains[of_clause]


@compiled
def _bounds(documents, firsts, ends, limit):
    """For each range of ascending documents, the place of the first not below the limit, or its end."""
    bounds = np.empty_like(firsts)
    for clause in range(len(firsts)):
        low, high = firsts[clause], ends[clause]
        while low < high:
            middle = (low + high) >> 1
            if documents[middle] < limit:
                low = middle + 1
            else:
                high = middle
        bounds[clause] = low
    return bounds


@compiled
def _worth(
    documents, frequencies, firsts, ends, first, counts, gains, first_gains, norms, entry_documents, worth,
    width,
):  # fmt: skip
    """Fill in each posting's document, counted from ``first``, and its score; returns the clauses' starts.

    The result is empty if a document is not among the ``width`` of this block, as in a damaged index.
    """
    starts = np.empty(len(firsts) + 1, np.int64)
    entry = 0
    for clause in range(len(firsts)):
        starts[clause] = entry
        here = documents[firsts[clause] : ends[clause]]
        often = frequencies[firsts[clause] : ends[clause]]
        gain = gains[first_gains[clause] :]
        count = counts[clause]
        for place in range(len(here)):
            document = np.int64(here[place]) - first
            if document < 0 or document >= width:
                return starts[:0]
            entry_documents[entry + place] = document
            worth[entry + place] = max((gain[often[place]] + norms[here[place]]) * count, _HIT)
        entry += len(here)
    starts[-1] = entry
    return starts


@compiled
def _add_up(
    first, end, query_starts, query_clauses, starts, entry_documents, worth, absent, tokens,
    penalties, single, kept, documents, scores,
):  # fmt: skip
    """Score a block of documents for each query and update the best: their number, documents and scores."""
    sums = np.zeros(end - first)
    k = documents.shape[1]
    for query in range(len(kept)):
        sums[:] = 0.0
        for place in range(query_starts[query], query_starts[query + 1]):
            clause = query_clauses[place]
            here = entry_documents[starts[clause] : starts[clause + 1]]
            added = worth[starts[clause] : starts[clause + 1]]
            for entry in range(len(here)):
                sums[here[entry]] += added[entry]
        for document in range(len(sums)):
            if sums[document] > 0.0:
                score = sums[document] if sums[document] > _NOTHING else 0.0
                score += absent[query] - tokens[query] * penalties[first + document]
                if single:
                    score = np.float64(np.float32(score))
                if kept[query] < k or score > scores[query, k - 1]:
                    low, high = 0, kept[query]  # its place is after all equal scores
                    while low < high:
                        middle = (low + high) >> 1
                        if scores[query, middle] >= score:
                            low = middle + 1
                        else:
                            high = middle
                    kept[query] = min(k, kept[query] + 1)
                    for rank in range(kept[query] - 1, low, -1):
                        scores[query, rank] = scores[query, rank - 1]
                        documents[query, rank] = documents[query, rank - 1]
                    scores[query, low] = score
                    documents[query, low] = first + document


# Scorers
# -------


class _Scorer:
    """A scoring function for one mu. A clause whose term is in a query ``count`` times adds

        count * (ln(1 + frequency / smoothing) + norm of the document)

    to the scores of the documents with its term, in float32 if ``single``. A score is the sum of these, plus
    `absent` of the query, minus the document's penalty for each token of the query; in float32 if ``single``.
    """

    single: bool
    norms: np.ndarray  # per document
    penalties: np.ndarray  # per document

    def __init__(self, index: Index, mu: float) -> None:
        self._index, self._mu = index, mu
        self.gains: dict[int, np.ndarray] = {}  # by term, as `_gains`

    def smoothings(self, occurrences: np.ndarray) -> np.ndarray:
        """mu p of terms, given their occurrences in the collection."""
        raise NotImplementedError

    def absent(self, query: list[_Clause]) -> float:
        """The part of the score that is the same for all documents, whichever terms they have."""
        raise NotImplementedError


class _Lucene(_Scorer):
    """Lucene's LMDirichletSimilarity: mu and the score of a term are float32, the rest is double."""

    single = True

    def __init__(self, index: Index, mu: float) -> None:
        super().__init__(index, float(np.float32(mu)))
        self._every_token = len(index.positions) + 1
        lengths = lucene_lengths()
        norms = np.array([math.log(self._mu / (length + self._mu)) for length in lengths.tolist()])
        self.norms = norms[np.searchsorted(lengths, index.lengths, side="right") - 1]
        self.penalties = np.broadcast_to(0.0, len(self.norms))

    def smoothings(self, occurrences: np.ndarray) -> np.ndarray:
        return self._mu * ((occurrences + 1) / self._every_token)

    def absent(self, query: list[_Clause]) -> float:
        return 0.0


class _QueryLikelihood(_Scorer):
    """The sum over the query's tokens of ln((tf + mu p) / (length + mu)); p is the token's share of all."""

    single = False

    def __init__(self, index: Index, mu: float) -> None:
        super().__init__(index, mu)
        lengths, places = np.unique(index.lengths, return_inverse=True)
        self.penalties = np.array([math.log(length + mu) for length in lengths.tolist()])[places]
        self.norms = np.broadcast_to(0.0, len(self.penalties))

    def smoothings(self, occurrences: np.ndarray) -> np.ndarray:
        return self._mu * (occurrences / len(self._index.positions))

    def absent(self, query: list[_Clause]) -> float:
        terms = np.array([term for term, _ in query], np.int64)
        occurrences = self._index.position_starts[terms + 1] - self._index.position_starts[terms]
        smoothings = self.smoothings(occurrences).tolist()
        return sum(count * math.log(smoothing) for (_, count), smoothing in zip(query, smoothings))


_SCORERS: dict[str, Callable[[Index, float], _Scorer]] = {
    "lucene": _Lucene,
    "query-likelihood": _QueryLikelihood,
}


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
