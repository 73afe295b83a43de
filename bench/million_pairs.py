"""Measure `sera score` on made-up pairs, and print a Markdown table.

    python bench/million_pairs.py [--pairs 10000,100000,1000000] [--jobs 1,2] [--peer .venv-bench/bin/python]

A pair is one candidate of 60 words with one reference of 60 words, ten systems to a topic. Each run is the
command in a process of its own. Processor seconds are those of all its processes, and the memory is the
largest resident set of one of them. ``--peer`` names a Python with rouge-score-rs: a short script with it
scores the same pairs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from retrieval import _machine, _table

_METRICS = "ROUGE-1-F,ROUGE-2-F,ROUGE-L-F"
_PEER = """
import json, sys
from rouge_score_rs import RougeScorer
candidates, references, out = sys.argv[1:]
scorer = RougeScorer(["rouge1", "rouge2", "rougeLsum"], use_stemmer=False)
gold = {each["topic"]: "\\n".join(each["sentences"]) for each in map(json.loads, open(references))}
with open(out, "w") as table:
    for each in map(json.loads, open(candidates)):
        scores = scorer.score(gold[each["topic"]], "\\n".join(each["sentences"]))
        for name in scores:
            print(each["topic"], each["system"], name, round(scores[name].fmeasure, 5), sep="\\t", file=table)
"""
_WORDS, _SENTENCES, _SYSTEMS = 20, 3, 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pairs", default="10000,100000", help="numbers of pairs, comma-separated")
    parser.add_argument("--jobs", default="1,2", help="numbers of processes, comma-separated")
    parser.add_argument("--peer", help="Python with rouge-score-rs")
    given = parser.parse_args()
    print(f"Machine: {_machine()}.\n")
    rows = []
    for pairs in map(int, given.pairs.split(",")):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            _write(folder, pairs)
            for jobs in given.jobs.split(","):
                rows.append([f"{pairs:,}", jobs, *_run(_command(folder, jobs), folder, pairs)])
            if given.peer:
                files = [str(folder / name) for name in ("c.jsonl", "r.jsonl", "scores.tsv")]
                command = [given.peer, "-c", _PEER, *files]
                rows.append([f"{pairs:,}", "rouge-score-rs", *_run(command, folder, pairs)])
    _table(["pairs", "jobs", "seconds", "processor seconds", "microseconds a pair", "MB", "sha256"], rows)


def _write(folder: Path, pairs: int) -> None:
    """Write the candidates and references of the pairs."""
    drawn = random.Random(0)
    words = [f"{stem}{number}" for stem in ("cell", "kinase", "gene") for number in range(2000)]
    words += ["the", "of", "and", "in", "binds"] * 600

    def text() -> list[str]:
        return [" ".join(drawn.choices(words, k=_WORDS)) for _ in range(_SENTENCES)]

    with open(folder / "c.jsonl", "w") as candidates, open(folder / "r.jsonl", "w") as references:
        for number in range(pairs):
            topic, system = f"t{number // _SYSTEMS}", f"s{number % _SYSTEMS}"
            candidates.write(json.dumps({"topic": topic, "system": system, "sentences": text()}) + "\n")
            if number % _SYSTEMS == 0:
                references.write(json.dumps({"topic": topic, "annotator": "A", "sentences": text()}) + "\n")


def _command(folder: Path, jobs: str) -> list[str]:
    return [
        *(str(Path(sys.executable).with_name("sera")), "score", "--metrics", _METRICS, "--jobs", jobs),
        *(
            "--candidates",
            str(folder / "c.jsonl"),
            "--references",
            str(folder / "r.jsonl"),
            "--out",
            str(folder / "scores.tsv"),
        ),
    ]


def _run(command: list[str], folder: Path, pairs: int) -> list[str]:
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.monotonic() - begin
    if status:
        raise SystemExit(f"{command[0]} failed")
    memory = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
    digest = hashlib.sha256((folder / "scores.tsv").read_bytes()).hexdigest()[:12]
    processor = used.ru_utime + used.ru_stime
    return [
        f"{seconds:.1f}",
        f"{processor:.1f}",
        f"{1e6 * processor / pairs:.0f}",
        f"{memory:.0f}",
        f"`{digest}`",
    ]


if __name__ == "__main__":
    main()
