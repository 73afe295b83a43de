"""The Elasticsearch engine: an index on a server, that ranks as the embedded engine does.

The server's version is 7.14 to 9. Where it is and who asks is told by the environment alone:

======================  ======================================================================
ELASTICSEARCH_HOSTS     addresses, with commas between: ``https://localhost:9200``
ELASTICSEARCH_API_KEY   an API key, encoded or as ``id:key``; or instead of it
ELASTICSEARCH_USER      a user and
ELASTICSEARCH_PASSWORD  the password
ELASTICSEARCH_CA        file with the certificates that the server's is checked by
======================  ======================================================================

The credentials need the cluster's privilege ``monitor`` and, of the indexes ``<name>`` and ``<name>-*``,
``read`` and ``view_index_metadata`` to search, and ``manage`` and ``write`` as well to load.

`load` brings a corpus into an index of its own and, once all of it is there, turns the alias ``<name>`` to
it. What stays on disk is a receipt: a folder whose ``manifest.json`` tells the alias and the corpus, and
nothing of hosts and credentials. `open_index` opens the index that a receipt is for.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import math
import os
import re
import ssl
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import numpy as np
from elastic_transport import HttpHeaders, TlsError, TransportError, Urllib3HttpNode
from elasticsearch import ApiError, Elasticsearch, NotFoundError, UnsupportedProductError

from sera import analysis
from sera.engines import Hit
from sera.engines.index_format import digest
from sera.errors import InputError
from sera.files import writing_folder
from sera.progress import progress
from sera.records import Document, iterate

__all__ = ["Documents", "ElasticsearchEngine", "Node", "load", "open_index"]

_Folder = str | PathLike[str]
_Answer = TypeVar("_Answer")

FORMAT = "sera elasticsearch index"
VERSION = 1
MAJORS = (7, 8, 9)  # of these the engine is known to work with
DEEPEST = 10_000  # hits of a query; the server's index.max_result_window

_log = logging.getLogger(__name__)

_MANIFEST = "manifest.json"
_FACTS = ("format", "version", "analyzer", "mu", "fingerprint", "documents", "mean_idf")
_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,199}")
_TIMEOUT = 120.0  # seconds for one request
_PASSING = (429, 502, 503, 504)  # statuses of a server that is busy or starting
_LONGEST_WAIT = 30.0  # seconds between two attempts
_BULK_DOCUMENTS, _BULK_CHARACTERS = 500, 4_000_000  # at most in one request
_TURNS = 5  # attempts to turn the alias to one index
_QUERIES, _PHRASES = 20, 200  # in one request


# The server
# ----------


class Node(Urllib3HttpNode):
    """Names plain JSON as media type: what the client names instead, a server of another version refuses."""

    def perform_request(self, method, target, body=None, headers=None, **settings):  # type: ignore[override]
        plain = HttpHeaders(headers or {})
        for name in ("accept", "content-type"):
            if name in plain:
                plain[name] = _VERSIONED.sub(r"application/\1", plain[name])
        return super().perform_request(method, target, body=body, headers=plain, **settings)


_VERSIONED = re.compile(r"application/vnd\.elasticsearch\+([a-z-]+); ?compatible-with=\d+")


class _Busy(Exception):
    """The server put something off."""


def _connect(node: type[Node]) -> Elasticsearch:
    """A client for the server that the environment names, once the server has answered."""
    client = Elasticsearch(**_settings(), node_class=node, request_timeout=_TIMEOUT)
    with _told():
        version = client.info()["version"]["number"]
    if not version.split(".")[0].isdecimal() or int(version.split(".")[0]) not in MAJORS:
        raise InputError(f"the Elasticsearch server has version {version}", remedy=_VERSIONS)
    return client


_VERSIONS = "Versions 7.14 to 9 will do."


def _settings() -> dict[str, Any]:
    """The client's settings by the environment. No error repeats a value: it may be a secret put wrongly."""
    value = {name: os.environ.get(f"ELASTICSEARCH_{name}", "").strip() for name in _VARIABLES}
    hosts = [host.strip() for host in value["HOSTS"].split(",") if host.strip()]
    if not hosts:
        raise InputError(
            "ELASTICSEARCH_HOSTS does not name a server",
            remedy="Set it to the address, such as https://localhost:9200.",
        )
    for number, host in enumerate(hosts, 1):
        _check_address(host, number)
    settings: dict[str, Any] = {"hosts": hosts}
    if value["API_KEY"] and (value["USER"] or value["PASSWORD"]):
        raise InputError("there are an API key and a user or password for Elasticsearch", remedy=_CREDENTIALS)
    if bool(value["USER"]) != bool(value["PASSWORD"]):
        raise InputError("the user or the password for Elasticsearch is missing", remedy=_CREDENTIALS)
    if value["API_KEY"]:
        if not re.fullmatch("[!-~]+", value["API_KEY"]):
            raise InputError("ELASTICSEARCH_API_KEY is not an API key", remedy=_CREDENTIALS)
        id, colon, key = value["API_KEY"].partition(":")
        settings["api_key"] = (id, key) if colon else id
    elif value["USER"]:
        settings["basic_auth"] = (value["USER"], value["PASSWORD"])
    if value["CA"]:
        try:
            ssl.create_default_context(cafile=value["CA"])
        except OSError:  # no such file; or the SSL library's, which says no more
            raise InputError("ELASTICSEARCH_CA does not name a file of certificates (PEM)") from None
        if any(host.startswith("https:") for host in hosts):
            settings["ca_certs"] = value["CA"]
    return settings


