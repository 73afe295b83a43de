"""Which articles are in which sample of the collection, for the study of the index.

==================  ================================================================================
collection          articles
==================  ================================================================================
whole               all
random              drawn from all
one journal         drawn from the journal with the most articles
many journals       drawn from all, but few of any one journal
on the subject      drawn from the third nearest to the topics' articles
off the subject     drawn from the third farthest from them
==================  ================================================================================

A draw orders all articles by a hash of their ids. A sample of n articles is the first n in that order that
the collection allows, so larger samples of a draw include smaller ones (of many journals too, because a
larger sample may only have more of each journal).
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

WHOLE, RANDOM, JOURNAL, JOURNALS, NEAREST, FAR = COLLECTIONS = (
    "whole",
    "random",
    "one journal",
    "many journals",
    "on the subject",
    "off the subject",
)
_NEAREST = 3  # the nearest and the farthest third of the articles are on and off the subject
_ROOM = 2  # a kind of article has at least twice as many as a sample, so that draws differ


class Sample(NamedTuple):
    """The ids of the articles of one sample; draws are counted from 1, and the whole is draw 0."""

    collection: str
    draw: int
    documents: tuple[str, ...]


def in_order(ids: Iterable[str], seed: int, draw: int) -> list[str]:
    """The ids in the order of a draw: of their hashes with the seed and the number of the draw."""
    return sorted(ids, key=lambda id: (hashlib.sha256(f"{seed} {draw} {id}".encode()).digest(), id))


def of_many_journals(
    order: Iterable[str], journal_of: Mapping[str, str], size: int, share: float
) -> tuple[str, ...] | None:
    """The first ``size`` articles of an order, with at most a share, above 0 and up to 1, from one journal.

    Further articles of a journal are skipped. A journal may always have one. None if there are too few.
    """
    most = max(1, math.floor(share * size))
    taken: Counter[str] = Counter()
    found: list[str] = []
    for id in order:
        if len(found) < size and taken[journal_of[id]] < most:
            taken[journal_of[id]] += 1
            found.append(id)
    return tuple(found) if len(found) == size else None


def by_nearness(ids: Sequence[str], rankings: Iterable[Sequence[str]]) -> list[str]:
    """The articles from the nearest to the farthest of the topics' articles.

    ``rankings`` hold the ids that each topic's article retrieves, best first. An article is as near as its
    best rank in any of them, since one topic is enough to be on the subject; ties are decided by the mean of
    its ranks, then by the order of ``ids``. What a ranking lacks comes after all that it has.
    """
    last = len(ids)
    best, total = dict.fromkeys(ids, last), dict.fromkeys(ids, 0)
    for ranking in rankings:
        ranks = {id: rank for rank, id in enumerate(ranking)}
        for id in ids:
            rank = ranks.get(id, last)
            best[id], total[id] = min(best[id], rank), total[id] + rank
    return sorted(ids, key=lambda id: (best[id], total[id]))


def on_subject(nearness: Sequence[str]) -> Sequence[str]:
    """The nearest third of the articles, which are in order from the nearest to the farthest."""
    return nearness[: len(nearness) // _NEAREST]


def largest_journal(ids: Iterable[str], journal_of: Mapping[str, str]) -> tuple[str, ...]:
    """The articles of the largest journal, the first by name in a tie; empty names do not count."""
    counts = Counter(journal_of[id] for id in ids if journal_of[id])
    if not counts:
        return ()
    journal = min(counts, key=lambda name: (-counts[name], name))
    return tuple(id for id in ids if journal_of[id] == journal)


def samples(
    ids: Sequence[str],
    journal_of: Mapping[str, str],
    nearness: Sequence[str],
    *,
    sizes: Iterable[int],
    draws: int,
    seed: int,
    share: float,
) -> Iterator[Sample]:
    """The samples, first the whole.

    ids:         the articles
    journal_of:  the journal of each; empty if it is unknown, and then a journal of its own
    nearness:    the articles as from `by_nearness`
    sizes:       numbers of articles; those that are not below the number of articles are left out, and for
                 a kind of articles those above half their number
    draws:       random samples of each size
    share:       the most that one of many journals may have of a sample, above 0 and up to 1
    """
    yield Sample(WHOLE, 0, tuple(ids))
    third = len(ids) // _NEAREST
    pools = {
        RANDOM: set(ids),
        JOURNAL: set(largest_journal(ids, journal_of)),
        NEAREST: set(on_subject(nearness)),
        FAR: set(nearness[len(ids) - third :]),
    }
    named = {id: journal_of[id] or f"{id}\0" for id in ids}  # no title of a journal has a null
    orders = {draw: in_order(ids, seed, draw) for draw in range(1, draws + 1)}
    for size in sorted({size for size in sizes if size < len(ids)}):
        for collection, pool in pools.items():
            if collection == RANDOM or size * _ROOM <= len(pool):
                for draw, order in orders.items():
                    yield Sample(collection, draw, tuple([id for id in order if id in pool][:size]))
        if size * _ROOM <= len(ids):
            found = {draw: of_many_journals(order, named, size, share) for draw, order in orders.items()}
            yield from (Sample(JOURNALS, draw, chosen) for draw, chosen in found.items() if chosen)
