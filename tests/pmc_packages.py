"""Small packages of PubMed Central, as tests make them, and what is read of them."""

import io
import tarfile
from collections.abc import Iterable
from pathlib import Path

from sera.io.records import Document
from sera.pubmed.articles import Collection
from sera.pubmed.jats import read_article

HEADER = (
    "Article File,Article Citation,AccessionID,LastUpdated (YYYY-MM-DD HH:MM:SS),PMID,License,Retracted\n"
)


def member(name: str, content: bytes = b"", kind: bytes = tarfile.REGTYPE, target: str = "") -> tuple:
    """A member of an archive: its header and its content."""
    info = tarfile.TarInfo(name)
    info.type, info.size, info.linkname = kind, len(content), target
    return info, content


def write_package(path: Path, members: Iterable[tuple], listed: str | None = "") -> Path:
    """Write an archive of members and, unless it is None, its list of files with these lines."""
    with tarfile.open(path, "w:gz", format=tarfile.GNU_FORMAT) as tar:
        for info, content in members:
            tar.addfile(info, io.BytesIO(content))
    if listed is not None:
        list_of(path).write_text(HEADER + listed)
    return path


def list_of(path: Path) -> Path:
    """The path of a package's list of files."""
    return path.with_name(path.name.replace(".tar.gz", ".filelist.csv"))


def extract(path: Path) -> list:
    """What is read of a package, or of all parts of a folder."""
    collection = Collection(path)
    return [item for part in collection.parts for item in collection.read(part, read_article)]


def told(items: Iterable) -> tuple[list[str], dict[str, str]]:
    """The ids of documents, and the reason for each file that is not read."""
    items = list(items)
    documents = [item.id for item in items if isinstance(item, Document)]
    return documents, {item.file: item.reason for item in items if not isinstance(item, Document)}
