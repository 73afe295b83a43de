"""Recognisers: how much of a content unit a summary says, by words alone, 0 to 1.

`sera.metrics.pyramid` recognises a unit where a recogniser's score is at least a threshold. All recognisers
have one signature: the unit's wordings and the summary's sentences, each a tuple of content stems in order
(`stems_in_order`), give the score of the best wording; 0 without a wording or a sentence.

==========  =============================================================================================
sentence    the largest share of a wording's distinct stems that one sentence has (that of `Pyramid`)
whole       the share that the whole summary has (Lin 2004: the recall of ROUGE-1, unit by unit)
idf         as ``sentence``, with each stem weighted by its inverse document frequency (Sparck Jones 1972)
order       the longest common subsequence with a sentence, as a share of the wording (Lin 2004: ROUGE-L)
soft        as ``sentence``, with each stem counted by its nearest stem of the sentence: Dice's coefficient of
            letter trigrams (Angell, Freund & Willett 1983)
==========  =============================================================================================

None needs a download. docs/statistics.md compares them with human judgements.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from sera.text import content

StemsInOrder = tuple[str, ...]
Recogniser = Callable[[Sequence[StemsInOrder], Sequence[StemsInOrder]], float]

PRESENT = "sentence"
"""The recogniser of `sera.metrics.pyramid.Pyramid` by default."""


def stems_in_order(text: str) -> StemsInOrder:
    """The stems of a text's tokens without stop words, in order, repeated ones included."""
    return tuple(content.stems(text))


def recognisers(documents: Iterable[Iterable[str]]) -> dict[str, Recogniser]:
    """All recognisers by name. ``documents`` are the stems of the collection's texts, for idf alone."""
    return {
        PRESENT: share,
        "whole": whole,
        "idf": weighted(inverse_frequencies(documents)),
        "order": in_order,
        "soft": soft,
    }


def share(wordings: Sequence[StemsInOrder], sentences: Sequence[StemsInOrder]) -> float:
    """The largest share of a wording's distinct stems that one sentence has."""
    return _best(lambda wanted, there: len(wanted & there) / len(wanted), wordings, sentences)


def whole(wordings: Sequence[StemsInOrder], sentences: Sequence[StemsInOrder]) -> float:
    """The largest share of a wording's distinct stems that the sentences have together."""
    return share(wordings, [tuple(each for sentence in sentences for each in sentence)])


def inverse_frequencies(documents: Iterable[Iterable[str]]) -> dict[str, float]:
    """The idf of each stem, ln((N + 1) / (n + 1)) for n of N documents; ``""`` has that of an unseen one."""
    frequencies: Counter[str] = Counter()
    number = 0
    for document in documents:
        frequencies.update(set(document))
        number += 1
    return {"": math.log(number + 1)} | {
        each: math.log((number + 1) / (count + 1)) for each, count in frequencies.items()
    }


def weighted(idf: Mapping[str, float]) -> Recogniser:
    """The recogniser ``idf`` with the weights of `inverse_frequencies`; `share` if all weights are 0."""

    def of_one(wanted: frozenset[str], there: frozenset[str]) -> float:
        weights = {each: idf.get(each, idf[""]) for each in sorted(wanted)}
        total = math.fsum(weights.values())
        if not total:
            return len(wanted & there) / len(wanted)
        return math.fsum(weight for each, weight in weights.items() if each in there) / total

    return lambda wordings, sentences: _best(of_one, wordings, sentences)


def in_order(wordings: Sequence[StemsInOrder], sentences: Sequence[StemsInOrder]) -> float:
    """The longest common subsequence of a wording and a sentence, as a share of the wording's stems."""
    return max(
        (
            _subsequence(wording, sentence) / len(wording)
            for wording in wordings
            if wording
            for sentence in sentences
        ),
        default=0.0,
    )


def soft(wordings: Sequence[StemsInOrder], sentences: Sequence[StemsInOrder]) -> float:
    """The mean likeness of a wording's distinct stems with the nearest stem of a sentence (`likeness`)."""

    def of_one(wanted: frozenset[str], there: frozenset[str]) -> float:
        if not there:
            return 0.0
        nearest = (1.0 if each in there else max(likeness(each, other) for other in there) for each in wanted)
        return math.fsum(nearest) / len(wanted)

    return _best(of_one, wordings, sentences)


@lru_cache(maxsize=1_000_000)
def likeness(one: str, other: str) -> float:
    """Dice's coefficient of the letter trigrams of two stems, 0 to 1; ``_`` marks beginning and end."""
    mine, theirs = _trigrams(one), _trigrams(other)
    return 2 * len(mine & theirs) / (len(mine) + len(theirs))


@lru_cache(maxsize=100_000)
def _trigrams(word: str) -> frozenset[str]:
    padded = f"_{word}_"
    return frozenset(padded[start : start + 3] for start in range(max(1, len(padded) - 2)))


def _best(
    of_one: Callable[[frozenset[str], frozenset[str]], float],
    wordings: Sequence[StemsInOrder],
    sentences: Sequence[StemsInOrder],
) -> float:
    """The highest score of a wording in a sentence, both as sets of stems."""
    there = [frozenset(sentence) for sentence in sentences]
    wanted = [frozenset(wording) for wording in wordings if wording]
    return max((of_one(each, sentence) for each in wanted for sentence in there), default=0.0)


def _subsequence(one: StemsInOrder, other: StemsInOrder) -> int:
    """The length of the longest common subsequence."""
    lengths = [0] * (len(other) + 1)
    for mine in one:
        diagonal = 0
        for place, theirs in enumerate(other, 1):
            above = lengths[place]
            lengths[place] = diagonal + 1 if mine == theirs else max(above, lengths[place - 1])
            diagonal = above
    return lengths[-1]
