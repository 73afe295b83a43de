"""The settings of the study: `config.yaml`, what overrules it, and the folder of the results."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from sera.benchmarks import BENCHMARKS, resolve, results_name
from sera.errors import InputError
from sera.files import parse_json, read_text
from sera.names import check_file_name, nearest_names
from sera.settings import shown


def settings_in_force(
    environment: Mapping[str, str], given: Mapping[str, str | None], path: str | Path = "config.yaml"
) -> dict[str, Any]:
    """The settings of a file, overruled by the environment (`of_environment`), and these by ``given``.

    What is None or empty in ``given`` overrules nothing. Only the settings that name the results are checked:
    ``benchmark``, ``results``, ``study``, ``studies``, ``matrix`` and ``datasets``. InputError for a file
    that is not there or holds no settings, for one of these of a wrong type, and as of `matrix_of`.
    """
    if not Path(path).exists():
        raise InputError(
            "there is no such file",
            path=path,
            remedy="Run the command in the folder of the study's config.yaml.",
        )
    settings: dict[str, Any] = {"study": None, "studies": {}, "matrix": {}}
    settings |= read_settings(path) | of_environment(environment)
    settings |= {name: value for name, value in given.items() if value}
    settings |= {"datasets": settings.get("datasets")}
    for name, kinds, allowed in _OF_THE_FOLDER:
        if not isinstance(value := settings.get(name), kinds):
            wrong = "is missing" if value is None else f"{shown(value)} is not {allowed}"
            raise InputError(
                f"config: {name}: {wrong}", remedy="docs/configuration.md documents the setting."
            )
    settings["matrix"] = matrix_of(settings)[0]
    check_given(settings, given_to_make(environment), by_make=True)
    return settings


_OF_THE_FOLDER: tuple[tuple[str, tuple[type, ...], str], ...] = (
    ("benchmark", (str,), "a text"),
    ("results", (str,), "a text"),
    ("study", (str, type(None)), "a text or null"),
    ("studies", (dict,), "a group of settings"),
    ("matrix", (dict,), "a group of settings"),
    ("datasets", (str, type(None)), "a text or null"),
)


def results_of(settings: Mapping[str, Any]) -> Path:
    """The folder of a study's results; InputError as of `name_of`."""
    return Path(settings["results"], name_of(settings))


def read_settings(path: str | Path) -> dict[str, Any]:
    """The settings in a file; raises InputError if it is not a mapping in YAML."""
    text = read_text(path, "the settings, as YAML")
    try:
        settings = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise InputError(
            f"is not YAML: {error.problem}", path=path, line=line, remedy="Correct the YAML."
        ) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise InputError(
            f"is not YAML: {' '.join(str(error).split())[:200]}", path=path, remedy="Correct the YAML."
        ) from None
    if not isinstance(settings, dict):
        raise InputError(
            f"holds {_kind(settings)}, not settings",
            path=path,
            remedy="Write a setting on each line: a name, a colon, a blank and the value, as in `mu: 2000`.",
        )
    return settings


def _kind(value: Any) -> str:
    return "nothing" if value is None else "a list" if isinstance(value, list) else "a single value"


OF_MAKE = ("benchmark", "results", "tac2014", "pyramids", "pmc_oa", "realsumm", "nist", "data", "datasets")
"""The settings with a variable of their own in the Makefile: which study it is, and where its data are."""


