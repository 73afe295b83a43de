"""The embedded engine's index, ranked by textbook query likelihood (Zhai and Lafferty 2001)."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

import numpy as np

from sera.retrieval.engines import MU, Hit
from sera.retrieval.index import read_index
from sera.retrieval.lucene import LuceneEngine


class QueryLikelihoodEngine(LuceneEngine):
    """Query terms that a document lacks lower its score too."""

    def search(self, queries: Sequence[str], k: int, *, mu: float = MU) -> list[list[Hit]]:
        return [self._search(query, k, mu) for query in queries]

    def _search(self, query: str, k: int, mu: float) -> list[Hit]:
        index = self.index
        scores, tokens = np.zeros(self.documents), 0
        matches = np.zeros(self.documents, bool)
        for term, count in self.clauses(query):
            first, end = index.posting_starts[term : term + 2]
            frequencies = np.zeros(self.documents)
            frequencies[index.documents[first:end]] = index.frequencies[first:end]
            share = np.diff(index.position_starts[term : term + 2]) / self.tokens
            scores += count * np.log(frequencies + mu * share)
            matches |= frequencies > 0
            tokens += count
        scores -= tokens * np.log(index.lengths + mu)
        order = np.argsort(-scores, kind="stable")
        return [Hit(self.ids[number], float(scores[number])) for number in order if matches[number]][:k]


def open_index(folder: str | PathLike[str]) -> QueryLikelihoodEngine:
    """Open the index in a folder."""
    return QueryLikelihoodEngine(read_index(folder))
