"""Language models with Dirichlet smoothing, which score documents for queries (Zhai & Lafferty 2001).

The smoothing parameter mu has the default of `sera.retrieval.engines.MU`: 2000, as in Lucene.

A *clause* is a term of a query with its count in the query. The score of a document is the sum, over the
clauses whose term it has, of

    count * (gain of the term's frequency in the document + norm of the document)

plus `Scorer.absent` of the query, minus the document's penalty for each token of the query.
"""

import math
from collections.abc import Sequence

import numpy as np

from sera.retrieval.index import Index

Clause = tuple[int, int]
"""The number of a term, and its count in the query."""


class Scorer:
    """A scoring function for one index and one smoothing parameter mu.

    ``single``: whether clauses and scores are rounded to single precision; ``norms`` and ``penalties``: one
    for each document, float64.
    """

    single: bool
    norms: np.ndarray
    penalties: np.ndarray

    def __init__(self, index: Index, mu: float) -> None:
        self._index, self._mu = index, mu
        self._tokens = int(index.position_starts[-1])
        self._gains: dict[int, np.ndarray] = {}

    def smoothings(self, occurrences: np.ndarray) -> np.ndarray:
        """mu p of terms, where p is a term's probability, given their occurrences in the collection."""
        raise NotImplementedError

    def absent(self, query: Sequence[Clause]) -> float:
        """The part of the score that is the same for all documents, whichever terms they have."""
        return 0.0

    def gains(self, terms: np.ndarray) -> list[np.ndarray]:
        """For each term, ln(1 + tf / (mu p)) for its frequencies tf in documents, from 0 to the highest.

        The logarithm is libm's, since numpy's is not the same on every machine.
        """
        new = np.array([term for term in dict.fromkeys(terms.tolist()) if term not in self._gains], np.int64)
        firsts, ends = self._index.posting_starts[new].tolist(), self._index.posting_starts[new + 1].tolist()
        smoothings = self.smoothings(self._occurrences(new)).tolist()
        for term, first, end, smoothing in zip(new.tolist(), firsts, ends, smoothings):
            highest = int(self._index.frequencies[first:end].max())
            self._gains[term] = np.array([math.log(1 + tf / smoothing) for tf in range(highest + 1)])
        return [self._gains[term] for term in terms.tolist()]

    def _occurrences(self, terms: np.ndarray) -> np.ndarray:
        return self._index.position_starts[terms + 1] - self._index.position_starts[terms]


class LuceneDirichlet(Scorer):
    """Lucene's LMDirichletSimilarity, which Elasticsearch uses: equal to the last bit.

    mu and the score of a clause are in single precision, the rest is in double. A clause counts at least 0,
    lengths are rounded (`lucene_lengths`), and terms that a document lacks add nothing.
    """

    single = True

    def __init__(self, index: Index, mu: float) -> None:
        super().__init__(index, float(np.float32(mu)))
        lengths = lucene_lengths()
        norms = np.array([math.log(self._mu / (length + self._mu)) for length in lengths.tolist()])
        self.norms = norms[np.searchsorted(lengths, index.lengths, side="right") - 1]
        self.penalties = np.zeros(len(index.ids))

    def smoothings(self, occurrences: np.ndarray) -> np.ndarray:
        return self._mu * ((occurrences + 1) / (self._tokens + 1))


class QueryLikelihood(Scorer):
    """The sum over the query's tokens of ln((tf + mu p) / (length + mu)), in double precision.

    p is the token's share of the collection, lengths are exact, and a token that the document lacks lowers
    its score. Tokens that no document has are left out.
    """

    single = False

    def __init__(self, index: Index, mu: float) -> None:
        super().__init__(index, mu)
        lengths, places = np.unique(index.lengths, return_inverse=True)
        self.penalties = np.array([math.log(length + mu) for length in lengths.tolist()])[places]
        self.norms = np.zeros(len(index.ids))

    def smoothings(self, occurrences: np.ndarray) -> np.ndarray:
        return self._mu * (occurrences / self._tokens)

    def absent(self, query: Sequence[Clause]) -> float:
        smoothings = self.smoothings(self._occurrences(np.array([term for term, _ in query], np.int64)))
        return sum(count * math.log(smoothing) for (_, count), smoothing in zip(query, smoothings.tolist()))


SCORERS: dict[str, type[Scorer]] = {"lucene": LuceneDirichlet, "query-likelihood": QueryLikelihood}


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
