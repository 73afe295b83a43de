"""The truth of the demo benchmark: the facts that each sentence states, and the true Pyramid scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike

from sera.io import records


@dataclass(frozen=True)
class TrueFact:
    """A fact of a topic: its weight (gold summaries that state it), and the names of the related concepts."""

    id: str
    weight: int
    relation: str
    subject: tuple[str, ...]
    object: tuple[str, ...]
    context: tuple[str, ...] = ()


@dataclass(frozen=True)
class Statement:
    """A sentence of the article, a citing article or a gold summary, and the ids of the facts it states."""

    text: str
    facts: tuple[str, ...]


@dataclass(frozen=True)
class Truth:
    """The truth of a topic; a sentence that is not in ``sentences`` states none of its facts."""

    topic: str
    annotators: tuple[str, ...]
    facts: tuple[TrueFact, ...]
    sentences: tuple[Statement, ...]


def read_truth(path: str | PathLike[str]) -> dict[str, Truth]:
    """Read the truth by topic from ``truth.jsonl``; InputError for a malformed file."""
    return {truth.topic: truth for truth in records.iterate(path, Truth)}


def facts_in(sentences: Sequence[str], truth: Truth) -> list[str]:
    """The ids of the facts that a text states, in the order of ``truth.facts``.

    A sentence of the truth is found between starts or ends of sentences and full stops.
    """
    pieces = [" ".join(piece.split()) for piece in sentences]
    pieces = [piece for piece in pieces if piece]
    text = " ".join(pieces)
    starts, ends, position = set(), set(), 0
    for piece in pieces:
        starts.add(position)
        position += len(piece)
        ends.add(position)
        position += 1
    ids: set[str] = set()
    for statement in truth.sentences:
        words = statement.text.rstrip(".")
        start = text.find(words)  # a pattern for each of thousands of statements would be compiled each time
        while start >= 0:
            end = start + len(words)
            begins = start in starts or text.endswith(". ", 0, start)
            if begins and (end in ends or text.startswith(".", end)):
                ids.update(statement.facts)
                break
            start = text.find(words, start + 1)
    return [fact.id for fact in truth.facts if fact.id in ids]


def true_pyramid(sentences: Sequence[str], truth: Truth, size: str = "candidate") -> float:
    """The exact Pyramid score of a summary that consists of a topic's sentences; 0 without facts.

    ``size`` is that of `sera.metrics.pyramid.Pyramid`. Facts of weight 0 are not part of the pyramid.
    """
    weights = {fact.id: fact.weight for fact in truth.facts if fact.weight}
    values = [weights[fact] for fact in facts_in(sentences, truth) if fact in weights]
    if not values:
        return 0.0
    count = len(values) if size == "candidate" else math.ceil(sum(weights.values()) / len(truth.annotators))
    return sum(values) / sum(sorted(weights.values(), reverse=True)[:count])
