"""Lazy registries: they map a name to its code, which is imported when the name is first used.

A new metric, summarizer, benchmark or engine needs one new file and one line in the registry of its kind
(``sera/<kind>/__init__.py``). Code that uses one metric depends only on the file of that metric, because
the registry imports no other. Parts by others (`sera.plugins`) follow those of this package.
"""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from sera.errors import InputError
from sera.extras import extra_for
from sera.names import nearest_names
from sera.plugins import UNUSABLE, Plugin, PluginRules, Plugins
from sera.settings import shown


class Registry:
    """The names of one kind, for example of metrics.

    ``entries`` maps a name to a tuple: ``"module:attribute"`` (or ``"module"`` for the module itself), a
    description of one line, and the names of its inputs beyond those that all of its kind need.
    A name of an input that ends with "?" is used if it is there. ``plugins`` are the rules for parts by
    others, which follow the entries.
    """

    def __init__(self, kind: str, entries: Mapping[str, tuple[str, ...]], *, plugins: PluginRules) -> None:
        self.kind = kind
        self._entries = entries
        self._plugins = Plugins(kind, entries, plugins)

    def __iter__(self) -> Iterator[str]:
        yield from self._entries
        yield from self._plugins

    def __contains__(self, name: object) -> bool:
        return name in self._entries or self._plugins.get(name) is not None

    def add(self, name: str, thing: Any) -> None:
        """Add a part for this process (`register`)."""
        self._plugins.add(name, thing)

    def usable(self) -> Iterator[str]:
        """The names without those of plug-ins that cannot be loaded, of which a warning is logged."""
        return (name for name in self if UNUSABLE not in self.needs(name))

    def describe(self, name: str) -> str:
        """The description of one line."""
        if plugin := self._plugin(name):
            return self._plugins.describe(plugin)
        return self._entry(name)[1]

    def needs(self, name: str) -> tuple[str, ...]:
        """The names of the entry's inputs beyond those that all of its kind need."""
        return tuple(need for need in self._inputs(name) if not need.endswith("?"))

    def uses(self, name: str) -> tuple[str, ...]:
        """The names of the inputs that the entry needs, and of those that it uses if they are there."""
        return tuple(need.removesuffix("?") for need in self._inputs(name))

    def module(self, name: str) -> str:
        """The dotted name of the module that holds the entry; imports nothing."""
        if plugin := self._plugin(name):
            return plugin.module
        return self._entry(name)[0].partition(":")[0]

    def load(self, name: str) -> Any:
        """Import the entry's module and return the attribute that the entry names, or the module."""
        if plugin := self._plugin(name):
            return self._plugins.load(plugin)
        path, _, attribute = self._entry(name)[0].partition(":")
        with extra_for(f"the {self.kind} {name}"):
            module = importlib.import_module(path)
        return getattr(module, attribute) if attribute else module

    def _plugin(self, name: object) -> Plugin | None:
        try:
            return None if name in self._entries else self._plugins.get(name)
        except TypeError:  # a name that is not a text
            return None

    def _inputs(self, name: str) -> tuple[str, ...]:
        plugin = self._plugin(name)
        return self._plugins.needs(plugin) if plugin else self._entry(name)[2:]

    def _entry(self, name: str) -> tuple[str, ...]:
        try:
            return self._entries[name]
        except (KeyError, TypeError):  # TypeError: a name that is not a text
            raise unknown(self.kind, name, self) from None


_KINDS = {
    "metric": "sera.metrics:FAMILIES",
    "summarizer": "sera.summarizers:SUMMARIZERS",
    "benchmark": "sera.benchmarks:BENCHMARKS",
    "engine": "sera.retrieval.engines:ENGINES",
}


def register(kind: str, name: str, thing: Any) -> None:
    """Add a metric, a summarizer, a benchmark or an engine of yours for this process, as in a notebook.

    kind:   "metric", "summarizer", "benchmark" or "engine"
    name:   its name; of a metric, the family, with which the names of its metrics begin
    thing:  what the entry point of a package would name: a class of metrics (`sera.metrics.base.Metric`), a
            class of summarizers, a module with a benchmark, or a function that opens an index. Its attribute
            ``NEEDS`` lists what it needs besides texts, and its docstring's first line describes it.

    >>> from sera.summarizers.interface import Summarizer
    >>> class Last(Summarizer):
    ...     "The last sentences."
    ...     def choices(self, document):
    ...         return list(reversed(range(len(document.sentences))))
    >>> register("summarizer", "last", Last)
    >>> from sera.summarizers import summarize
    >>> summarize("last", ["The kinase binds p53.", "We thank our colleagues."], words=4).sentences
    ('We thank our colleagues.',)

    The same name may be added again. A command or a study, which runs in processes of its own, sees parts of
    installed packages alone (docs/plugins.md). Raises InputError for a name that is another part's, and for
    a thing that lacks what its kind has.
    """
    if kind not in _KINDS:
        raise unknown("kind of part", kind, _KINDS)
    module, _, attribute = _KINDS[kind].partition(":")
    registry: Registry = getattr(importlib.import_module(module), attribute)
    registry.add(name, thing)


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
