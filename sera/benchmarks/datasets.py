"""Data sets with human judgements: what they hold, what their licence allows, and how to get them.

`DATASETS` lists them. `get` fetches one from its authors' repository, at the commit on which the readers and
their tests rest; nothing of it is kept in this one. The files and their sums are in
``sera/resources/datasets/<name>.tsv`` (``file``, ``size``, ``sha256``; empty where they are not known).
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from sera import servers, tsv
from sera.benchmarks import MULTI_SUMMEVAL_LANGUAGES
from sera.corpora.package_catalogue import PackageFile
from sera.corpora.package_fetching import Fetch
from sera.corpora.web_client import Client, Failure
from sera.errors import InputError, printable
from sera.progress import Progress
from sera.registry import unknown

log = logging.getLogger(__name__)

RAW = "https://raw.githubusercontent.com"
_TABLES = Path(__file__).parent.parent / "resources/datasets"
_NO_LICENCE = "none given: without one, ask the authors before you pass the data on"


@dataclass(frozen=True)
class Origin:
    """A folder of a repository at a commit; its files go below ``to`` in the folder of the data set."""

    repository: str
    commit: str
    folder: str = ""
    to: str = ""


@dataclass(frozen=True)
class Dataset:
    """A data set. Numbers are counts of the files; ``judges`` is a text, since they differ within a data set.

    benchmarks:  the names under which the study runs on it
    licence:     of the repository; the texts in it keep their owners' rights
    """

    benchmarks: tuple[str, ...]
    topics: str
    systems: str
    references: str
    judgements: str
    judges: str
    language: str
    licence: str
    citation: str
    origins: tuple[Origin, ...]


_BARTSCORE = "neulab/BARTScore", "248f511cb34ae3753fc81f7d7a945de5bfe33458"
_LITE_PYRAMID = "ZhangShiyue/Lite2-3Pyramid", "cfa581a587d5441ee2d84e77c8602c83ec36ffd5"
DATASETS = {
    "realsumm": Dataset(
        ("realsumm",),
        *("100 news articles", "25", "1", "content units found", "not named", "English", "CC BY 4.0"),
        "Bhandari et al. 2020, Re-evaluating Evaluation in Text Summarization, EMNLP; Zhang & Bansal 2021",
        (Origin(*_LITE_PYRAMID, "data/REALSumm"),),
    ),
    "pyrxsum": Dataset(
        ("pyrxsum",),
        *("100 news articles", "10", "1", "content units found", "not named", "English", _NO_LICENCE),
        "Zhang & Bansal 2021, Finding a Balanced Degree of Automation for Summary Evaluation, EMNLP",
        (Origin(*_LITE_PYRAMID, "data/PyrXSum"),),
    ),
    "summeval": Dataset(
        ("summeval",),
        *("100 news articles", "16", "11", "relevance, coherence, consistency, fluency"),
        "3 experts and 5 crowd workers, single for 12 systems",
        *("English", "Apache-2.0 (means); single judges: " + _NO_LICENCE),
        "Fabbri et al. 2021, SummEval: Re-evaluating Summarization Evaluation, TACL 9",
        (
            Origin(*_BARTSCORE, "SUM/SummEval"),
            Origin(
                "DAMO-NLP-SG/LLM_summeval",
                "bd7dde15817a88940c17574973ff03e750356daa",
                *("model_output_annotations", "summeval_judges/"),
            ),
        ),
    ),
    "newsroom": Dataset(
        ("newsroom",),
        *("60 news articles", "7", "1", "informativeness, relevance, coherence, fluency"),
        *("means alone", "English", "Apache-2.0"),
        "Grusky, Naaman & Artzi 2018, Newsroom, NAACL",
        (Origin(*_BARTSCORE, "SUM/Newsroom"),),
    ),
    "scholarsum": Dataset(
        ("scholarsum_arxiv", "scholarsum_pubmed"),
        *(
            "50 arXiv and 50 PubMed articles",
            "4 and 6",
            "1",
            "facets: background, method, result, conclusion",
        ),
        *("one score", "English", _NO_LICENCE),
        "Chen et al. 2024, Rethinking Scientific Summarization Evaluation, arXiv 2402.14359",
        (Origin("iriscxy/ScholarSum", "061b34c6b52f77096e91874886ad47a3926969c0", "dataset"),),
    ),
    "mslr": Dataset(
        ("mslr",),
        *("358 Cochrane reviews, without the reviewed studies", "6", "1"),
        "population, intervention, outcome, direction, strength, fluency; 452 preferences",
        *("2 of facets, 5 of preferences; each judged a part", "English", "Apache-2.0"),
        "Wang et al. 2023, Automated Metrics for Medical Multi-Document Summarization, ACL",
        (Origin("allenai/mslr-annotated-dataset", "3317358f52709dfab13b1896608e6b04945198e5"),),
    ),
    "scitldr": Dataset(
        ("scitldr", "scitldr_informativeness"),
        *("618 abstracts; 51 are judged", "4", "2 to 4", "informativeness, of six kinds"),
        *("not named", "English", "Apache-2.0"),
        "Cachola et al. 2020, TLDR: Extreme Summarization of Scientific Documents, Findings of EMNLP",
        (Origin("allenai/scitldr", "5ccad9c00a60ad75c9e04abf7f27d0f53f983b20"),),
    ),
    "summeval_op": Dataset(
        ("summeval_op",),
        *("32 products with 8 reviews", "12", "1"),
        "relevance, aspect coverage, faithfulness, sentiment consistency, specificity, coherence, fluency",
        *("3", "English", "MIT"),
        "Siledar et al. 2024, One Prompt To Rule Them All, ACL",
        (Origin("tjsiledar/SummEval-OP", "d8e13e2b66d426cfaf04b9267101688d53320650"),),
    ),
    "multi_summeval": Dataset(
        tuple(f"multi_summeval_{code}" for code in MULTI_SUMMEVAL_LANGUAGES),
        *("135 news articles in each language, without their texts", "2", "1", "focus, coverage"),
        *("z-scores over crowd workers", ", ".join(MULTI_SUMMEVAL_LANGUAGES), _NO_LICENCE),
        "Koto, Lau & Baldwin 2021, Evaluating the Efficacy of Summarization Evaluation across Languages, ACL",
        (Origin("fajri91/Multi_SummEval", "9ec087c9472248e3a3e2e9df4dbf76d43046fce4", "resulting_data"),),
    ),
}
"""The data sets by name."""


def files_of(name: str, server: str = RAW) -> Iterator[PackageFile]:
    """The files of a data set, each with its path in the data set's folder and its address.

    InputError for a name that is not in `DATASETS`.
    """
    if name not in DATASETS:
        raise unknown("data set", name, DATASETS)
    origins = sorted(DATASETS[name].origins, key=lambda origin: -len(origin.to))
    path = _TABLES / f"{name}.tsv"
    for _, file, size, sha256 in tsv.read(path, ["file", "size", "sha256"]).itertuples(name=None):
        origin = next(each for each in origins if file.startswith(each.to))
        within = "/".join(filter(None, [origin.folder, file.removeprefix(origin.to)]))
        address = f"{server.rstrip('/')}/{origin.repository}/{origin.commit}/{quote(within)}"
        yield PackageFile(file, int(size) if size else None, sha256, url=address)


def get(
    name: str, folder: str | Path, *, server: str = RAW, at_once: int = 3, tries: int = 8, pause: float = 1.0
) -> list[PackageFile]:
    """Fetch a data set into ``folder``; what is there with the right sum stays, a broken download continues.

    ``at_once``, ``tries`` and ``pause`` are those of `sera.corpora.download.download`, whose checks and
    repeats hold here too. Returns the files with their sizes and sums. InputError for an unknown name, a
    wrong address or folder, and for files that could not be fetched, after all others.
    """
    files = list(files_of(name, server))
    if wrong := servers.fault(server):
        raise InputError(f"the address of the server {wrong}", remedy="Give an address like https://server.")
    done, failed = [], {}
    client = Client(at_once, tries, pause)
    with Progress("bytes fetched") as report, ThreadPoolExecutor(at_once) as threads:
        jobs = {threads.submit(_fetch, client, Path(folder), each, report): each for each in files}
        try:
            for job in as_completed(jobs):
                try:
                    done.append(job.result())
                except (Failure, InputError) as error:
                    failed[jobs[job].file] = str(error)
                    log.error("%s", printable(f"{jobs[job].url}: {error}"))
        finally:  # after an interruption the other downloads stop soon and keep what they have
            client.stop.set()
            threads.shutdown(cancel_futures=True)
    if failed:
        first = min(failed)
        raise InputError(
            f"{len(failed)} of {len(files)} files could not be fetched; {first}: {failed[first]}",
            path=folder,
            remedy="Run the same command again: it continues the download.",
        )
    for each in files:
        if not each.sha256:
            log.warning("%s: its right sum is not known here, so it was not checked", each.file)
    return sorted(done, key=lambda each: each.file)


def _fetch(client: Client, folder: Path, file: PackageFile, report: Progress) -> PackageFile:
    within, _, name = file.file.rpartition("/")
    try:
        os.makedirs(folder / within, exist_ok=True)
    except (OSError, ValueError) as error:
        raise InputError(
            f"is no folder and cannot be made one: {getattr(error, 'strerror', error)}",
            path=folder / within,
            remedy="Name another folder.",
        ) from None
    plain = PackageFile(name, file.size, file.sha256, url=file.url)
    fetched = Fetch(client, folder / within, {}, report)(plain)
    return PackageFile(file.file, fetched.size, fetched.sha256, fetched.md5, file.url)
