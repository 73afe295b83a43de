"""Checks of the configuration before any job starts. Each error is one line that names the setting."""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator, ValidationError
from jsonschema.exceptions import best_match
from snakemake.utils import update_config

from sera.benchmarks import BENCHMARKS, is_own_folder, load_benchmark, resolve
from sera.benchmarks.datasets import DATASETS
from sera.errors import InputError
from sera.io.records import HUMAN
from sera.metrics import family_of, is_metric
from sera.metrics.configure import check_settings as check_metric_settings
from sera.settings import shown
from sera.summarizers import SUMMARIZERS, summarizer
from sera.text.analysis import analyzer_language
from sera.text.languages import ENGLISH, LANGUAGES
from study.settings.families import family_settings, is_onnx
from study.settings.schema import Schema, read_schema, settings_of
from study.settings.settings import (
    DATA,
    SCHEMA,
    nearest,
    parse_yaml,
    read_config,
    read_settings,
    settings_by_study,
    study_group,
    study_name,
)
from study.settings.systems import base_system, plug_in, trained_names


def read_types(value: Any, nested: bool = False) -> Any:
    """Settings of ``--config`` with the types that they would have in a file.

    Snakemake leaves true, false and null, and all values in lists and mappings, as text.
    """
    if isinstance(value, dict):
        return {key: read_types(item, nested=True) for key, item in value.items()}
    if isinstance(value, list):
        return [read_types(item, nested=True) for item in value]
    if not isinstance(value, str) or not (nested or value in ("true", "false", "null")):
        return value
    try:
        content = yaml.safe_load(value)
    except (ValueError, yaml.YAMLError):
        return value
    return content if content is None or isinstance(content, (bool, int, float)) else value


@contextmanager
def report_errors(place: str = "") -> Iterator[None]:
    """End the program with a line for each fault of the input; an error of Snakemake names a rule."""
    try:
        yield
    except InputError as error:
        raise SystemExit("\n".join(f"Error: {place}{line}" for line in error.lines)) from None
    except ModuleNotFoundError as error:  # where Snakemake is installed alone
        problem = f"to plan this study, the package {error.name} is needed"
        raise SystemExit(f"Error: {place}{problem}. Run: make env") from None


def check_settings(config: dict[str, Any], schema: str | Path) -> None:
    """Check all settings, also those of each study in ``studies`` and ``matrix``."""
    definition = read_schema(schema)
    _check(config, definition, "config: ")
    for name, own in settings_by_study(config).items():
        group = study_group(config, name)
        if common := [setting for setting in _COMMON if setting in own]:
            problem = "is a setting of the whole run, not of one study"
            raise _wrong(f"config: {group}.{name}.{common[0]}", problem, f"Set it outside {group}.")
        settings = copy.deepcopy(config)
        update_config(settings, own)
        _check(settings, definition, f"config: {group}.{name}.")
    names = [study_name(config), "audit", "matrix", *config["studies"], *config["matrix"]]
    if duplicates := [name for name in settings_by_study(config) if names.count(name) > 1]:
        setting = f"config: {study_group(config, duplicates[0])}.{duplicates[0]}"
        raise _wrong(setting, "the folder of that name is in use already", "Rename it.")


def _wrong(setting: str, problem: str, remedy: str | None) -> InputError:
    return InputError(f"{setting}: {problem}", remedy=remedy)


_COMMON = ("results", "study", "studies", "matrix", "datasets")


def check_schema(config: Mapping[str, Any], definition: Schema, place: str = "config: ") -> None:
    """Raise InputError for a setting that the schema refuses; ``place`` precedes its name."""
    if is_own_folder(str(config.get("benchmark"))):
        definition["properties"]["benchmark"].pop("enum", None)
    errors = list(Draft202012Validator(definition).iter_errors(config))
    # missing settings last: a misspelt name is the likely cause
    if error := best_match([each for each in errors if each.validator != "required"] or errors):
        raise _schema_error(error, definition, place)


