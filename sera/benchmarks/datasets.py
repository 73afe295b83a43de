"""Data sets with human judgements: what they hold, what their licence allows, and where they are.

`DATASETS` lists them; `get` fetches one from its authors' repository, at the commit on which the readers and
tests rest. Of a data set, this repository has its entry in ``sera/resources/datasets.json`` and the names,
sizes and sums of its files, in ``sera/resources/datasets/<name>.tsv`` (``file``, ``size``, ``sha256``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from sera.benchmarks import load_benchmark
from sera.errors import InputError
from sera.io import tsv
from sera.io import web as servers
from sera.io.download import Client, PackageFile, fetch_all, make_folder
from sera.registry import unknown


@dataclass(frozen=True)
class Origin:
    """A folder of a repository at a commit; its files go below ``to`` in the folder of the data set."""

    repository: str
    commit: str
    folder: str = ""
    to: str = ""


@dataclass(frozen=True)
class Dataset:
    """A data set. Numbers are counts of the files; ``judges`` is a text, since they differ within a data set.

    benchmarks:  the names under which the study runs on it
    licence:     of the repository; the texts in it keep their owners' rights
    """

    benchmarks: tuple[str, ...]
    topics: str
    systems: str
    references: str
    judgements: str
    judges: str
    language: str
    licence: str
    citation: str
    origins: tuple[Origin, ...]


_RESOURCES = Path(__file__).parent.parent / "resources"


def _dataset(benchmarks: list[str], origins: list[dict[str, str]], **texts: str) -> Dataset:
    return Dataset(tuple(benchmarks), **texts, origins=tuple(Origin(**each) for each in origins))


_LISTED = json.loads((_RESOURCES / "datasets.json").read_text(encoding="utf-8"))
DATASETS = {name: _dataset(**of) for name, of in _LISTED.items()}
"""The data sets by name."""


def benchmarks_in(folder: str | Path) -> tuple[dict[str, Path], list[str]]:
    """Which judged benchmarks a folder has, each data set below its name (`sera datasets get`).

    Returns the benchmarks found, each with its data set's folder, and the names of the data sets that are not
    there. Whether what is there is complete, its reader checks. InputError if none is there.
    """
    found: dict[str, Path] = {}
    missing = []
    for name, each in DATASETS.items():
        judged = [one for one in each.benchmarks if load_benchmark(one).JUDGED]
        if (below := Path(folder) / name).is_dir():
            found |= dict.fromkeys(judged, below)
        elif judged:
            missing.append(name)
    if not found:
        remedy = "Fetch them by `sera datasets get --all --to` this folder, or name another."
        raise InputError("has none of the data sets", path=folder, remedy=remedy)
    return found, missing


RAW = "https://raw.githubusercontent.com"
_TABLES = _RESOURCES / "datasets"


def files_of(name: str, server: str = RAW) -> Iterator[PackageFile]:
    """The files of a data set, each with its path in the data set's folder and its address.

    InputError for a name that is not in `DATASETS`.
    """
    if name not in DATASETS:
        raise unknown("data set", name, DATASETS)
    origins = sorted(DATASETS[name].origins, key=lambda origin: -len(origin.to))
    path = _TABLES / f"{name}.tsv"
    for _, file, size, sha256 in tsv.read(path, ["file", "size", "sha256"]).itertuples(name=None):
        origin = next(each for each in origins if file.startswith(each.to))
        within = "/".join(filter(None, [origin.folder, file.removeprefix(origin.to)]))
        address = f"{server.rstrip('/')}/{origin.repository}/{origin.commit}/{quote(within)}"
        yield PackageFile(file, int(size), sha256, url=address)


def get(
    name: str,
    to: str | Path,
    within: str = "",
    *,
    server: str = RAW,
    at_once: int = 3,
    tries: int = 8,
    pause: float = 1.0,
) -> list[PackageFile]:
    """Fetch a data set into the folder ``to``, or into the folder ``within`` it.

    What is there with the right sum stays, and a broken download continues. A link below ``to`` is not
    followed, since files would land outside.

    ``at_once``, ``tries`` and ``pause``: as in `sera.corpora.pmc_oa_download.download`, whose checks and
    repeats hold here too. Returns the files with their sizes and sums. InputError for an unknown name, a
    wrong address or folder, for a link, and for files that could not be fetched, after all others.
    """
    files = list(files_of(name, server))
    if wrong := servers.fault(server):
        raise InputError(f"the address of the server {wrong}", remedy="Give an address like https://server.")
    for parent in sorted({Path(within, each.file).parent for each in files}):
        for folder in (Path(to, part) for part in (*parent.parents, parent) if part.name):
            if folder.is_symlink():
                problem = "is a link"
                raise InputError(problem, path=folder, remedy="Put a folder there, or choose another --to.")
        make_folder(Path(to, parent))
    return fetch_all(Client(tries, pause), files, Path(to, within), at_once)
