"""The settings, read from schemas/config.schema.yaml."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from sera.benchmarks import BENCHMARKS
from sera.metrics import FAMILIES
from sera.retrieval.engines import ENGINES
from sera.summarizers import SUMMARIZERS
from study.settings.settings import read_settings
from study.settings.systems import trained_names

Schema = dict[str, Any]

_REGISTRIES: dict[str, Any] = {
    "benchmarks": BENCHMARKS,
    "engines": ENGINES,
    "families": FAMILIES,
    "summarizers": [*SUMMARIZERS, *trained_names()],
}
_read_once = cache(read_settings)


def read_schema(path: str | Path) -> Schema:
    """The schema; the names of a registry that it mentions are added to ``enum``."""
    schema = copy.deepcopy(_read_once(Path(path)))
    for _, setting in settings_of(schema):
        for part in (setting, setting.get("items", {}), setting.get("propertyNames", {})):
            if "registry" in part:
                part["enum"] = [*_REGISTRIES[part["registry"]], *part.get("enum", [])]
    return schema


def settings_of(schema: Schema, group: str = "") -> Iterator[tuple[str, Schema]]:
    """The dotted name and the schema of each setting in order; a group precedes its settings."""
    for name, part in schema["properties"].items():
        yield group + name, part
        if "properties" in part:
            yield from settings_of(part, f"{group}{name}.")
