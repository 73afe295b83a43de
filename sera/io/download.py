"""Download files, a few at a time; each has a hidden name until it is complete and its sums are right."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import logging
import os
import re
import threading
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import IO, TypeVar
from urllib.parse import urlsplit

import urllib3
from urllib3.exceptions import HTTPError

from sera.errors import InputError, printable
from sera.io import web
from sera.progress import Progress

log = logging.getLogger(__name__)
_T = TypeVar("_T")

_AGAIN = (408, 429, 500, 502, 503, 504)  # answers after which another try may succeed
_PIECE = 2**18  # bytes


@dataclass(frozen=True)
class PackageFile:
    """A file on a server; unknown values are None or empty. Its name may have folders in it."""

    file: str
    size: int | None = None  # bytes
    sha256: str = ""
    md5: str = ""
    url: str = ""


class Failure(Exception):
    """A file cannot be downloaded."""


class Again(Failure):
    """Another try may succeed, after ``wait`` seconds if that is not 0."""

    def __init__(self, problem: object, wait: float = 0.0) -> None:
        super().__init__(str(problem))
        self.wait = wait


class Client:
    """Sends requests without credentials, and repeats them after errors that may pass.

    tries:  requests without progress before giving up
    pause:  seconds before the third try; the pause doubles each time, up to two minutes

    If the event ``stop`` is set, waits and downloads end with Failure.
    """

    def __init__(self, tries: int = 8, pause: float = 1.0) -> None:
        self.stop = threading.Event()
        self._tries, self._pause = tries, pause

    def ask(self, method: str, url: str, **headers: str) -> urllib3.BaseHTTPResponse:
        """The answer to one request, with its content not yet read. Raises Again and Failure."""
        redirects = urllib3.Retry(5, connect=0, read=0, other=0, respect_retry_after_header=False)
        try:
            answer = _pool(_proxy(url)).request(
                method, url, headers={"Accept-Encoding": "identity", **headers}, preload_content=False,
                retries=redirects,
            )  # fmt: skip
        except ValueError as error:  # not an address
            raise Failure(f"an address cannot be used: {error}") from None
        passed = [each.redirect_location or "" for each in answer.retries.history] if answer.retries else []
        downgraded = url.startswith("https:") and any(each.startswith("http:") for each in passed)
        if answer.status in (200, 206, 416) and not downgraded:
            return answer
        answer.close()
        if downgraded:
            raise Failure("the server redirects from https to http")
        problem = f"the server answers {answer.status} {(answer.reason or '')[:100]}".rstrip()
        raise Again(problem, web.wait(answer.headers)) if answer.status in _AGAIN else Failure(problem)

    def page(self, url: str) -> bytes:
        """The whole content of an address. Raises InputError."""
        try:
            return self.repeat(url, lambda: web.content(self.ask("GET", url), path=url))
        except Failure as error:
            remedy = "Check the address, or try again later."
            raise InputError(f"cannot be read: {error}", path=url, remedy=remedy) from None

    def repeat(self, url: str, once: Callable[[], _T], progress: Callable[[], int] = int) -> _T:
        """What ``once`` returns, which is called until it raises neither Again nor an error of urllib3.

        ``progress``: a number that changes where a try gained something. Raises Failure.
        """
        failures, before = 0, progress()
        while True:
            try:
                return once()
            except (Again, HTTPError) as error:
                failures, before = (failures + 1 if progress() == before else 1), progress()
                if failures >= self._tries:
                    raise Failure(str(error)) from None
                log.warning("%s", printable(f"{url}: {error}; trying again"))
                wait = self._pause * 2.0 ** (failures - 2) if failures > 1 else 0.0
                asked = error.wait if isinstance(error, Again) else 0.0
                if self.stop.wait(asked or min(wait, 120.0)):
                    raise Failure("was interrupted") from None


def _proxy(url: str) -> str | None:
    """The proxy that the environment names for an address."""
    parts = urlsplit(url)
    proxy = urllib.request.getproxies().get(parts.scheme)
    return None if proxy and urllib.request.proxy_bypass(parts.hostname or "") else proxy


@cache
def _pool(proxy: str | None) -> urllib3.PoolManager:
    timeout = urllib3.Timeout(connect=30, read=60)
    if not proxy:
        return urllib3.PoolManager(maxsize=8, timeout=timeout)
    try:
        return urllib3.ProxyManager(proxy, timeout=timeout)
    except (HTTPError, ValueError):  # the address is not quoted, since it may hold a password
        raise Failure("the environment's proxy does not begin with http:// or https://") from None


def make_folder(folder: Path) -> None:
    """Create a folder for downloads unless it is there; InputError if that is not possible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        problem = f"is not a folder and cannot be made one: {getattr(error, 'strerror', error)}"
        raise InputError(problem, path=folder, remedy="Name another folder.") from None


