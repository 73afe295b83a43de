"""An engine on a search server, of Elasticsearch or OpenSearch, which ranks as the embedded engine does.

`sera.retrieval.engines.server_loading` loads a corpus into an index and writes a receipt to disk;
`open_index` opens the index of a receipt.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from sera import names
from sera.errors import InputError
from sera.files import MANIFEST, read_json
from sera.retrieval.engines import Hit
from sera.retrieval.engines.search_server import (
    Busy,
    Product,
    Refused,
    Server,
    Strange,
    connect,
    part_of,
)
from sera.retrieval.engines.server_state import (
    FACTS,
    INDEX_NAME,
    RECEIPT_VERSION,
    check_seal,
    facts_of,
    indexes_behind,
)
from sera.text import analysis

_Folder = str | PathLike[str]
_Found = TypeVar("_Found")
DEEPEST = 10_000  # the most hits of a query; the server's index.max_result_window

_QUERIES, _PHRASES = 20, 200  # the most in one request


class ServerEngine:
    """An opened index; see `sera.retrieval.engines.Engine`. `open_index` gives one.

    ``mu`` is the only value that a search accepts; ``fingerprint`` is a hash of the collection.
    """

    def __init__(self, server: Server, index: str, facts: dict[str, Any]) -> None:
        self._server = server
        self._index = index
        self._analyzer = analysis.analyzer(facts["analyzer"])
        self._mean_idf: float = facts["mean_idf"]
        self.analyzer: str = facts["analyzer"]
        self.documents: int = facts["documents"]
        self.mu: float = facts["mu"]
        self.fingerprint: str = facts["fingerprint"]

    def search(self, queries: Sequence[str], k: int, *, mu: float = 2000.0) -> list[list[Hit]]:
        """For each query text, the best ``k`` documents, best first; ties are in the corpus's order.

        Documents, order and scores equal those of the embedded engine's scorer ``lucene``, for any number of
        shards. Repeated terms of a query are one clause, so only its distinct terms count against the
        server's limit ``indices.query.bool.max_clause_count``, which is 1024 or more.

        Raises InputError for a query that is too long, for ``k`` below 1 or above 10,000, for a ``mu`` other
        than the index's, and if the server cannot answer.
        """
        if not 1 <= k <= DEEPEST:
            raise InputError(
                f"the number of documents to retrieve is {k}", remedy=f"Give 1 to {DEEPEST:,} on a server."
            )
        if mu != self.mu:
            raise InputError(
                f"the index on the server smooths with mu = {self.mu:g}, not {mu:g}",
                remedy="Load the corpus again with this mu.",
            )
        terms = {query: Counter(self._analyzer.tokens(query)) for query in dict.fromkeys(queries)}
        asked = [query for query in terms if terms[query]]
        rankings: dict[str, list[Hit]] = {query: [] for query in terms}
        for some in _batches(asked, _QUERIES):
            found = self._ask([_ranking(terms[query], k) for query in some], lambda answer: _hits(answer, k))
            rankings.update(zip(some, found, strict=True))
        return [list(rankings[query]) for query in queries]

    def document_frequency(self, phrases: Sequence[str]) -> list[int]:
        """For each phrase, the number of documents in which it occurs, as in the embedded engine."""
        distinct = list(dict.fromkeys(phrases))
        frequency: dict[str, int] = {}
        for some in _batches(distinct, _PHRASES):
            counts = self._ask([_counting(phrase) for phrase in some], _total)
            frequency.update(zip(some, counts, strict=True))
        return [frequency[phrase] for phrase in phrases]

    def mean_idf(self) -> float:
        """The mean of ln(documents / document frequency) over the index's terms, without stop words.

        0 if there are none. Loading computes it, because a server does not list its terms.
        """
        return self._mean_idf

    def _ask(self, searches: list[dict[str, Any]], read: Callable[[dict[str, Any]], _Found]) -> list[_Found]:
        """What ``read`` finds in the answers of all shards to several searches."""
        header = {
            "index": self._index,
            "search_type": "dfs_query_then_fetch",  # otherwise each shard scores with its own statistics
            "allow_partial_search_results": False,
        }
        lines = [line for body in searches for line in (header, body)]

        def found() -> list[_Found]:
            responses = part_of(self._server.ask("POST", "_msearch", body=lines), list, "responses")
            if len(responses) != len(searches):
                raise Strange(f"is to {len(responses)} searches, not {len(searches)}")
            for body, answer in zip(searches, responses, strict=True):
                self._check(body, answer)
            return [read(answer) for answer in responses]

        return self._server.patiently(found)

    def _check(self, body: dict[str, Any], answer: Any) -> None:
        """Raise the error in the answer to a search; Busy if another attempt may succeed."""
        if "error" not in part_of(answer, dict):
            if answer.get("timed_out") or part_of(answer, int, "_shards", "failed"):
                raise Busy(
                    InputError(
                        f"{self._server.name} searched only a part of the index",
                        remedy="Check the server's health.",
                    )
                )
            return
        kind, reason = self._server.reason_of(answer)
        if kind == "index_not_found_exception":
            raise InputError("the index is no longer on the server", remedy="Load the corpus again.")
        too_long = re.search("too_?many.*clauses|maxClauseCount", f"{kind} {reason}", re.IGNORECASE)
        if too_long and "bool" in body["query"]:
            count = len(body["query"]["bool"]["should"])
            raise InputError(
                f"a query has {count} distinct terms, more than the server takes: {reason}",
                remedy="Shorten it, or raise indices.query.bool.max_clause_count on the server.",
            )
        status = answer.get("status")
        raise Refused(status if type(status) is int else 500, answer)


def _hits(answer: dict[str, Any], k: int) -> list[Hit]:
    """The ranking in an answer; raises Strange if it holds none."""
    hits = part_of(answer, list, "hits", "hits")
    if len(hits) > k:
        raise Strange(f"has {len(hits)} documents, not {k}")
    ranking = []
    for hit in hits:
        sort = part_of(hit, list, "sort")
        score = sort[0] if sort and type(sort[0]) in (float, int) else math.nan
        if not abs(score) < 3.5e38:
            raise Strange("has a document without a score")
        # the server writes a score as the shortest decimal of a number in single precision
        document = names.check("document", part_of(hit, str, "_id"))
        ranking.append(Hit(document, float(np.float32(score))))
    return ranking


def _total(answer: dict[str, Any]) -> int:
    return part_of(answer, int, "hits", "total", "value")


def _ranking(terms: Counter[str], k: int) -> dict[str, Any]:
    should = [{"term": {"text": {"value": term, "boost": count}}} for term, count in terms.items()]
    return {
        "query": {"bool": {"should": should}},
        "sort": [{"_score": "desc"}, {"number": "asc"}],
        "size": k,
        "_source": False,
        "track_total_hits": False,
    }


def _counting(phrase: str) -> dict[str, Any]:
    return {"query": {"match_phrase": {"text": phrase}}, "size": 0, "track_total_hits": True}


def _batches(items: list[str], size: int) -> Iterator[list[str]]:
    for first in range(0, len(items), size):
        yield items[first : first + size]


def open_index(
    folder: _Folder, product: Product, *, patience: float | None = None, node: Any = None
) -> ServerEngine:
    """Open the index of the receipt in a folder, on the server that the environment names.

    folder:    the folder with the receipt
    product:   the kind of server
    patience:  seconds for which a request, here and in searches, is repeated while the server is away or
               busy; by default `limits.WAIT`
    node:      the class of the client's connections; by default the product's

    Raises InputError if the receipt or the server is wrong, and if the server's index is missing, was made
    from another corpus or with other settings, or has changed since it was loaded. Changes while the index
    is open are not noticed.
    """
    path = Path(folder) / MANIFEST
    receipt = _receipt(folder, product)
    name = receipt.pop("name")
    server = connect(product, patience, node)
    indexes = server.patiently(lambda: indexes_behind(server, name))
    if not indexes:
        raise InputError(f"the server has no index {name}", path=path, remedy=_AGAIN)
    if list(facts_of(indexes).values()) != [receipt]:
        raise InputError(
            f"the server's index {name} was made from another corpus or with other settings",
            path=path,
            remedy="Load the corpus again, under another name if both are needed.",
        )
    ((index, meta),) = indexes.items()
    try:
        server.patiently(lambda: check_seal(server, index, meta))
    except InputError as error:
        raise InputError(error.problem, path=path, remedy=error.remedy) from None
    return ServerEngine(server, index, receipt)


def _receipt(folder: _Folder, product: Product) -> dict[str, Any]:
    """The content of a receipt; raises InputError if the folder has none."""
    path = Path(folder) / MANIFEST
    if not path.is_file():
        raise InputError(
            "there is no receipt of an index: manifest.json is missing",
            path=folder,
            remedy="Name the folder that loading wrote.",
        )
    try:
        receipt = read_json(path)
    except InputError:
        receipt = None
    if (
        not isinstance(receipt, dict)
        or list(receipt) != ["name", *FACTS]
        or receipt["format"] != product.receipt_format
        or any(type(receipt[name]) is not kind for name, kind in FACTS.items())
        or not (type(receipt["name"]) is str and INDEX_NAME.fullmatch(receipt["name"]))
    ):
        raise InputError("is not the receipt of an index", path=path, remedy=_AGAIN)
    if receipt["version"] != RECEIPT_VERSION:
        raise InputError(
            f"has the version {receipt['version']}, not {RECEIPT_VERSION}", path=path, remedy=_AGAIN
        )
    return receipt


_AGAIN = "Load the corpus again."
