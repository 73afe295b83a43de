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
``read``, ``view_index_metadata`` and ``monitor`` to search, and ``manage`` and ``write`` as well to load.

`load` brings a corpus into an index of its own and, once all of it is there, seals it and turns the alias
``<name>`` to it. What stays on disk is a receipt: a folder whose ``manifest.json`` has the alias and the
corpus, and nothing of hosts and credentials. `open_index` opens the index that a receipt is for.

The seal is in the metadata of the index: for each of its shards how many documents it has, and the number
that the server gave the last change. Every later change of a document has a higher number; merges, moves of
shards and restarts change neither.
"""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import functools
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
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

import numpy as np
from elastic_transport import (
    ApiResponse,
    HttpHeaders,
    NodeConfig,
    SerializationError,
    TlsError,
    TransportError,
    Urllib3HttpNode,
)
from elasticsearch import ApiError, Elasticsearch, NotFoundError, UnsupportedProductError
from elasticsearch.serializer import JsonSerializer

from sera import limits, names, servers
from sera.errors import InputError
from sera.files import read_json, writing_folder
from sera.progress import progress
from sera.records import Document, iterate
from sera.retrieval.engines import Hit
from sera.retrieval.engines.index_format import digest
from sera.text import analysis

__all__ = ["Documents", "ElasticsearchEngine", "Node", "load", "open_index"]

_Folder = str | PathLike[str]
_Answer = TypeVar("_Answer")
_Kind = TypeVar("_Kind")

FORMAT = "sera elasticsearch index"
VERSION = 1
MAJORS = (7, 8, 9)  # of these the engine is known to work with
DEEPEST = 10_000  # hits of a query; the server's index.max_result_window

_log = logging.getLogger(__name__)

_MANIFEST = "manifest.json"
_FACTS = {
    "format": str,
    "version": int,
    "analyzer": str,
    "mu": float,
    "fingerprint": str,
    "documents": int,
    "mean_idf": float,
}
_SEAL = "seal"  # beside the facts in the metadata of an index on the server
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
    """Names plain JSON as media type: what the client names instead, a server of another version refuses.

    Answers are bounded (`sera.servers`), redirects are not followed, and an answer of an error may have any
    content.
    """

    def __init__(self, config: NodeConfig) -> None:
        super().__init__(config)
        self.pool.ConnectionCls = servers.bounded(self.pool.ConnectionCls)
        self.pool.urlopen = functools.partial(_whole, self.pool.urlopen)  # type: ignore

    def perform_request(self, method, target, body=None, headers=None, **settings):  # type: ignore[override]
        plain = HttpHeaders(headers or {})
        for name in ("accept", "content-type"):
            if name in plain:
                plain[name] = _VERSIONED.sub(r"application/\1", plain[name])
        answer = super().perform_request(method, target, body=body, headers=plain, **settings)
        return answer if 200 <= answer.meta.status < 300 else _error(answer)


class _Whole(NamedTuple):
    """What the client takes of an answer."""

    status: int
    headers: Any
    data: bytes


def _whole(ask: Callable[..., Any], method: str, target: str, **settings: Any) -> _Whole:
    answer = ask(method, target, preload_content=False, redirect=False, **settings)
    data = servers.content(answer)
    if "warning" in answer.headers:  # the client would print it
        _log.debug("the Elasticsearch server warns: %r", answer.headers["warning"][:300])
        answer.headers.discard("warning")
    return _Whole(answer.status, answer.headers, data)


def _error(answer: Any) -> Any:
    """The answer of an error, with what is not JSON as text: a proxy sends what it likes."""
    headers = answer.meta.headers.copy()
    try:
        _parsed(answer.body)
        headers["content-type"], body = "application/json", answer.body
    except InputError:
        headers["content-type"], body = "text/plain", answer.body[:1000].decode("utf-8", "replace").encode()
    return type(answer)(dataclasses.replace(answer.meta, headers=headers), body)


class _Json(JsonSerializer):
    """JSON as the client writes it; what is read may be anything."""

    def loads(self, data: bytes) -> Any:
        return _parsed(data) if data else None


def _parsed(data: bytes) -> Any:
    """What an answer says; InputError if it is not JSON."""
    try:
        return json.loads(data.decode(), parse_constant=_no_number)
    except UnicodeDecodeError:
        raise _strange("is not UTF-8 text") from None
    except RecursionError:
        raise _strange("is nested too deeply") from None
    except ValueError:
        raise _strange("is not JSON") from None


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number of JSON")


def _strange(what: str) -> InputError:
    return InputError(
        f"the Elasticsearch server's answer {what}",
        remedy="Look whether ELASTICSEARCH_HOSTS names the server itself, and what is between.",
    )


def _part(answer: Any, kind: type[_Kind], *path: str) -> _Kind:
    """A part of an answer; InputError if it is not there, or of another kind."""
    value = answer.body if isinstance(answer, ApiResponse) else answer
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    if type(value) is not kind:
        raise _strange(f"has no {_KINDS[kind]} {'.'.join(path)}")
    return value


_KINDS: dict[type, str] = {str: "text", int: "whole number", list: "list", dict: "object"}


_VERSIONED = re.compile(r"application/vnd\.elasticsearch\+([a-z-]+); ?compatible-with=\d+")


class _Busy(Exception):
    """The server put something off; ``fault`` is what to say if it does so for too long."""

    def __init__(self, fault: InputError | None = None) -> None:
        super().__init__()
        self.fault = fault or InputError(
            "the Elasticsearch server stayed too busy to load into",
            remedy="Load again when it is less so; what is there already is kept.",
        )


def _connect(node: type[Node], patience: float) -> Elasticsearch:
    """A client for the server that the environment names, once the server has answered."""
    settings = _settings()
    try:
        client = Elasticsearch(
            **settings,
            node_class=node,
            request_timeout=_TIMEOUT,
            retry_on_status=(),  # `_patiently` does, and waits before
            serializers={"application/json": _Json()},
        )
    except (ValueError, TypeError):
        raise InputError(
            "an address in ELASTICSEARCH_HOSTS is not of the form https://localhost:9200"
        ) from None
    with _told():
        version = _part(_patiently(client.info, patience), str, "version", "number")
    major = re.match("([0-9]{1,3})[.]", version)
    if not major or int(major[1]) not in MAJORS:
        raise InputError(f"the Elasticsearch server has version {_hidden(version[:40])}", remedy=_VERSIONS)
    return client


_VERSIONS = "Versions 7.14 to 9 will do."


def _settings() -> dict[str, Any]:
    """The client's settings by the environment. No error repeats a value: it may be a secret put wrongly."""
    value = _values()
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
        id, colon, key = value["API_KEY"].partition(":")
        if not re.fullmatch("[!-~]+", value["API_KEY"]) or (colon and not (id and key)):
            raise InputError("ELASTICSEARCH_API_KEY is not an API key", remedy=_CREDENTIALS)
        settings["api_key"] = (id, key) if colon else id
    elif value["USER"]:
        settings["headers"] = {"authorization": f"Basic {_basic(value['USER'], value['PASSWORD'])}"}
    if value["CA"]:
        try:
            ssl.create_default_context(cafile=value["CA"])
        except (OSError, ValueError):  # no such file; or the SSL library's, which says no more
            raise InputError("ELASTICSEARCH_CA does not name a file of certificates (PEM)") from None
        if any(host.startswith("https:") for host in hosts):
            settings["ca_certs"] = value["CA"]
    return settings


