"""The engines `elasticsearch` and `opensearch`: an index on a server, which ranks as the embedded one does.

`load` loads a corpus into an index of its own. When the index is complete, it is sealed, and the alias
``<name>`` is set to it. A receipt remains on disk: a folder whose ``manifest.json`` describes alias and
corpus, without addresses or credentials. `open_index` opens the index of a receipt.

Only environment variables name the server and the credentials. Their names begin with the product's, as in
``ELASTICSEARCH_HOSTS`` or ``OPENSEARCH_HOSTS``:

===========  ======================================================================
..._HOSTS     addresses, with commas between: ``https://localhost:9200``
..._API_KEY   an API key, encoded or as ``id:key`` (Elasticsearch only); or, instead of it,
..._USER      a user and
..._PASSWORD  the password
..._CA        file of certificates (PEM) to check the server's certificate with
..._SHARDS    number of shards of an index that is loaded; by default 1
===========  ======================================================================
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import importlib
import json
import logging
import math
import os
import re
import ssl
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote, urlsplit

import numpy as np

from sera.errors import InputError
from sera.errors import Path as AnyPath
from sera.io import limits, web
from sera.io.files import MANIFEST
from sera.io.folders import writing_folder
from sera.io.records import Document, checked_documents, iterate
from sera.progress import progress
from sera.retrieval.engines import Hit, read_manifest
from sera.retrieval.engines.index_format import digest
from sera.text import analysis

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

TIMEOUT = 120.0  # seconds for one request
DEEPEST = 10_000  # the most hits of a query; the server's index.max_result_window
RECEIPT_VERSION = 2  # 1: mean_idf with stop words
_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,199}")
_PASSING = (429, 502, 503, 504)  # statuses of a server that is busy or starting
_LONGEST_WAIT = 30.0  # seconds between two attempts
_BULK_DOCUMENTS, _BULK_BYTES = 500, 8_000_000  # the most in one request
_QUERIES, _PHRASES = 20, 200  # the most in one request
_TURNS = 5  # attempts to set the alias to one index
_AGAIN = "Load the corpus again."


class Product(NamedTuple):
    """What is particular to a kind of search server."""

    name: str
    library: str  # the module of its client; both clients have the same names for their errors
    majors: tuple[str, ...]  # versions that the engine works with
    versions: str  # as text, for errors
    other: str  # what another server is, for errors

    @property
    def receipt_format(self) -> str:
        """The format that receipts and indexes on the server name."""
        return f"sera {self.name.lower()} index"

    @property
    def credentials(self) -> str:
        """The remedy for wrong credentials."""
        both = f"{self.variable('USER')} and {self.variable('PASSWORD')}"
        return f"Set {self.variable('API_KEY')}, or {both}." if self is ELASTICSEARCH else f"Set {both}."

    def variable(self, name: str) -> str:
        """The name of an environment variable, as ELASTICSEARCH_HOSTS."""
        return f"{self.name.upper()}_{name}"

    def value(self, name: str) -> str:
        """The value of an environment variable; blanks at the ends stay only in the password."""
        text = os.environ.get(self.variable(name), "")
        return text if name == "PASSWORD" else text.strip()


ELASTICSEARCH = Product(
    "Elasticsearch", "elasticsearch", ("7", "8", "9"), "7.14 to 9", "not Elasticsearch, or older than 7.14"
)
OPENSEARCH = Product("OpenSearch", "opensearchpy", ("2", "3"), "2 or 3", "not OpenSearch")


class Failure(InputError):
    """An error of a server.

    ``status`` and ``kind``: HTTP's status of an answer (503 if there is none), and the server's word for its
    error. Another attempt may succeed if the status is `_PASSING`.
    """

    def __init__(self, problem: str, remedy: str, status: int = 503, kind: str = "") -> None:
        super().__init__(problem, remedy=remedy)
        self.status, self.kind = status, kind


# The server
# ----------


class Server:
    """A server of a product; `connect` returns one."""

    def __init__(self, product: Product, patience: float, node: Any) -> None:
        self.product, self.name = product, f"the {product.name} server"
        self._patience = patience
        self._library = importlib.import_module(product.library)
        hosts, options = _settings(product)
        if product is ELASTICSEARCH:
            options |= {"node_class": node or elasticsearch_node(), "request_timeout": TIMEOUT}
            self._client = self._library.Elasticsearch(hosts, **options)
            self._send: Any = self._client.perform_request
        else:
            options |= {"connection_class": node} if node else {}
            self._client = self._library.OpenSearch(hosts, timeout=TIMEOUT, **options)
            self._send = self._client.transport.perform_request

    def ask(self, method: str, *path: str, body: Any = None, read: Any = None, **parameters: str) -> Any:
        """The JSON value that the server answers, or what ``read`` finds in it; raises InputError.

        path:  its parts, to be quoted; body: a JSON value, or a list of them, which are sent as lines

        The request is repeated as in `patiently`, also if ``read`` raises a Failure.
        """
        target = "/" + "/".join(quote(part, safe=",*") for part in path)
        headers = {"accept": "application/json"}
        if body is not None:
            headers["content-type"] = f"application/{'x-ndjson' if isinstance(body, list) else 'json'}"
        if isinstance(body, list):
            lines = (json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in body)
            body = "".join(f"{line}\n" for line in lines)

        def request() -> Any:
            with self._translated():
                answer = self._send(method, target, params=parameters, headers=headers, body=body)
            answer = getattr(answer, "body", answer)
            return read(answer) if read else answer

        return self.patiently(request)

    def create(self, index: str, documents: Iterable[dict[str, Any]]) -> None:
        """Store documents that the index does not have yet; raises as `ask` does.

        The client repeats at once what a busy server puts off, and a Failure asks for more patience.
        """
        helpers = importlib.import_module(f"{self.product.library}.helpers")
        late = None
        with self._translated():
            for stored, answer in helpers.streaming_bulk(
                self._client, documents, index=index, max_chunk_bytes=_BULK_BYTES, chunk_size=_BULK_DOCUMENTS,
                max_retries=3, initial_backoff=1, raise_on_error=False,
            ):  # fmt: skip
                item = answer["create"]
                if stored or item["status"] == 409:  # the index has it already
                    continue
                late = self.refusal(item["status"], item)
                if late.status not in _PASSING:
                    raise InputError(f"the document {item['_id']!r}: {late.problem}", remedy=late.remedy)
        if late:
            raise late

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        """Turn the client's errors into InputError; the server's warnings are not printed."""
        library, variable = self._library, self.product.variable
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield
        except library.SSLError:
            remedy = f"Name the file of the authority's certificate in {variable('CA')}."
            raise InputError(f"{self.name}'s certificate or TLS was not accepted", remedy=remedy) from None
        except library.SerializationError:
            raise self._strange("is not JSON") from None
        except (getattr(library, "ApiError", library.TransportError), library.TransportError) as error:
            status = getattr(error, "status_code", None)
            if type(status) is not int:  # there is no answer
                problem = f"{self.name} does not answer ({type(error).__name__})"
                remedy = f"Start it, or correct {variable('HOSTS')}."
                raise Failure(problem, remedy) from None
            if status < 300:  # the client does not know the server
                raise self.other_product() from None
            raise self.refusal(status, error.info or error.error) from None

    def patiently(self, request: Callable[[], _T]) -> _T:
        """Repeat a request while it fails in passing, as long as the server's patience lasts.

        The wait doubles from attempt to attempt. Raises InputError.
        """
        wait, until = 0.5, time.monotonic() + self._patience
        while True:
            try:
                return request()
            except Failure as error:
                left = until - time.monotonic()
                if error.status not in _PASSING or left <= 0:
                    raise
            except (LookupError, TypeError, AttributeError) as error:
                raise self._strange(f"lacks {str(error)[:40]}") from None
            _log.warning("%s is away or busy; the next attempt is in %.1f s", self.name, min(wait, left))
            time.sleep(min(wait, left))
            wait = min(2 * wait, _LONGEST_WAIT)

    def refusal(self, status: int, body: Any) -> Failure:
        """The error for an answer with an error, a JSON value or a text; it holds no credentials."""
        error = body.get("error", body) if isinstance(body, dict) else body
        kind, reason = "error", str(error)[:1000]
        if isinstance(error, dict):
            kind = str(error.get("type", kind))
            cause = (error.get("root_cause") or [error])[0]
            while "caused_by" in cause:
                cause = cause["caused_by"]
            reason = str(cause.get("reason") or error.get("reason"))[:1000]
        reason = _hidden(self.product, reason)[:300]
        problem, remedy = f"{self.name} answered {status} {kind}: {reason}", "Check the server and its log."
        if status == 401:
            problem = f"{self.name} does not accept the credentials"
            remedy = self.product.credentials
        elif status == 403:
            problem = f"the {self.product.name} credentials do not allow this: {reason}"
            remedy = "Give them the privileges that docs/retrieval.md lists."
        elif status < 400:
            problem = f"{self.name} answered {status}, a redirect to another address"
            remedy = f"Name that address in {self.product.variable('HOSTS')}."
        return Failure(problem, remedy, status, kind)

    def other_product(self) -> InputError:
        """The error for a server of another product."""
        remedy = f"Use a server of version {self.product.versions}, or the engine of that server."
        return InputError(f"the server is {self.product.other}", remedy=remedy)

    def _strange(self, problem: str) -> InputError:
        named = f"{self.product.variable('HOSTS')} names the server itself, not a proxy or another service"
        return InputError(f"{self.name}'s answer {problem}", remedy=f"Check that {named}.")


@cache
def elasticsearch_node() -> Any:
    """A class of connections that name plain JSON: servers refuse the media type of other versions."""
    from elastic_transport import HttpHeaders, Urllib3HttpNode

    versioned = re.compile(r"application/vnd\.elasticsearch\+([a-z-]+); ?compatible-with=\d+")

    class Node(Urllib3HttpNode):
        def perform_request(self, method, target, body=None, headers=None, **settings):  # type: ignore[override]
            plain = HttpHeaders(headers or {})
            for name in ("accept", "content-type"):
                if name in plain:
                    plain[name] = versioned.sub(r"application/\1", plain[name])
            return super().perform_request(method, target, body=body, headers=plain, **settings)

    return Node


def connect(product: Product, patience: float | None = None, node: Any = None) -> Server:
    """The server that the environment names, after its first answer.

    patience:  seconds for which each request is repeated; by default `limits.WAIT`
    node:      the class of the client's connections; by default the client's own

    Raises InputError for wrong settings, another product or version, and a server that does not answer.
    """
    server = Server(product, float(limits.WAIT.value) if patience is None else patience, node)
    version = server.ask("GET", read=lambda answer: dict(answer["version"]))
    if (version.get("distribution") == "opensearch") != (product is OPENSEARCH):
        raise server.other_product()
    number = str(version.get("number"))
    if number.partition(".")[0] not in product.majors:
        problem = f"{server.name} has version {number[:40]}"
        raise InputError(problem, remedy=f"Use a server of version {product.versions}.")
    return server


def _settings(product: Product) -> tuple[list[str], dict[str, Any]]:
    """The addresses and the client's options. No error quotes a value: it may be a misplaced secret."""
    hosts = [host.strip() for host in product.value("HOSTS").split(",") if host.strip()]
    variable, form, remedy = product.variable, "https://localhost:9200", product.credentials
    if not hosts:
        problem = f"{variable('HOSTS')} does not name a server"
        raise InputError(problem, remedy=f"Set it to the server's address, as in {form}.")
    for number, host in enumerate(hosts, 1):
        if web.fault(host) or re.search("[?#]", host) or not urlsplit(host).port:
            problem = f"address {number} in {variable('HOSTS')} is not of the form {form}"
            raise InputError(problem, remedy=f"Correct it, and put credentials into {remedy[4:]}")
    key, user, password = map(product.value, ("API_KEY", "USER", "PASSWORD"))
    for wrong, problem in (
        (key and product is not ELASTICSEARCH, f"{variable('API_KEY')} is set, which is not supported"),
        (key and (user or password), f"there are an API key and a user or password for {product.name}"),
        (bool(user) != bool(password), f"the user or the password for {product.name} is missing"),
        (not re.fullmatch("[!-~]*", key), f"{variable('API_KEY')} is not an API key"),
    ):
        if wrong:
            raise InputError(problem, remedy=remedy)
    options: dict[str, Any] = {}
    if key:
        options["headers"] = {"authorization": f"ApiKey {_base64(key) if ':' in key else key}"}
    elif user:  # the clients' own options for a user take only ASCII
        options["headers"] = {"authorization": f"Basic {_base64(f'{user}:{password}')}"}
    if ca := product.value("CA"):
        try:
            ssl.create_default_context(cafile=ca)
        except (OSError, ValueError):  # a missing file, or an error of the SSL library without details
            problem = f"{variable('CA')} does not name a file of certificates (PEM)"
            raise InputError(problem, remedy="Name one, or unset the variable.") from None
        if any(host.startswith("https:") for host in hosts):
            options["ca_certs"] = ca
    return hosts, options


