"""The records in the files between steps: JSONL (one JSON object a line) or tables (TSV).

Every file has one of these shapes, so each step also runs on a user's own files:

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
judgements    TSV: ``topic``, ``system``, ``judgement``, ``score``, and ``judge`` if the judges are known
preferences   TSV: ``topic``, ``system_a``, ``system_b``, ``judge``, ``preference`` (A, B or tie)
scores        TSV: ``topic``, ``system``, ``metric``, ``score``
averages      TSV: ``system``, ``metric``, ``measure`` (P, R or F), ``mean``, ``ci_low``, ``ci_high``
rankings      TREC run: ``query Q0 docid rank score tag``
============  =============================================================================

The system ``human_A`` is annotator A's own summary, used as a candidate.
"""

import dataclasses
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from typing import Any, ClassVar, TypeVar

import msgspec

from sera import names
from sera.errors import Faults, InputError, Path
from sera.io.files import json_form, lines, parse_json, writing
from sera.registry import listed_found

Record = TypeVar("Record")

HUMAN = "human_"  # prefix of the system that is an annotator's own summary
NAMES = ("topic", "system", "annotator", "id", "judgement")  # fields that hold names


class RunningText(tuple[str, ...]):
    """A text that came as one string, which is its one item; who reads sentences splits it.

    A text of another language than English is of a subclass with this ``language``: see `mark_running_text`.
    """

    __slots__ = ()
    language: ClassVar[str] = "en"


class GermanRunningText(RunningText):
    """A German text that came as one string."""

    __slots__ = ()
    language: ClassVar[str] = "de"


_RUNNING: dict[str | None, Any] = {"en": RunningText, "de": GermanRunningText, None: tuple}


def mark_running_text(text: str, language: str | None) -> tuple[str, ...]:
    """A text that came as one string, to be split in this language; if that is None, it is one sentence."""
    return _RUNNING[language]((text,))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A summary to be scored, written by ``system`` for ``topic``."""

    topic: str
    system: str
    sentences: tuple[str, ...]

    @property
    def annotator(self) -> str | None:
        """The annotator who wrote this summary, or None for a system's summary."""
        return self.system.removeprefix(HUMAN) if self.system.startswith(HUMAN) else None


@dataclass(frozen=True, slots=True)
class Reference:
    """A gold summary, written by ``annotator`` for ``topic``."""

    topic: str
    annotator: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A section of an article; ``title`` is empty if the section has none."""

    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """The article that the summaries of a topic summarise."""

    topic: str
    id: str
    title: str = ""
    sections: tuple[Section, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """The article's sentences in order, without titles."""
        if len(self.sections) == 1:  # maybe of a `RunningText`
            return self.sections[0].sentences
        return tuple(sentence for section in self.sections for sentence in section.sentences)


@dataclass(frozen=True, slots=True)
class Citance:
    """A passage of the article ``citing`` that cites the topic's article."""

    topic: str
    citing: str
    text: str


@dataclass(frozen=True, slots=True)
class Nugget:
    """A content unit that was marked in the gold summary of ``annotator``."""

    topic: str
    annotator: str
    text: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """A human score of a system's summary: ``score`` on the scale named ``judgement``.

    ``judge`` names who judged; it is empty for a score that the release gives as the score of the summary.
    """

    topic: str
    system: str
    judgement: str
    score: float
    judge: str = ""


@dataclass(frozen=True, slots=True)
class Preference:
    """What a judge preferred of two systems' summaries of a topic: "A", "B" or "tie"."""

    topic: str
    system_a: str
    system_b: str
    judge: str
    preference: str


@dataclass(frozen=True, slots=True)
class GivenScore:
    """A metric's score of a system's summary that comes with a release and was not computed here."""

    topic: str
    system: str
    metric: str
    score: float