_VARIABLES = ("HOSTS", "API_KEY", "USER", "PASSWORD", "CA")
_CREDENTIALS = "Set ELASTICSEARCH_API_KEY, or ELASTICSEARCH_USER and ELASTICSEARCH_PASSWORD."


def _values() -> dict[str, str]:
    """What the environment says. A password's blanks are its own."""
    value = {name: os.environ.get(f"ELASTICSEARCH_{name}", "") for name in _VARIABLES}
    return {name: text if name == "PASSWORD" else text.strip() for name, text in value.items()}


def _basic(user: str, password: str) -> str:
    """User and password as HTTP sends them, in UTF-8; the client would take ASCII only."""
    if ":" in user:
        raise InputError("ELASTICSEARCH_USER has a colon in it, which no user's name has")
    for name, text in (("USER", user), ("PASSWORD", password)):
        if re.search("[\x00-\x1f\x7f-\x9f\ud800-\udfff]", text):
            raise InputError(
                f"ELASTICSEARCH_{name} has a control character in it, or is not UTF-8 text",
                remedy="Set it without line breaks, in a locale of UTF-8.",
            )
    return base64.b64encode(f"{user}:{password}".encode()).decode("ascii")


def _hidden(text: str) -> str:
    """What a server says, without the credentials: it may send back what it got."""
    value = _values()
    secrets = {value["API_KEY"], value["API_KEY"].partition(":")[2], value["PASSWORD"]}
    for pair in (value["API_KEY"], f"{value['USER']}:{value['PASSWORD']}"):
        secrets.add(base64.b64encode(pair.encode("utf-8", "surrogateescape")).decode("ascii"))
    for secret in sorted(secrets - {""}, key=len, reverse=True):
        text = text.replace(secret, "***")
    return text


