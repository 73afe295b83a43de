"""A synthetic benchmark with known truth, in the formats of the real ones, which may not be redistributed.

`ARCHIVE` has a release in the format of TAC 2014 BiomedSumm, nugget annotations in the format of the TAC
Pyramid annotations, packages of articles in the format of PMC, and a `study.demo.truth.Truth` of each topic.
The readers of the real ones read them. The texts state invented facts about invented concepts, so results on
them say nothing about real articles. README.md has its licence, and says how it was made.
"""

from __future__ import annotations

import gzip
import io
import re
import tarfile
from os import PathLike
from pathlib import Path

from sera.benchmarks import Benchmark
from sera.benchmarks.tac2014 import TAC2014
from sera.io.folders import writing_folder

SYNTHETIC = "synthetic demo benchmark"
DEMO = Benchmark(inputs=TAC2014.inputs, read=TAC2014.read, OPTIONS=TAC2014.OPTIONS)  # in its formats
ARCHIVE = Path(__file__).with_name("demo.tar.xz")
TOPICS, ARTICLES = 6, 240
PACKAGES = [f"oa_comm_xml.PMC{number:03d}xxxxxx.baseline.2016-12-31" for number in range(2)]
"""The packages of articles, without ``.tar.gz`` and ``.filelist.csv``."""

_TOPIC = re.compile(r"/[dD]24(\d\d)[-_]")


def unpack(folder: str | PathLike[str], *, topics: int = TOPICS, articles: int = ARTICLES) -> None:
    """Write the benchmark to ``folder``, or its first topics and articles; an older one is replaced.

    The folder holds ``release``, ``pyramids``, the packages in ``pmc_oa``, and ``truth.jsonl``. ``articles``
    are the readable ones, 4 or more; a retracted one and one that is not XML are added.
    """
    with writing_folder(folder) as target, tarfile.open(ARCHIVE) as archive:
        for member in archive:
            topic = _TOPIC.search(member.name)
            if topic is None or int(topic[1]) <= topics:
                archive.extract(member, target, filter="data")
        truth = target / "truth.jsonl"
        truth.write_bytes(b"".join(truth.read_bytes().splitlines(keepends=True)[:topics]))
        for number, name in enumerate(PACKAGES if articles < ARTICLES else ()):
            _shorten(target / "pmc_oa" / name, (articles + 1 - number) // 2)


def _shorten(package: Path, articles: int) -> None:
    """Keep the first ``articles`` files of a package and its last file, and delete the others.

    One of the first files is retracted in the first package; the last file is not XML in the second.
    """
    listing, packed = (package.with_name(f"{package.name}.{end}") for end in ("filelist.csv", "tar.gz"))
    head, *rows = listing.read_bytes().splitlines(keepends=True)
    kept = [*rows[:articles], rows[-1]]
    listing.write_bytes(b"".join([head, *kept]))
    names = {row.partition(b",")[0].decode() for row in kept}
    content = io.BytesIO()
    with tarfile.open(packed) as old, tarfile.open(fileobj=content, mode="w") as new:
        for member in old:
            if member.name in names:
                new.addfile(member, old.extractfile(member))
    packed.write_bytes(gzip.compress(content.getvalue(), compresslevel=0, mtime=0))
