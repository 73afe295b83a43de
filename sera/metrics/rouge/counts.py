"""Counts of the n-grams and skip-bigrams that a candidate shares with its references.

A `ReferenceSet` is made once per topic and compared with every candidate, so what depends on the references
alone is computed once: the numbers of their tokens and n-grams, and the counts in each reference. Tokens and
n-grams of a candidate that no reference has cannot overlap, so they get no number.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from sera.compiled import compiled
from sera.metrics.rouge.preparation import Prepared, PreparedTexts
from sera.metrics.rouge.token_table import GAP, Tokens

NONE = GAP  # the number of a token or n-gram that no reference has; no n-gram spans a gap


class ReferenceSet:
    """The references of a topic.

    ``types`` is the number of different tokens, ``lengths`` are the numbers of tokens of the texts.
    """

    def __init__(self, texts: PreparedTexts) -> None:
        numbers, self._bounds, self._starts, self._sizes = texts.tokens
        self._sentences = texts.sentences
        if self._sentences is not None:
            numbers = np.concatenate([numbers, self._sentences.numbers])
        bounds = self._bounds.tolist()
        self._tokens, table, counts = _number(numbers, numbers, 0, 0, self._bounds)
        self._ngrams = [_Ngrams(self._tokens[: bounds[-1]], table, counts)]
        self.types = len(counts)
        self.lengths = [end - begin - 1 for begin, end in pairwise(bounds)]

    @cached_property
    def texts(self) -> list[Prepared]:
        """The texts, with their tokens renumbered from 0."""
        numbers, length = self._tokens, self._bounds[-1]
        tokens = Tokens(numbers[:length], self._bounds, self._starts, self._sizes)
        sentences = self._sentences and self._sentences._replace(numbers=numbers[length:])
        every = PreparedTexts(tokens, sentences)
        return [every.text(number) for number in range(len(self.lengths))]

    def compare(self, candidate: Prepared) -> Comparison:
        """Compare a candidate with the references; both must be prepared with the same vocabulary."""
        return Comparison(candidate, self)

    def ngrams(self, n: int) -> _Ngrams:
        """The references' n-grams."""
        while len(self._ngrams) < n:
            ngrams, tokens = self._ngrams[-1].numbers, self._ngrams[0].numbers
            longer = _number(ngrams, tokens, len(self._ngrams), self.types, self._bounds)
            self._ngrams.append(_Ngrams(*longer))
        return self._ngrams[n - 1]

    def counts(self, n: int) -> np.ndarray:
        """How often each reference has each n-gram, (n-gram, reference)."""
        return self.ngrams(n).counts

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
        _, table, counts = references.ngrams(1)
        tokens, shared = _met(candidate.tokens, candidate.tokens, 0, 0, table, counts)
        sentences = tokens
        if candidate.sentences is not candidate.tokens:
            sentences, _ = _met(candidate.sentences, candidate.sentences, 0, 0, table, counts)
        self.candidate = Prepared(tokens, sentences, candidate.starts)
        self.references = references
        self._ngrams = [(tokens, shared.tolist())]
        self._pairs: dict[int, list[int]] = {}
        self._pairs_of_sentences: dict[int, list[int]] = {}

    def shared_ngrams(self, n: int) -> list[int]:
        """The number of n-grams shared with each reference, each counted as often as both texts have it."""
        while len(self._ngrams) < n:
            _, table, counts = self.references.ngrams(len(self._ngrams) + 1)
            ngrams, tokens, types = self._ngrams[-1][0], self._ngrams[0][0], self.references.types
            numbers, shared = _met(ngrams, tokens, len(self._ngrams), types, table, counts)
            self._ngrams.append((numbers, shared.tolist()))
        return self._ngrams[n - 1][1]

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


def _spaced(text: Prepared, reach: int) -> np.ndarray:
    """The tokens, with ``reach`` times `NONE` after each sentence, so that no pair spans two sentences."""
    between = np.full(reach, NONE)
    sentences = np.split(text.tokens, text.starts[1:-1])
    return np.concatenate([piece for sentence in sentences for piece in (sentence, between)])


class _Ngrams(NamedTuple):
    """The n-grams of all references, numbered from 0 in the order of their first occurrence.

    ``numbers`` has the number of each n-gram, by place. ``table`` is an open-addressing hash table of their
    keys (integers from 0, `NONE` in an empty slot) and numbers, (slot, 2). ``counts`` says how often each
    reference has each n-gram, (n-gram, reference).
    """

    numbers: np.ndarray
    table: np.ndarray
    counts: np.ndarray


