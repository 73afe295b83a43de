"""Measure this project beside other packages, and print tables of times in Markdown.

    python bench/speed.py [rouge batch score evaluate index search scale articles summarizers workflow] ...

Without names, all but `scale`, which takes hours, and `articles`, which needs --shared. In each row all
programs do the same work, each in a process of its own, in turns; the lowest of --rounds times counts. Times
are processor seconds, and all but the workflow run on one core. In brackets: how many times as fast this
project is. The last columns are this project's: wall time of the process, peak of memory, files. Texts are
made up, the same on any machine; with --shared those of ROUGE's table and of the summarizers are real.
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
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from documents import summaries, write_documents, write_queries
from steps import PARTS, SUMY

HERE = Path(__file__).parent
BIN = Path(sys.executable).parent
OURS = "this project"
MEASURES = ("1,2", "1,2,L", "1,2,3,4,L,W-1.2,S,SU,S4,SU4")
K, WORDS = 20, 250  # documents a query finds, words of a query and of a summary


class Row(NamedTuple):
    """A row of a table: one work by several programs, each by its command, or left out.

    of:    the number of units in the work; the table has the seconds of one, times ``scale``
    into:  the folder that a program writes, emptied before each run
    """

    name: str
    programs: dict[str, list[str]]
    texts: Any = None
    of: float = 1
    scale: float = 1
    into: Path | None = None


class Speed:
    """The measurements, each a generator of rows."""

    def __init__(self, given: argparse.Namespace, folder: Path) -> None:
        self.given, self.folder = given, folder

    def step(self, step: str, program: str, *arguments: object, seconds: float = 0) -> list[str]:
        python = (
            sys.executable
            if program in ("sera", "one by one", "as rouge-score", "sumy")
            else str(self.given.peers)
        )
        return [python, "-P", str(HERE / "steps.py"), f"{seconds:g}", step, program, *map(str, arguments)]

    def steps(self, step: str, programs: Sequence[str], *arguments: object, seconds: float = 0) -> dict:
        names = [OURS if program == "sera" else program for program in programs]
        commands = (self.step(step, program, *arguments, seconds=seconds) for program in programs)
        return dict(zip(names, commands))

    def rouge(self) -> Iterator[Row]:
        """ROUGE, microseconds a pair of a candidate and a reference"""
        sets = {
            "1 reference of 60 words": _pairs(1000, 1, 60),
            "4 references of 250 words": _pairs(200, 4, 250),
            "4 references of 250 words, shared by ten systems": _pairs(100, 4, 250, systems=10),
        }
        if self.given.shared:
            sets["4 references of real articles"] = _recorded(self.given.shared / "oracles/rouge155")
        for name, texts in sets.items():
            for measures in MEASURES:
                for stem in ("unstemmed", "stemmed"):
                    peers = ["rouge-score-rs", "rouge-score"] if measures != MEASURES[-1] else []
                    programs = ["sera", *(["as rouge-score"] if peers else []), *peers]
                    commands = self.steps("rouge", programs, measures, stem, seconds=self.given.seconds)
                    pairs = sum(len(references) for _, references in texts)
                    yield Row(f"{name}, {measures}, {stem}", commands, texts, pairs, 1e6)
        long = self.steps("rouge", ["sera"], MEASURES[-1], "unstemmed")
        (text,) = _pairs(1, 4, 20_000)
        yield Row(f"4 references of 20,000 words, {MEASURES[-1]}", long, [_pairs(1, 1, 60)[0], text], 4, 1e6)

    def batch(self) -> Iterator[Row]:
        """`score_batch`, ROUGE-1 and 2 of 60 words with one reference, microseconds a pair"""
        programs = self.steps("batch", ["sera", "rouge-score-rs", "rouge-score"], seconds=self.given.seconds)
        yield Row("10,000 pairs", programs, _pairs(10_000, 1, 60), 10_000, 1e6)

    def score(self) -> Iterator[Row]:
        """`sera score`, ROUGE-1, 2 and L of 60 words with one reference, beside a script; seconds"""
        for pairs in self.given.pairs:
            candidates, references, out = (
                self.folder / name for name in ("c.jsonl", "r.jsonl", "scores.tsv")
            )
            texts = _pairs(pairs, 1, 60, systems=10)
            with open(candidates, "w") as summaries, open(references, "w") as gold:
                for number, (candidate, (reference,)) in enumerate(texts):
                    topic, system = f"t{number // 10}", f"s{number % 10}"
                    print(
                        json.dumps({"topic": topic, "system": system, "sentences": candidate}), file=summaries
                    )
                    if system == "s0":
                        record = {"topic": topic, "annotator": "A", "sentences": reference}
                        print(json.dumps(record), file=gold)
            files = ["--candidates", str(candidates), "--references", str(references), "--out", str(out)]
            command = [str(BIN / "sera"), "score", *files, "--metrics", "ROUGE-1-F,ROUGE-2-F,ROUGE-L-F"]
            peer = self.steps("script", ["rouge-score-rs"], candidates, references, out)
            programs = {OURS: command, "two processes": [*command, "--jobs", "2"], **peer}
            yield Row(f"{pairs:,} pairs", programs)

    def evaluate(self) -> Iterator[Row]:
        """`sera evaluate`, seconds"""
        for topics, systems, metrics in ((6, 10, 1), (200, 30, 40)):
            scores, judgements, out = (
                self.folder / name for name in ("scores.tsv", "judgements.tsv", "tables")
            )
            _write_scores(scores, judgements, topics, systems, metrics)
            files = ["--judgements", str(judgements), "--out", str(out)]
            command = [str(BIN / "sera"), "evaluate", str(scores), *files]
            yield Row(f"{topics * systems:,} summaries, metrics: {metrics}", {OURS: command}, into=out)

    def index(self) -> Iterator[Row]:
        """The building of an index of documents of 3,000 words, seconds"""
        for count in self.given.documents:
            documents, into = self._documents(), self.folder / "index"
            programs = self.steps("build", ["sera", "tantivy", "bm25s"], documents, into, count)
            yield Row(f"{count:,} documents", programs, into=into)

    def search(self) -> Iterator[Row]:
        """The search of the best 20 documents for queries of 250 words, milliseconds a query"""
        queries, few = self.folder / "queries.txt", self.folder / "few-queries.txt"
        write_queries(queries, 2000, WORDS)
        write_queries(few, 200, WORDS)
        documents = self._documents()
        for count in self.given.documents:
            folders = {}
            for program in ("sera", "bm25s", "tantivy"):
                folders[program] = self.folder / f"index-{program}"
                shutil.rmtree(folders[program], ignore_errors=True)
                measured(self.step("build", program, documents, folders[program], count))
            together = {
                OURS if program == "sera" else program: self.step(
                    "search", program, queries, folders[program], K
                )
                for program in ("sera", "bm25s")
            }
            yield Row(f"2,000 at once in {count:,} documents", together, of=2000, scale=1000)
            single = {
                OURS: self.step("search", "one by one", few, folders["sera"], K),
                "tantivy": self.step("search", "tantivy", few, folders["tantivy"], K),
            }
            yield Row(f"one at a time in {count:,} documents", single, of=200, scale=1000)

    def scale(self) -> Iterator[Row]:
        """Indexes in two parts, of documents that are drawn as they are read; seconds, milliseconds a query

        The rankings of 20 queries have to be those by the scores of all documents (`exhaustive.py`).
        """
        queries = self.folder / "queries.txt"
        write_queries(queries, 2000, WORDS)
        for count in self.given.sizes:
            index, parts = self.folder / "index", [self.folder / f"part{number}" for number in (0, 1)]
            half = count // 2 // 500 * 500  # documents are drawn in blocks of 500
            for part, first, end in ((parts[0], 0, half), (parts[1], half, count)):
                draw = [sys.executable, str(HERE / "documents.py"), *map(str, (first, end - first, 3000))]
                with subprocess.Popen(draw, stdout=subprocess.PIPE) as drawing:
                    command = self.step("build", "sera", "/dev/stdin", part, end - first)
                    yield Row(f"part of {end - first:,} documents, s", {OURS: command}, drawing.stdout)
            merged = self.step("merge", "sera", index, *parts)
            yield Row(f"merge of {count:,} documents, s", {OURS: merged}, into=index)
            for part in parts:
                shutil.rmtree(part)
            found = measured(asked := self.step("search", "sera", queries, index, K))
            yield Row(f"search in {count:,} documents, ms", {OURS: asked}, of=2000, scale=1000)
            check = [
                sys.executable,
                str(HERE / "exhaustive.py"),
                str(queries),
                *map(str, (20, count, 3000, K)),
            ]
            expected = json.loads(subprocess.run(check, check=True, stdout=subprocess.PIPE).stdout)
            for ours, theirs in zip(found["found"], expected, strict=False):
                if ours != [[f"doc{number:07}", score] for number, score in theirs]:
                    sys.exit(f"{count} documents: rankings differ from those by the scores of all documents")

    def articles(self) -> Iterator[Row]:
        """The extraction of articles in JATS, with title, abstract and body; milliseconds an article"""
        listed, folder = self.folder / "articles.txt", self.folder / "articles"
        for package in sorted((self.given.shared / "data/pmc_oa").glob("*.tar.gz")):
            shutil.unpack_archive(package, folder, filter="data")
        files = [path for path in sorted(folder.rglob("*.xml")) if b"<body" in path.read_bytes()]
        listed.write_text("".join(f"{path}\n" for path in files), encoding="utf-8")
        programs = self.steps("extract", ["sera", "pubmed_parser"], listed)
        yield Row(f"{len(files):,} articles", programs, of=len(files), scale=1000)

    def summarizers(self) -> Iterator[Row]:
        """Summaries of 250 words of an article with 20 citances, seconds"""
        from sera.summarizers import NINE

        if self.given.shared:
            sentences, citances = _real_article(self.given.shared / "data/tac2014")
        else:
            sentences = [own for text in summaries(83, WORDS) for own in text]
            citances = [" ".join(own.split()[3:] + own.split()[:3]) for own in sentences[:20]]
        for system in NINE:
            for size in (100, 200, 400, 800):
                peers = ["sumy"] if system in SUMY and (system != "kl" or size < 400) else []
                programs = self.steps("summarise", ["sera", *peers], system, WORDS)
                yield Row(f"{system}, {size} sentences", programs, [[sentences[:size], citances]])

    def workflow(self) -> Iterator[Row]:
        """The study of the demo in a copy of the checkout, on two cores; seconds"""
        root = HERE.parent.resolve()
        listed = subprocess.run(["git", "ls-files"], cwd=root, check=True, stdout=subprocess.PIPE, text=True)
        for name in listed.stdout.splitlines():
            if (root / name).is_file():
                (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, self.folder / name)
        run = ["env", "-C", str(self.folder), f"PYTHONPATH={self.folder}:{self.folder / 'plugins'}"]
        run += [str(BIN / "snakemake"), "--cores=2"]
        yield Row("`snakemake -n`", {OURS: [*run, "-n"]})
        yield Row("the demo", {OURS: run}, into=self.folder / "results")
        yield Row("the demo again, nothing to do", {OURS: run})

    def _documents(self) -> Path:
        path = self.folder / f"documents-{max(self.given.documents)}.tsv"
        write_documents(path, max(self.given.documents), 3000)
        return path


def measured(command: list[str], texts: Any = None, core: bool = True) -> dict[str, Any]:
    """Processor seconds, wall time and memory (bytes) of a command, by its last line if it is JSON.

    ``texts`` are its standard input: a stream, or what is written as JSON.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile("w+") as made:
        if (given := texts) is not None and not hasattr(texts, "fileno"):
            json.dump(texts, made)
            made.seek(0)
            given = made
        cores = {min(os.sched_getaffinity(0))} if core else os.sched_getaffinity(0)
        threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "RAYON")}
        begin = time.monotonic()
        process = subprocess.Popen(
            command, stdin=given or subprocess.DEVNULL, stdout=out,
            stderr=None if core else subprocess.DEVNULL,
            env={**os.environ, **threads}, preexec_fn=lambda: os.sched_setaffinity(0, cores),
        )  # fmt: skip
        _, status, used = os.wait4(process.pid, 0)
        wall = time.monotonic() - begin
        if status:
            sys.exit(f"a step failed: {' '.join(command)}")
        seconds, memory = used.ru_utime + used.ru_stime, used.ru_maxrss * 1024
        return {"seconds": seconds, "memory": memory, "wall": wall} | _last_line(out)