_VARIABLES = ("HOSTS", "API_KEY", "USER", "PASSWORD", "CA")
_CREDENTIALS = "Set ELASTICSEARCH_API_KEY, or ELASTICSEARCH_USER and ELASTICSEARCH_PASSWORD."


def _check_address(host: str, number: int) -> None:
    try:
        parts = urlsplit(host)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    secret = "@" in host or parts.query or parts.fragment
    if secret or parts.scheme not in ("http", "https") or not parts.hostname or not port:
        raise InputError(
            f"address {number} in ELASTICSEARCH_HOSTS is not of the form https://localhost:9200",
            remedy="Credentials have variables of their own: ELASTICSEARCH_API_KEY, or ELASTICSEARCH_USER "
            "and ELASTICSEARCH_PASSWORD.",
        )


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """Tell what went wrong between client and server as InputError; none of it holds credentials."""
    try:
        yield
    except UnsupportedProductError:
        raise InputError("the server is not Elasticsearch, or older than 7.14", remedy=_VERSIONS) from None
    except ApiError as error:
        raise _refused(error.status_code, error.body) from None
    except TlsError:
        raise InputError(
            "the Elasticsearch server's certificate or TLS was not accepted",
            remedy="Name the file of the authority's certificate in ELASTICSEARCH_CA.",
        ) from None
    except TransportError as error:
        raise InputError(
            f"the Elasticsearch server does not answer ({type(error).__name__})",
            remedy="Start it, or correct ELASTICSEARCH_HOSTS.",
        ) from None
    except _Busy:
        raise InputError(
            "the Elasticsearch server stayed too busy to load into",
            remedy="Load again when it is less so; what is there already is kept.",
        ) from None


def _refused(status: int, body: Any) -> InputError:
    """The error for a request that the server answered with an error."""
    if status == 401:
        return InputError("the Elasticsearch server does not accept the credentials", remedy=_CREDENTIALS)
    kind, reason = _reason(body)
    if status == 403:
        return InputError(
            f"the Elasticsearch credentials do not allow this: {reason}",
            remedy="They need monitor of the cluster, and read and view_index_metadata, to load manage "
            "and write too, of the index and its alias.",
        )
    return InputError(f"the Elasticsearch server answered {status} {kind}: {reason}")


def _reason(body: Any) -> tuple[str, str]:
    """The type and the reason of an error answer; of an error with a cause, the cause's."""
    error = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return "error", str(error)[:300]
    causes = [*error.get("root_cause", []), error]
    while isinstance(causes[0].get("caused_by"), dict):
        causes[0] = causes[0]["caused_by"]
    return str(error.get("type", "error")), str(causes[0].get("reason") or error.get("reason"))[:300]


def _patiently(request: Callable[[], _Answer], patience: float) -> _Answer:
    """Make a request that can be made again, until the server is there and not too busy to answer it.

    Waits twice as long from attempt to attempt, ``patience`` seconds in all.
    """
    wait = waited = 0.0
    while True:
        try:
            return request()
        except (TransportError, _Busy, ApiError) as error:
            lasting = isinstance(error, (TlsError, UnsupportedProductError)) or (
                isinstance(error, ApiError) and error.status_code not in _PASSING
            )
            if lasting or waited >= patience:
                raise
        wait = min(max(2 * wait, 0.5), _LONGEST_WAIT, patience - waited)
        _log.warning("the Elasticsearch server is away or busy; the next attempt is in %.1f s", wait)
        time.sleep(wait)
        waited += wait


# Loading
# -------


