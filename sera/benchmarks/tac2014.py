"""TAC 2014 BiomedSumm, with the Pyramid annotations of Cohan & Goharian (2016, section 4.2).

The release comes from NIST under an agreement: a folder for each topic, with the reference article and the
articles that cite it, four gold summaries, and for each citance what four annotators took it to refer to.
The nuggets that were marked in the gold summaries are public on GitHub. What the files are like, and what is
done about it:

- line ends are LF, CRLF or, in summaries, a lone CR: all are taken
- most files are UTF-8, many with a byte order mark, which is dropped; the few that are not are cp1252
- a key of the annotations is spelt in two ways (``Reference Offset``); an annotator's letter may have a comma
- offsets in articles are off in a part of the records: the text is the authority everywhere. Offsets of
  nuggets count the characters of the summary without byte order mark and carriage returns
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from sera.benchmarks import Topic
from sera.benchmarks.article import clean
from sera.errors import InputError
from sera.records import Citance, Document, Nugget, Reference, Source
from sera.text import sentences

log = logging.getLogger(__name__)

JUDGED = False
ANNOTATORS = 4  # a topic has; their letters differ by topic

RELEASE_FROM = (
    "The release is NIST's: sign the TAC 2014 BiomedSumm data agreement "
    "(https://tac.nist.gov/2014/BiomedSumm/), unpack the archive and name its folder."
)
PYRAMIDS_FROM = (
    "Get them with `git clone https://github.com/acohan/TAC-Pyramid-Annotations` (MIT) and name the folder."
)


class Span(NamedTuple):
    """Characters ``start`` to ``end``, end exclusive, of a file without its carriage returns."""

    start: int
    end: int


@dataclass(frozen=True)
class Annotation:
    """What one annotator said of one citance; texts have their white space collapsed.

    ``topic`` is as in `Topic`; ``reference`` and ``citing`` are articles' names, the files' without
    ``.txt``. ``reference_texts`` are the passages of the reference article that the citance refers to,
    one to three. The marker (``[53]``) may be empty and its span None. ``facet`` is
    Hypothesis, Method, Results, Implication or Discussion.
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


def inputs(*, release: str | Path, pyramids: str | Path | None = None) -> list[Path]:
    """Every file that `read` reads, sorted; folders are listed and no file is opened.

    ``release`` may be the release's folder, its ``data``, the folder above, or one of its topics' folders
    (which stands for all topics beside it); ``pyramids`` the repository's folder or its ``annotations``.

    Raises InputError that names every missing part, where it was looked for and how to get it: no topic,
    fewer than four annotation files or four summaries in a topic, no documents, no nuggets at all.
    """
    paths: list[Path] = []
    folders = _topics(release)
    missing = []
    for folder in folders:
        parts = {kind: _files(folder / kind, suffix) for kind, suffix in _PARTS.items()}
        for kind, found in parts.items():
            least = 1 if kind == "Documents_Text" else ANNOTATORS
            if len(found) < least:
                missing.append(f"{folder.name}/{kind}/*{_PARTS[kind]} ({len(found)} of {least})")
        paths += [path for found in parts.values() for path in found]
    if missing:
        raise InputError(f"lacks {', '.join(missing)}", path=folders[0].parent, remedy=RELEASE_FROM)
    if pyramids is not None:
        nuggets = _pyramids(pyramids)
        known = {_id(folder) for folder in folders}
        paths += [path for topic, files in nuggets.items() if topic in known for path in files.values()]
    return sorted(paths)


def read(*, release: str | Path, pyramids: str | Path | None = None, cleaning: str = "full") -> list[Topic]:
    """The topics, sorted by id; for the folders see `inputs`, for ``cleaning`` see `article.clean`.

    A topic's id is its folder's name to the underscore (``D1401``). Its source is the reference article,
    cleaned; its documents are the whole raw texts of all its articles, with ids such as
    ``D1401-Voorhoeve``. There is one citance for each citance number: where annotators delimited it
    differently, the text that most of them gave, of equals the longest, then the first annotator's.
    Nuggets are in the order of their files. A topic without any has an empty tuple and a warning.

    Raises InputError as `inputs` does, and for an annotation that is malformed, a reference article
    that is not among the documents, and an empty summary.
    """
    inputs(release=release, pyramids=pyramids)  # so that all that is missing is told at once
    nuggets = {} if pyramids is None else _pyramids(pyramids)
    return [
        _topic(folder, nuggets.get(_id(folder)), pyramids is not None, cleaning)
        for folder in _topics(release)
    ]


