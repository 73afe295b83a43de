"""Download by HTTP: urllib3 repeats what fails and may pass, and files appear whole or not at all."""

import urllib.request
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import islice
from typing import TypeVar
from urllib.parse import urlsplit

import urllib3
from urllib3.exceptions import HTTPError, MaxRetryError, ResponseError

from sera.errors import InputError, first_line

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

    A request is repeated, up to `TRIES` in all, if the connection breaks or the answer is 408, 429 or 5xx:
    at once, then after pauses that double from half a second, or when the server says, but no later than
    `LONGEST_WAIT`. At most five redirects are followed. No credentials are sent.

    Raises NotThere for the answers 404 and 410, and InputError for other failures.
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


def in_order(
    work: Callable[[_Item], _Found], items: Iterable[_Item]
) -> Iterator[tuple[_Item, _Found | InputError]]:
    """The items with what ``work`` returns or the InputError that it raises; `AT_ONCE` run at a time."""

    def attempt(item: _Item) -> tuple[_Item, _Found | InputError]:
        try:
            return item, work(item)
        except InputError as error:
            return item, error

    queue = iter(items)
    with ThreadPoolExecutor(AT_ONCE) as threads:
        while some := list(islice(queue, 4 * AT_ONCE)):
            yield from threads.map(attempt, some)


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
