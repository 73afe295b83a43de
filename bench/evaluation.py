"""Measure `sera evaluate` on made-up scores, and print a Markdown table.

    python bench/evaluation.py [--topics 200] [--systems 30] [--metrics 40]

Scores have five decimals, as ROUGE's; the judgement is a whole number from 1 to 5. The command runs in a
process of its own.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from retrieval import _machine, _table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    for name, number in (("topics", 200), ("systems", 30), ("metrics", 40)):
        parser.add_argument(f"--{name}", type=int, default=number)
    given = parser.parse_args()
    print(f"Machine: {_machine()}.\n")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write(folder, given.topics, given.systems, given.metrics)
        seconds, digest = _run(folder)
    row = [given.topics, given.systems, given.metrics, f"{seconds:.1f}", f"`{digest}`"]
    _table(["topics", "systems", "metrics", "processor seconds", "sha256"], [[str(cell) for cell in row]])


def _write(folder: Path, topics: int, systems: int, metrics: int) -> None:
    """Write the scores and the judgements; a later metric follows the judgement more closely."""
    random = np.random.default_rng(0)
    quality = random.normal(size=systems)
    of_topic = random.normal(size=(topics, systems)) * 0.8
    noise = random.normal(size=(topics, systems)) * 0.5
    judged = np.clip(np.round(3 + quality + of_topic + noise), 1, 5)
    with open(folder / "judgements.tsv", "w") as stream:
        stream.write("topic\tsystem\tjudgement\tscore\n")
        for (topic, system), score in np.ndenumerate(judged):
            stream.write(f"t{topic:03}\ts{system:02}\tpyramid\t{score}\n")
    with open(folder / "scores.tsv", "w") as stream:
        stream.write("topic\tsystem\tmetric\tscore\n")
        for metric in range(metrics):
            share = metric / metrics
            drawn = quality * (0.3 + share) + of_topic * share + random.normal(size=(topics, systems))
            for (topic, system), score in np.ndenumerate(0.3 + 0.1 * drawn):
                stream.write(f"t{topic:03}\ts{system:02}\tm{metric:02}\t{score:.5f}\n")


def _run(folder: Path) -> tuple[float, str]:
    """The processor seconds of the command, and a digest of its tables."""
    out = folder / "tables"
    sera, scores, judged = (
        Path(sys.executable).with_name("sera"),
        folder / "scores.tsv",
        folder / "judgements.tsv",
    )
    command = [
        str(part) for part in (sera, "evaluate", scores, "--judgements", judged, "--all", "--out", out)
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit("sera evaluate failed")
    digest = hashlib.sha256()
    for path in sorted(out.iterdir()):
        digest.update(path.read_bytes())
    return used.ru_utime + used.ru_stime, digest.hexdigest()[:12]


if __name__ == "__main__":
    main()
