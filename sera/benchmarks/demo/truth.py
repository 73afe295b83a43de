"""What is true of the demo benchmark: which sentence states which facts, and the score that follows."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike

from sera import records
from sera.errors import InputError

SIZES = ("candidate", "references")


@dataclass(frozen=True)
class TrueFact:
    """A fact of a topic, how many gold summaries state it, and the names of what it relates."""

    id: str
    weight: int
    relation: str
    subject: tuple[str, ...]
    object: tuple[str, ...]
    context: tuple[str, ...] = ()


@dataclass(frozen=True)
class Statement:
    """A sentence as it stands in the article, a citing article or a gold summary, and the facts it states."""

    text: str
    facts: tuple[str, ...]


@dataclass(frozen=True)
class Truth:
    """What is true of a topic. A sentence that is not in ``sentences`` states none of its facts."""

    topic: str
    annotators: tuple[str, ...]
    facts: tuple[TrueFact, ...]
    sentences: tuple[Statement, ...]


def read_truth(path: str | PathLike[str]) -> dict[str, Truth]:
    """The truth by topic from ``truth.jsonl``. Raises InputError for what is not one."""
    return {truth.topic: truth for truth in records.iterate(path, Truth)}


def facts_in(sentences: Sequence[str], truth: Truth) -> list[str]:
    """The ids of the facts that a text states, in the order of ``truth.facts``.

    The text's own sentence boundaries and white space do not matter: a sentence of the truth is found where
    it stands between the begin of a sentence or a full stop, and a full stop or the end of a sentence.
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
    found: set[str] = set()
    for statement in truth.sentences:
        for match in re.finditer(re.escape(statement.text.rstrip(".")), text):
            begins = match.start() in starts or text.endswith(". ", 0, match.start())
            if begins and (match.end() in ends or text.startswith(".", match.end())):
                found.update(statement.facts)
                break
    return [fact.id for fact in truth.facts if fact.id in found]


def true_pyramid(sentences: Sequence[str], truth: Truth, size: str = "candidate") -> float:
    """The exact Pyramid score of a summary that is made of a topic's sentences.

    Cohan & Goharian 2016, section 4.2: the weights of the facts that it states, over the highest sum that X
    facts can have. X is the number of facts stated (``size="candidate"``, as printed; at most 1), or the
    rounded-up mean number of facts in a gold summary (``size="references"``; may be above 1). Facts of
    weight 0 are no part of the pyramid and do not count to X. A summary without facts scores 0.
    """
    if size not in SIZES:
        raise InputError(f"the size of a Pyramid is one of {', '.join(SIZES)}, not {size!r}")
    weights = {fact.id: fact.weight for fact in truth.facts if fact.weight}
    stated = [weights[fact] for fact in facts_in(sentences, truth) if fact in weights]
    if not stated:
        return 0.0
    count = len(stated) if size == "candidate" else math.ceil(sum(weights.values()) / len(truth.annotators))
    return sum(stated) / sum(sorted(weights.values(), reverse=True)[:count])
