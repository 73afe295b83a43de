"""A web client with retries, proxies and redirects, which sends no credentials."""

from __future__ import annotations

import logging
import threading
import urllib.request
from typing import Any
from urllib.parse import urljoin, urlsplit

import urllib3
from urllib3.exceptions import HTTPError, InvalidHeader, LocationValueError

from sera import servers
from sera.errors import InputError, printable

log = logging.getLogger(__name__)

_AGAIN = (408, 429, 500, 502, 503, 504)  # answers after which another try may succeed
_REDIRECTS = 5  # the most redirects from one address


class Failure(Exception):
    """A file cannot be downloaded, and another try would not help."""


class Mismatch(HTTPError):
    """The downloaded content is not the expected one and cannot be used."""


class Client:
    """Sends requests, and repeats them after errors that may pass.

    at_once:  connections to a server at the same time
    tries:    requests without progress before giving up
    pause:    seconds before the third try; the pause doubles each time, up to two minutes

    If the event ``stop`` is set, waits end with Failure.
    """

    def __init__(self, at_once: int, tries: int, pause: float) -> None:
        self.stop = threading.Event()
        self.retries = urllib3.Retry(
            total=tries - 1,
            backoff_factor=pause / 2,  # urllib3 does not wait before the second try, and then twice this
            backoff_max=120,
        )
        self._settings: dict[str, Any] = {"maxsize": at_once, "timeout": urllib3.Timeout(connect=30, read=60)}
        self._pools: dict[str | None, urllib3.PoolManager] = {}
        self._lock = threading.Lock()

    def ask(self, method: str, url: str, **headers: str) -> urllib3.BaseHTTPResponse:
        """The answer to a request, with its content not yet read. Raises Failure."""
        retries, at, redirects = self.retries, url, 0
        while True:
            try:
                response = self._pool(at).request(
                    method,
                    at,
                    headers={"Accept-Encoding": "identity", **headers},
                    preload_content=False,
                    retries=False,
                    redirect=False,
                )
            except (LocationValueError, InvalidHeader) as error:
                raise Failure(f"{error}") from None
            except HTTPError as error:
                retries = self.again(retries, url, error)
                continue
            if response.status in _AGAIN:
                response.close()
                retries = self.again(
                    retries, url, HTTPError(status_line(response)), servers.wait(response.headers)
                )
                continue
            location = response.get_redirect_location()
            if not location:
                return response
            response.close()
            redirects += 1
            if redirects > _REDIRECTS:
                raise Failure(f"the server redirects more than {_REDIRECTS} times")
            at = _redirected(at, location)

    def page(self, url: str) -> bytes:
        """The whole content of an address. Raises InputError."""
        try:
            retries = self.retries
            while True:
                response = self.ask("GET", url)
                if response.status != 200:
                    response.close()
                    raise Failure(status_line(response))
                try:
                    return servers.content(response, path=url)
                except HTTPError as error:
                    retries = self.again(retries, url, error)
        except Failure as error:
            raise InputError(
                f"cannot be read: {error}", path=url, remedy="Check the address, or try again later."
            ) from None

    def again(self, retries: urllib3.Retry, url: str, error: HTTPError, wait: float = 0.0) -> urllib3.Retry:
        """Wait before the next try, for ``wait`` seconds if it is not 0; returns the retries that are left.

        Raises Failure with the error's text if none is left, and after an interruption.
        """
        try:
            retries = retries.increment("GET", url, error=error)
        except HTTPError:
            raise Failure(f"{error}") from None
        log.warning("%s", printable(f"{url}: {error}; trying again"))
        if self.stop.wait(wait or retries.get_backoff_time()):
            raise Failure("was interrupted")
        return retries

    def _pool(self, url: str) -> urllib3.PoolManager:
        """Connections, through the proxy that the environment names for this address, if it names one."""
        parts = urlsplit(url)
        proxy = urllib.request.getproxies().get(parts.scheme)
        if proxy and urllib.request.proxy_bypass(parts.hostname or ""):
            proxy = None
        with self._lock:
            if proxy not in self._pools:
                self._pools[proxy] = self._manager(proxy, parts.scheme)
            return self._pools[proxy]

    def _manager(self, proxy: str | None, scheme: str) -> urllib3.PoolManager:
        try:
            make = urllib3.ProxyManager(proxy, **self._settings) if proxy else None
        except (HTTPError, ValueError):  # the address is not quoted, since it may hold a password
            raise Failure(
                f"the environment's proxy for {scheme} does not begin with http:// or https://"
            ) from None
        manager = make or urllib3.PoolManager(**self._settings)
        manager.pool_classes_by_scheme = {"http": _Http, "https": _Https}
        return manager


class _Http(urllib3.HTTPConnectionPool):
    ConnectionCls = servers.bounded(urllib3.HTTPConnectionPool.ConnectionCls)


class _Https(urllib3.HTTPSConnectionPool):
    ConnectionCls = servers.bounded(urllib3.HTTPSConnectionPool.ConnectionCls)


def status_line(response: urllib3.BaseHTTPResponse) -> str:
    """The status of an answer, in words for an error message."""
    return f"the server answers {response.status} {(response.reason or '')[:100]}".rstrip()


def _redirected(at: str, location: str) -> str:
    """The target of a redirect. Raises Failure for another scheme and for an invalid address."""
    try:
        target = urljoin(at, location)
    except ValueError:
        target = ""
    if wrong := servers.fault(target):
        raise Failure(f"the server redirects to an address that {wrong}")
    here, there = urlsplit(at).scheme, urlsplit(target).scheme
    if here != there:
        raise Failure(
            f"the server redirects from {here} to {there}; if that is right, give an address with {there}://"
        )
    return target
