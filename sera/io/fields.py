"""Read data of others strictly: objects of JSON Lines or of a pickle, and rows of tables.

A value is taken as it is or refused, with its file, its place, what was found there and a remedy. Nothing is
converted: a text is not read as a number, and a missing value is not read as a text.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, TypeVar

from sera import names
from sera.errors import InputError, Path
from sera.io import files, tsv
from sera.registry import listed_found
from sera.settings import shown

_Item = TypeVar("_Item")


class Fields:
    """The fields of an object, or the cells of a row, by name; each method raises InputError.

    path, line:  the file, and the line in it
    within:      the place in a file without lines, as in "topic t1"
    remedy:      what to do about a fault
    """

    def __init__(
        self, values: Any, path: Path, line: int | None = None, *, within: str = "", remedy: str | None = None
    ) -> None:
        self.path, self.line, self.within, self.remedy = path, line, within, remedy
        if not isinstance(values, dict):
            raise self.fault(f"is {shown(values)}, not an object with named fields")
        self.values: dict[str, Any] = values

    def __contains__(self, name: object) -> bool:
        return name in self.values

    def fault(self, problem: str) -> InputError:
        """The error for a problem of these fields."""
        problem = f"{self.within} {problem}" if self.within else problem
        return InputError(problem, path=self.path, line=self.line, remedy=self.remedy)

    def text(self, name: str, kind: str = "") -> str:
        """A text; a name of this ``kind`` (`names.check`) if it is given."""
        text: str = self._checked(name, self._value(name), str)
        return names.check(kind, text, path=self.path, line=self.line) if kind else text

    def number(self, name: str) -> float:
        """A finite number."""
        number: float = self._checked(name, self._value(name), float)
        return number

    def nested(self, name: str) -> Fields:
        """The fields of an object in this one."""
        fields: Fields = self._checked(name, self._value(name), Fields)
        return fields

    def items(self, name: str, kind: type[_Item]) -> list[_Item]:
        """The items of a list, each of this kind: `str`, `float`, `Fields` of objects, or any `object`."""
        return [self._checked(name, item, kind) for item in self._checked(name, self._value(name), list)]

    def cell_number(self, name: str) -> float:
        """The finite number in a cell of a table."""
        try:
            number = float(self.text(name))
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise self.fault(f"field {name!r} is {self.text(name)[:40]!r}, not a finite number")
        return number

    def at(self, place: str) -> tuple[Fields, str]:
        """The fields that a place is in, and its name there: ``a/b`` is the field b of the object a."""
        fields, (*outer, name) = self, place.split("/")
        for step in outer:
            fields = fields.nested(step)
        return fields, name

    def wrap(self, values: Any) -> Fields:
        """The fields of a value at this place."""
        return Fields(values, self.path, self.line, within=self.within, remedy=self.remedy)

    def _value(self, name: str) -> Any:
        if name not in self.values:
            raise self.fault(f"has no field {name!r}; it has {listed_found(self.values)}")
        return self.values[name]

    def _checked(self, name: str, value: Any, kind: type) -> Any:
        """A value of this kind, a number as float and an object as its fields."""
        accepted, wanted = _KINDS[kind]
        if not isinstance(value, accepted) or (isinstance(value, bool) and kind is not object):
            raise self.fault(f"field {name!r} is {shown(value)}, not {wanted}")
        if kind is float and not math.isfinite(value):
            raise self.fault(f"field {name!r} is {shown(value)}, not a finite number")
        if kind is Fields and isinstance(value, dict):
            return self.wrap(value)
        return float(value) if kind is float else value


_KINDS: dict[type, tuple[Any, str]] = {
    str: (str, "a text"),
    float: (int | float, "a number"),
    list: (list, "a list"),
    Fields: (dict | Fields, "an object with named fields"),
    object: (object, ""),
}
"""What stands for each kind of value, and its name in errors."""


class Once(dict[Hashable, Fields]):
    """Keys that may occur once, each with the fields that have it."""

    def check(self, key: Hashable, fields: Fields, what: str) -> None:
        """InputError if other fields have the key already; ``what`` names it, as in "paper p1"."""
        first = self.setdefault(key, fields)
        if first is not fields:
            place = "" if first.line is None else f" of line {first.line}"
            if first.path != fields.path:
                place += f" of {first.path}"
            raise fields.fault(f"repeats the {what}{place}")


def read_objects(path: Path, remedy: str | None = None) -> Iterator[Fields]:
    """The objects in a file that has one JSON object a line; blank lines are left out."""
    for number, line in files.lines(path):
        if line.strip():
            yield Fields(files.parse_json(line, path=path, line=number), path, number, remedy=remedy)


def read_rows(path: Path, columns: Sequence[str], remedy: str | None = None) -> Iterator[Fields]:
    """The rows of a table with these columns and maybe others; InputError as of `tsv.read`, or for none."""
    rows = tsv.rows(path, columns)
    _, header = next(rows)
    line = 0
    for line, cells in rows:
        yield Fields(dict(zip(header, cells, strict=True)), path, line, remedy=remedy)
    if not line:
        raise InputError("holds no row", path=path, remedy=remedy)
