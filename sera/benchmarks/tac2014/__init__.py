"""TAC 2014 BiomedSumm, with the Pyramid annotations of Cohan & Goharian (2016, section 4.2).

NIST gives the release under an agreement. It has a folder for each topic, with the reference article, the
articles that cite it, four gold summaries, and for each citance the passages that it refers to, as marked by
four annotators. The nuggets marked in the gold summaries are public on GitHub. Properties of the files:

- Line ends are LF, CRLF or, in summaries, a lone CR. All are accepted.
- Most files are UTF-8, many with a byte order mark, which is dropped. The few others are cp1252.
- One key of the annotations has two spellings (``Reference Offset``). An annotator's letter may have a comma.
- Offsets are wrong in some records, so they are not read: the texts are used everywhere.

A fault that would make a result wrong is an InputError. Files with other names are ignored, and so are
nuggets of topics that the release does not have.
"""

import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from sera import names
from sera.benchmarks import Benchmark, Topic, warn_of_equal
from sera.benchmarks import release as parts
from sera.benchmarks.tac2014.article import clean
from sera.errors import Faults, InputError, checked_each
from sera.io.records import Citance, Document, Nugget, Reference, Source
from sera.settings import shown
from sera.text.sentences import sentences

log = logging.getLogger(__name__)

_Record = TypeVar("_Record")

ANNOTATORS = 4  # per topic; their letters differ by topic

