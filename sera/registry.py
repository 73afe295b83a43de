"""Lazy registries: a name and where its code is, imported only when it is asked for.

Adding a metric, summarizer, benchmark or engine is one new file and one line in the registry of its
kind (``sera/<kind>/__init__.py``). Because a module is imported when its name is used and not before,
code that needs one metric depends on that metric's file alone.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterator, Mapping
from typing import Any

from sera.errors import InputError


class Registry:
    """Names of one kind of thing.

    ``entries`` maps a name to ``"module:attribute"``, or ``"module"`` where the module itself is meant,
    to a description of one line, and to the names of what it needs besides what all of its kind need.
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
        """What the entry needs besides what all of its kind need."""
        return self._entry(name)[2:]

    def module(self, name: str) -> str:
        """The dotted name of the module that holds the entry; imports nothing."""
        return self._entry(name)[0].partition(":")[0]

    def load(self, name: str) -> Any:
        """Import the entry's module and give what the entry names in it."""
        path, _, attribute = self._entry(name)[0].partition(":")
        module = importlib.import_module(path)
        return getattr(module, attribute) if attribute else module

    def _entry(self, name: str) -> tuple[str, ...]:
        try:
            return self._entries[name]
        except KeyError:
            raise unknown(self.kind, name, self._entries) from None


def unknown(kind: str, name: str, known: Any) -> InputError:
    """The error for a name that is not known: names the nearest right ones."""
    known = list(known)
    near = difflib.get_close_matches(name[:200], known, n=3, cutoff=0.5)  # its time is the square of a length
    return InputError(
        f"there is no {kind} {name[:200]!r}",
        remedy=f"Did you mean {' or '.join(near)}?" if near else f"There are: {', '.join(known)}.",
    )