def _last_line(stream: IO[bytes]) -> dict[str, Any]:
    stream.seek(0)
    last = (stream.read().splitlines() or [b""])[-1]
    return json.loads(last) if last.startswith(b"{") else {}


def table(rows: Iterator[Row], rounds: int, core: bool = True) -> None:
    """Measure the rows and print them, each when it is done; a program that has no command is left out."""
    heads: list[str] = []
    for row in rows:
        best: dict[str, dict[str, Any]] = {}
        for _ in range(1 if hasattr(row.texts, "fileno") else rounds):
            for name, command in row.programs.items():
                if row.into:
                    shutil.rmtree(row.into, ignore_errors=True)
                found = measured(command, row.texts, core) | {"written": _written(row.into)}
                best[name] = min(best.get(name, found), found, key=lambda each: each["seconds"])
        if new := [name for name in best if name not in heads]:
            heads += new
            columns = [*heads, "wall, s", "memory, MB", "written"]
            print(f"\n| | {' | '.join(columns)} |\n| --- |{' ---: |' * len(columns)}")
        own = best[OURS]
        cells = [""] * len(heads)
        for name, found in best.items():
            cells[heads.index(name)] = f"{row.scale * found['seconds'] / row.of:.3g}" + (
                "" if name == OURS else f" ({found['seconds'] / own['seconds']:.3g})"
            )
        cells += [f"{own['wall']:.2g}", f"{own['memory'] / 1e6:.0f}", own["written"]]
        print(f"| {row.name} | {' | '.join(cells)} |", flush=True)


