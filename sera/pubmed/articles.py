"""Read collections of articles in JATS XML: folders of files, and PubMed Central's former bulk packages."""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple

from sera import names
from sera.errors import Faults, InputError
from sera.io import files, records, tsv
from sera.io.records import Document
from sera.progress import progress
from sera.pubmed.archives import SUFFIX, read_archive

TABLE = "articles.tsv"  # the list of a folder's articles, in the folder itself
LOOSE = "articles"  # the part of the files directly in the folder
_LISTS = {
    True: ("pmcid", "version", "retracted", "sha256"),
    False: ("Article File", "AccessionID", "Retracted"),
}
_MARKS = {"yes": "retracted", "no": "", "": ""}
_COUNTED = ("", "retracted")  # reasons with which no other file of the article is read
_XML = (".xml", ".nxml")


class Entry(NamedTuple):
    """What is known of a file in a part; ``reason``: why it gives no document, empty if it may."""

    file: str
    id: str
    reason: str = ""
    sha256: str = ""


class Collection:
    """The articles of a folder, or of one package, in parts that can be read in parallel.

    A part is a subfolder with ``*.xml`` or ``*.nxml`` at any depth, the files directly in the folder, or a
    package: ``*.tar.gz`` with its ``*.filelist.csv``. An article's id is the name of its file without suffix
    and version (``PMC13901`` for ``PMC13901.2.xml``), or its accession in a package's list.

    If the folder has a `TABLE`, only the files that it names are read. Of an article that is there twice, the
    first part by name, and in it the newest version, is read. Raises InputError for a path without articles,
    and for a package whose list, which may mark retractions, is not there or cannot be read to its end.
    """

    def __init__(self, path: str | Path) -> None:
        self.path, self.parts = Path(path), dict[str, Path]()
        with files.damage(path):
            paths = list(self.path.iterdir()) if self.path.is_dir() else [self.path]
        paths = [path for path in paths if not path.name.startswith(".")]
        folders = [path for path in paths if path.is_dir()]
        packages = [path for path in paths if path.name.endswith(SUFFIX) and path not in folders]
        places = [(package.name.removesuffix(SUFFIX), package) for package in packages]
        places += [(folder.name, folder) for folder in folders if any(_walk(folder))]
        places += [(LOOSE, self.path)] if any(_walk(self.path, deep=False)) else []
        for name, place in sorted(places):
            self.parts[names.check("part", name, path=place)] = place
        if not self.parts or not self.path.exists():
            remedy = "Get articles by `sera corpus download FOLDER --ids FILE`, or name a folder of *.xml."
            raise InputError("holds no articles", path=path, remedy=remedy)
        for package in packages:
            if not (listed := _list(package)).is_file():
                problem = f"has no list of its files, {listed.name}, so that retractions are not known"
                remedy = "Put the list beside it, or unpack it and name the folder of its *.xml."
                raise InputError(problem, path=package, remedy=remedy)

    def plan(self, name: str) -> list[Entry]:
        """What names and lists say of a part's files."""
        ids = self._before(name)
        return [_check_entry(entry, ids) for entry in self._entries[name]]

    def read(self, name: str, parse: Callable[[bytes, str], Document]) -> Iterator[Document | Entry]:
        """What ``parse`` makes of the XML and id of each file of a part, or an `Entry` with a reason.

        Raises InputError for a package that is cut short or damaged, and for a file with another SHA-256 than
        `TABLE` says.
        """
        path = self.parts[name]
        for entry, xml in self._unfold(name) if path.is_dir() else self._unpack(name):
            yield entry if entry.reason else _parse_entry(entry, xml, parse, path)

    def _unfold(self, name: str) -> Iterator[tuple[Entry, bytes]]:
        for entry in self.plan(name):
            yield entry, b"" if entry.reason else files.read_bytes(self.parts[name] / entry.file)

    def _unpack(self, name: str) -> Iterator[tuple[Entry, bytes]]:
        entries, ids, met = {entry.file: entry for entry in self.plan(name)}, self._before(name), set[str]()
        for member, reason, xml in read_archive(self.parts[name], *_XML):
            file = member.removeprefix("./")
            met.add(file)
            entry = entries.get(file) or Entry(file, _stem(file))
            yield _check_entry(entry._replace(file=member, reason=reason or entry.reason), ids), xml
        yield from ((Entry(file, "", "is listed but not there"), b"") for file in entries if file not in met)

    def _before(self, name: str) -> set[str]:
        entries = (entry for part in self.parts if part < name for entry in self._entries[part])
        return {entry.id for entry in entries if entry.reason in _COUNTED}

    @cached_property
    def _entries(self) -> dict[str, list[Entry]]:
        """As `plan`, with what repeats an article, by part."""
        return {name: self._entries_of(name) for name in self.parts}

    def _entries_of(self, name: str) -> list[Entry]:
        path, table = self.parts[name], self._table
        if not path.is_dir():
            return list(_read_list(_list(path)).values())
        file_names = sorted(map(_name_parts, self._files(name)))
        if table is None:
            return [Entry(file, id) for id, _, file in file_names]
        other = Entry("", "", f"{TABLE} does not name it")
        entries = [table.get(_stem(file), other)._replace(file=file, id=id) for id, _, file in file_names]
        folders = [part for part, place in self.parts.items() if place.is_dir()]
        if name == folders[0]:  # reports what none of them has
            there = {_stem(file) for part in folders for file in self._files(part)}
            absent = (table[stem] for stem in sorted(table.keys() - there))
            entries += [entry._replace(reason="is listed but not there") for entry in absent]
        return entries

    def listing(self) -> list[Path]:
        """The files of all parts, each once."""
        return list(dict.fromkeys(path for name in self.parts for path in self.sources(name)))

    def is_pinned(self, name: str) -> bool:
        """Whether `TABLE` has the SHA-256 of a part's files, so that it alone decides what is read."""
        return self._table is not None and self.parts[name].is_dir()

    def sources(self, name: str) -> list[Path]:
        """The files of a part; of a package, its list too; `TABLE` stands for the files that it lists."""
        path = self.parts[name]
        if not path.is_dir():
            return [path, _list(path)]
        return (
            [self.path / TABLE] if self.is_pinned(name) else sorted(path / file for file in self._files(name))
        )

    def _files(self, name: str) -> Iterator[str]:
        return _walk(self.parts[name], deep=self.parts[name] != self.path)

    @cached_property
    def _table(self) -> dict[str, Entry] | None:
        return _read_list(self.path / TABLE) if (self.path / TABLE).exists() else None


