"""What a run depends on: settings, code, packages and inputs; and what of it changed since the last run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.code import files_of, packages_of
from rules.contents import Contents
from sera.reporting.study_settings import changed

_LONGEST = 80  # characters of a value in a phrase


@dataclass(frozen=True)
class Basis:
    """What a run depends on: its settings, the hash of each module, the version of each package, the hash of
    each input file. Code and inputs are those of the steps that the workflow has looked at."""

    settings: dict[str, Any] = field(default_factory=dict)
    code: dict[str, str] = field(default_factory=dict)
    packages: dict[str, str] = field(default_factory=dict)
    inputs: dict[str, str] = field(default_factory=dict)


def basis_of(settings: Mapping[str, Any], contents: Contents) -> Basis:
    """What the run of this process depends on."""
    plain = json.loads(json.dumps(settings, default=str))  # as it is read back from the record
    return Basis(plain, files_of(), packages_of(), contents.files_of())


class Changes:
    """What changed from one run to the next.

    ``settings``, ``packages``: phrases such as ``mu 100 (2000 before)``; ``code``, ``inputs``: paths. A
    module counts if both runs used it: another one comes in through a setting or through a module that
    changed.
    """

    def __init__(self, before: Basis, now: Basis, contents: Contents) -> None:
        self._contents = contents
        self.settings = [
            f"{name} {_short(new)} ({_short(old)} before)"
            for name, (new, old) in changed(now.settings, before.settings).items()
        ]
        self.code = _other(before.code, now.code)
        self.packages = [
            f"{name} {now.packages[name]} ({before.packages[name]} before)"
            for name in _other(before.packages, now.packages)
        ]
        self.inputs = _other(before.inputs, now.inputs)
        self.new_inputs = sorted(now.inputs.keys() - before.inputs.keys())
        self.gone_inputs = sorted(before.inputs.keys() - now.inputs.keys())

    def of_code(self, digest: str) -> str:
        """The modules and packages that changed among those of a step's code; empty if none is known."""
        own, packages = files_of(digest), packages_of(digest)
        parts = [path for path in self.code if path in own]
        return _changed([*parts, *(each for each in self.packages if each.partition(" ")[0] in packages)])

    def of_files(self, digest: str) -> str:
        """The inputs that changed among those that a step reads itself; empty if none is known."""
        own = self._contents.files_of(digest)
        return _changed([path for path in [*self.inputs, *self.new_inputs] if path in own])

    def phrases(self) -> list[str]:
        """All that changed, each as a phrase; empty if nothing did."""
        return [
            *self.settings,
            *self.code,
            *self.packages,
            *self.inputs,
            *(f"{path} is new" for path in self.new_inputs),
            *(f"{path} is not read any more" for path in self.gone_inputs),
        ]


def _other(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    return sorted(name for name in before.keys() & now.keys() if before[name] != now[name])


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _changed(parts: list[str]) -> str:
    return f"{few(parts, 3)} changed" if parts else ""


def few(names: Iterable[str], most: int) -> str:
    """The first names, and how many more there are."""
    listed = list(names)
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(listed[:most]) + more
