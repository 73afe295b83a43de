"""Download of PubMed Central's Open Access bulk packages from its server, or from a mirror of it.

The server has a folder ``<group>/xml/`` for each group of licences, and in it, each beside the list of its
files, the baseline packages and the incremental ones of every day since
(https://pmc.ncbi.nlm.nih.gov/tools/ftp/). A download can be broken off at any time and goes on where it was:
a file grows under a hidden name and takes its own when it is whole and agrees with all that is known of it.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import html
import io
import logging
import os
import re
import stat
import threading
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import urllib3
from urllib3.exceptions import HTTPError, InvalidHeader, LocationValueError

from sera import limits, servers, tsv
from sera.corpora.pmc_oa import LIST_SUFFIX, SUFFIX
from sera.errors import InputError, printable, together
from sera.files import writing
from sera.progress import Progress

log = logging.getLogger(__name__)

SERVER = "https://ftp.ncbi.nlm.nih.gov/pub/pmc/oa_bulk"
GROUPS = ("oa_comm", "oa_noncomm", "oa_other")
TABLE = "packages.tsv"  # what was downloaded into a folder, beside it

_COLUMNS = ("file", "size", "sha256", "md5", "url")
_NAME = re.compile(
    r"(?P<group>[a-z0-9_]+)_xml\.(PMC\w+\.baseline|(?P<incremental>incr))\.\d{4}-\d\d-\d\d"
    rf"({re.escape(SUFFIX)}|{re.escape(LIST_SUFFIX)})",
    re.ASCII,
)
# A link's address in a tag, found in time that grows with the page's length and no faster
_LINK = re.compile(
    r"""<a\s[^<>]*?\bhref\s*=\s*(?:"([^"<>]{1,2000})"|'([^'<>]{1,2000})'|([^\s"'<>]{1,2000}))""",
    re.IGNORECASE,
)
_SUMS = re.compile(r"(?P<kind>md5|sha256)(sums?)?(\.txt)?", re.IGNORECASE)
_SUM = re.compile(r"(?:\w+ \((?P<bsd>[^)]+)\) = )?(?P<sum>[0-9a-fA-F]{32,64})(?: [ *](?P<gnu>.+))?")
_AGAIN = (408, 429, 500, 502, 503, 504)  # answers that another try may better
_PIECE = 2**18  # bytes
_SLOWEST = 600.0  # seconds for a piece
_REDIRECTS = 5  # at most, from one address
_BREAKS = 1000  # of the connection, at most, for one file


@dataclass(frozen=True)
class PackageFile:
    """A package or the list of its files, on the server: what is known of it, None or empty if it is not."""

    file: str
    size: int | None = None  # bytes
    sha256: str = ""
    md5: str = ""
    url: str = ""


def download(
    folder: str | Path,
    *,
    server: str = SERVER,
    groups: Sequence[str] = GROUPS,
    incremental: bool = True,
    table: str | Path | None = None,
    at_once: int = 3,
    tries: int = 8,
    pause: float = 1.0,
) -> list[PackageFile]:
    """Fetch packages and their lists into ``folder``; gives them by name, each with its size and SHA-256.

    They are those that ``server`` has of the ``groups``, or exactly those of ``table`` (a file or an address;
    see `read_table`). What is there already is not fetched again. Nothing is deleted: packages of an older
    baseline stay, and `sera.corpora.pmc_oa.select` prefers the newer. ``at_once`` files are fetched side by
    side. A connection that breaks is resumed where the server can do that. Where the server does not answer,
    breaks the connection without a byte gained, or answers 408, 429 or 5xx, it is asked ``tries`` times in
    all: again at once, then after ``pause`` seconds, twice that and so on up to two minutes, or when it says,
    but no later than `limits.WAIT`. Redirects are followed, five at most, from HTTPS to HTTPS or from HTTP to
    HTTP. No credentials are sent, and an address with credentials in it is refused.

    Every file is checked against the size and the checksums that the server or the table gives. What was
    fetched is written to ``folder/packages.tsv``, which can serve as ``table`` to fetch the same elsewhere.
    Shows progress where standard error is a terminal.

    Raises InputError when files could not be fetched, after all others were; they can be resumed.
    """
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise InputError(
            f"is no folder and cannot be made one: {getattr(error, 'strerror', error)}", path=folder
        ) from None
    if table is None and (wrong := servers.fault(server)):
        raise InputError(f"the address of the server {wrong}", remedy=_ADDRESS)
    if at_once < 1 or tries < 1:
        raise InputError(f"{at_once} files at once, {tries} tries", remedy="Each is 1 or more.")
    client = _Client(at_once, tries, pause)
    if table is None:
        files = _listing(client, server, groups, incremental)
    else:
        files = _table(client, table, server)
    known = {each.file: each for each in read_table(folder / TABLE)} if (folder / TABLE).exists() else {}
    known = {name: each for name, each in known.items() if (folder / name).is_file()}
    done: list[PackageFile] = []
    failed: dict[str, str] = {}
    with (
        Progress("bytes fetched") as told,
        ThreadPoolExecutor(at_once) as threads,
    ):
        fetch = _Fetch(client, folder, known, told)
        jobs = {threads.submit(fetch, each): each for each in files}
        try:
            for job in as_completed(jobs):
                name = jobs[job].file
                try:
                    done.append(job.result())
                except (_Failure, InputError) as error:
                    failed[name] = str(error)
                    log.error("%s", printable(f"{jobs[job].url}: {error}"))
                else:
                    if known.get(name) != done[-1]:
                        known[name] = done[-1]
                        write_table(folder / TABLE, known.values())
        finally:  # at an interruption the others stop soon, and keep what they have
            client.stop.set()
            threads.shutdown(cancel_futures=True)
    if failed:
        name = min(failed)
        raise InputError(
            f"{len(failed)} of {len(files)} files could not be fetched; {name}: {failed[name]}",
            path=folder,
            remedy="Run it again: it goes on where it was.",
        )
    return sorted(done, key=lambda each: each.file)


