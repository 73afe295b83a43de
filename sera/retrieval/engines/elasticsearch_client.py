"""A client of an Elasticsearch server (version 7.14 to 9): its settings, answers and errors.

Only environment variables name the server and the credentials:

======================  ======================================================================
ELASTICSEARCH_HOSTS     addresses, with commas between: ``https://localhost:9200``
ELASTICSEARCH_API_KEY   an API key, encoded or as ``id:key``; or, instead of it,
ELASTICSEARCH_USER      a user and
ELASTICSEARCH_PASSWORD  the password
ELASTICSEARCH_CA        file of certificates (PEM) to check the server's certificate with
======================  ======================================================================

The credentials need the privilege ``monitor`` for the cluster and, for the indexes ``<name>`` and
``<name>-*``, the privileges ``read``, ``view_index_metadata`` and ``monitor``; to load, also ``manage`` and
``write``.
"""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import functools
import json
import logging
import os
import re
import ssl
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from elastic_transport import (
    ApiResponse,
    HttpHeaders,
    NodeConfig,
    SerializationError,
    TlsError,
    TransportError,
    Urllib3HttpNode,
)
from elasticsearch import ApiError, Elasticsearch, UnsupportedProductError
from elasticsearch.serializer import JsonSerializer

from sera import limits, servers
from sera.errors import InputError

_log = logging.getLogger(__name__)

_Answer = TypeVar("_Answer")
_Kind = TypeVar("_Kind")
MAJORS = (7, 8, 9)  # major versions that the engine works with
_TIMEOUT = 120.0  # seconds for one request
PASSING = (429, 502, 503, 504)  # statuses of a server that is busy or starting
_LONGEST_WAIT = 30.0  # seconds between two attempts


class Node(Urllib3HttpNode):
    """A connection that names plain JSON as media type, since servers refuse the type of other versions.

    Answers are bounded (`sera.servers`), redirects are not followed, and the answer of an error may have any
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
    """The parts of an answer that the client uses."""

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
    """The answer of an error; content that is not JSON, as proxies send, becomes text."""
    headers = answer.meta.headers.copy()
    try:
        _parsed(answer.body)
        headers["content-type"], body = "application/json", answer.body
    except InputError:
        headers["content-type"], body = "text/plain", answer.body[:1000].decode("utf-8", "replace").encode()
    return type(answer)(dataclasses.replace(answer.meta, headers=headers), body)


class _Json(JsonSerializer):
    """The client's JSON for requests; reading accepts any answer."""

    def loads(self, data: bytes) -> Any:
        return _parsed(data) if data else None


def _parsed(data: bytes) -> Any:
    """The JSON value of an answer; raises InputError if it is not JSON."""
    try:
        return json.loads(data.decode(), parse_constant=_no_number)
    except UnicodeDecodeError:
        raise strange("is not UTF-8 text") from None
    except RecursionError:
        raise strange("is nested too deeply") from None
    except ValueError:
        raise strange("is not JSON") from None


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number of JSON")


def strange(what: str) -> InputError:
    """The error for an answer that Elasticsearch would not give; ``what``: a predicate, as "is not JSON"."""
    return InputError(
        f"the Elasticsearch server's answer {what}",
        remedy="Check that ELASTICSEARCH_HOSTS names the server itself, not a proxy or another service.",
    )


def part_of(answer: Any, kind: type[_Kind], *path: str) -> _Kind:
    """A part of an answer, found by its path of names; raises InputError if it is missing or no ``kind``."""
    value = answer.body if isinstance(answer, ApiResponse) else answer
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    if type(value) is not kind:
        raise strange(f"has no {_KINDS[kind]} {'.'.join(path)}")
    return value


_KINDS: dict[type, str] = {str: "text", int: "whole number", list: "list", dict: "object"}


_VERSIONED = re.compile(r"application/vnd\.elasticsearch\+([a-z-]+); ?compatible-with=\d+")


class Busy(Exception):
    """The server is too busy for a request; ``fault``: the error if it stays so for too long."""

    def __init__(self, fault: InputError | None = None) -> None:
        super().__init__()
        self.fault = fault or InputError(
            "the Elasticsearch server stayed too busy to load into",
            remedy="Load again when it is less busy: loading continues where it stopped.",
        )


def connect(node: type[Node], patience: float) -> Elasticsearch:
    """A client of the server that the environment names; waits up to ``patience`` seconds for its answer.

    Raises InputError for wrong settings, another version, and a server that does not answer.
    """
    settings = _settings()
    try:
        client = Elasticsearch(
            **settings,
            node_class=node,
            request_timeout=_TIMEOUT,
            retry_on_status=(),  # `patiently` repeats requests, after a wait
            serializers={"application/json": _Json()},
        )
    except (ValueError, TypeError):
        raise InputError(
            "an address in ELASTICSEARCH_HOSTS is not of the form https://localhost:9200",
            remedy="Correct it.",
        ) from None
    with errors_reported():
        version = part_of(patiently(client.info, patience), str, "version", "number")
    major = re.match("([0-9]{1,3})[.]", version)
    if not major or int(major[1]) not in MAJORS:
        raise InputError(f"the Elasticsearch server has version {_hidden(version[:40])}", remedy=_VERSIONS)
    return client


_VERSIONS = "Use a server of version 7.14 to 9."
_OTHERS = "Use an Elasticsearch server of version 7.14 to 9, or the engine `embedded`, which needs no server."


