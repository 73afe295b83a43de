"""Tables that people have, files and data frames, and which of their columns hold what.

A file is a table (CSV or TSV, by its name), text with a summary on each line (``.txt``) or, by any other
name, JSON: objects one a line, indented, or in an array. All may be compressed (``.gz``, ``.bz2``, ``.xz``).
`ROLES` has the names by which columns are known.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sera.errors import Faults, InputError, Path
from sera.io import tsv
from sera.io.files import JSON_DECODER, file_form, json_form, lines, parse_json, uncompressed_path
from sera.registry import listed_found, unknown
from sera.settings import shown

if TYPE_CHECKING:
    import pandas as pd

TABLES, LINES, JSON = (".csv", ".tsv"), ".txt", (".json", ".jsonl", ".ndjson")

ROLES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "topic": (("topic",), ("doc_id", "id", "document", "document_id", "docid", "article_id", "topic_id")),
    "system": (("system",), ("model", "system_id", "model_id")),
    "summary": (
        ("sentences", "summary", "text"),
        ("candidate", "prediction", "output", "generated", "hypothesis"),
    ),
    "references": (("references",), ()),
    "reference": (("reference",), ("target", "gold")),
    "article": (("sentences", "summary", "reference", "text"), ("article", "source")),
    "annotator": (("annotator",), ()),
    "id": (("id",), ()),
    "metric": (("metric",), ()),
    "judgement": (("judgement",), ("judgment", "criterion", "dimension", "aspect")),
    "score": (("score",), ("rating", "value")),
    "judge": (("judge",), ("annotator", "rater", "judge_id", "annotator_id", "worker_id")),
}
"""What a column may hold: our names for it, in order of preference, and names that others use."""


@dataclass
class Table:
    """A table of a user's, called ``what``: its columns, and the line (in a frame the number) of each row.

    values:  the cells of a column; what a record lacks is an error, or None if the column is ``optional``
    path:    its file; None if it is a data frame
    taken:   what was found in a column that has another name than ours
    """

    header: Sequence[Any]
    values: Callable[..., list[Any]]
    places: Sequence[int]
    what: str
    path: Path | None = None
    taken: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of_frame(cls, frame: pd.DataFrame, what: str) -> Table:
        """The table of a data frame of pandas; InputError for two columns of one name."""
        from sera.io.data_frames import check_frame  # imports pandas, which is slow

        frame = check_frame(frame, what)
        places = range(1, len(frame) + 1)
        return cls(list(frame.columns), lambda name, optional=False: frame[name].tolist(), places, what)

    def frame(self) -> pd.DataFrame:
        """The table as a data frame whose cells are texts; the index holds each row's line."""
        import pandas as pd  # slow to import

        def text(cell: Any) -> str:
            return "" if cell is None else cell if isinstance(cell, str) else json.dumps(cell)

        columns = {name: list(map(text, self.values(name, optional=True))) for name in self.header}
        return pd.DataFrame(columns, index=self.places, dtype=object)

    def fault(self, place: int, problem: str, remedy: str | None) -> InputError:
        """The InputError for a row with this problem, which begins with a verb."""
        if self.path is None:
            return InputError(f"row {place} of the {self.what} {problem}", remedy=remedy)
        return InputError(problem, path=self.path, line=place, remedy=remedy)

    def refuse(self, problem: str, remedy: str) -> InputError:
        """The InputError for the whole table; the problem begins with "has"."""
        if self.path is not None:
            return InputError(problem, path=self.path, remedy=remedy)
        return InputError(f"the {self.what} have{problem.removeprefix('has')}", remedy=remedy)


