"""The records that pass between the steps: one JSON object a line (JSONL), or a table (TSV).

Every file of the project has one of these shapes, so any step can be run on files of one's own:

============  =============================================================================
candidates    ``topic``, ``system``, ``sentences``
references    ``topic``, ``annotator``, ``sentences``
sources       ``topic``, ``id``, ``title``, ``sections`` (list of ``{title, sentences}``)
              or ``sentences``
citances      ``topic``, ``citing``, ``text``
nuggets       ``topic``, ``annotator``, ``text``
documents     ``id``, ``text``; or ``id``, ``title``, ``abstract`` (list of paragraphs) and
              ``sections`` (list of ``{title, paragraphs}``)
queries       ``id``, ``text``
judgements    TSV: ``topic``, ``system``, ``judgement``, ``score``
scores        TSV: ``topic``, ``system``, ``metric``, ``score``
human scores  TSV: ``topic``, ``system``, ``judgement``, ``score``
averages      TSV: ``system``, ``metric``, ``measure`` (P, R or F), ``mean``, ``ci_low``, ``ci_high``
rankings      TREC run: ``query Q0 docid rank score tag``
============  =============================================================================

A system named ``human_A`` is annotator A's own summary taken as a candidate.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from sera import names
from sera.errors import MOST, InputError, Path, together
from sera.files import lines, parse_json, writing

Record = TypeVar("Record")

HUMAN = "human_"  # prefix of a system that is an annotator's own summary
NAMES = ("topic", "system", "annotator", "id", "judgement")  # fields that hold names


@dataclass(frozen=True)
class Candidate:
    """A summary to be scored: what ``system`` wrote for ``topic``."""

    topic: str
    system: str
    sentences: tuple[str, ...]

    @property
    def annotator(self) -> str | None:
        """The annotator whose own summary this is, or None for a system's."""
        return self.system.removeprefix(HUMAN) if self.system.startswith(HUMAN) else None


@dataclass(frozen=True)
class Reference:
    """A gold summary, written by ``annotator`` for ``topic``."""

    topic: str
    annotator: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Section:
    """A part of an article; ``title`` is empty where the article prints none."""

    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Source:
    """The article that a topic's summaries summarise."""

    topic: str
    id: str
    title: str = ""
    sections: tuple[Section, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """The article's sentences in order, without titles."""
        return tuple(sentence for section in self.sections for sentence in section.sentences)


@dataclass(frozen=True)
class Citance:
    """A passage of the article ``citing`` that cites the topic's article."""

    topic: str
    citing: str
    text: str


@dataclass(frozen=True)
class Nugget:
    """A content unit that was marked in ``annotator``'s gold summary."""

    topic: str
    annotator: str
    text: str


@dataclass(frozen=True)
class Judgement:
    """What humans said of a system's summary: ``score`` by the measure named ``judgement``."""

    topic: str
    system: str
    judgement: str
    score: float


@dataclass(frozen=True)
class Passage:
    """A titled run of paragraphs of a document."""

    title: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True)
class Document:
    """A text to be indexed. Either ``text`` is given, or it is made of the parts."""

    id: str
    text: str = ""
    title: str = ""
    abstract: tuple[str, ...] = ()
    sections: tuple[Passage, ...] = ()

    @property
    def content(self) -> str:
        """The text to index: ``text`` itself, or title, abstract and sections, a blank line between."""
        if self.text:
            return self.text
        parts = [self.title, *self.abstract]
        for section in self.sections:
            parts += [section.title, *section.paragraphs]
        return "\n\n".join(part for part in parts if part)


@dataclass(frozen=True)
class Query:
    """A text to search with."""

    id: str
    text: str


def iterate(path: Path, kind: type[Record]) -> Iterator[Record]:
    """Read records of one kind from a JSONL file (``.gz`` too), one at a time.

    Raises InputError with file and line for what is not UTF-8, not JSON (`sera.files.parse_json`), not of the
    kind, or has a name that may not be one (`sera.names.check`). Fields that the kind does not have are
    passed over; blank lines too.
    """
    for _, record in numbered(path, kind):
        yield record


def numbered(path: Path, kind: type[Record]) -> Iterator[tuple[int, Record]]:
    """Each record with the number of its line, the first being 1; see `iterate`."""
    for number, found in _found(path, kind):
        if isinstance(found, InputError):
            raise found
        yield number, found


def _found(path: Path, kind: type[Record]) -> Iterator[tuple[int, Record | InputError]]:
    """Each line's number with its record, or with what is wrong there."""
    found: Record | InputError
    for number, line in lines(path, f"{_plural(kind)}, one JSON object a line"):
        if line.strip():
            try:
                found = _record(parse_json(line, path=path, line=number), kind)
            except _Mismatch as error:
                found = InputError(
                    f"{error}", path=path, line=number, remedy=f"A line has the fields {_fields(kind)}."
                )
            except InputError as error:
                found = InputError(error.problem, path=path, line=number, remedy=error.remedy)
            yield number, found