def _check_address(host: str, number: int) -> None:
    try:
        parts = urlsplit(host)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    secret = "@" in host or parts.query or parts.fragment
    if secret or servers.fault(host) or not port:
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
    except SerializationError:
        raise _strange("is of another kind than JSON") from None
    except TransportError as error:
        raise InputError(
            f"the Elasticsearch server does not answer ({type(error).__name__})",
            remedy="Start it, or correct ELASTICSEARCH_HOSTS.",
        ) from None
    except _Busy as busy:
        raise busy.fault from None


def _refused(status: int, body: Any) -> InputError:
    """The error for a request that the server answered with an error."""
    if status == 401:
        return InputError("the Elasticsearch server does not accept the credentials", remedy=_CREDENTIALS)
    kind, reason = _reason(body)
    if status == 403:
        return InputError(
            f"the Elasticsearch credentials do not allow this: {reason}",
            remedy="They need monitor of the cluster, and read, view_index_metadata and monitor, to load "
            "manage and write too, of the index and its alias.",
        )
    if 300 <= status < 400:
        return InputError(
            f"the Elasticsearch server answered {status}, to look elsewhere",
            remedy="Name in ELASTICSEARCH_HOSTS the address that it leads to.",
        )
    return InputError(f"the Elasticsearch server answered {status} {kind}: {reason}")


def _reason(body: Any) -> tuple[str, str]:
    """The type and the reason of an error answer; of an error with a cause, the cause's."""
    error = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return "error", _hidden(str(error)[:1000])[:300]
    roots = error.get("root_cause")
    cause = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], dict) else error
    while isinstance(cause.get("caused_by"), dict):
        cause = cause["caused_by"]
    reason = str(cause.get("reason") or error.get("reason"))
    return _hidden(str(error.get("type", "error"))[:100]), _hidden(reason[:1000])[:300]


_LASTING = (TlsError, SerializationError, UnsupportedProductError)


def _patiently(request: Callable[[], _Answer], patience: float) -> _Answer:
    """Make a request that can be made again, until the server is there and not too busy to answer it.

    Waits twice as long from attempt to attempt, or as long as the server asks, ``patience`` seconds in all.
    """
    wait, begun = 0.0, time.monotonic()
    while True:
        asked = 0.0
        try:
            return request()
        except (TransportError, _Busy, ApiError) as error:
            lasting = isinstance(error, _LASTING) or (
                isinstance(error, ApiError) and error.status_code not in _PASSING
            )
            left = patience - (time.monotonic() - begun)
            if lasting or left <= 0:
                raise
            if isinstance(error, ApiError):
                asked = servers.wait(error.meta.headers)
        wait = min(max(2 * wait, 0.5), _LONGEST_WAIT)
        pause = min(max(wait, asked), left)
        _log.warning("the Elasticsearch server is away or busy; the next attempt is in %.1f s", pause)
        time.sleep(pause)