class Documents:
    """The documents of JSONL files, one file after the other; can be gone through more than once."""

    def __init__(self, paths: Iterable[_Folder]) -> None:
        self._paths = list(paths)

    def __iter__(self) -> Iterator[Document]:
        for path in self._paths:
            yield from iterate(path, Document)


def load(
    documents: Iterable[Document],
    folder: _Folder,
    *,
    name: str,
    analyzer: str = "english",
    mu: float = 2000.0,
    shards: int = 1,
    patience: float = 300.0,
    node: type[Node] = Node,
) -> None:
    """Load documents into the server's index ``name`` and write its receipt into a folder.

    The documents are gone through twice: first for what has to be known of the corpus, then to send them. A
    generator will not do; see `Documents`. ``mu`` belongs to the index, since the server computes with it.
    Memory is bounded but for the ids and the vocabulary.

    The index is named for the corpus and the settings, and a document in it is never written twice: a load
    that was interrupted is resumed where it stood, loads of the same at once share the work, and where all
    is there nothing is sent. Until all is there, ``name`` stays what it was; then it is turned to the new
    index and the old one deleted. ``patience`` is for how many seconds a request is repeated while the
    server is away or too busy.

    Raises InputError if two documents have the same id, the server refuses something, or it does not answer.
    """
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{name!r} cannot be the name of an index",
            remedy="It has small letters, digits, '_', '-' and '.', and begins with a letter or digit.",
        )
    if iter(documents) is documents:
        raise InputError("the documents can be gone through only once", remedy="Give a list, or Documents.")
    if not (0 < mu < math.inf and 0 < np.float32(mu) < np.inf):
        raise InputError(f"the smoothing parameter mu is {mu}", remedy="It is above 0; 2000 is usual.")
    client = _connect(node)
    with _told():
        _check_free(client, name)
        facts = _facts(documents, analyzer, mu)
        identity = json.dumps([facts, shards], sort_keys=True)
        index = f"{name}-{hashlib.sha256(identity.encode()).hexdigest()[:16]}"
        _patiently(lambda: _create(client, index, facts, shards), patience)
        if _patiently(lambda: _count(client, index), patience) != facts["documents"]:
            _send(client, index, documents, patience)
        count = _patiently(lambda: _count(client, index), patience)
        if count != facts["documents"] or _indexes(client, index) != {index: facts}:
            raise InputError(
                f"the index {index} holds {count} documents, not the {facts['documents']} of the corpus, or "
                "was made by something else",
                remedy="Delete it on the server and load again.",
            )
        _patiently(lambda: _finish(client, index), patience)
        _patiently(lambda: _switch(client, name, index), patience)
    with writing_folder(folder, replaces=FORMAT) as target:
        text = json.dumps({"name": name, **facts}, indent=1) + "\n"
        (target / _MANIFEST).write_text(text, encoding="utf-8", newline="\n")


def _facts(documents: Iterable[Document], analyzer: str, mu: float) -> dict[str, Any]:
    """What the index's metadata tell of the corpus; its fingerprint is the embedded engine's."""
    tokens = analysis.analyzer(analyzer).tokens
    seen: set[str] = set()
    fingerprint = hashlib.sha256()
    frequencies: Counter[str] = Counter()
    for document in progress(documents, "documents looked through"):
        if document.id in seen:
            raise InputError(
                f"the document {document.id!r} is there twice", remedy="Every id must be different."
            )
        seen.add(document.id)
        content = document.content
        fingerprint.update(digest(document.id, content))
        frequencies.update(set(tokens(content)))
    if analyzer == "standard":  # an english index has no stop words, but may have a stem that looks like one
        for word in analysis.STOP_WORDS:
            frequencies.pop(word, None)
    # How many terms have which frequency. Summed exactly: the same on any machine, and the same as in the
    # embedded engine.
    terms = Counter(frequencies.values())
    total = math.fsum(number * math.log(len(seen) / frequency) for frequency, number in terms.items())
    return {
        "format": FORMAT,
        "version": VERSION,
        "analyzer": analyzer,
        "mu": float(mu),
        "fingerprint": fingerprint.hexdigest(),
        "documents": len(seen),
        "mean_idf": total / len(frequencies) if frequencies else 0.0,
    }


