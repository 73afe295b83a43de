"""Download PubMed Central's Open Access bulk packages from its server or a mirror.

The server has a folder ``<group>/xml/`` for each group of licences. It holds baseline packages and the daily
incremental packages since then, each with a list of its files (https://pmc.ncbi.nlm.nih.gov/tools/ftp/). A
download can be interrupted at any time, and the next one continues it: a file has a temporary, hidden name
until it is complete and its size and checksums are right.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sera import servers
from sera.corpora.package_catalogue import (
    ADDRESS_FORM,
    GROUPS,
    SERVER,
    TABLE,
    PackageFile,
    files_of_server,
    files_of_table,
    read_catalogue,
    write_catalogue,
)
from sera.corpora.package_fetching import fetch_all, make_folder
from sera.corpora.web_client import Client
from sera.errors import InputError


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
    if table is None and (wrong := servers.fault(server)):
        raise InputError(f"the address of the server {wrong}", remedy=ADDRESS_FORM)
    if at_once < 1 or tries < 1:
        raise InputError(
            f"{at_once} files at once and {tries} tries are not possible", remedy="Give 1 or more of each."
        )
    client = Client(at_once, tries, pause)
    if table is None:
        files = files_of_server(client, server, groups, incremental)
    else:
        files = files_of_table(client, table, server)
    known = {each.file: each for each in read_catalogue(folder / TABLE)} if (folder / TABLE).exists() else {}
    known = {name: each for name, each in known.items() if (folder / name).is_file()}

    def keep(file: PackageFile) -> None:
        if known.get(file.file) != file:
            known[file.file] = file
            write_catalogue(folder / TABLE, known.values())

    return fetch_all(client, files, folder, at_once, known=known, keep=keep)
