"""Checks of the settings of metrics and summarizers: each returns the value or raises InputError.

Types are checked too, since a setting may come from a file, an option or Python code. ``name`` is the
setting's name in the error.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Real
from typing import Any

from sera.errors import InputError

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
        raise InputError(f"{name} is {shown(value)}, which is no number", remedy=f"{TYPES}a number.")


def whole(name: str, value: Any, low: int, high: int) -> int:
    """Check a whole number from ``low`` to ``high``; 3.0 is accepted and returned as 3."""
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
    """Check a text that must be one of ``values``."""
    if not isinstance(value, str) or value not in values:
        raise InputError(f"{name} is {shown(value)}", remedy=f"Give {' or '.join(values)}.")
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
    """A value as an error message shows it, in about 60 characters."""
    if isinstance(value, str) and len(value) > 60:
        return f"{value[:57]!r}..."
    if isinstance(value, int) and abs(value) >= 10**60:
        return "a number of more than 60 digits"
    text = repr(value) if isinstance(value, str | bytes | int | float | None) else _structure(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _structure(value: Any) -> str:
    """A short value in full, any other as its type: a large or deep value would take long to print."""
    try:
        if len(value) <= 5:
            return repr(value)
    except (TypeError, RecursionError, ValueError):
        pass
    return f"of the type {type(value).__name__}"
