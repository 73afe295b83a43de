"""Parts by others: a package brings them by entry points, a notebook by `sera.register`.

A registry (`sera.registry.Registry`) asks for them by name. Nothing of them is imported before its name is
used or described, and one that cannot be used is named in a warning and leaves all others as they are.
"""

from __future__ import annotations

import importlib
import inspect
import logging
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from importlib import metadata
from typing import Any, NamedTuple

from sera.errors import InputError, printable
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
class Plugin:
    """One part by others: where it is, or itself.

    ``package``: the distribution and its version, as "sera-example 1.0"; empty for one of `sera.register`.
    """

    name: str
    module: str
    attribute: str = ""
    package: str = ""
    thing: Any = None
    fault: InputError | None = field(default=None, compare=False)


class Plugins:
    """The plug-ins of one kind; the entry points are read once, when a name is first looked for.

    ``own``: the names of the kind that this package has.
    """

    def __init__(self, kind: str, own: Collection[str], rules: PluginRules) -> None:
        self._kind, self._own, self._rules = kind, own, rules
        self._by_name: dict[str, Plugin] | None = None

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def get(self, name: object) -> Plugin | None:
        return self._read().get(name) if isinstance(name, str) else None

    def add(self, name: str, thing: Any) -> None:
        """Add a part for this process; a part that was added before by this name is replaced.

        Raises InputError for a name or a part that is not allowed, and for the name of another part.
        """
        there = self._read()
        if fault := self._clash(name):
            raise InputError(f"{shown(name)} cannot be added: {fault}", remedy="Choose another name.")
        if name in there and there[name].package:
            raise InputError(
                f"{name} cannot be added: the package {there[name].package} has a {self._kind} of this name",
                remedy="Choose another name.",
            )
        self._check(thing, name)
        there[name] = Plugin(name, getattr(thing, "__module__", None) or thing.__name__, thing=thing)

    def load(self, plugin: Plugin) -> Any:
        """The part itself; InputError, with the package, if it cannot be imported or is none."""
        if plugin.fault:
            raise plugin.fault
        if plugin.thing is None:
            try:
                module = importlib.import_module(plugin.module)
                thing = getattr(module, plugin.attribute) if plugin.attribute else module
                self._check(thing, plugin.name)
            except Exception as error:  # whatever the code of others raises
                said = error.problem if isinstance(error, InputError) else f"{type(error).__name__}: {error}"
                plugin.fault = InputError(
                    f"the {self._kind} {plugin.name} of the package {plugin.package} cannot be used: "
                    f"{printable(said)}",
                    remedy=f"Repair the package, or run: pip uninstall {plugin.package.split()[0]}",
                )
                raise plugin.fault from error
            plugin.thing = thing
        return plugin.thing

    def needs(self, plugin: Plugin) -> tuple[str, ...]:
        """What the part says in ``NEEDS``; `UNUSABLE`, after a warning, for one that cannot be loaded."""
        thing = self._loaded(plugin)
        return (UNUSABLE,) if thing is None else tuple(getattr(thing, "NEEDS", ()))

    def describe(self, plugin: Plugin) -> str:
        """The first line of the part's docstring, and its package."""
        thing = self._loaded(plugin)
        text = UNUSABLE if thing is None else (inspect.getdoc(thing) or "").partition("\n")[0].rstrip(".")
        text = f"not {text}" if thing is None else text or "without a description"
        return f"{text} [{plugin.package or 'registered here'}]"

    def _loaded(self, plugin: Plugin) -> Any:
        first = plugin.fault is None
        try:
            return self.load(plugin)
        except InputError as error:
            if first:
                log.warning("%s", error)
            return None

    def _read(self) -> dict[str, Plugin]:
        if self._by_name is None:
            self._by_name = {}
            for entry in sorted(metadata.entry_points(group=self._rules.group), key=_order):
                self._enter(entry, self._by_name)
        return self._by_name

    def _enter(self, entry: metadata.EntryPoint, there: dict[str, Plugin]) -> None:
        package = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "(unknown)"
        found = Plugin(entry.name, entry.module, entry.attr, package)
        if fault := self._clash(entry.name):
            log.warning("%s of the package %s is left out: %s", shown(entry.name), package, fault)
        elif (other := there.get(entry.name)) and other != found:
            other.fault = InputError(
                f"two packages have a {self._kind} {entry.name}: {other.package} and {package}",
                remedy="Uninstall one of them.",
            )
        else:
            there[entry.name] = found

    def _clash(self, name: Any) -> str:
        """Why a name is not allowed; empty if it is."""
        if not isinstance(name, str) or not re.fullmatch(self._rules.names, name):
            return f"the name of a {self._kind} has {self._rules.wanted}"
        for own in self._own:
            if name == own or name.startswith(f"{own}-"):
                return f"{own} is a {self._kind} of sera, and a name may not begin with it"
        return ""

    def _check(self, thing: Any, name: str) -> None:
        if missing := [each for each in self._rules.has if not hasattr(thing, each)]:
            raise InputError(f"{name} has no {', '.join(missing)}, as a {self._kind} has")
        needs = getattr(thing, "NEEDS", ())
        if wrong := [need for need in needs if need.removesuffix("?") not in self._rules.needs]:
            known = ", ".join(self._rules.needs) or "nothing"
            raise InputError(f"{name} needs {shown(wrong[0])}; a {self._kind} may need {known}")


def _order(entry: metadata.EntryPoint) -> tuple[str, str]:
    return entry.name, entry.dist.name if entry.dist else ""
