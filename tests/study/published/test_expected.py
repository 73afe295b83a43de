"""For which data and settings expected numbers hold, in words."""

from __future__ import annotations

import pandas as pd
import pytest
from conftest import ROOT

from study.published.comparison import Expected, read_expected, table2_settings, why_not_compared
from study.settings.settings import read_config

TABLE = pd.DataFrame({"topics": [20, 18], "systems": [9, 9]})


def test_other_inputs_and_other_settings_in_a_group_are_named():
    record = {
        "settings": {"benchmark": "b", "mu": 1, "rouge": {"stem": True, "stop": True}, "resamples": 1000},
        "inputs": [{"file": "1", "sha256": "a"}, {"file": "2", "sha256": "b"}],
    }
    expected = Expected(TABLE, table2_settings(record), "20 topics")
    # the order of the inputs, and what moves no correlation, may differ
    turned = [{"file": "1", "sha256": "b"}, {"file": "2", "sha256": "a"}]
    same = {"settings": {**record["settings"], "resamples": 20}, "inputs": turned}
    assert why_not_compared(expected, table2_settings(same), "20 topics") == ""
    other = {
        "settings": {**record["settings"], "rouge": {"stem": False, "stop": True, "multi": "best"}},
        "inputs": [{"file": "1", "sha256": "a"}],
    }
    # the start of the SHA-256 of "ab" and of "a"
    said = why_not_compared(expected, table2_settings(other), "10 topics")
    assert "fb8e20fc2e4c3f24" in said and "ca978112ca1bbdca" in said
    assert said.count("rouge.multi") == said.count("rouge.stem") == 2 and "rouge.stop" not in said


def test_articles_count_by_their_texts_whatever_their_files():
    def inputs(folder, texts, *files):
        raw = [{"file": "/tac/t", "sha256": "a"}, *({"file": f"{folder}/{f}", "sha256": f} for f in files)]
        settings = {"benchmark": "tac2014", "pmc_oa": folder}
        return table2_settings({"settings": settings, "inputs": raw, "texts": texts})["inputs"]

    # the start of the SHA-256 of "at"
    assert (
        inputs("/oa", "t", "1.tar.gz", "2.tar.gz") == inputs("/xml/", "t", "PMC1.1.xml") == "b1d6b91b67c2afa5"
    )
    assert inputs("/oa", "u", "1.tar.gz") != inputs("/oa", "t", "1.tar.gz")


def named(settings: dict[str, object]) -> set[str]:
    """The names of settings, those in a group with the group's name and a dot before them."""
    groups = {name: named(value) for name, value in settings.items() if isinstance(value, dict)}
    return {*settings, *(f"{group}.{name}" for group, names in groups.items() for name in names)}


@pytest.mark.parametrize(
    "path", sorted((ROOT / "resources/expected").glob("*.tsv")), ids=lambda path: path.stem
)
def test_expected_tables_have_their_data_and_all_settings_of_today(path):
    """A setting that a file lacks counts as null in a group and is ignored outside: both mislead."""
    expected = read_expected(path)
    assert expected.settings["benchmark"] == path.stem.removesuffix("_papers") and len(expected.table) == 33
    assert ("inputs" in expected.settings) == (path.stem != "demo")
    of_run = {**read_config(ROOT / "config.yaml"), "benchmark": path.stem}
    if path.stem == "demo":
        assert expected.differing(of_run) == {} and expected.data == "6 topics, 240 documents, 9 systems"
    today = named(table2_settings({"settings": of_run, "inputs": []}))
    there = named(expected.settings)
    assert today - there == set(), f"`make expected BENCHMARK={path.stem}` adds these settings"
    assert there - today == set(), f"`make expected BENCHMARK={path.stem}` removes these settings"
