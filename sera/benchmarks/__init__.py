"""Benchmarks: topics with an article, gold summaries and what humans said of them.

A benchmark is a module with two functions: ``inputs``, which lists its files, and ``read``, which gives its
topics. Where ``JUDGED`` is true the topics come with the summaries of systems and with human judgements of
these, and the module has three more functions: ``judged`` names the systems and the judgements,
``collection`` the documents to search, and ``has_nuggets`` says whether content units are marked. Elsewhere
the systems of `sera.summarizers` write the summaries, and what was marked in the gold summaries judges them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sera.errors import InputError
from sera.records import Candidate, Citance, Document, Judgement, Nugget, Reference, Source
from sera.registry import Registry, unknown


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


BENCHMARKS = Registry(
    "benchmark",
    {
        "tac2014": (
            "sera.benchmarks.tac2014",
            "TAC 2014 BiomedSumm with its Pyramid annotations",
            "pyramids",
            "pmc_oa",
        ),
        "demo": ("sera.benchmarks.demo", "a small synthetic benchmark, generated; its truth is known"),
        "realsumm": ("sera.benchmarks.realsumm", "REALSumm: 25 judged systems on 100 news articles"),
        "folder": ("sera.benchmarks.folder", "a folder of records of one's own; its path is the name"),
    },
)


def is_folder(name: str) -> bool:
    """Whether a benchmark's name is the path of a folder of one's own."""
    return name not in BENCHMARKS and (os.sep in name or Path(name).is_dir())


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