def changed(settings: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The settings whose values are not the defaults, except `OF_MAKE`: (value, default) by name.

    The names of settings in a group have the group's name and a dot before them. A setting without a default
    is not listed.

    >>> changed({"mu": 100, "rouge": {"stem": True, "stop": False}}, {"mu": 100, "rouge": {"stop": True}})
    {'rouge.stop': (False, True)}
    """
    found: dict[str, tuple[Any, Any]] = {}
    for name, value in settings.items():
        if name in OF_MAKE or name not in defaults or value == defaults[name]:
            continue
        default = defaults[name]
        if isinstance(value, dict) and isinstance(default, dict) and value.keys() & default.keys():
            found |= {f"{name}.{key}": pair for key, pair in changed(value, default).items()}
        else:
            found[name] = value, default
    return found


def changed_in_words(settings: Mapping[str, Any], defaults: Mapping[str, Any]) -> list[str]:
    """The settings of `changed` as text, for example ``mu 100 (2000 in config.yaml)``."""
    return [
        f"{name} {json.dumps(value, ensure_ascii=False)} "
        f"({json.dumps(default, ensure_ascii=False)} in config.yaml)"
        for name, (value, default) in changed(settings, defaults).items()
    ]


BY_ENVIRONMENT = "SERA_SETTING_"
"""How an environment variable begins that sets a setting; its value is taken as text."""


def of_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """The settings in environment variables, with their texts unchanged; an empty variable sets nothing.

    The variable SERA_SETTINGS holds several settings of any type as a JSON object. Raises InputError for a
    variable of another name with the prefix, and if SERA_SETTINGS is no JSON object.
    """
    found = {
        variable.removeprefix(BY_ENVIRONMENT): value
        for variable, value in environment.items()
        if variable.startswith(BY_ENVIRONMENT) and value
    }
    for name in found:
        if name not in _TEXTS:
            raise InputError(
                f"the environment variable {BY_ENVIRONMENT}{name} names no setting that it may",
                remedy=nearest(name, _TEXTS) or f"Choose one of: {', '.join(_TEXTS)}.",
            )
    several = environment.get(ALL_BY_ENVIRONMENT)
    settings = parse_json(several, path=ALL_BY_ENVIRONMENT) if several else {}
    if not isinstance(settings, dict):
        raise InputError(
            "is no JSON object", path=ALL_BY_ENVIRONMENT, remedy='Name settings as in {"mu": 100}.'
        )
    return settings | found


ALL_BY_ENVIRONMENT = "SERA_SETTINGS"

_TEXTS = (*OF_MAKE, "study")


GIVEN = "SERA_GIVEN"
"""The environment variable in which `make` lists the variables of its command line."""


def given_to_make(environment: Mapping[str, str]) -> list[str]:
    """The settings that are variables of the command line of `make`."""
    return [name.lower() for name in environment.get(GIVEN, "").split() if name.lower() in OF_MAKE]


def matrix_of(settings: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The benchmarks of the setting ``matrix``, with those in the folder ``datasets``, if it is set.

    What ``matrix`` sets for a benchmark counts. Returns them, each with its own settings, and the names of
    the data sets that the folder lacks. Values of a wrong type stay as they are. InputError for a folder
    that has no data set, see `benchmarks_in`.
    """
    matrix, folder = settings.get("matrix", {}), settings.get("datasets")
    own = matrix.values() if isinstance(matrix, dict) else [None]
    if not (folder and isinstance(folder, str) and all(isinstance(each, dict) for each in own)):
        return matrix, []
    from sera.benchmarks.datasets import benchmarks_in, language_settings

    found, missing = benchmarks_in(folder)
    folders = {
        name: {name if name in OF_MAKE else "data": str(path), **language_settings(name)}
        for name, path in found.items()
    }
    return {name: {**folders.get(name, {}), **matrix.get(name, {})} for name in [*folders, *matrix]}, missing


def settings_by_study(config: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What each further study sets itself, by its name: ``studies``, and the benchmarks of ``matrix``.

    A benchmark of the matrix has the benchmark of its name unless it sets another.
    """
    of_matrix = {name: {"benchmark": name, **own} for name, own in config["matrix"].items()}
    return {**config["studies"], **of_matrix}


def group_of(config: Mapping[str, Any], study: str) -> str:
    """The setting that names a further study: ``studies`` or ``matrix``."""
    return "studies" if study in config["studies"] else "matrix"


def check_given(settings: Mapping[str, Any], given: Iterable[str], *, by_make: bool) -> None:
    """Raise InputError for a folder of data on the command line that no study of the run reads.

    The benchmarks of the setting ``matrix`` are studies of the run. ``given``: the settings on this command
    line, of `make` or of Snakemake. A folder in config.yaml is never wrong: it may be there for another
    benchmark. The remedy is the command that reads the folder.
    """
    run = [{}, *settings_by_study(settings).values()]  # a study reads no folder that it replaces by its own
    folders = [name for name in given if name in _DATA]
    unread = [
        name
        for name in folders
        if not any(
            name not in own and _reads(str(own.get("benchmark", settings["benchmark"])), name) for own in run
        )
    ]
    if not unread:
        return
    otherwise = "scitldr" if "data" in unread else "tac2014"
    wanted = next((name for name in unread if name in BENCHMARKS), otherwise)
    own = [name for name in folders if _reads(wanted, name)]
    pairs = [("benchmark", wanted), *((name, str(settings[name])) for name in own)]
    words = [f"{_of_command(name, by_make)}={shlex.quote(value)}" for name, value in pairs]
    start = "make reproduce" if by_make else "snakemake --cores 2 --config"
    raise InputError(
        f"{', '.join(_of_command(name, by_make) for name in unread)}: the benchmark of this run, "
        f"{settings['benchmark']}, does not read it",
        remedy=f"Leave it out, or run `{start} {' '.join(words)}`.",
    )


_DATA = ("tac2014", "pyramids", "pmc_oa", "realsumm", "nist", "data")


def _reads(benchmark: str, folder: str) -> bool:
    """Whether a benchmark reads the folder of a setting; all but the demo can search PubMed Central."""
    if folder == "pmc_oa":
        return benchmark != "demo"
    if folder == "data":
        return benchmark in BENCHMARKS and benchmark not in ("demo", *_DATA)
    return benchmark == folder or (benchmark in BENCHMARKS and folder in BENCHMARKS.needs(benchmark))


def _of_command(name: str, by_make: bool) -> str:
    return name.upper() if by_make else name


def name_of(config: Mapping[str, Any]) -> str:
    """The name of a study's folder in the results: the setting ``study``, or else the benchmark's name.

    A user's own benchmark has the name of its folder. Raises InputError if the name cannot be that of the
    results.
    """
    if config["study"]:
        check_folder_name("config: study", str(config["study"]))
        return str(config["study"])
    name = results_name(config["benchmark"])
    folder = resolve(config["benchmark"])[1]
    if folder and (not re.fullmatch(r"[A-Za-z0-9][\w.-]{0,79}", name) or name in BENCHMARKS):
        raise InputError(
            f"config: benchmark: the name of the folder {folder} cannot be that of its results",
            remedy="Name the results with the setting `study`, as in --config study=mine.",
        )
    check_folder_name("config: benchmark", name)
    return name


def check_folder_name(setting: str, name: str) -> None:
    """InputError, with the setting, for a name that no file or folder can have."""
    try:
        check_file_name("name", name)
    except InputError as error:
        raise InputError(f"{setting}: {error}") from None


def nearest(name: Any, names: Iterable[str]) -> str | None:
    """The remedy for a misspelt name: the nearest right one; None if none is near."""
    near = nearest_names(str(name), names, most=1, cutoff=0.6)
    return f"Did you mean {near[0]!r}?" if near else None
