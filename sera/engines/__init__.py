"""Retrieval engines: what ranks the index's documents for a query.

An engine opens one index and answers three questions about it; see `Engine`. The embedded engine
needs no server; the other is an Elasticsearch server. Both rank by Lucene's LM-Dirichlet, alike.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import NamedTuple, Protocol

from sera.registry import Registry


class Hit(NamedTuple):
    """One line of a ranking."""

    document: str
    score: float


class Engine(Protocol):
    """An opened index."""

    analyzer: str
    documents: int  # how many the index holds

    def search(self, queries: Sequence[str], k: int, *, mu: float = 2000.0) -> list[list[Hit]]:
        """For each query text the best ``k`` documents, best first; fewer where fewer match."""
        ...

    def document_frequency(self, phrases: Sequence[str]) -> list[int]:
        """For each phrase of one to three words, in how many documents it occurs as a phrase."""
        ...

    def mean_idf(self) -> float:
        """Mean of ln(documents / document frequency) over the index's terms, stop words left out."""
        ...


ENGINES = Registry(
    "engine",
    {
        "embedded": ("sera.engines.embedded:open_index", "numpy postings on disk; no server"),
        "elasticsearch": ("sera.engines.elasticsearch:open_index", "an Elasticsearch server, 7.14 to 9"),
    },
)


def documents_in(folder: str | PathLike[str]) -> int:
    """How many documents an index holds, as its folder tells; a server is not asked."""
    manifest = json.loads(Path(folder, "manifest.json").read_text(encoding="utf-8"))
    return int(manifest.get("statistics", manifest)["documents"])  # a receipt of a server has no statistics