@dataclass(frozen=True, slots=True)
class Passage:
    """A titled run of paragraphs of a document."""

    title: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A text to be indexed: given as ``text``, or else as title, abstract and sections."""

    id: str
    text: str = ""
    title: str = ""
    abstract: tuple[str, ...] = ()
    sections: tuple[Passage, ...] = ()

    @property
    def content(self) -> str:
        """The text to index: ``text``, or else title, abstract and sections with blank lines between."""
        if self.text:
            return self.text
        parts = [self.title, *self.abstract]
        for section in self.sections:
            parts += [section.title, *section.paragraphs]
        return "\n\n".join(part for part in parts if part)

    @property
    def sha256(self) -> str:
        """The SHA-256 of the text to index."""
        return hashlib.sha256(self.content.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Query:
    """A text to search with."""

    id: str
    text: str


def checked_documents(documents: Iterable[Document]) -> Iterator[Document]:
    """The documents, one at a time; after the last, InputError if there are some and all are empty."""
    any_text, count = False, 0
    for count, document in enumerate(documents, 1):
        any_text = any_text or bool(document.content.strip())
        yield document
    if count and not any_text:
        raise InputError(f"all documents ({count}) are empty", remedy="Give each its text.")


def iterate(path: Path, kind: type[Record]) -> Iterator[Record]:
    """Read records of one kind from a JSONL file (compressed too), one at a time.

    Blank lines are skipped, and so are fields that the kind does not have, unless the text is missing. Raises
    InputError with file and line for a line that is not UTF-8, not JSON (`sera.io.files.parse_json`) or not
    of the kind, for a name that is not allowed (`sera.names.check`), and for a file of another form.
    """
    for _, record in each_line(path, kind):
        if isinstance(record, InputError):
            raise record
        yield record


def each_line(path: Path, kind: type[Record]) -> Iterator[tuple[int, Record | InputError]]:
    """The number of each line that is not blank, with its record or with its error.

    Raises InputError for a file that is something else than JSON Lines.
    """
    result: Record | InputError
    is_first = True
    for number, line in lines(path, f"{_plural(kind)}, one JSON object a line"):
        if line.strip():
            if is_first:
                _check_form(path, line, kind)
            is_first = False
            try:
                result = _record(parse_json(line), kind)
            except InputError as error:
                remedy = error.remedy or f"Give each line the fields {_fields(kind)}."
                if not line.lstrip().startswith("{"):
                    remedy = f"Write one JSON object a line, with the fields {_fields(kind)}."
                result = InputError(error.problem, path=path, line=number, remedy=remedy)
            yield number, result


def _check_form(path: Path, line: str, kind: type[Any]) -> None:
    """InputError, for the whole file, if its first line shows that it is not JSON Lines."""
    form, command = json_form(line), ""
    if form == "a JSON array":
        command = "jq -c '.[]'"
    elif re.fullmatch(r"\s*\{(?:.*[,:\[{])?\s*", line):
        form, command = "a JSON object of several lines", "jq -c ."
    elif line.lstrip()[0] not in '{["':
        cells = {cell.strip(" \"'") for cell in re.split("[\t,;]", line)}
        form = "a table" if len(cells) > 1 and cells & {"topic", "id", "text", "summary"} else "text"
    else:
        return
    remedy = f"Write one JSON object a line, with the fields {_fields(kind)}"
    remedy += f", for example by: {command} FILE > NEW.jsonl" if command else "."
    raise InputError(f"is {form}, not JSON Lines", path=path, remedy=remedy)


def read_unique(path: Path, kind: type[Record]) -> list[Record]:
    """As `read`; also raises InputError for a second candidate, reference or article (see `unique_key`)."""
    return read(path, kind, unique=True)


def read(path: Path, kind: type[Record], *, unique: bool = False) -> list[Record]:
    """All records of a JSONL file; see `iterate`. Raises one InputError for up to ten wrong lines."""
    return collect(path, each_line(path, kind), unique=unique)


def collect(
    path: Path, numbered: Iterable[tuple[int, Record | InputError]], *, unique: bool = False
) -> list[Record]:
    """The records of a file's lines, each with its number; one InputError for up to ten wrong lines."""
    records: list[Record] = []
    faults = Faults()
    first_lines: dict[Any, int] = {}
    for number, result in numbered:
        if isinstance(result, InputError):
            faults.append(result)
            continue
        records.append(result)
        if unique and type(result) in _KEYS:
            get_key, problem = _KEYS[type(result)]
            if (first := first_lines.setdefault(get_key(result), number)) != number:
                problem = f"{problem.format(result)} (the other is in line {first})"
                remedy = "Remove one of the two."
                faults.append(InputError(problem, path=path, line=number, remedy=remedy))
    faults.raise_all()
    return records


_KEYS: dict[type, tuple[Callable[[Any], Any], str]] = {
    Candidate: (
        attrgetter("topic", "system"),
        "system {0.system!r} has two candidates for topic {0.topic!r}",
    ),
    Reference: (
        attrgetter("topic", "annotator"),
        "annotator {0.annotator!r} has two references for topic {0.topic!r}",
    ),
    Source: (attrgetter("topic"), "topic {0.topic!r} has two articles"),
    Query: (attrgetter("id"), "query {0.id!r} is there twice"),
}
"""What gives the key that is unique to a record of a kind, and the problem if two records have it."""


class RecordColumns(Sequence[Record]):
    """Records of one kind in columns, each made when it is read.

    The texts of a large table are so no load on Python's collector of garbage, which looks at each object.

    make:      makes a record of a topic, an author (a system or an annotator) and its sentences
    topics, authors, texts: the columns, of one length; a text is one string, or a sequence of sentences
    language:  that in which one string is split; None if it is not
    """

    def __init__(
        self,
        make: Callable[[str, str, tuple[str, ...]], Record],
        topics: Sequence[str],
        authors: Sequence[str],
        texts: Sequence[str | Sequence[str]],
        language: str | None = None,
    ) -> None:
        self._make, self.topics, self.authors, self._texts = make, topics, authors, texts
        self._kind = _RUNNING[language]

    def __len__(self) -> int:
        return len(self.topics)

    def __getitem__(self, place: Any) -> Any:
        (parts,) = self.list_parts([place])
        sentences = parts if isinstance(parts, tuple) else tuple(parts)
        return self._make(self.topics[place], self.authors[place], sentences)

    def list_parts(self, places: Iterable[int]) -> list[Sequence[str]]:
        """The sentences of the texts at these places, or the one string as which a text came."""
        texts, kind = map(self._texts.__getitem__, places), self._kind
        return [kind((text,)) if isinstance(text, str) else text for text in texts]


