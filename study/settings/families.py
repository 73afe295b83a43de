"""Families of metrics in the workflow: what they need, and their settings in the configuration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sera.metrics import FAMILIES, family_of
from sera.metrics.configure import listed_names
from sera.metrics.encoders import MODEL
from study.settings.schema import Schema, settings_of


def _needs(family: str) -> set[str]:
    return set(FAMILIES.needs(family)) - {"source"}


def families_that_need(*resources: str) -> list[str]:
    """The families that need exactly these resources besides texts, in the order of the registry."""
    return [family for family in FAMILIES if _needs(family) == set(resources)]


def families_that_need_only(*resources: str) -> list[str]:
    """The families that need at least one resource besides texts, and only these."""
    return [family for family in FAMILIES if _needs(family) and _needs(family) <= set(resources)]


def scored_families(chosen: Iterable[str] | None = None) -> list[str]:
    """The families to score, all unless some are ``chosen``, in the order of their rows in scores.tsv."""
    first = [
        "ROUGE",
        *families_that_need("rankings"),
        *families_that_need("nuggets"),
        *families_that_need_only("vectors", "frames"),
    ]
    order = dict.fromkeys([*first, "S3", *families_that_need("encoder"), *FAMILIES])
    return [family for family in order if chosen is None or family in chosen]


def families_by_need(families: Iterable[str]) -> dict[str, list[str]]:
    """The families that wait for the index or vectors, those that do not, and some alone.

    Alone are Pyramid, on which S3 is trained, and those whose scores a language model answers.
    """
    groups: dict[str, list[str]] = {"texts": [], "index": []}
    for family in families:
        waits = _needs(family) & {"rankings", "vectors"} or "collection" in FAMILIES.uses(family)
        alone = family == "Pyramid" or "answers" in _needs(family)
        groups.setdefault(family if alone else "index" if waits else "texts", []).append(family)
    return groups


def batches(groups: Mapping[str, list[str]], *, split: bool) -> dict[str, list[str]]:
    """The groups that are not empty, or with ``split`` each of their members alone, by its own name."""
    if split:
        return {name: [name] for members in groups.values() for name in members}
    return {batch: members for batch, members in groups.items() if members}


def families_inside(family: str, settings: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """A family, and that of the metric by which MOULIN-ROUGE scores the content."""
    if family != "MOULIN-ROUGE":
        return [family]
    return [family, family_of(settings.get(family, {}).get("content") or "ROUGE-1-F")]


def modules(families: Iterable[str]) -> list[str]:
    """The modules of families, sorted, each once."""
    return sorted({FAMILIES.module(family) for family in families})


def family_settings(config: Mapping[str, Any], schema: Schema) -> dict[str, dict[str, Any]]:
    """The settings of metrics by family: where the schema names a ``family``, and those under ``metrics``."""
    settings = _group_settings(config, schema, "family")
    for family, own in config["metrics"].items():
        settings.setdefault(family, {}).update(own)
    return settings


def family_listing(config: Mapping[str, Any], schema: Schema) -> dict[str, dict[str, Any]]:
    """The settings by family that decide which of its metrics are scored: the schema has ``lists`` there."""
    return _group_settings(config, schema, "lists")


def _group_settings(config: Mapping[str, Any], schema: Schema, keyword: str) -> dict[str, dict[str, Any]]:
    """The settings with a keyword in the schema, by the family that it names."""
    groups: dict[str, dict[str, Any]] = {}
    for full_name, part in settings_of(schema):
        if keyword in part:
            group, _, name = full_name.rpartition(".")
            groups.setdefault(part[keyword], {})[name] = (config[group] if group else config)[name]
    return groups


def encoder_options(config: Mapping[str, Any], family: str) -> list[str]:
    """The options of `sera score` for a family that needs a language model."""
    own = config["metrics"].get(family, {})
    assignments = [f"{family}.{key}={value}" for key, value in own.items() if value is not None]
    words = ["--metrics", ",".join(listed_names([family])), "--encoder", config["encoder"]]
    return [*words, *(word for one in assignments for word in ("--set", one))]


def is_onnx(encoder: str) -> bool:
    """Whether a language model is a folder with an export to ONNX, which needs no torch."""
    return Path(encoder, MODEL).is_file()


def encoder_modules(encoder: str, family: str) -> list[str]:
    """The modules of these scores, without those that read the command line."""
    reader = "sera.metrics.encoders" if is_onnx(encoder) else "sera_guided.encoders"
    return ["sera.metrics.scoring", reader, FAMILIES.module(family)]
