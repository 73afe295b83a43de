"""Download PubMed Central's Open Access bulk packages from its server or a mirror.

The server has a folder ``<group>/xml/`` for each group of licences. It holds baseline packages and the daily
incremental packages since then, each with a list of its files (https://pmc.ncbi.nlm.nih.gov/tools/ftp/). A
download can be interrupted at any time, and the next one continues it: a file has a temporary, hidden name
until it is complete and its size and checksums are right.
"""

from __future__ import annotations

import contextlib
import html
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote, urljoin

from sera.corpora.archives import SUFFIX
from sera.errors import Faults, InputError
from sera.io import tsv, web
from sera.io.download import Client, PackageFile, fetch_all, make_folder
from sera.io.files import writing

LIST_SUFFIX = ".filelist.csv"
SERVER = "https://ftp.ncbi.nlm.nih.gov/pub/pmc/oa_bulk"
GROUPS = ("oa_comm", "oa_noncomm", "oa_other")
TABLE = "packages.tsv"  # the table of the files that were downloaded into a folder, in the folder itself

_COLUMNS = ("file", "size", "sha256", "md5", "url")
_NAME = re.compile(
    r"(?P<group>[a-z0-9_]+)_xml\.(PMC\w+\.baseline|(?P<incremental>incr))\.\d{4}-\d\d-\d\d"
    rf"({re.escape(SUFFIX)}|{re.escape(LIST_SUFFIX)})",
    re.ASCII,
)
# The address of a link in a tag; a search takes time linear in the length of the page.
_LINK = re.compile(
    r"""<a\s[^<>]*?\bhref\s*=\s*(?:"([^"<>]{1,2000})"|'([^'<>]{1,2000})'|([^\s"'<>]{1,2000}))""",
    re.IGNORECASE,
)
_SUMS = re.compile(r"(?P<kind>md5|sha256)(sums?)?(\.txt)?", re.IGNORECASE)
_SUM = re.compile(r"(?:\w+ \((?P<bsd>[^)]+)\) = )?(?P<sum>[0-9a-fA-F]{32,64})(?: [ *](?P<gnu>.+))?")


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
    """Download packages and their lists of files into ``folder``.

    folder:       where the files go; it is created if it is missing
    server:       address of the folders of PubMed Central or of a mirror
    groups:       groups of licences to take from the server
    incremental:  whether to take incremental packages too
    table:        a table of files (path or address; see `read_catalogue`) to download instead of the groups
    at_once:      files that are downloaded at the same time, 1 or more
    tries:        requests without progress before giving up, 1 or more
    pause:        seconds before the third request; the pause doubles each time, up to two minutes

    Files that are there already are not downloaded again. Nothing is deleted: packages of an older baseline
    stay, and `sera.corpora.pmc_oa.select` prefers the newer ones.

    A broken connection is resumed if the server can do that. If the server does not answer, breaks the
    connection without a new byte, or answers 408, 429 or 5xx, it is asked again: at once, then after the
    pauses above, or when the server says, but no later than `limits.WAIT`. At most five redirects are
    followed, from HTTPS to HTTPS or from HTTP to HTTP. No credentials are sent, and an address with
    credentials is refused.

    Each file is checked against the size and checksums that the server or the table gives. The table
    ``folder/packages.tsv`` lists the files; given as ``table``, it repeats the same download elsewhere.

    Returns the files by name, each with its size in bytes and SHA-256. Raises InputError for a setting that
    is wrong, and, after all other files, for files that could not be downloaded; a new call resumes them.
    """
    folder = Path(folder)
    make_folder(folder)
    if at_once < 1 or tries < 1:
        problem = f"{at_once} files at once and {tries} tries are not possible"
        raise InputError(problem, remedy="Give 1 or more of each.")
    for address in (str(table) if "://" in str(table) else "", server if table is None else ""):
        if address and (wrong := web.fault(address)):
            raise InputError(f"the address of the server {wrong}", remedy=_ADDRESS_FORM)
    client = Client(tries, pause)
    if table is None:
        files = _files_of_server(client, server, groups, incremental)
    else:
        files = _files_of_table(client, table, server)
    known = {each.file: each for each in read_catalogue(folder / TABLE)} if (folder / TABLE).exists() else {}
    known = {name: each for name, each in known.items() if (folder / name).is_file()}

    def keep(file: PackageFile) -> None:
        if known.get(file.file) != file:
            known[file.file] = file
            write_catalogue(folder / TABLE, known.values())

    return fetch_all(client, files, folder, at_once, known=known, keep=keep)