def _base64(text: str) -> str:
    return base64.b64encode(text.encode("utf-8", "surrogateescape")).decode("ascii")


def _hidden(product: Product, text: str) -> str:
    """The text of a server with the credentials hidden, since it may send them back."""
    key, user, password = map(product.value, ("API_KEY", "USER", "PASSWORD"))
    secrets = {key, key.partition(":")[2], password, _base64(key), _base64(f"{user}:{password}")}
    for secret in sorted(secrets - {""}, key=len, reverse=True):
        text = text.replace(secret, "***")
    return text


# The state of an index
# ---------------------


def _indexes_behind(server: Server, name: str) -> dict[str, dict[str, Any]]:
    """The indexes behind a name, an alias or an index's own name, each with its metadata.

    These are the facts of its corpus, and its ``seal`` when it is complete.
    """
    try:
        return server.ask("GET", name, "_mapping", read=_metadata)
    except Failure as error:
        if error.status != 404:
            raise
        return {}


def _metadata(mappings: Any) -> dict[str, dict[str, Any]]:
    return {index: each["mappings"].get("_meta", {}) for index, each in mappings.items()}


def _is_of(meta: dict[str, Any], facts: dict[str, Any]) -> bool:
    """Whether an index with this metadata was made from the corpus of the facts."""
    return {**meta, "seal": None} == {**facts, "seal": None}


