"""The workflow run whole on a small demo benchmark: what it writes, what it reruns, what it refuses."""

from __future__ import annotations

import pandas as pd
import pytest
from checkouts import OWN, checkout, differing, planned, results, snakemake

from sera.evaluation.tables import read_tsv
from sera.io import records
from sera.io.records import Candidate, Reference
from sera.metrics import metric
from sera.summarizers import NINE

# Not in the group of the reruns: the other worker has as much to do.
pytestmark = pytest.mark.xdist_group("checkouts")


def test_summaries_of_the_nine_systems(study):
    summaries = records.read(study / "results/demo/summaries.jsonl", Candidate)
    assert {(s.topic, s.system) for s in summaries} == {
        (f"D240{i}", name) for i in (1, 2, 3) for name in NINE
    }
    assert all(0 < sum(len(sentence.split()) for sentence in s.sentences) <= 250 for s in summaries)
    baselines = records.read(study / "results/demo/baselines.jsonl", Candidate)
    assert {s.system for s in baselines} > {"lead", "random_1", "random_2", "oracle"}
    drawn = {(s.topic, s.sentences) for s in baselines if s.system in ("random_1", "random_2")}
    assert len(drawn) == 6
    assert sum(s.annotator is not None for s in baselines) == 12
    assert len(records.read(study / "results/demo/references.jsonl", Reference)) == 12


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
    assert "own/by_hand/D2403.txt" in (folder / "inputs.tsv").read_text()


def test_tables_have_every_row_and_say_that_they_are_synthetic(study):
    tables = study / "results/demo/tables"
    table2 = pd.read_csv(tables / "table2.tsv", sep="\t")
    assert len(table2) == 33 and set(table2["systems"]) == {9}
    assert set(table2["benchmark"]) == {"demo (synthetic)"}
    assert len(pd.read_csv(tables / "table3.tsv", sep="\t")) == 24
    assert set(pd.read_csv(tables / "pyramid_threshold.tsv", sep="\t")["threshold"]) == {0.5, 0.75, 1.0}
    for path in (*tables.glob("*.md"), *tables.glob("*.tex"), study / "results/demo/report.html"):
        assert "synthetic" in path.read_text().lower()
    assert "SYNTHETIC" in (study / "results/demo/figures/figure1.svg").read_text()


def test_every_metric_is_evaluated_by_pyramid(study):
    tables = study / "results/demo/tables"
    metrics = set(pd.read_csv(study / "results/demo/scores.tsv", sep="\t")["metric"])
    for level in ("system", "summary", "global"):
        table = pd.read_csv(tables / f"{level}_level.tsv", sep="\t")
        assert set(table["metric"]) == metrics - {"Pyramid"} and set(table["against"]) == {"Pyramid"}
        assert set(table["benchmark"]) == {"demo (synthetic)"}
    differences = pd.read_csv(tables / "differences.tsv", sep="\t")
    assert (
        len(differences) == 13 * 12 / 2 * 2 * 4
    )  # pairs of the settings' metrics, two levels, four coefficients
    log = (study / "results/demo/logs/evaluate.log").read_text()
    assert "not scored" not in log
    table2, table = (
        read_tsv(tables / f"{name}.tsv").set_index("metric")["kendall"] for name in ("table2", "system_level")
    )
    pd.testing.assert_series_equal(table[table2.index], table2)


def test_table_2_follows_from_the_scores(study):
    from scipy import stats

    scores = pd.read_csv(study / "results/demo/scores.tsv", sep="\t")
    means = scores[scores["system"].isin(NINE)].pivot_table(index="system", columns="metric", values="score")
    table2 = pd.read_csv(study / "results/demo/tables/table2.tsv", sep="\t", na_values="undefined").set_index(
        "metric"
    )
    for name in ("ROUGE-2-F", "ROUGE-W-1.2-P", "SERA-10", "SERA-DIS-KW-5"):
        one, other = means[name], means["Pyramid"]
        assert table2.loc[name, "pearson"] == pytest.approx(stats.pearsonr(one, other).statistic, abs=1e-6)
        assert table2.loc[name, "kendall"] == pytest.approx(
            stats.kendalltau(one.round(12), other.round(12)).statistic, abs=1e-6
        )


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


def test_a_server_takes_the_place_of_the_embedded_index(study):
    rules = planned(study, "--config", "engine=elasticsearch")
    assert {"load_index", "search"} <= rules
    # word vectors are learnt from an index beside
    assert not rules & {"build_index_part", "extract_corpus", "summarize"}


def test_one_core_gives_the_same_bytes_as_two(study, tmp_path):
    folder = checkout(tmp_path / "study")
    for target in ("truth", "all"):
        run = snakemake(folder, target, cores=1)
        assert run.returncode == 0, run.stderr[-5000:]
    one, two = results(folder / "results/demo"), results(study / "results/demo")
    assert len(one) > 60
    assert differing(one, two) == []


@pytest.fixture(scope="module")
def unrun(tmp_path_factory):
    """A checkout in which nothing has run, nor runs."""
    return checkout(tmp_path_factory.mktemp("unrun") / "study")


@pytest.mark.parametrize(
    ("setting", "problem"),
    [
        ("cutofs=[5]", "config: cutofs: there is no such setting"),
        ("rouge={stm: true}", "config: rouge.stm: there is no such"),
        ("mu=-1", "config: mu: -1 is not a number above 0"),
        ("systems=[lexrank,lexrnk]", "'lexrnk' is not one of the summarizers, or"),
        ("cutoffs=[5,1000]", "config: cutoffs: 1000 is greater than depth, 20"),
        ("candidates={lsa: own/mine.jsonl}", "config: candidates.lsa: the name is taken"),
        ("candidates={mine: own/mime.jsonl}", "config: candidates.mine: there is no file"),
        ("benchmark=tac2014", "needs the settings tac2014, pyramids, pmc_oa"),
        ("benchmark=other", "config: benchmark: 'other' is not one of"),
    ],
)
def test_wrong_settings_are_told_before_any_job(unrun, setting, problem):
    run = snakemake(unrun, "--config", setting)
    assert run.returncode != 0
    assert problem in run.stdout + run.stderr
    assert not (unrun / "results").exists()


def test_an_incomplete_release_is_told_before_any_job(unrun, tmp_path):
    (tmp_path / "release" / "data").mkdir(parents=True)
    for name in ("pyramids", "pmc_oa"):
        (tmp_path / name).mkdir()
    paths = [f"{name}={tmp_path}/{name}" for name in ("pyramids", "pmc_oa")]
    run = snakemake(unrun, "--config", "benchmark=tac2014", f"tac2014={tmp_path}/release", *paths)
    assert run.returncode != 0
    assert f"{tmp_path}/release" in run.stdout + run.stderr
    assert "NIST" in run.stdout + run.stderr
    assert not (unrun / "results").exists()


def test_jobs_use_the_checkouts_library(tmp_path):
    """Another copy, installed or on the path, must not answer in its place."""
    folder = checkout(tmp_path / "study")
    other = tmp_path / "other" / "sera"
    other.mkdir(parents=True)
    (other / "__init__.py").write_text("raise ImportError('the wrong copy')")
    run = snakemake(folder, "results/demo/data", library=other.parent)
    assert run.returncode == 0, run.stderr
