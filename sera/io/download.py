"""Download by HTTP: urllib3 repeats what fails and may pass, and files appear whole or not at all.

pooch does not: from threads it fails where a new folder is made twice, its files are for their owner alone
(mode 600), each has a connection of its own, and one that is not there is asked for until the last try.
"""

import hashlib
import urllib.request
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import urllib3
from urllib3.exceptions import HTTPError, MaxRetryError, ResponseError

from sera.errors import Faults, InputError, first_line
from sera.io import files
from sera.progress import Progress

TRIES = 8  # requests for a file before it fails
AT_ONCE = 16  # requests at once
LONGEST_WAIT = 300
"""The seconds that a server may ask to wait."""
_AGAIN = (408, 429, 500, 502, 503, 504)  # answers after which another request may succeed
_Item = TypeVar("_Item")
_Found = TypeVar("_Found")


class NotThere(InputError):
    """The server has nothing at an address."""


def read_address(url: str) -> bytes:
    """The content at an address.

    A request is repeated, up to `TRIES` in all, if the connection breaks or the answer is 408, 429 or 5xx: at
    once, then after pauses that double from half a second, or when the server says, but no later than
    `LONGEST_WAIT`. At most five redirects are followed. No credentials are sent. Raises NotThere for the
    answers 404 and 410, and InputError for other failures.
    """
    if not url.startswith(("http://", "https://")):
        problem = "is not the address of a server"
        raise InputError(problem, path=url, remedy="Give an address like https://server.")
    retry = urllib3.Retry(
        TRIES - 1, redirect=5, status_forcelist=_AGAIN, backoff_factor=0.25, retry_after_max=LONGEST_WAIT
    )
    try:
        answer = _pool(_proxy(url)).request("GET", url, retries=retry)
    except HTTPError as error:
        cause = error.reason if isinstance(error, MaxRetryError) and error.reason else error
        answers = "the server answers " if isinstance(cause, ResponseError) else ""
        problem = f"cannot be read: {answers}{first_line(cause)}"
        raise InputError(problem, path=url, remedy="Try again later.") from None
    if answer.status != 200:
        kind = NotThere if answer.status in (404, 410) else InputError
        raise kind(f"the server answers {answer.status}", path=url, remedy="Check the address.")
    return answer.data


def fetch_file(
    path: Path, url: str, algorithm: str, sum: str, check: Callable[[bytes], None] = lambda content: None
) -> bytes:
    """The content of the file ``path``, fetched from an address if the file has another sum or is not there.

    algorithm, sum:  of the content, as "md5" and in hexadecimal
    check:           may raise InputError for the content before it is written

    InputError for content with another sum, twice: the first time may be the network's fault.
    """

    def digest() -> str:
        return hashlib.new(algorithm, content, usedforsecurity=False).hexdigest()

    with files.damage(path):
        there = content = path.read_bytes() if path.is_file() else b""
    for _ in range(2):
        if digest() != sum:
            content = read_address(url)
    if (found := digest()) != sum:
        kind = {"md5": "MD5", "sha256": "SHA-256"}[algorithm]
        problem = f"has {len(content)} bytes with the {kind} {found}, not {sum}"
        raise InputError(problem, path=url, remedy="Try again later.")
    check(content)
    if content is not there or not path.is_file():
        with files.replacing(path) as stream:
            stream.write(content)
    return content


def fetch_all(
    fetch: Callable[[_Item], _Found], items: Sequence[_Item], what: str
) -> tuple[list[_Found], Faults]:
    """What ``fetch`` returns for the items, in their order, and the InputErrors that it raises.

    `AT_ONCE` run at a time. For ``what`` see `Progress`.
    """

    def attempt(item: _Item) -> _Found | InputError:
        try:
            return fetch(item)
        except InputError as error:
            return error

    found, faults = list[_Found](), Faults()
    with ThreadPoolExecutor(AT_ONCE) as threads, Progress(what, len(items)) as report:
        for start in range(0, len(items), 4 * AT_ONCE):  # an interruption waits for those that wait
            for result in threads.map(attempt, items[start : start + 4 * AT_ONCE]):
                report.advance()
                faults.append(result) if isinstance(result, InputError) else found.append(result)
    return found, faults


def _proxy(url: str) -> str | None:
    parts = urlsplit(url)
    proxy = urllib.request.getproxies().get(parts.scheme)
    return None if proxy and urllib.request.proxy_bypass(parts.hostname or "") else proxy


@cache
def _pool(proxy: str | None) -> urllib3.PoolManager:
    timeout = urllib3.Timeout(connect=30, read=60)
    if proxy:
        return urllib3.ProxyManager(proxy, maxsize=64, timeout=timeout)
    return urllib3.PoolManager(maxsize=64, timeout=timeout)