def _state_of(server: Server, index: str, shards: int) -> list[list[int]]:
    """For each shard, its number of documents and the server's number of its last change: the seal.

    Each later change of a document has a higher number; merges, moves of shards and restarts change neither.
    Raises InputError for deleted documents, which count in the server's statistics until it merges them away,
    and a Failure in passing if shards are away, or if a copy of a shard differs from its primary, as one does
    that is behind: a search may ask any copy.
    """

    def state(answer: Any) -> list[list[int]]:
        copies = answer["indices"].get(index, {}).get("shards", {})
        return [of_shard(copies.get(str(number), [])) for number in range(shards)]

    def of_shard(copies: list[Any]) -> list[int]:
        started = [copy for copy in copies if copy["routing"]["state"] == "STARTED"]
        facts = [
            (copy["docs"]["count"], copy["docs"]["deleted"], copy["seq_no"]["max_seq_no"])
            for copy in sorted(started, key=lambda copy: not copy["routing"]["primary"])
        ]
        if not any(copy["routing"]["primary"] for copy in started):
            raise _unhealthy(server, f"a part of the index {index} is away")
        if facts[0][1]:
            raise _changed(index, ": documents were replaced or deleted")
        if len(set(facts)) > 1:
            raise _unhealthy(server, f"the copies of the index {index} differ")
        return [facts[0][0], facts[0][2]]

    return server.ask("GET", index, "_stats", "docs", level="shards", read=state)