def read_annotations(release: str | Path) -> list[Annotation]:
    """Every record of the annotation files, by topic, annotator and place in the file.

    Raises InputError with path and line for a record that lacks a field or has a malformed one.
    """
    return [annotation for folder in _topics(release) for annotation in _annotations(folder)]


# --- folders --------------------------------------------------------------------------------------

_PARTS = {"Annotation": ".ann.txt", "Documents_Text": ".txt", "Summary": ".summary.txt"}
_TOPIC = re.compile(r"(D\d{4})(?:_\w+)?")


def _id(folder: Path) -> str:
    match = _TOPIC.fullmatch(folder.name)
    assert match is not None
    return match[1]


def _topics(release: str | Path) -> list[Path]:
    release = Path(release)
    if not release.is_dir():
        raise InputError(
            "there is no such folder; expected the TAC 2014 BiomedSumm release",
            path=release,
            remedy=RELEASE_FROM,
        )
    if _is_topic(release.resolve()):
        release = release.resolve().parent
    children = _folders(release)
    for folder in (release, *children, *(grandchild for child in children for grandchild in _folders(child))):
        if found := [child for child in _folders(folder) if _is_topic(child)]:
            return found
    raise InputError(
        "holds no topic: looked there and two levels below for folders such as D1401_TRAIN with Annotation, "
        "Documents_Text and Summary",
        path=release,
        remedy=RELEASE_FROM,
    )


def _is_topic(folder: Path) -> bool:
    return bool(_TOPIC.fullmatch(folder.name)) and any((folder / part).is_dir() for part in _PARTS)


def _folders(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))


def _files(folder: Path, suffix: str) -> list[Path]:
    """A folder's files by name; none if there is no folder. Upper and lower case are one in the suffix."""
    if not folder.is_dir():
        return []
    return sorted(
        path
        for path in folder.iterdir()
        if path.is_file() and path.name.lower().endswith(suffix) and not path.name.startswith(".")
    )


def _annotator(path: Path) -> str:
    """The letter in ``D1401_TRAIN.A.summary.txt``."""
    return path.name.split(".")[1]


def _pyramids(folder: str | Path) -> dict[str, dict[str, Path]]:
    """Files of nuggets by topic and annotator, sorted."""
    folder = Path(folder)
    if not folder.is_dir():
        raise InputError(
            "there is no such folder; expected the Pyramid annotations", path=folder, remedy=PYRAMIDS_FROM
        )
    below = _folders(folder)
    for candidate in (folder, *below, *(grandchild for child in below for grandchild in _folders(child))):
        found: dict[str, dict[str, Path]] = {}
        for path in _files(candidate, ".ann"):
            if match := re.fullmatch(r"(d\d{4})-([a-z])\.ann", path.name, re.IGNORECASE):
                found.setdefault(match[1].upper(), {})[match[2].upper()] = path
        if found:
            return found
    raise InputError(
        "holds no nuggets: looked there and two levels below for files such as d1401-A.ann",
        path=folder,
        remedy=PYRAMIDS_FROM,
    )


# --- one topic ------------------------------------------------------------------------------------


def _topic(folder: Path, pyramid: dict[str, Path] | None, expected: bool, cleaning: str) -> Topic:
    topic = _id(folder)
    annotations = list(_annotations(folder))
    summaries = {_annotator(path): path for path in _files(folder / "Summary", _PARTS["Summary"])}
    documents = {
        path.name.removesuffix(".txt"): _text(path) for path in _files(folder / "Documents_Text", ".txt")
    }
    nuggets: list[Nugget] = []
    for annotator, path in (pyramid or {}).items():
        nuggets += _nuggets(path, topic, annotator, summaries.get(annotator))
    if expected and not nuggets:
        log.warning("topic %s has no nuggets", topic)
    elif pyramid and (absent := sorted(summaries.keys() - pyramid.keys())):
        log.warning("topic %s has no nuggets of annotators %s", topic, ", ".join(absent))
    return Topic(
        id=topic,
        source=_source(folder, topic, annotations, documents, cleaning),
        references=tuple(_reference(path, topic) for path in summaries.values()),
        citances=tuple(_citances(annotations)),
        nuggets=tuple(nuggets),
        documents=tuple(
            Document(id=f"{topic}-{name}", text="\n\n".join(_paragraphs(text)))
            for name, text in documents.items()
        ),
    )


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
    stem = {_squeezed(stem): stem for stem in documents}.get(_squeezed(name))
    if stem is None:
        raise InputError(
            f"lacks the reference article {name}.txt", path=folder / "Documents_Text", remedy=RELEASE_FROM
        )
    return clean(documents[stem], id=stem, topic=topic, cleaning=cleaning)


