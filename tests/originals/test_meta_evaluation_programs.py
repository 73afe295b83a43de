"""Statistics of metrics beside the recorded answers of mt-metrics-eval, nlpstats and RoSE."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from sera.evaluation.coefficients import COEFFICIENTS
from sera.evaluation.pairwise import calibrate, pairwise_accuracy, soft_pairwise_accuracy
from sera.evaluation.significance import exchange_pairs, exchange_systems

GROUPING = {"group-by-item": "topic", "group-by-system": "system", "no-grouping": "all"}
BLOCKS = {"item": "topic", "sys": "system", "none": "all"}
MTME = "mt-metrics-eval of 2026-04-23"


@pytest.fixture(scope="module")
def answers(shared):
    return pd.read_csv(shared / "oracles/meta_evaluation/realsumm_exact.tsv", sep="\t")


@pytest.fixture(scope="module")
def published(shared):
    table = pd.read_csv(shared / "data/realsumm/published_scores.tsv", sep="\t")
    return table.assign(system=table["split"] + "_" + table["system"])


@pytest.fixture
def told(fidelity):
    """Tells what was compared with the program, on REALSumm if nothing else is said."""

    def tell(subject, values, agreement="to 1e-12", on="REALSumm", **what):
        fidelity(subject, on, values, MTME, agreement, **what)

    return tell


def of_metrics(answers, published, statistics):
    """The rows of each metric by itself with the scores of metric and judgement, (topic, system)."""
    rows = answers[~answers["metric"].str.contains(" vs ") & answers["statistic"].isin(statistics)]
    for (split, metric), group in rows.groupby(["split", "metric"]):
        table = published if split == "all" else published[published["split"] == split]
        x, y = (
            table.pivot(index="doc_id", columns="system", values=name).sort_index().to_numpy()
            for name in (metric, "litepyramid_recall")
        )
        if metric == "js-2":  # it has scores that are equal but for round-off, which the programs tell apart
            x = np.unique(x, return_inverse=True)[1].reshape(x.shape).astype(float)
        yield metric, x, y, group


def test_the_calibrated_accuracy_equals_the_programs(answers, published, told):
    ends = [f"acc_eq_opt_eps_{end}_within1e-9" for end in ("min", "max")]
    values = 0
    for metric, x, y, group in of_metrics(answers, published, ["acc_eq_opt", *ends]):
        if metric == "js-2":
            continue  # an epsilon is in units of the scores
        for level, rows in group.groupby("level"):
            value = rows.set_index("statistic")["value"]
            found = calibrate(x, y, GROUPING[level], merge=False)
            assert found.accuracy == pytest.approx(value["acc_eq_opt"], abs=1e-12)
            assert value[ends[0]] <= found.epsilon <= value[ends[1]]
            values += 2
            # thresholds that are equal on paper: the program may count half of such pairs as ties
            rounded = calibrate(x, y, GROUPING[level]).accuracy
            assert value["acc_eq_opt"] - 2e-4 < rounded <= value["acc_eq_opt"] + 1e-12
    assert values == 170
    agreement = "to 1e-12 without rounding of differences"
    told("pairwise agreement: tie calibration (acc_eq)", values, agreement)


def test_accuracy_of_systems_equals_the_programs(answers, published, told):
    values = 0
    for metric, x, y, group in of_metrics(answers, published, ["pairwise_accuracy"]):
        if metric == "js-2":
            continue
        for value in group["value"]:
            assert pairwise_accuracy(x.mean(axis=0), y.mean(axis=0)) == pytest.approx(value, abs=1e-12)
            values += 1
    assert values == 39
    told("pairwise agreement: accuracy of systems", values)


def test_soft_pairwise_accuracy_is_within_the_programs_own_spread(answers, published, told):
    names = ["spa_mean20_sharedmask_1000perm", "spa_sd20_sharedmask_1000perm"]
    away = []
    for metric, x, y, group in of_metrics(answers, published, names):
        if metric == "js-2":
            continue
        mean, sd = group.set_index("statistic")["value"][names]
        found = np.mean([soft_pairwise_accuracy(x, y, seed=seed, tied=1) for seed in range(5)])
        assert soft_pairwise_accuracy(x, y) == pytest.approx(mean, abs=0.005)  # ties of exchanges are rare
        away.append((found - mean) / (sd * np.sqrt(1 / 5 + 1 / 20)))
    assert len(away) == 39 and np.abs(away).max() < 4
    agreement = "of means over seeds, within 4 standard errors; ties of exchanges counted as there"
    told("soft pairwise accuracy", len(away), agreement)


def test_small_matrices_equal_the_program(shared, told):
    """Ties, constant rows and columns, missing judgements: what the program drops is NaN here."""
    matrices = json.loads((shared / "oracles/meta_evaluation/small_matrices.json").read_text())
    values = 0
    for matrix in matrices:
        x, y = (np.array(matrix[side], float).T for side in ("metric", "gold"))  # null becomes NaN
        x = np.where(np.isnan(y), np.nan, x)
        for block, grouping in BLOCKS.items():
            answer = matrix["mtme"][block].get("opt_acc23", {"error": "left out"})
            if "error" in answer:
                continue
            found = calibrate(x, y, grouping, merge=False)
            assert found.accuracy == pytest.approx(answer["best"], abs=1e-12)
            best = np.array(answer["values"], float) > answer["best"] - 1e-9
            thresholds = np.array(answer["thresholds"])[best]
            assert thresholds.min() <= found.epsilon <= thresholds.max()
            values += 2
    assert values == 90
    subject = "pairwise agreement: small matrices with ties and missing judgements"
    told(subject, values, on="made-up matrices", but="a mean over no group is NaN here, 0 there")


def test_exchanges_of_systems_are_within_the_programs_own_spread(shared, published, fidelity):
    """PERM-SYSTEMS: p of all 2^14 exchanges beside the mean p of 20 runs of nlpstats with 80 or 150."""
    recorded = pd.read_csv(shared / "oracles/meta_evaluation/realsumm_random.tsv", sep="\t")
    rows = recorded.query(
        "procedure == 'permutation_two-sided' and method == 'systems' and level == 'system'"
    )
    table = published[published["split"] == "abs"]
    exchanged, away = exchange_systems(14, 2**14, 0), []
    for row in rows.itertuples():
        x, y, z = (
            table.pivot(index="doc_id", columns="system", values=name).sort_index().to_numpy()
            for name in (*row.metric.split(" vs "), "litepyramid_recall")
        )
        found = exchange_pairs(np.stack([x, y]), np.array([[0, 1]]), z, "system", exchanged)[0]
        p = found[COEFFICIENTS.index(row.coefficient)]
        away.append((p - row.mean) / np.sqrt(p * (1 - p) / (row.n_resamples * row.n_seeds)))
    assert len(away) == 8 and np.abs(away).max() < 3.5
    agreement = "all exchanges, within 3.5 standard errors of the mean over seeds"
    fidelity("significance: PERM-SYSTEMS", "REALSumm", len(away), "nlpstats of 2022-03-29", agreement)