def fetch_all(
    client: Client,
    files: Sequence[PackageFile],
    folder: Path,
    at_once: int,
    *,
    known: Mapping[str, PackageFile] | None = None,
    keep: Callable[[PackageFile], None] = lambda file: None,
) -> list[PackageFile]:
    """Download files into a folder that is there, ``at_once`` at a time; what is there already stays.

    known:  files that were checked before, by name: if one has the right size, it is not read again
    keep:   is called with each file that is complete, in the caller's thread

    Returns the files by name, each with its size and SHA-256. InputError, after all other files, for files
    that could not be downloaded; a new call resumes them.
    """
    done: list[PackageFile] = []
    failed: dict[str, str] = {}
    had = dict(known or {})

    def fetch(file: PackageFile) -> PackageFile:
        path = folder / file.file
        return _there(client, file, path, had.get(file.file)) or _fetched(client, file, path, report)

    with Progress("bytes fetched") as report, ThreadPoolExecutor(at_once) as threads:
        jobs = {threads.submit(fetch, each): each for each in files}
        try:
            for job in as_completed(jobs):
                try:
                    done.append(job.result())
                except (Failure, InputError) as error:
                    failed[jobs[job].file] = str(error)
                    log.error("%s", printable(f"{jobs[job].url}: {error}"))
                else:
                    keep(done[-1])
        finally:  # after an interruption the other downloads stop soon and keep what they have
            client.stop.set()
            threads.shutdown(cancel_futures=True)
    if failed:
        name = min(failed)
        problem = f"{len(failed)} of {len(files)} files could not be fetched; {name}: {failed[name]}"
        remedy = "Run the same command again: it continues the download."
        raise InputError(problem, path=folder, remedy=remedy)
    return sorted(done, key=lambda each: each.file)


def _fetched(client: Client, file: PackageFile, path: Path, report: Progress) -> PackageFile:
    """Download a file to ``path``; an interrupted download is resumed.

    The file takes its name when it is complete and has the size and sums that ``file`` states; an older file
    is then replaced. Returns the file with its size and SHA-256. Raises Failure.
    """
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise Failure("something else has this name in the folder; move it away")
    part, tag = (path.with_name(f".{path.name}.{end}") for end in ("part", "tag"))
    with open(part, "ab") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Failure("is being fetched by another process") from None
        if not part.exists() or not os.path.samestat(os.fstat(stream.fileno()), part.stat()):
            raise Failure("was fetched by another process in the meantime")
        spoilt = False

        def once() -> PackageFile:
            nonlocal spoilt
            _receive(client, file, stream, tag, report)
            stream.flush()
            try:
                return _checked(file, part)
            except Again as error:
                stream.truncate(0)
                if spoilt:  # a first wrong sum may be the network's fault, a second one is the server's
                    raise Failure(str(error)) from None
                spoilt = True
                raise

        try:
            fetched = client.repeat(file.url, once, lambda: _length(stream))
        except Failure:
            if not _length(stream):
                part.unlink()
            raise
        tag.unlink(missing_ok=True)
        os.replace(part, path)
    log.info("%s: %d bytes fetched", file.file, fetched.size)
    return fetched


