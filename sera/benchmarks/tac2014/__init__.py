"""TAC 2014 BiomedSumm, with the Pyramid annotations of Cohan & Goharian (2016, section 4.2).

NIST gives the release under an agreement. It has a folder for each topic, with the reference article, the
articles that cite it, four gold summaries, and for each citance the passages that it refers to, as marked by
four annotators. The nuggets marked in the gold summaries are public on GitHub. Properties of the files:

- Line ends are LF, CRLF or, in summaries, a lone CR. All are accepted.
- Most files are UTF-8, many with a byte order mark, which is dropped. The few others are cp1252.
- One key of the annotations has two spellings (``Reference Offset``). An annotator's letter may have a comma.
- Offsets in articles are wrong in some records, so the text is used everywhere. Offsets of nuggets count the
  characters of the summary without byte order mark and carriage returns.

A fault that would make a result wrong is an InputError. A harmless oddity is logged as a warning with its
file: ignored files, nuggets of topics that the release does not have, equal summaries.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

from sera import names
from sera.benchmarks import Topic, warn_of_equal
from sera.benchmarks import release as parts
from sera.benchmarks.tac2014.article import clean
from sera.benchmarks.tac2014.folders import (
    RELEASE_FROM,
    SUFFIXES,
    by_annotator,
    files_of,
    inputs,
    nugget_files,
    topic_folders,
    topic_id,
    warn_of_other_nuggets,
    warn_of_others,
)
from sera.errors import Faults, InputError
from sera.io.records import Citance, Document, Nugget, Reference, Source
from sera.settings import shown
from sera.text.sentences import sentences

log = logging.getLogger(__name__)

_Record = TypeVar("_Record")

JUDGED = False
RELEASE = "TAC 2014 BiomedSumm", 20


class Span(NamedTuple):
    """The characters ``start`` to ``end``, end exclusive, of a file without its carriage returns."""

    start: int
    end: int


@dataclass(frozen=True)
class Annotation:
    """The annotation of one citance by one annotator; white space in texts is collapsed.

    ``topic`` is the id as in `Topic`. ``reference`` and ``citing`` are the names of the articles' files
    without ``.txt``. ``reference_texts`` are the passages of the reference article that the citance refers
    to, one to three. The marker (``[53]``) may be empty and its span None. ``facet`` is Hypothesis, Method,
    Results, Implication or Discussion.
    """

    topic: str
    citance: int
    reference: str
    citing: str
    marker_span: Span | None
    marker: str
    citation_span: Span
    citation: str
    reference_spans: tuple[Span, ...]
    reference_texts: tuple[str, ...]
    facet: str
    annotator: str


def read(*, release: str | Path, pyramids: str | Path | None = None, cleaning: str = "full") -> list[Topic]:
    """Read the topics, sorted by id; for the folders see `inputs`, for ``cleaning`` see `article.clean`.

    A topic's id is its folder's name up to the underscore (``D1401``). Its source is the reference article,
    cleaned. Its documents are the raw texts of all its articles, with ids like ``D1401-Voorhoeve``. Each
    citance number gives one citance: where annotators delimited it differently, the text that most of them
    gave, of equals the longest, then the first annotator's. Nuggets are in the order of their files. A topic
    without nuggets is logged as a warning.

    InputError as in `inputs`; with file and line, up to ten per file, for annotations and nuggets that are
    malformed, repeated, or of another topic or annotator than their file; with the file for annotations
    without a record, a reference article that is not among the documents or has no sentence, and an empty
    summary.
    """
    inputs(release=release, pyramids=pyramids)  # names all missing files at once
    nuggets = {} if pyramids is None else nugget_files(pyramids)
    folders = topic_folders(release)
    warn_of_other_nuggets(nuggets, {topic_id(folder) for folder in folders})
    faults = Faults()
    topics = [
        faults.checked(_topic, folder, nuggets.get(topic_id(folder)), pyramids is not None, cleaning)
        for folder in folders
    ]
    faults.raise_all()
    return [topic for topic in topics if topic]


def read_annotations(release: str | Path) -> list[Annotation]:
    """All records of the annotation files, by topic, annotator and place in the file.

    InputError as in `read` for annotations.
    """
    return [annotation for folder in topic_folders(release) for annotation in _annotations(folder)]


# --- one topic ------------------------------------------------------------------------------------


def _topic(folder: Path, pyramid: dict[str, Path] | None, expected: bool, cleaning: str) -> Topic:
    topic = topic_id(folder)
    warn_of_others(folder)
    faults = Faults()
    annotations = faults.checked(lambda: list(_annotations(folder))) or []
    suffix = SUFFIXES["Summary"]
    summaries = by_annotator(files_of(folder / "Summary", suffix), folder, suffix)
    documents = _documents(folder)
    read = [faults.checked(_reference, path, topic, annotator) for annotator, path in summaries.items()]
    references = tuple(reference for reference in read if reference)
    warn_of_equal(references, folder / "Summary")
    nuggets: list[Nugget] = []
    for annotator, path in (pyramid or {}).items():
        nuggets += faults.checked(_nuggets, path, topic, annotator, summaries.get(annotator)) or []
    faults.raise_all()
    if expected and not nuggets:
        log.warning("topic %s has no nuggets", topic)
    elif pyramid and (absent := sorted(summaries.keys() - pyramid.keys())):
        log.warning("topic %s has no nuggets of annotators %s", topic, ", ".join(absent))
    return Topic(
        id=topic,
        source=_source(folder, topic, annotations, documents, cleaning),
        references=references,
        citances=tuple(_citances(annotations)),
        nuggets=tuple(nuggets),
        documents=tuple(
            Document(id=f"{topic}-{name}", text="\n\n".join(_paragraphs(text)))
            for name, text in documents.items()
        ),
    )


def _documents(folder: Path) -> dict[str, str]:
    documents = {}
    for path in files_of(folder / "Documents_Text", ".txt"):
        name = path.name.removesuffix(".txt")
        names.check("document", name, path=path)
        documents[name] = _text(path)
        if not documents[name].strip():
            log.warning("%s is empty", path)
    return documents


def _source(
    folder: Path, topic: str, annotations: list[Annotation], documents: dict[str, str], cleaning: str
) -> Source:
    named = Counter(annotation.reference for annotation in annotations)
    if not named:
        raise InputError(
            "the annotation files hold no record", path=folder / "Annotation", remedy=RELEASE_FROM
        )
    if len(named) > 1:
        log.warning("topic %s: the annotations name more than one reference article: %s", topic, dict(named))
    name = min(named, key=lambda name: (-named[name], name))
    stems = [stem for stem in documents if _squeezed(stem) == _squeezed(name)]
    if not stems:
        raise InputError(
            f"lacks the reference article {name}.txt", path=folder / "Documents_Text", remedy=RELEASE_FROM
        )
    path = folder / "Documents_Text" / f"{stems[0]}.txt"
    if len(stems) > 1:
        raise InputError(
            f"matches the name of the reference article {name}.txt, and so does {stems[1]}.txt",
            path=path,
            remedy="Keep one of them.",
        )
    source = clean(documents[stems[0]], id=stems[0], topic=topic, cleaning=cleaning)
    if not source.sentences:
        raise InputError(
            f"the reference article has no sentence left after cleaning ({cleaning})",
            path=path,
            remedy=RELEASE_FROM,
        )
    return source


def _squeezed(name: str) -> str:
    return "".join(name.split()).lower().replace("’", "'")


def _reference(path: Path, topic: str, annotator: str) -> Reference:
    found = tuple(sentence for paragraph in _paragraphs(_text(path)) for sentence in sentences(paragraph))
    if not found:
        raise InputError("the summary is empty", path=path, remedy=RELEASE_FROM)
    return Reference(topic, annotator, found)


def _citances(annotations: Iterable[Annotation]) -> Iterator[Citance]:
    by_number: dict[int, list[Annotation]] = {}
    for annotation in sorted(annotations, key=lambda a: (a.citance, a.annotator)):
        by_number.setdefault(annotation.citance, []).append(annotation)
    for group in by_number.values():
        votes = Counter((a.citing, a.citation) for a in group)
        citing, text = max(votes, key=lambda key: (votes[key], len(key[1])))  # of equals, max gives the first
        yield Citance(group[0].topic, citing, text)


# --- files ----------------------------------------------------------------------------------------


def _text(path: Path) -> str:
    return parts.decoded_text(path, "cp1252")


def _rows(path: Path) -> list[str]:
    return re.split(r"\r\n|\r|\n", _text(path))


def _paragraphs(text: str) -> list[str]:
    """The lines of a text that are not blank, white space collapsed."""
    return [paragraph for row in re.split(r"\r\n|\r|\n", text) if (paragraph := " ".join(row.split()))]


def _each_row(path: Path, parse: Callable[[str], _Record]) -> Iterator[tuple[int, _Record]]:
    """Parse the rows of a file that are not blank; InputError as of `release.each_parsed`."""
    rows = ((number, row) for number, row in enumerate(_rows(path), 1) if row.strip())
    return parts.each_parsed(path, rows, parse, RELEASE_FROM)


def _once(path: Path, lines: dict, key: object, line: int, what: str) -> None:
    """Record the line of a key; InputError if an earlier line has the key."""
    if (first := lines.setdefault(key, line)) != line:
        raise InputError(
            f"{what} stands twice, first in line {first}", path=path, line=line, remedy="Keep one of them."
        )


def _nuggets(path: Path, topic: str, annotator: str, summary: Path | None) -> list[Nugget]:
    """The nuggets of a file; logs a warning if its offsets do not fit the summary."""
    text = "" if summary is None else _text(summary).replace("\r", "")
    found, astray = [], 0
    lines: dict[tuple, int] = {}
    for number, mark in _each_row(path, _mark):
        if mark is None:
            continue
        spans, content = mark
        _once(path, lines, mark, number, "the nugget")
        astray += not _fits(spans, content, text)
        found.append(Nugget(topic, annotator, content))
    if not found:
        log.warning("%s holds no nugget", path)
    if summary is None:
        log.warning("%s: there is no summary of annotator %s for topic %s", path, annotator, topic)
    elif astray:
        log.warning(
            "%s: %d of %d offsets do not fit %s; the texts of the nuggets are used",
            path,
            astray,
            len(found),
            summary.name,
        )
    return found


_NOTES = tuple("#AREMN*")  # first letters of notes, attributes, relations and events of the annotation tool


def _mark(row: str) -> tuple[tuple[Span, ...], str] | None:
    """The spans and the text of a nugget; None for a note or the like. InputError for any other row."""
    if row.startswith(_NOTES):
        return None
    cells = row.split("\t")
    match = re.fullmatch(r"(?:\w+ )?(\d+ \d+(?:;\d+ \d+)*)", cells[1]) if len(cells) == 3 else None
    if match is None or not cells[2].strip() or not row.startswith("T"):
        raise InputError(
            "is not a nugget", remedy="Give T<number>, start and end, and text, separated by tabs."
        )
    spans = tuple(Span(*map(parts.whole_number, piece.split())) for piece in match[1].split(";"))
    return spans, " ".join(cells[2].split())


def _fits(spans: Iterable[Span], content: str, text: str) -> bool:
    """Whether the summary has the text of a nugget at its spans."""
    pieces = []
    left = len(text)
    for start, end in spans:
        if (left := left - max(min(end, len(text)) - start, 0)) < 0:
            return False  # the pieces overlap, so together they could have any length
        pieces.append(text[start:end])
    return " ".join(" ".join(pieces).split()) == content


_KEYS = (
    "Topic ID",
    "Citance Number",
    "Reference Article",
    "Citing Article",
    "Citation Marker Offset",
    "Citation Marker",
    "Citation Offset",
    "Citation Text",
    "Reference Offset",
    "Reference Text",
    "Discourse Facet",
    "Annotator",
)
# A field begins at a bar followed by a key; other bars are part of a text.
_FIELDS = re.compile(r"(?:^|\|)\s*(" + "|".join(_KEYS) + r")\s*:", re.IGNORECASE)

_SPAN = re.compile(r"(?<!\d)(\d++)\s*+[-–]\s*+(\d++)")  # matches begin at a number's first digit only


def _annotations(folder: Path) -> Iterator[Annotation]:
    suffix = SUFFIXES["Annotation"]
    for letter, path in by_annotator(files_of(folder / "Annotation", suffix), folder, suffix).items():
        lines: dict[int, int] = {}
        for number, annotation in _each_row(
            path, lambda row: _by(letter, _annotation(row, topic_id(folder)))
        ):
            _once(path, lines, annotation.citance, number, f"citance {annotation.citance}")
            yield annotation
        if not lines:
            raise InputError("holds no record", path=path, remedy=RELEASE_FROM)


def _by(letter: str, annotation: Annotation) -> Annotation:
    """The annotation itself; InputError if its annotator is not that of the file."""
    if annotation.annotator != letter:
        raise InputError(f"'Annotator' is {shown(annotation.annotator)}, but the file's is {letter}")
    return annotation


def _annotation(row: str, topic: str) -> Annotation:
    before, *pieces = _FIELDS.split(row.strip().removesuffix("|"))
    if before.strip():
        raise InputError(f"the record has {before.strip()[:60]!r} before its first field")
    values: dict[str, str] = {}
    for key, value in zip(pieces[::2], pieces[1::2], strict=True):
        if values.setdefault(key.lower(), collapsed := " ".join(value.split())) is not collapsed:
            raise InputError(f"the record has {key!r} twice")

    def field(key: str, *, empty: bool = False) -> str:
        value = values.get(key.lower())
        if value is None or not (value or empty):
            raise InputError(f"the record has no {key!r}")
        return value

    def spans(key: str) -> tuple[Span, ...]:
        found = tuple(
            Span(parts.whole_number(start), parts.whole_number(end))
            for start, end in _SPAN.findall(field(key))
        )
        if not found:
            raise InputError(f"{key!r} is not start-end: {shown(field(key))}")
        return found

    if not field("Citance Number").isdecimal():
        raise InputError(f"'Citance Number' is not a number: {shown(field('Citance Number'))}")
    if (of := values.get("topic id", topic)).partition("_")[0] != topic:
        raise InputError(f"'Topic ID' is {shown(of)}, but the folder's topic is {topic}")
    return Annotation(
        topic=topic,
        citance=parts.whole_number(field("Citance Number")),
        reference=field("Reference Article").removesuffix(".txt"),
        citing=field("Citing Article").removesuffix(".txt"),
        marker_span=spans("Citation Marker Offset")[0]
        if field("Citation Marker Offset", empty=True)
        else None,
        marker=field("Citation Marker", empty=True),
        citation_span=spans("Citation Offset")[0],
        citation=field("Citation Text"),
        reference_spans=spans("Reference Offset"),
        reference_texts=tuple(
            text for part in re.split(r"\s\.\.\.\s", field("Reference Text")) if (text := part.strip())
        ),
        facet=field("Discourse Facet").removesuffix("_Citation"),
        annotator=field("Annotator").strip(" ,."),
    )