# --- what there is --------------------------------------------------------------------------------


def _listing(client: _Client, server: str, groups: Sequence[str], incremental: bool) -> list[PackageFile]:
    """The packages and lists in the server's folders, by name, from the links on the folders' pages.

    Checksums are taken from the files beside them, where there are such: ``<file>.md5``, ``<file>.sha256``,
    ``MD5SUMS`` and ``SHA256SUMS``. Raises InputError for a group that is not PMC's, a folder that cannot be
    read and one that has no package.
    """
    files: dict[str, PackageFile] = {}
    for group in groups:
        if group not in GROUPS:
            raise InputError(f"there is no group {group!r}", remedy=f"There are: {', '.join(GROUPS)}.")
        address = f"{server.rstrip('/')}/{group}/xml/"
        sums: dict[tuple[str, str], str] = {}
        found: dict[str, PackageFile] = {}
        for url in _links(address, _text(client.page(address))):
            name = unquote(url.removeprefix(address))  # a link to elsewhere keeps slashes, and is no name
            match = _NAME.fullmatch(name)
            stem, _, ending = name.rpartition(".")
            if match and match["group"] == group and (incremental or not match["incremental"]):
                found[name] = PackageFile(name, url=url)
            elif sums_file := _SUMS.fullmatch(name):
                sums |= _checksums(_text(client.page(url)), sums_file["kind"].lower(), "")
            elif ending in ("md5", "sha256") and _NAME.fullmatch(stem):
                sums |= _checksums(_text(client.page(url)), ending, stem)
        if not any(name.endswith(SUFFIX) for name in found):
            raise InputError(f"the page links to no package of {group}", path=address)
        for (kind, name), value in sums.items():
            if name in found:
                file = found[name]
                found[name] = replace(file, md5=value) if kind == "md5" else replace(file, sha256=value)
        files |= found
    return [files[name] for name in sorted(files)]


def _text(page: bytes) -> str:
    return page.decode("utf-8", "replace")


def _links(address: str, page: str) -> Iterator[str]:
    """Where a page's links lead, each once; what is no address is passed over."""
    for link in dict.fromkeys(html.unescape("".join(found)) for found in _LINK.findall(page)):
        with contextlib.suppress(ValueError):
            yield urljoin(address, link.strip())


def _checksums(text: str, kind: str, only: str) -> dict[tuple[str, str], str]:
    """Of a file that md5sum, sha256sum or BSD's md5 wrote, or that holds the one sum of ``only``."""
    found = {}
    for line in text.splitlines():
        match = _SUM.fullmatch(line.strip())
        if match and len(match["sum"]) == {"md5": 32, "sha256": 64}[kind]:
            name = (match["bsd"] or match["gnu"] or only).rpartition("/")[2]
            found[kind, only or name] = match["sum"].lower()
    return found


_ADDRESS = "Give an address such as https://server/folder; no user and password: none are sent."


def _table(client: _Client, table: str | Path, server: str) -> list[PackageFile]:
    """The files of a table, each with its full address."""
    base = str(table) if "://" in str(table) else ""
    if base and (wrong := servers.fault(base)):
        raise InputError(f"the address of the table of files {wrong}", remedy=_ADDRESS)

    def address(file: PackageFile) -> str:
        match = _NAME.fullmatch(file.file)
        home = f"{server.rstrip('/')}/{match['group']}/xml/{file.file}" if match else file.file
        try:
            return urljoin(base, file.url or home) if base else file.url or home
        except ValueError:
            return file.url

    return _read(table, client.page(base) if base else None, address)