def _create(client: Elasticsearch, index: str, facts: dict[str, Any], shards: int) -> None:
    """Make the index, unless it is there. It stores no text, so nobody can read the articles out of it."""
    try:
        client.indices.create(
            index=index,
            settings={
                "number_of_shards": shards,
                "refresh_interval": "-1",
                "similarity": {"dirichlet": {"type": "LMDirichlet", "mu": facts["mu"]}},
            },
            mappings={
                "_meta": facts,
                "_source": {"enabled": False},
                "dynamic": "strict",
                "properties": {
                    "text": {"type": "text", "analyzer": facts["analyzer"], "similarity": "dirichlet"},
                    "number": {"type": "integer"},  # place in the corpus, for ties
                },
            },
        )
    except ApiError as error:
        if _reason(error.body)[0] != "resource_already_exists_exception":
            raise


def _send(client: Elasticsearch, index: str, documents: Iterable[Document], patience: float) -> None:
    """Send documents, some at a time, those that are there already too; the server passes over these."""
    batch: dict[str, dict[str, Any]] = {}
    characters = 0
    for number, document in enumerate(progress(documents, "documents loaded")):
        # A lone surrogate is no text; like the mark put in its place, it is part of no term.
        text = document.content.encode("utf-8", "replace").decode()
        if batch and (len(batch) == _BULK_DOCUMENTS or characters + len(text) > _BULK_CHARACTERS):
            _patiently(lambda: _store(client, index, batch), patience)
            characters = 0
        batch[document.id] = {"text": text, "number": number}
        characters += len(text)
    if batch:
        _patiently(lambda: _store(client, index, batch), patience)


def _store(client: Elasticsearch, index: str, batch: dict[str, dict[str, Any]]) -> None:
    """Store what is in the batch and take it out; _Busy if the server put some of it off."""
    operations = [line for id, source in batch.items() for line in ({"create": {"_id": id}}, source)]
    for item in client.bulk(index=index, operations=operations)["items"]:
        id, status = item["create"]["_id"], item["create"]["status"]
        if status in (200, 201, 409):  # 409: it is there
            del batch[id]
        elif status not in _PASSING:
            refused = _refused(status, item["create"])
            raise InputError(f"the document {id!r}: {refused.problem}", remedy=refused.remedy)
    if batch:
        raise _Busy


def _count(client: Elasticsearch, index: str) -> int:
    """How many documents the index holds; _Busy if some of its shards are away."""
    client.indices.refresh(index=index)
    answer = client.count(index=index)
    if answer["_shards"]["failed"]:
        raise _Busy
    return answer["count"]


def _finish(client: Elasticsearch, index: str) -> None:
    client.indices.put_settings(index=index, settings={"refresh_interval": None})  # the server's own


def _indexes(client: Elasticsearch, name: str) -> dict[str, dict[str, Any]]:
    """The indexes behind a name, an alias or an index's own, with their metadata; empty if there is none."""
    try:
        mappings = client.indices.get_mapping(index=name)
    except NotFoundError:
        return {}
    return {index: of_index["mappings"].get("_meta", {}) for index, of_index in mappings.items()}


def _check_free(client: Elasticsearch, name: str) -> None:
    for index, meta in _indexes(client, name).items():
        if not index.startswith(f"{name}-") or meta.get("format") != FORMAT:
            raise InputError(
                f"the name {name} belongs to the index {index}, which is none of a SERA corpus",
                remedy="Choose another name.",
            )


def _switch(client: Elasticsearch, name: str, index: str) -> None:
    """Turn the alias to the index, in one step, and delete what it was turned to before."""
    _check_free(client, name)
    before = now = set(_indexes(client, name))
    for _ in range(_TURNS):
        if now == {index}:
            break
        away = [{"remove": {"index": f"{name}-*", "alias": name}}] if now else []
        client.indices.update_aliases(actions=[*away, {"add": {"index": index, "alias": name}}])
        now = set(_indexes(client, name))
        if len(now) == 1:
            break  # two loads that end at once may both have added theirs; of one, the last to turn it wins
    else:
        raise _Busy
    for old in sorted(before - now - {index}):
        client.options(ignore_status=404).indices.delete(index=old)


# Searching
# ---------