@compiled
def _slot(table, key):
    """The slot of the key in the table, or the empty slot where it belongs."""
    last = np.uint64(len(table) - 1)
    slot = ((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & last
    while table[slot, 0] != key and table[slot, 0] != NONE:
        slot = (slot + np.uint64(1)) & last
    return slot


@compiled
def _size_for(keys):
    """The size of a table of so many keys at most."""
    size = 2
    while size < 2 * keys:
        size *= 2
    return size


@compiled
def _key(ngram, token, types):
    """The key of an n-gram and a later token, NONE if one has no number; with 0 types, that of the token."""
    return NONE if (ngram | token) == NONE else ngram * types + token  # -1 has all bits


@compiled
def _number(ngrams, tokens, later, types, bounds):
    """The parts of `_Ngrams` for the keys by place; ``bounds`` are those of the references.

    A key is that of an n-gram and the token ``later`` places after its begin; see `_key`.
    """
    length = max(0, len(tokens) - later)
    table = np.full((_size_for(length), 2), NONE)
    numbers = np.empty(length, np.int64)
    count = 0
    for place in range(length):
        key = _key(ngrams[place], tokens[place + later], types)
        number = NONE
        if key != NONE:
            slot = _slot(table, key)
            number = table[slot, 1]
            if number == NONE:
                table[slot, 0], table[slot, 1] = key, count
                number = count
                count += 1
        numbers[place] = number
    counts = np.zeros((count, len(bounds) - 1), np.int64)
    for part in range(len(bounds) - 1):
        for place in range(bounds[part], min(bounds[part + 1], length)):
            if numbers[place] != NONE:
                counts[numbers[place], part] += 1
    return numbers, table, counts


@compiled
def _met(ngrams, tokens, later, types, table, counts):
    """The numbers of a candidate's keys, NONE for an unknown one, and how many each reference shares.

    The number shared is the sum over all keys of the smaller of the two counts.
    """
    length = max(0, len(tokens) - later)
    numbers = np.empty(length, np.int64)
    met = np.zeros(len(counts), np.int64)
    shared = np.zeros(counts.shape[1], np.int64)
    for place in range(length):
        key = _key(ngrams[place], tokens[place + later], types)
        number = NONE
        if key != NONE:
            number = table[_slot(table, key), 1]  # NONE in an empty slot
            if number != NONE:
                met[number] += 1
                for reference in range(counts.shape[1]):
                    shared[reference] += met[number] <= counts[number, reference]
        numbers[place] = number
    return numbers, shared


@compiled
def shared_in_sets(numbers, bounds, begins, sizes, most):
    """The n-grams that candidates share with their references, for n up to ``most``.

    Set s has the texts from ``begins[s]``: ``sizes[s]`` references, and their candidates. Returns the number
    of shared n-grams, (n - 1, pair), and the two texts of each pair: a candidate's pairs follow each other.
    """
    pairs = longest = 0
    for one in range(len(sizes)):
        pairs += sizes[one] * (begins[one + 1] - begins[one] - sizes[one])
        longest = max(longest, bounds[begins[one] + sizes[one]] - bounds[begins[one]])
    shared, texts = np.zeros((most, pairs), np.int64), np.empty((pairs, 2), np.int64)
    tokens, ngrams = numbers.copy(), numbers.copy()
    table = np.full((_size_for(2 * longest), 2), NONE)
    places = np.full((numbers.max() + 1, 2), NONE)  # of tokens: a table in which each has a slot of its own
    seen = np.empty(longest, np.bool_)
    slots, met = np.empty(longest, np.int64), np.empty(longest, np.int64)
    counts = np.empty((longest, sizes.max()), np.int64)
    first_pair = 0
    for one in range(len(sizes)):
        first, references, end = begins[one], sizes[one], begins[one + 1]
        size = _size_for(2 * (bounds[first + references] - bounds[first]))
        types = 0
        for n in range(most):
            known = 0
            rows = places if n == 0 else table[:size]
            for text in range(first, first + references):
                for place in range(bounds[text], bounds[text + 1] - n):
                    key = _key(ngrams[place], tokens[place + n], types)
                    ngrams[place] = NONE
                    if key != NONE:
                        slot = _slot(rows, key) if n else np.uint64(key)
                        if rows[slot, 0] == NONE:
                            rows[slot, 0], rows[slot, 1], slots[known] = key, known, slot
                            for reference in range(references):
                                counts[known, reference] = 0
                            known += 1
                        ngrams[place] = rows[slot, 1]
                        counts[rows[slot, 1], text - first] += 1
            seen[:known] = False
            pair = first_pair
            for text in range(first + references, end):
                met[:known] = 0
                for place in range(bounds[text], bounds[text + 1] - n):
                    key = _key(ngrams[place], tokens[place + n], types)
                    number = NONE
                    if key != NONE:
                        number = rows[_slot(rows, key) if n else np.uint64(key), 1]  # NONE in an empty slot
                        if number != NONE:
                            met[number] += 1
                            seen[number] = True
                            for reference in range(references):
                                shared[n, pair + reference] += met[number] <= counts[number, reference]
                    ngrams[place] = number
                for reference in range(references):
                    texts[pair, 0], texts[pair, 1] = text, first + reference
                    pair += 1
            for number in range(known):
                rows[slots[number], 0] = rows[slots[number], 1] = NONE
            for place in range(bounds[first], bounds[first + references]):
                if ngrams[place] != NONE and not seen[ngrams[place]]:
                    ngrams[place] = NONE  # no longer n-gram that has it is shared
            if n == 0:
                types = known
                tokens[bounds[first] : bounds[end]] = ngrams[bounds[first] : bounds[end]]
        first_pair = pair
    return shared, texts


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