def read_table(path: str | Path) -> list[PackageFile]:
    """A table of files: TSV with the header ``file size sha256 md5 url``.

    Every cell but the first may be empty: what is not known is not checked, and a file of PMC's without an
    address is looked for where the server has it. Raises InputError with the lines, up to ten.
    """
    return _read(path, None)


def _read(
    path: str | Path, content: bytes | None, address: Callable[[PackageFile], str] | None = None
) -> list[PackageFile]:
    """The files of a table, or of its ``content``; ``address`` says where each is, if that is asked."""
    table = tsv.read(path, ["file"], content=content)
    files: dict[str, PackageFile] = {}
    faults: list[InputError] = []
    columns = [list(table[column]) if column in table else [""] * len(table) for column in _COLUMNS]
    for line, *row in zip(table.index, *columns, strict=True):
        cells = dict(zip(_COLUMNS, map(str.strip, row), strict=True))
        try:
            file = _package(cells, files)
            if address:
                file = replace(file, url=_checked_address(file.file, address(file)))
            files[file.file] = file
        except _Failure as error:
            faults.append(InputError(str(error), path=path, line=int(line), remedy=_COLUMNS_ARE))
    if fault := together(faults):
        raise fault
    return list(files.values())


_COLUMNS_ARE = f"A table of files has the columns {' '.join(_COLUMNS)}, tabs between."


def _package(cells: dict[str, str], files: dict[str, PackageFile]) -> PackageFile:
    """What the cells of a row say. Raises _Failure for what they may not be."""
    size, name, problem = cells.pop("size"), cells["file"], None
    if not re.fullmatch(r"[A-Za-z0-9][\w.+-]{0,199}", name, re.ASCII) or name == TABLE:
        problem = f"{name[:100]!r} is no file's plain name"
    elif name in files:
        problem = f"{name} is there twice"
    elif not re.fullmatch(r"[0-9]{0,18}", size):
        problem = f"the size {size[:40]!r} is no number of bytes"
    elif not re.fullmatch(r"([0-9a-fA-F]{64})?", cells["sha256"]):
        problem = f"{cells['sha256'][:100]!r} is no SHA-256"
    elif not re.fullmatch(r"([0-9a-fA-F]{32})?", cells["md5"]):
        problem = f"{cells['md5'][:100]!r} is no MD5"
    if problem:
        raise _Failure(problem)
    cells |= {kind: cells[kind].lower() for kind in ("sha256", "md5")}
    return PackageFile(size=int(size) if size else None, **cells)


def _checked_address(name: str, url: str) -> str:
    if wrong := servers.fault(url):
        raise _Failure(f"{name} has no address that can be asked: {servers.shown(url)} {wrong}")
    return url


def write_table(path: str | Path, files: Iterable[PackageFile]) -> None:
    """Write the table that `read_table` reads, by name."""
    with writing(path) as stream:
        stream.write("\t".join(_COLUMNS) + "\n")
        for each in sorted(files, key=lambda each: each.file):
            size = "" if each.size is None else str(each.size)
            stream.write("\t".join((each.file, size, each.sha256, each.md5, each.url)) + "\n")


# --- fetching -------------------------------------------------------------------------------------


class _Failure(Exception):
    """A file cannot be fetched, and asking again would not help."""


class _Mismatch(HTTPError):
    """What was fetched is not what it should be, and of no use."""


