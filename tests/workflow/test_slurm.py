"""The study on a SLURM of three nodes on loopback, by its profile; a node dies in the middle.

`make test-all` runs these. The runs are made side by side: most of the time is waiting.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from checkouts import checkout, configure, differing, results
from slurm_cluster.cluster import Cluster, missing

pytestmark = pytest.mark.skipif(missing() is not None, reason=str(missing()))

# Beside the profile: jobs are looked at more often, and not through accounting, which the cluster lacks.
ON_CLUSTER = [
    *("--workflow-profile", "profiles/slurm"),
    *("--slurm-status-command", "squeue", "--slurm-init-seconds-before-status-checks", "2"),
]
SMALL = {
    "demo": {"topics": 2, "articles": 20},
    "systems": ["lexrank", "lsa", "citation_context", "lda"],
    "baselines": ["lead", "human"],
    "candidates": {},
    "pyramid": {
        "threshold": 0.75,
        "thresholds": [0.75],
        "tiers": "text",
        "size": "candidate",
        "recogniser": "sentence",
    },
    "resamples": 50,
}


@dataclass(frozen=True)
class Run:
    """A run of the workflow in a folder."""

    folder: Path
    process: subprocess.Popen

    @classmethod
    def start(cls, folder: Path, *arguments: str) -> Run:
        command = [str(Path(sys.executable).with_name("snakemake")), *arguments]
        environment = {**os.environ, "PYTHONPATH": str(folder)}
        with open(folder / "said", "w") as said:
            return cls(
                folder, subprocess.Popen(command, cwd=folder, env=environment, stdout=said, stderr=said)
            )

    def ended(self) -> Path:
        """The folder, once the run has ended well."""
        assert self.process.wait(timeout=1200) == 0, self.said()[-5000:]
        return self.folder

    def said(self) -> str:
        return (self.folder / "said").read_text()


def node_that_indexes(run: Run) -> str:
    """The node of a job that builds a part of the index at this moment."""
    while run.process.poll() is None:
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                if any(word.endswith(".build_index.py") for word in process.cmdline()):
                    if node := process.environ().get("SLURMD_NODENAME"):
                        return node
        time.sleep(0.1)
    raise AssertionError(f"no part of the index was built:\n{run.said()[-5000:]}")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with Cluster(tmp_path_factory.mktemp("cluster") / "slurm") as cluster:
        yield cluster


@pytest.fixture(scope="module")
def runs(cluster, tmp_path_factory):
    """The study ``there`` on the cluster and ``here`` without it."""
    started = {}
    for name, arguments in (("there", ON_CLUSTER), ("here", ("--cores", "1"))):
        folder = checkout(tmp_path_factory.mktemp(name))
        configure(folder, **SMALL)
        started[name] = Run.start(folder, *arguments)
    yield started
    for run in started.values():
        run.process.kill()


@pytest.fixture(scope="module")
def killed(cluster, runs) -> tuple[str, set[str]]:
    """The node that was killed while it built a part of the index, and the jobs that it had."""
    node = node_that_indexes(runs["there"])
    cluster.kill_node(node)
    jobs = set(cluster.jobs(node=node))
    cluster.wait("down*", nodes=(node,))
    return node, jobs


def test_results_are_those_of_one_machine_although_a_node_died(cluster, runs, killed):
    there = results(runs["there"].ended() / "results/demo")
    here = results(runs["here"].ended() / "results/demo")
    assert len(there) > 60
    assert differing(there, here) == []
    node, jobs = killed
    assert cluster.states()[node] == "down*"
    assert jobs and {cluster.job(job)["Restarts"] for job in jobs} == {"1"}


def test_short_jobs_share_one(cluster, runs, killed):
    runs["there"].ended()
    jobs = Counter(
        cluster.job(number)["Comment"] for number in re.findall(r"SLURM jobid (\d+)", runs["there"].said())
    )
    assert jobs == {
        "rule_package_build_index_part_extract_corpus": 1,
        "rule_merge_index": 1,
        "rule_demo_summaries_read_benchmark_summarize_unpack_demo": 1,
        "rule_learn_vectors": 1,
        "rule_search_wildcards_1-of-1": 1,
        "rule_demo_tables_analyse_keywords_correlate_draw_figures_evaluate_gather_scores_...": 1,
    }


def test_what_the_cluster_made_has_not_to_be_made_again_here(runs, killed):
    run = Run.start(runs["there"].ended(), "--cores", "1", "--dry-run")
    run.ended()
    assert "Nothing to be done" in run.said()
