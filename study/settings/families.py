"""Families of metrics in the workflow: what they need, and their settings in the configuration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sera.metrics import FAMILIES
from sera.metrics.configure import listed_names
from study.settings.schema import Schema, settings_of


def _needs(family: str) -> set[str]:
    return set(FAMILIES.needs(family)) - {"source"}


def needing(*resources: str) -> list[str]:
    """The families that need exactly these resources besides texts, in the order of the registry."""
    return [family for family in FAMILIES if _needs(family) == set(resources)]


def needing_some_of(*resources: str) -> list[str]:
    """The families that need at least one resource besides texts, and only these."""
    return [family for family in FAMILIES if _needs(family) and _needs(family) <= set(resources)]


def using(resource: str) -> list[str]:
    """The families that use a resource but do not need it, in the order of the registry."""
    using = [family for family in FAMILIES if resource in FAMILIES.uses(family)]
    return [family for family in using if resource not in FAMILIES.needs(family)]


def by_file(families: Iterable[str]) -> dict[str, list[str]]:
    """Families by the name of the file, or of the folder, of `sera.metrics` that holds their code.

    The families of a plug-in are under the name of its module, such as ``plugin.sera_example.jaccard``.
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
    found = _by_family(config, schema, "family")
    for family, own in config["metrics"].items():
        found.setdefault(family, {}).update(own)
    return found


def family_listing(config: Mapping[str, Any], schema: Schema) -> dict[str, dict[str, Any]]:
    """The settings by family that decide which of its metrics are scored: the schema has ``lists`` there."""
    return _by_family(config, schema, "lists")


def _by_family(config: Mapping[str, Any], schema: Schema, keyword: str) -> dict[str, dict[str, Any]]:
    """The settings with a keyword in the schema, by the family that it names."""
    found: dict[str, dict[str, Any]] = {}
    for dotted, part in settings_of(schema):
        if keyword in part:
            group, _, name = dotted.rpartition(".")
            found.setdefault(part[keyword], {})[name] = (config[group] if group else config)[name]
    return found


def encoder_options(config: Mapping[str, Any]) -> list[str]:
    """The options of `sera score` for every metric that needs a language model."""
    families = needing("encoder")
    given = [
        f"{family}.{key}={value}"
        for family in families
        for key, value in config["metrics"].get(family, {}).items()
        if value is not None
    ]
    words = ["--metrics", ",".join(listed_names(families)), "--encoder", config["encoder"]]
    return [*words, *(word for one in given for word in ("--set", one))]


def encoder_modules() -> list[str]:
    """The modules of these scores, without those that read the command line."""
    of_all = ["sera.metrics.score_files", "sera.io.score_formats", "sera_guided.encoders"]
    return [*of_all, *modules(needing("encoder"))]
