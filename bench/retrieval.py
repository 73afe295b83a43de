"""Measure retrieval and the extraction of articles, and print Markdown tables.

    python bench/retrieval.py [--documents 20000] [--sizes '5000 20000 100000'] [--shared FOLDER] ...

All engines have the same documents and queries, one core, and a process for each step. Times are processor
seconds. Lucene's rankings are compared with this engine's, score by score.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from documents import write_documents, write_queries

_HERE = Path(__file__).parent
_LUCENE = ("lucene-core-8.7.0.jar", "lucene-analyzers-common-8.7.0.jar")
_CORES = 4  # parts of a collection, to show the gain by more cores
_SLOW = 200  # queries for engines that take them one at a time


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--documents", type=int, default=20_000, help="documents for the comparison; or 0")
    parser.add_argument(
        "--sizes", type=numbers, default=[5000, 20_000, 100_000], help="for the table of growth"
    )
    parser.add_argument("--words", type=int, default=3000, help="words per document")
    parser.add_argument("--queries", type=int, default=2000, help="number of queries of 250 words")
    parser.add_argument("--k", type=int, default=20, help="documents per query")
    parser.add_argument(
        "--folder", type=Path, default=Path("build/bench"), help="folder for documents and indexes"
    )
    parser.add_argument(
        "--peers", type=Path, default=Path(".venv-bench/bin/python"), help="Python of the other packages"
    )
    parser.add_argument("--jars", type=Path, default=Path("/usr/share/java"), help="folder of Lucene's jars")
    parser.add_argument("--shared", type=Path, help="folder with data/pmc_oa: packages of real articles")
    settings = parser.parse_args()
    settings.folder.mkdir(parents=True, exist_ok=True)
    bench = _Bench(settings)
    print(f"Machine: {_machine()}.\n", flush=True)
    largest = max([settings.documents, *settings.sizes])
    documents = settings.folder / f"documents-{largest}x{settings.words}.tsv"
    write_documents(documents, largest, settings.words)
    queries = settings.folder / "queries.txt"
    write_queries(queries, settings.queries, 250)
    if settings.documents:
        what = f"synthetic documents of {settings.words} words"
        bench.compare(documents, queries, settings.documents, what)
    if settings.sizes:
        bench.growth(documents, queries)
    if settings.shared is None:
        print("Real articles: left out, since SERA_SHARED is not set.\n")
    else:
        bench.real(settings.shared)


def numbers(text: str) -> list[int]:
    """The whole numbers of a text, between blanks."""
    return [int(word) for word in text.split()]


class _Bench:
    def __init__(self, settings: argparse.Namespace) -> None:
        self._folder: Path = settings.folder
        self._k: int = settings.k
        self._sizes: list[int] = settings.sizes
        self._peers: Path = settings.peers
        self._core = {min(os.sched_getaffinity(0))}
        self._class_path = ":".join(str(settings.jars / jar) for jar in _LUCENE)
        self.no_lucene = self._compile(settings.jars)

    def compare(self, documents: Path, queries: Path, count: int, what: str) -> None:
        """Compare all engines on the same documents."""
        few = self._folder / "few-queries.txt"
        texts = queries.read_text(encoding="utf-8").splitlines(keepends=True)
        few.write_text("".join(texts[:_SLOW]), encoding="utf-8")
        rows = []
        for engine, name, batch in [
            ("embedded", f"this engine, {len(texts)} queries at once", queries),
            ("embedded-single", "this engine, one query at a time", few),
            ("lucene", "Lucene 8.8, LM-Dirichlet", few),
            ("bm25s", f"bm25s, {len(texts)} queries at once", queries),
            ("tantivy", "tantivy, BM25", few),
        ]:
            if engine == "lucene" and self.no_lucene:
                rows.append([f"{name}: left out, {self.no_lucene}"])
                continue
            folder = self._folder / f"index-{engine.removesuffix('-single')}"
            built = None
            if engine != "embedded-single":
                built = self._build(engine, documents, folder, count)
            found = self._run(engine, "search", batch, folder, self._k, self._rankings(engine))
            asked = len(texts) if batch == queries else min(_SLOW, len(texts))
            rows.append(
                [
                    name,
                    *(
                        [f"{built['seconds']:.1f}", _mega(built), f"{_size(folder) / 1e6:.0f}"]
                        if built
                        else ["", "", ""]
                    ),
                    f"{1000 * found['seconds'] / asked:.2f}",
                    _mega(found),
                ]
            )
        heads = ["engine", "build, s", "memory, MB", "index, MB", "query, ms", "memory, MB"]
        print(f"{count} {what}, queries of 250 words, best {self._k}:\n")
        _table(heads, rows)
        if not self.no_lucene:
            print(f"{self._agreement()}\n", flush=True)

    def growth(self, documents: Path, queries: Path) -> None:
        """Measure this engine on several sizes, whole and in parts; the last row is extrapolated."""
        rows = []
        asked = len(queries.read_text(encoding="utf-8").splitlines())
        for count in self._sizes:
            folder = self._folder / "index-growth"
            built = self._build("embedded", documents, folder, count)
            found = self._run("embedded", "search", queries, folder, self._k, self._rankings("growth"))
            measured = [built["seconds"], built["memory"] / 1e6, _size(folder) / 1e6]
            measured += [1000 * found["seconds"] / asked, found["memory"] / 1e6]
            whole = (folder / "manifest.json").read_bytes()
            parts, seconds = [], []
            for number in range(_CORES):
                bounds = [count * at // _CORES for at in (number, number + 1)]
                parts.append(self._folder / f"index-part{number}")
                part = self._build("embedded", documents, parts[-1], bounds[1] - bounds[0], bounds[0])
                seconds.append(part["seconds"])
            merged = self._run("embedded", "merge", folder, *parts)
            if (folder / "manifest.json").read_bytes() != whole:
                sys.exit("the merged index is not the one that was built whole")
            rows.append([count, *measured[:1], max(seconds) + merged["seconds"], *measured[1:]])
            for part_folder in [folder, *parts]:
                shutil.rmtree(part_folder)
        if len(rows) > 1:
            (low, *before), (high, *last) = rows[-2:]
            million = [a + (a - b) / (high - low) * (10**6 - high) for b, a in zip(before, last)]
            rows.append(["1000000, extrapolated", *million])
        print(f"This engine, by the number of documents ({asked} queries at once):\n")
        heads = ["documents", "build, s", f"in {_CORES} parts, s", "memory, MB", "index, MB", "query, ms"]
        _table([*heads, "memory, MB"], [[row[0], *(f"{value:.1f}" for value in row[1:])] for row in rows])
        print(f"In {_CORES} parts: the slowest part and the merge, what {_CORES} cores take.\n", flush=True)

    def real(self, shared: Path) -> None:
        """Measure the extraction of real articles, and compare the engines on their texts."""
        from sera.corpora import jats
        from sera.errors import InputError

        folder = self._folder / "articles"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        files: list[Path] = []
        texts: dict[str, str] = {}
        for package in sorted((shared / "data" / "pmc_oa").glob("*.tar.gz")):
            with tarfile.open(package) as archive:
                for member in archive:
                    stream = archive.extractfile(member) if member.isfile() else None
                    if stream is None or not member.name.endswith((".xml", ".nxml")):
                        continue
                    xml = stream.read()
                    try:
                        document = jats.read_article(xml, f"article{len(files)}")
                    except InputError:
                        continue
                    files.append(folder / f"article{len(files)}.xml")
                    files[-1].write_bytes(xml)
                    texts[document.id] = " ".join(document.content.split())
        listed = self._folder / "articles.txt"
        listed.write_text("".join(f"{file}\n" for file in files), encoding="utf-8")
        rows = []
        for engine, name in [("embedded", "this project"), ("pubmed_parser", "pubmed_parser")]:
            seconds = min(self._run(engine, "extract", listed)["seconds"] for _ in range(3))
            rows.append([name, f"{len(files) / seconds:.0f}"])
        print(f"{len(files)} articles in JATS, title, abstract and body, best of three:\n")
        _table(["extraction", "articles a second"], rows)
        documents, queries = self._folder / "articles.tsv", self._folder / "article-queries.txt"
        documents.write_text("".join(f"{id}\t{text}\n" for id, text in texts.items()), encoding="utf-8")
        passages = (text.split(" ")[250:500] for text in texts.values())
        whole = [" ".join(words) for words in passages if len(words) == 250]
        queries.write_text("".join(f"{words}\n" for words in whole), encoding="utf-8")
        self.compare(documents, queries, len(texts), "real articles")

    def _build(self, engine: str, documents: Path, folder: Path, *bounds: int) -> dict:
        shutil.rmtree(folder, ignore_errors=True)
        return self._run(engine, "build", documents, folder, *bounds)

    def _run(self, engine: str, *arguments: object) -> dict:
        """Run one step on one core; returns its seconds and, if known, its peak of memory in bytes."""
        if engine == "lucene":
            classes = f"{self._class_path}:{self._folder}"
            java = ["java", "-Xmx1500m", "-XX:+UseSerialGC", "-cp", classes, "Lucene"]
            command = [*java, *map(str, arguments)]
        else:
            python = sys.executable if engine.startswith("embedded") else str(self._peers)
            command = [python, str(_HERE / "measure.py"), engine, *map(str, arguments)]
        variables = {**os.environ, **{f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}}
        done = subprocess.run(
            command, check=True, stdout=subprocess.PIPE, env=variables,
            preexec_fn=lambda: os.sched_setaffinity(0, self._core),
        )  # fmt: skip
        return json.loads(done.stdout.splitlines()[-1])

    def _compile(self, jars: Path) -> str:
        """Compile the program for Lucene; returns why that is not possible, or an empty text."""
        if shutil.which("java") is None or shutil.which("javac") is None:
            return "there is no Java"
        missing = [jar for jar in _LUCENE if not (jars / jar).exists()]
        if missing:
            return f"{' and '.join(missing)} not in {jars} (Debian: liblucene8-java)"
        source = _HERE / "Lucene.java"
        subprocess.run(["javac", "-cp", self._class_path, "-d", self._folder, source], check=True)
        return ""

    def _rankings(self, engine: str) -> Path:
        return self._folder / f"rankings-{engine}.txt"

    def _agreement(self) -> str:
        """The number of rankings equal to Lucene's, ids and scores to the last bit, in a sentence."""

        def rankings(engine: str) -> list[list[tuple[str, np.float32]]]:
            rows = self._rankings(engine).read_text(encoding="utf-8").splitlines()
            hits = [[hit.split(" ") for hit in row.split("\t") if hit] for row in rows]
            return [[(id, np.float32(score)) for id, score in row] for row in hits]

        theirs = rankings("lucene")
        together = sum(ours == their for ours, their in zip(rankings("embedded"), theirs))
        alone = sum(ours == their for ours, their in zip(rankings("embedded-single"), theirs))
        return (
            f"Rankings that are Lucene's, documents and scores to the last bit: {together} of {len(theirs)} "
            f"at once, {alone} one at a time."
        )


def _mega(measured: dict) -> str:
    return f"{measured['memory'] / 1e6:.0f}" if "memory" in measured else ""


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _table(heads: list[str], rows: Sequence[Sequence[object]]) -> None:
    print("| " + " | ".join(heads) + " |")
    print("| --- |" + " ---: |" * (len(heads) - 1))
    for row in rows:
        print("| " + " | ".join(map(str, [*row, *[""] * (len(heads) - len(row))])) + " |")
    print(flush=True)


def _machine() -> str:
    model = platform.processor() or platform.machine()
    with open("/proc/cpuinfo", encoding="utf-8") as facts:
        names = (line.split(":", 1)[1].strip() for line in facts if line.startswith("model name"))
        model = next(names, model)
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    python = f"Python {platform.python_version()}, numpy {np.__version__}"
    return f"{model}, {os.cpu_count()} cores, {memory:.0f} GiB, {python}"


if __name__ == "__main__":
    main()