class Columns:
    """Which columns of tables hold what, by their names or as the user says.

    ``chosen`` has the user's columns by role (`ROLES`); each counts for the tables that have such a column.
    ``say`` gets a line for each table in which a role has another name than ours. InputError for an unknown
    role.
    """

    def __init__(
        self, chosen: Mapping[str, str] | None = None, say: Callable[[str], None] = lambda line: None
    ) -> None:
        if not isinstance(chosen, Mapping | None):
            remedy = 'Give them as {"topic": "doc_id"}.'
            raise InputError(f"the columns are {shown(chosen)}", remedy=remedy)
        self.chosen, self.say = dict(chosen or {}), say
        for role in self.chosen:
            if role not in ROLES:
                raise unknown("role of a column", role, ROLES)
        self._unseen = set(self.chosen)

    def find(self, table: Table, role: str, *, needed: bool = True) -> str | None:
        """The column of a table with this role, or None; InputError if it is needed, or two may be it."""
        own, others = ROLES[role]
        if (name := self.chosen.get(role)) is not None and name in table.header:
            self._unseen.discard(role)
            names = [name]
        elif not (names := [name for name in own if name in table.header][:1]):
            names = [name for name in others if name in table.header]
        say_which = f'--columns {role}=COLUMN, in Python columns={{"{role}": COLUMN}}.'
        if len(names) > 1:
            problem = f"has {' and '.join(names)}, and each may be the {role}"
            raise table.refuse(problem, f"Say which: {say_which}")
        if needed and not names:
            known = ", ".join((*own, *others))
            problem = f"has no column {role}; it has" if table.path else f"has no column {role}; they have"
            remedy = f"Name it as one of {known}, or say which it is: {say_which}"
            raise table.refuse(f"{problem} {listed_found(map(str, table.header))}", remedy)
        if names and names[0] not in own:
            table.taken[role] = names[0]
        return names[0] if names else None

    def tell(self, table: Table, *more: str) -> None:
        """Say in one line which columns of a table were taken for what, and more."""
        parts = [*(f"{role} is {table.taken[role]}" for role in ROLES if role in table.taken), *more]
        if parts:
            self.say(f"{table.path or f'the {table.what}'}: {', '.join(parts)}")

    def check_seen(self) -> None:
        """InputError for a column that the user has chosen and none of the tables has."""
        if unseen := sorted(self._unseen):
            problem = f"no table has the column {shown(self.chosen[unseen[0]])}, chosen as {unseen[0]}"
            raise InputError(problem, remedy="Give the name of a column as the table has it.")


def read_file(
    path: Path, what: str, roles: Sequence[str], columns: Columns, *, is_json: bool = True
) -> Table:
    """The table in a file of any form; unless ``is_json``, that of an unknown name is TSV or CSV.

    ``roles`` are those of the expected columns, which ``columns`` will find. Raises InputError as
    `sera.io.tsv.read` does or, of JSON, with up to ten lines.
    """
    form = file_form(path)
    if form in JSON or (is_json and form not in (*TABLES, LINES)):
        return _read_json(path, what, roles)
    if form == LINES and is_json:
        rows = [text for _, text in _lines(path)]
        places = range(1, len(rows) + 1)
        author = [uncompressed_path(path).stem] * len(rows)
        cells = {"topic": list(map(str, places)), roles[1]: author, "summary": rows}
        return Table(list(cells), lambda name, optional=False: cells[name], places, what, path)
    known = [name for role in roles for names in ROLES[role] for name in names]
    (_, header), *body = tsv.rows(path, roles, known=[*known, *columns.chosen.values()])

    def values(name: str, *, optional: bool = False) -> list[str]:
        place = header.index(name)
        return [row[place] for _, row in body]

    return Table(header, values, [number for number, _ in body], what, path)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    for number, text in lines(path, "summaries, one a line"):
        if form := json_form(text):
            remedy = "End the name of a file of records with .jsonl."
            raise InputError(f"is {form}, not a summary", path=path, line=number, remedy=remedy)
        yield number, text


def _read_json(path: Path, what: str, roles: Sequence[str]) -> Table:
    faults, places, rows = Faults(), [], []
    fields = ", ".join(roles)
    for place, value in _json_values(path, what, fields):
        if isinstance(value, InputError):
            faults.append(value)
        elif not isinstance(value, dict):
            remedy = f"Write one JSON object a line, with the fields {fields}."
            faults.append(InputError("is not a JSON object", path=path, line=place, remedy=remedy))
        else:
            places.append(place)
            rows.append(value)
    faults.raise_all()

    def values(name: str, *, optional: bool = False) -> list[Any]:
        faults = Faults()
        for place, row in zip(places, [] if optional else rows):
            if name not in row:
                problem = f"has no field {name!r}; it has {listed_found(row)}"
                remedy = f"Give each record the fields {fields}."
                faults.append(InputError(problem, path=path, line=place, remedy=remedy))
        faults.raise_all()
        return [row.get(name) for row in rows]

    header: dict[str, None] = {}
    for row in rows:
        if row.keys() != header.keys():
            header.update(dict.fromkeys(row))
    return Table(list(header), values, places, what, path)


