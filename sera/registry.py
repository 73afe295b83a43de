"""Lazy registries: they map a name to its code, which is imported when the name is first used.

A new metric, summarizer, benchmark or engine needs one new file and one line in the registry of its kind
(``sera/<kind>/__init__.py``). Code that uses one metric depends only on the file of that metric, because
the registry imports no other. Parts by others follow those of this package: a package brings them by entry
points, a notebook by `register`. One that cannot be used is named in a warning and leaves all others as they
are.
"""

from __future__ import annotations

import importlib
import inspect
import itertools
import logging
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache, cached_property
from importlib import metadata
from typing import Any

from sera.errors import InputError
from sera.extras import extra_for
from sera.names import nearest_names
from sera.settings import shown

log = logging.getLogger(__name__)

UNUSABLE = "a plug-in that can be used"
"""What a plug-in needs that cannot be used; nobody has it."""


class Registry:
    """The names of one kind, for example of metrics.

    ``entries`` maps a name to a tuple: ``"module:attribute"`` (or ``"module"`` for the module itself), a
    description of one line, and the names of its inputs beyond those that all of its kind need.
    A name of an input that ends with "?" is used if it is there. Parts by others follow: entry points of
    ``group``, each with the attributes ``has``, and maybe with its inputs as the attribute ``NEEDS``.
    """

    def __init__(
        self, kind: str, entries: Mapping[str, tuple[str, ...]], *, group: str, has: tuple[str, ...]
    ) -> None:
        self.kind, self._own, self._group, self._has = kind, dict(entries), group, has
        self._added: dict[str, Any] = {}

    @cached_property
    def _plugins(self) -> dict[str, metadata.EntryPoint]:
        """The entry points by name; one whose name begins with that of an own part is left out."""
        found: dict[str, metadata.EntryPoint] = {}
        for entry in sorted(metadata.entry_points(group=self._group), key=lambda each: each.name):
            if own := self._clash(entry.name):
                log.warning("%s of the package %s is left out: %s", entry.name, _package(entry), own)
            elif entry.name in found:
                problem = f"two packages have a {self.kind} {entry.name}: {_package(found[entry.name])}"
                raise InputError(f"{problem} and {_package(entry)}", remedy="Uninstall one of them.")
            else:
                found[entry.name] = entry
        return found

    def __iter__(self) -> Iterator[str]:
        yield from dict.fromkeys([*self._own, *self._plugins, *self._added])

    def __contains__(self, name: object) -> bool:
        return name in self._own or name in self._plugins or name in self._added

    def declare(self, name: str, *entry: str) -> None:
        """Add an entry for this process, whose module is imported when its name is used."""
        self._own[name] = entry

    def add(self, name: str, thing: Any) -> None:
        """Add a part for this process (`register`); it replaces one that was added before by this name."""
        fault = self._clash(name)
        if name in self._plugins:
            fault = f"the package {_package(self._plugins[name])} has a {self.kind} of this name"
        if fault:
            raise InputError(f"{shown(name)} cannot be added: {fault}", remedy="Choose another name.")
        self._check(thing, name)
        self._added[name] = thing

    def usable(self) -> Iterator[str]:
        """The names without those of plug-ins that cannot be loaded, of which a warning is logged."""
        return (name for name in self if UNUSABLE not in self.needs(name))

    def describe(self, name: str) -> str:
        """The description of one line."""
        if name in self._added or name in self._plugins:
            thing = self._loaded(name)
            text = (inspect.getdoc(thing) or "without a description").partition("\n")[0].rstrip(".")
            package = "registered here" if name in self._added else _package(self._plugins[name])
            return f"{f'not {UNUSABLE}' if thing is None else text} [{package}]"
        return self._entry(name)[1]

    def needs(self, name: str) -> tuple[str, ...]:
        """The names of the entry's inputs beyond those that all of its kind need."""
        return tuple(need for need in self._inputs(name) if not need.endswith("?"))

    def uses(self, name: str) -> tuple[str, ...]:
        """The names of the inputs that the entry needs, and of those that it uses if they are there."""
        return tuple(need.removesuffix("?") for need in self._inputs(name))

    def module(self, name: str) -> str:
        """The dotted name of the module that holds the entry; imports nothing."""
        if name in self._added:
            return str(getattr(self._added[name], "__module__", None) or self._added[name].__name__)
        if name in self._plugins:
            return self._plugins[name].module
        return self._entry(name)[0].partition(":")[0]

    def load(self, name: str) -> Any:
        """Import the entry's module and return the attribute that the entry names, or the module.

        InputError, with the package, for a plug-in that cannot be imported or lacks what its kind has.
        """
        if name in self._added:
            return self._added[name]
        if name not in self._plugins:
            with extra_for(f"the {self.kind} {name}"):
                return metadata.EntryPoint(name, self._entry(name)[0], self._group).load()
        try:
            thing = self._plugins[name].load()
            self._check(thing, name)
            return thing
        except Exception as error:  # whatever the code of others raises
            said = error.problem if isinstance(error, InputError) else f"{type(error).__name__}: {error}"
            package = _package(self._plugins[name])
            raise InputError(
                f"the {self.kind} {name} of the package {package} cannot be used: {said}",
                remedy=f"Repair the package, or run: pip uninstall {package.split()[0]}",
            ) from None

    def _loaded(self, name: str) -> Any:
        """A part by others, or None after a warning, once for each message."""
        try:
            return self.load(name)
        except InputError as error:
            _warn_once(str(error))
            return None

    def _inputs(self, name: str) -> tuple[str, ...]:
        if name not in self._added and name not in self._plugins:
            return self._entry(name)[2:]
        thing = self._loaded(name)
        return (UNUSABLE,) if thing is None else tuple(getattr(thing, "NEEDS", ()))

    def _entry(self, name: str) -> tuple[str, ...]:
        if not isinstance(name, str) or name not in self._own:
            raise unknown(self.kind, name, self)
        return self._own[name]

    def _clash(self, name: str) -> str:
        """The part of sera with whose name this one begins, in words; empty if there is none."""
        own = next((own for own in self._own if name == own or name.startswith(f"{own}-")), "")
        return f"{own} is a {self.kind} of sera, and a name may not begin with it" if own else ""

    def _check(self, thing: Any, name: str) -> None:
        if missing := [each for each in self._has if not hasattr(thing, each)]:
            raise InputError(f"{name} has no {', '.join(missing)}, as a {self.kind} has")


def _package(entry: metadata.EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else "(unknown)"


@cache
def _warn_once(message: str) -> None:
    log.warning("%s", message)


_KINDS = {
    "metric": "sera.metrics:FAMILIES",
    "summarizer": "sera.summarizers:SUMMARIZERS",
    "benchmark": "sera.benchmarks:BENCHMARKS",
    "engine": "sera.retrieval.engines:ENGINES",
}


def declare(kind: str, name: str, *entry: str) -> None:
    """Add an entry of the registry of a kind for this process (`Registry.declare`)."""
    _registry(kind).declare(name, *entry)


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
    _registry(kind).add(name, thing)


def _registry(kind: str) -> Registry:
    if kind not in _KINDS:
        raise unknown("kind of part", kind, _KINDS)
    module, _, attribute = _KINDS[kind].partition(":")
    registry: Registry = getattr(importlib.import_module(module), attribute)
    return registry


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
