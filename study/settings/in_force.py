"""The settings in force: those of `config.yaml`, what overrules them, and the benchmarks of a folder of data.

Apart from `study.settings.settings`, which the page imports too: this module knows how data sets are fetched.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sera.benchmarks import load_benchmark
from sera.benchmarks.datasets import DATASETS
from sera.errors import InputError
from sera.settings import shown
from study.settings.checks import check_schema
from study.settings.schema import read_schema
from study.settings.settings import SCHEMA, parse_yaml, read_config, read_settings


def settings_in_force(
    words: Iterable[str], file: str | Path | None = None, path: str | Path = "config.yaml"
) -> dict[str, Any]:
    """The settings of config.yaml, overruled by those of another file, and these by words such as ``mu=100``.

    They are read as Snakemake reads ``--configfile`` and ``--config``. InputError also for a wrong value of a
    setting that names results.
    """
    if not Path(path).exists():
        remedy = "Run the command in the folder of the study's config.yaml."
        raise InputError("there is no such file", path=path, remedy=remedy)
    settings = read_config(path) | (read_settings(file) if file else {})
    for word in words:
        key, sign, text = word.partition("=")
        if not sign:
            raise InputError(f"{shown(word)} sets nothing", remedy="Write a setting as in mu=100.")
        settings[key] = parse_yaml(text)
    properties = read_schema(Path(path).parent / SCHEMA)["properties"]
    check_schema(settings, {"properties": {name: properties[name] for name in _NAMING}})
    settings["matrix"] = matrix_benchmarks(settings)[0]
    return settings


_NAMING = ("benchmark", "results", "study", "studies", "matrix", "datasets")


def matrix_benchmarks(settings: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The benchmarks of the setting ``matrix`` and of the folder ``datasets``, and what the folder lacks.

    What ``matrix`` sets for a benchmark counts. Values of a wrong type stay as they are, for the schema.
    """
    matrix, folder = settings.get("matrix", {}), settings.get("datasets")
    own = matrix.values() if isinstance(matrix, dict) else [None]
    if not (isinstance(folder, str) and all(isinstance(each, dict) for each in own)):
        return matrix, []
    found, missing = _benchmarks_in(folder)
    folders = {name: {"data": str(path)} for name, path in found.items()}
    return {name: {**folders.get(name, {}), **matrix.get(name, {})} for name in [*folders, *matrix]}, missing


def _benchmarks_in(folder: str | Path) -> tuple[dict[str, Path], list[str]]:
    """Which judged benchmarks a folder has, each data set below its name (`sera datasets get`).

    Returns the benchmarks found, each with its data set's folder, and the names of the data sets that are not
    there. Whether what is there is complete, its reader checks. InputError if none is there.
    """
    found: dict[str, Path] = {}
    missing = []
    for name, each in DATASETS.items():
        judged = [one for one in each.benchmarks if load_benchmark(one).JUDGED]
        if (below := Path(folder) / name).is_dir():
            found |= dict.fromkeys(judged, below)
        elif judged:
            missing.append(name)
    if not found:
        remedy = "Fetch them by `sera datasets get --all --to` this folder, or name another."
        raise InputError("has none of the data sets", path=folder, remedy=remedy)
    return found, missing