def _unhealthy(server: Server, problem: str) -> Failure:
    return Failure(f"{problem} on {server.name}", "Check the server's health.")


def _changed(index: str, how: str = "") -> InputError:
    problem = f"the index {index} was changed since it was loaded{how}"
    return InputError(problem, remedy="Delete it on the server and load the corpus again.")


def _check_seal(server: Server, index: str, meta: dict[str, Any]) -> None:
    """Raise InputError if an index is not sealed or has changed since then."""
    seal = meta.get("seal")
    if not isinstance(seal, list):
        problem = f"the index {index} was not loaded to its end"
        raise InputError(problem, remedy="Load the corpus again: loading continues where it stopped.")
    if _state_of(server, index, len(seal)) != seal:
        raise _changed(index)


# Loading
# -------


class Documents:
    """The documents of JSONL files in order; it can be iterated several times."""

    def __init__(self, paths: Iterable[AnyPath]) -> None:
        self._paths = list(paths)

    def __iter__(self) -> Iterator[Document]:
        return checked_documents(each for path in self._paths for each in iterate(path, Document))


def load(
    documents: Iterable[Document],
    folder: AnyPath,
    product: Product,
    *,
    name: str,
    analyzer: str = "english",
    mu: float = 2000.0,
    shards: int | None = None,
    patience: float | None = None,
    node: Any = None,
) -> None:
    """Load documents into the server's index ``name`` and write its receipt into a folder.

    documents:  they are read twice, first for the facts of the corpus and then to send them, so a generator
                is refused; see `Documents`
    folder:     the receipt; an older one there is replaced
    analyzer:   ``english``, ``german`` or ``standard``
    mu:         the smoothing parameter, above 0; it belongs to the index, since the server computes with it
    shards:     the number of the index's shards; by default the value of the environment variable, or 1.
                Rankings and scores do not depend on it
    patience, node: as in `connect`

    The index on the server has a name made from corpus and settings, and a document in it is never written
    twice. An interrupted load is therefore resumed, simultaneous loads of the same corpus share the work, and
    nothing is sent to an index that is complete. The alias ``name`` is set to the new index when that is
    complete; the old index is then deleted. Memory is bounded, except for the ids and the vocabulary.

    Raises InputError for a wrong setting, if two documents have the same id, if the server refuses a request
    or does not answer, and if the index exists and has changed since it was loaded.
    """
    if not _NAME.fullmatch(name):
        form = "small letters, digits, '_', '-' and '.' that begins with a letter or digit"
        remedy = f"Give a name of {form}, by --name or {product.variable('INDEX')}."
        raise InputError(f"{name!r} cannot be the name of an index", remedy=remedy)
    if iter(documents) is documents:
        raise InputError("the documents can be read only once", remedy="Give a list, or Documents.")
    if not (0 < mu < math.inf and 0 < np.float32(mu) < np.inf):
        raise InputError(f"the smoothing parameter mu is {mu}", remedy="Give a number above 0, usually 2000.")
    asked = (product.value("SHARDS") or "1") if shards is None else str(shards)
    if not re.fullmatch("[0-9]{1,4}", asked) or not 1 <= int(asked) <= 1024:
        problem = f"{product.variable('SHARDS')} is not a whole number from 1 to 1024"
        raise InputError(problem, remedy="Correct it, or unset it for one shard.")
    with writing_folder(folder, replaces=product.receipt_format) as target:
        facts = _loaded(documents, connect(product, patience, node), name, analyzer, mu, int(asked))
        text = json.dumps({"name": name, **facts}, indent=1) + "\n"
        (target / MANIFEST).write_text(text, encoding="utf-8", newline="\n")