def _squeezed(name: str) -> str:
    return "".join(name.split()).lower().replace("’", "'")


def _reference(path: Path, topic: str) -> Reference:
    found = tuple(sentence for paragraph in _paragraphs(_text(path)) for sentence in sentences(paragraph))
    if not found:
        raise InputError("the summary is empty", path=path, remedy=RELEASE_FROM)
    return Reference(topic, _annotator(path), found)


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
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _rows(path: Path) -> list[str]:
    return re.split(r"\r\n|\r|\n", _text(path))


def _paragraphs(text: str) -> list[str]:
    """A text's lines that are not blank, white space collapsed."""
    return [paragraph for row in re.split(r"\r\n|\r|\n", text) if (paragraph := " ".join(row.split()))]


def _nuggets(path: Path, topic: str, annotator: str, summary: Path | None) -> list[Nugget]:
    """The nuggets of one file; warns if its offsets do not fit the summary."""
    text = "" if summary is None else _text(summary).replace("\r", "")
    found, astray = [], 0
    for number, row in enumerate(_rows(path), 1):
        if not row.startswith("T"):  # blank, or a note, attribute or relation of the annotation tool
            continue
        cells = row.split("\t")
        match = re.fullmatch(r"(?:\w+ )?(\d+ \d+(?:;\d+ \d+)*)", cells[1]) if len(cells) == 3 else None
        if match is None or not cells[2].strip():
            raise InputError(
                "is not a nugget",
                path=path,
                line=number,
                remedy="Expected T<number>, start and end, and text, between tabs.",
            )
        pieces = [text[slice(*map(int, piece.split()))] for piece in match[1].split(";")]
        astray += " ".join(" ".join(pieces).split()) != " ".join(cells[2].split())
        found.append(Nugget(topic, annotator, " ".join(cells[2].split())))
    if summary is None:
        log.warning("%s: there is no summary of annotator %s for topic %s", path, annotator, topic)
    elif astray:
        log.warning(
            "%s: %d of %d offsets do not fit %s; the nuggets' texts are taken",
            path,
            astray,
            len(found),
            summary.name,
        )
    return found


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
# A field begins at a bar that a key follows: a bar inside a text separates nothing.
_FIELDS = re.compile(r"(?:^|\|)\s*(" + "|".join(_KEYS) + r")\s*:", re.IGNORECASE)


def _annotations(folder: Path) -> Iterator[Annotation]:
    for path in _files(folder / "Annotation", _PARTS["Annotation"]):
        for number, row in enumerate(_rows(path), 1):
            if row.strip():
                try:
                    yield _annotation(row, _id(folder))
                except ValueError as error:
                    raise InputError(f"{error}", path=path, line=number, remedy=RELEASE_FROM) from None


def _annotation(row: str, topic: str) -> Annotation:
    pieces = _FIELDS.split(row.strip().removesuffix("|"))
    values = {
        key.lower(): " ".join(value.split()) for key, value in zip(pieces[1::2], pieces[2::2], strict=True)
    }

    def field(key: str, *, empty: bool = False) -> str:
        value = values.get(key.lower())
        if value is None or not (value or empty):
            raise ValueError(f"the record has no {key!r}")
        return value

    def spans(key: str) -> tuple[Span, ...]:
        found = tuple(
            Span(int(start), int(end)) for start, end in re.findall(r"(\d+)\s*[-–]\s*(\d+)", field(key))
        )
        if not found:
            raise ValueError(f"{key!r} is not start-end: {field(key)}")
        return found

    if not field("Citance Number").isdecimal():
        raise ValueError(f"'Citance Number' is not a number: {field('Citance Number')}")
    return Annotation(
        topic=topic,
        citance=int(field("Citance Number")),
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
