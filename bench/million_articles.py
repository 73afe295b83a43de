"""Build and search indexes of up to a million synthetic documents, and print a Markdown table.

    python bench/million_articles.py [--sizes '10000 100000 1000000'] [--folder FOLDER] ...

Documents are drawn as they are read, so no text is written. Two processes build two parts at the same time,
and a third merges them. Times are processor seconds, without those for drawing documents. Rankings of some
queries are compared with those of bench/exhaustive.py, which has no index.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import numpy as np
from documents import write_queries
from retrieval import _machine, _size, _table, numbers

_HERE = Path(__file__).parent
_PARTS = 2
_BLOCK = 500  # documents that are drawn together
_WORD_BYTES = 7  # bytes of an index for each word of a document
_HEADS = [
    "documents", "build, s", "in 2 parts, s", "memory, MB", "index, MB", "disk, MB", "open, s", "query, ms",
    "memory, MB",
]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sizes", type=numbers, default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--words", type=int, default=3000, help="words per document")
    parser.add_argument("--queries", type=int, default=2000, help="number of queries of 250 words")
    parser.add_argument(
        "--checked", type=int, default=20, help="queries to compare with all documents' scores"
    )
    parser.add_argument("--k", type=int, default=20, help="documents per query")
    parser.add_argument("--folder", type=Path, default=Path("build/scale"), help="folder for the indexes")
    settings = parser.parse_args()
    settings.folder.mkdir(parents=True, exist_ok=True)
    _check_disk(settings.folder, max(settings.sizes), settings.words)
    print(f"Machine: {_machine()}.\n", flush=True)
    with tempfile.TemporaryDirectory(dir=settings.folder) as folder:
        growth = _Growth(Path(folder), settings)
        rows = [growth.row(size) for size in settings.sizes]
    print(f"This engine, by the number of documents of {settings.words} words:\n")
    _table(_HEADS, [[f"{row[0]:.0f}", *(f"{value:.1f}" for value in row[1:])] for row in rows])
    if len(rows) > 2:
        print("The last row as the line through the two before it has it:\n")
        (low, *before), (high, *last) = rows[-3:-1]
        size = rows[-1][0]
        line = [b + (b - a) / (high - low) * (size - high) for a, b in zip(before, last)]
        ratios = [value / expected for value, expected in zip(rows[-1][1:], line)]
        _table(_HEADS, [
            [f"{size:.0f}, extrapolated", *(f"{value:.1f}" for value in line)],
            ["measured / extrapolated", *(f"{ratio:.2f}" for ratio in ratios)],
        ])  # fmt: skip


def _check_disk(folder: Path, documents: int, words: int) -> None:
    """End the program if the disk has no room for the parts and the index that is merged from them."""
    needed, free = 2 * _WORD_BYTES * documents * words, shutil.disk_usage(folder).free
    if free < needed:
        sys.exit(
            f"{folder}: {documents} documents need {needed / 1e9:.1f} GB of disk, and {free / 1e9:.1f} GB "
            "are free. Name a folder on a larger disk (SCALE_FOLDER), or smaller sizes (SCALE_SIZES)."
        )


class _Growth:
    def __init__(self, folder: Path, settings: argparse.Namespace) -> None:
        self._folder, self._words, self._k = folder, settings.words, settings.k
        self._asked, self._checked = settings.queries, min(settings.checked, settings.queries)
        self._queries = folder / "queries.txt"
        write_queries(self._queries, settings.queries, 250)
        self._cores = sorted(os.sched_getaffinity(0))

    def row(self, documents: int) -> list[float]:
        """Measure one size: the columns of the table. Prints each step to the standard error."""
        index, disk = self._folder / "index", _Disk(self._folder)
        bounds = [documents * part // _PARTS // _BLOCK * _BLOCK for part in range(_PARTS)] + [documents]
        parts = [self._folder / f"part{number}" for number in range(_PARTS)]
        building = [
            self._build(number, part, bounds[number], bounds[number + 1]) for number, part in enumerate(parts)
        ]
        built = [_measured(each) for each in building]
        merged = _measured(self._start(0, "merge", index, *parts))
        for part in parts:
            shutil.rmtree(part)
        rankings = self._folder / "rankings.txt"
        found = _measured(self._start(0, "search", self._queries, index, self._k, rankings))
        peak, size = disk.stop(), _size(index)
        self._compare(documents, rankings)
        shutil.rmtree(index)
        row = [
            documents,
            sum(each["seconds"] for each in (*built, merged)),
            max(each["seconds"] for each in built) + merged["seconds"],
            max(each["memory"] for each in (*built, merged)) / 1e6,
            size / 1e6,
            peak / 1e6,
            found["opening"],
            1000 * found["seconds"] / self._asked,
            found["memory"] / 1e6,
        ]
        print(
            " ".join(f"{head} {value:.1f};" for head, value in zip(_HEADS, row)), file=sys.stderr, flush=True
        )
        return row

    def _build(self, core: int, folder: Path, first: int, end: int) -> subprocess.Popen:
        """Start building a part from the documents that a second process draws."""
        draw = [sys.executable, str(_HERE / "documents.py"), *map(str, (first, end - first, self._words))]
        drawing = subprocess.Popen(draw, stdout=subprocess.PIPE, preexec_fn=self._on(core))
        assert drawing.stdout is not None
        with drawing.stdout as lines:  # the building process keeps it open
            return self._start(core, "build", "/dev/stdin", folder, end - first, stdin=lines)

    def _start(self, core: int, step: str, *arguments: object, stdin=None) -> subprocess.Popen:
        command = [sys.executable, str(_HERE / "measure.py"), "embedded", step, *map(str, arguments)]
        # the checks of these indexes need not be remembered
        variables = {**os.environ, "XDG_CACHE_HOME": str(self._folder / "cache")}
        variables |= {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
        return subprocess.Popen(
            command, stdin=stdin, stdout=subprocess.PIPE, text=True, env=variables, preexec_fn=self._on(core)
        )

    def _on(self, core: int):
        return lambda: os.sched_setaffinity(0, {self._cores[core % len(self._cores)]})

    def _compare(self, documents: int, rankings: Path) -> None:
        """Compare the rankings of some queries with those by the scores of all documents."""
        numbers = (self._checked, documents, self._words, self._k)
        command = [sys.executable, str(_HERE / "exhaustive.py"), str(self._queries), *map(str, numbers)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        expected = [
            [(f"doc{hit:07}", np.float32(score)) for hit, score in row] for row in json.loads(done.stdout)
        ]
        lines = rankings.read_text(encoding="utf-8").splitlines()[: self._checked]
        hits = [[hit.split(" ") for hit in line.split("\t") if hit] for line in lines]
        found = [[(id, np.float32(score)) for id, score in row] for row in hits]
        equal = sum(ours == theirs for ours, theirs in zip(found, expected, strict=True))
        print(
            f"{documents} documents: {equal} of {self._checked} rankings are those by the scores of all "
            "documents, documents and scores to the last bit.\n",
            flush=True,
        )
        if equal < self._checked:
            sys.exit("rankings differ")


def _measured(process: subprocess.Popen) -> dict:
    """Wait for a step; returns its seconds and its peak of memory in bytes."""
    said, _ = process.communicate()
    if process.returncode:
        sys.exit(f"a step failed: {process.args!r}")
    return json.loads(said.splitlines()[-1])


class _Disk(threading.Thread):
    """The peak of the bytes in a folder, sampled every half second."""

    def __init__(self, folder: Path) -> None:
        super().__init__(daemon=True)
        self._folder, self._bytes, self._end = folder, 0, threading.Event()
        self.start()

    def run(self) -> None:
        while not self._end.wait(0.5):
            try:
                self._bytes = max(self._bytes, _size(self._folder))
            except FileNotFoundError:  # removed since it was listed
                continue

    def stop(self) -> int:
        self._end.set()
        self.join()
        return self._bytes


if __name__ == "__main__":
    main()