def _loaded(
    documents: Iterable[Document], server: Server, name: str, analyzer: str, mu: float, shards: int
) -> dict[str, Any]:
    """Load the missing documents and set the alias; returns the facts of the corpus."""
    _check_free(server, name)
    facts = _facts(documents, server.product.receipt_format, analyzer, mu)
    identity = json.dumps([facts, shards], sort_keys=True)
    index = f"{name}-{hashlib.sha256(identity.encode()).hexdigest()[:16]}"
    _create(server, index, facts, shards)
    meta = _indexes_behind(server, index).get(index, {})
    if not _is_of(meta, facts) or "seal" not in meta:
        if _count(server, index) != facts["documents"]:
            numbered = enumerate(progress(documents, "documents loaded"))
            for batch in _batches(_sent(numbered), _BULK_DOCUMENTS):
                server.patiently(partial(server.create, index, batch))
        count, meta = _count(server, index), _indexes_behind(server, index).get(index, {})
        if count != facts["documents"] or not _is_of(meta, facts):
            raise InputError(
                f"the index {index} holds {count} documents, not the {facts['documents']} of the corpus, "
                "or was made by something else",
                remedy="Delete it on the server and load again.",
            )
        sealed = {"_meta": {**facts, "seal": _state_of(server, index, shards)}}
        server.ask("PUT", index, "_mapping", body=sealed)
        meta = _indexes_behind(server, index).get(index, {})
    _check_seal(server, index, meta)
    server.ask("PUT", index, "_settings", body={"refresh_interval": None})
    _switch(server, name, index)
    return facts


