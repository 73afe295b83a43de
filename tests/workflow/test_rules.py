"""The rules: their profile and resources, the systems and the multiverse of a study."""

from __future__ import annotations

import pytest
from checkouts import planned_jobs, snakemake

from sera.errors import InputError
from study.settings.checks import no_multiverse
from study.settings.systems import parameters_of, usable_systems


def test_parameters_of_a_system_come_before_those_of_its_paper():
    own = {"lsa": {"smooth": 0.2}}
    assert parameters_of("lsa", "papers", own) == {"sigma_ratio": 0.5, "smooth": 0.2}
    assert parameters_of("lsa", "sumy", own) == {"smooth": 0.2}
    assert parameters_of("mmr", "papers", own) == {}


def test_why_there_is_no_multiverse():
    assert no_multiverse("demo", False, ["Pyramid"]) is None
    assert "the benchmark nist provides them" in no_multiverse("nist", True, ["pyramid"])
    assert "the benchmark scitldr has none" in no_multiverse("scitldr", False, [])
    assert "the language is de" in no_multiverse("folder", False, ["Pyramid"], "de")


def test_systems_that_need_what_a_benchmark_lacks_are_left_out():
    systems = ["lexrank", "citation_lexrank", "random_2", "mine"]
    assert usable_systems(systems, []) == systems
    for lacks, language in ((["citances", "nuggets"], "en"), ([], "de")):
        assert usable_systems(systems, lacks, language) == ["lexrank", "random_2", "mine"]
        with pytest.raises(InputError, match="all of them need citances"):
            usable_systems(["citation_context"], lacks or ["citances"], language)


def test_the_multiverse_varies_the_index_once_for_all_universes(unrun):
    """By the study's own settings."""
    jobs = planned_jobs(unrun, "multiverse")
    assert jobs["vary_index"] == 1 < jobs["index_universes"]
    jobs = planned_jobs(unrun, "results/demo/multiverse/index_sizes.tsv")
    assert (jobs["vary_index"], jobs["index_universes"]) == (1, 1)
    assert {"compute_universes", "score_universes_sera"}.isdisjoint(jobs)
    assert "vary_index" not in planned_jobs(unrun)


def test_the_setting_input_chooses_the_folder_of_scitldr(unrun, tmp_path):
    release = tmp_path / "scitldr/SciTLDR-Data"
    release.mkdir(parents=True)
    settings = ("benchmark=scitldr", f"data={release.parent}", "input=FullText")
    run = snakemake(unrun, "--dry-run", "--config", *settings)
    assert f"data: there is no folder {release}/SciTLDR-FullText" in run.stdout + run.stderr


def test_a_family_is_left_out_with_what_only_it_needs(unrun):
    shown = "score=[ROUGE, SERA, Pyramid, MOULIN-ROUGE, ROUGE-K]"
    jobs = planned_jobs(unrun, "--config", shown)
    assert jobs["score"] == 3 and {"evaluate", "write_report"} <= jobs.keys()
    assert {"score_s3", "learn_vectors"}.isdisjoint(jobs)
    run = snakemake(unrun, "--dry-run", "--config", "score=[ROUGE, SERA]")
    said = "Error: config: score: tables and figures of the study show MOULIN-ROUGE, ROUGE-K, Pyramid."
    assert run.returncode and said in run.stdout + run.stderr


def test_one_setting_divides_summaries_and_scores(unrun):
    jobs = planned_jobs(
        unrun, "--config", "split_jobs=true", "score=[ROUGE, SERA, Pyramid, MOULIN-ROUGE, ROUGE-K]"
    )
    assert (jobs["summarize"], jobs["score"]) == (14, 5)


def test_the_search_is_divided(unrun):
    jobs = planned_jobs(unrun, "--set-scatter", "search=4", "--", "results/demo/scores/SERA.tsv")
    assert (jobs["search"], jobs["gather_search"]) == (4, 1)


def test_a_target_that_does_not_exist_says_why(unrun):
    for target, reason in (
        ("matrix", "config: matrix: names no benchmark."),
        ("multiverse", "There is no multiverse. Its choices are those of a study in English"),
    ):
        run = snakemake(unrun, "--dry-run", target, "--config", "language=de", "analyzer=german")
        assert run.returncode and reason in run.stdout + run.stderr
