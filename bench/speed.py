"""Measure what users wait for, beside the packages that do the same work, and print a table in Markdown.

    python bench/speed.py [fresh demo tac2014 multiverse tests score evaluate first batch rouge index ...]

Without names, all are measured but ``tests``, and ``tac2014`` only with --data. Programs run in turns, each
in its own processes, and the lowest of --rounds times counts; a study runs once, on all cores, the rest on
one core. Times are processor time; in brackets: how many times as long the peer takes. The last columns are
this project's: wall time, peak of memory, and files. Texts but those of TAC 2014 are made up.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from documents import summaries, write_documents, write_queries
from steps import SUMY

HERE = Path(__file__).parent.resolve()
BIN = Path(sys.executable).parent
OURS = "this project"
OF_OUR_ENVIRONMENT = (OURS, "as rouge-score", "sera.rouge_score", "one by one", "sumy")


class Row(NamedTuple):
    """A row of the table: one work, by each program's command.

    texts:    standard input, as JSON
    of, unit: the number of units of work, and what the table has of one: seconds ("s"), "ms" or "µs"
    into:     the folder that a program writes
    study:    whether it is a study: it runs once, on all cores, and continues in what ``into`` has
    """

    name: str
    programs: dict[str, list[str]]
    texts: Any = None
    of: int = 1
    unit: str = "s"
    into: Path | None = None
    study: bool = False


class Speed:
    """The measurements by name; each is a generator of rows."""

    def __init__(self, given: argparse.Namespace, folder: Path) -> None:
        self.given, self.folder = given, folder

    def _steps(self, step: str, programs: tuple[str, ...], *arguments: object, seconds: float = 0) -> dict:
        """The command of each program for a step of `steps.py`, repeated until ``seconds`` have passed."""
        return {
            program: [
                sys.executable if program in OF_OUR_ENVIRONMENT else str(self.given.peers),
                *("-P", str(HERE / "steps.py"), f"{seconds:g}", step, program, *map(str, arguments)),
            ]
            for program in programs
        }

    def _study(self, name: str, *command: str, into: str = "") -> Row:
        """A row of `make` in a clone of the checkout."""
        clone = self.folder / "clone"
        if not clone.exists():
            subprocess.run(["git", "clone", "--quiet", HERE.parent, clone], check=True)
        return Row(name, {OURS: ["make", "-C", str(clone), *command]}, into=clone / into, study=True)

    def fresh(self) -> Iterator[Row]:
        yield self._study("fresh clone, `make reproduce`", "reproduce", into="results")

    def demo(self) -> Iterator[Row]:
        yield self._study("the environment", "env", into=".venv")
        yield self._study("demo", "reproduce", "RESULTS=again", into="again")
        yield self._study("demo again, nothing to do", "reproduce", "RESULTS=again", into="again")

    def tac2014(self) -> Iterator[Row]:
        data, articles = self.given.data.resolve(), self.folder / "articles"
        articles.mkdir()
        for package in data.glob("pmc_oa*/*"):
            (articles / package.name).symlink_to(package)
        release = [f"TAC2014={data}/tac2014_all", f"PMC_OA={articles}", "BENCHMARK=tac2014"]
        release += [f"PYRAMIDS={found}" for found in data.glob("tac2014_all/TAC-Pyramid*")]
        yield self._study("TAC 2014", "reproduce", *release, into="results/tac2014")
        yield self._study("TAC 2014 again, nothing to do", "reproduce", *release, into="results/tac2014")
        yield self._study("multiverse, TAC 2014", "multiverse", *release, into="results/tac2014")

    def multiverse(self) -> Iterator[Row]:
        yield self._study("multiverse, demo", "multiverse", into="results")

    def tests(self) -> Iterator[Row]:
        yield self._study("`make test`", "test")

    def score(self) -> Iterator[Row]:
        for pairs, golds, words in (*((pairs, 1, 60) for pairs in self.given.pairs), (2000, 4, 250)):
            candidates, references, out = (
                self.folder / name for name in ("candidates.jsonl", "references.jsonl", "scores.tsv")
            )
            with open(candidates, "w") as summaries, open(references, "w") as gold:
                for number, (candidate, drawn) in enumerate(_pairs(pairs, golds, words, systems=10)):
                    topic, system = f"t{number // 10}", f"s{number % 10}"
                    record = {"topic": topic, "system": system, "sentences": candidate}
                    print(json.dumps(record), file=summaries)
                    for annotator, reference in zip("ABCD", drawn if system == "s0" else ()):
                        record = {"topic": topic, "annotator": annotator, "sentences": reference}
                        print(json.dumps(record), file=gold)
            files = [str(candidates), str(references), "--out", str(out)]
            command = [str(BIN / "sera"), "score", *files, "--metrics", "ROUGE-1-F,ROUGE-2-F,ROUGE-L-F"]
            programs = {OURS: command}
            programs |= self._steps("script", ("rouge-score-rs",), candidates, references, out)
            yield Row(f"`sera score`, {pairs:,} summaries, {golds} x {words} words, 10 to a topic", programs)

    def evaluate(self) -> Iterator[Row]:
        for topics, systems, metrics in ((6, 10, 1), (200, 30, 40)):
            scores, judgements, out = (
                self.folder / name for name in ("scores.tsv", "judgements.tsv", "tables")
            )
            _write_scores(scores, judgements, topics, systems, metrics)
            command = ["evaluate", str(scores), str(judgements), "--out", str(out)]
            name = f"`sera evaluate`, {topics * systems:,} summaries, metrics: {metrics}"
            yield Row(name, {OURS: [str(BIN / "sera"), *command]}, into=out)

    def first(self) -> Iterator[Row]:
        name = "first score in a new process, R-1,2,L"
        yield Row(name, self._steps("first", (OURS, "rouge-score-rs", "rouge-score")), of=1, unit="ms")

    def batch(self) -> Iterator[Row]:
        programs = (OURS, "rouge-score-rs")
        for count, references, words, systems, measures in (
            (20_000, 1, 60, 1, "1,2"),
            (20_000, 1, 60, 1, "1,2,L"),
            (2_000, 1, 250, 1, "1,2,L"),
            (2_000, 4, 250, 10, "1,2,L"),
        ):
            texts = _pairs(count, references, words, systems)
            named = f"R-{measures}, {references} x {words} words, {systems} to a topic"
            for form in ("in sentences", "whole") if words == 60 and "L" in measures else ("in sentences",):
                commands = self._steps("batch", programs, measures, systems, form)
                yield Row(f"`sera.score`, texts {form}, {named}, a summary", commands, texts, count, "µs")

    def rouge(self) -> Iterator[Row]:
        programs = (OURS, "as rouge-score", "sera.rouge_score", "rouge-score-rs", "rouge-score")
        for candidates, references, words in ((1000, 1, 60), (200, 4, 250)):
            texts = _pairs(candidates, references, words)
            for measures in ("1,2", "1,2,L"):
                for stem in ("unstemmed", "stemmed"):
                    name = f"R-{measures}, {stem}, {references} x {words} words, a pair"
                    commands = self._steps("rouge", programs, measures, stem, seconds=self.given.seconds)
                    yield Row(name, commands, texts, candidates * references, "µs")

    def index(self) -> Iterator[Row]:
        for count in self.given.documents:
            documents, into = self._documents(count), self.folder / "index"
            programs = self._steps("build", (OURS, "tantivy", "bm25s"), documents, into)
            yield Row(f"index of {count:,} documents of 3,000 words", programs, into=into)

    def search(self) -> Iterator[Row]:
        together, single = self.folder / "queries.txt", self.folder / "few-queries.txt"
        write_queries(together, 2000, 250)
        write_queries(single, 200, 250)
        for count in self.given.documents:
            folders = {program: self.folder / f"index-{program}" for program in (OURS, "bm25s", "tantivy")}
            for program, folder in folders.items():
                shutil.rmtree(folder, ignore_errors=True)
                measured(self._steps("build", (program,), self._documents(count), folder)[program])
            batches = {
                program: self._steps("search", (program,), together, folders[program])[program]
                for program in (OURS, "bm25s")
            }
            name = f"best 20 of {count:,} documents for 250 words, a query"
            yield Row(f"{name} of 2,000 together", batches, of=2000, unit="ms")
            alone = self._steps("search", ("one by one",), single, folders[OURS])
            alone |= self._steps("search", ("tantivy",), single, folders["tantivy"])
            yield Row(f"{name} alone", {OURS: alone.pop("one by one"), **alone}, of=200, unit="ms")

    def summarizers(self) -> Iterator[Row]:
        from sera.summarizers import NINE

        sentences = [own for text in summaries(83, 250) for own in text]
        citances = [" ".join(own.split()[3:] + own.split()[:3]) for own in sentences[:20]]
        for system in NINE:
            for size in (100, 800):
                compared = (OURS, "sumy") if system in SUMY and (system != "kl" or size < 400) else (OURS,)
                programs = self._steps("summarise", compared, system)
                yield Row(f"{system}, 250 words of {size} sentences", programs, [sentences[:size], citances])

    def _documents(self, count: int) -> Path:
        path = self.folder / f"documents-{count}.tsv"
        if not path.exists():
            write_documents(path, count, 3000)
        return path


def measured(command: list[str], texts: Any = None, one_core: bool = True) -> dict[str, Any]:
    """Processor seconds, wall time and memory (bytes) of a command, by its last line if it is JSON."""
    cores = os.sched_getaffinity(0)
    threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "RAYON")} if one_core else {}
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as given:
        json.dump(texts, given)
        given.seek(0)
        begin = time.monotonic()
        process = subprocess.Popen(
            command, stdin=given, stdout=out, env={**os.environ, **threads},
            preexec_fn=lambda: os.sched_setaffinity(0, {min(cores)} if one_core else cores),
        )  # fmt: skip
        _, status, used = os.wait4(process.pid, 0)
        wall = time.monotonic() - begin
        if status:
            sys.exit(f"a step failed: {' '.join(command)}")
        out.seek(0)
        last = (out.read().splitlines() or [""])[-1]
    found = {"seconds": used.ru_utime + used.ru_stime, "memory": used.ru_maxrss * 1024, "wall": wall}
    return found | (json.loads(last) if last.startswith("{") else {})


def print_row(row: Row, rounds: int) -> None:
    """Measure the programs of a row in turns and print the least time of each."""
    best: dict[str, dict[str, Any]] = {}
    for _ in range(1 if row.study else rounds):
        for name, command in row.programs.items():
            if row.into and not row.study:
                shutil.rmtree(row.into, ignore_errors=True)
            found = measured(command, row.texts, one_core=not row.study) | {"written": _written(row.into)}
            best[name] = min(best.get(name, found), found, key=lambda each: each["seconds"])
    own = best.pop(OURS)
    scale = {"s": 1, "ms": 1e3, "µs": 1e6}[row.unit] / row.of
    peers = ", ".join(
        f"{name} {scale * found['seconds']:.3g} ({found['seconds'] / own['seconds']:.3g})"
        for name, found in best.items()
    )
    cells = [f"{scale * own['seconds']:.3g} {row.unit}", peers, f"{own['wall']:.3g} s"]
    cells += [f"{own['memory'] / 1e6:.0f} MB", own["written"]]
    print(f"| {row.name} | {' | '.join(cells)} |", flush=True)


def _written(folder: Path | None) -> str:
    if folder is None or not folder.is_dir():
        return ""
    files = [path for path in folder.rglob("*") if path.is_file()]
    megabytes = sum(path.stat().st_size for path in files) / 1e6
    pages = ", ".join(f"page {p.stat().st_size / 1e6:.2g} MB" for p in files if p.name == "report.html")
    return f"{len(files)} files, {megabytes:.3g} MB{', ' if pages else ''}{pages}"


def _pairs(candidates: int, references: int, words: int, systems: int = 1) -> list:
    """Made-up candidates, ``systems`` to a topic, each with its topic's references."""
    topics = candidates // systems or 1
    drawn = iter(summaries(topics * references + candidates, words))
    gold = [[next(drawn) for _ in range(references)] for _ in range(topics)]
    return [[text, gold[number // systems % topics]] for number, text in enumerate(drawn)]


def _write_scores(scores: Path, judgements: Path, topics: int, systems: int, metrics: int) -> None:
    """Write scores to five decimals and judgements from 1 to 5; later metrics follow these more closely."""
    random = np.random.default_rng(0)
    quality = random.normal(size=systems)
    of_topic = random.normal(size=(topics, systems)) * 0.8
    noise = random.normal(size=(topics, systems)) * 0.5
    judged = np.clip(np.round(3 + quality + of_topic + noise), 1, 5)
    with open(judgements, "w") as stream:
        stream.write("topic\tsystem\tjudgement\tscore\n")
        for (topic, system), score in np.ndenumerate(judged):
            stream.write(f"t{topic:03}\ts{system:02}\tpyramid\t{score}\n")
    with open(scores, "w") as stream:
        stream.write("topic\tsystem\tmetric\tscore\n")
        for metric in range(metrics):
            share = metric / metrics
            drawn = quality * (0.3 + share) + of_topic * share + random.normal(size=(topics, systems))
            for (topic, system), score in np.ndenumerate(0.3 + 0.1 * drawn):
                stream.write(f"t{topic:03}\ts{system:02}\tm{metric:02}\t{score:.5f}\n")


def machine() -> str:
    facts = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    names = (line.split(":", 1)[1].strip() for line in facts if line.startswith("model name"))
    python = f"Python {platform.python_version()}, numpy {np.__version__}"
    return f"{next(names, platform.machine())}, {os.cpu_count()} cores, {python}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    names = [name for name in vars(Speed) if not name.startswith("_")]
    parser.add_argument(
        "names", nargs="*", help="what to measure; `make test` only by name", choices=[*names, []]
    )
    parser.add_argument("--peers", type=Path, default=Path(".venv-bench/bin/python"), help="their Python")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each program")
    parser.add_argument("--seconds", type=float, default=1, help="shortest time of a run of ROUGE")
    parser.add_argument("--pairs", type=int, nargs="*", default=[1000], help="pairs for `sera score`")
    parser.add_argument("--documents", type=int, nargs="*", default=[1500, 20_000], help="of an index")
    parser.add_argument("--data", type=Path, help="folder with tac2014_all and pmc_oa*")
    parser.add_argument("--folder", type=Path, help="where files are written; 42 GB for a million documents")
    given = parser.parse_args()
    print(f"Machine: {machine()}.\n")
    print(f"| work | {OURS} | peers | wall | memory | written |\n| --- |{5 * ' ---: |'}")
    default = [name for name in names if name != "tests" and (name != "tac2014" or given.data)]
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        speed = Speed(given, Path(folder))
        for name in given.names or default:
            for row in getattr(speed, name)():
                print_row(row, given.rounds)


if __name__ == "__main__":
    main()
