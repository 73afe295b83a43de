"""Download of PubMed Central's Open Access bulk packages from its server, or from a mirror of it.

The server has a folder ``<group>/xml/`` for each group of licences, and in it, each beside the list of its
files, the baseline packages and the incremental ones of every day since
(https://pmc.ncbi.nlm.nih.gov/tools/ftp/). A download can be broken off at any time and goes on where it was:
a file grows under a hidden name and takes its own when it is whole and agrees with all that is known of it.
"""

from __future__ import annotations

import contextlib
import csv
import fcntl
import hashlib
import io
import logging
import os
import re
import threading
import urllib.request
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import urllib3
from urllib3.exceptions import HTTPError, MaxRetryError

from sera.corpora.pmc_oa import LIST_SUFFIX, SUFFIX
from sera.errors import InputError
from sera.files import writing
from sera.progress import Progress

log = logging.getLogger(__name__)

SERVER = "https://ftp.ncbi.nlm.nih.gov/pub/pmc/oa_bulk"
GROUPS = ("oa_comm", "oa_noncomm", "oa_other")
TABLE = "packages.tsv"  # what was downloaded into a folder, beside it

_COLUMNS = ("file", "size", "sha256", "md5", "url")
_NAME = re.compile(
    r"(?P<group>[a-z0-9_]+)_xml\.(PMC\w+\.baseline|(?P<incremental>incr))\.\d{4}-\d\d-\d\d"
    rf"({re.escape(SUFFIX)}|{re.escape(LIST_SUFFIX)})"
)
_SUMS = re.compile(r"(?P<kind>md5|sha256)(sums?)?(\.txt)?", re.IGNORECASE)
_SUM = re.compile(r"(?:\w+ \((?P<bsd>[^)]+)\) = )?(?P<sum>[0-9a-fA-F]{32,64})(?: [ *](?P<gnu>.+))?")
_AGAIN = (408, 429, 500, 502, 503, 504)  # answers that another try may better
_LARGEST_PAGE = 2**26  # bytes of a folder's page, a table or a list of checksums
_PIECE = 2**18  # bytes


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
    all: again at once, then after ``pause`` seconds, twice that and so on up to two minutes, or when it says.

    Every file is checked against the size and the checksums that the server or the table gives. What was
    fetched is written to ``folder/packages.tsv``, which can serve as ``table`` to fetch the same elsewhere.
    Shows progress where standard error is a terminal.

    Raises InputError when files could not be fetched, after all others were; they can be resumed.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
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
                except _Failure as error:
                    failed[name] = str(error)
                    log.error("%s: %s", jobs[job].url, error)
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
        links = _Links()
        links.feed(client.page(address))
        sums: dict[tuple[str, str], str] = {}
        found: dict[str, PackageFile] = {}
        for link in links.found:
            url = urljoin(address, link)
            name = unquote(url.removeprefix(address))  # a link to elsewhere keeps slashes, and is no name
            match = _NAME.fullmatch(name)
            stem, _, ending = name.rpartition(".")
            if match and match["group"] == group and (incremental or not match["incremental"]):
                found[name] = PackageFile(name, url=url)
            elif sums_file := _SUMS.fullmatch(name):
                sums |= _checksums(client.page(url), sums_file["kind"].lower(), "")
            elif ending in ("md5", "sha256") and _NAME.fullmatch(stem):
                sums |= _checksums(client.page(url), ending, stem)
        if not any(name.endswith(SUFFIX) for name in found):
            raise InputError(f"the page links to no package of {group}", path=address)
        for (kind, name), value in sums.items():
            if name in found:
                file = found[name]
                found[name] = replace(file, md5=value) if kind == "md5" else replace(file, sha256=value)
        files |= found
    return [files[name] for name in sorted(files)]


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.found += [value for name, value in attrs if name == "href" and value]


def _checksums(text: str, kind: str, only: str) -> dict[tuple[str, str], str]:
    """Of a file that md5sum, sha256sum or BSD's md5 wrote, or that holds the one sum of ``only``."""
    found = {}
    for line in text.splitlines():
        match = _SUM.fullmatch(line.strip())
        if match and len(match["sum"]) == {"md5": 32, "sha256": 64}[kind]:
            name = (match["bsd"] or match["gnu"] or only).rpartition("/")[2]
            found[kind, only or name] = match["sum"].lower()
    return found


