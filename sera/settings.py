"""Settings of metrics and summarizers: checks of their values, and `Setting`, which declares one.

Types are checked too, since a setting may come from a file, an option or Python code. Each check returns the
value or raises InputError, where ``name`` is the setting's name.
"""

import dataclasses
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from numbers import Real
from typing import Any

from sera.errors import InputError
from sera.names import nearest_names

TYPES = "Look at the types of its values: "
"""Beginning of the remedy for a value of a wrong type."""


def number(name: str, value: Any, low: float, high: float, *, above: bool = False) -> float:
    """Check a finite number from ``low`` to ``high``; with ``above``, ``low`` itself is excluded."""
    limits = f"{'above' if above else 'from'} {low:g} {'and up to' if above else 'to'} {high:g}"
    real(name, value)
    if not (low <= value <= high) or (above and value == low):
        raise InputError(f"{name} is {shown(value)}", remedy=f"Give a value {limits}.")
    return value


def real(name: str, value: Any) -> None:
    """Check that a value is a number, NaN and infinities included."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InputError(f"{name} is {shown(value)}, which is not a number", remedy=f"{TYPES}a number.")


def whole(name: str, value: Any, low: int, high: int) -> int:
    """Check a whole number from ``low`` to ``high``; 3.0 is accepted and returned as 3."""
    given: Any = None if isinstance(value, bool) or not isinstance(value, Real) else value
    if given is None or given % 1 != 0:
        problem = f"{name} is {shown(value)}, which is not a whole number"
        raise InputError(problem, remedy=f"{TYPES}a whole number from {low} to {high}.")
    if not low <= given <= high:
        raise InputError(f"{name} is {shown(value)}", remedy=f"Give a value from {low} to {high}.")
    return int(given)


def alternatives(names: Sequence[str]) -> str:
    """Names as alternatives.

    >>> alternatives(["pooled", "best", "jackknife"])
    'pooled, best or jackknife'
    """
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def one_of(name: str, value: Any, values: Sequence[str]) -> str:
    """Check a text that must be one of ``values``."""
    if not isinstance(value, str) or value not in values:
        raise InputError(f"{name} is {shown(value)}", remedy=f"Give {alternatives(values)}.")
    return value


def truth(name: str, value: Any) -> bool:
    """Check a truth value."""
    if not isinstance(value, bool):
        raise InputError(f"{name} is {shown(value)}", remedy=f"{TYPES}true or false.")
    return value


def can(name: str, value: Any, method: str, expected: str) -> None:
    """Check that a value is None or an object with ``method``; ``expected`` describes it in the remedy."""
    if value is not None and not callable(getattr(value, method, None)):
        raise InputError(f"{name} is {shown(value)}", remedy=f"{TYPES}{expected}.")


def shown(value: Any) -> str:
    """A value as an error message shows it, in about 60 characters; a long structure by its type."""
    if isinstance(value, str):
        return repr(value) if len(value) <= 60 else f"{value[:57]!r}..."
    text = repr(value)
    return text if len(text) <= 60 and "\n" not in text else f"of the type {type(value).__name__}"


# Declared settings


@dataclass(frozen=True)
class Setting:
    """One setting of a family of metrics.

    name:      as in ``--set FAMILY.name=value``, in the configuration, and as the keyword in Python
    kind:      bool, int, float or str; a float takes whole numbers too
    default:   the value if none is given; None if the family decides
    help:      one line: what it sets
    low, high: bounds of a number; with ``above``, ``low`` itself is not allowed
    choices:   the values of a text, if only some are allowed
    words:     texts that are allowed in place of a number
    optional:  whether None (``null``) is allowed
    callable:  whether Python may give a function instead
    of:        the resource to which the setting belongs, such as ``rankings``; empty for the metric itself
    """

    name: str
    kind: type
    default: Any
    help: str
    low: float = -1e9
    high: float = 1e9
    above: bool = False
    choices: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    optional: bool = False
    callable: bool = False
    of: str = ""

    @property
    def allowed(self) -> str:
        """The allowed values in words: ``a number above 0 and up to 1``."""
        if self.choices:
            said = alternatives(self.choices)
        elif self.kind in (bool, str):
            said = "true or false" if self.kind is bool else "a text"
        else:
            said = "a whole number" if self.kind is int else "a number"
            if self.low > -1e9:
                said += f" {'above' if self.above else 'from'} {self.low:g}"
            if self.high < 1e9:
                said += f"{' and up' if self.above else ''} to {self.high:g}"
        return " or ".join([said, *self.words, *(["null"] if self.optional else [])])

    def check(self, value: Any, name: str = "") -> Any:
        """The value, a whole number as int; InputError, which calls it ``name``, if it is not allowed."""
        name = name or self.name
        if value is None and self.optional or self.callable and callable(value):
            return value
        if isinstance(value, str) and value in self.words:
            return value
        if self.kind is bool:
            return truth(name, value)
        if self.choices:
            return one_of(name, value, self.choices)
        if self.kind is str and isinstance(value, str):
            return value
        if self.kind is str:
            raise InputError(f"{name} is {shown(value)}", remedy=f"{TYPES}a text.")
        if self.words and isinstance(value, str):
            raise InputError(f"{name} is {shown(value)}", remedy=f"Give {self.allowed}.")
        if self.kind is int:
            return whole(name, value, int(self.low), int(self.high))
        return number(name, value, self.low, self.high, above=self.above)

    def read(self, text: str, name: str = "") -> Any:
        """The value that a text stands for, as on the command line; InputError if it is not allowed."""
        text = text.strip(" ")
        value: Any = text
        if text == "null" and self.optional:
            value = None
        elif self.kind is bool:
            value = {"true": True, "false": False}.get(text, text)
        elif self.kind is not str and text not in self.words:
            try:
                value = self.kind(text)
            except ValueError:
                problem = f"{name or self.name} is {shown(text)}"
                raise InputError(problem, remedy=f"Give {self.allowed}.") from None
        return self.check(value, name)


def setting(default: Any, kind: type, help: str, **more: Any) -> Any:
    """A field of a dataclass that is a `Setting` too; ``more`` are the other fields of `Setting`."""
    return dataclasses.field(default=default, metadata={"setting": Setting("", kind, default, help, **more)})


@cache
def declared(cls: Any) -> tuple[Setting, ...]:
    """The settings that the fields of a dataclass declare, in their order."""
    return tuple(
        dataclasses.replace(field.metadata["setting"], name=field.name)
        for field in dataclasses.fields(cls)
        if "setting" in field.metadata
    )


def check_declared(one: Any) -> None:
    """Check the declared settings of a new value of a dataclass; InputError names the first that is wrong."""
    cls: Any = type(one)
    for each in declared(cls):
        object.__setattr__(one, each.name, each.check(getattr(one, each.name)))


def check_given(family: str, known: Iterable[Setting], given: Mapping[str, Any]) -> dict[str, Any]:
    """The given values of a family's settings, by name.

    Raises InputError for a name that the family does not have, with its settings, and for a value that is not
    allowed.
    """
    settings = {each.name: each for each in known}
    for name in given:
        if name not in settings:
            near = nearest_names(str(name), settings, most=1, cutoff=0.6)
            meant = f"Did you mean {near[0]}? " if near else ""
            remedy = f"{meant}It has {', '.join(settings) or 'none'}."
            raise InputError(f"{family} has no setting {shown(name)}", remedy=remedy)
    return {name: settings[name].check(value, f"{family}.{name}") for name, value in given.items()}


def written(value: Any) -> str:
    """A value as a selector holds it: ``true``, ``null``, ``0.5``, ``best``, or a JSON string if need be.

    >>> written(2.0), written("spacy:a,b")
    ('2', '"spacy:a,b"')
    """
    if isinstance(value, str):
        return value if _PLAIN.fullmatch(value) else json.dumps(value, ensure_ascii=False)
    text = json.dumps(value)
    return text.removesuffix(".0") if isinstance(value, float) else text


_PLAIN = re.compile(r"[\w.:/-]+")
