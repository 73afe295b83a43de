"""Summaries, references and articles out of a table of any form (`sera.io.tables`), as records."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import chain
from typing import Any, TypeVar

import numpy as np

from sera.errors import Faults, InputError
from sera.io.records import Candidate, RecordColumns, Reference, Section, Source, collect
from sera.io.tables import Columns, Table
from sera.metrics.base import Text, check_text, parts_of
from sera.names import are_allowed, check
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
        cells = texts
        rows, names, texts = list_cells(cells, partial(_list_cell, table, "text"))
        names = [name if isinstance(cells[row], Mapping) else "" for row, name in zip(rows, names)]
        topics, places = [topics[row] for row in rows], [places[row] for row in rows]
        authors = [authors[row] or name for row, name in zip(rows, names)]
    if not all(authors):  # the references of a topic are numbered if nobody is named
        count: Counter[str] = Counter()
        for place, topic in enumerate(topics):
            count[topic] += 1
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
    list_row = partial(_list_cell, table, "references", role=role)
    first_rows: dict[str, int] = {}
    firsts = list(map(first_rows.setdefault, topics, range(len(topics))))
    for row, first in enumerate(firsts if len(first_rows) < len(firsts) else ()):
        if not _are_equal(cells[row], cells[first]) and list_row(row, cells[row]) != list_row(
            first, cells[first]
        ):
            others = f"system {systems[row]} than with {systems[first]}"
            problem = f"topic {topics[row]!r} has other references with the {others}"
            remedy = "Give all rows of a topic the same references in one order, or name the topics apart."
            raise InputError(problem, path=table.path, remedy=remedy)
    own = list(first_rows.values())
    rows, names, texts = list_cells(
        [cells[row] for row in own], lambda row, cell: list_row(own[row], cell), role
    )
    return make_records(Reference, [topics[own[row]] for row in rows], names, texts, language)


def _are_equal(cell: Any, other: Any) -> bool:
    try:
        return cell is other or bool(cell == other)
    except (TypeError, ValueError):  # of arrays, or of a missing value
        return False


def _list_cell(
    table: Table, what: str, row: int, cell: Any, role: str = "references"
) -> list[tuple[str, Text]]:
    """The references in a cell, with their annotators; none in one that is missing beside a summary."""
    try:
        if what == "references" and _is_missing(cell):
            return []
        return list(list_references(cell, _name_cell(table, row, what), role))
    except InputError as error:
        raise _place(table, row, error) from None


def list_cells(
    cells: Sequence[Any],
    list_cell: Callable[[int, Any], Iterable[tuple[str, Text]]],
    role: str = "references",
) -> tuple[list[int], list[str], list[Text]]:
    """The texts in cells that hold the references of a topic, each with its cell's number and its annotator.

    ``list_cell`` gives those of one cell, as `list_references` does.
    """
    if role == "reference" and are_plain(cells):
        return list(range(len(cells))), ["1"] * len(cells), list(cells)
    several = role == "references" and set(map(type, cells)) <= {list}
    if several and are_plain(texts := list(chain.from_iterable(cells))):
        sizes = list(map(len, cells))
        numbers = list(map(str, range(1, max(sizes, default=0) + 1)))
        rows = np.repeat(np.arange(len(cells)), sizes).tolist()
        return rows, list(chain.from_iterable(numbers[:size] for size in sizes)), texts
    found = [(row, *one) for row, cell in enumerate(cells) for one in list_cell(row, cell)]
    return [row for row, *_ in found], [name for _, name, _ in found], [text for *_, text in found]


def are_plain(texts: Sequence[Any]) -> bool:
    """Whether all texts are strings or lists of strings, as most are; they need no other check then."""
    kinds = set(map(type, texts))
    lists = texts if str not in kinds else [text for text in texts if type(text) is not str]
    return kinds <= {str, list, tuple} and set(map(type, chain.from_iterable(lists))) <= {str}


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
    for row, value in enumerate(values if set(map(type, values)) != {str} else ()):
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
    for name in () if are_allowed(names := dict.fromkeys(values)) else names:
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
    rows: Iterable[int] = range(len(cells))  # those to look at
    if role == "references":  # `list_references` reads what is a list already
        rows = [row for row, cell in enumerate(cells) if type(cell) is str]
    elif not is_list_unclear and are_plain(cells):
        rows = ()
    for row in rows:
        is_text = type(cell := cells[row]) is str
        if is_text and not is_list_unclear and role != "references":
            continue
        try:
            if is_text and cell[:1] == "[":
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
    make: Any = _make_source if kind is Source else kind
    parts: Any = texts
    if not set(map(type, texts)) <= {str, list, tuple}:
        parts = [text if isinstance(text, str) else parts_of(text) for text in texts]
    return RecordColumns(make, topics, authors, parts, language)


def _make_source(topic: str, id: str, sentences: tuple[str, ...]) -> Source:
    return Source(topic, id, sections=(Section("", sentences),))