def write_extract(
    paths: Iterable[str | Path],
    documents: str | Path,
    unreadable: str | Path,
    *,
    part: str | None = None,
    figures: bool = False,
) -> tuple[int, int]:
    """Write the articles of collections to ``documents`` (JSONL), and what was not read to ``unreadable``.

    unreadable:  a TSV with the header ``part file reason``
    part:        the one part to read; by default all

    For ``figures`` see `jats.read_article`. Both files appear complete or not at all, compressed if a name
    ends in ``.gz``. Returns their numbers of records. Raises InputError as `Collection`.
    """
    from sera.pubmed.jats import read_article  # lxml: the workflow lists collections without it

    ids, refused = set[str](), 0

    def articles() -> Iterator[Document]:
        nonlocal refused
        for collection in map(Collection, paths):
            for name in collection.parts if part is None else [part]:
                items = collection.read(name, partial(read_article, figures=figures))
                for item in progress(items, f"articles of {name} read"):
                    if item.id in ids and not isinstance(item, Entry):
                        item = _check_entry(Entry("", item.id), ids)
                    if isinstance(item, Entry):
                        refused += 1
                        table.write("\t".join(map(tsv.cell, (name, item.file, item.reason))) + "\n")
                    else:
                        ids.add(item.id)
                        yield item

    with files.writing(unreadable) as table:
        table.write("part\tfile\treason\n")
        return records.write(documents, articles()), refused


def _check_entry(entry: Entry, ids: set[str]) -> Entry:
    """An entry, with a reason if its id is not allowed or among those ``ids``, to which it is added."""
    try:
        repeats = names.check("id", entry.id) in ids
    except InputError as error:
        return entry._replace(reason=entry.reason or error.problem)
    if repeats and not entry.reason:
        return entry._replace(reason=f"repeats article {entry.id}, which came before")
    ids.update([entry.id] if entry.reason in _COUNTED else [])
    return entry


def _parse_entry(
    entry: Entry, xml: bytes, parse: Callable[[bytes, str], Document], place: Path
) -> Document | Entry:
    if entry.sha256 not in ("", digest := hashlib.sha256(xml).hexdigest()):
        problem = f"has the SHA-256 {digest}, not {entry.sha256} as {TABLE} says"
        remedy = "Delete the file, and download the list again."
        raise InputError(problem, path=place / entry.file, remedy=remedy)
    try:
        return parse(xml, entry.id)
    except InputError as error:
        return entry._replace(reason=error.problem)


def _walk(folder: Path, deep: bool = True) -> Iterator[str]:
    for path in folder.rglob("*") if deep else folder.glob("*"):
        place = path.relative_to(folder)
        is_hidden = any(part.startswith(".") for part in place.parts)
        if path.suffix.lower() in _XML and path.is_file() and not is_hidden:
            yield place.as_posix()


def _stem(file: str) -> str:
    return file.rpartition("/")[2].rpartition(".")[0]


def _name_parts(file: str) -> tuple[str, int, str]:
    """An article's id and version by the name of its file; newer versions sort before older ones."""
    match = re.fullmatch(r"(PMC\d+)\.(\d+)", _stem(file))
    return (match[1], -int(match[2]), file) if match else (_stem(file), 0, file)


def _list(package: Path) -> Path:
    return package.with_name(package.name.removesuffix(SUFFIX) + ".filelist.csv")


def _read_list(path: Path) -> dict[str, Entry]:
    """The rows of a package's list by the file, or of `TABLE` by the file without suffix."""
    entries: dict[str, Entry] = {}
    faults = Faults()
    for line, (file, id, gone, *sha256) in tsv.iterate(path, _LISTS[path.name == TABLE]):
        key = f"{file}.{id}" if sha256 else file.removeprefix("./")
        reason = _MARKS.get(gone.strip().lower())
        if reason is None:
            problem = f"the mark of retraction is {gone[:40]!r}, not yes or no"
            faults.append(InputError(problem, path=path, line=line, remedy="Get the list again."))
        elif sha256:
            entries[key] = Entry(f"{key}.xml", file, reason, *sha256)
        elif key not in entries or reason:
            entries[key] = Entry(key, id.strip() or _stem(key), reason)
    faults.raise_all()
    return entries