def _facts(documents: Iterable[Document], form: str, analyzer: str, mu: float) -> dict[str, Any]:
    """The facts of the corpus for the index's metadata, with the embedded engine's fingerprint."""
    analysed = analysis.analyzer(analyzer)
    seen: set[str] = set()
    fingerprint = hashlib.sha256()
    frequencies: Counter[str] = Counter()
    for document in progress(documents, "documents read"):
        if document.id in seen:
            raise InputError(f"the document {document.id!r} is there twice", remedy="Give each its own id.")
        seen.add(document.id)
        content = document.content
        fingerprint.update(digest(document.id, content))
        frequencies.update(set(analysed.tokens(content)))
    for term in analysed.stop_terms():  # as the embedded engine does
        frequencies.pop(term, None)
    # The number of terms for each frequency. The sum is exact, so it is the same on any machine and in the
    # embedded engine.
    terms = Counter(frequencies.values())
    total = math.fsum(number * math.log(len(seen) / frequency) for frequency, number in terms.items())
    return {
        "format": form,
        "version": RECEIPT_VERSION,
        "analyzer": analyzer,
        "mu": float(mu),
        "fingerprint": fingerprint.hexdigest(),
        "documents": len(seen),
        "mean_idf": total / len(frequencies) if frequencies else 0.0,
    }


def _create(server: Server, index: str, facts: dict[str, Any], shards: int) -> None:
    """Create the index if it does not exist. It stores no text, so the articles cannot be read from it."""
    settings = {
        "number_of_shards": shards,
        "refresh_interval": "-1",
        "similarity": {"dirichlet": {"type": "LMDirichlet", "mu": facts["mu"]}},
    }
    mappings = {
        "_meta": facts,
        "_source": {"enabled": False},
        "dynamic": "strict",
        "properties": {
            "text": {"type": "text", "analyzer": facts["analyzer"], "similarity": "dirichlet"},
            "number": {"type": "integer"},  # place in the corpus, for ties
        },
    }
    try:
        server.ask("PUT", index, body={"settings": settings, "mappings": mappings})
    except Failure as error:
        if error.kind != "resource_already_exists_exception":
            raise


def _sent(numbered: Iterable[tuple[int, Document]]) -> Iterator[dict[str, Any]]:
    """What is sent of documents with their places in the corpus."""
    for number, document in numbered:
        # UTF-8 has no lone surrogates; neither they nor the replacement character are part of a term.
        text = document.content.encode("utf-8", "replace").decode()
        yield {"_op_type": "create", "_id": document.id, "text": text, "number": number}


