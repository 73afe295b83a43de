"""Addresses of servers, and reading their answers within limits of size and time, whatever they send."""

from __future__ import annotations

import contextlib
import email.utils
import http.client
import re
import socket
import threading
import time
from functools import cache
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

import urllib3
from urllib3.exceptions import HTTPError

from sera import limits
from sera.errors import InputError, Path

HEAD = 300.0  # seconds within which the head of an answer must arrive
WHOLE_ANSWER = 600.0  # seconds within which an answer that is read as a whole must arrive
_PIECE = 2**20  # bytes


def fault(address: str) -> str:
    """What is wrong with an address, as in "has a password in it"; empty if it is right.

    An address begins with http:// or https:// and has no credentials. The text does not quote the address,
    which may hold a secret.
    """
    if not address.isprintable() or " " in address:
        return "has a blank or a control character in it"
    try:
        parts = urlsplit(address)
        if "@" in parts.netloc or urllib3.util.parse_url(address).auth is not None:
            return "has a user or a password in it"
        well = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except (ValueError, HTTPError):
        well = False
    return "" if well else "does not begin with http:// or https:// and the name of a server"


def shown_address(address: str) -> str:
    """An address for an error message; hidden if it may hold a password."""
    return "(not shown, since it may hold a password)" if "@" in address else repr(address[:300])


def wait(headers: Any) -> float:
    """The seconds that an answer asks to wait (Retry-After, a number or a date), 0 to `limits.WAIT`.

    0 if the answer does not ask for it.
    """
    text = (headers.get("Retry-After") or "").strip()[:100]
    if re.fullmatch("[0-9]+", text):
        seconds = float(text)
    else:
        try:
            date = email.utils.parsedate_tz(text)
            seconds = email.utils.mktime_tz(date) - time.time() if date else 0.0
        except (ValueError, OverflowError, IndexError, TypeError):
            seconds = 0.0
    return min(max(seconds, 0.0), float(limits.WAIT.value))


class Deadline:
    """A context that shuts down an answer's connection if the context lasts longer than ``seconds``.

    A read from the connection then ends. `extend` restarts the time. A timeout of the socket is not enough:
    it does not bound an answer that comes byte by byte.
    """

    def __init__(self, connection: Any, seconds: float) -> None:
        self._socket = getattr(connection, "socket", connection)  # with TLS within TLS, the inner socket
        self._seconds = seconds
        self._until = time.monotonic() + seconds
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Deadline:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()

    def extend(self) -> None:
        """Restart the time."""
        self._until = time.monotonic() + self._seconds

    def _watch(self) -> None:
        while (left := self._until - time.monotonic()) > 0:
            if self._done.wait(left):
                return
        with contextlib.suppress(OSError, TypeError):
            # not the TLS socket's own method, which would turn it into a plain socket while it is read
            socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


def deadline(answer: urllib3.BaseHTTPResponse, seconds: float) -> Deadline:
    """A `Deadline` for the rest of an answer from a `bounded` connection."""
    return Deadline(getattr(answer, "sera_socket", None), seconds)


class _Answer(http.client.HTTPResponse):
    def _read_next_chunk_size(self) -> int:
        size: int = super()._read_next_chunk_size()  # type: ignore[misc]
        if size < 0:  # -1 would read into memory without a limit
            raise ValueError("a chunk of a negative size")
        return size


@cache
def bounded(connection: type) -> type:
    """A subclass of ``connection`` whose answers begin within `HEAD` seconds and can have a `deadline`."""

    class Bounded(connection):
        response_class = _Answer

        def getresponse(self) -> Any:
            carrier = self.sock
            with Deadline(carrier, HEAD):
                answer = super().getresponse()
            answer.sera_socket = carrier
            return answer

    return Bounded


def content(answer: urllib3.BaseHTTPResponse, *, path: Path | None = None) -> bytes:
    """All bytes of an answer; the answer is closed afterwards.

    Raises InputError for more than `limits.ANSWER` bytes and for a compressed answer, since requests do not
    allow compression. Raises HTTPError if the connection breaks.
    """
    most = limits.ANSWER.value
    pieces, size = [], 0
    try:
        if answer.headers.get("Content-Encoding", "identity").strip().lower() not in ("identity", ""):
            raise InputError(
                "the server's answer is compressed, which was not asked for",
                path=path,
                remedy="Switch compression off on the server.",
            )
        with deadline(answer, WHOLE_ANSWER):
            while piece := answer.read(min(_PIECE, most + 1 - size), decode_content=False):
                pieces.append(piece)
                size += len(piece)
                if size > most:
                    raise limits.ANSWER.passed(path=path)
    except BaseException:
        answer.close()
        raise
    finally:
        answer.release_conn()
    return b"".join(pieces)