class _Client:
    """Asks servers, and asks again."""

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
        """The answer, its content not yet read. Raises _Failure."""
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
                raise _Failure(f"{error}") from None
            except HTTPError as error:
                retries = self.again(retries, url, error)
                continue
            if response.status in _AGAIN:
                response.close()
                retries = self.again(
                    retries, url, HTTPError(_status(response)), servers.wait(response.headers)
                )
                continue
            location = response.get_redirect_location()
            if not location:
                return response
            response.close()
            redirects += 1
            if redirects > _REDIRECTS:
                raise _Failure(f"the server redirects more than {_REDIRECTS} times")
            at = _redirected(at, location)

    def page(self, url: str) -> bytes:
        """What an address has, whole. Raises InputError."""
        try:
            retries = self.retries
            while True:
                response = self.ask("GET", url)
                if response.status != 200:
                    response.close()
                    raise _Failure(_status(response))
                try:
                    return servers.content(response, path=url)
                except HTTPError as error:
                    retries = self.again(retries, url, error)
        except _Failure as error:
            raise InputError(f"cannot be read: {error}", path=url) from None

    def again(self, retries: urllib3.Retry, url: str, error: HTTPError, wait: float = 0.0) -> urllib3.Retry:
        """Wait before the next try, ``wait`` seconds if it is given. Raises _Failure if it is not to be."""
        try:
            retries = retries.increment("GET", url, error=error)
        except HTTPError:
            raise _Failure(f"{error}") from None
        log.warning("%s", printable(f"{url}: {error}; trying again"))
        if self.stop.wait(wait or retries.get_backoff_time()):
            raise _Failure("was interrupted")
        return retries

    def _pool(self, url: str) -> urllib3.PoolManager:
        """Connections, through the proxy that the environment names for this address, if any."""
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
        except (HTTPError, ValueError):  # the address may hold a password: it is not repeated
            raise _Failure(
                f"the environment's proxy for {scheme} has no address of http:// or https://"
            ) from None
        manager = make or urllib3.PoolManager(**self._settings)
        manager.pool_classes_by_scheme = {"http": _Http, "https": _Https}
        return manager


class _Http(urllib3.HTTPConnectionPool):
    ConnectionCls = servers.bounded(urllib3.HTTPConnectionPool.ConnectionCls)


class _Https(urllib3.HTTPSConnectionPool):
    ConnectionCls = servers.bounded(urllib3.HTTPSConnectionPool.ConnectionCls)


def _status(response: urllib3.BaseHTTPResponse) -> str:
    return f"the server answers {response.status} {(response.reason or '')[:100]}".rstrip()


def _redirected(at: str, location: str) -> str:
    """Where a redirect leads. Raises _Failure for another scheme, and for what is no address."""
    try:
        target = urljoin(at, location)
    except ValueError:
        target = ""
    if wrong := servers.fault(target):
        raise _Failure(f"the server redirects to an address that {wrong}")
    here, there = urlsplit(at).scheme, urlsplit(target).scheme
    if here != there:
        raise _Failure(
            f"the server redirects from {here} to {there}; give an address of {there} if that is right"
        )
    return target


