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
from conftest import ROOT
from slurm_cluster.cluster import Cluster, missing

pytestmark = [
    pytest.mark.skipif(missing() is not None, reason=str(missing())),
]

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

# Jobs that the scheduler kills at the first attempt. SLURM looks for jobs beyond their time twice a minute.
# The second attempt is shorter, so that the tests are too.
TOO_LITTLE = """
rule all:
    input: "memory", "time"

rule memory:
    output: "memory"
    resources: mem_mb=lambda wildcards, attempt: 400 * attempt, slurm_extra="--nodelist=n3"
    params: use="import time; block = bytearray(500 * 2**20); time.sleep(5)"
    shell: "{python} -c '{{params.use}}' && echo {{resources.mem_mb}} > {{output}}"

rule time:
    output: "time"
    resources: runtime=lambda wildcards, attempt: attempt, slurm_extra="--nodelist=n3"
    shell: "sleep $((100 / {{resources.runtime}})) && echo {{resources.runtime}} > {{output}}"
"""

# A run whose last job waits for a file, longer than the main process may run.
LONG = """
rule all:
    input: "last"

rule first:
    output: "first"
    shell: "date +%s%N > {output}"

rule last:
    input: "first"
    output: "last"
    resources: runtime=30
    shell: "until [ -f go ]; do sleep 1; done && echo done > {output}"
"""


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
    """The study ``there`` on the cluster and ``here`` without it; jobs that ask for too ``little``."""
    folders = {name: tmp_path_factory.mktemp(name) for name in ("little", "there", "here")}
    for name in ("there", "here"):
        checkout(folders[name])
        configure(folders[name], **SMALL)
    (folders["little"] / "Snakefile").write_text(TOO_LITTLE.format(python=sys.executable))
    (folders["little"] / "profiles").symlink_to(ROOT / "profiles")
    started = {name: Run.start(folders[name], *ON_CLUSTER) for name in ("little", "there")}
    started["here"] = Run.start(folders["here"], "--cores", "1")
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


def test_each_package_has_a_job_and_short_jobs_share_one(cluster, runs, killed):
    runs["there"].ended()
    jobs = Counter(
        cluster.job(number)["Comment"] for number in re.findall(r"SLURM jobid (\d+)", runs["there"].said())
    )
    assert jobs == {
        "rule_generate_demo": 1,
        "rule_package_build_index_part_extract_corpus": 2,
        "rule_merge_index": 1,
        "rule_summaries_gather_summaries_read_benchmark_summarize_take_human_summaries": 1,
        "rule_learn_vectors": 1,
        "rule_search_wildcards_1-of-1": 1,
        "rule_tables_analyse_keywords_correlate_draw_figures_evaluate_gather_scores_...": 1,
    }


def test_what_the_cluster_made_has_not_to_be_made_again_here(runs, killed):
    run = Run.start(runs["there"].ended(), "--cores", "1", "--dry-run")
    run.ended()
    assert "Nothing to be done" in run.said()


def test_a_job_that_the_scheduler_kills_is_retried_with_more(cluster, runs):
    folder = runs["little"].ended()
    assert (folder / "memory").read_text() == "800\n"
    assert (folder / "time").read_text() == "2\n"
    jobs = [ended(cluster, number) for number in re.findall(r"SLURM jobid (\d+)", runs["little"].said())]
    assert sorted(
        (job["Comment"], job["TimeLimit"], job["MinMemoryNode"], job["JobState"]) for job in jobs
    ) == [
        ("rule_memory", "00:02:00", "400M", "FAILED"),
        ("rule_memory", "00:04:00", "800M", "COMPLETED"),
        ("rule_time", "00:01:00", "1000M", "TIMEOUT"),
        ("rule_time", "00:02:00", "2000M", "COMPLETED"),
    ]


# A job's last states. Others are there for a moment only, as SIGNALING when its time is nearly over.
ENDED = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY")


def ended(cluster: Cluster, number: str) -> dict[str, str]:
    """What the controller knows of a job when it has ended, or after five minutes."""
    end = time.monotonic() + 300
    while (job := cluster.job(number))["JobState"] not in ENDED and time.monotonic() < end:
        time.sleep(0.5)
    return job


@dataclass(frozen=True)
class Main:
    """A job of ``profiles/slurm/main.sh`` in a folder."""

    folder: Path
    number: str

    @classmethod
    def submit(cls, folder: Path, *options: str) -> Main:
        # as the page on clusters says, but for options of this cluster
        command = ["sbatch", "--parsable", *options, "profiles/slurm/main.sh", "make", "reproduce"]
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        return cls(folder, run.stdout.strip())

    def said(self) -> str:
        return (self.folder / f"sera-main-{self.number}.log").read_text()

    def submitted(self) -> list[str]:
        return re.findall(r"SLURM jobid (\d+)", self.said())

    def ended(self, cluster: Cluster) -> dict[str, str]:
        job = ended(cluster, self.number)
        assert job["JobState"] in ENDED, (job["JobState"], self.said()[-5000:])
        return job


@pytest.fixture(scope="module")
def long(cluster, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("long")
    (folder / "Snakefile").write_text(LONG)
    snakemake = " ".join([str(Path(sys.executable).with_name("snakemake")), *ON_CLUSTER])
    (folder / "Makefile").write_text(f"reproduce:\n\t{snakemake}\n")
    (folder / "profiles").symlink_to(ROOT / "profiles")
    return folder


def test_a_main_process_out_of_time_cancels_its_jobs_and_the_next_continues(cluster, long):
    main = Main.submit(long, "--time=2", "--signal=B:TERM@60")  # after a minute
    job = main.ended(cluster)
    assert (job["JobState"], job["Requeue"], job["MinMemoryNode"]) == ("FAILED", "0", "1000M")
    assert main.said().splitlines()[-1].startswith("The run is not complete. Submit the same command again")
    assert [ended(cluster, number)["JobState"] for number in main.submitted()] == ["COMPLETED", "CANCELLED"]
    first = (long / "first").read_text()
    (long / "go").touch()
    again = Main.submit(long)
    assert again.ended(cluster)["JobState"] == "COMPLETED", again.said()[-5000:]
    assert [ended(cluster, number)["JobState"] for number in again.submitted()] == ["COMPLETED"]
    assert ((long / "first").read_text(), (long / "last").read_text()) == (first, "done\n")
    assert "The run is not complete" not in again.said()
