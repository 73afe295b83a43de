"""Runs that are killed, crowded out or cut short: nothing is lost, and what is wrong is said."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

import psutil
from checkouts import checkout, command, configure, differing, planned, ran, results

# Rules whose jobs are killed, as they work long enough to be hit, and what these write in the results.
STRUCK = {
    "summarize": "summaries/l*.jsonl",
    "merge_index": "index/whole",
    "score": "scores/ROUGE.tsv",
}


def killed(folder: Path, rules: set[str], wait: float) -> set[str]:
    """Run, and kill everything while a job of one of these rules is at work, some time after it was seen.

    The rules of all jobs that were at work then; empty if the run ended before.
    """
    ran(folder, "--unlock")  # the lock of a run that was killed
    arguments, environment = command(folder, "scores")
    logs = folder / "results/demo/logs"
    run = subprocess.Popen(
        arguments, cwd=folder, env=environment, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    while run.poll() is None:
        if at_work(run.pid, logs) & rules:
            time.sleep(wait)
            os.killpg(run.pid, signal.SIGSTOP)  # so that no job ends between the look and the kill
            found = at_work(run.pid, logs)
            os.killpg(run.pid, signal.SIGKILL if found & rules else signal.SIGCONT)
            if found & rules:
                run.wait()
                return found
        time.sleep(0.05)
    assert run.returncode == 0
    return set()


def at_work(run: int, logs: Path) -> set[str]:
    """The rules of the jobs that have opened their logs and not closed them."""
    opened = []
    with contextlib.suppress(psutil.NoSuchProcess):
        for process in psutil.Process(run).children(recursive=True):
            with contextlib.suppress(psutil.Error):
                opened += [Path(file.path) for file in process.open_files()]
    return {path.relative_to(logs).parts[0].removesuffix(".log") for path in opened if logs in path.parents}


def test_kills_lose_nothing_and_one_core_gives_the_same_bytes_as_two(study, tmp_path):
    """Each kill hits a job of another rule, and each run goes on where the last one was killed."""
    folder = checkout(tmp_path / "study")
    made = folder / "results/demo"
    chance = random.Random(2016)
    left, hits, wait = set(STRUCK), [], 0.0
    for _ in range(3 * len(STRUCK)):
        if found := killed(folder, left, wait):
            hits.append(found)
            wait = chance.uniform(0, 0.1)
        else:  # the run came to its end: let the jobs that are left work again, and wait for no job to end
            wait = 0.0
            for path in [path for rule in left for path in made.glob(STRUCK[rule])]:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        left -= found
        if not left:
            break
    assert not left and len(hits) > len(STRUCK) / 2, hits
    ran(folder, "--unlock")
    ran(folder, cores=1)
    undisturbed, resumed = results(study / "results/demo"), results(made)
    assert {"scores.tsv", "index/whole/manifest.json", "runs/kw.trec", "report.html"} <= resumed.keys()
    assert differing(resumed, undisturbed) == []
    assert planned(folder) == set()


def test_several_studies_in_a_run_each_in_its_own_folder(tmp_path):
    folder = checkout(tmp_path / "study")
    configure(
        folder,
        demo={"topics": 1, "articles": 12},
        systems=["luhn"],
        baselines=[],
        candidates={},
        studies={"short": {"length": "60words"}, "unstemmed": {"rouge": {"stem": False}}},
    )
    names = ("demo", "short", "unstemmed")
    ran(folder, *(f"results/{name}/scores/ROUGE.tsv" for name in names))
    made = {name: results(folder / "results" / name) for name in names}
    assert (
        made["unstemmed"]["summaries.jsonl"]
        == made["demo"]["summaries.jsonl"]
        != made["short"]["summaries.jsonl"]
    )
    assert len({made[name]["scores/ROUGE.tsv"] for name in names}) == 3
    assert {"correlate", "unstemmed_correlate", "short_write_report"} <= planned(folder)  # what is left
