"""Download of PubMed Central's Open Access bulk packages from its server, or from a mirror of it.

The server has a folder ``<group>/xml/`` for each group of licences, and in it, each beside the list of its
files, the baseline packages and the incremental ones of every day since
(https://pmc.ncbi.nlm.nih.gov/tools/ftp/). A download can be broken off at any time and goes on where it was:
a file grows under a hidden name and takes its own when it is whole and agrees with all that is known of it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
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
    read_table,
    write_table,
)
from sera.corpora.package_fetching import Fetch
from sera.corpora.web_client import Client, Failure
from sera.errors import InputError, printable
from sera.progress import Progress

log = logging.getLogger(__name__)


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
        raise InputError(f"the address of the server {wrong}", remedy=ADDRESS_FORM)
    if at_once < 1 or tries < 1:
        raise InputError(f"{at_once} files at once, {tries} tries", remedy="Each is 1 or more.")
    client = Client(at_once, tries, pause)
    if table is None:
        files = files_of_server(client, server, groups, incremental)
    else:
        files = files_of_table(client, table, server)
    known = {each.file: each for each in read_table(folder / TABLE)} if (folder / TABLE).exists() else {}
    known = {name: each for name, each in known.items() if (folder / name).is_file()}
    done: list[PackageFile] = []
    failed: dict[str, str] = {}
    with (
        Progress("bytes fetched") as told,
        ThreadPoolExecutor(at_once) as threads,
    ):
        fetch = Fetch(client, folder, known, told)
        jobs = {threads.submit(fetch, each): each for each in files}
        try:
            for job in as_completed(jobs):
                name = jobs[job].file
                try:
                    done.append(job.result())
                except (Failure, InputError) as error:
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