def _count(server: Server, index: str) -> int:
    """The number of documents in the index; raises a Failure in passing if shards are away."""

    def count(answer: Any) -> int:
        if answer["_shards"]["failed"]:
            raise _unhealthy(server, f"a part of the index {index} is away")
        return int(answer["count"])

    server.ask("POST", index, "_refresh")
    return server.ask("POST", index, "_count", read=count)


def _check_free(server: Server, name: str) -> None:
    for index, meta in _indexes_behind(server, name).items():
        if not index.startswith(f"{name}-") or meta.get("format") != server.product.receipt_format:
            problem = f"the name {name} belongs to the index {index}, which holds no SERA corpus"
            raise InputError(problem, remedy="Choose another name.")


def _switch(server: Server, name: str, index: str) -> None:
    """Set the alias to the index in one step and delete the index that it named before."""
    _check_free(server, name)
    before = now = set(_indexes_behind(server, name))
    for _ in range(_TURNS):
        if now == {index}:
            break
        away = [{"remove": {"index": f"{name}-*", "alias": name}}] if now else []
        actions = [*away, {"add": {"index": index, "alias": name}}]
        server.ask("POST", "_aliases", body={"actions": actions})
        now = set(_indexes_behind(server, name))
        if len(now) == 1:
            break  # two loads that end together may both have added their index; otherwise the last one wins
    else:
        raise Failure(f"another load takes the name {name}", "Load again when it has ended.")
    for old in sorted(before - now - {index}):
        server.ask("DELETE", old, ignore_unavailable="true")


# Searching
# ---------


