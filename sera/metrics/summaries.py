"""Summaries, references and articles out of a table of any form (`sera.io.tables`), as records."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any, TypeVar

from sera.errors import Faults, InputError
from sera.io.records import Candidate, RecordColumns, Reference, Section, Source, collect, mark_running_text
from sera.io.tables import Columns, Table
from sera.metrics.base import Text, check_text, parts_of
from sera.names import check
from sera.settings import shown

Record = TypeVar("Record", Candidate, Reference, Source)

ROLES_OF: dict[type, tuple[str, ...]] = {
    Candidate: ("topic", "system", "summary"),
    Reference: ("topic", "annotator", "reference"),
    Source: ("topic", "id", "article"),
}
"""The roles of the columns of a table of each kind: the topic, the author and the text."""


def read_records(
    table: Table, kind: type[Record], columns: Columns, language: str | None
) -> RecordColumns[Record]:
    """The records of a table with one in each row, or of references with a list of some in its cells.

    ``language`` is that in which a text given as one string is split; None if it is not. Raises InputError
    for a table without a column, for a cell that is not a name or not a text, and, of a file, for a record
    that is there twice.
    """
    role = ROLES_OF[kind][1]
    topic_column = columns.find(table, "topic")
    author_column = columns.find(table, role, needed=kind is Candidate)
    text_role, text_column = _find_text(table, kind, columns)
    columns.tell(table)
    topics = _read_names(table, topic_column, "topic")
    authors = [""] * len(topics)
    if author_column is not None:
        authors = _read_names(table, author_column, role, may_lack=kind is not Candidate and bool(table.path))
    texts = _read_cells(table, text_column, text_role, columns)
    places: Sequence[int] = table.places
    if text_role == "references":
        rows = [
            (row, authors[row] or (annotator if isinstance(cell, Mapping) else ""), text)
            for row, cell in enumerate(texts)
            for annotator, text in _list_cell(table, row, cell, "text", text_role)
        ]
        topics, places = [topics[row] for row, *_ in rows], [places[row] for row, *_ in rows]
        authors, texts = [annotator for _, annotator, _ in rows], [text for *_, text in rows]
    count: Counter[str] = Counter()
    for place, topic in enumerate(topics):
        count[topic] += 1
        # the references of a topic are numbered if nobody is named
        authors[place] = authors[place] or str(count[topic])
    records = make_records(kind, topics, authors, texts, language)
    if table.path is not None and len(set(zip(topics, authors))) < len(topics):
        collect(table.path, zip(places, records), unique=True)
    return records


def has_references(table: Table, columns: Columns) -> bool:
    """Whether a table of summaries has a column with their references; `read_records` then says which."""
    return any(columns.find(table, role, needed=False) for role in ("references", "reference"))


def read_joint_references(table: Table, columns: Columns, language: str | None) -> RecordColumns[Reference]:
    """The references that stand beside summaries; InputError for two rows of a topic that differ in them."""
    role = "references" if columns.find(table, "references", needed=False) else "reference"
    topics, systems = (_read_names(table, columns.find(table, name), name) for name in ("topic", "system"))
    cells = _read_cells(table, columns.find(table, role), role, columns, is_checked=False)
    first_rows: dict[str, int] = {}
    names, annotators, texts = [], [], []

    def list_row(row: int) -> list[tuple[str, Text]]:
        cell = cells[row]
        return [] if _is_missing(cell) else _list_cell(table, row, cell, "references", role)

    for row, topic in enumerate(topics):
        if (first := first_rows.setdefault(topic, row)) == row:
            for annotator, text in list_row(row):
                names.append(topic)
                annotators.append(annotator)
                texts.append(text)
        elif (
            cells[row] is not cells[first]
            and not (isinstance(cells[row], str) and cells[row] == cells[first])
            and list_row(row) != list_row(first)
        ):
            others = f"system {systems[row]} than with {systems[first]}"
            problem = f"topic {topic!r} has other references with the {others}"
            remedy = "Give all rows of a topic the same references in one order, or name the topics apart."
            raise InputError(problem, path=table.path, remedy=remedy)
    return make_records(Reference, names, annotators, texts, language)


def _list_cell(table: Table, row: int, cell: Any, what: str, role: str) -> list[tuple[str, Text]]:
    try:
        return list(list_references(cell, _name_cell(table, row, what), role))
    except InputError as error:
        raise _place(table, row, error) from None


def _find_text(table: Table, kind: type, columns: Columns) -> tuple[str, str]:
    """The role and the name of the column with the texts."""
    role = ROLES_OF[kind][2]
    for other in ("references", "reference", "summary") if kind is Reference else ():
        if name := columns.find(table, other, needed=False):
            return other, name
    return role, str(columns.find(table, role))


def _read_names(table: Table, column: Any, label: str, *, may_lack: bool = False) -> list[str]:
    """The names in a column; InputError, with the row, for a value that is not a name."""
    values = table.values(column, optional=may_lack)
    faults = Faults()
    for row, value in enumerate(values):
        if type(value) is str:
            continue
        value = _as_list(value)
        if isinstance(value, list | tuple | dict | set):
            problem = f"has the {label} {shown(value)}"
            faults.append(table.fault(table.places[row], problem, "Give its name."))
        elif _is_missing(value) and not may_lack:
            faults.append(table.fault(table.places[row], f"has no {label}", "Name it."))
        values[row] = "" if _is_missing(value) else str(value)
    faults.raise_all()
    for name in dict.fromkeys(values):
        if not (may_lack and not name) and faults.checked(check, label, name) is None:
            wrong = faults.pop()
            rows = [row for row, value in enumerate(values) if value == name]
            faults += [_place(table, row, wrong) for row in rows[: None if table.path else 1]]
    faults.raise_all()
    return values


def _is_missing(value: Any) -> bool:
    is_nan = isinstance(value, float) and value != value
    return value is None or is_nan or type(value).__name__ in ("NAType", "NaTType")


def _name_cell(table: Table, row: int, what: str = "text") -> str:
    where = "" if table.path else f" in row {table.places[row]} of the {table.what}"
    return f"the {what}{where}"


def _place(table: Table, row: int, error: InputError) -> InputError:
    """The error with the file and the line of a row, if the table is a file."""
    line = table.places[row] if table.path else None
    return InputError(error.problem, path=table.path, line=line, remedy=error.remedy)


def _read_cells(
    table: Table, column: Any, role: str, columns: Columns, *, is_checked: bool = True
) -> list[Any]:
    """The texts in a column; in one of ``references`` also lists, which may be written as JSON."""
    cells = table.values(column)
    is_list_unclear = role == "reference" and column != columns.chosen.get(role, role)
    faults = Faults()
    for row, cell in enumerate(cells):
        is_text = type(cell) is str
        if is_text and role not in ("reference", "references"):
            continue
        if role == "summary" and type(cell) is list and set(map(type, cell)) == {str}:  # as most are
            cells[row] = tuple(cell)
            continue
        try:
            if is_text and cell[:1] == "[" and (role == "references" or is_list_unclear):
                cells[row] = cell = _read_list(cell, _name_cell(table, row))
            elif not is_text:
                cells[row] = cell = _as_list(cell)
            if is_list_unclear and isinstance(cell, list):
                problem = f"{_name_cell(table, row)} in {column} is a list, of references or of sentences"
                remedy = f"Say which: --columns references={column}, or --columns reference={column}."
                raise InputError(problem, remedy=remedy)
            if is_checked and role != "references" and not is_text:
                check_text(_name_cell(table, row), cell)
        except InputError as error:
            faults.append(_place(table, row, error))
    faults.raise_all()
    return cells


def _as_list(cell: Any) -> Any:
    """A cell with its arrays, of NumPy or others, as lists."""
    cell = cell.tolist() if hasattr(cell, "tolist") else cell
    is_nested = isinstance(cell, list) and any(hasattr(item, "tolist") for item in cell)
    return [_as_list(item) for item in cell] if is_nested else cell


def _read_list(text: str, what: str) -> Any:
    """The list that a text in a column of references is as JSON, or else the text."""
    try:
        return json.loads(text)
    except ValueError:
        if re.fullmatch(r"\[\s*['\"].*\]\s*", text, re.DOTALL):
            problem = f"{what} is a list, but not in JSON: {shown(text)}"
            raise InputError(problem, remedy="Write it with json.dumps(list).") from None
        return text


def list_references(given: Any, what: str, role: str = "references") -> Iterator[tuple[str, Text]]:
    """Each reference of a topic with its annotator: of one text, of several, or of texts by annotator."""
    several = role == "references"
    named: list[tuple[Any, Any]] = [(1, given)]
    if several and isinstance(given := _as_list(given), list | tuple):
        named = list(enumerate(given, 1))
    elif several and isinstance(given, Mapping):
        named = sorted(given.items(), key=str)
    elif several and isinstance(given, Set):  # in an order that does not change
        named = list(enumerate(sorted(given, key=str), 1))
    else:
        several = False
    for annotator, text in named:
        check_text(f"text {annotator} of {what}" if several else what, text)
        yield check("annotator", str(annotator)), text if isinstance(text, str) else parts_of(text)


def make_records(
    kind: type[Record],
    topics: Sequence[str],
    authors: Sequence[str],
    texts: Sequence[Text],
    language: str | None,
) -> RecordColumns[Record]:
    """The records of columns; for ``language`` see `read_records`."""

    def make(topic: str, author: str, text: Text) -> Any:
        sentences = mark_running_text(text, language) if isinstance(text, str) else parts_of(text)
        if kind is Source:
            return Source(topic, author, sections=(Section("", sentences),))
        return (Candidate if kind is Candidate else Reference)(topic, author, sentences)

    return RecordColumns(make, topics, authors, texts)
