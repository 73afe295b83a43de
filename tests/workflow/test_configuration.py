"""The settings: each described, checked before any job, and told in one line when it is wrong."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest
from conftest import ROOT
from snakemake.cli import parse_config

from sera.errors import InputError
from study.settings.checks import check_files, check_folders, check_language, check_settings, read_types
from study.settings.documentation import page
from study.settings.schema import read_schema, settings_of
from study.settings.settings import read_config, read_settings

SCHEMA = ROOT / "schemas" / "config.schema.yaml"
DEFAULTS = read_config(ROOT / "config.yaml")
SETTINGS = {name: part for name, part in settings_of(read_schema(SCHEMA)) if "properties" not in part}


def changed(name: str, *value: Any) -> dict[str, Any]:
    """The settings of config.yaml with another value of a dotted name, or without it."""
    config = copy.deepcopy(DEFAULTS)
    *groups, last = name.split(".")
    inner = config
    for group in groups:
        inner = inner[group]
    inner.pop(last, None)
    if value:
        inner[last] = value[0]
    return config


def told(config: dict[str, Any]) -> str:
    with pytest.raises(InputError) as error:
        check_settings(config, SCHEMA)
        check_language(config)
        check_files(config)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_the_defaults_are_those_of_config_yaml():
    check_settings(DEFAULTS, SCHEMA)
    described = {name: part["default"] for name, part in SETTINGS.items()}

    def in_file(settings: dict[str, Any], group: str = "") -> dict[str, Any]:
        found = {}
        for key, value in settings.items():
            name = group + key
            found |= {name: value} if name in SETTINGS else in_file(value, f"{name}.")
        return found

    shown = in_file(read_settings(ROOT / "config.yaml"))
    assert len(shown) <= 25 and {name: described[name] for name in shown} == shown
    assert in_file(DEFAULTS) == described


def test_examples_are_right_and_change_something():
    for name, part in SETTINGS.items():
        for value in part["examples"]:
            assert value != part["default"] or type(value) is not type(part["default"]), name
            check_settings(changed(name, value), SCHEMA)


def test_a_value_of_a_wrong_type_is_told_with_the_settings_name():
    for name in SETTINGS:
        text = told(changed(name, [{"a": 1}]))
        assert re.match(rf"config: {name}[:.]", text) and '{"a": 1}' in text.replace("'", '"'), name


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("cutofs", [5], "cutofs: there is no such setting. Did you mean 'cutoffs'?"),
        ("threshold", 0.5, "threshold: there is no such setting. Did you mean 'pyramid.threshold'?"),
        ("mu", -1, "-1 is less than or equal to the minimum of 0"),
        ("systems", ["kl", "lexrnk"], "Did you mean 'lexrank'?"),
        ("tac2014", 5, "tac2014: 5 is not of type 'string', 'null'. Give a folder."),
        ("cutoffs", [5, 1000], "cutoffs: 1000 is greater than depth, 100. Raise depth"),
        ("confidence", 0.9, "0.9 is less than the minimum of 1. Give a number of percent, as in 90."),
        ("length", "ten words", "Give a length such as 250 words, 10 sentences or 4 percent."),
        ("baselines", ["kl"], "baselines: 'kl' is one of the systems too."),
        ("metrics", {"ROUGE-J": {}}, "Did you mean 'ROUGE-K'?"),
        ("language_models", {"tdsum": "m"}, "language_models.tdsum: the name is taken"),
        ("encoder", "mine/bert", "the best layer of 'mine/bert' is not known"),
        ("frequent_words", "/no/such/list.txt", "there is no file /no/such/list.txt"),
        ("analyzer", "german", "german is for de"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_the_nearest_right_name(name, value, message):
    text = told(changed(name, value))
    assert re.match(rf"config: {name}[:.]", text) and message in text


@pytest.mark.parametrize(
    ("studies", "message"),
    [
        ({"one": {"mu": -1}}, "config: studies.one.mu: -1 is less than"),
        ({"one": {"depth": 40}}, "config: studies.one.cutoffs: 50 is greater than depth, 40."),
        ({"demo": {}}, "config: studies.demo: the folder of that name is in use already. Rename it."),
    ],
)
def test_a_study_beside_is_told_with_its_name(studies, message):
    assert told(changed("studies", studies)).startswith(message)


def test_folders_that_are_not_there_are_told(tmp_path):
    right = {"release": str(tmp_path), "pyramids": str(tmp_path)}
    for folder, said in (
        (None, "the benchmark tac2014 needs the settings? pmc_oa"),
        ("/no", "pmc_oa: there is no"),
    ):
        with pytest.raises(InputError, match=f"config: {said}"):
            check_folders("tac2014", {**right, "pmc_oa": folder})


def test_the_page_is_made_of_the_schema_and_has_every_setting_with_an_example():
    text = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    schema = read_schema(SCHEMA)
    assert text == page(schema), "docs/configuration.md is out of date: run `make docs`"
    rows = dict(re.findall(r"^\| `([\w.]+)` \|(?: `.*?`)? +\| (.*) \|$", text, re.MULTILINE))
    assert sorted(rows) == sorted(name for name, _ in settings_of(schema))
    for name, meaning in rows.items():
        for example in re.findall("Example: `(.*)`", meaning):
            first, *groups = name.split(".")
            for inner in reversed(groups):
                example = f"{{{inner}: {example}}}"
            read = read_types(parse_config([f"{first}={example}"]))
            for part in name.split("."):
                read = read[part]
            assert read == SETTINGS[name]["examples"][0], name


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"benchmark": "dbs"}, "language: en, and the benchmark"),
        ({"language": "de"}, "analyzer: english is for en, and"),
        ({"encoder": "roberta-large", "metrics": {"BERTScore": {"layers": 9}}}, "metrics.BERTScore: "),
    ],
)
def test_two_settings_that_contradict_each_other_are_told(settings, message):
    assert told(DEFAULTS | settings).startswith(f"config: {message}")
