"""Benchmarks: topics with an article, gold summaries and what humans said of them.

A benchmark is a module with two functions: ``inputs``, which lists its files, and ``read``, which gives its
topics. Where ``JUDGED`` is true the topics come with the summaries of systems and with human judgements of
these, and the module has three more functions: ``judged`` names the systems and the judgements,
``collection`` the documents to search, and ``has_nuggets`` says whether content units are marked. Elsewhere
the systems of `sera.summarizers` write the summaries, and what was marked in the gold summaries judges them.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sera.errors import InputError
from sera.records import Candidate, Citance, Document, Judgement, Nugget, Reference, Source
from sera.registry import Registry, unknown

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Topic:
    """One topic of a benchmark.

    ``documents`` are the plain texts that come with it: the article itself and the articles that
    cite it. ``nuggets`` may be empty where nobody annotated them. ``candidates`` and ``judgements`` are
    those of a judged benchmark.
    """

    id: str
    source: Source
    references: tuple[Reference, ...]
    citances: tuple[Citance, ...] = ()
    nuggets: tuple[Nugget, ...] = ()
    documents: Sequence[Document] = ()
    candidates: tuple[Candidate, ...] = ()
    judgements: tuple[Judgement, ...] = ()


def as_document(source: Source) -> Document:
    """An article as a document to be indexed, for a benchmark that brings no collection."""
    return Document(id=source.id, title=source.title, text=" ".join(source.sentences))


def complete(
    path: str | Path, pairs: set[tuple[str, str]], things: Iterable[str], topics: Sequence[str], problem: str
) -> None:
    """Each of the things has to be there for each topic; InputError tells of the first that is not."""
    for thing in things:
        if missing := [topic for topic in topics if (thing, topic) not in pairs]:
            shown = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
            raise InputError(
                f"{problem} {thing} for topic {shown}",
                path=path,
                remedy="Add it, or take the system or the topic out of all files.",
            )


def warn_of_equal(references: Iterable[Reference], path: str | Path) -> None:
    """Warn of two annotators' summaries of one topic that say the same: one may be there by mistake."""
    first: dict[tuple[str, tuple[str, ...]], str] = {}
    for each in references:
        other = first.setdefault((each.topic, each.sentences), each.annotator)
        if other != each.annotator:
            log.warning(
                "%s: the summaries of %s by %s and by %s are equal", path, each.topic, other, each.annotator
            )


def complete_judgements(path: str | Path, judgements: Iterable[Judgement]) -> None:
    """A judgement may be of some systems and topics, but then of each of these systems on each of the topics.

    InputError names the first that was left out; ``path`` is where it should be.
    """
    by_name: dict[str, set[tuple[str, str]]] = {}
    for each in judgements:
        by_name.setdefault(each.judgement, set()).add((each.system, each.topic))
    for name, pairs in by_name.items():
        systems, topics = (sorted({pair[part] for pair in pairs}) for part in (0, 1))
        complete(path, pairs, systems, topics, f"has no {name} of")


BENCHMARKS = Registry(
    "benchmark",
    {
        "tac2014": (
            "sera.benchmarks.tac2014",
            "TAC 2014 BiomedSumm with its Pyramid annotations",
            "pyramids",
            "pmc_oa",
        ),
        "demo": (
            "sera.benchmarks.demo.benchmark",
            "a small synthetic benchmark, generated; its truth is known",
        ),
        "realsumm": ("sera.benchmarks.realsumm", "REALSumm: 25 judged systems on 100 news articles"),
        "nist": (
            "sera.benchmarks.nist",
            "DUC 2005 to 2007 and TAC 2008 to 2011: judged systems on news topics",
        ),
        "folder": ("sera.benchmarks.folder", "a folder of records of one's own; its path is the name"),
    },
)


def is_folder(name: str) -> bool:
    """Whether a benchmark's name is the path of a folder of one's own."""
    return name not in BENCHMARKS and (os.sep in name or os.path.isdir(name))


def resolve(name: str) -> tuple[str, str | None]:
    """The registered benchmark that a name stands for, and the folder where the name is a path.

    >>> resolve("realsumm"), resolve("data/mine")
    (('realsumm', None), ('folder', 'data/mine'))

    Raises InputError for what is neither.
    """
    if name in BENCHMARKS:
        return name, None
    if is_folder(name):
        return "folder", name
    raise InputError(
        f"{unknown('benchmark', name, BENCHMARKS)}",
        remedy="One of your own is named by the path of its folder.",
    )


def results_name(benchmark: str) -> str:
    """What a benchmark is called in the results: its registered name, or that of its folder."""
    registered, folder = resolve(benchmark)
    return Path(folder).absolute().name if folder else registered
