"""Counts of the n-grams and skip-bigrams that a candidate shares with its references.

A `ReferenceSet` is made once per topic and compared with every candidate, so what depends on the references
alone is computed once: the numbers of their tokens and n-grams, and the counts in each reference. Tokens and
n-grams of a candidate that no reference has cannot overlap, so they get no number.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from sera.compiled import compiled
from sera.metrics.rouge.preparation import Prepared

NONE = -1  # the number of a token or n-gram that no reference has


class ReferenceSet:
    """The references of a topic.

    ``texts`` are the prepared texts, with their tokens renumbered from 0; ``types`` is the number of
    different tokens.
    """

    def __init__(self, texts: Sequence[Prepared]) -> None:
        # NONE between two texts, since no n-gram spans them
        pieces = [piece for text in texts for piece in (text.tokens, _NONE)]
        self._bounds = np.cumsum([0, *(len(text.tokens) + 1 for text in texts)])
        cut = [text.sentences for text in texts if text.sentences is not text.tokens]
        self._tokens, tokens = _Numbers.of(np.concatenate([*pieces, *cut]))
        self.types = self._tokens.count
        self._ngrams = [(self._tokens, tokens[: self._bounds[-1]])]
        self._counts: dict[int, np.ndarray] = {}
        self.texts = [self._known(text) for text in texts]

    def _known(self, text: Prepared) -> Prepared:
        tokens = self._tokens.find(text.tokens)
        same = text.sentences is text.tokens
        return Prepared(tokens, tokens if same else self._tokens.find(text.sentences), text.starts)

    def compare(self, candidate: Prepared) -> Comparison:
        """Compare a candidate with the references; both must be prepared with the same vocabulary."""
        return Comparison(self._known(candidate), self)

    def ngrams(self, n: int) -> _Numbers:
        """The numbers of the references' n-grams."""
        while len(self._ngrams) < n:
            ngrams = _extended(self._ngrams[-1][1], self._ngrams[0][1], self.types)
            self._ngrams.append(_Numbers.of(ngrams))
        return self._ngrams[n - 1][0]

    def counts(self, n: int) -> np.ndarray:
        """How often each reference has each n-gram, (n-gram, reference)."""
        if n not in self._counts:
            count = self.ngrams(n).count
            self._counts[n] = _counts(self._ngrams[n - 1][1], self._bounds, count)
        return self._counts[n]

    @cached_property
    def counts_without_last(self) -> np.ndarray:
        """`counts` of tokens, without the last token of each reference."""
        counts = self.counts(1).copy()
        for number, text in enumerate(self.texts):
            if len(text.tokens):
                counts[text.tokens[-1], number] -= 1
        return counts


class Comparison:
    """A candidate and the references of its topic; its tokens have the references' numbers, or NONE."""

    def __init__(self, candidate: Prepared, references: ReferenceSet) -> None:
        self.candidate = candidate
        self.references = references
        self._ngrams = [candidate.tokens]
        self._pairs: dict[int, list[int]] = {}
        self._pairs_of_sentences: dict[int, list[int]] = {}

    def shared_ngrams(self, n: int) -> list[int]:
        """The number of n-grams shared with each reference, each counted as often as both texts have it."""
        while len(self._ngrams) < n:
            longer = _extended(self._ngrams[-1], self._ngrams[0], self.references.types)
            self._ngrams.append(self.references.ngrams(len(self._ngrams) + 1).find(longer))
        return _shared(self._ngrams[n - 1], self.references.counts(n)).tolist()

    def shared_unigrams_but_last(self) -> list[int]:
        """The number of tokens shared with each reference, without the last token of each text."""
        counts = self.references.counts_without_last
        return _shared(self.candidate.tokens[:-1], counts).tolist()

    def shared_pairs(self, gap: int | None) -> list[int]:
        """The number of skip-bigrams shared with each reference.

        A skip-bigram is a pair of tokens with at most ``gap`` tokens between them (None: any number).
        """
        longest = max(len(text.tokens) for text in (self.candidate, *self.references.texts))
        reach = longest if gap is None else min(gap + 1, longest)
        if reach not in self._pairs:
            self._pairs[reach] = [
                _shared_pairs(self.candidate.tokens, text.tokens, self.references.types, reach)
                for text in self.references.texts
            ]
        return self._pairs[reach]

    def shared_pairs_of_sentences(self, gap: int | None) -> list[int]:
        """`shared_pairs`, with both tokens of a pair in one sentence; counts are those of whole texts."""
        longest = max(
            int(np.diff(text.starts).max(initial=0)) for text in (self.candidate, *self.references.texts)
        )
        reach = longest if gap is None else min(gap + 1, longest)
        if reach not in self._pairs_of_sentences:
            ours = _spaced(self.candidate, reach)
            self._pairs_of_sentences[reach] = [
                _shared_pairs(ours, _spaced(text, reach), self.references.types, reach)
                for text in self.references.texts
            ]
        return self._pairs_of_sentences[reach]

    def budgets(self) -> np.ndarray:
        """How often both the candidate and a reference have each token, (reference, token)."""
        return _budgets(self.candidate.tokens, self.references.counts(1))


_NONE = np.array([NONE])


def _spaced(text: Prepared, reach: int) -> np.ndarray:
    """The tokens, with ``reach`` times `NONE` after each sentence, so that no pair spans two sentences."""
    between = np.full(reach, NONE)
    sentences = np.split(text.tokens, text.starts[1:-1])
    return np.concatenate([piece for sentence in sentences for piece in (sentence, between)])