class GivenRecords(RecordColumns[Record]):
    """Records that are there already, with the ``parts`` of their texts, as columns."""

    def __init__(self, records: Sequence[Any], parts: Sequence[Sequence[str]]) -> None:
        topics = [record.topic for record in records]
        authors = [record.system if isinstance(record, Candidate) else record.annotator for record in records]
        super().__init__(lambda *_: records[0], topics, authors, parts)
        self._records = records

    def __getitem__(self, place: Any) -> Any:
        return self._records[place]


def check_unique(records: RecordColumns[Any]) -> None:
    """InputError for two candidates or references of one topic by one system or annotator."""
    keys = set(zip(records.topics, records.authors)) if len(set(records.topics)) < len(records) else records
    if len(keys) < len(records):
        seen: set[Any] = set()
        for place, key in enumerate(zip(records.topics, records.authors)):
            if key in seen:
                _, problem = _KEYS[type(records[place])]
                raise InputError(problem.format(records[place]), remedy="Leave one of them out.")
            seen.add(key)


def read_all(paths: Iterable[Path], kind: type[Record]) -> list[Record]:
    """All records of several JSONL files, one after the other; see `iterate`."""
    return [record for path in paths for record in iterate(path, kind)]


def has_only_other_letters(sentences: Sequence[str]) -> bool:
    """Whether a text has letters or digits, and none of them is of ASCII."""
    if all(map(str.isascii, sentences)) or any(map(_ASCII.search, sentences)):
        return False
    return any(map(str.isalnum, chain.from_iterable(sentences)))


_ASCII = re.compile("[A-Za-z0-9]")


def as_candidate(reference: Reference) -> Candidate:
    """A gold summary as the candidate ``human_A``, to be scored against the other annotators' references."""
    return Candidate(reference.topic, HUMAN + reference.annotator, reference.sentences)


def write(path: Path, records: Iterable[Any]) -> int:
    """Write records as JSONL, complete or not at all; returns their number.

    Fields that have their default value are left out.
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


def _record(value: Any, kind: type[Record]) -> Record:
    """The record of a line's value; InputError, maybe without a remedy, if the value is of another form."""
    if not isinstance(value, dict):
        raise InputError("is not a JSON object")
    fields = list(value)
    if kind is Source and "sentences" in value and "sections" not in value:
        value = {**value, "sections": [{"title": "", "sentences": value["sentences"]}]}
    try:
        record = msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise InputError(_describe(str(error), fields)) from None
    known = kind.__dataclass_fields__  # type: ignore[attr-defined]
    texts = _TEXTS.get(kind, ())
    if texts and not any(name in fields for name in texts) and not set(fields) <= set(known):
        raise InputError(f"has no field {' or '.join(map(repr, texts))}; it has {listed_found(fields)}")
    for name in NAMES:
        if name in value and name in known:
            names.check(name, value[name])
    return record


_TEXTS: dict[type, tuple[str, ...]] = {
    Document: ("text", "abstract", "sections"),
    Source: ("sentences", "sections"),
}
"""The fields with text: a record that is not empty has at least one of them."""

_MISSING = re.compile(r"Object missing required field `(\w+)`(?: - at `\$\.?(.*)`)?")
_MISTYPED = re.compile(r"Expected `(.+)`, got `(.+)` - at `\$\.?(.*)`")
_JSON_TYPES = {"str": "a text", "array": "a list", "object": "an object", "float": "a number"}


def _describe(error: str, fields: Sequence[str]) -> str:
    """What msgspec found wrong with an object that has these fields, in our words."""
    if match := _MISSING.fullmatch(error):
        where = f"field {match[2]!r} " if match[2] else ""
        return f"{where}has no field {match[1]!r}" + ("" if where else f"; it has {listed_found(fields)}")
    if match := _MISTYPED.fullmatch(error):
        expected, found = (_JSON_TYPES.get(name, name) for name in match.group(1, 2))
        return f"field {match[3]!r} is {found}, not {expected}"
    return error


def _plural(kind: type) -> str:
    return "queries" if kind is Query else kind.__name__.lower() + "s"


def _fields(kind: type) -> str:
    fields = dataclasses.fields(kind)
    needs = [field.name for field in fields if field.default is dataclasses.MISSING]
    optional = [field.name for field in fields if field.default is not dataclasses.MISSING]
    return ", ".join(needs) + (f" and may have {', '.join(optional)}" if optional else "")
