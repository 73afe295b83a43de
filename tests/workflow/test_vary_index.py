"""The study of the index in the workflow: it belongs to the multiverse, and its settings are checked."""

from __future__ import annotations

import pytest
from checkouts import checkout, planned_jobs
from conftest import ROOT

from sera.errors import InputError
from study.settings.checks import check_settings
from study.settings.settings import read_config


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return checkout(tmp_path_factory.mktemp("index") / "study")


def test_the_multiverse_varies_the_index_once_for_all_universes(folder):
    jobs = planned_jobs(folder, "multiverse")
    packages = {rule: jobs[rule] for rule in ("list_journals", "extract_corpus")}
    assert jobs["vary_index"] == 1 and packages["list_journals"] == packages["extract_corpus"] > 0


def test_a_run_without_the_multiverse_lists_no_journals(folder):
    assert not {"vary_index", "list_journals"} & set(planned_jobs(folder))


def test_the_index_is_that_of_the_studys_own_settings(folder):
    table = "results/demo/multiverse/index_sizes.tsv"
    jobs = planned_jobs(folder, table)
    assert (jobs["vary_index"], jobs["index_universes"]) == (1, 1)
    assert {"compute_universes", "score_universes_sera"}.isdisjoint(jobs)


@pytest.mark.parametrize(
    ("name", "value"), [("sizes", [10]), ("sizes", []), ("draws", 0), ("journal_share", 0), ("toward", 10)]
)
def test_settings_that_make_no_sense(name, value):
    config = read_config(ROOT / "config.yaml")
    usual = {"sizes": [125], "draws": 8, "journal_share": 0.05, "toward": 10**6}
    config["index_curve"] = usual | {name: value}
    with pytest.raises(InputError, match=f"index_curve.{name}: "):
        check_settings(config, ROOT / "schemas/config.schema.yaml")
