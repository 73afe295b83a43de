"""Checks of the settings of metrics and summarizers: each gives the value back, or raises InputError.

A setting may come from a file, an option or a caller in Python, so its type is checked too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Real
from typing import Any

from sera.errors import InputError

TYPES = "Look at the types of its values: "
"""How a remedy begins where the type is wrong."""


def number(name: str, value: Any, low: float, high: float, *, above: bool = False) -> float:
    """A finite number from ``low`` to ``high``; with ``above`` it may not be ``low`` itself."""
    limits = f"{'above' if above else 'from'} {low:g} {'and up to' if above else 'to'} {high:g}"
    real(name, value)
    if not (low <= value <= high) or (above and value == low):
        raise InputError(f"{name} is {shown(value)}", remedy=f"Give a value {limits}.")
    return value


def real(name: str, value: Any) -> None:
    """A number, of whatever size; what is none of them is for the caller to see."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InputError(f"{name} is {shown(value)}, which is no number", remedy=f"{TYPES}a number.")


def whole(name: str, value: Any, low: int, high: int) -> int:
    """A whole number from ``low`` to ``high``; 3.0 is one, and comes back as 3."""
    given = value
    if isinstance(value, Real) and not isinstance(value, int) and math.isfinite(float(value)):
        given = int(value)  # type: ignore[call-overload]
    if isinstance(value, bool) or not isinstance(given, int) or given != value:
        raise InputError(
            f"{name} is {shown(value)}, which is no whole number",
            remedy=f"{TYPES}a whole number from {low} to {high}.",
        )
    if not low <= given <= high:
        raise InputError(f"{name} is {shown(value)}", remedy=f"Give a value from {low} to {high}.")
    return given


def one_of(name: str, value: Any, values: Sequence[str]) -> str:
    """One of some words."""
    if not isinstance(value, str) or value not in values:
        raise InputError(f"{name} is {shown(value)}", remedy=f"Give {' or '.join(values)}.")
    return value


def truth(name: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise InputError(f"{name} is {shown(value)}", remedy=f"{TYPES}true or false.")
    return value


def can(name: str, value: Any, method: str, expected: str) -> None:
    """None, or an object that has a method; ``expected`` says what is meant."""
    if value is not None and not callable(getattr(value, method, None)):
        raise InputError(f"{name} is {shown(value)}", remedy=f"{TYPES}{expected}.")


def shown(value: Any) -> str:
    """A value as an error shows it: not more of it than fits in a line."""
    if isinstance(value, str) and len(value) > 60:
        return f"{value[:57]!r}..."
    if isinstance(value, int) and abs(value) >= 10**60:
        return "a number of more than 60 digits"
    text = repr(value) if isinstance(value, str | bytes | int | float | None) else _structure(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _structure(value: Any) -> str:
    """A short value in full; else its type, since a large or deep one takes long to print."""
    try:
        if len(value) <= 5:
            return repr(value)
    except (TypeError, RecursionError, ValueError):
        pass
    return f"of the type {type(value).__name__}"
