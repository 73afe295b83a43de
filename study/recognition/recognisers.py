"""Recognisers: how much of a content unit a summary says, by words alone, 0 to 1.

`sera.metrics.pyramid` recognises a unit where a recogniser's score is at least a threshold. All recognisers
have one signature: the unit and the summary's sentences, each a tuple of content stems in order
(`stems_in_order`), give the score of the best sentence; 0 without a stem or a sentence.

==========  =============================================================================================
sentence    the largest share of the unit's distinct stems that one sentence has (that of `Pyramid`)
whole       the share that the whole summary has (Lin 2004: the recall of ROUGE-1, unit by unit)
idf         as ``sentence``, with each stem weighted by its inverse document frequency (Sparck Jones 1972)
order       the longest common subsequence with a sentence, as a share of the unit (Lin 2004: ROUGE-L)
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
Recogniser = Callable[[StemsInOrder, Sequence[StemsInOrder]], float]
PRESENT = "sentence"  # the recogniser of `sera.metrics.pyramid.Pyramid` by default


def stems_in_order(text: str) -> StemsInOrder:
    """The stems of a text's tokens without stop words, in order, repeated ones included."""
    return tuple(content.stems(text))


def recognisers(documents: Sequence[Iterable[str]]) -> dict[str, Recogniser]:
    """All recognisers by name. ``documents`` are the stems of the collection's texts, for idf alone."""
    idf = weighted(inverse_frequencies(documents))
    return {PRESENT: share, "whole": whole, "idf": idf, "order": in_order, "soft": soft}


def share(unit: StemsInOrder, sentences: Sequence[StemsInOrder]) -> float:
    """The largest share of a unit's distinct stems that one sentence has."""
    stems = set(unit)
    return max((len(stems.intersection(each)) / len(stems) for each in sentences if stems), default=0.0)


def whole(unit: StemsInOrder, sentences: Sequence[StemsInOrder]) -> float:
    """The share of a unit's distinct stems that the sentences have together."""
    return share(unit, [tuple(stem for sentence in sentences for stem in sentence)])


def inverse_frequencies(documents: Sequence[Iterable[str]]) -> dict[str, float]:
    """The idf of each stem, ln((N + 1) / (n + 1)) for n of N documents; ``""`` has that of an unseen one."""
    frequencies = {"": 0} | Counter(stem for document in documents for stem in set(document))
    return {stem: math.log((len(documents) + 1) / (count + 1)) for stem, count in frequencies.items()}


def weighted(idf: Mapping[str, float]) -> Recogniser:
    """The recogniser ``idf`` with the weights of `inverse_frequencies`; `share` if all weights are 0."""

    def recognise(unit: StemsInOrder, sentences: Sequence[StemsInOrder]) -> float:
        weights = {stem: idf.get(stem, idf[""]) for stem in sorted(set(unit))}
        if not (total := math.fsum(weights.values())):
            return share(unit, sentences)
        sums = (math.fsum(weight for stem, weight in weights.items() if stem in s) for s in sentences)
        return max(sums, default=0.0) / total

    return recognise


def in_order(unit: StemsInOrder, sentences: Sequence[StemsInOrder]) -> float:
    """The longest common subsequence of a unit and a sentence, as a share of the unit's stems."""
    return max((_subsequence(unit, each) for each in sentences), default=0) / max(1, len(unit))


def soft(unit: StemsInOrder, sentences: Sequence[StemsInOrder]) -> float:
    """The mean likeness of a unit's distinct stems with the nearest stem of a sentence (`likeness`)."""
    stems = set(unit)
    sums = (
        math.fsum(1.0 if stem in each else max(likeness(stem, other) for other in each) for stem in stems)
        for each in map(set, sentences)
        if each
    )
    return max(sums, default=0.0) / max(1, len(stems))


@lru_cache(maxsize=1_000_000)
def likeness(one: str, other: str) -> float:
    """Dice's coefficient of the letter trigrams of two stems, 0 to 1; ``_`` marks beginning and end."""
    mine, theirs = _trigrams(one), _trigrams(other)
    return 2 * len(mine & theirs) / (len(mine) + len(theirs))


@lru_cache(maxsize=100_000)
def _trigrams(word: str) -> frozenset[str]:
    text = f"_{word}_"
    return frozenset(text[start : start + 3] for start in range(max(1, len(text) - 2)))


def _subsequence(one: StemsInOrder, other: StemsInOrder) -> int:
    """The length of the longest common subsequence."""
    lengths = [0] * (len(other) + 1)
    for mine in one:
        diagonal = 0
        for place, theirs in enumerate(other, 1):
            upper = lengths[place]
            lengths[place] = diagonal + 1 if mine == theirs else max(upper, lengths[place - 1])
            diagonal = upper
    return lengths[-1]