class ElasticsearchEngine:
    """An opened index; see `sera.engines.Engine`. Get one from `open_index`.

    ``mu`` is the only one that can be searched with; ``fingerprint`` tells one collection from another.
    """

    def __init__(self, client: Elasticsearch, index: str, facts: dict[str, Any]) -> None:
        self._client = client
        self._index = index
        self._analyzer = analysis.analyzer(facts["analyzer"])
        self._mean_idf: float = facts["mean_idf"]
        self.analyzer: str = facts["analyzer"]
        self.documents: int = facts["documents"]
        self.mu: float = facts["mu"]
        self.fingerprint: str = facts["fingerprint"]

    def search(self, queries: Sequence[str], k: int, *, mu: float = 2000.0) -> list[list[Hit]]:
        """For each query text the best ``k`` documents, best first, ties in the corpus's order.

        Documents, order and scores are those of the embedded engine's scorer ``lucene``, however many shards
        the index has. Repeated terms of a query are one clause, so only its distinct terms count against
        the server's limit, ``indices.query.bool.max_clause_count``: 1024 or more.

        Raises InputError for a query that is too long, ``k`` below 1 or above 10,000, a ``mu`` that is not
        the index's, or if the server cannot answer.
        """
        if not 1 <= k <= DEEPEST:
            raise InputError(
                f"the number of documents to retrieve is {k}", remedy=f"It is 1 to {DEEPEST:,} on a server."
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
            answers = self._ask([_ranking(terms[query], k) for query in some])
            for query, answer in zip(some, answers, strict=True):
                # a score is the shortest decimal of a number in single precision
                rankings[query] = [
                    Hit(hit["_id"], float(np.float32(hit["sort"][0]))) for hit in answer["hits"]["hits"]
                ]
        return [list(rankings[query]) for query in queries]

    def document_frequency(self, phrases: Sequence[str]) -> list[int]:
        """For each phrase, in how many documents it occurs, as in the embedded engine."""
        distinct = list(dict.fromkeys(phrases))
        frequency: dict[str, int] = {}
        for some in _batches(distinct, _PHRASES):
            answers = self._ask([_counting(phrase) for phrase in some])
            for phrase, answer in zip(some, answers, strict=True):
                frequency[phrase] = answer["hits"]["total"]["value"]
        return [frequency[phrase] for phrase in phrases]

    def mean_idf(self) -> float:
        """Mean of ln(documents / document frequency) over the index's terms, stop words left out.

        0 if there are none. Computed when the corpus was loaded: a server does not list its terms.
        """
        return self._mean_idf

    def _ask(self, searches: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The answers to several searches, in which all shards have taken part."""
        header = {
            "index": self._index,
            "search_type": "dfs_query_then_fetch",  # else every shard would score with its own statistics
            "allow_partial_search_results": False,
        }
        with _told():
            answers = self._client.msearch(searches=[part for body in searches for part in (header, body)])
        for body, answer in zip(searches, answers["responses"], strict=True):
            if "error" in answer:
                raise self._failed(body, answer)
        return answers["responses"]

    def _failed(self, body: dict[str, Any], answer: dict[str, Any]) -> InputError:
        kind, reason = _reason(answer)
        if kind == "index_not_found_exception":
            return InputError("the index is no longer on the server", remedy="Load the corpus again.")
        if re.search("too_?many.*clauses|maxClauseCount", f"{kind} {reason}", re.IGNORECASE):
            count = len(body["query"]["bool"]["should"])
            return InputError(
                f"a query has {count} distinct terms, more than the server takes: {reason}",
                remedy="Shorten it, or raise indices.query.bool.max_clause_count on the server.",
            )
        return _refused(answer.get("status", 500), answer)


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


def open_index(folder: _Folder, *, node: type[Node] = Node) -> ElasticsearchEngine:
    """Open the index that the receipt in a folder is for, on the server that the environment names.

    Raises InputError if the receipt or the server is amiss, or if what the server has under the name is
    missing or made of another corpus or with other settings.
    """
    path = Path(folder) / _MANIFEST
    try:
        receipt = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(
            "there is no receipt of an index: manifest.json is missing",
            path=folder,
            remedy="Name the folder that loading made.",
        ) from None
    except ValueError:  # not UTF-8, not JSON
        receipt = None
    if not isinstance(receipt, dict) or list(receipt) != ["name", *_FACTS] or receipt["format"] != FORMAT:
        raise InputError("is not the receipt of an index", path=path, remedy=_AGAIN)
    if receipt["version"] != VERSION:
        raise InputError(f"has the version {receipt['version']}, not {VERSION}", path=path, remedy=_AGAIN)
    name = receipt.pop("name")
    client = _connect(node)
    with _told():
        indexes = _indexes(client, name)
    if not indexes:
        raise InputError(f"the server has no index {name}", path=path, remedy=_AGAIN)
    if list(indexes.values()) != [receipt]:
        raise InputError(
            f"the server's index {name} was made of another corpus, or with other settings",
            path=path,
            remedy="Load the corpus again, under another name if both are needed.",
        )
    (index,) = indexes
    return ElasticsearchEngine(client, index, receipt)


_AGAIN = "Load the corpus again."