def _there(client: Client, file: PackageFile, path: Path, known: PackageFile | None) -> PackageFile | None:
    """The size and sums of a file that is there already; None if it must be downloaded."""
    if not path.is_file():
        return None
    size = path.stat().st_size
    if known and known.size == size:
        wanted = ((file.size, known.size), (file.sha256, known.sha256), (file.md5, known.md5))
        if all(not asked or asked == had for asked, had in wanted):
            return replace(known, url=file.url)
    if file.size is None and not (file.sha256 or file.md5):  # put there by other means
        with contextlib.closing(client.repeat(file.url, lambda: client.ask("HEAD", file.url))) as answer:
            length = answer.headers.get("Content-Length", "")
            file = replace(file, size=int(length) if length.isdecimal() else -1)
    try:
        return _checked(file, path)
    except Again:
        return None


def _receive(client: Client, file: PackageFile, stream: IO[bytes], tag: Path, report: Progress) -> None:
    """Add the missing bytes to a file. Raises Again if it is incomplete, or not what was asked for."""
    have = _length(stream)
    headers = {"Range": f"bytes={have}-"} if have else {}
    if have and tag.exists() and (version := tag.read_text("latin-1")):
        headers["If-Range"] = version  # if the server has another version now, it sends the whole file
    with contextlib.closing(client.ask("GET", file.url, **headers)) as answer:
        extent = answer.headers.get("Content-Range", "")
        place = re.fullmatch(r"bytes (?:([0-9]{1,18})-[0-9]+|\*)/([0-9]{1,18})", extent)
        if answer.status == 416 and place and int(place[2]) == have:
            return  # the connection broke after the last byte
        if answer.status != 200 and not (place and place[1] and int(place[1]) == have):
            stream.truncate(0)
            raise Again("the server cannot continue the file where the download stopped")
        total = int(place[2]) if place else answer.length_remaining
        if total is None and not answer.chunked:
            raise Failure("the server does not say how large it is")
        if None not in (total, file.size) and total != file.size:
            raise Failure(f"the server has {total} bytes, not {file.size}")
        if answer.status == 200:
            stream.truncate(0)
            have = 0
            etag = answer.headers.get("ETag") or "W/"
            tag.write_text(
                answer.headers.get("Last-Modified", "") if etag.startswith("W/") else etag, "latin-1"
            )
        report.expect((total or have) - have)
        try:
            while piece := answer.read(_PIECE, decode_content=False):
                have += len(piece)
                stream.write(piece)
                report.advance(len(piece))
                if client.stop.is_set():
                    raise Failure("was interrupted")
        except HTTPError:
            report.expect(have - (total or have))  # the next answer adds the rest again
            raise
        if total is not None and have != total:
            raise Again(f"{have} bytes came, not {total}")


def _checked(file: PackageFile, path: Path) -> PackageFile:
    """A file with its true size and sums. Raises Again if they are not those that are given."""
    sums = {"sha256": hashlib.sha256()} | ({"md5": hashlib.md5(usedforsecurity=False)} if file.md5 else {})
    with open(path, "rb") as stream:
        while piece := stream.read(2**20):
            for each in sums.values():
                each.update(piece)
        found = replace(file, size=stream.tell(), **{name: each.hexdigest() for name, each in sums.items()})
    for what, name in (("size", "size"), ("SHA-256", "sha256"), ("MD5", "md5")):
        if getattr(file, name) not in (None, "", getattr(found, name)):
            raise Again(f"the {what} is {getattr(found, name)}, not {getattr(file, name)}")
    return found


def _length(stream: IO[bytes]) -> int:
    stream.flush()
    return os.fstat(stream.fileno()).st_size