def _patience(seconds: float | None) -> float:
    return float(limits.WAIT.value) if seconds is None else seconds


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
    patience: float | None = None,
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
    server is away or too busy, `limits.WAIT` if it is not given.

    Raises InputError if two documents have the same id, the server refuses something or does not answer, or
    the index is there and was changed since it was loaded.
    """
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{name!r} cannot be the name of an index",
            remedy="It has small letters, digits, '_', '-' and '.', and begins with a letter or digit; it is "
            "given by --name or ELASTICSEARCH_INDEX.",
        )
    if iter(documents) is documents:
        raise InputError("the documents can be gone through only once", remedy="Give a list, or Documents.")
    if not (0 < mu < math.inf and 0 < np.float32(mu) < np.inf):
        raise InputError(f"the smoothing parameter mu is {mu}", remedy="It is above 0; 2000 is usual.")
    patience = _patience(patience)
    with writing_folder(folder, replaces=FORMAT) as target:
        facts = _loaded(documents, _connect(node, patience), name, analyzer, mu, shards, patience)
        text = json.dumps({"name": name, **facts}, indent=1) + "\n"
        (target / _MANIFEST).write_text(text, encoding="utf-8", newline="\n")


def _loaded(
    documents: Iterable[Document],
    client: Elasticsearch,
    name: str,
    analyzer: str,
    mu: float,
    shards: int,
    patience: float,
) -> dict[str, Any]:
    """Load what is not there yet and turn the alias; gives the facts of the corpus."""
    with _told():
        _patiently(lambda: _check_free(client, name), patience)
        facts = _facts(documents, analyzer, mu)
        identity = json.dumps([facts, shards], sort_keys=True)
        index = f"{name}-{hashlib.sha256(identity.encode()).hexdigest()[:16]}"
        _patiently(lambda: _create(client, index, facts, shards), patience)
        there = _patiently(lambda: _indexes(client, index), patience)
        if _facts_of(there) != {index: facts} or _SEAL not in there[index]:
            if _patiently(lambda: _count(client, index), patience) != facts["documents"]:
                _send(client, index, documents, patience)
            count = _patiently(lambda: _count(client, index), patience)
            there = _patiently(lambda: _indexes(client, index), patience)
            if count != facts["documents"] or _facts_of(there) != {index: facts}:
                raise InputError(
                    f"the index {index} holds {count} documents, not the {facts['documents']} of the corpus, "
                    "or was made by something else",
                    remedy="Delete it on the server and load again.",
                )
            _patiently(lambda: _seal(client, index, facts, shards), patience)
            there = _patiently(lambda: _indexes(client, index), patience)
        _patiently(lambda: _check_seal(client, index, there.get(index, {})), patience)
        _patiently(lambda: _finish(client, index), patience)
        _patiently(lambda: _switch(client, name, index), patience)
    return facts


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
    for item in _part(client.bulk(index=index, operations=operations), list, "items"):
        id, status = _part(item, str, "create", "_id"), _part(item, int, "create", "status")
        if id not in batch:
            raise _strange("is of a document that was not sent")
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
    if _part(answer, int, "_shards", "failed"):
        raise _Busy
    return _part(answer, int, "count")


def _seal(client: Elasticsearch, index: str, facts: dict[str, Any], shards: int) -> None:
    """Write into the metadata of an index that all of it is there, and what state it has."""
    state = _state(client, index, shards)
    client.indices.put_mapping(index=index, meta={**facts, _SEAL: state})


def _state(client: Elasticsearch, index: str, shards: int) -> list[list[int]]:
    """For each shard, how many documents it has and the number of its last change.

    InputError if there are deleted documents, which a server counts in its statistics until it merges them
    away; _Busy if shards are away.
    """
    answer = client.indices.stats(index=index, metric="docs", level="shards")
    copies = _part(answer, dict, "indices").get(index, {})
    state = []
    for number in range(shards):
        started = [copy for copy in _copies(copies, number) if _is_started(copy)]
        if not started:
            raise _Busy(
                InputError(
                    f"a part of the index {index} is away on the Elasticsearch server",
                    remedy="Look at the server's health.",
                )
            )
        if _part(started[0], int, "docs", "deleted"):
            raise InputError(
                f"the index {index} was changed since it was loaded: documents were replaced or deleted",
                remedy=_DELETE,
            )
        count = _part(started[0], int, "docs", "count")
        state.append([count, _part(started[0], int, "seq_no", "max_seq_no")])
    return state


def _copies(index: Any, number: int) -> list[Any]:
    copies = index.get("shards") if isinstance(index, dict) else None
    return _part(copies, list, str(number)) if isinstance(copies, dict) and str(number) in copies else []


def _is_started(copy: Any) -> bool:
    """Whether this is a shard's first copy, and ready."""
    routing = _part(copy, dict, "routing")
    return routing.get("primary") is True and routing.get("state") == "STARTED"


