"""A search server, of Elasticsearch or OpenSearch: its settings, answers and errors.

Only environment variables name the server and the credentials. Their names begin with the product's, as in
``ELASTICSEARCH_HOSTS`` or ``OPENSEARCH_HOSTS``:

===========  ======================================================================
..._HOSTS     addresses, with commas between: ``https://localhost:9200``
..._API_KEY   an API key, encoded or as ``id:key`` (Elasticsearch only); or, instead of it,
..._USER      a user and
..._PASSWORD  the password
..._CA        file of certificates (PEM) to check the server's certificate with
===========  ======================================================================
"""

from __future__ import annotations

import base64
import functools
import json
import logging
import os
import re
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar
from urllib.parse import quote, urlsplit

from sera import limits, servers
from sera.errors import InputError

_log = logging.getLogger(__name__)

_Answer = TypeVar("_Answer")
_Kind = TypeVar("_Kind")
TIMEOUT = 120.0  # seconds for one request
PASSING = (429, 502, 503, 504)  # statuses of a server that is busy or starting
_LONGEST_WAIT = 30.0  # seconds between two attempts


class Asking(Protocol):
    """A product's client: sends a request and returns the JSON value of the answer.

    ``target``: the quoted path; ``kind``: the media type of the body. Raises Refused, Away, Untrusted or
    Strange, and InputError for a server of another product.
    """

    def __call__(
        self, method: str, target: str, parameters: dict[str, str], body: bytes | None, kind: str
    ) -> Any: ...


@dataclass(frozen=True)
class Product:
    """What is particular to a kind of search server.

    ``client``: makes a client from `Settings` and a class of connections, None for the product's own.
    ``privileges``: what the credentials must allow, for errors.
    """

    name: str
    majors: tuple[int, ...]  # major versions that the engine works with
    versions: str  # as text, for errors
    privileges: str
    api_keys: bool
    client: Callable[[Settings, Any], Asking]

    @property
    def receipt_format(self) -> str:
        """The format that receipts and indexes on the server name."""
        return f"sera {self.name.lower()} index"

    def variable(self, name: str) -> str:
        """The name of an environment variable, as ELASTICSEARCH_HOSTS."""
        return f"{self.name.upper()}_{name}"


class Settings(NamedTuple):
    """Where a server is and how it lets one in."""

    hosts: list[str]
    authorization: str | None  # the value of that header
    ca: str | None  # a file of certificates


class Refused(Exception):
    """The server answered with an error: its status, its JSON value or text, and its headers."""

    def __init__(self, status: int, body: Any, headers: Any = None) -> None:
        super().__init__(status)
        self.status = status
        self.body = body
        self.headers = headers or {}


class Away(Exception):
    """The server does not answer; the text names the kind of failure."""


class Untrusted(Exception):
    """The server's certificate, or TLS, was not accepted."""


class Strange(Exception):
    """An answer that the product would not give; the text is a predicate, as "is not JSON"."""


class Busy(Exception):
    """The server is too busy for a request; ``fault``: the error if it stays so for too long."""

    def __init__(self, fault: InputError | None = None) -> None:
        super().__init__()
        self.fault = fault


