"""What the multiverse varies of the embedded engine: its documents, and the formula of scores."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from sera.retrieval.engines import Hit
from sera.retrieval.index import DIGEST, Index, starts_of
from sera.retrieval.lucene import LuceneEngine


class PartEngine(LuceneEngine):
    """An engine over some documents of another, in their order, as if it were their own index."""

    def __init__(self, whole: LuceneEngine, ids: Iterable[str]) -> None:
        names = set(ids)
        self._whole = whole
        self._kept = np.array([id in names for id in whole.ids], bool)
        super().__init__(_part(whole.index, self._kept))

    def _find_phrase(self, text: str) -> np.ndarray:  # other documents do not change where a phrase is
        documents = self._whole.documents_with(text)
        return documents[self._kept[documents]]


def _part(index: Index, kept: np.ndarray) -> Index:
    """The index of those documents for which ``kept`` (bool) is true, without positions.

    Terms keep their numbers in the whole index.
    """
    postings = kept[index.documents]
    documents, frequencies = index.documents[postings], index.frequencies[postings]
    posting_starts = starts_of(postings)[index.posting_starts]
    has_postings = (posting_starts[1:] > posting_starts[:-1]).tolist()
    return dataclasses.replace(
        index,
        ids=[id for id, stays in zip(index.ids, kept.tolist()) if stays],
        terms={term: number for term, number in index.terms.items() if has_postings[number]},
        digests=index.digests.reshape(-1, DIGEST)[kept].reshape(-1),
        lengths=index.lengths[kept],
        starts=starts_of(np.diff(index.starts)[kept]),
        posting_starts=posting_starts,
        documents=(np.cumsum(kept) - 1)[documents].astype(np.uint32),
        frequencies=frequencies,
        position_starts=starts_of(frequencies)[posting_starts],
        positions=index.positions[:0],
    )


class QueryLikelihood:
    """The textbook's ranking of an engine's documents (Zhai & Lafferty 2001), in double precision.

    The score is the sum over the query's tokens of ln((tf + mu p) / (length + mu)), where p is the token's
    share of the collection. Lengths are exact, and a token that the document lacks lowers its score. Tokens
    that no document has are left out.
    """

    def __init__(self, engine: LuceneEngine) -> None:
        self._engine = engine
        self._gains: dict[tuple[int, float], np.ndarray] = {}

    def search(self, queries: Sequence[str], k: int, *, mu: float) -> list[list[Hit]]:
        """As `LuceneEngine.search`."""
        lengths, places = np.unique(self._engine.index.lengths, return_inverse=True)
        penalties = np.array([math.log(length + mu) for length in lengths.tolist()])[places]
        return [self._rank(query, k, mu, penalties) for query in queries]

    def _rank(self, query: str, k: int, mu: float, penalties: np.ndarray) -> list[Hit]:
        engine, index = self._engine, self._engine.index
        sums, hits = np.zeros(engine.documents), np.zeros(engine.documents, bool)
        tokens, absent = 0, 0.0
        for term, count in engine.clauses(query):
            postings = slice(*index.posting_starts[term : term + 2].tolist())
            frequencies, documents = index.frequencies[postings], index.documents[postings]
            first, end = index.position_starts[term : term + 2].tolist()
            smoothing = mu * ((end - first) / engine.tokens)
            if (term, mu) not in self._gains:
                highest = int(frequencies.max())
                # libm's logarithm, since numpy's is not the same on every machine
                gains = [math.log(1 + tf / smoothing) for tf in range(highest + 1)]
                self._gains[term, mu] = np.array(gains)
            sums[documents] += self._gains[term, mu][frequencies] * count
            hits[documents] = True
            tokens += count
            absent += count * math.log(smoothing)
        found = np.flatnonzero(hits)
        scores = sums[found] + (absent - tokens * penalties[found])
        best = np.argsort(-scores, kind="stable")[:k]
        return [Hit(engine.ids[found[place]], float(scores[place])) for place in best]


SCORERS: dict[str, Callable[[LuceneEngine], Any]] = {
    "lucene": lambda engine: engine,
    "query-likelihood": QueryLikelihood,
}
"""What ranks an engine's documents, by the name of the formula."""
