"""With the setting `shards`, the scores are those of one job for each family, to the byte."""

from __future__ import annotations

import shutil

import pytest
from checkouts import copy_of_the_study, differing, planned_jobs, ran, results

# In the worker that has the shared run.
pytestmark = pytest.mark.xdist_group("workflow")

SHARDS = {
    "score_texts_shard": 3,
    "score_with_collection_shard": 1,
    "score_rankings_shard": 1,
    "score_nuggets_shard": 1,
    "score_s3_shard": 1,
}
GATHERED = {"gather_shards": 10, "score_s3": 1, "gather_scores": 1}
# of three topics, so that with four shards one is empty
SETTING = ("--config", "shards=4")


def test_the_scores_of_shards_are_those_of_one_job(tmp_path):
    folder = copy_of_the_study(tmp_path / "study")
    made = folder / "results/demo"
    before = results(made)
    assert planned_jobs(folder) == {}
    for path in [*made.glob("scores/*.tsv"), made / "scores.tsv", made / "signatures.tsv"]:
        path.unlink()
    names = ("scores.tsv", "signatures.tsv", "scores/pyramid_0.5.tsv", "scores/pyramid_1.0.tsv")
    targets = [f"results/demo/{name}" for name in names]
    jobs = {rule: 4 * count for rule, count in SHARDS.items()} | GATHERED
    assert planned_jobs(folder, *targets, *SETTING) == jobs
    # on a cluster, a group of jobs may not wait for a job that waits for it
    ran(folder, "--dry-run", "--workflow-profile", "profiles/slurm", *SETTING)
    ran(folder, *targets, *SETTING)
    after = results(made)
    assert all("/s3_" in name or "/shards/" in name for name in differing(before, after))
    assert after["scores/shards/1-of-4/rouge.tsv"] == b"topic\tsystem\tmetric\tscore\n"
    # a lost shard is scored again, and no other
    shutil.rmtree(made / "scores/shards/2-of-4")
    planned = planned_jobs(folder, *SETTING)
    assert {rule: planned.get(rule) for rule in SHARDS} == SHARDS