def _settings() -> dict[str, Any]:
    """The client's settings from the environment. No error quotes a value: it may be a misplaced secret."""
    value = _values()
    hosts = [host.strip() for host in value["HOSTS"].split(",") if host.strip()]
    if not hosts:
        raise InputError(
            "ELASTICSEARCH_HOSTS does not name a server",
            remedy="Set it to the server's address, as in https://localhost:9200.",
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
        except (OSError, ValueError):  # a missing file, or an error of the SSL library without details
            raise InputError(
                "ELASTICSEARCH_CA does not name a file of certificates (PEM)",
                remedy="Name one, or unset the variable.",
            ) from None
        if any(host.startswith("https:") for host in hosts):
            settings["ca_certs"] = value["CA"]
    return settings


_VARIABLES = ("HOSTS", "API_KEY", "USER", "PASSWORD", "CA")
_CREDENTIALS = "Set ELASTICSEARCH_API_KEY, or ELASTICSEARCH_USER and ELASTICSEARCH_PASSWORD."


def _values() -> dict[str, str]:
    """The values of the environment variables; blanks at the ends stay only in the password."""
    value = {name: os.environ.get(f"ELASTICSEARCH_{name}", "") for name in _VARIABLES}
    return {name: text if name == "PASSWORD" else text.strip() for name, text in value.items()}


def _basic(user: str, password: str) -> str:
    """User and password in the form for HTTP, in UTF-8; the client itself accepts only ASCII."""
    if ":" in user:
        raise InputError(
            "ELASTICSEARCH_USER has a colon in it, which no user's name has",
            remedy="Name the user alone, and set the password in ELASTICSEARCH_PASSWORD.",
        )
    for name, text in (("USER", user), ("PASSWORD", password)):
        if re.search("[\x00-\x1f\x7f-\x9f\ud800-\udfff]", text):
            raise InputError(
                f"ELASTICSEARCH_{name} has a control character in it, or is not UTF-8 text",
                remedy="Set it without line breaks, in a locale of UTF-8.",
            )
    return base64.b64encode(f"{user}:{password}".encode()).decode("ascii")


def _hidden(text: str) -> str:
    """The text of a server with the credentials hidden, since it may send them back."""
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
            remedy="Correct it, and put credentials into ELASTICSEARCH_API_KEY, or ELASTICSEARCH_USER and "
            "ELASTICSEARCH_PASSWORD.",
        )


@contextlib.contextmanager
def errors_reported() -> Iterator[None]:
    """A context that turns the errors of client and server into InputError; none holds credentials."""
    try:
        yield
    except UnsupportedProductError as error:
        if _is_opensearch(error.body):
            raise InputError("the server is OpenSearch, which is not supported", remedy=_OTHERS) from None
        raise InputError("the server is not Elasticsearch, or older than 7.14", remedy=_VERSIONS) from None
    except ApiError as error:
        raise server_error(error.status_code, error.body) from None
    except TlsError:
        raise InputError(
            "the Elasticsearch server's certificate or TLS was not accepted",
            remedy="Name the file of the authority's certificate in ELASTICSEARCH_CA.",
        ) from None
    except SerializationError:
        raise strange("is of another kind than JSON") from None
    except TransportError as error:
        raise InputError(
            f"the Elasticsearch server does not answer ({type(error).__name__})",
            remedy="Start it, or correct ELASTICSEARCH_HOSTS.",
        ) from None
    except Busy as busy:
        raise busy.fault from None


def _is_opensearch(body: Any) -> bool:
    version = body.get("version") if isinstance(body, dict) else None
    return isinstance(version, dict) and version.get("distribution") == "opensearch"


def server_error(status: int, body: Any) -> InputError:
    """The error for a request that the server answered with an error."""
    if status == 401:
        return InputError("the Elasticsearch server does not accept the credentials", remedy=_CREDENTIALS)
    kind, reason = reason_of(body)
    if status == 403:
        return InputError(
            f"the Elasticsearch credentials do not allow this: {reason}",
            remedy="Give them monitor for the cluster; read, view_index_metadata and monitor for the index "
            "and its alias; and, to load, also manage and write.",
        )
    if 300 <= status < 400:
        return InputError(
            f"the Elasticsearch server answered {status}, a redirect to another address",
            remedy="Name that address in ELASTICSEARCH_HOSTS.",
        )
    return InputError(
        f"the Elasticsearch server answered {status} {kind}: {reason}", remedy="Check the server and its log."
    )


def reason_of(body: Any) -> tuple[str, str]:
    """The type of an error answer and its reason, which is that of the innermost cause."""
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


def patiently(request: Callable[[], _Answer], patience: float) -> _Answer:
    """Repeat a request while the server is away or busy, for at most ``patience`` seconds.

    Returns the answer. The wait doubles from attempt to attempt; it is longer if the server asks for it.
    Other errors are raised at once.
    """
    wait, begun = 0.0, time.monotonic()
    while True:
        asked = 0.0
        try:
            return request()
        except (TransportError, Busy, ApiError) as error:
            lasting = isinstance(error, _LASTING) or (
                isinstance(error, ApiError) and error.status_code not in PASSING
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


def patience_of(seconds: float | None) -> float:
    """The seconds given, or `limits.WAIT` for None."""
    return float(limits.WAIT.value) if seconds is None else seconds