RELEASE_FROM = (
    "Get the release from NIST: sign the TAC 2014 BiomedSumm data agreement "
    "(https://tac.nist.gov/2014/BiomedSumm/), unpack the archive and name its folder."
)
PYRAMIDS_FROM = (
    "Get them with `git clone https://github.com/acohan/TAC-Pyramid-Annotations` (MIT) and name the folder."
)
SUFFIXES = {"Annotation": ".ann.txt", "Documents_Text": ".txt", "Summary": ".summary.txt"}
_TOPIC = re.compile(r"(D[0-9]{4})(?:_\w+)?")
_NUGGETS = re.compile(r"(d[0-9]{4})-([a-z])\.ann", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class Annotation:
    """The annotation of one citance by one annotator; white space in texts is collapsed.

    ``topic`` is the id as in `Topic`. ``reference`` and ``citing`` are the names of the articles' files
    without ``.txt``. ``reference_texts`` are the passages of the reference article that the citance refers
    to, one to three. The marker (``[53]``) may be empty. ``facet`` is Hypothesis, Method, Results,
    Implication or Discussion.
    """

    topic: str
    citance: int
    reference: str
    citing: str
    marker: str
    citation: str
    reference_texts: tuple[str, ...]
    facet: str
    annotator: str


def inputs(release: str | Path, pyramids: str | Path | None = None) -> list[Path]:
    """All files that `read` reads, sorted; folders are listed, but no file is opened.

    ``release`` may be the release's folder, its ``data``, the folder above, or the folder of a topic (which
    selects all topics beside it); ``pyramids`` is the repository's folder or its ``annotations``. InputError
    names all missing parts, where they were looked for and how to get them.
    """
    paths: list[Path] = []
    folders = _topic_folders(release)
    gaps = []
    for folder in folders:
        paths_by_kind = {kind: _list_files(folder / kind, suffix) for kind, suffix in SUFFIXES.items()}
        for kind in ("Annotation", "Summary"):
            _group_files(paths_by_kind[kind], folder, SUFFIXES[kind])
        for kind, kind_paths in paths_by_kind.items():
            least = 1 if kind == "Documents_Text" else ANNOTATORS
            if len(kind_paths) < least:
                gaps.append(f"{folder.name}/{kind}/*{SUFFIXES[kind]} ({len(kind_paths)} of {least})")
        paths += [path for kind_paths in paths_by_kind.values() for path in kind_paths]
    if gaps:
        raise InputError(f"lacks {', '.join(gaps)}", path=folders[0].parent, remedy=RELEASE_FROM)
    if pyramids is not None:
        nuggets = _nugget_files(pyramids)
        topics = {_topic_id(folder) for folder in folders}
        paths += [path for topic, files in nuggets.items() if topic in topics for path in files.values()]
    return sorted(paths)


def read(release: str | Path, pyramids: str | Path | None = None, cleaning: str = "full") -> list[Topic]:
    """The topics, sorted by id; for the folders see `inputs`, for ``cleaning`` see `article.clean`.

    A topic's id is its folder's name up to the underscore (``D1401``). Its source is the reference article,
    cleaned. Its documents are the raw texts of all its articles, with ids like ``D1401-Voorhoeve``. Each
    citance number gives one citance: where annotators delimited it differently, the text that most of them
    gave, of equals the longest, then the first annotator's. Nuggets are in the order of their files.
    """
    inputs(release=release, pyramids=pyramids)  # names all missing files at once
    nuggets = {} if pyramids is None else _nugget_files(pyramids)
    return checked_each(
        lambda folder: _topic(folder, nuggets.get(_topic_id(folder), {}), cleaning), _topic_folders(release)
    )


def read_annotations(release: str | Path) -> list[Annotation]:
    """All records of the annotation files, by topic, annotator and place in the file."""
    return [annotation for folder in _topic_folders(release) for annotation in _annotations(folder)]


# --- one topic ------------------------------------------------------------------------------------


def _topic(folder: Path, pyramid: dict[str, Path], cleaning: str) -> Topic:
    topic, suffix, faults = _topic_id(folder), SUFFIXES["Summary"], Faults()
    annotations = faults.checked(lambda: list(_annotations(folder))) or []
    summaries = _group_files(_list_files(folder / "Summary", suffix), folder, suffix)
    results = [faults.checked(_reference, path, topic, annotator) for annotator, path in summaries.items()]
    references = tuple(reference for reference in results if reference)
    warn_of_equal(references, folder / "Summary")
    nuggets: list[Nugget] = []
    for annotator, path in pyramid.items():
        nuggets += faults.checked(_nuggets, path, topic, annotator) or []
    faults.raise_all()
    if absent := sorted(summaries.keys() - pyramid.keys() if pyramid else ()):
        log.warning("topic %s has no nuggets of annotators %s", topic, ", ".join(absent))
    documents = {
        names.check("document", path.name.removesuffix(".txt"), path=path): _text(path)
        for path in _list_files(folder / "Documents_Text", ".txt")
    }
    return Topic(
        id=topic,
        source=_source(folder, topic, annotations, documents, cleaning),
        references=references,
        citances=tuple(_citances(annotations)),
        nuggets=tuple(nuggets),
        documents=tuple(
            Document(id=f"{topic}-{name}", text="\n\n".join(parts.lines_of(text)))
            for name, text in documents.items()
        ),
    )


def _source(
    folder: Path, topic: str, annotations: list[Annotation], documents: dict[str, str], cleaning: str
) -> Source:
    counts = Counter(annotation.reference for annotation in annotations)
    if not counts:
        problem = "the annotation files hold no record"
        raise InputError(problem, path=folder / "Annotation", remedy=RELEASE_FROM)
    name = min(counts, key=lambda name: (-counts[name], name))
    stem = next((stem for stem in documents if _plain_name(stem) == _plain_name(name)), None)
    if stem is None:
        problem = f"lacks the reference article {name}.txt"
        raise InputError(problem, path=folder / "Documents_Text", remedy=RELEASE_FROM)
    source = clean(documents[stem], id=stem, topic=topic, cleaning=cleaning)
    if not source.sentences:
        problem = f"the reference article has no sentence left after cleaning ({cleaning})"
        raise InputError(problem, path=folder / f"Documents_Text/{stem}.txt", remedy=RELEASE_FROM)
    return source


def _plain_name(name: str) -> str:
    return "".join(name.split()).lower().replace("’", "'")


def _reference(path: Path, topic: str, annotator: str) -> Reference:
    text = tuple(sentence for paragraph in parts.lines_of(_text(path)) for sentence in sentences(paragraph))
    if not text:
        raise InputError("the summary is empty", path=path, remedy=RELEASE_FROM)
    return Reference(topic, annotator, text)


def _citances(annotations: Iterable[Annotation]) -> Iterator[Citance]:
    groups: dict[int, list[Annotation]] = {}
    for annotation in sorted(annotations, key=lambda a: (a.citance, a.annotator)):
        groups.setdefault(annotation.citance, []).append(annotation)
    for group in groups.values():
        votes = Counter((a.citing, a.citation) for a in group)
        citing, text = max(votes, key=lambda key: (votes[key], len(key[1])))  # of equals, max gives the first
        yield Citance(group[0].topic, citing, text)


# --- folders -------------------------------------------------------------------------------------


def _topic_id(folder: Path) -> str:
    match = _TOPIC.fullmatch(folder.name)
    assert match is not None
    return match[1]


def _topic_folders(release: str | Path) -> list[Path]:
    """The folders of the topics, sorted; InputError if there are none, and for a link."""
    release = Path(release)
    if not release.is_dir():
        problem = "there is no such folder; expected the TAC 2014 BiomedSumm release"
        raise InputError(problem, path=release, remedy=RELEASE_FROM)
    if _is_topic(release.resolve()):
        release = release.resolve().parent
    for folder in _folders_below(release):
        if folders := [child for child in parts.entries(folder) if _is_topic(child)]:
            return [child for child in folders if parts.is_folder(child)]
    raise InputError(
        "holds no topic: looked there and two levels below for folders such as D1401_TRAIN with Annotation, "
        "Documents_Text and Summary",
        path=release,
        remedy=RELEASE_FROM,
    )


def _folders_below(folder: Path) -> Iterator[Path]:
    """A folder and the folders up to two levels below, without links and unreadable folders."""
    yield folder
    level = [folder]
    for _ in range(2):
        subfolders = (child for parent in level for child in sorted(parent.glob("[!.]*/")))
        level = [child for child in subfolders if not child.is_symlink()]
        yield from level


def _is_topic(folder: Path) -> bool:
    return bool(_TOPIC.fullmatch(folder.name)) and any((folder / part).is_dir() for part in SUFFIXES)


def _list_files(folder: Path, suffix: str) -> list[Path]:
    """The files of a folder with a suffix in upper or lower case, by name; none if the folder is missing.

    InputError for anything else with the suffix (`release.check_file`).
    """
    if not parts.is_folder(folder):
        return []
    return [parts.check_file(path) for path in parts.entries(folder) if path.name.lower().endswith(suffix)]


def _group_files(files: Iterable[Path], topic: Path, suffix: str) -> dict[str, Path]:
    """Files by the annotator's letter, as in ``D1401_TRAIN.A.summary.txt``.

    InputError for another name, and for two files with the same letter.
    """
    paths: dict[str, Path] = {}
    for path in files:
        name, _, annotator = path.name[: -len(suffix)].partition(".")
        if name not in (topic.name, _topic_id(topic)) or "." in annotator:
            raise InputError(f"is not named {topic.name}.<annotator>{suffix}", path=path, remedy="Rename it.")
        names.check("annotator", annotator, path=path)
        if annotator in paths:
            problem = f"annotator {annotator} has {paths[annotator].name} too"
            raise InputError(problem, path=path, remedy="Keep one of them.")
        paths[annotator] = path
    return paths


def _nugget_files(folder: str | Path) -> dict[str, dict[str, Path]]:
    folder = Path(folder)
    if not folder.is_dir():
        problem = "there is no such folder; expected the Pyramid annotations"
        raise InputError(problem, path=folder, remedy=PYRAMIDS_FROM)
    for candidate in _folders_below(folder):
        paths: dict[str, dict[str, Path]] = {}
        for path in parts.entries(candidate):
            if not (match := _NUGGETS.fullmatch(path.name)):
                continue
            paths.setdefault(match[1].upper(), {})[match[2].upper()] = parts.check_file(path)
        if paths:
            return paths
    problem = "holds no nuggets: looked there and two levels below for files such as d1401-A.ann"
    raise InputError(problem, path=folder, remedy=PYRAMIDS_FROM)


# --- files ----------------------------------------------------------------------------------------


def _text(path: Path) -> str:
    return parts.decoded_text(path, "cp1252")


def _each_row(path: Path, parse: Callable[[str], _Record]) -> Iterator[tuple[int, _Record]]:
    rows = enumerate(re.split(r"\r\n|\r|\n", _text(path)), 1)
    text_rows = ((number, row) for number, row in rows if row.strip())
    return parts.each_parsed(path, text_rows, parse, RELEASE_FROM)


def _once(path: Path, lines: dict, key: object, line: int, what: str) -> None:
    if (first := lines.setdefault(key, line)) != line:
        problem = f"{what} is there twice, first in line {first}"
        raise InputError(problem, path=path, line=line, remedy="Keep one of them.")


def _nuggets(path: Path, topic: str, annotator: str) -> list[Nugget]:
    """The nuggets of a file; the same text may be a nugget at two places."""
    nuggets = []
    lines: dict[tuple, int] = {}
    for number, mark in _each_row(path, _mark):
        if mark is not None:
            _once(path, lines, mark, number, "the nugget")
            nuggets.append(Nugget(topic, annotator, mark[1]))
    return nuggets


_NOTES = tuple("#AREMN*")  # first letters of notes, attributes, relations and events of the annotation tool
_PLACE = re.compile(r"(?:\w+ )?\d+ \d+(?:;\d+ \d+)*")


def _mark(row: str) -> tuple[str, str] | None:
    """The place and the text of a nugget; None for a note or the like. InputError for any other row."""
    if row.startswith(_NOTES):
        return None
    cells = row.split("\t")
    is_nugget = row.startswith("T") and len(cells) == 3 and _PLACE.fullmatch(cells[1])
    if not is_nugget or not cells[2].strip():
        problem = "is not a nugget"
        raise InputError(problem, remedy="Give T<number>, start and end, and text, separated by tabs.")
    return cells[1], " ".join(cells[2].split())


_KEYS = (
    "Topic ID|Citance Number|Reference Article|Citing Article|Citation Marker Offset|Citation Marker|"
    "Citation Offset|Citation Text|Reference Offset|Reference Text|Discourse Facet|Annotator"
)
# A field begins at a bar followed by a key; other bars are part of a text.
_FIELDS = re.compile(rf"(?:^|\|)\s*({_KEYS})\s*:", re.IGNORECASE)


def _annotations(folder: Path) -> Iterator[Annotation]:
    suffix = SUFFIXES["Annotation"]
    for letter, path in _group_files(_list_files(folder / "Annotation", suffix), folder, suffix).items():
        lines: dict[int, int] = {}
        for number, annotation in _each_row(path, lambda row: _annotation(row, _topic_id(folder), letter)):
            _once(path, lines, annotation.citance, number, f"citance {annotation.citance}")
            yield annotation
        if not lines:
            raise InputError("holds no record", path=path, remedy=RELEASE_FROM)


def _annotation(row: str, topic: str, letter: str) -> Annotation:
    """The annotation in a row; InputError for a row of another form, and of another topic or annotator."""
    _, *pieces = _FIELDS.split(row.strip().removesuffix("|"))
    fields = zip(pieces[::2], pieces[1::2], strict=True)
    values = {key.lower(): " ".join(value.split()) for key, value in fields}

    def field(key: str, *, empty: bool = False) -> str:
        value = values.get(key.lower())
        if value is None or not (value or empty):
            raise InputError(f"the record has no {key!r}")
        return value

    if not field("Citance Number").isdecimal():
        raise InputError(f"'Citance Number' is not a number: {shown(field('Citance Number'))}")
    if (name := values.get("topic id", topic)).partition("_")[0] != topic:
        raise InputError(f"'Topic ID' is {shown(name)}, but the folder's topic is {topic}")
    if (annotator := field("Annotator").strip(" ,.")) != letter:
        raise InputError(f"'Annotator' is {shown(annotator)}, but the file's is {letter}")
    return Annotation(
        topic=topic,
        citance=int(field("Citance Number")),
        reference=field("Reference Article").removesuffix(".txt"),
        citing=field("Citing Article").removesuffix(".txt"),
        marker=field("Citation Marker", empty=True),
        citation=field("Citation Text"),
        reference_texts=tuple(
            text for part in re.split(r"\s\.\.\.\s", field("Reference Text")) if (text := part.strip())
        ),
        facet=field("Discourse Facet").removesuffix("_Citation"),
        annotator=annotator,
    )


TAC2014 = Benchmark(
    inputs=inputs, read=read, RELEASE=("TAC 2014 BiomedSumm", 20), OPTIONS=("pyramids", "cleaning")
)
