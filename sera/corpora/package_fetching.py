"""Download files, several at a time: each has a temporary, hidden name until its checksums are right."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import io
import logging
import os
import re
import stat
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path
from typing import Any

import urllib3
from urllib3.exceptions import HTTPError

from sera import limits, servers
from sera.corpora.package_catalogue import PackageFile
from sera.corpora.web_client import Client, Failure, Mismatch, status_line
from sera.errors import InputError, printable
from sera.progress import Progress

log = logging.getLogger(__name__)

_PIECE = 2**18  # bytes
_SLOWEST = 600.0  # seconds within which each piece must arrive
_BREAKS = 1000  # the most times that the connection may break for one file


def make_folder(folder: Path) -> None:
    """Create a folder for downloads unless it is there; InputError if that is not possible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise InputError(
            f"is no folder and cannot be made one: {getattr(error, 'strerror', error)}",
            path=folder,
            remedy="Name another folder.",
        ) from None


def fetch_all(
    client: Client,
    files: Sequence[PackageFile],
    folder: Path,
    at_once: int,
    *,
    known: dict[str, PackageFile] | None = None,
    keep: Callable[[PackageFile], None] = lambda file: None,
) -> list[PackageFile]:
    """Download files into a folder that is there, ``at_once`` at a time, each as `Fetch` does.

    ``known`` is that of `Fetch`. ``keep`` is called with each file that is complete, in the caller's thread.
    Returns the files by name, each with its size and SHA-256. InputError, after all other files, for files
    that could not be downloaded; a new call resumes them. The client is stopped at the end.
    """
    done: list[PackageFile] = []
    failed: dict[str, str] = {}
    with Progress("bytes fetched") as report, ThreadPoolExecutor(at_once) as threads:
        fetch = Fetch(client, folder, known or {}, report)
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
        raise InputError(
            f"{len(failed)} of {len(files)} files could not be fetched; {name}: {failed[name]}",
            path=folder,
            remedy="Run the same command again: it continues the download.",
        )
    return sorted(done, key=lambda each: each.file)


class Fetch:
    """Downloads a file into the folder unless it is there already; several threads may call it.

    The name of a file may have folders in it, which are there. ``known``: the files that ``packages.tsv``
    lists, by name. A call returns the file with its size and
    SHA-256, and raises Failure if it cannot be downloaded.
    """

    def __init__(
        self, client: Client, folder: Path, known: dict[str, PackageFile], progress: Progress
    ) -> None:
        self._client, self._folder, self._known, self._progress = client, folder, dict(known), progress
        self._lock = threading.Lock()

    def __call__(self, file: PackageFile) -> PackageFile:
        target = self._folder / file.file
        if os.path.lexists(target):
            if target.is_file() and (there := self._there(file, target)):
                log.info("%s is there already", file.file)
                return there
            if target.is_symlink() or not target.is_file():
                raise Failure("something else has this name in the folder; move it away")
        aside, tag = (target.with_name(f".{target.name}.{end}") for end in ("part", "tag"))
        with _own(aside, "ab") as stream:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise Failure("is being fetched by another process") from None
            if not _is_at(stream, aside):
                raise Failure("was fetched by another process in the meantime")
            try:
                fetched = self._whole(file, stream, tag)
            except Failure:
                if not _length(stream):
                    aside.unlink()
                raise
            if target.is_dir() or target.is_symlink():
                raise Failure("something else has this name in the folder; move it away")
            _forget(tag)
            os.replace(aside, target)
        log.info("%s: %d bytes fetched", file.file, fetched.size)
        return fetched

    def _whole(self, file: PackageFile, stream: io.BufferedWriter, tag: Path) -> PackageFile:
        """Download the rest of a file until it is complete and right."""
        retries, spoiled = self._client.retries, False
        for _ in range(_BREAKS):
            before = _length(stream)
            try:
                self._receive(file, stream, tag)
                return _checked(file, os.dup(stream.fileno()))
            except Mismatch as error:
                stream.truncate(0)
                if spoiled:  # a first wrong checksum may be the network's fault, a second one is the server's
                    raise Failure(str(error)) from None
                retries, spoiled = self._client.again(retries, file.url, error), True
            except HTTPError as error:
                if _length(stream) > before:
                    retries = self._client.retries
                retries = self._client.again(retries, file.url, error)
        raise Failure(f"the connection broke {_BREAKS} times")

    def _there(self, file: PackageFile, target: Path) -> PackageFile | None:
        """The size and checksums of a file that is in the folder already; None if it must be downloaded.

        If `packages.tsv` lists the file with the same size, the file is not read.
        """
        known = self._known.get(file.file)
        size = target.stat().st_size
        if known and known.size == size:
            wanted = ((file.size, known.size), (file.sha256, known.sha256), (file.md5, known.md5))
            if all(not asked or asked == had for asked, had in wanted):
                return replace(known, url=file.url)
        if file.size is None and not (file.sha256 or file.md5):  # put there by other means
            with contextlib.closing(self._client.ask("HEAD", file.url)) as response:
                if response.status != 200 or response.headers.get("Content-Length") != str(size):
                    return None
        try:
            return _checked(file, target)
        except Mismatch:
            return None

    def _receive(self, file: PackageFile, stream: io.BufferedWriter, tag: Path) -> None:
        """Download the missing bytes of a file.

        Raises HTTPError if the file is still incomplete or the server's answer does not fit, and Failure if
        another try would not help.
        """
        have = _length(stream)
        headers = {}
        if have:
            headers["Range"] = f"bytes={have}-"
            if version := _read_tag(tag):  # if the server has another version now, it sends the whole file
                headers["If-Range"] = version
        with contextlib.closing(self._client.ask("GET", file.url, **headers)) as response:
            start, total = _extent(response)
            if response.status == 416 and have and total == have:
                return  # the connection broke after the last byte
            if response.status == 416 or (response.status == 206 and start != have):
                raise Mismatch("the server cannot continue the file where the download stopped")
            if response.status not in (200, 206):
                raise Failure(status_line(response))
            if file.size is not None and total is not None and total != file.size:
                raise Failure(f"the server has {total} bytes, not {file.size}")
            if total is None and file.size is None and not getattr(response, "chunked", False):
                raise Failure("the server does not say how large it is")
            largest = limits.DOWNLOAD.value
            most = next(size for size in (total, file.size, largest) if size is not None)
            if most > largest:
                raise limits.DOWNLOAD.passed()
            if start == 0:
                stream.truncate(0)
                _write_tag(tag, response)
            with self._lock:
                self._progress.expect((total or 0) - start)
            try:
                with servers.deadline(response, _SLOWEST) as deadline:
                    while piece := response.read(_PIECE, decode_content=False):
                        start += len(piece)
                        if start > most:
                            raise Mismatch(f"more than {most} bytes came")
                        stream.write(piece)
                        deadline.extend()
                        with self._lock:
                            self._progress.advance(len(piece))
                        if self._client.stop.is_set():
                            raise Failure("was interrupted")
            finally:
                stream.flush()
                with self._lock:  # the next answer adds the missing bytes to the total again
                    self._progress.expect(-max(0, (total or 0) - _length(stream)))
            if total is not None and _length(stream) != total:
                raise Mismatch(f"{_length(stream)} bytes came, not {total}")