class Server:
    """A server of a product, whose answers are awaited with patience; `connect` gives one."""

    def __init__(self, product: Product, asking: Asking, patience: float) -> None:
        self.product = product
        self.name = f"the {product.name} server"
        self._asking = asking
        self._patience = patience

    def ask(self, method: str, *path: str, body: Any = None, **parameters: str) -> Any:
        """The JSON value that the server answers to one request.

        path:  its parts, to be quoted; body: a JSON value, or a list of them, which are sent as lines

        Raises Refused, Away, Untrusted, Strange and InputError. Call it in `patiently`, which repeats it and
        turns the others into InputError.
        """
        target = "/" + "/".join(quote(part, safe=",*") for part in path)
        kind = "application/x-ndjson" if isinstance(body, list) else "application/json"
        lines = body if isinstance(body, list) else [] if body is None else [body]
        sent = b"".join(_encoded(line) + b"\n" for line in lines)
        return self._asking(method, target, parameters, sent or None, kind)

    def patiently(self, request: Callable[[], _Answer]) -> _Answer:
        """Repeat a request while the server is away or busy, as long as the server's patience lasts.

        Returns the answer. The wait doubles from attempt to attempt; it is longer if the server asks for it.
        Raises InputError for a server that stays away or busy, and at once for all other faults.
        """
        wait, begun = 0.0, time.monotonic()
        while True:
            try:
                return request()
            except (Away, Busy, Refused) as error:
                asked = servers.wait(error.headers) if isinstance(error, Refused) else 0.0
                left = self._patience - (time.monotonic() - begun)
                lasting = isinstance(error, Refused) and error.status not in PASSING
                if lasting or left <= 0:
                    raise self.fault(error) from None
            except (Strange, Untrusted) as error:
                raise self.fault(error) from None
            wait = min(max(2 * wait, 0.5), _LONGEST_WAIT)
            pause = min(max(wait, asked), left)
            _log.warning("%s is away or busy; the next attempt is in %.1f s", self.name, pause)
            time.sleep(pause)

    def fault(self, error: Away | Busy | Refused | Strange | Untrusted) -> InputError:
        """The error for users; it holds no credentials."""
        variable = self.product.variable
        match error:
            case Refused():
                return self._refusal(error)
            case Away():
                return InputError(
                    f"{self.name} does not answer ({error})",
                    remedy=f"Start it, or correct {variable('HOSTS')}.",
                )
            case Strange():
                return InputError(
                    f"{self.name}'s answer {error}",
                    remedy=f"Check that {variable('HOSTS')} names the server itself, not a proxy or another "
                    "service.",
                )
            case Untrusted():
                return InputError(
                    f"{self.name}'s certificate or TLS was not accepted",
                    remedy=f"Name the file of the authority's certificate in {variable('CA')}.",
                )
        return error.fault or InputError(
            f"{self.name} stayed too busy to load into",
            remedy="Load again when it is less busy: loading continues where it stopped.",
        )

    def _refusal(self, error: Refused) -> InputError:
        status = error.status
        if status == 401:
            return InputError(
                f"{self.name} does not accept the credentials", remedy=_credentials(self.product)
            )
        kind, reason = self.reason_of(error.body)
        if status == 403:
            return InputError(
                f"the {self.product.name} credentials do not allow this: {reason}",
                remedy=self.product.privileges,
            )
        if 300 <= status < 400:
            return InputError(
                f"{self.name} answered {status}, a redirect to another address",
                remedy=f"Name that address in {self.product.variable('HOSTS')}.",
            )
        return InputError(
            f"{self.name} answered {status} {kind}: {reason}", remedy="Check the server and its log."
        )

    def reason_of(self, body: Any) -> tuple[str, str]:
        """The type of an error answer and its reason, which is that of the innermost cause."""
        error = body.get("error", body) if isinstance(body, dict) else body
        if not isinstance(error, dict):
            return "error", _hidden(self.product, str(error)[:1000])[:300]
        roots = error.get("root_cause")
        cause = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], dict) else error
        while isinstance(cause.get("caused_by"), dict):
            cause = cause["caused_by"]
        reason = str(cause.get("reason") or error.get("reason"))
        kind = str(error.get("type", "error"))
        return _hidden(self.product, kind[:100]), _hidden(self.product, reason[:1000])[:300]


def connect(product: Product, patience: float | None, node: Any = None) -> Server:
    """The server that the environment names, after its first answer.

    patience:  seconds for which each request is repeated; by default `limits.WAIT`
    node:      the class of the client's connections; by default the product's

    Raises InputError for wrong settings, another product or version, and a server that does not answer.
    """
    settings = _settings(product)
    try:
        asking = product.client(settings, node)
    except (ValueError, TypeError):
        raise InputError(
            f"an address in {product.variable('HOSTS')} is not of the form https://localhost:9200",
            remedy="Correct it.",
        ) from None
    server = Server(product, asking, float(limits.WAIT.value) if patience is None else patience)
    version = server.patiently(lambda: part_of(server.ask("GET"), str, "version", "number"))
    major = re.match("([0-9]{1,3})[.]", version)
    if not major or int(major[1]) not in product.majors:
        raise InputError(
            f"{server.name} has version {_hidden(product, version[:40])}",
            remedy=f"Use a server of version {product.versions}.",
        )
    return server


def part_of(answer: Any, kind: type[_Kind], *path: str) -> _Kind:
    """A part of an answer, found by its path of names; raises Strange if it is missing or no ``kind``."""
    value = answer
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    if type(value) is not kind:
        raise Strange(f"has no {_KINDS[kind]} {'.'.join(path)}")
    return value


_KINDS: dict[type, str] = {str: "text", int: "whole number", list: "list", dict: "object"}


# For the clients of the products


class WholeAnswer(NamedTuple):
    """The parts of an answer that a client uses."""

    status: int
    headers: Any
    data: bytes


def bound(pool: Any) -> None:
    """Bound the answers of urllib3's pool in size and time (`sera.servers`); redirects are not followed."""
    pool.ConnectionCls = servers.bounded(pool.ConnectionCls)
    pool.urlopen = functools.partial(_whole, pool.urlopen)


def _whole(ask: Callable[..., Any], method: str, target: str, **settings: Any) -> WholeAnswer:
    answer = ask(method, target, preload_content=False, redirect=False, **settings)
    data = servers.content(answer)
    if "warning" in answer.headers:  # the client would print it
        _log.debug("the server warns: %r", answer.headers["warning"][:300])
        answer.headers.discard("warning")
    return WholeAnswer(answer.status, answer.headers, data)


