"""Retrieval engines: they rank the documents of an index for a query.

An engine opens one index; `Engine` is its interface. The embedded engine (`sera.retrieval.lucene`) needs no
server; the other uses Elasticsearch. Both rank by Lucene's LM-Dirichlet, with the same result.
"""

import math
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from sera.errors import InputError
from sera.io.files import MANIFEST, read_json
from sera.registry import Registry
from sera.settings import shown

MU = 2000.0
"""The default of the smoothing parameter of LM-Dirichlet, which is Lucene's."""

ON_SERVER = "elasticsearch"
"""The engine whose index is on a server; `sera.retrieval.elasticsearch.load` loads it."""


class Hit(NamedTuple):
    """One document of a ranking, with its score."""

    document: str
    score: float


class Engine(Protocol):
    """An opened index."""

    analyzer: str
    documents: int  # the number of documents in the index

    def search(self, queries: Sequence[str], k: int, *, mu: float = MU) -> list[list[Hit]]:
        """For each query text, the best ``k`` documents, best first; fewer if fewer match.

        ``mu``: the smoothing parameter of LM-Dirichlet, above 0.
        """
        ...

    def document_frequency(self, phrases: Sequence[str]) -> list[int]:
        """For each phrase of one to three words, the number of documents in which it occurs as a phrase."""
        ...

    def mean_idf(self) -> float:
        """The mean of ln(documents / document frequency) over the index's terms, without stop words."""
        ...


ENGINES = Registry(
    "engine",
    {
        "embedded": ("sera.retrieval.lucene:open_index", "numpy postings on disk; no server"),
        ON_SERVER: ("sera.retrieval.elasticsearch:open_index", "an Elasticsearch server, 7.14 to 9"),
    },
    group="sera.engines",
)


def open_engine(files: Mapping[str, Any]) -> Any:
    """The ``index`` in files by name, opened by the ``engine`` that is named there, unless it is open."""
    index = files["index"]
    if isinstance(index, str | PathLike):
        return ENGINES.load(files.get("engine") or "embedded")(index)
    if not hasattr(index, "search"):
        problem = f"the index is {shown(index)}"
        raise InputError(problem, remedy="Give what sera.index returns, or its folder.")
    return index


def mean_idf(terms: Counter[int], documents: int) -> float:
    """The mean of ln(documents / document frequency) over terms; 0 if there are none.

    ``terms``: the number of terms with each document frequency; those with 0 do not count. The sum is exact
    and has libm's logarithm, so it is the same on any machine.
    """
    del terms[0]
    total = math.fsum(count * math.log(documents / frequency) for frequency, count in terms.items())
    return total / terms.total() if terms.total() else 0.0


def count_documents(folder: str | PathLike[str]) -> int:
    """The number of documents in an index or in a receipt, by its manifest, without asking a server."""
    manifest = read_manifest(folder, "an index")
    return int(manifest.get("statistics", manifest)["documents"])  # a receipt has no statistics


def read_manifest(folder: str | PathLike[str], what: str) -> dict[str, Any]:
    """The JSON object in a folder's manifest; ``what``: what the folder should be, for errors."""
    path = Path(folder, MANIFEST)
    remedy = f"Name the folder of {what}."
    if not os.path.exists(path):
        raise InputError(f"there is no {what.split()[-1]}: {MANIFEST} is missing", path=folder, remedy=remedy)
    manifest = read_json(path)
    if not isinstance(manifest, dict):
        raise InputError(f"is not the manifest of {what}", path=path, remedy=remedy)
    return manifest
