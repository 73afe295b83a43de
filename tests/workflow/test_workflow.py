"""The workflow run whole on a small demo benchmark: what it writes, what it reruns, what it refuses."""

from __future__ import annotations

import re
import zipfile

import pandas as pd
import pytest
from checkouts import OWN, checkout, copy_of_the_study, planned, ran, refused, snakemake

from sera.evaluation.tables import read_tsv
from sera.io import records
from sera.io.records import Candidate, Reference
from sera.io.scores import read_scores
from sera.metrics import metric
from study.multiverse.more_systems import noise


def test_summaries_of_ones_own_are_scored_beside_the_systems(study):
    folder = study / "results/demo"
    baselines = records.read(folder / "baselines.jsonl", Candidate)
    found = {(s.system, s.topic): s.sentences for s in baselines if s.system in ("mine", "by_hand")}
    assert found == {("mine", topic): (first, last) for topic, (first, last) in OWN.items()} | {
        ("by_hand", topic): (f"{first} {last}", last) for topic, (first, last) in OWN.items()
    }
    scores = pd.read_csv(folder / "scores.tsv", sep="\t")
    by_metric = scores[scores["system"] == "mine"].groupby("metric")["topic"].agg(list)
    assert {"Pyramid", "ROUGE-2-F", "SERA-KW-5"} <= set(by_metric.index)
    assert set(map(tuple, by_metric)) == {("D2401", "D2402", "D2403")}
    assert "own/by_hand/D2403.txt" in (folder / "provenance.json").read_text()


def test_tables_say_that_they_are_synthetic(study):
    tables = study / "results/demo/tables"
    assert set(pd.read_csv(tables / "pyramid_threshold.tsv", sep="\t")["threshold"]) == {0.5, 0.75, 1.0}
    for path in (*tables.glob("*.md"), *tables.glob("*.tex"), study / "results/demo/report.html"):
        assert "synthetic" in path.read_text().lower()


def test_scores_are_what_the_metric_gives(study):
    folder = study / "results/demo"
    scores = pd.read_csv(folder / "scores.tsv", sep="\t").set_index(["topic", "system", "metric"])["score"]
    references = [r for r in records.read(folder / "references.jsonl", Reference) if r.topic == "D2402"]
    (summary,) = [
        s
        for s in records.read(folder / "summaries.jsonl", Candidate)
        if (s.topic, s.system) == ("D2402", "kl")
    ]
    assert scores["D2402", "kl", "ROUGE-2-F"] == metric("ROUGE-2-F", stem=True, stop=True).score(
        summary, references
    )
    runs = {}
    for line in (folder / "runs/plain.trec").read_text().splitlines():
        query, _, document, rank, _, _ = line.split()
        runs.setdefault(query, {})[int(rank)] = document
    top = {query: {ranking[rank] for rank in range(1, 6)} for query, ranking in runs.items()}
    expected = sum(len(top["D2402:kl"] & top[f"D2402:human_{r.annotator}"]) / 5 for r in references) / 4
    assert scores["D2402", "kl", "SERA-5"] == pytest.approx(expected)


def test_what_could_not_be_read_is_listed(study):
    table = pd.read_csv(study / "results/demo/corpus/unreadable.tsv", sep="\t")
    assert sorted(reason.split(":")[0] for reason in table["reason"]) == ["is not XML", "retracted"]


def test_snakemakes_report_has_the_page_and_names_the_study_of_each_file(study, tmp_path):
    ran(study, "--report", str(tmp_path / "report.zip"))
    with zipfile.ZipFile(tmp_path / "report.zip") as report:
        files = {name.rpartition("/")[2] for name in report.namelist()}
        index = report.read("report/report.html").decode()
    assert {"report.html", "table2.tsv", "comparison.svg"} <= files
    assert '"labels": {"study": "demo", "file": "table2.tsv"}' in index
    assert not re.search(r"href=.{0,2}demo/report", index)


def test_a_server_takes_the_place_of_the_embedded_index(study):
    rules = planned(study, "--config", "engine=elasticsearch")
    assert {"load_index", "search"} <= rules
    # word vectors are learnt from an index beside
    assert not rules & {"build_index_part", "extract_corpus", "summarize"}


def test_more_systems_are_scored_as_the_study_is(tmp_path):
    study = copy_of_the_study(tmp_path / "study")
    ran(study, "more_systems")
    out = study / "results/demo"
    answer = read_tsv(out / "more_systems/answer.tsv")
    assert answer["systems"].tolist() == [9] * 6 + [38] * 12
    assert answer["judgement"].tolist() == [*["Pyramid"] * 12, *["Pyramid (whole)"] * 6]
    assert (answer["effect_low"] <= answer["effect_high"]).all()
    found = noise(out / "more_systems")
    assert [*found["reliability"]] == ["Pyramid", "ROUGE", "SERA"] and found["topics"] == [3]
    assert {len(of) for of in found["by_topics"].values()} == {1} and 38 in found["by_topics"]
    ours, of_study = (
        read_scores(out / name).set_index(["topic", "system", "metric"])["score"]
        for name in ("more_systems/scores.tsv", "scores.tsv")
    )
    both = ours.to_frame("ours").join(of_study.to_frame("study"), how="inner").dropna()
    assert {"lexrank", "kl", "lead"} <= {*both.index.get_level_values("system")} and len(both) >= 1020
    assert (both["ours"] == both["study"]).all()


@pytest.mark.parametrize(
    ("setting", "problem"),
    [
        ("benchmark=tac2014", "config: the benchmark tac2014 needs the settings tac2014, pyramids, pmc_oa."),
        ("tac2014=/d", "tac2014: the benchmark of this run, demo, reads"),
        ("matrix={x: {results: y}}", "config: matrix.x.results: is a setting of the whole run"),
        ("spectrum={fitness: SERA-5}", "config: spectrum.fitness: SERA-5 needs rankings, which sampled"),
    ],
)
def test_wrong_settings_are_told_in_one_line_before_any_job(unrun, setting, problem):
    run = snakemake(unrun, "--dry-run", "--config", setting)
    assert run.returncode == 1 and run.stderr.splitlines()[-1].startswith(f"Error: {problem}")
    assert not (unrun / "results").exists()


def test_an_incomplete_release_is_told_before_any_job(unrun, tmp_path):
    (tmp_path / "release" / "data").mkdir(parents=True)
    for name in ("pyramids", "pmc_oa"):
        (tmp_path / name).mkdir()
    paths = [f"{name}={tmp_path}/{name}" for name in ("pyramids", "pmc_oa")]
    printed = refused(unrun, "--config", "benchmark=tac2014", f"tac2014={tmp_path}/release", *paths)
    assert f"{tmp_path}/release" in printed
    assert "NIST" in printed
    assert not (unrun / "results").exists()


def test_jobs_use_the_checkouts_library(tmp_path):
    """Another copy, installed or on the path, must not answer in its place."""
    folder = checkout(tmp_path / "study")
    other = tmp_path / "other" / "sera"
    other.mkdir(parents=True)
    (other / "__init__.py").write_text("raise ImportError('the wrong copy')")
    ran(folder, "results/demo/data", library=other.parent)
