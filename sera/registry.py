"""Lazy registries: they map a name to its code, which is imported when the name is first used.

A new metric, summarizer, benchmark or engine needs one new file and one line in the registry of its kind
(``sera/<kind>/__init__.py``). Code that uses one metric depends only on the file of that metric, because
the registry imports no other. Parts by others follow those of this package: a package brings them by entry
points, a notebook by `register`. Nothing of them is imported before its name is used or described, and one
that cannot be used is named in a warning and leaves all others as they are.
"""

from __future__ import annotations

import importlib
import inspect
import itertools
import logging
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import metadata
from typing import Any, NamedTuple

from sera.errors import InputError
from sera.extras import extra_for
from sera.names import nearest_names
from sera.settings import shown

log = logging.getLogger(__name__)


UNUSABLE = "a plug-in that can be used"
"""What a plug-in needs that cannot be used; nobody has it."""


class PluginRules(NamedTuple):
    """What plug-ins of a kind have to be.

    group:  the group of their entry points
    names:  a regular expression of their names, ``wanted`` in words
    has:    the attributes that each of them has
    needs:  what its attribute ``NEEDS`` may have; a name there may end with "?": it is used if it is there
    """

    group: str
    names: str
    wanted: str
    has: tuple[str, ...]
    needs: tuple[str, ...] = ()


@dataclass
class _Plugin:
    """A part by others; ``package`` is its distribution with the version, empty for one of `register`."""

    entry: metadata.EntryPoint
    package: str = ""
    thing: Any = None
    fault: InputError | None = field(default=None, compare=False)


