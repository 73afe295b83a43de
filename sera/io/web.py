"""Addresses of servers, and reading their answers within limits."""

from __future__ import annotations

import contextlib
import re
import time
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from sera.errors import Path
from sera.io import limits


def fault(address: str) -> str:
    """What is wrong with an address, as in "has a password in it"; empty if it is right.

    An address begins with http:// or https:// and has no credentials. The text does not quote the address,
    which may hold a secret.
    """
    if not address.isprintable() or " " in address:
        return "has a blank or a control character in it"
    try:
        parts = urlsplit(address)
        if "@" in parts.netloc:
            return "has a user or a password in it"
        well = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
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
    try:
        is_number = re.fullmatch("[0-9]+", text)
        seconds = float(text) if is_number else parsedate_to_datetime(text).timestamp() - time.time()
    except (ValueError, OverflowError, TypeError):
        seconds = 0.0
    return min(max(seconds, 0.0), float(limits.WAIT.value))


def content(answer: Any, *, path: Path | None = None) -> bytes:
    """All bytes of an answer of urllib3; the answer is closed afterwards.

    Raises InputError for more than `limits.ANSWER` bytes, and urllib3's HTTPError if the connection breaks.
    """
    most = limits.ANSWER.value
    with contextlib.closing(answer):
        data = answer.read(most + 1)
    if len(data) > most:
        raise limits.ANSWER.passed(path=path)
    return data
