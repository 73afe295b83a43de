"""The download of a data set from its authors' repository, at the commit on which the readers and tests rest.

Nothing of a data set is kept in this repository but the names, sizes and sums of its files, in
``sera/resources/datasets/<name>.tsv`` (``file``, ``size``, ``sha256``; empty where they are not known).
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from sera import servers, tsv
from sera.benchmarks import datasets
from sera.corpora.package_catalogue import PackageFile
from sera.corpora.package_fetching import fetch_all, make_folder
from sera.corpora.web_client import Client
from sera.errors import InputError
from sera.registry import unknown

log = logging.getLogger(__name__)

RAW = "https://raw.githubusercontent.com"
_TABLES = Path(__file__).parent.parent / "resources/datasets"


def files_of(name: str, server: str = RAW) -> Iterator[PackageFile]:
    """The files of a data set, each with its path in the data set's folder and its address.

    InputError for a name that is not in `datasets.DATASETS`.
    """
    if name not in datasets.DATASETS:
        raise unknown("data set", name, datasets.DATASETS)
    origins = sorted(datasets.DATASETS[name].origins, key=lambda origin: -len(origin.to))
    path = _TABLES / f"{name}.tsv"
    for _, file, size, sha256 in tsv.read(path, ["file", "size", "sha256"]).itertuples(name=None):
        origin = next(each for each in origins if file.startswith(each.to))
        within = "/".join(filter(None, [origin.folder, file.removeprefix(origin.to)]))
        address = f"{server.rstrip('/')}/{origin.repository}/{origin.commit}/{quote(within)}"
        yield PackageFile(file, int(size) if size else None, sha256, url=address)


def get(
    name: str, folder: str | Path, *, server: str = RAW, at_once: int = 3, tries: int = 8, pause: float = 1.0
) -> list[PackageFile]:
    """Fetch a data set into ``folder``; what is there with the right sum stays, a broken download continues.

    ``at_once``, ``tries`` and ``pause`` are those of `sera.corpora.download.download`, whose checks and
    repeats hold here too. Returns the files with their sizes and sums. InputError for an unknown name, a
    wrong address or folder, and for files that could not be fetched, after all others.
    """
    files = list(files_of(name, server))
    if wrong := servers.fault(server):
        raise InputError(f"the address of the server {wrong}", remedy="Give an address like https://server.")
    for parent in sorted({(Path(folder) / each.file).parent for each in files}):
        make_folder(parent)
    done = fetch_all(Client(at_once, tries, pause), files, Path(folder), at_once)
    for each in files:
        if not each.sha256:
            log.warning("%s: its right sum is not known here, so it was not checked", each.file)
    return done