def _table(client: _Client, table: str | Path, server: str) -> list[PackageFile]:
    """The files of a table, each with its full address."""
    base = str(table) if str(table).startswith(("http://", "https://")) else ""
    files = _parse(client.page(base), base) if base else read_table(table)
    for number, each in enumerate(files):
        match = _NAME.fullmatch(each.file)
        home = f"{server.rstrip('/')}/{match['group']}/xml/{each.file}" if match else each.file
        url = urljoin(base, each.url or home) if base else each.url or home
        if not url.startswith(("http://", "https://")):
            raise InputError(f"{each.file} has no address: {url!r}", path=table, line=number + 2)
        files[number] = replace(each, url=url)
    return files


def read_table(path: str | Path) -> list[PackageFile]:
    """A table of files: TSV with the header ``file size sha256 md5 url``.

    Every cell but the first may be empty: what is not known is not checked, and a file of PMC's without an
    address is looked for where the server has it. Raises InputError with the line.
    """
    try:
        return _parse(Path(path).read_text(encoding="utf-8"), path)
    except FileNotFoundError:
        raise InputError("there is no such table of files", path=path) from None
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text", path=path) from None


def _parse(text: str, path: str | Path) -> list[PackageFile]:
    remedy = f"A table of files has the columns {' '.join(_COLUMNS)}, tabs between."
    rows = csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE)
    if "file" not in (rows.fieldnames or ()):
        raise InputError("has no column 'file'", path=path, line=1, remedy=remedy)
    files: dict[str, PackageFile] = {}
    for row in rows:
        cells = {column: (row.get(column) or "").strip() for column in _COLUMNS}
        size, name = cells.pop("size"), cells["file"]
        problem = None
        if not re.fullmatch(r"[A-Za-z0-9][\w.+-]*", name, re.ASCII) or name == TABLE:
            problem = f"{name!r} is no file's plain name"
        elif name in files:
            problem = f"{name} is there twice"
        elif not re.fullmatch(r"[0-9]*", size):
            problem = f"the size {size!r} is no number of bytes"
        elif not re.fullmatch(r"([0-9a-fA-F]{64})?", cells["sha256"]):
            problem = f"{cells['sha256']!r} is no SHA-256"
        elif not re.fullmatch(r"([0-9a-fA-F]{32})?", cells["md5"]):
            problem = f"{cells['md5']!r} is no MD5"
        if problem:
            raise InputError(problem, path=path, line=rows.line_num, remedy=remedy)
        cells |= {kind: cells[kind].lower() for kind in ("sha256", "md5")}
        files[name] = PackageFile(size=int(size) if size else None, **cells)
    return list(files.values())


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
            redirect=5,
            backoff_factor=pause / 2,  # urllib3 does not wait before the second try, and then twice this
            backoff_max=120,
            status_forcelist=_AGAIN,
            respect_retry_after_header=True,
            allowed_methods=("GET", "HEAD"),
        )
        self._settings: dict[str, Any] = {"maxsize": at_once, "timeout": urllib3.Timeout(connect=30, read=60)}
        self._pools: dict[str | None, urllib3.PoolManager] = {}
        self._lock = threading.Lock()

    def ask(self, method: str, url: str, **headers: str) -> urllib3.BaseHTTPResponse:
        """The answer, its content not yet read. Raises _Failure."""
        try:
            return self._pool(url).request(
                method,
                url,
                headers={"Accept-Encoding": "identity", **headers},
                preload_content=False,
                retries=self.retries,
            )
        except MaxRetryError as error:
            raise _Failure(f"{error.reason}") from None
        except HTTPError as error:
            raise _Failure(f"{error}") from None

    def page(self, url: str) -> str:
        """A text, whole. Raises InputError."""
        try:
            retries = self.retries
            while True:
                with contextlib.closing(self.ask("GET", url)) as response:
                    if response.status != 200:
                        raise _Failure(f"the server answers {response.status} {response.reason or ''}")
                    try:
                        content = response.read(_LARGEST_PAGE + 1)
                        break
                    except HTTPError as error:
                        retries = self.again(retries, url, error)
            if len(content) > _LARGEST_PAGE:
                raise _Failure(f"is larger than {_LARGEST_PAGE} bytes")
            return content.decode("utf-8", "replace")
        except _Failure as error:
            raise InputError(f"cannot be read: {error}", path=url) from None

    def again(self, retries: urllib3.Retry, url: str, error: HTTPError) -> urllib3.Retry:
        """Wait before the next try. Raises _Failure if it is not to be."""
        try:
            retries = retries.increment("GET", url, error=error)
        except HTTPError:
            raise _Failure(f"{error}") from None
        log.warning("%s: %s; trying again", url, error)
        if self.stop.wait(retries.get_backoff_time()):
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
                make = urllib3.ProxyManager(proxy, **self._settings) if proxy else None
                self._pools[proxy] = make or urllib3.PoolManager(**self._settings)
            return self._pools[proxy]


