"""The engine `elasticsearch`: an index on an Elasticsearch server, ranked as by `sera.retrieval.lucene`.

`load` loads documents into an index on the server and writes a receipt: a folder whose ``manifest.json``
describes the index and its documents, without addresses or credentials. `open_index` opens the index of a
receipt. Only environment variables name the server and the credentials (docs/retrieval.md).
"""

import base64
import contextlib
import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import elasticsearch
import numpy as np
from elastic_transport import HttpHeaders, Urllib3HttpNode
from elasticsearch import Elasticsearch
from elasticsearch.helpers import streaming_bulk

from sera.errors import InputError
from sera.errors import Path as AnyPath
from sera.io.files import MANIFEST
from sera.io.folders import writing_folder
from sera.io.records import Document, checked_documents, iterate
from sera.progress import progress
from sera.retrieval.engines import MU, Hit, mean_idf, read_manifest
from sera.retrieval.index import digest
from sera.text import analysis

RECEIPT_FORMAT, RECEIPT_VERSION = "sera elasticsearch index", 3
TIMEOUT = 120.0  # seconds for one request
DEEPEST = 10_000  # the most hits of a query; the server's index.max_result_window
_SEARCHES = 50  # the most in one request
_LOAD_AGAIN = "Load the documents again."


# The server
# ----------


class Node(Urllib3HttpNode):
    """A connection that names plain JSON: servers refuse the media type of another version's client."""

    _VERSIONED = re.compile(r"application/vnd\.elasticsearch\+([a-z-]+); ?compatible-with=\d+")

    def perform_request(self, method, target, body=None, headers=None, **settings):  # type: ignore[override]
        plain = HttpHeaders(headers or {})
        for name in ("accept", "content-type"):
            if name in plain:
                plain[name] = self._VERSIONED.sub(r"application/\1", plain[name])
        return super().perform_request(method, target, body=body, headers=plain, **settings)


def connect() -> Elasticsearch:
    """The client of the server that the environment names.

    Raises InputError for wrong settings, which it does not quote: a value may be a misplaced secret.
    """
    hosts = [host.strip() for host in _variable("HOSTS").split(",")]
    key, user = _variable("API_KEY"), _variable("USER")
    options: dict[str, Any] = {}
    if key:
        options["headers"] = {"authorization": f"ApiKey {_base64(key) if ':' in key else key}"}
    elif user:  # the client's own option takes only ASCII
        password = os.environ.get("ELASTICSEARCH_PASSWORD", "")
        options["headers"] = {"authorization": f"Basic {_base64(f'{user}:{password}')}"}
    if ca := _variable("CA"):
        options["ca_certs"] = ca
    try:
        return Elasticsearch(
            hosts,
            node_class=Node,
            request_timeout=TIMEOUT,
            max_retries=5,
            retry_on_timeout=True,
            retry_on_status=(429, 502, 503, 504),
            **options,
        )
    except ValueError:
        remedy = "Set it to the server's address, as in https://localhost:9200."
        raise InputError("ELASTICSEARCH_HOSTS does not name a server", remedy=remedy) from None


def _variable(name: str) -> str:
    return os.environ.get(f"ELASTICSEARCH_{name}", "").strip()


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@contextlib.contextmanager
def _translated_errors() -> Iterator[None]:
    """Turn the client's errors into InputError."""
    try:
        yield
    except elasticsearch.UnsupportedProductError:
        remedy = "Use Elasticsearch 7.14 to 9."
        raise InputError("the server is not Elasticsearch, or older than 7.14", remedy=remedy) from None
    except elasticsearch.ApiError as error:
        raise _refusal(error.status_code, error.body) from None
    except elasticsearch.TransportError as error:
        problem = f"the Elasticsearch server does not answer ({type(error).__name__})"
        remedy = "Start it, or correct ELASTICSEARCH_HOSTS or ELASTICSEARCH_CA."
        raise InputError(problem, remedy=remedy) from None


def _refusal(status: int, body: Any) -> InputError:
    """The error for an answer with an error."""
    if status in (401, 403):  # a HEAD has no reason
        remedy = "Set ELASTICSEARCH_API_KEY, or ELASTICSEARCH_USER and ELASTICSEARCH_PASSWORD."
        return InputError(f"the Elasticsearch server refuses the credentials ({status})", remedy=remedy)
    error = body.get("error", body) if isinstance(body, dict) else body
    while isinstance(error, dict):
        error = error.get("caused_by") or (error.get("root_cause") or [None])[0] or error.get("reason")
    problem = f"the Elasticsearch server answered {status}: {error}"
    return InputError(problem, remedy="Check the server's log.")


