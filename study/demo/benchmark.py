"""A synthetic benchmark with known truth, in the formats of the real benchmarks.

No real benchmark may be redistributed. This one is generated from a seed: `generate` writes a release in the
format of TAC 2014 BiomedSumm, nugget annotations in the format of the TAC Pyramid annotations, and corpus
packages in the format of PMC, and the readers of the real ones read them. The texts state invented facts
about invented concepts, so results on it say nothing about real articles.

Every topic is built from facts. The weight of a fact is the number of gold summaries that state it, 0 for
facts that only the article states. Articles, citing articles and gold summaries word the same fact
differently, by the amount that the setting ``wording`` gives, and articles of the corpus use several names of
a concept together. Retrieval can therefore relate two summaries of the same matter without a common word. The
facts of each sentence are recorded, so the true Pyramid score of any extract is known (`study.demo.truth`).
The setting ``wording`` changes the wording alone.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from sera.benchmarks import Benchmark
from sera.benchmarks.tac2014 import TAC2014
from sera.io import records
from sera.io.folders import writing_folder
from study.demo.file_formats import archive, jats, write_bytes
from study.demo.topics import DemoTopic, corpus_article
from study.demo.world import DemoSettings, Theme, themes

SYNTHETIC = "synthetic demo benchmark"
DEMO = Benchmark(inputs=TAC2014.inputs, read=TAC2014.read, OPTIONS=TAC2014.OPTIONS)  # in its formats


def package_names(settings: DemoSettings) -> list[str]:
    """The names of the corpus packages, without ``.tar.gz`` and ``.filelist.csv``."""
    return [f"oa_comm_xml.{_group(number)}.baseline.2016-12-31" for number in range(settings.packages)]


def generate(settings: DemoSettings, folder: str | PathLike[str]) -> None:
    """Write the benchmark to ``folder``, as a whole or not at all; an older one is replaced.

    The folder holds ``release``, ``pyramids``, the packages in ``pmc_oa``, and ``truth.jsonl`` with a
    `study.demo.truth.Truth` per line. The same settings give the same bytes on every machine.
    """
    topic_themes = themes(f"{settings.seed}", settings.topics + 2)
    with writing_folder(folder) as target:
        truths = []
        for number in range(settings.topics):
            topic = DemoTopic(settings, number, topic_themes[number])
            topic.write(target / "release" / "data", target / "pyramids" / "annotations")
            truths.append(topic.truth())
        _write_packages(settings, topic_themes, target / "pmc_oa")
        records.write(target / "truth.jsonl", truths)


_COLUMNS = (
    *("Article File", "Article Citation", "AccessionID", "LastUpdated (YYYY-MM-DD HH:MM:SS)"),
    *("PMID", "License", "Retracted"),
)


def _write_packages(settings: DemoSettings, topic_themes: Sequence[Theme], folder: Path) -> None:
    members: list[list[tuple[str, bytes]]] = [[] for _ in range(settings.packages)]
    rows: list[list[list[str]]] = [[] for _ in range(settings.packages)]
    total = settings.articles + 2
    retraction, failure = 1, total - 1
    for number in range(total):
        package = number * settings.packages // total
        accession = f"PMC99{package}{number:04d}"
        article = corpus_article(settings, topic_themes[number % len(topic_themes)], number)
        content = jats(article, number, accession)
        if number == failure:  # a server's answer for a missing article
            content = b"<html><head><title>404 Not Found</title><body><h1>Not Found</h1><p>Gone.</body>\n"
        file = f"{_group(package)}/{accession}.xml"
        members[package].append((file, content))
        citation = f"{article.entry.journal}. {article.entry.year}"
        flag = "yes" if number == retraction else "no"
        rows[package].append([file, citation, accession, "2016-12-31 00:00:00", "", "CC0", flag])
    for package, name in enumerate(package_names(settings)):
        write_bytes(folder / f"{name}.tar.gz", archive(members[package]))
        table = io.StringIO()
        writer = csv.writer(table)  # ends lines with CRLF, as PMC's lists do
        writer.writerow(_COLUMNS)
        writer.writerows(rows[package])
        write_bytes(folder / f"{name}.filelist.csv", table.getvalue().encode())


def _group(package: int) -> str:
    return f"PMC{package:03d}xxxxxx"