def read(path: Path, kind: type[Record]) -> list[Record]:
    """All records of a JSONL file; see `iterate`. InputError names up to ten lines at once."""
    return _read(path, kind, unique=False)


def read_unique(path: Path, kind: type[Record]) -> list[Record]:
    """As `read`; a candidate, a reference or an article that stands twice (`same`) is an error too."""
    return _read(path, kind, unique=True)


def _read(path: Path, kind: type[Record], *, unique: bool) -> list[Record]:
    records: list[Record] = []
    faults: list[InputError] = []
    lines_of: dict[tuple[str, ...], int] = {}
    try:
        for number, found in _found(path, kind):
            if isinstance(found, InputError):
                faults.append(found)
            else:
                records.append(found)
                if unique and (named := same(found)):
                    key, problem = named
                    if (first := lines_of.setdefault(key, number)) != number:
                        problem = f"{problem} (the other is in line {first})"
                        remedy = "Leave one of them out."
                        faults.append(InputError(problem, path=path, line=number, remedy=remedy))
            if len(faults) > MOST:
                break
    except InputError as error:  # the file cannot be read further
        faults.append(error)
    if fault := together(faults):
        raise fault
    return records


def same(record: object) -> tuple[tuple[str, ...], str] | None:
    """By what a record is known of which there may be one alone, and what is wrong if there are two."""
    match record:
        case Candidate(topic, system):
            return (topic, system), f"system {system!r} has two candidates for topic {topic!r}"
        case Reference(topic, annotator):
            return (topic, annotator), f"annotator {annotator!r} has two references for topic {topic!r}"
        case Source(topic):
            return (topic,), f"topic {topic!r} has two articles"
    return None


def read_all(paths: Iterable[Path], kind: type[Record]) -> list[Record]:
    """All records of several JSONL files, one after the other; see `iterate`."""
    return [record for path in paths for record in iterate(path, kind)]


def as_candidate(reference: Reference) -> Candidate:
    """A gold summary as a candidate: the system ``human_A``, to be compared with the other annotators'."""
    return Candidate(reference.topic, HUMAN + reference.annotator, reference.sentences)


def write(path: Path, records: Iterable[Any]) -> int:
    """Write records as JSONL, complete or not at all; fields that are empty by default are left out.

    Gives the number of records written.
    """
    count = 0
    with writing(path) as stream:
        for count, record in enumerate(records, 1):
            stream.write(json.dumps(_fields_of(record), ensure_ascii=False) + "\n")
    return count


def _fields_of(record: Any) -> dict[str, Any]:
    fields = {}
    for field in dataclasses.fields(record):
        value = getattr(record, field.name)
        if field.default is dataclasses.MISSING or value != field.default:
            fields[field.name] = _plain(value)
    return fields


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return _fields_of(value) if dataclasses.is_dataclass(value) else value


class _Mismatch(Exception):
    pass


def _record(value: Any, kind: type[Record]) -> Record:
    if not isinstance(value, dict):
        raise _Mismatch("is not a JSON object")
    if kind is Source and "sentences" in value and "sections" not in value:
        value = {**value, "sections": [{"title": "", "sentences": value["sentences"]}]}
    hints = typing.get_type_hints(kind)
    given = {}
    for field in dataclasses.fields(kind):  # type: ignore[arg-type]
        if field.name in value:
            given[field.name] = _value(value[field.name], hints[field.name], field.name)
        elif field.default is dataclasses.MISSING:
            raise _Mismatch(f"has no field {field.name!r}")
    return kind(**given)


def _value(value: Any, hint: Any, name: str) -> Any:
    if isinstance(hint, types.GenericAlias):
        if not isinstance(value, list):
            raise _Mismatch(f"field {name!r} is not a list")
        return tuple(_value(item, hint.__args__[0], name) for item in value)
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _record(value, hint)
    if not isinstance(value, hint):
        raise _Mismatch(f"field {name!r} holds {type(value).__name__}, not {hint.__name__}")
    return names.check(name, value) if name in NAMES else value


def _plural(kind: type) -> str:
    return "queries" if kind is Query else kind.__name__.lower() + "s"


def _fields(kind: type) -> str:
    required = [f.name for f in dataclasses.fields(kind) if f.default is dataclasses.MISSING]
    optional = [f.name for f in dataclasses.fields(kind) if f.default is not dataclasses.MISSING]
    return ", ".join(required) + (f" and may have {', '.join(optional)}" if optional else "")
