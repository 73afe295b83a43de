"""Families of metrics in the workflow: what they need, and their settings in the configuration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sera.metrics import FAMILIES
from study.settings.schema import Schema, settings_of


def needing(*resources: str) -> list[str]:
    """The families that need exactly these resources besides texts, in the order of the registry."""
    return [family for family in FAMILIES if set(FAMILIES.needs(family)) - {"source"} == set(resources)]


def needing_some_of(*resources: str) -> list[str]:
    """The families that need at least one resource besides texts, and none but these."""
    return [
        family
        for family in FAMILIES
        if (needs := set(FAMILIES.needs(family)) - {"source"}) and needs <= set(resources)
    ]


def using(resource: str) -> list[str]:
    """The families that use a resource though they can do without, in the order of the registry."""
    return [
        family for family in FAMILIES if resource in set(FAMILIES.uses(family)) - set(FAMILIES.needs(family))
    ]


def by_file(families: Iterable[str]) -> dict[str, list[str]]:
    """Families by the name of the file, or of the folder, of `sera.metrics` that holds their code.

    Those of a plug-in stand by the name of its module, as ``plugin.sera_example.jaccard``.
    """
    files: dict[str, list[str]] = {}
    for family in families:
        module = FAMILIES.module(family)
        file = module.split(".")[2] if module.startswith("sera.metrics.") else f"plugin.{module}"
        files.setdefault(file, []).append(family)
    return files


def modules(families: Iterable[str]) -> list[str]:
    """The modules of families, sorted, each once."""
    return sorted({FAMILIES.module(family) for family in families})


def family_settings(config: Mapping[str, Any], schema: Schema) -> dict[str, dict[str, Any]]:
    """The settings of metrics by family: where the schema names a ``family``, and those under ``metrics``."""
    found: dict[str, dict[str, Any]] = {}
    for dotted, part in settings_of(schema):
        if "family" in part:
            group, _, name = dotted.rpartition(".")
            found.setdefault(part["family"], {})[name] = (config[group] if group else config)[name]
    for family, own in config["metrics"].items():
        found.setdefault(family, {}).update(own)
    return found


def family_listing(config: Mapping[str, Any], schema: Schema) -> dict[str, dict[str, Any]]:
    """The settings by family that decide which of its metrics are scored: the schema has ``lists`` there."""
    found: dict[str, dict[str, Any]] = {}
    for dotted, part in settings_of(schema):
        if "lists" in part:
            group, _, name = dotted.rpartition(".")
            found.setdefault(part["lists"], {})[name] = (config[group] if group else config)[name]
    return found
