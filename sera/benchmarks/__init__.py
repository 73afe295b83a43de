"""Benchmarks: topics with an article, gold summaries and what humans marked in them."""

from __future__ import annotations

from dataclasses import dataclass

from sera.records import Citance, Document, Nugget, Reference, Source
from sera.registry import Registry


@dataclass(frozen=True)
class Topic:
    """One topic of a benchmark.

    ``documents`` are the plain texts that come with it: the article itself and the articles that
    cite it. ``nuggets`` may be empty where nobody annotated them.
    """

    id: str
    source: Source
    references: tuple[Reference, ...]
    citances: tuple[Citance, ...] = ()
    nuggets: tuple[Nugget, ...] = ()
    documents: tuple[Document, ...] = ()


BENCHMARKS = Registry(
    "benchmark",
    {
        "tac2014": (
            "sera.benchmarks.tac2014",
            "TAC 2014 BiomedSumm with its Pyramid annotations",
            "pyramids",
        ),
        "demo": ("sera.benchmarks.demo", "a small synthetic benchmark, generated; its truth is known"),
    },
)
