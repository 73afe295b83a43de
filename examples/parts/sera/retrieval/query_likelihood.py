"""The embedded engine's index, ranked by textbook query likelihood (Zhai and Lafferty 2001)."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

from sera.retrieval.engines import MU, Hit
from sera.retrieval.index import read_index
from sera.retrieval.lucene import LuceneEngine


class QueryLikelihoodEngine(LuceneEngine):
    """Query terms that a document lacks lower its score too."""

    def search(
        self, queries: Sequence[str], k: int, *, mu: float = MU, scorer: str = "query-likelihood"
    ) -> list[list[Hit]]:
        return super().search(queries, k, mu=mu, scorer=scorer)


def open_index(folder: str | PathLike[str]) -> QueryLikelihoodEngine:
    """Open the index in a folder."""
    return QueryLikelihoodEngine(read_index(folder))