def _written(folder: Path | None) -> str:
    files = [path.stat().st_size for path in folder.rglob("*") if path.is_file()] if folder else []
    return f"{len(files)} files, {sum(files) / 1e6:.3g} MB" if folder else ""


def agreement(speed: Speed) -> None:
    """Print how many pairs have the P, R and F of ROUGE-1.5.5, which are this project's, to five decimals."""
    texts = [[one, [gold]] for one, references in _pairs(70, 4, WORDS) for gold in references]
    print(f"\nOf {len(texts)} pairs, those with the P, R and F of ROUGE-1.5.5 to five decimals:\n")
    print("| | R-1 | R-2 | R-L |\n| --- | ---: | ---: | ---: |")
    for program in ("as rouge-score", "rouge-score-rs", "rouge-score"):
        for stem in ("unstemmed", "stemmed"):
            ours, theirs = (
                measured(speed.step("rouge", each, "1,2,L", stem), texts)["found"]
                for each in ("sera", program)
            )
            counts = [
                sum(
                    all(round(two[f"ROUGE-{of}-{part}"], 5) == one[f"ROUGE-{of}-{part}"] for part in PARTS)
                    for one, two in zip(ours, theirs, strict=True)
                )
                for of in "12L"
            ]
            print(f"| {program}, {stem} | {' | '.join(map(str, counts))} |", flush=True)


