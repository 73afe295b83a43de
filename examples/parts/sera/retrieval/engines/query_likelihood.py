"""The embedded engine's index, ranked by textbook query likelihood (Zhai and Lafferty 2001)."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

from sera.retrieval.engines import Hit
from sera.retrieval.engines.embedded import EmbeddedEngine
from sera.retrieval.engines.index_format import Index


class QueryLikelihood(EmbeddedEngine):
    """Query terms that a document lacks lower its score too."""

    def search(
        self, queries: Sequence[str], k: int, *, mu: float = 2000.0, scorer: str = "query-likelihood"
    ) -> list[list[Hit]]:
        return super().search(queries, k, mu=mu, scorer=scorer)


def open_index(folder: str | PathLike[str]) -> QueryLikelihood:
    """Open the index in a folder."""
    return QueryLikelihood(Index(folder))
