"""What the page of a study shows of other targets (study/report/optional_results.py)."""

from __future__ import annotations

import numpy as np
import pytest

from sera.errors import InputError
from study.report.optional_results import of_curve, read_curves, setting_of

PYRAMID = {"threshold": 0.75, "size": "candidate"}
SETTINGS = {"mu": 2000, "words": 250, "pyramid": PYRAMID, "rouge": {"stem": True}}
DIMENSIONS = ["pyramid_threshold", "rouge_stem", "mu"]
HEAD = "question universe weight pyramid_threshold rouge_stem mu sera_above_rouge_spearman"


def universes(tmp_path, *lines):
    path = tmp_path / "universes.tsv"
    path.write_text("".join(line.replace(" ", "\t") + "\n" for line in (HEAD, *lines)))
    return path


def test_the_share_and_the_choices(tmp_path):
    lines = [
        "systems own 0 0.75 true 2000 holds",
        "systems 1 1 0.75 true 500 holds",
        "systems 2 2 0.75 false 2000 fails",  # drawn twice
        "systems 3 1 0.75 false 500 undefined",
        "summaries 1 1 0.75 true 500 undefined",
    ]
    curves = read_curves(universes(tmp_path, *lines), DIMENSIONS)
    of = curves["systems"]
    assert (of.universes, of.undefined, of.ahead) == (2, 1, pytest.approx(1 / 3))  # weights 1 of 1 + 2
    assert of.choices == [
        ("rouge_stem", [("false", 0.0), ("true", 1.0)]),
        ("mu", [("500", 1.0), ("2000", 0.0)]),
    ]
    assert of.own == {"pyramid_threshold": "0.75", "rouge_stem": "true", "mu": "2000"}
    text = "In ranking systems, SERA is ahead of ROUGE in 33% of 2 universes; 1 more are undefined."
    assert of_curve(of, "ranking systems") == text
    other = curves["summaries"]
    assert np.isnan(other.ahead) and other.choices == [] and other.own == {}
    assert "undefined in all 1 universes" in of_curve(other, "ranking single summaries")


def test_a_curve_of_other_settings_is_stale(tmp_path):
    curves = read_curves(universes(tmp_path, "systems own 0 0.75 true 2000 holds"), DIMENSIONS)
    assert curves["systems"].stale(SETTINGS) == {}
    changed = {**SETTINGS, "mu": 500, "rouge": {"stem": False}}
    assert curves["systems"].stale(changed) == {"rouge_stem": ("true", "false"), "mu": ("2000", "500")}


def test_the_setting_behind_a_dimension():
    assert setting_of("pyramid_threshold", SETTINGS) == "0.75" and setting_of("words", SETTINGS) == "250"
    assert setting_of("pyramid_size", SETTINGS) == "candidate"
    assert setting_of("rouge_stem", SETTINGS) == "true"
    assert setting_of("level", SETTINGS) is None and setting_of("systems", {"systems": ["a"]}) is None


def test_another_table_is_refused(tmp_path):
    path = tmp_path / "universes.tsv"
    path.write_text("universe\tmu\n1\t500\n")
    with pytest.raises(InputError, match="has no column question"):
        read_curves(path, ["mu"])