def _pairs(candidates: int, references: int, words: int, systems: int = 1) -> list:
    """Made-up candidates, ``systems`` to a topic, each with its topic's references."""
    topics = candidates // systems or 1
    drawn = iter(summaries(topics * references + candidates, words))
    gold = [[next(drawn) for _ in range(references)] for _ in range(topics)]
    return [[text, gold[number // systems % topics]] for number, text in enumerate(drawn)]


def _recorded(oracle: Path) -> list:
    """The recorded summaries of about 250 words, with their references."""

    def records(name: str) -> list[dict]:
        return [json.loads(line) for line in (oracle / name).read_text(encoding="utf-8").split("\n")[:-1]]

    gold: dict[str, list] = {}
    for record in records("tac_references.jsonl"):
        gold.setdefault(record["topic"], []).append(record["sentences"])
    chosen = [
        each for each in records("tac_candidates.jsonl") if each["system"].startswith(("lead", "random"))
    ]
    return [[record["sentences"], gold[record["topic"]]] for record in chosen]


def _real_article(folder: Path) -> tuple[list[str], list[str]]:
    """The sentences of all topics' articles in order, and 20 citances of the first topics."""
    from sera.benchmarks.tac2014 import read

    (release,) = folder.glob("TAC_2014*")
    topics = read(release=release, pyramids=next(folder.glob("TAC-Pyramid*"), None))
    sentences = [sentence for topic in topics for sentence in topic.source.sentences]
    return sentences, [citance.text for topic in topics for citance in topic.citances][:20]


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
    with open("/proc/cpuinfo", encoding="utf-8") as facts:
        names = (line.split(":", 1)[1].strip() for line in facts if line.startswith("model name"))
        model = next(names, platform.machine())
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    python = f"Python {platform.python_version()}, numpy {np.__version__}"
    return f"{model}, {os.cpu_count()} cores, {memory:.0f} GiB, {python}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    tables = [name for name in vars(Speed) if not name.startswith(("_", "step"))]
    parser.add_argument("tables", nargs="*", metavar="table", help=f"tables to print: {', '.join(tables)}")
    parser.add_argument(
        "--peers", type=Path, default=Path(".venv-bench/bin/python"), help="Python of the peers"
    )
    parser.add_argument("--rounds", type=int, default=3, help="runs of each program")
    parser.add_argument("--seconds", type=float, default=1, help="shortest time of a run of ROUGE")
    parser.add_argument("--pairs", type=int, nargs="*", default=[1000, 10_000], help="pairs for `sera score`")
    parser.add_argument(
        "--documents", type=int, nargs="*", default=[1500, 20_000], help="documents of an index"
    )
    parser.add_argument("--sizes", type=int, nargs="*", default=[10_000, 100_000, 1_000_000], help="of scale")
    parser.add_argument(
        "--shared", type=Path, help="folder with oracles/rouge155, data/tac2014 and data/pmc_oa"
    )
    parser.add_argument("--folder", type=Path, help="where files are written; 42 GB for a million documents")
    given = parser.parse_args()
    print(f"Machine: {machine()}.")
    default = [
        name for name in tables if name not in ("scale", "articles") or (name == "articles" and given.shared)
    ]
    for name in given.tables or default:
        with tempfile.TemporaryDirectory(dir=given.folder) as folder:
            speed = Speed(given, Path(folder))
            rows: Callable[[], Iterator[Row]] = getattr(speed, name)
            print(f"\n{(rows.__doc__ or '').splitlines()[0]}:")
            table(rows(), given.rounds if name != "workflow" else 1, core=name != "workflow")
            if name == "rouge":
                agreement(speed)


if __name__ == "__main__":
    main()