def _schema_error(error: ValidationError, definition: Schema, place: str) -> InputError:
    """The error in one line: the setting, the problem, and the nearest name or what is allowed."""
    group = [str(name) for name in error.absolute_path if not isinstance(name, int)]  # not a place in a list
    if error.validator == "additionalProperties":
        name = next(str(name) for name in error.instance if name not in error.schema["properties"])
        all_names = [full_name for full_name, _ in settings_of(definition)]
        elsewhere = [full_name for full_name in all_names if full_name.endswith(f".{name}")]
        remedy = f"Did you mean {elsewhere[0]!r}?" if elsewhere else nearest(name, all_names)
        return _wrong(place + ".".join([*group, name]), "there is no such setting", remedy)
    names = [name for part in (error.schema, *error.schema.get("anyOf", ())) for name in part.get("enum", ())]
    remedy = f"Give {error.schema['is']}." if "is" in error.schema else None
    if error.schema.get("registry") == "summarizers" and not plug_in():
        remedy = "`make guided` installs the systems that are trained."
    return _wrong(place + ".".join(group), error.message, nearest(error.instance, names) or remedy)


def _check(config: dict[str, Any], definition: Schema, place: str) -> None:
    groups = [config[group] for group in _OWN_SYSTEMS if isinstance(config.get(group), dict)]
    definition = copy.deepcopy(definition)
    for setting in ("systems", "baselines"):
        definition["properties"][setting]["items"]["enum"] += [name for group in groups for name in group]
    check_schema(config, definition, place)
    for system in config["systems"]:
        if system in config["baselines"]:
            raise _wrong(f"{place}baselines", f"{system!r} is one of the systems too", "Name it only once.")
    used_names = {"human", *SUMMARIZERS, *trained_names()}
    for group in _OWN_SYSTEMS:
        for name in config[group]:
            if base_system(name) in used_names or name.startswith(HUMAN):
                raise _wrong(f"{place}{group}.{name}", "the name is taken", "Give another one.")
        used_names |= set(config[group])
    if (largest := max(config["cutoffs"])) > config["depth"]:
        problem = f"{largest} is greater than depth, {config['depth']}"
        raise _wrong(f"{place}cutoffs", problem, "Raise depth; all rankings are then computed again.")
    if find_spec("numpy"):  # where Snakemake is installed alone, the jobs check these
        _check_parts(config, definition, place)


_OWN_SYSTEMS = ("candidates", "language_models")


def _check_parts(config: dict[str, Any], definition: Schema, place: str) -> None:
    """Check the settings of training, summarizers and metrics, each by the code that has them."""
    plugin, encoder = plug_in(), config["encoder"]
    if plugin:
        with _name_place(f"{place}guided.settings: "):
            plugin.check_settings(config["guided"]["settings"])
    for name, parameters in config["parameters"].items():
        with _name_place(f"{place}parameters.{name}: "):
            summarizer(name, **parameters)
    if encoder and is_onnx(encoder):
        if find_spec("onnxruntime") is None:
            raise _wrong(f"{place}encoder", "onnxruntime is not installed", "Run: make neural")
    elif encoder and plugin is None:
        raise _wrong(f"{place}encoder", "sera-guided, which reads it, is not installed", "Run: make guided")
    elif encoder and plugin and config["metrics"].get("BERTScore", {}).get("layer") is None:
        if plugin.best_layer(encoder) is None:
            remedy = "Name a layer: metrics: {BERTScore: {layer: 9}}."
            raise _wrong(f"{place}encoder", f"the best layer of {shown(encoder)} is not known", remedy)
    for family, parameters_of_family in family_settings(config, definition).items():
        where = f"metrics.{family}" if family in config["metrics"] else f"the settings of {family}"
        with _name_place(f"{place}{where}: "):
            check_metric_settings(family, parameters_of_family)