class _Fetch:
    """Fetches one file into the folder, unless it is there; called in several threads."""

    def __init__(self, client: _Client, folder: Path, known: dict[str, PackageFile], told: Progress) -> None:
        self._client, self._folder, self._known, self._told = client, folder, dict(known), told
        self._lock = threading.Lock()

    def __call__(self, file: PackageFile) -> PackageFile:
        target = self._folder / file.file
        if target.is_file() and (there := self._there(file, target)):
            log.info("%s is there", file.file)
            return there
        aside, tag = target.with_name(f".{file.file}.part"), target.with_name(f".{file.file}.tag")
        with open(aside, "ab") as stream:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise _Failure("is being fetched by another process") from None
            try:
                fetched = self._whole(file, stream, aside, tag)
            except _Failure:
                if not _length(stream):
                    aside.unlink()
                raise
            os.replace(aside, target)
        tag.unlink(missing_ok=True)
        log.info("%s: %d bytes fetched", file.file, fetched.size)
        return fetched

    def _whole(self, file: PackageFile, stream: io.BufferedWriter, aside: Path, tag: Path) -> PackageFile:
        """Go on with what is aside until it is whole and right."""
        retries, spoiled = self._client.retries, False
        while True:
            before = _length(stream)
            try:
                self._receive(file, stream, tag)
                return _checked(file, aside)
            except _Mismatch as error:
                stream.truncate(0)
                if spoiled:  # a wrong checksum once may be the network's, twice it is the server's
                    raise _Failure(str(error)) from None
                retries, spoiled = self._client.again(retries, file.url, error), True
            except HTTPError as error:
                if _length(stream) > before:
                    retries = self._client.retries
                retries = self._client.again(retries, file.url, error)

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
            if tag.exists():  # what is there is a part of the same version, or the answer is the whole
                headers["If-Range"] = tag.read_text(encoding="latin-1")
        with contextlib.closing(self._client.ask("GET", file.url, **headers)) as response:
            start, total = _extent(response)
            if response.status == 416 and have and total == have:
                return  # broken off after the last byte
            if response.status == 416 or (response.status == 206 and start != have):
                raise _Mismatch("the server cannot go on where it was")
            if response.status not in (200, 206):
                raise _Failure(f"the server answers {response.status} {response.reason or ''}".rstrip())
            if file.size is not None and total is not None and total != file.size:
                raise _Failure(f"the server has {total} bytes, not {file.size}")
            if total is None and file.size is None and not getattr(response, "chunked", False):
                raise _Failure("the server does not say how large it is")
            if start == 0:
                stream.truncate(0)
                _write_tag(tag, response)
            with self._lock:
                self._told.expect((total or 0) - start)
            try:
                for piece in response.stream(_PIECE, decode_content=False):
                    stream.write(piece)
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
        match = re.fullmatch(r"bytes (?:(\d+)-\d+|\*)/(\d+|\*)", response.headers.get("Content-Range", ""))
        if not match:
            return -1, None
        return int(match[1] or 0), None if match[2] == "*" else int(match[2])
    length = response.headers.get("Content-Length", "")
    return 0, int(length) if length.isdigit() else None


def _write_tag(tag: Path, response: urllib3.BaseHTTPResponse) -> None:
    """Remember the version of which a part is aside: a strong entity tag, or else the time of change."""
    entity = response.headers.get("ETag", "")
    version = entity if entity and not entity.startswith("W/") else response.headers.get("Last-Modified", "")
    if version:
        tag.write_text(version, encoding="latin-1")
    else:
        tag.unlink(missing_ok=True)


def _checked(file: PackageFile, path: Path) -> PackageFile:
    """The file with its true size and sums. Raises _Mismatch if they are not those that are known."""
    sha256, md5 = hashlib.sha256(), hashlib.md5(usedforsecurity=False) if file.md5 else None
    with open(path, "rb") as stream:
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
