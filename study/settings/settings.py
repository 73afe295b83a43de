"""The settings of the study: `config.yaml`, what differs from it, and the folder of the results."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from sera.benchmarks import BENCHMARKS, resolve
from sera.errors import InputError
from sera.io.files import read_text
from sera.names import nearest_names


def results_folder(settings: Mapping[str, Any]) -> Path:
    """The folder of a study's results; InputError as of `study_name`."""
    return Path(settings["results"], study_name(settings))


def read_settings(path: str | Path) -> dict[str, Any]:
    """The settings in a file; raises InputError if it is not a mapping in YAML."""
    settings = parse_yaml(read_text(path, "the settings, as YAML"), path)
    if not isinstance(settings, dict):
        remedy = "Write a setting on each line: a name, a colon, a blank and the value, as in `mu: 2000`."
        raise InputError("holds no settings", path=path, remedy=remedy)
    return settings


SCHEMA = "schemas/config.schema.yaml"  # the schema of the settings, in a checkout


def read_config(path: str | Path = "config.yaml") -> dict[str, Any]:
    """All settings of a study: those in a file, and the defaults of the schema in the same checkout."""
    return with_defaults(read_settings(path), read_settings(Path(path).parent / SCHEMA))


def with_defaults(settings: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Settings, and the schema's defaults of all that they lack, also in groups and mappings."""
    full = dict(settings)
    for name, part in schema["properties"].items():
        default = {} if "properties" in part else part["default"]
        own = full.setdefault(name, default)
        if "properties" in part and isinstance(own, dict):
            full[name] = with_defaults(own, part)
        elif isinstance(default, dict) and isinstance(own, dict):
            full[name] = {**default, **own}
    return full


def parse_yaml(text: str, path: str | Path | None = None) -> Any:
    """The value of a text; InputError, with ``path``, for one that is not YAML."""
    try:
        return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if path and mark else None
        problem = getattr(error, "problem", None) or " ".join(str(error).split())[:200]
        raise InputError(
            f"is not YAML: {problem}", path=path, line=line, remedy="Correct the YAML."
        ) from None


DATA = ("tac2014", "pyramids", "pmc_oa", "data")  # the settings that name the folders of data

PLACES = ("benchmark", "results", *DATA, "datasets")
"""The settings that say which study it is, and where data are."""


def describe_changes(settings: Mapping[str, Any], defaults: Mapping[str, Any], group: str = "") -> list[str]:
    """The settings that differ from the defaults, except those of places; ``group`` precedes their names.

    >>> describe_changes({"mu": 100, "rouge": {"stop": False}}, {"mu": 100, "rouge": {"stop": True}})
    ['rouge.stop false (true in config.yaml)']
    """
    changes = []
    for name, value in settings.items():
        default = defaults.get(name, value)
        if name in PLACES or value == default:
            continue
        if isinstance(value, dict) and isinstance(default, dict) and value.keys() & default.keys():
            changes += describe_changes(value, default, f"{group}{name}.")
        else:
            here, usual = (json.dumps(each, ensure_ascii=False) for each in (value, default))
            changes.append(f"{group}{name} {here} ({usual} in config.yaml)")
    return changes


def settings_by_study(config: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What each further study sets itself, by its name: ``studies``, and the benchmarks of ``matrix``.

    In the matrix, ROUGE keeps stop words on a release of `BENCHMARKS`, as is usual there, unless it is set.
    """
    matrix_settings = {name: {"benchmark": name, **own} for name, own in config["matrix"].items()}
    for own in matrix_settings.values():
        usual = str(own["benchmark"]) in BENCHMARKS and own["benchmark"] not in STOP_WORDS_REMOVED
        if usual and isinstance(rouge := own.get("rouge", {}), dict):
            own["rouge"] = {"stop": False, **rouge}
    return {**config["studies"], **matrix_settings}


STOP_WORDS_REMOVED = ("tac2014", "demo")
"""The benchmarks on which the paper's ROUGE, without stop words, is the usual one."""


def study_group(config: Mapping[str, Any], study: str) -> str:
    """The setting that names a further study: ``studies`` or ``matrix``."""
    return "studies" if study in config["studies"] else "matrix"


def check_data_is_read(settings: Mapping[str, Any], given: Iterable[str]) -> None:
    """Raise InputError for folders of data that are ``given`` for a run of the demo alone."""
    studies = settings_by_study(settings).values()
    demo = all(own.get("benchmark", "demo") == "demo" for own in [settings, *studies])
    if demo and (unread := [name for name in given if name in DATA]):
        problem = f"{', '.join(unread)}: the benchmark of this run, demo, reads no data"
        raise InputError(problem, remedy="Name the benchmark: make reproduce BENCHMARK=tac2014.")


def study_name(config: Mapping[str, Any]) -> str:
    """The name of a study's results: the setting ``study``, or the name of the benchmark or of its folder."""
    if config["study"]:
        return str(config["study"])
    benchmark, folder = resolve(config["benchmark"])
    name = Path(folder).absolute().name if folder else benchmark
    if folder and (not re.fullmatch(r"[A-Za-z0-9][\w.-]{0,79}", name) or name in BENCHMARKS):
        problem = f"config: benchmark: the name of the folder {folder} cannot be that of its results"
        remedy = "Name the results with the setting `study`, as in --config study=mine."
        raise InputError(problem, remedy=remedy)
    return name


def nearest(name: Any, names: Iterable[str]) -> str | None:
    """The remedy for a misspelt name: the nearest right one; None if none is near."""
    matches = nearest_names(str(name), names, most=1, cutoff=0.6)
    return f"Did you mean {matches[0]!r}?" if matches else None