_DELETE = "Delete it on the server and load the corpus again."


def _check_seal(client: Elasticsearch, index: str, meta: dict[str, Any]) -> None:
    """InputError if an index is not sealed, or was changed since it was."""
    seal = meta.get(_SEAL)
    if not isinstance(seal, list):
        raise InputError(
            f"the index {index} was not loaded to its end", remedy="Load the corpus again: it goes on."
        )
    if _state(client, index, len(seal)) != seal:
        raise InputError(f"the index {index} was changed since it was loaded", remedy=_DELETE)


def _finish(client: Elasticsearch, index: str) -> None:
    client.indices.put_settings(index=index, settings={"refresh_interval": None})  # the server's own


def _indexes(client: Elasticsearch, name: str) -> dict[str, dict[str, Any]]:
    """The indexes behind a name, an alias or an index's own, with their metadata; empty if there is none."""
    try:
        mappings = client.indices.get_mapping(index=name)
    except NotFoundError:
        return {}
    metadata = {}
    for index, of_index in _part(mappings, dict).items():
        meta = _part(of_index, dict, "mappings").get("_meta", {})
        metadata[index] = meta if isinstance(meta, dict) else {}
    return metadata


def _facts_of(indexes: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The metadata without the seals."""
    return {
        index: {name: value for name, value in meta.items() if name != _SEAL}
        for index, meta in indexes.items()
    }


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
    """An opened index; see `sera.retrieval.engines.Engine`. Get one from `open_index`.

    ``mu`` is the only one that can be searched with; ``fingerprint`` tells one collection from another.
    """

    def __init__(self, client: Elasticsearch, index: str, facts: dict[str, Any], patience: float) -> None:
        self._client = client
        self._patience = patience
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
                rankings[query] = _hits(answer, k)
        return [list(rankings[query]) for query in queries]

    def document_frequency(self, phrases: Sequence[str]) -> list[int]:
        """For each phrase, in how many documents it occurs, as in the embedded engine."""
        distinct = list(dict.fromkeys(phrases))
        frequency: dict[str, int] = {}
        for some in _batches(distinct, _PHRASES):
            answers = self._ask([_counting(phrase) for phrase in some])
            for phrase, answer in zip(some, answers, strict=True):
                frequency[phrase] = _part(answer, int, "hits", "total", "value")
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
            responses = _patiently(
                lambda: self._answers([part for body in searches for part in (header, body)]), self._patience
            )
        for body, answer in zip(searches, responses, strict=True):
            if "error" in answer:
                raise self._failed(body, answer)
        return responses

    def _answers(self, parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """An answer to each search, or its error; _Busy if another attempt may do better."""
        responses = _part(self._client.msearch(searches=parts), list, "responses")
        if 2 * len(responses) != len(parts):
            raise _strange(f"is to {len(responses)} searches, not {len(parts) // 2}")
        for answer in responses:
            if "error" in _part(answer, dict):
                if answer.get("status") in _PASSING and not _is_too_long(answer):
                    raise _Busy(_refused(answer["status"], answer))
            elif answer.get("timed_out") or _part(answer, int, "_shards", "failed"):
                raise _Busy(
                    InputError(
                        "the Elasticsearch server searched only a part of the index",
                        remedy="Look at the server's health.",
                    )
                )
        return responses

    def _failed(self, body: dict[str, Any], answer: dict[str, Any]) -> InputError:
        kind, reason = _reason(answer)
        if kind == "index_not_found_exception":
            return InputError("the index is no longer on the server", remedy="Load the corpus again.")
        if _is_too_long(answer) and "bool" in body["query"]:
            count = len(body["query"]["bool"]["should"])
            return InputError(
                f"a query has {count} distinct terms, more than the server takes: {reason}",
                remedy="Shorten it, or raise indices.query.bool.max_clause_count on the server.",
            )
        status = answer.get("status")
        return _refused(status if type(status) is int else 500, answer)


def _is_too_long(answer: dict[str, Any]) -> bool:
    return bool(re.search("too_?many.*clauses|maxClauseCount", " ".join(_reason(answer)), re.IGNORECASE))


def _hits(answer: dict[str, Any], k: int) -> list[Hit]:
    """The ranking of an answer; InputError for what is none."""
    hits = _part(answer, list, "hits", "hits")
    if len(hits) > k:
        raise _strange(f"has {len(hits)} documents, not {k}")
    ranking = []
    for hit in hits:
        sort = _part(hit, list, "sort")
        score = sort[0] if sort and type(sort[0]) in (float, int) else math.nan
        if not abs(score) < 3.5e38:
            raise _strange("has a document without a score")
        # a score is the shortest decimal of a number in single precision
        document = names.check("document", _part(hit, str, "_id"))
        ranking.append(Hit(document, float(np.float32(score))))
    return ranking


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
    folder: _Folder, *, patience: float | None = None, node: type[Node] = Node
) -> ElasticsearchEngine:
    """Open the index that the receipt in a folder is for, on the server that the environment names.

    ``patience`` is for how many seconds a request is repeated, of this and of the searches, while the server
    is away or too busy; `limits.WAIT` if it is not given.

    Raises InputError if the receipt or the server is amiss, or if what the server has under the name is
    missing, was made of another corpus or with other settings, or was changed since it was loaded. What
    changes later, while the index is open, is not noticed.
    """
    path = Path(folder) / _MANIFEST
    receipt = _receipt(folder)
    name = receipt.pop("name")
    patience = _patience(patience)
    client = _connect(node, patience)
    with _told():
        indexes = _patiently(lambda: _indexes(client, name), patience)
    if not indexes:
        raise InputError(f"the server has no index {name}", path=path, remedy=_AGAIN)
    if list(_facts_of(indexes).values()) != [receipt]:
        raise InputError(
            f"the server's index {name} was made of another corpus, or with other settings",
            path=path,
            remedy="Load the corpus again, under another name if both are needed.",
        )
    ((index, meta),) = indexes.items()
    try:
        with _told():
            _patiently(lambda: _check_seal(client, index, meta), patience)
    except InputError as error:
        raise InputError(error.problem, path=path, remedy=error.remedy) from None
    return ElasticsearchEngine(client, index, receipt, patience)


def _receipt(folder: _Folder) -> dict[str, Any]:
    """What a receipt says; InputError if it is none."""
    path = Path(folder) / _MANIFEST
    if not path.is_file():
        raise InputError(
            "there is no receipt of an index: manifest.json is missing",
            path=folder,
            remedy="Name the folder that loading made.",
        )
    try:
        receipt = read_json(path)
    except InputError:
        receipt = None
    if (
        not isinstance(receipt, dict)
        or list(receipt) != ["name", *_FACTS]
        or receipt["format"] != FORMAT
        or any(type(receipt[name]) is not kind for name, kind in _FACTS.items())
        or not (type(receipt["name"]) is str and _NAME.fullmatch(receipt["name"]))
    ):
        raise InputError("is not the receipt of an index", path=path, remedy=_AGAIN)
    if receipt["version"] != VERSION:
        raise InputError(f"has the version {receipt['version']}, not {VERSION}", path=path, remedy=_AGAIN)
    return receipt


_AGAIN = "Load the corpus again."
