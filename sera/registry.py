"""Lazy registries: they map a name to its code, which is imported when the name is first used.

A new metric, summarizer, benchmark or engine needs one new file and one line in the registry of its kind
(``sera/<kind>/__init__.py``). Code that uses one metric depends only on the file of that metric, because
the registry imports no other. Parts by others follow those of this package: a package brings them by entry
points, a notebook by `register`.
"""

import importlib
import inspect
import itertools
import logging
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from sera.errors import InputError, first_line
from sera.extras import extra_for
from sera.names import nearest_names
from sera.settings import shown

log = logging.getLogger(__name__)


class Registry:
    """The names of one kind, for example of metrics.

    ``entries`` maps a name to a tuple: ``"module:attribute"`` (or ``"module"`` for the module itself), a
    description of one line, and the names of its inputs beyond those that all of its kind need.
    A module that begins with a dot is in ``package``, by default the ``group``, which is that of the entry
    points by which other packages add parts; the attribute ``NEEDS`` of such a part has its inputs. A name of
    an input that ends with "?" is used if it is there.
    """

    def __init__(
        self, kind: str, entries: Mapping[str, tuple[str, ...]], *, group: str, package: str = ""
    ) -> None:
        self.kind, self.group, self.package, self._own = kind, group, package or group, entries
        self.added: dict[str, Any] = {}  # by `register`

    @property
    def _entries(self) -> Mapping[str, tuple[str, ...]]:
        return {**self._own, **_DECLARED.get(self.kind, {})}

    @cached_property
    def installed(self) -> dict[str, EntryPoint]:
        """The parts of other packages; a name of this package's own is left out with a warning."""
        found: dict[str, EntryPoint] = {}
        for entry in sorted(entry_points(group=self.group)):
            if clash := self._clash(entry.name):
                log.warning("%s of the package %s is left out: %s", entry.name, _package(entry), clash)
            elif found.setdefault(entry.name, entry) != entry:
                packages = f"{_package(found[entry.name])} and {_package(entry)}"
                problem = f"two packages have a {self.kind} {entry.name}: {packages}"
                raise InputError(problem, remedy="Uninstall one of them.")
        return found

    def __iter__(self) -> Iterator[str]:
        return iter({**self._entries, **self.installed, **self.added})

    def add(self, name: str, thing: Any) -> None:
        """Add a part for this process (`register`); it replaces one that was added before by this name."""
        fault = self._clash(name)
        if not fault and name in self.installed:
            fault = f"the package {_package(self.installed[name])} has a {self.kind} of this name"
        if fault:
            raise InputError(f"{name!r} cannot be added: {fault}", remedy="Choose another name.")
        self.added[name] = thing

    def describe(self, name: str) -> str:
        """The description of one line."""
        if name in self._entries:
            return self._entries[name][1]
        text = (inspect.getdoc(self.load(name)) or "without a description").partition("\n")[0].rstrip(".")
        return f"{text} [{'registered here' if name in self.added else _package(self.installed[name])}]"

    def needs(self, name: str) -> tuple[str, ...]:
        """The names of the entry's inputs beyond those that all of its kind need."""
        return tuple(need for need in self._inputs(name) if not need.endswith("?"))

    def uses(self, name: str) -> tuple[str, ...]:
        """The names of the inputs that the entry needs, and of those that it uses if they are there."""
        return tuple(need.removesuffix("?") for need in self._inputs(name))

    def module(self, name: str) -> str:
        """The dotted name of the module that holds the entry; imports nothing."""
        thing = self.added.get(name)
        if thing is not None:
            return getattr(thing, "__module__", None) or thing.__name__
        return self._entry_point(name).module

    def load(self, name: str) -> Any:
        """Import the entry's module and return the attribute that the entry names, or the module.

        InputError for an unknown name, and, with the package, for a plug-in that cannot be imported.
        """
        if name in self.added:
            return self.added[name]
        entry = self._entry_point(name)
        try:
            with extra_for(f"the {self.kind} {name}"):
                loaded = entry.load()
                return getattr(loaded, "metric_family", loaded)  # of a function that is a metric
        except Exception as error:  # whatever the code of others raises
            if name in self._entries:
                raise
            problem = f"the {self.kind} {name} of the package {_package(entry)} cannot be used"
            raise InputError(
                f"{problem}: {type(error).__name__}: {first_line(error)}",
                remedy=f"Repair the package, or run: pip uninstall {_package(entry).split()[0]}",
            ) from error

    def _entry_point(self, name: str) -> EntryPoint:
        if name in self._entries:
            place = self._entries[name][0]
            return EntryPoint(name, self.package + place if place[0] == "." else place, self.group)
        if name not in self.installed:
            raise unknown(self.kind, name, self)
        return self.installed[name]

    def _inputs(self, name: str) -> tuple[str, ...]:
        if name in self._entries:
            return self._entries[name][2:]
        return tuple(getattr(self.load(name), "NEEDS", ()))

    def _clash(self, name: str) -> str:
        """Why a name is not allowed; empty if it is."""
        own = [own for own in self._entries if name == own or name.startswith(f"{own}-")]
        return f"{own[0]} is a {self.kind} of sera, and a name may not begin with it" if own else ""


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else "(unknown)"


_DECLARED: dict[str, dict[str, tuple[str, ...]]] = {}


def declare(kind: str, name: str, *entry: str) -> None:
    """Add an entry of a `Registry` for this process, whose module is imported when its name is used."""
    _DECLARED.setdefault(kind, {})[name] = entry


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
    installed packages alone (docs/plugins.md). Raises InputError for a name that is another part's.
    """
    if kind not in _KINDS:
        raise unknown("kind of part", kind, _KINDS)
    module, _, attribute = _KINDS[kind].partition(":")
    registry: Registry = getattr(importlib.import_module(module), attribute)
    registry.add(name, thing)


def unknown(kind: str, name: str, known: Iterable[str]) -> InputError:
    """The error for an unknown name; its remedy names the nearest known names, or else all of them."""
    known = list(known)
    near = nearest_names(name, known) if isinstance(name, str) else []
    return InputError(
        f"there is no {kind} {shown(name)}",
        remedy=f"Did you mean {' or '.join(near)}?" if near else f"Choose one of: {listed(known, 12)}.",
    )


def listed(names: Collection[str], most: int = 100) -> str:
    """Names with commas between; if there are more than ``most``, the first of them and the total number."""
    shown_ = ", ".join(itertools.islice(names, most))
    return shown_ if len(names) <= most else f"{shown_} and others, {len(names)} in all"


def listed_found(names: Iterable[str]) -> str:
    """The names that an input has in place of a missing one, for its error; "none" if it has none."""
    return listed(list(names), 20)[:400] or "none"