@contextmanager
def _name_place(place: str) -> Iterator[None]:
    """Name the setting in an InputError."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{place}{error}") from None


def check_language(config: dict[str, Any]) -> None:
    """Raise InputError if the language is not the benchmark's, or if the analyzer is of another."""
    language, benchmark = config["language"], config["benchmark"]
    text_language = load_benchmark(resolve(benchmark)[0]).WRITTEN_IN
    if text_language and text_language != language:
        problem = f"{language}, and the benchmark {benchmark} is in another"
        raise _wrong("config: language", problem, f"Set language to {text_language}.")
    analyzer = config["analyzer"]
    if (its := analyzer_language(analyzer)) != language:
        problem = f"{analyzer} is for {its}, and the language is {language}"
        raise _wrong("config: analyzer", problem, f"Set analyzer to {LANGUAGES[language].name}.")


def check_files(config: dict[str, Any]) -> None:
    """Raise InputError for a file or folder that a setting names and that does not exist."""
    for name, path in config["candidates"].items():
        if not Path(path).exists():
            raise _not_there(f"candidates.{name}", "file or folder", path)
    for name in ("vectors", "frequent_words"):
        path = config[name]
        if path and (name, path) != ("vectors", "index") and not Path(path).is_file():
            raise _not_there(name, "file", path)
    if config["framenet"] and not Path(config["framenet"]).is_dir():
        raise _not_there("framenet", "folder", config["framenet"])
    # a name such as allenai/scibert_scivocab_uncased has a slash too
    if (model := config["encoder"]) and model.startswith(("/", ".", "~")) and not Path(model).is_dir():
        raise _not_there("encoder", "folder", model)


def check_folders(benchmark: str, folders: dict[str, str | None]) -> None:
    """Raise InputError if a folder that the benchmark needs is not named, or does not exist."""
    release = {"folder": "benchmark", "tac2014": "tac2014"}.get(benchmark, "data")
    settings = {"release": release, "pyramids": "pyramids", "pmc_oa": "pmc_oa"}
    needs = {"release", *BENCHMARKS.needs(benchmark)}
    gaps = [settings[folder] for folder, path in folders.items() if folder in needs and not path]
    if gaps:
        remedy = (
            f"Name them in config.yaml or with --config {gaps[0]}=...; `make reproduce` takes TAC2014=, "
            "PYRAMIDS=, PMC_OA= and DATA=. docs/data.md says how to obtain the data."
        )
        if "pmc_oa" in gaps:
            command = "sera corpus download /data/pmc_oa --ids resources/collection.tsv"
            remedy = f"Fetch the articles with: {command}. {remedy}"
        problem = f"config: the benchmark {benchmark} needs the settings {', '.join(gaps)}"
        raise InputError(problem, remedy=remedy)
    for folder, path in folders.items():
        archive = folder == "release" and "archive" in BENCHMARKS.uses(benchmark)
        if path and not Path(path).is_dir() and not (archive and Path(path).is_file()):
            raise _not_there(settings[folder], "folder", path)


def _not_there(setting: str, kind: str, path: str) -> InputError:
    return _wrong(f"config: {setting}", f"there is no {kind} {path}", f"Name an existing {kind}.")


def check_score(scored: Collection[str], by_nuggets: bool) -> None:
    """Raise InputError if a family is left out that the tables and figures of every study show."""
    needs = ["ROUGE", "SERA", "MOULIN-ROUGE", "ROUGE-K", *(["Pyramid"] if by_nuggets else [])]
    if gaps := [family for family in needs if family not in scored]:
        problem = f"tables and figures of the study show {', '.join(gaps)}"
        raise _wrong("config: score", problem, "Add what is missing, or use `sera score`.")


def check_judgements(release: str, names: Iterable[str], nuggets: bool) -> None:
    """Raise InputError for a judgement with the name of a metric; ``nuggets``: Pyramid is one of them."""
    metric_names = [name for name in names if is_metric(name)]
    if clashes := [name for name in metric_names if family_of(name) != "Pyramid" or nuggets]:
        problem = f"the judgement {clashes[0]} has the name of a metric"
        raise InputError(problem, path=release, remedy="Rename the judgement.")