def _extent(response: urllib3.BaseHTTPResponse) -> tuple[int, int | None]:
    """Where in the file the answer starts (-1: unknown), and the file's length if the server gives it."""
    if response.status in (206, 416):
        match = re.fullmatch(
            r"bytes (?:([0-9]{1,18})-[0-9]{1,18}|\*)/([0-9]{1,18}|\*)",
            response.headers.get("Content-Range", ""),
        )
        if not match:
            return -1, None
        return int(match[1] or 0), None if match[2] == "*" else int(match[2])
    length = response.headers.get("Content-Length", "")
    return 0, int(length) if re.fullmatch("[0-9]{1,18}", length) else None


def _write_tag(tag: Path, response: urllib3.BaseHTTPResponse) -> None:
    """Save the version of an incomplete file: a strong entity tag, or else the time of the last change."""
    entity = response.headers.get("ETag", "")
    version = entity if entity and not entity.startswith("W/") else response.headers.get("Last-Modified", "")
    if _TAG.fullmatch(version):
        with _own(tag, "ab") as stream:
            stream.truncate(0)
            stream.write(version.encode("latin-1"))
    else:
        _forget(tag)


_TAG = re.compile(r"[\x21-\x7e\x80-\xff][\x20-\x7e\x80-\xff]{0,499}")  # characters that a header can have


def _read_tag(tag: Path) -> str:
    """The version of an incomplete file; empty if it is unknown. Raises Failure as `_own` does."""
    if not os.path.lexists(tag):
        return ""
    with _own(tag, "rb") as stream:
        version = stream.read(1000).decode("latin-1")
    return version if _TAG.fullmatch(version) else ""


def _forget(tag: Path) -> None:
    """Remove the file with the version, if there is one. Raises Failure as `_own` does."""
    if os.path.lexists(tag):
        _own(tag, "rb").close()
        tag.unlink()


def _own(path: Path, mode: str) -> Any:
    """Open a hidden file that a download left; mode "ab" creates it if it is missing.

    Raises Failure for a link, a file with several names, another user's file and anything that is no file: no
    download left these.
    """
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT if mode == "ab" else os.O_RDONLY
    try:
        descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise Failure(f"{path.name} cannot be opened ({error.strerror}); move it away") from None
    there = os.fstat(descriptor)
    if not stat.S_ISREG(there.st_mode) or there.st_nlink > 1 or there.st_uid != os.geteuid():
        os.close(descriptor)
        raise Failure(f"{path.name} is no file that a download left; move it away")
    return os.fdopen(descriptor, mode)


def _is_at(stream: io.BufferedWriter, path: Path) -> bool:
    """Whether an open file still has the name ``path``."""
    try:
        return os.path.samestat(os.fstat(stream.fileno()), os.lstat(path))
    except FileNotFoundError:
        return False


def _checked(file: PackageFile, path: Path | int) -> PackageFile:
    """A file with its true size and checksums; ``path`` may be a descriptor, which is then closed.

    Raises Mismatch if they are not those that the server or the table gives.
    """
    sha256, md5 = hashlib.sha256(), hashlib.md5(usedforsecurity=False) if file.md5 else None
    with open(path, "rb") as stream:
        stream.seek(0)
        while piece := stream.read(2**20):
            sha256.update(piece)
            if md5:
                md5.update(piece)
        size = stream.tell()
    found: dict[str, Any] = {
        "size": size,
        "sha256": sha256.hexdigest(),
        "md5": md5.hexdigest() if md5 else "",
    }
    for what, name in (("size", "size"), ("sha256", "SHA-256"), ("md5", "MD5")):
        expected = getattr(file, what)
        if expected not in (None, "", found[what]):
            raise Mismatch(f"the {name} is {found[what]}, not {expected}")
    return replace(file, **found)


def _length(stream: io.BufferedWriter) -> int:
    stream.flush()
    return os.fstat(stream.fileno()).st_size
