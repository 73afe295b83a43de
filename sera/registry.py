"""Lazy registries: they map a name to its code, which is imported when the name is first used.

A new metric, summarizer, benchmark or engine needs one new file and one line in the registry of its kind
(``sera/<kind>/__init__.py``). Code that uses one metric depends only on the file of that metric, because
the registry imports no other.
"""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from sera.errors import InputError
from sera.names import nearest_names
from sera.settings import shown


class Registry:
    """The names of one kind, for example of metrics.

    ``entries`` maps a name to a tuple: ``"module:attribute"`` (or ``"module"`` for the module itself), a
    description of one line, and the names of its inputs beyond those that all of its kind need.
    A name of an input that ends with "?" is used if it is there.
    """

    def __init__(self, kind: str, entries: Mapping[str, tuple[str, ...]]) -> None:
        self.kind = kind
        self._entries = entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def describe(self, name: str) -> str:
        """The description of one line."""
        return self._entry(name)[1]

    def needs(self, name: str) -> tuple[str, ...]:
        """The names of the entry's inputs beyond those that all of its kind need."""
        return tuple(need for need in self._entry(name)[2:] if not need.endswith("?"))

    def uses(self, name: str) -> tuple[str, ...]:
        """The names of the inputs that the entry needs, and of those that it uses if they are there."""
        return tuple(need.removesuffix("?") for need in self._entry(name)[2:])

    def module(self, name: str) -> str:
        """The dotted name of the module that holds the entry; imports nothing."""
        return self._entry(name)[0].partition(":")[0]

    def load(self, name: str) -> Any:
        """Import the entry's module and return the attribute that the entry names, or the module."""
        path, _, attribute = self._entry(name)[0].partition(":")
        module = importlib.import_module(path)
        return getattr(module, attribute) if attribute else module

    def _entry(self, name: str) -> tuple[str, ...]:
        try:
            return self._entries[name]
        except (KeyError, TypeError):  # TypeError: a name that is not a text
            raise unknown(self.kind, name, self._entries) from None


def unknown(kind: str, name: str, known: Any) -> InputError:
    """The error for an unknown name; its remedy names the nearest known names, or else all of them."""
    known = list(known)
    if not isinstance(name, str):
        return InputError(f"there is no {kind} {shown(name)}", remedy="Give its name as text.")
    near = nearest_names(name, known)
    return InputError(
        f"there is no {kind} {name!r}" if len(name) <= 200 else f"there is no {kind} {shown(name)}",
        remedy=f"Did you mean {' or '.join(near)}?" if near else f"Choose one of: {listed(known)}.",
    )


def listed(names: Collection[str], most: int = 100) -> str:
    """Names with commas between; if there are more than ``most``, the first of them and the total number."""
    shown_ = ", ".join(itertools.islice(names, most))
    return shown_ if len(names) <= most else f"{shown_} and others, {len(names)} in all"