class ServerEngine:
    """An opened index; see `sera.retrieval.engines.Engine`. `open_index` returns one.

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
            problem = f"the number of documents to retrieve is {k}"
            raise InputError(problem, remedy=f"Give 1 to {DEEPEST:,} on a server.")
        if mu != self.mu:
            problem = f"the index on the server smooths with mu = {self.mu:g}, not {mu:g}"
            raise InputError(problem, remedy="Load the corpus again with this mu.")
        terms = {query: Counter(self._analyzer.tokens(query)) for query in dict.fromkeys(queries)}
        rankings: dict[str, list[Hit]] = {query: [] for query in terms}
        for some in _batches([query for query in terms if terms[query]], _QUERIES):
            found = self._ask([_ranking(terms[query], k) for query in some], _hits)
            rankings.update(zip(some, found, strict=True))
        return [list(rankings[query]) for query in queries]

    def document_frequency(self, phrases: Sequence[str]) -> list[int]:
        """For each phrase, the number of documents in which it occurs, as in the embedded engine."""
        frequency: dict[str, int] = {}
        for some in _batches(dict.fromkeys(phrases), _PHRASES):
            whole = {"size": 0, "track_total_hits": True}
            searches = [{"query": {"match_phrase": {"text": phrase}}, **whole} for phrase in some]
            counts = self._ask(searches, lambda answer: int(answer["hits"]["total"]["value"]))
            frequency.update(zip(some, counts, strict=True))
        return [frequency[phrase] for phrase in phrases]

    def mean_idf(self) -> float:
        """The mean of ln(documents / document frequency) over the index's terms, without stop words.

        0 if there are none. Loading computes it, because a server does not list its terms.
        """
        return self._mean_idf

    def _ask(self, searches: list[dict[str, Any]], read: Callable[[dict[str, Any]], _T]) -> list[_T]:
        """What ``read`` finds in the answers of all shards to several searches."""
        header = {
            "index": self._index,
            "search_type": "dfs_query_then_fetch",  # otherwise each shard scores with its own statistics
            "allow_partial_search_results": False,
        }
        lines = [line for body in searches for line in (header, body)]

        def found(answer: Any) -> list[_T]:
            for body, response in zip(searches, answer["responses"]):
                self._check(body, response)
            return [read(response) for response in answer["responses"]]

        return self._server.ask("POST", "_msearch", body=lines, read=found)

    def _check(self, body: dict[str, Any], answer: dict[str, Any]) -> None:
        """Raise the error in the answer to a search, if there is one."""
        if "error" not in answer:
            if answer["timed_out"] or answer["_shards"]["failed"]:
                raise _unhealthy(self._server, "only a part of the index was searched")
            return
        failure = self._server.refusal(answer["status"], answer)
        if failure.kind == "index_not_found_exception":
            raise InputError("the index is no longer on the server", remedy=_AGAIN)
        too_long = re.search("too_?many.*clauses|maxClauseCount", failure.problem, re.IGNORECASE)
        if too_long and "bool" in body["query"]:
            terms = f"{len(body['query']['bool']['should'])} distinct terms"
            problem = f"a query has {terms}, more than the server takes: {failure.problem}"
            remedy = "Shorten it, or raise indices.query.bool.max_clause_count on the server."
            raise InputError(problem, remedy=remedy)
        raise failure


def _ranking(terms: Counter[str], k: int) -> dict[str, Any]:
    should = [{"term": {"text": {"value": term, "boost": count}}} for term, count in terms.items()]
    return {
        "query": {"bool": {"should": should}},
        "sort": [{"_score": "desc"}, {"number": "asc"}],
        "size": k,
        "_source": False,
        "track_total_hits": False,
    }


def _hits(answer: dict[str, Any]) -> list[Hit]:
    """The ranking in an answer, where a score is the shortest decimal of a number in single precision."""
    return [Hit(hit["_id"], float(np.float32(hit["sort"][0]))) for hit in answer["hits"]["hits"]]


def _batches(items: Iterable[_T], size: int) -> Iterator[list[_T]]:
    items = iter(items)
    while batch := list(islice(items, size)):
        yield batch


def open_index(
    folder: AnyPath, product: Product, *, patience: float | None = None, node: Any = None
) -> ServerEngine:
    """Open the index of the receipt in a folder, on the server that the environment names.

    For ``patience``, here and in searches, and ``node`` see `connect`. Raises InputError if the receipt or
    the server is wrong, and if the server's index is missing, was made from another corpus or with other
    settings, or has changed since it was loaded. Changes while the index is open are not noticed.
    """
    importlib.import_module(product.library)  # a missing client is reported first
    path, receipt = Path(folder) / MANIFEST, read_manifest(folder, "the receipt of an index")
    name = receipt.pop("name", None)
    ours = receipt.get("format") == product.receipt_format
    if not (ours and isinstance(name, str) and _NAME.fullmatch(name)):
        raise InputError("is not the receipt of an index", path=path, remedy=_AGAIN)
    if (version := receipt.get("version")) != RECEIPT_VERSION:
        raise InputError(f"has the version {version}, not {RECEIPT_VERSION}", path=path, remedy=_AGAIN)
    server = connect(product, patience, node)
    indexes = _indexes_behind(server, name)
    if not indexes:
        raise InputError(f"the server has no index {name}", path=path, remedy=_AGAIN)
    if len(indexes) > 1 or not all(_is_of(meta, receipt) for meta in indexes.values()):
        problem = f"the server's index {name} was made from another corpus or with other settings"
        remedy = "Load the corpus again, under another name if both are needed."
        raise InputError(problem, path=path, remedy=remedy)
    ((index, meta),) = indexes.items()
    try:
        _check_seal(server, index, meta)
    except InputError as error:
        raise InputError(error.problem, path=path, remedy=error.remedy) from None
    return ServerEngine(server, index, receipt)


open_elasticsearch = partial(open_index, product=ELASTICSEARCH)
load_elasticsearch = partial(load, product=ELASTICSEARCH)
open_opensearch = partial(open_index, product=OPENSEARCH)
load_opensearch = partial(load, product=OPENSEARCH)