def no_multiverse(
    benchmark: str, judged: bool, judgements: Sequence[str], language: str = ENGLISH
) -> str | None:
    """The reason why a study cannot have a multiverse; ``judged``: the benchmark brings its summaries."""
    if language != ENGLISH:
        return f"Its choices are those of a study in English, and the language is {language}."
    if not judgements:
        return f"It correlates metrics with judgements, and the benchmark {benchmark} has none."
    if not load_benchmark(benchmark).HAS_TEXTS:
        return "It makes summaries, and the benchmark has scores without texts."
    if judged:
        return f"It makes its own summaries and articles, and the benchmark {benchmark} provides them."
    return None


# The folders of inputs and results: a run never writes into the folder of an input.

_MARKS = re.compile(r"[{}\r\n]|<[a-z][a-z0-9_]*>")


def check_text(setting: str, path: str) -> None:
    """Raise InputError for a path with a line break, or with a wildcard or variable of a rule."""
    if marks := _MARKS.search(path):
        problem = f"{setting}: {path!r} contains {marks[0]!r}, which has a meaning in Snakemake's paths"
        raise InputError(problem, remedy="Rename it, or name another one.")


def input_paths(config: Mapping[str, Any], benchmark: str | None) -> list[str]:
    """The paths of the inputs that settings name; ``benchmark``: the folder of a user's own one, or None."""
    paths = [benchmark, *(config[name] for name in (*DATA, "framenet", "frequent_words"))]
    paths += config["candidates"].values()
    if config["vectors"] != "index":
        paths.append(config["vectors"])
    if config["encoder"] and os.path.isdir(config["encoder"]):
        paths.append(config["encoder"])
    return [path for path in paths if path]


def check_inputs(studies: Mapping[str, Mapping[str, Any]], audit: str) -> None:
    """Raise InputError for an input of the studies, by name, that has wildcards or that a run would write."""
    paths = [path for own in studies.values() for path in input_paths(own, resolve(own["benchmark"])[1])]
    for path in paths:
        check_text("an input", path)
    folders = [f"{own['results']}/{name}" for name, own in studies.items()]
    check_places([audit, *folders], paths)


def check_places(outs: Iterable[str], inputs: Iterable[str]) -> None:
    """Raise InputError if one of the inputs is in a folder that the run writes, one of ``outs``.

    Real paths are compared. Results of another study may be inputs.
    """
    for path in inputs:
        for target in outs:
            if Path(os.path.realpath(path)).is_relative_to(os.path.realpath(target)):
                problem = f"config: results: {path} is an input, and a run would overwrite it in {target}"
                raise InputError(problem, remedy="Name another folder for the results.")


# The settings in force: those of `config.yaml`, what overrules them, and the benchmarks of a folder of data.


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
    folders_by_name, gaps = _find_benchmarks(folder)
    folders = {name: {"data": str(path)} for name, path in folders_by_name.items()}
    return {name: {**folders.get(name, {}), **matrix.get(name, {})} for name in [*folders, *matrix]}, gaps


def _find_benchmarks(folder: str | Path) -> tuple[dict[str, Path], list[str]]:
    """Which judged benchmarks a folder has, each data set below its name (`sera datasets get`).

    Returns the benchmarks found, each with its data set's folder, and the names of the data sets that are not
    there. Whether what is there is complete, its reader checks. InputError if none is there.
    """
    folders: dict[str, Path] = {}
    gaps = []
    for name, each in DATASETS.items():
        benchmarks = [one for one in each.benchmarks if load_benchmark(one).JUDGED]
        if (place := Path(folder) / name).is_dir():
            folders |= dict.fromkeys(benchmarks, place)
        elif benchmarks:
            gaps.append(name)
    if not folders:
        remedy = "Fetch them by `sera datasets get --all --to` this folder, or name another."
        raise InputError("has none of the data sets", path=folder, remedy=remedy)
    return folders, gaps
