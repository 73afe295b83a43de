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
from checkouts import checkout, command, differing, planned, ran, results

# Rules whose jobs are killed, as they work long enough to be hit: a target that needs them, and what they
# write in the results. The index is a target of its own, since nothing makes a lost one again that newer
# results were made from.
STRUCK = {
    "summarize": ("results/demo/summaries.jsonl", "summaries/the-*.jsonl"),
    "merge_index": ("results/demo/index/whole", "index/whole"),
    "score": ("results/demo/scores.tsv", "scores/texts.tsv"),
}


def killed(folder: Path, target: str, rule: str, wait: float) -> bool:
    """Make a target, and kill everything while a job of a rule is at work, some time after it was seen.

    False if the run ended before.
    """
    ran(folder, "--unlock")  # the lock of a run that was killed
    arguments, environment = command(folder, target)
    logs = folder / "results/demo/logs"
    run = subprocess.Popen(
        arguments, cwd=folder, env=environment, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    while run.poll() is None:
        if rule in at_work(run.pid, logs):
            time.sleep(wait)
            os.killpg(run.pid, signal.SIGSTOP)  # so that no job ends between the look and the kill
            hit = rule in at_work(run.pid, logs)
            os.killpg(run.pid, signal.SIGKILL if hit else signal.SIGCONT)
            if hit:
                run.wait()
                return True
        time.sleep(0.02)
    assert run.returncode == 0
    return False


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
    for rule, (target, files) in STRUCK.items():
        for wait in (chance.uniform(0, 0.1), *[0.0] * 7):  # a job of a busy machine may be missed
            if hit := killed(folder, target, rule, wait):
                break
            for path in made.glob(files):  # the run came to its end: let the job work again
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        assert hit, rule
    ran(folder, "--unlock")
    ran(folder, cores=1)
    undisturbed, resumed = results(study / "results/demo"), results(made)
    assert {"scores.tsv", "index/whole/manifest.json", "runs/kw.trec", "report.html"} <= resumed.keys()
    assert differing(resumed, undisturbed) == []
    assert planned(folder) == set()
