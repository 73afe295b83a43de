"""Data sets with human judgements: what they hold, what their licence allows, and where they are.

`DATASETS` lists them; `get` fetches one from its authors' repository, at the commit on which the readers and
tests rest. Of a data set, this repository has its entry in ``sera/resources/datasets.json`` and the names,
sizes and sums of its files, in ``sera/resources/datasets/<name>.tsv`` (``file``, ``size``, ``sha256``).
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from sera.errors import InputError
from sera.io import tsv
from sera.io.download import fetch_all, fetch_file
from sera.registry import unknown


class File(NamedTuple):
    """A file of a data set, with its path in the data set's folder and its address."""

    file: str
    size: int  # bytes
    sha256: str
    url: str


class Origin(NamedTuple):
    """A folder of a repository at a commit; its files go below ``to`` in the folder of the data set."""

    repository: str
    commit: str
    folder: str = ""
    to: str = ""


class Dataset(NamedTuple):
    """A data set. Numbers are counts of the files; ``judges`` is a text, since they differ within a data set.

    benchmarks:  the names under which the study runs on it
    licence:     of the repository; the texts in it keep their owners' rights
    """

    benchmarks: Sequence[str]
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


DATASETS = {
    name: Dataset(**entry | {"origins": tuple(Origin(**origin) for origin in entry["origins"])})
    for name, entry in json.loads((_RESOURCES / "datasets.json").read_text(encoding="utf-8")).items()
}
"""The data sets by name."""


RAW = "https://raw.githubusercontent.com"
_TABLES = _RESOURCES / "datasets"


def files_of(name: str, server: str = RAW) -> Iterator[File]:
    """The files of a data set, each with its path in the data set's folder and its address.

    InputError for a name that is not in `DATASETS`.
    """
    if name not in DATASETS:
        raise unknown("data set", name, DATASETS)
    origins = sorted(DATASETS[name].origins, key=lambda origin: -len(origin.to))
    path = _TABLES / f"{name}.tsv"
    for _, file, size, sum in tsv.read(path, ["file", "size", "sha256"]).itertuples(name=None):
        origin = next(each for each in origins if file.startswith(each.to))
        place = "/".join(filter(None, [origin.folder, file.removeprefix(origin.to)]))
        address = f"{server.rstrip('/')}/{origin.repository}/{origin.commit}/{quote(place)}"
        yield File(file, int(size), sum, address)


def get(name: str, to: str | Path, within: str = "", *, server: str = RAW) -> list[File]:
    """Fetch a data set into the folder ``to``, or into the folder ``within`` it; returns its files.

    A file that is there with the right SHA-256 stays, so a new call resumes. A link below ``to`` is not
    followed, since files would land outside.

    Raises InputError for an unknown name, a wrong address or folder, a link, and, after all other files, for
    those that could not be fetched.
    """
    files = list(files_of(name, server))
    places = [Path(within, file.file) for file in files]
    for place in sorted({parent for path in places for parent in (path, *path.parents) if parent.name}):
        if (path := Path(to, place)).is_symlink():
            raise InputError("is a link", path=path, remedy="Remove it, or choose another --to.")

    def fetch(file: File) -> None:
        fetch_file(Path(to, within, file.file), file.url, "sha256", file.sha256)

    _, faults = fetch_all(fetch, files, "files fetched")
    faults.raise_all()
    return files
