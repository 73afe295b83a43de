"""Data sets with human judgements: what they hold, what their licence allows, and where they are.

`DATASETS` lists them; `get` fetches one from its authors' repository, at the commit on which the readers and
tests rest. Nothing of a data set is kept in this repository but the names, sizes and sums of its files, in
``sera/resources/datasets/<name>.tsv`` (``file``, ``size``, ``sha256``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from sera.benchmarks import load_benchmark
from sera.errors import InputError
from sera.io import tsv
from sera.io import web as servers
from sera.io.download import Client, PackageFile, fetch_all, make_folder
from sera.registry import unknown

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
        *("100 news articles", "25", "1", "content units found", "not named", "English"),
        f"CC BY 4.0 (REALSumm); this copy: {_NO_LICENCE}",
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
        *("618 abstracts; 51 are judged", "4", "2 to 4", "informativeness, 0 to 6"),
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
}
"""The data sets by name."""


def benchmarks_in(folder: str | Path) -> tuple[dict[str, Path], list[str]]:
    """Which judged benchmarks a folder has, each data set below its name (`sera datasets get`).

    Returns the benchmarks found, each with its data set's folder, and the names of the data sets that are not
    there. Whether what is there is complete, its reader checks. InputError if none is there.
    """
    found: dict[str, Path] = {}
    missing = []
    for name, each in DATASETS.items():
        judged = [one for one in each.benchmarks if load_benchmark(one).JUDGED]
        if (below := Path(folder) / name).is_dir():
            found |= dict.fromkeys(judged, below)
        elif judged:
            missing.append(name)
    if not found:
        raise InputError(
            "has none of the data sets",
            path=folder,
            remedy="Fetch them by `sera datasets get --all --to` this folder, or name another.",
        )
    return found, missing


RAW = "https://raw.githubusercontent.com"
_TABLES = Path(__file__).parent.parent / "resources/datasets"


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
        yield PackageFile(file, int(size), sha256, url=address)


def get(
    name: str,
    to: str | Path,
    within: str = "",
    *,
    server: str = RAW,
    at_once: int = 3,
    tries: int = 8,
    pause: float = 1.0,
) -> list[PackageFile]:
    """Fetch a data set into the folder ``to``, or into the folder ``within`` it.

    What is there with the right sum stays, and a broken download continues. A link below ``to`` is not
    followed, since files would land outside.

    ``at_once``, ``tries`` and ``pause``: as in `sera.corpora.pmc_oa_download.download`, whose checks and
    repeats hold here too. Returns the files with their sizes and sums. InputError for an unknown name, a
    wrong address or folder, for a link, and for files that could not be fetched, after all others.
    """
    files = list(files_of(name, server))
    if wrong := servers.fault(server):
        raise InputError(f"the address of the server {wrong}", remedy="Give an address like https://server.")
    for parent in sorted({Path(within, each.file).parent for each in files}):
        for folder in (Path(to, part) for part in (*parent.parents, parent) if part.name):
            if folder.is_symlink():
                raise InputError(
                    "is a link", path=folder, remedy="Put a folder there, or choose another --to."
                )
        make_folder(Path(to, parent))
    return fetch_all(Client(tries, pause), files, Path(to, within), at_once)