class _Numbers:
    """Numbers from 0 for a set of keys (integers from 0), as an open-addressing hash table."""

    def __init__(self, keys: np.ndarray, values: np.ndarray, count: int) -> None:
        self._keys, self._values, self.count = keys, values, count

    @classmethod
    def of(cls, keys: np.ndarray) -> tuple[_Numbers, np.ndarray]:
        """Number the keys in the order of their first occurrence; also returns the number of each key."""
        table, values, numbers, count = _number(keys)
        return cls(table, values, count), numbers

    def find(self, keys: np.ndarray) -> np.ndarray:
        """The numbers of the keys, NONE for an unknown key."""
        return _find(keys, self._keys, self._values)


@compiled
def _slot(table, key):
    """The slot of the key in the table, or the empty slot where it belongs."""
    last = len(table) - 1
    slot = np.int64((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & last
    while table[slot] != key and table[slot] != NONE:
        slot = (slot + 1) & last
    return slot


@compiled
def _number(keys):
    size = 2
    while size < 2 * len(keys):
        size *= 2
    table, values = np.full(size, NONE), np.empty(size, np.int64)
    numbers = np.full(len(keys), NONE)
    count = 0
    for place, key in enumerate(keys):
        if key == NONE:
            continue
        slot = _slot(table, key)
        if table[slot] == NONE:
            table[slot], values[slot] = key, count
            count += 1
        numbers[place] = values[slot]
    return table, values, numbers, count


@compiled
def _find(keys, table, values):
    numbers = np.full(len(keys), NONE)
    for place, key in enumerate(keys):
        if key != NONE:
            slot = _slot(table, key)
            if table[slot] == key:
                numbers[place] = values[slot]
    return numbers


@compiled
def _extended(ngrams, tokens, types):
    """A key for each (n + 1)-gram, by place: an n-gram and the next token; NONE if one has no number."""
    n = len(tokens) - len(ngrams) + 1
    keys = np.full(max(0, len(ngrams) - 1), NONE)
    for place in range(len(keys)):
        if ngrams[place] != NONE and tokens[place + n] != NONE:
            keys[place] = ngrams[place] * types + tokens[place + n]
    return keys


@compiled
def _counts(numbers, bounds, count):
    """How often each number occurs between consecutive bounds, (number, part)."""
    counts = np.zeros((count, len(bounds) - 1), np.int64)
    for part in range(len(bounds) - 1):
        for place in range(bounds[part], min(bounds[part + 1], len(numbers))):
            if numbers[place] != NONE:
                counts[numbers[place], part] += 1
    return counts


@compiled
def _shared(numbers, counts):
    """For each reference, the sum over all numbers of the smaller of the two counts."""
    met = np.zeros(len(counts), np.int64)
    shared = np.zeros(counts.shape[1], np.int64)
    for number in numbers:
        if number != NONE:
            met[number] += 1
            for reference in range(counts.shape[1]):
                shared[reference] += met[number] <= counts[number, reference]
    return shared


@compiled
def _budgets(numbers, counts):
    met = np.zeros(len(counts), np.int64)
    for number in numbers:
        if number != NONE:
            met[number] += 1
    budgets = np.empty((counts.shape[1], len(counts)), np.int64)
    for reference in range(counts.shape[1]):
        for number in range(len(counts)):
            budgets[reference, number] = min(met[number], counts[number, reference])
    return budgets


@compiled
def _by_type(tokens, wanted, types):
    """The wanted tokens, their places, and their ranks sorted by token with the begin of each token."""
    count = 0
    for token in tokens:
        count += token != NONE and wanted[token]
    kept, places = np.empty(count, np.int64), np.empty(count, np.int64)
    begins = np.zeros(types + 1, np.int64)
    count = 0
    for place, token in enumerate(tokens):
        if token != NONE and wanted[token]:
            kept[count], places[count] = token, place
            begins[token + 1] += 1
            count += 1
    for token in range(types):
        begins[token + 1] += begins[token]
    ranks, at = np.empty(count, np.int64), begins.copy()
    for rank, token in enumerate(kept):
        ranks[at[token]] = rank
        at[token] += 1
    return kept, places, ranks, begins


@compiled
def _marked(tokens, types):
    marked = np.zeros(types, np.bool_)
    for token in tokens:
        if token != NONE:
            marked[token] = True
    return marked


@compiled
def _shared_pairs(candidate, reference, types, reach):
    """The number of shared pairs of tokens in order, at most ``reach`` apart.

    Each pair counts as often as both texts have it. Only tokens of both texts can form a shared pair. Pairs
    are processed by their first token, so only the counts for one first token are in memory.
    """
    ours, our_places, our_ranks, our_begins = _by_type(candidate, _marked(reference, types), types)
    theirs, places, ranks, begins = _by_type(reference, _marked(candidate, types), types)
    left = np.zeros(types, np.int64)
    shared = 0
    for first in range(types):
        for rank in ranks[begins[first] : begins[first + 1]]:
            for later in range(rank + 1, len(theirs)):
                if places[later] - places[rank] > reach:
                    break
                left[theirs[later]] += 1
        for rank in our_ranks[our_begins[first] : our_begins[first + 1]]:
            for later in range(rank + 1, len(ours)):
                if our_places[later] - our_places[rank] > reach:
                    break
                matched = left[ours[later]] > 0
                left[ours[later]] -= matched
                shared += matched
        for rank in ranks[begins[first] : begins[first + 1]]:
            for later in range(rank + 1, len(theirs)):
                if places[later] - places[rank] > reach:
                    break
                left[theirs[later]] = 0
    return shared
