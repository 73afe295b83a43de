"""Which topics a model is trained on, and which it summarises: never the same."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sera.benchmarks import Topic
from sera.errors import InputError
from sera.io.records import Reference, Source

DEVELOPMENT_SHARE = 0.1
"""The share of the topics outside a part that choose the best pass; about that of the paper's ScisummNet."""


class Split(NamedTuple):
    """Articles and their gold summaries, in the order of the articles."""

    sources: list[Source]
    references: list[Reference]

    @classmethod
    def of(cls, sources: Iterable[Source], references: Iterable[Reference]) -> Split:
        """The articles, with those of the summaries that are theirs."""
        articles = list(sources)
        place = {source.topic: number for number, source in enumerate(articles)}
        own = [one for one in references if one.topic in place]
        return cls(articles, sorted(own, key=lambda one: place[one.topic]))


class Parts(NamedTuple):
    """The topics to train on, those that choose the best pass, and the articles to summarise."""

    training: Split
    development: Split
    tested: list[Source]


def read_splits(splits: Mapping[str, Sequence[Topic]], tested: Sequence[Source], release: str) -> Parts:
    """The splits ``train`` and ``dev`` of a benchmark; an article with a tested topic's id is left out.

    InputError if one of them is missing.
    """
    there = {source.topic for source in tested}

    def make_split(name: str) -> Split:
        if name not in splits:
            problem = f"has no split {name!r}, on which systems are trained"
            raise InputError(problem, path=release, remedy="Get the whole release.")
        topics = [topic for topic in splits[name] if topic.id not in there]
        return Split.of(
            (topic.source for topic in topics), (one for topic in topics for one in topic.references)
        )

    return Parts(make_split("train"), make_split("dev"), list(tested))


def draw_part(
    number: int, parts: int, sources: Sequence[Source], references: Sequence[Reference], seed: int
) -> Parts:
    """Part ``number``, from 0, of topics in random order; the others are to train on and to choose by.

    InputError for fewer topics than parts, or fewer than two outside a part.
    """
    order = list(sources)
    random.Random(f"{seed} parts").shuffle(order)
    largest = math.ceil(len(order) / parts)
    if len(order) < parts or len(order) - largest < 2:
        change = "Lower guided.folds." if len(order) < parts else "Raise guided.folds."
        problem = f"{len(order)} topics cannot be divided into {parts} parts and trained on"
        raise InputError(problem, remedy=change if len(order) > 2 else "Add topics.")
    part_topics = {source.topic for source in order[number::parts]}
    others = [source for source in order if source.topic not in part_topics]
    share = min(len(others) - 1, max(1, round(DEVELOPMENT_SHARE * len(others))))
    return Parts(
        Split.of(others[share:], references),
        Split.of(others[:share], references),
        [source for source in sources if source.topic in part_topics],
    )
