"""The data of a study: the files of its benchmark and of its articles, read as far as planning needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sera.benchmarks import Benchmark
from sera.errors import InputError
from sera.pubmed.articles import Collection
from study.settings import checks


@dataclass(frozen=True)
class Data:
    """The data of a study; the demo's are generated, so that they have no files yet."""

    folders: Mapping[str, str | None]
    """By name: ``release``, ``pyramids`` and ``pmc_oa``."""

    files: Sequence[str] = ()
    """Those of the benchmark."""

    collection: Sequence[str] = ()
    """The documents to search that the benchmark brings, a file or none."""

    articles: Collection | None = None

    packages: Sequence[str] = ()
    """The parts of the articles; a subfolder counts as one."""

    systems: Sequence[str] = ()
    """Those whose summaries the benchmark brings."""

    judgements: Sequence[str] = ()

    has_nuggets: bool = True

    brings: Sequence[str] = ()
    """Besides judgements: the names of judges, preferences, scores given with the release."""

    @property
    def inputs(self) -> list[str]:
        """All files that a run reads of these data."""
        listed = self.articles.listing() if self.articles else []
        return [*self.files, *map(str, listed), *self.collection]


def read_data(name: str, benchmark: Benchmark, folders: Mapping[str, Any]) -> Data:
    """The data of a benchmark by its ``name``; InputError for a folder that is not there or that is wrong."""
    checks.check_folders(name, dict(folders))
    release = folders["release"]
    options = {option: folders[option] for option in benchmark.OPTIONS if option in folders}
    files = [str(path) for path in benchmark.inputs(release, **options)]
    articles = Collection(folders["pmc_oa"]) if folders["pmc_oa"] else None
    for part, path in articles.parts.items() if articles else ():
        checks.check_text("config: pmc_oa", part)
        if part in ("topics", "documents"):
            raise InputError("the index has a part of this name", path=path, remedy="Rename it.")
    systems, judgements = benchmark.judged(release)
    has_nuggets = benchmark.has_nuggets(release)
    checks.check_judgements(release, judgements, has_nuggets)
    collection = benchmark.collection(release)
    return Data(
        folders,
        files=files,
        collection=[str(collection)] if collection else [],
        articles=articles,
        packages=list(articles.parts) if articles else [],
        systems=list(systems),
        judgements=list(judgements),
        has_nuggets=has_nuggets,
        brings=benchmark.brings(release),
    )