def _json_values(path: Path, what: str, fields: str) -> Iterator[tuple[int, Any]]:
    """Each value of a file, with the line where it begins, or with its error."""
    numbered = ((place, line) for place, line in lines(path, f"{what}, as JSON") if line.strip())
    for count, (place, line) in enumerate(numbered):
        if count == 0 and (json_form(line) == "a JSON array" or re.fullmatch(r"\s*\{(.*[,:\[{])?\s*", line)):
            yield from _spread_values(path, place, line, numbered)
            return
        if count == 0 and line.lstrip()[0] not in '{["':
            is_table = re.search("[\t,;]", line) and re.search("topic|id|text|summary|system|model", line)
            remedy = f"End the name of a table in .csv or .tsv, or write records with the fields {fields}."
            raise InputError(f"is {'a table' if is_table else 'text'}, not JSON", path=path, remedy=remedy)
        try:
            yield place, parse_json(line, path=path, line=place)
        except InputError as error:
            yield place, error


def _spread_values(
    path: Path, place: int, first: str, rest: Iterator[tuple[int, str]]
) -> Iterator[tuple[int, Any]]:
    """As `_json_values`, of a JSON array, or of objects of several lines."""
    texts = [first]
    last = place
    for number, line in rest:
        texts.append("\n" * (number - last - 1) + line)
        last = number
    text = "\n" * (place - 1) + "\n".join(texts)  # with the blank lines, so that lines have their numbers
    end = text.index("[") + 1 if first.lstrip().startswith("[") else 0
    if end:
        parse_json(text, path=path)  # finds what is wrong between its items
    blank = re.compile(r"[\s,]*" if end else r"\s*")
    place = 1 + text.count("\n", 0, end)
    while True:
        begin = blank.match(text, end).end()  # type: ignore[union-attr]
        place += text.count("\n", end, begin)
        if begin == len(text) or text[begin] == "]":
            return
        try:
            value, end = JSON_DECODER.raw_decode(text, begin)
        except ValueError as error:
            problem = f"is not JSON: {getattr(error, 'msg', error)}"
            raise InputError(
                problem, path=path, line=getattr(error, "lineno", place), remedy="Correct the JSON."
            ) from None
        yield place, value
        place += text.count("\n", begin, end)


MISSING = ("", "nan", "na", "none", "null")
"""What the cell of a rating reads, in any case, where there is none."""


def read_long(table: Table, columns: Columns, named: str, frame: pd.DataFrame) -> pd.DataFrame:
    """Scores with a row for each: topic, system, ``named`` (metric or judgement), score, and judge or note.

    ``frame`` has the cells of the table. A table without the columns ``named`` and score has a row for each
    summary, and each other column with a number in it holds scores, which the column names; of a file, a line
    says which. The index is that of the frame.
    """
    import pandas as pd  # slow to import

    key = {"topic": columns.find(table, "topic"), "system": columns.find(table, "system")}
    if named == "judgement" and (judge := columns.find(table, "judge", needed=False)) is not None:
        key["judge"] = judge
    own = {role: columns.find(table, role, needed=False) for role in (named, "score")}
    if None not in own.values():
        columns.tell(table)
        more = {"note": "note"} if named == "metric" and "note" in table.header else {}
        chosen = {**key, **own, **more}
        return pd.DataFrame({role: frame[name] for role, name in chosen.items()}, index=frame.index)
    for role in own:
        table.taken.pop(role, None)
    texts: list[Any] = []
    ratings: dict[Any, pd.Series] = {}
    for name in (name for name in table.header if name not in key.values()):
        cells = frame[name]
        if table.path is not None:
            cells = cells.mask(cells.str.strip().str.lower().isin(MISSING))
        is_empty = cells.isna().all() and table.path is None  # as undefined for all
        if is_empty or pd.to_numeric(cells, errors="coerce").notna().any():
            ratings[name] = cells
        else:
            texts.append(name)
    if not ratings:
        problem = f"has no column with numbers besides {' and '.join(map(str, key.values()))}"
        raise table.refuse(problem, f"Add a column per {named}, or the columns {named} and score.")
    for name in ratings if table.path is not None else ():
        tsv.numbers(frame, name, table.path or "", undefined=["nan", *MISSING])  # named with its line
    said = f"{named}s are {', '.join(map(str, ratings))}"
    said += f" (not {', '.join(map(str, texts))}: no numbers)" if texts else ""
    columns.tell(table, *([said] if table.path is not None or texts else []))
    rows = pd.DataFrame({role: frame[name] for role, name in key.items()}, index=frame.index)
    return pd.concat([rows.assign(**{named: name, "score": cells}) for name, cells in ratings.items()])
