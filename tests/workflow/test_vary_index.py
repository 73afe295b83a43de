"""The study of the index in the workflow: it belongs to the multiverse, and its settings are checked."""

from __future__ import annotations

import pytest
from checkouts import checkout, configure, planned_jobs, snakemake


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return checkout(tmp_path_factory.mktemp("index") / "study")


def test_the_multiverse_varies_the_index_once_for_all_universes(folder):
    jobs = planned_jobs(folder, "multiverse")
    packages = {rule: jobs[rule] for rule in ("list_journals", "extract_corpus")}
    assert jobs["vary_index"] == 1 and packages["list_journals"] == packages["extract_corpus"] > 0


def test_a_run_without_the_multiverse_lists_no_journals(folder):
    plain = "report={audit: false, multiverse: false}"
    assert not {"vary_index", "list_journals"} & set(planned_jobs(folder, "--config", plain))


def test_the_index_is_that_of_the_studys_own_settings(folder):
    table = "results/demo/multiverse/index_sizes.tsv"
    jobs = planned_jobs(folder, table)
    assert (jobs["vary_index"], jobs["index_universes"]) == (1, 1)
    assert {"compute_universes", "score_universes_sera"}.isdisjoint(jobs)


@pytest.mark.parametrize(
    ("own", "problem"),
    [
        ({"sizes": [10]}, "index_curve.sizes: 10 is not"),
        ({"sizes": []}, "index_curve.sizes: is empty"),
        ({"draws": 0}, "index_curve.draws: 0 is not"),
        ({"journal_share": 0}, "index_curve.journal_share: 0 is not"),
        ({"toward": 10}, "index_curve.toward: 10 is not"),
    ],
)
def test_settings_that_make_no_sense(folder, own, problem):
    given = {"sizes": [125], "draws": 8, "journal_share": 0.05, "toward": 10**6} | own
    before = (folder / "config.yaml").read_text(encoding="utf-8")
    configure(folder, index_curve=given)
    done = snakemake(folder, "--dry-run", "multiverse")
    (folder / "config.yaml").write_text(before, encoding="utf-8")
    assert done.returncode != 0 and problem in done.stdout + done.stderr
