"""Checks of the configuration, made before any job starts."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator

from sera.errors import InputError
from sera.summarizers import SUMMARIZERS


def typed(value: Any, nested: bool = False) -> Any:
    """Snakemake leaves what is inside a list or mapping of ``--config`` as text: read it as YAML does."""
    if isinstance(value, dict):
        return {key: typed(item, nested=True) for key, item in value.items()}
    if isinstance(value, list):
        return [typed(item, nested=True) for item in value]
    return yaml.safe_load(value) if nested and isinstance(value, str) else value


def check_settings(config: dict[str, Any], schema: str) -> None:
    """Check all settings; InputError names the first that is wrong, and the nearest right name."""
    definition = yaml.safe_load(Path(schema).read_text(encoding="utf-8"))
    for key in config:
        if key not in definition["properties"]:
            near = difflib.get_close_matches(key, definition["properties"], n=1)
            raise InputError(
                f"config: there is no setting {key!r}", remedy=f"Did you mean {near[0]!r}?" if near else None
            )
    errors = sorted(
        Draft202012Validator(definition).iter_errors(config), key=lambda e: list(map(str, e.path))
    )
    for error in errors:
        place = ".".join(map(str, error.absolute_path))
        raise InputError(f"config: {place + ': ' if place else ''}{error.message}")
    for system in config["systems"]:
        SUMMARIZERS.describe(system)
    if max(config["cutoffs"]) > config["depth"]:
        raise InputError(
            f"config: cut-off {max(config['cutoffs'])} is greater than the rankings' depth {config['depth']}",
            remedy="Raise depth; the rankings are then made anew.",
        )


def check_folders(benchmark: str, folders: dict[str, str | None]) -> None:
    """Every folder of a real benchmark has to be named; InputError tells how."""
    settings = {"release": "tac2014", "pyramids": "pyramids", "pmc_oa": "pmc_oa"}
    missing = [settings[folder] for folder, path in folders.items() if not path]
    if missing:
        raise InputError(
            f"the benchmark {benchmark} needs the settings {', '.join(missing)}",
            remedy="Name the folders, `make reproduce BENCHMARK=tac2014 TAC2014=... PYRAMIDS=... PMC_OA=...` "
            "or in config.yaml; docs/data.md tells how to obtain the data.",
        )