def _files_of_server(
    client: Client, server: str, groups: Sequence[str], incremental: bool
) -> list[PackageFile]:
    """The packages and lists that the pages of the server's folders link to, by name.

    Checksums come from the files ``<file>.md5``, ``<file>.sha256``, ``MD5SUMS`` and ``SHA256SUMS``, if the
    folder has them. Raises InputError for a group that is not PMC's, a folder that cannot be read and a
    folder without a package.
    """
    files: dict[str, PackageFile] = {}
    for group in groups:
        if group not in GROUPS:
            raise InputError(f"there is no group {group!r}", remedy=f"Choose one of: {', '.join(GROUPS)}.")
        address = f"{server.rstrip('/')}/{group}/xml/"
        sums: dict[tuple[str, str], str] = {}
        found: dict[str, PackageFile] = {}
        for url in _links(address, _text(client.page(address))):
            name = unquote(url.removeprefix(address))  # a link to another place keeps its slashes: no name
            match = _NAME.fullmatch(name)
            stem, _, ending = name.rpartition(".")
            if match and match["group"] == group and (incremental or not match["incremental"]):
                found[name] = PackageFile(name, url=url)
            elif sums_file := _SUMS.fullmatch(name):
                sums |= _checksums(_text(client.page(url)), sums_file["kind"].lower(), "")
            elif ending in ("md5", "sha256") and _NAME.fullmatch(stem):
                sums |= _checksums(_text(client.page(url)), ending, stem)
        if not any(name.endswith(SUFFIX) for name in found):
            problem = f"the page links to no package of {group}"
            raise InputError(problem, path=address, remedy="Check the server's address.")
        for (kind, name), value in sums.items():
            if name in found:
                file = found[name]
                found[name] = replace(file, md5=value) if kind == "md5" else replace(file, sha256=value)
        files |= found
    return [files[name] for name in sorted(files)]


def _text(page: bytes) -> str:
    return page.decode("utf-8", "replace")


def _links(address: str, page: str) -> Iterator[str]:
    """The addresses that a page links to, each once; invalid ones are skipped."""
    for link in dict.fromkeys(html.unescape("".join(found)) for found in _LINK.findall(page)):
        with contextlib.suppress(ValueError):
            yield urljoin(address, link.strip())


def _checksums(text: str, kind: str, only: str) -> dict[tuple[str, str], str]:
    """The sums, by kind and file name, in a file of md5sum, sha256sum or BSD's md5.

    ``only``: the name of the one file that the sums are of; empty if the lines name their files.
    """
    found = {}
    for line in text.splitlines():
        match = _SUM.fullmatch(line.strip())
        if match and len(match["sum"]) == {"md5": 32, "sha256": 64}[kind]:
            name = (match["bsd"] or match["gnu"] or only).rpartition("/")[2]
            found[kind, only or name] = match["sum"].lower()
    return found


_ADDRESS_FORM = "Give an address like https://server/folder, without user and password: none are sent."


def _files_of_table(client: Client, table: str | Path, server: str) -> list[PackageFile]:
    """The files of a table (a path or an address), each with its full address; see `read_catalogue`.

    A file of PMC's without an address is on ``server``. Raises InputError for a wrong address or table.
    """
    base = str(table) if "://" in str(table) else ""

    def address(file: PackageFile) -> str:
        match = _NAME.fullmatch(file.file)
        home = f"{server.rstrip('/')}/{match['group']}/xml/{file.file}" if match else file.file
        try:
            return urljoin(base, file.url or home) if base else file.url or home
        except ValueError:
            return file.url

    return read_catalogue(table, content=client.page(base) if base else None, address=address)


_FORMS = {
    "file": (rf"(?!{re.escape(TABLE)}$)[A-Za-z0-9][\w.+-]{{0,199}}", "a file's plain name"),
    "size": ("[0-9]{0,18}", "a number of bytes"),
    "sha256": ("([0-9a-fA-F]{64})?", "a SHA-256"),
    "md5": ("([0-9a-fA-F]{32})?", "an MD5"),
}
"""The form of each cell, and what it holds."""


def read_catalogue(
    path: str | Path, *, content: bytes | None = None, address: Callable[[PackageFile], str] | None = None
) -> list[PackageFile]:
    """Read a table of files: TSV with the header ``file size sha256 md5 url``.

    All cells but the first may be empty: a missing size or checksum is not checked, and a file of PMC's
    without an address is on the server. ``content`` is read instead of the file if it is given; ``address``
    returns the address of each file. Raises InputError, with up to ten lines, for wrong rows.
    """
    table = tsv.read(path, ["file"], content=content).reindex(columns=_COLUMNS, fill_value="")
    files: dict[str, PackageFile] = {}
    faults = Faults()
    for line, *row in table.itertuples(name=None):
        cells = dict(zip(_COLUMNS, map(str.strip, row), strict=True))
        name, size = cells["file"], cells["size"]
        wrong = [
            f"{cells[column][:100]!r} is not {what}"
            for column, (form, what) in _FORMS.items()
            if not re.fullmatch(form, cells[column], re.ASCII)
        ]
        if name in files:
            wrong.append(f"{name} is there twice")
        if not wrong:
            sums = (cells["sha256"].lower(), cells["md5"].lower())
            files[name] = PackageFile(name, int(size) if size else None, *sums, cells["url"])
            if address:
                url = address(files[name])
                files[name] = replace(files[name], url=url)
                if fault := web.fault(url):
                    wrong.append(f"{name} has no usable address: {web.shown_address(url)} {fault}")
        if wrong:
            remedy = f"Give the table the columns {' '.join(_COLUMNS)}, with tabs between."
            faults.append(InputError(wrong[0], path=path, line=int(line), remedy=remedy))
    faults.raise_all()
    return list(files.values())


def write_catalogue(path: str | Path, files: Iterable[PackageFile]) -> None:
    """Write the table that `read_catalogue` reads, with the files by name."""
    with writing(path) as stream:
        stream.write("\t".join(_COLUMNS) + "\n")
        for each in sorted(files, key=lambda each: each.file):
            size = "" if each.size is None else str(each.size)
            stream.write("\t".join((each.file, size, each.sha256, each.md5, each.url)) + "\n")