# Loading
# -------


class Documents:
    """The documents of JSONL files in order; it can be iterated several times."""

    def __init__(self, paths: Iterable[AnyPath]) -> None:
        self._paths = list(paths)

    def __iter__(self) -> Iterator[Document]:
        return checked_documents(each for path in self._paths for each in iterate(path, Document))


def load(
    documents: Sequence[Document] | Documents,
    folder: AnyPath,
    *,
    name: str,
    analyzer: str = "english",
    mu: float = MU,
) -> None:
    """Load documents into an index on the server and write its receipt into a folder.

    documents:  they are read twice, first for the facts of the receipt and then to send them folder:     the
    receipt; an older one there is replaced name:       begins the name of the index, which ends in a hash of
    documents and settings mu:         the smoothing parameter, above 0; it belongs to the index, since the
    server computes with it

    An interrupted load is resumed, and nothing is sent to an index that is complete. The server stores no
    texts. Other indexes stay, also those of the same name with other documents. Raises InputError if two
    documents have the same id, if the server refuses a request or does not answer, and if the index has more
    documents.
    """
    with writing_folder(folder, replaces=RECEIPT_FORMAT) as target, _translated_errors():
        client = connect()
        facts = _facts(documents, analyzer, mu)
        index = f"{name}-{hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]}"
        if not client.indices.exists(index=index):
            _create(client, index, analyzer, mu)
        if _count(client, index) < facts["documents"]:
            _send(client, index, documents)
        if (count := _count(client, index)) != facts["documents"]:
            problem = f"the index {index} has {count} documents, not {facts['documents']}"
            raise InputError(problem, remedy="Delete it on the server and load again.")
        text = json.dumps({"index": index, **facts}, indent=1) + "\n"
        (target / MANIFEST).write_text(text, encoding="utf-8", newline="\n")


def _facts(documents: Iterable[Document], analyzer: str, mu: float) -> dict[str, Any]:
    """The facts of a receipt; fingerprint and mean idf are those of the embedded engine."""
    rules = analysis.analyzer(analyzer)
    ids: set[str] = set()
    fingerprint = hashlib.sha256()
    frequencies: Counter[str] = Counter()
    for document in progress(documents, "documents read"):
        if document.id in ids:
            raise InputError(f"the document {document.id!r} is there twice", remedy="Give each its own id.")
        ids.add(document.id)
        content = document.content
        fingerprint.update(digest(document.id, content.encode("utf-8", "surrogatepass")))
        frequencies.update(set(rules.tokens(content)))
    for term in rules.stop_terms():
        frequencies.pop(term, None)
    return {
        "format": RECEIPT_FORMAT,
        "version": RECEIPT_VERSION,
        "analyzer": analyzer,
        "mu": float(mu),
        "fingerprint": fingerprint.hexdigest(),
        "documents": len(ids),
        "mean_idf": mean_idf(Counter(frequencies.values()), len(ids)),
    }


def _create(client: Elasticsearch, index: str, analyzer: str, mu: float) -> None:
    text = {"type": "text", "analyzer": analyzer, "similarity": "dirichlet"}
    client.indices.create(
        index=index,
        settings={
            "number_of_shards": _variable("SHARDS") or 1,
            "similarity": {"dirichlet": {"type": "LMDirichlet", "mu": mu}},
        },
        mappings={
            "_source": {"enabled": False},
            "dynamic": "strict",
            # number: the place in the corpus, for ties
            "properties": {"text": text, "number": {"type": "integer"}},
        },
    )


def _send(client: Elasticsearch, index: str, documents: Iterable[Document]) -> None:
    actions = (
        # UTF-8 has no lone surrogates; neither they nor the replacement character are part of a term.
        {
            "_op_type": "create",
            "_id": document.id,
            "text": document.content.encode("utf-8", "replace").decode(),
            "number": number,
        }
        for number, document in enumerate(progress(documents, "documents loaded"))
    )
    answers = streaming_bulk(
        client, actions, index=index, max_chunk_bytes=8_000_000, max_retries=5, raise_on_error=False
    )
    for ok, answer in answers:
        item = answer["create"]
        if not ok and item["status"] != 409:  # 409: the index has it already
            error = _refusal(item["status"], item)
            raise InputError(f"the document {item['_id']!r}: {error.problem}", remedy=error.remedy)


def _count(client: Elasticsearch, index: str) -> int:
    client.indices.refresh(index=index)
    return int(client.count(index=index)["count"])