def parsed(data: bytes) -> Any:
    """The JSON value of an answer; raises Strange if it is not JSON."""
    try:
        return json.loads(data.decode(), parse_constant=_no_number)
    except UnicodeDecodeError:
        raise Strange("is not UTF-8 text") from None
    except RecursionError:
        raise Strange("is nested too deeply") from None
    except ValueError:
        raise Strange("is not JSON") from None


def parsed_error(data: bytes) -> Any:
    """The JSON value of the answer of an error, or its text if that is not JSON, as proxies send."""
    try:
        return parsed(data)
    except Strange:
        return data[:1000].decode("utf-8", "replace")


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number of JSON")


def _encoded(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


# The environment


def _settings(product: Product) -> Settings:
    """The settings from the environment. No error quotes a value: it may be a misplaced secret."""
    value = _values(product)
    hosts = [host.strip() for host in value["HOSTS"].split(",") if host.strip()]
    if not hosts:
        raise InputError(
            f"{product.variable('HOSTS')} does not name a server",
            remedy="Set it to the server's address, as in https://localhost:9200.",
        )
    for number, host in enumerate(hosts, 1):
        _check_address(product, host, number)
    remedy = _credentials(product)
    if value["API_KEY"] and not product.api_keys:
        raise InputError(f"{product.variable('API_KEY')} is set, which is not supported", remedy=remedy)
    if value["API_KEY"] and (value["USER"] or value["PASSWORD"]):
        raise InputError(f"there are an API key and a user or password for {product.name}", remedy=remedy)
    if bool(value["USER"]) != bool(value["PASSWORD"]):
        raise InputError(f"the user or the password for {product.name} is missing", remedy=remedy)
    authorization = None
    if value["API_KEY"]:
        authorization = f"ApiKey {_api_key(product, value['API_KEY'])}"
    elif value["USER"]:
        authorization = f"Basic {_basic(product, value['USER'], value['PASSWORD'])}"
    if value["CA"]:
        try:
            ssl.create_default_context(cafile=value["CA"])
        except (OSError, ValueError):  # a missing file, or an error of the SSL library without details
            raise InputError(
                f"{product.variable('CA')} does not name a file of certificates (PEM)",
                remedy="Name one, or unset the variable.",
            ) from None
    secure = any(host.startswith("https:") for host in hosts)
    return Settings(hosts, authorization, value["CA"] if value["CA"] and secure else None)


def _credentials(product: Product) -> str:
    """The remedy for wrong credentials."""
    both = f"{product.variable('USER')} and {product.variable('PASSWORD')}"
    return f"Set {product.variable('API_KEY')}, or {both}." if product.api_keys else f"Set {both}."


def _values(product: Product) -> dict[str, str]:
    """The values of the environment variables; blanks at the ends stay only in the password."""
    value = {name: os.environ.get(product.variable(name), "") for name in _VARIABLES}
    return {name: text if name == "PASSWORD" else text.strip() for name, text in value.items()}


_VARIABLES = ("HOSTS", "API_KEY", "USER", "PASSWORD", "CA")


def _api_key(product: Product, text: str) -> str:
    id, colon, key = text.partition(":")
    if not re.fullmatch("[!-~]+", text) or (colon and not (id and key)):
        raise InputError(f"{product.variable('API_KEY')} is not an API key", remedy=_credentials(product))
    return base64.b64encode(text.encode("ascii")).decode("ascii") if colon else text


def _basic(product: Product, user: str, password: str) -> str:
    """User and password in the form for HTTP, in UTF-8; the clients accept only ASCII."""
    if ":" in user:
        raise InputError(
            f"{product.variable('USER')} has a colon in it, which no user's name has",
            remedy=f"Name the user alone, and set the password in {product.variable('PASSWORD')}.",
        )
    for name, text in (("USER", user), ("PASSWORD", password)):
        if re.search("[\x00-\x1f\x7f-\x9f\ud800-\udfff]", text):
            raise InputError(
                f"{product.variable(name)} has a control character in it, or is not UTF-8 text",
                remedy="Set it without line breaks, in a locale of UTF-8.",
            )
    return base64.b64encode(f"{user}:{password}".encode()).decode("ascii")


def _hidden(product: Product, text: str) -> str:
    """The text of a server with the credentials hidden, since it may send them back."""
    value = _values(product)
    secrets = {value["API_KEY"], value["API_KEY"].partition(":")[2], value["PASSWORD"]}
    for pair in (value["API_KEY"], f"{value['USER']}:{value['PASSWORD']}"):
        secrets.add(base64.b64encode(pair.encode("utf-8", "surrogateescape")).decode("ascii"))
    for secret in sorted(secrets - {""}, key=len, reverse=True):
        text = text.replace(secret, "***")
    return text


def _check_address(product: Product, host: str, number: int) -> None:
    try:
        parts = urlsplit(host)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    secret = "@" in host or parts.query or parts.fragment
    if secret or servers.fault(host) or not port:
        raise InputError(
            f"address {number} in {product.variable('HOSTS')} is not of the form https://localhost:9200",
            remedy=f"Correct it, and put credentials into {_credentials(product)[4:]}",
        )