class Registry:
    """The names of one kind, for example of metrics.

    ``entries`` maps a name to a tuple: ``"module:attribute"`` (or ``"module"`` for the module itself), a
    description of one line, and the names of its inputs beyond those that all of its kind need.
    A name of an input that ends with "?" is used if it is there. ``plugins`` are the rules for parts by
    others, which follow the entries.
    """

    def __init__(self, kind: str, entries: Mapping[str, tuple[str, ...]], *, plugins: PluginRules) -> None:
        self.kind, self.rules, self._own = kind, plugins, entries
        self._plugins: dict[str, _Plugin] | None = None  # read when a name is first looked for

    @property
    def _entries(self) -> Mapping[str, tuple[str, ...]]:
        declared = _DECLARED.get(self.kind)
        return {**self._own, **declared} if declared else self._own

    def __iter__(self) -> Iterator[str]:
        yield from self._entries
        yield from self._read()

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self._entries or name in self._read())

    def add(self, name: str, thing: Any) -> None:
        """Add a part for this process (`register`); it replaces one that was added before by this name."""
        fault = self._clash(name)
        if not fault and name in self._read() and (package := self._read()[name].package):
            fault = f"the package {package} has a {self.kind} of this name"
        if fault:
            raise InputError(f"{shown(name)} cannot be added: {fault}", remedy="Choose another name.")
        self._check(thing, name)
        module = getattr(thing, "__module__", None) or thing.__name__
        self._read()[name] = _Plugin(metadata.EntryPoint(name, module, self.rules.group), thing=thing)

    def usable(self) -> Iterator[str]:
        """The names without those of plug-ins that cannot be loaded, of which a warning is logged."""
        return (name for name in self if UNUSABLE not in self.needs(name))

    def describe(self, name: str) -> str:
        """The description of one line."""
        if not (plugin := self._plugin(name)):
            return self._entry(name)[1]
        thing = self._loaded(plugin)
        text = (inspect.getdoc(thing) or "without a description").partition("\n")[0].rstrip(".")
        return f"{f'not {UNUSABLE}' if thing is None else text} [{plugin.package or 'registered here'}]"

    def needs(self, name: str) -> tuple[str, ...]:
        """The names of the entry's inputs beyond those that all of its kind need."""
        return tuple(need for need in self._inputs(name) if not need.endswith("?"))

    def uses(self, name: str) -> tuple[str, ...]:
        """The names of the inputs that the entry needs, and of those that it uses if they are there."""
        return tuple(need.removesuffix("?") for need in self._inputs(name))

    def module(self, name: str) -> str:
        """The dotted name of the module that holds the entry; imports nothing."""
        plugin = self._plugin(name)
        return plugin.entry.module if plugin else self._entry(name)[0].partition(":")[0]

    def load(self, name: str) -> Any:
        """Import the entry's module and return the attribute that the entry names, or the module.

        InputError, with the package, for a plug-in that cannot be imported or lacks what its kind has.
        """
        if not (plugin := self._plugin(name)):
            with extra_for(f"the {self.kind} {name}"):
                return metadata.EntryPoint(name, self._entry(name)[0], self.rules.group).load()
        if plugin.thing is None and plugin.fault is None:
            try:
                thing = plugin.entry.load()
                self._check(thing, name)
                plugin.thing = thing
            except Exception as error:  # whatever the code of others raises
                said = error.problem if isinstance(error, InputError) else f"{type(error).__name__}: {error}"
                plugin.fault = InputError(
                    f"the {self.kind} {name} of the package {plugin.package} cannot be used: {said}",
                    remedy=f"Repair the package, or run: pip uninstall {plugin.package.split()[0]}",
                )
        if plugin.fault:
            raise plugin.fault
        return plugin.thing

    def _loaded(self, plugin: _Plugin) -> Any:
        """The part, or None after a warning."""
        first = plugin.fault is None
        try:
            return self.load(plugin.entry.name)
        except InputError as error:
            if first:
                log.warning("%s", error)
            return None

    def _plugin(self, name: object) -> _Plugin | None:
        return self._read().get(name) if isinstance(name, str) and name not in self._entries else None

    def _inputs(self, name: str) -> tuple[str, ...]:
        if not (plugin := self._plugin(name)):
            return self._entry(name)[2:]
        thing = self._loaded(plugin)
        return (UNUSABLE,) if thing is None else tuple(getattr(thing, "NEEDS", ()))

    def _entry(self, name: str) -> tuple[str, ...]:
        if not isinstance(name, str) or name not in self._entries:
            raise unknown(self.kind, name, self)
        return self._entries[name]

    def _read(self) -> dict[str, _Plugin]:
        if self._plugins is None:
            self._plugins = {}
            entries = metadata.entry_points(group=self.rules.group)
            found = [(e, f"{e.dist.name} {e.dist.version}" if e.dist else "(unknown)") for e in entries]
            for entry, package in sorted(found, key=lambda each: (each[0].name, each[1])):
                if fault := self._clash(entry.name):
                    log.warning("%s of the package %s is left out: %s", shown(entry.name), package, fault)
                    continue
                new = _Plugin(entry, package)
                if (other := self._plugins.setdefault(entry.name, new)) != new:
                    other.fault = InputError(
                        f"two packages have a {self.kind} {entry.name}: {other.package} and {package}",
                        remedy="Uninstall one of them.",
                    )
        return self._plugins

    def _clash(self, name: Any) -> str:
        """Why a name is not allowed; empty if it is."""
        if not isinstance(name, str) or not re.fullmatch(self.rules.names, name):
            return f"the name of a {self.kind} has {self.rules.wanted}"
        if own := [own for own in self._entries if name == own or name.startswith(f"{own}-")]:
            return f"{own[0]} is a {self.kind} of sera, and a name may not begin with it"
        return ""

    def _check(self, thing: Any, name: str) -> None:
        if missing := [each for each in self.rules.has if not hasattr(thing, each)]:
            raise InputError(f"{name} has no {', '.join(missing)}, as a {self.kind} has")
        for need in getattr(thing, "NEEDS", ()):
            if need.removesuffix("?") not in self.rules.needs:
                known = ", ".join(self.rules.needs) or "nothing"
                raise InputError(f"{name} needs {shown(need)}; a {self.kind} may need {known}")


_KINDS = {
    "metric": "sera.metrics:FAMILIES",
    "summarizer": "sera.summarizers:SUMMARIZERS",
    "benchmark": "sera.benchmarks:BENCHMARKS",
    "engine": "sera.retrieval.engines:ENGINES",
}


_DECLARED: dict[str, dict[str, tuple[str, ...]]] = {}


def declare(kind: str, name: str, *entry: str) -> None:
    """Add an entry of a `Registry` for this process, whose module is imported when its name is used."""
    _DECLARED.setdefault(kind, {})[name] = entry


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
        remedy=f"Did you mean {' or '.join(near)}?" if near else f"Choose one of: {listed(known, 12)}.",
    )


def listed(names: Collection[str], most: int = 100) -> str:
    """Names with commas between; if there are more than ``most``, the first of them and the total number."""
    shown_ = ", ".join(itertools.islice(names, most))
    return shown_ if len(names) <= most else f"{shown_} and others, {len(names)} in all"


def listed_found(names: Iterable[str]) -> str:
    """The names that an input has in place of a missing one, for its error; "none" if it has none."""
    return listed(list(names), 20)[:400] or "none"
