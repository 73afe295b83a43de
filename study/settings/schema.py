"""The settings, read from schemas/config.schema.yaml, and their allowed values in words."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from sera.benchmarks import BENCHMARKS
from sera.metrics import FAMILIES
from sera.retrieval.engines import ENGINES
from sera.summarizers import SUMMARIZERS
from study.settings.systems import trained_names

Schema = dict[str, Any]

_REGISTRIES: dict[str, Any] = {
    "benchmarks": BENCHMARKS,
    "engines": ENGINES,
    "families": FAMILIES,
    "summarizers": [*SUMMARIZERS, *trained_names()],
}


def read_schema(path: str | Path) -> Schema:
    """The schema; the names of a registry that it mentions are added to ``enum``."""
    schema = copy.deepcopy(_parsed(Path(path)))
    for _, setting in settings_of(schema):
        for part in (setting, setting.get("items", {}), setting.get("propertyNames", {})):
            if "registry" in part:
                part["enum"] = [*_REGISTRIES[part["registry"]], *part.get("enum", [])]
    return schema


@cache
def _parsed(path: Path) -> Schema:
    return yaml.load(path.read_bytes(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def settings_of(schema: Schema, group: str = "") -> Iterator[tuple[str, Schema]]:
    """The dotted name and the schema of each setting in order; a group precedes its settings."""
    for name, part in schema["properties"].items():
        yield group + name, part
        if "properties" in part:
            yield from settings_of(part, f"{group}{name}.")


def allowed(part: Schema) -> str:
    """The allowed values of a setting, in words as ``a number above 0`` and ``one of full, none``."""
    if "anyOf" in part:
        return ", or ".join(map(allowed, part["anyOf"]))
    if "registry" in part:  # names may be added without a change of docs/configuration.md
        others = [name for name in part["enum"] if name not in _REGISTRIES[part["registry"]]]
        return ", or ".join([f"one of the {part['registry']}", *others])
    if "enum" in part:
        return f"one of {', '.join(part['enum'])}"
    if isinstance(part["type"], list):
        return ", or ".join(dict.fromkeys(allowed({**part, "type": kind}) for kind in part["type"]))
    if part["type"] == "array":
        return f"a list, each item {allowed(part['items'])}"
    if part["type"] in ("string", "object") and "is" in part:
        return part["is"]
    return _TYPES[part["type"]] + (_range(part) if part["type"] in ("integer", "number") else "")


_TYPES = {
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "null",
    "number": "a number",
    "object": "a group of settings",
    "string": "a text",
}


def _range(part: Schema) -> str:
    if "minimum" in part and "maximum" in part:
        return f" from {part['minimum']} to {part['maximum']}"
    bounds = {
        "minimum": "of at least",
        "exclusiveMinimum": "above",
        "maximum": "up to",
        "exclusiveMaximum": "below",
    }
    return " and".join(f" {words} {part[bound]}" for bound, words in bounds.items() if bound in part)