class _Fetch:
    """Fetches one file into the folder, unless it is there; called in several threads."""

    def __init__(self, client: _Client, folder: Path, known: dict[str, PackageFile], told: Progress) -> None:
        self._client, self._folder, self._known, self._told = client, folder, dict(known), told
        self._lock = threading.Lock()

    def __call__(self, file: PackageFile) -> PackageFile:
        target = self._folder / file.file
        if os.path.lexists(target):
            if target.is_file() and (there := self._there(file, target)):
                log.info("%s is there", file.file)
                return there
            if target.is_symlink() or not target.is_file():
                raise _Failure("something else has this name in the folder; move it away")
        aside, tag = target.with_name(f".{file.file}.part"), target.with_name(f".{file.file}.tag")
        with _own(aside, "ab") as stream:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise _Failure("is being fetched by another process") from None
            if not _is_at(stream, aside):
                raise _Failure("was fetched by another process meanwhile")
            try:
                fetched = self._whole(file, stream, tag)
            except _Failure:
                if not _length(stream):
                    aside.unlink()
                raise
            if target.is_dir() or target.is_symlink():
                raise _Failure("something else has this name in the folder; move it away")
            _forget(tag)
            os.replace(aside, target)
        log.info("%s: %d bytes fetched", file.file, fetched.size)
        return fetched

    def _whole(self, file: PackageFile, stream: io.BufferedWriter, tag: Path) -> PackageFile:
        """Go on with what is aside until it is whole and right."""
        retries, spoiled = self._client.retries, False
        for _ in range(_BREAKS):
            before = _length(stream)
            try:
                self._receive(file, stream, tag)
                return _checked(file, os.dup(stream.fileno()))
            except _Mismatch as error:
                stream.truncate(0)
                if spoiled:  # a wrong checksum once may be the network's, twice it is the server's
                    raise _Failure(str(error)) from None
                retries, spoiled = self._client.again(retries, file.url, error), True
            except HTTPError as error:
                if _length(stream) > before:
                    retries = self._client.retries
                retries = self._client.again(retries, file.url, error)
        raise _Failure(f"the connection broke {_BREAKS} times")

    def _there(self, file: PackageFile, target: Path) -> PackageFile | None:
        """What is known of a file that is in the folder already; None if it has to be fetched.

        One that `packages.tsv` tells of is taken for what it was if its size is, without reading it.
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
        except _Mismatch:
            return None

    def _receive(self, file: PackageFile, stream: io.BufferedWriter, tag: Path) -> None:
        """Bring what is aside to its full length. Raises HTTPError if it is not, and _Failure."""
        have = _length(stream)
        headers = {}
        if have:
            headers["Range"] = f"bytes={have}-"
            if version := _read_tag(tag):  # what is there is a part of it, or the answer is the whole
                headers["If-Range"] = version
        with contextlib.closing(self._client.ask("GET", file.url, **headers)) as response:
            start, total = _extent(response)
            if response.status == 416 and have and total == have:
                return  # broken off after the last byte
            if response.status == 416 or (response.status == 206 and start != have):
                raise _Mismatch("the server cannot go on where it was")
            if response.status not in (200, 206):
                raise _Failure(_status(response))
            if file.size is not None and total is not None and total != file.size:
                raise _Failure(f"the server has {total} bytes, not {file.size}")
            if total is None and file.size is None and not getattr(response, "chunked", False):
                raise _Failure("the server does not say how large it is")
            largest = limits.DOWNLOAD.value
            most = next(size for size in (total, file.size, largest) if size is not None)
            if most > largest:
                raise limits.DOWNLOAD.passed()
            if start == 0:
                stream.truncate(0)
                _write_tag(tag, response)
            with self._lock:
                self._told.expect((total or 0) - start)
            try:
                with servers.deadline(response, _SLOWEST) as deadline:
                    while piece := response.read(_PIECE, decode_content=False):
                        start += len(piece)
                        if start > most:
                            raise _Mismatch(f"more than {most} bytes came")
                        stream.write(piece)
                        deadline.extend()
                        with self._lock:
                            self._told.advance(len(piece))
                        if self._client.stop.is_set():
                            raise _Failure("was interrupted")
            finally:
                stream.flush()
                with self._lock:  # what this answer still owed will be promised again
                    self._told.expect(-max(0, (total or 0) - _length(stream)))
            if total is not None and _length(stream) != total:
                raise _Mismatch(f"{_length(stream)} bytes came, not {total}")


def _extent(response: urllib3.BaseHTTPResponse) -> tuple[int, int | None]:
    """Where in the file the answer starts, and the file's whole length if the server tells."""
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
    """Remember the version of which a part is aside: a strong entity tag, or else the time of change."""
    entity = response.headers.get("ETag", "")
    version = entity if entity and not entity.startswith("W/") else response.headers.get("Last-Modified", "")
    if _TAG.fullmatch(version):
        with _own(tag, "ab") as stream:
            stream.truncate(0)
            stream.write(version.encode("latin-1"))
    else:
        _forget(tag)


_TAG = re.compile(r"[\x21-\x7e\x80-\xff][\x20-\x7e\x80-\xff]{0,499}")  # that a header can have


def _read_tag(tag: Path) -> str:
    """The version of what is aside; empty if it is not known. Raises _Failure."""
    if not os.path.lexists(tag):
        return ""
    with _own(tag, "rb") as stream:
        version = stream.read(1000).decode("latin-1")
    return version if _TAG.fullmatch(version) else ""


def _forget(tag: Path) -> None:
    """Remove a tag, if there is one. Raises _Failure for what a download did not leave."""
    if os.path.lexists(tag):
        _own(tag, "rb").close()
        tag.unlink()


def _own(path: Path, mode: str) -> Any:
    """Open a file of one's own under a hidden name; made if it is to be written.

    Raises _Failure for a link, a file that has other names too, another user's, and what is no file: none of
    these was left by an earlier download.
    """
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT if mode == "ab" else os.O_RDONLY
    try:
        descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise _Failure(f"{path.name} cannot be opened ({error.strerror}); move it away") from None
    there = os.fstat(descriptor)
    if not stat.S_ISREG(there.st_mode) or there.st_nlink > 1 or there.st_uid != os.geteuid():
        os.close(descriptor)
        raise _Failure(f"{path.name} is no file that a download left; move it away")
    return os.fdopen(descriptor, mode)


def _is_at(stream: io.BufferedWriter, path: Path) -> bool:
    """Whether an open file still has its name."""
    try:
        return os.path.samestat(os.fstat(stream.fileno()), os.lstat(path))
    except FileNotFoundError:
        return False


def _checked(file: PackageFile, path: Path | int) -> PackageFile:
    """A file, by path or by a descriptor that is closed, with its true size and sums.

    Raises _Mismatch if they are not those that are known.
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
            raise _Mismatch(f"the {name} is {found[what]}, not {expected}")
    return replace(file, **found)


def _length(stream: io.BufferedWriter) -> int:
    stream.flush()
    return os.fstat(stream.fileno()).st_size