# Searching
# ---------


class ElasticsearchEngine:
    """An opened index; see `sera.retrieval.engines.Engine`. `open_index` returns one.

    ``mu`` is the only value that a search accepts; ``fingerprint`` is a hash of the collection.
    """

    def __init__(self, client: Elasticsearch, receipt: dict[str, Any]) -> None:
        self._client = client
        self._index: str = receipt["index"]
        self._analyzer = analysis.analyzer(receipt["analyzer"])
        self._mean_idf: float = receipt["mean_idf"]
        self.analyzer: str = receipt["analyzer"]
        self.documents: int = receipt["documents"]
        self.mu: float = receipt["mu"]
        self.fingerprint: str = receipt["fingerprint"]

    def search(self, queries: Sequence[str], k: int, *, mu: float = MU) -> list[list[Hit]]:
        """As of `Engine`; documents, order and scores equal the embedded engine's, for any number of shards.

        Repeated terms of a query are one clause, so only its distinct terms count against the server's limit
        ``indices.query.bool.max_clause_count``. Raises InputError for ``k`` below 1 or above 10,000, for a
        ``mu`` other than the index's, and if the server refuses a query, as one that is too long, or does not
        answer.
        """
        if not 1 <= k <= DEEPEST:
            problem = f"the number of documents to retrieve is {k}"
            raise InputError(problem, remedy=f"Give 1 to {DEEPEST:,} on a server.")
        if mu != self.mu:
            problem = f"the index on the server smooths with mu = {self.mu:g}, not {mu:g}"
            raise InputError(problem, remedy="Load the documents again with this mu.")
        terms = [Counter(self._analyzer.tokens(query)) for query in queries]
        answers = self._search([_ranking(each, k) for each in terms if each])
        return [
            # a score is the shortest decimal of a number in single precision
            [Hit(hit["_id"], float(np.float32(hit["sort"][0]))) for hit in next(answers)["hits"]["hits"]]
            if each
            else []
            for each in terms
        ]

    def document_frequency(self, phrases: Sequence[str]) -> list[int]:
        options = {"size": 0, "track_total_hits": True}
        searches = [{"query": {"match_phrase": {"text": phrase}}, **options} for phrase in phrases]
        return [int(answer["hits"]["total"]["value"]) for answer in self._search(searches)]

    def mean_idf(self) -> float:
        """As of `Engine`; loading computes it, because a server does not list its terms."""
        return self._mean_idf

    def _search(self, searches: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """The answers of all shards to searches."""
        # Otherwise each shard scores with its own statistics, and an answer may be of some shards alone.
        header = {"search_type": "dfs_query_then_fetch", "allow_partial_search_results": False}
        for start in range(0, len(searches), _SEARCHES):
            lines = [line for body in searches[start : start + _SEARCHES] for line in (header, body)]
            with _translated_errors():
                answers = self._client.msearch(index=self._index, searches=lines)
            for answer in answers["responses"]:
                if "error" in answer:
                    raise _refusal(answer["status"], answer)
                yield answer


def _ranking(terms: Counter[str], k: int) -> dict[str, Any]:
    should = [{"term": {"text": {"value": term, "boost": count}}} for term, count in terms.items()]
    return {
        "query": {"bool": {"should": should}},
        "sort": [{"_score": "desc"}, {"number": "asc"}],
        "size": k,
        "_source": False,
        "track_total_hits": False,
    }


def open_index(folder: AnyPath) -> ElasticsearchEngine:
    """Open the index of the receipt in a folder, on the server that the environment names.

    Raises InputError for a wrong receipt, and for a server that does not answer or lacks the loaded
    documents.
    """
    receipt, path = read_manifest(folder, "the receipt of an index"), Path(folder) / MANIFEST
    if (receipt.get("format"), receipt.get("version")) != (RECEIPT_FORMAT, RECEIPT_VERSION):
        problem = f"is not the receipt of an index in version {RECEIPT_VERSION}"
        raise InputError(problem, path=path, remedy=_LOAD_AGAIN)
    client = connect()
    with _translated_errors():
        if not client.indices.exists(index=receipt["index"]):
            problem = f"the server has no index {receipt['index']}"
            raise InputError(problem, path=path, remedy=_LOAD_AGAIN)
        count = client.count(index=receipt["index"])["count"]
    if count != receipt["documents"]:
        problem = f"the server's index {receipt['index']} has {count} documents, not {receipt['documents']}"
        raise InputError(problem, path=path, remedy=_LOAD_AGAIN)
    return ElasticsearchEngine(client, receipt)
