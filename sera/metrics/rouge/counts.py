"""Counts of the n-grams and skip-bigrams that candidates share with their references.

Candidates that have the same references are compared with them together, so what depends on the references
alone is computed once. Tokens and n-grams of a candidate that no reference has cannot overlap, so they get no
number.
"""

from __future__ import annotations

import numpy as np

from sera.compiled import compiled
from sera.metrics.rouge.subsequences import union_hits
from sera.metrics.rouge.tokens import GAP, Tokens

NONE = GAP  # the number of a token or n-gram that no reference has; no n-gram spans a gap


class Compared:
    """Candidates and their references: the numbers of their tokens, and what they share.

    pairs:      the number of the candidate's text and of the reference's, (pair, 2)
    begins:     the first pair of each candidate, whose pairs follow each other
    lengths:    the number of tokens of the reference and of the candidate, (2, pair)
    shared:     the number of n-grams that both have, (n - 1, pair), each counted as often as both have it
    tokens:     the tokens of all texts; those of each set of references are numbered from 0, and a
                candidate's that none of them has are `NONE`
    types:      above the numbers of the tokens, (pair,)
    """

    def __init__(
        self, texts: tuple[Tokens, Tokens], references: np.ndarray, candidates: np.ndarray, longest: int
    ) -> None:
        """Compare the texts of `preparation.Vocabulary.prepare`, in sets of references and their candidates.

        Set s has the references from ``references[s]`` to ``references[s + 1]``, and the candidates likewise.
        ``longest`` is the longest n of n-grams.
        """
        whole, sentences = texts
        self.shared, self.pairs, self.lengths, self.begins, numbers, self.types = _shared_ngrams(
            whole.numbers, whole.bounds, references, candidates, longest
        )
        self.tokens = self._whole = self.sentences = whole._replace(numbers=numbers)
        self._types = self.types
        if sentences is not whole:
            every = np.concatenate([whole.numbers, sentences.numbers])
            kinds, numbers = np.unique(every, return_inverse=True)  # GAP is the least, so it gets 0
            self._whole = whole._replace(numbers=numbers[: len(whole.numbers)] - 1)
            self.sentences = sentences._replace(numbers=numbers[len(whole.numbers) :] - 1)
            self._types = np.full(len(self.pairs), len(kinds))

    @property
    def longest_sentence(self) -> int:
        """The number of tokens of the longest sentence for ROUGE-L and ROUGE-W."""
        return int(np.diff(self.sentences.starts).max(initial=0))

    def union_hits(self, powers: np.ndarray = np.empty(0), *, limited: bool = True) -> np.ndarray:
        """The hits of ROUGE-L, or of ROUGE-W with ``powers``; see `subsequences.union_hits`."""
        return union_hits(
            self._whole.numbers, self._whole.bounds, *self.sentences, self.pairs, self._types, powers, limited
        )

    def over_sentences(self, values: np.ndarray) -> np.ndarray:
        """The sums of ``values[length]`` over the sentences of reference and candidate, (2, pair)."""
        return _over_sentences(self.pairs, self.sentences.starts, self.sentences.firsts, values)

    def shared_pairs(self, gap: int | None, *, within: bool = False) -> np.ndarray:
        """The number of skip-bigrams that both texts have, (pair,); ``within`` sentences or whole texts.

        A skip-bigram is a pair of tokens in order with at most ``gap`` tokens between them (None: any
        number). Each counts as often as both texts have it.
        """
        longest = len(self.tokens.numbers)
        reach = longest if gap is None else min(gap + 1, longest)
        return _shared_pairs(*self.tokens, self.pairs, self.types, reach, within)

    def shared_but_last(self) -> np.ndarray:
        """The number of tokens that both texts have without the last token of each, (pair,)."""
        return _shared_but_last(self.tokens.numbers, self.tokens.bounds, self.pairs, self.types)


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


@compiled(interpret=10_000)
def _shared_ngrams(numbers, bounds, references, candidates, most):
    """`Compared`'s shared n-grams for n up to ``most``, pairs, lengths, begins, tokens and types."""
    pairs = longest = widest = 0
    for one in range(len(references) - 1):
        first, end = references[one], references[one + 1]
        pairs += (end - first) * (candidates[one + 1] - candidates[one])
        longest, widest = max(longest, bounds[end] - bounds[first]), max(widest, end - first)
    shared, texts = np.zeros((most, pairs), np.int64), np.empty((pairs, 2), np.int64)
    lengths, types_of = np.empty((2, pairs), np.int64), np.empty(pairs, np.int64)
    first_of = np.empty(candidates[-1] - candidates[0], np.int64)
    local, tokens, ngrams = np.empty_like(numbers), numbers.copy(), numbers.copy()
    table = np.full((_size_for(2 * longest), 2), NONE)
    seen = np.empty(longest, np.bool_)
    slots, met = np.empty(longest, np.int64), np.empty(longest, np.int64)
    counts = np.zeros((longest, widest), np.int64)
    first_pair = 0
    for one in range(len(references) - 1):
        first, end = references[one], references[one + 1]
        rows = table[: _size_for(2 * (bounds[end] - bounds[first]))]
        types = 0
        for n in range(most):
            known = 0
            for text in range(first, end):
                for place in range(bounds[text], bounds[text + 1] - n):
                    key = _key(ngrams[place], tokens[place + n], types)
                    ngrams[place] = NONE
                    if key != NONE:
                        slot = _slot(rows, key)
                        is_new = rows[slot, 0] == NONE
                        number = known if is_new else rows[slot, 1]
                        rows[slot, 0], rows[slot, 1], slots[known] = key, number, slot
                        known += is_new
                        ngrams[place] = number
                        counts[number, text - first] += 1
            seen[:known] = False
            pair = first_pair
            for text in range(candidates[one], candidates[one + 1]):
                met[:known] = 0
                for place in range(bounds[text], bounds[text + 1] - n):
                    key, number = _key(ngrams[place], tokens[place + n], types), NONE
                    if key != NONE:
                        number = rows[_slot(rows, key), 1]  # NONE in an empty slot
                        if number != NONE:
                            met[number] += 1
                            seen[number] = True
                            for reference in range(end - first):
                                shared[n, pair + reference] += met[number] <= counts[number, reference]
                    ngrams[place] = number
                pair += end - first
            for number in range(known):
                rows[slots[number], 0] = rows[slots[number], 1] = NONE
                counts[number] = 0
            if n == 0:
                types = known
                local[bounds[first] : bounds[end]] = ngrams[bounds[first] : bounds[end]]
                begin, last = bounds[candidates[one]], bounds[candidates[one + 1]]
                local[begin:last] = ngrams[begin:last]
            for place in range(bounds[first], bounds[end]):
                if ngrams[place] != NONE and not seen[ngrams[place]]:
                    ngrams[place] = NONE  # no longer n-gram that has it is shared
            if n == 0:
                tokens[bounds[first] : bounds[end]] = ngrams[bounds[first] : bounds[end]]
                tokens[begin:last] = ngrams[begin:last]
        for text in range(candidates[one], candidates[one + 1]):
            first_of[text - candidates[0]] = first_pair
            for reference in range(first, end):
                texts[first_pair, 0], texts[first_pair, 1], types_of[first_pair] = text, reference, types
                lengths[0, first_pair] = bounds[reference + 1] - bounds[reference] - 1
                lengths[1, first_pair] = bounds[text + 1] - bounds[text] - 1
                first_pair += 1
    return shared, texts, lengths, first_of, local, types_of


@compiled(interpret=3_000)
def _over_sentences(pairs, starts, firsts, values):
    sums = np.zeros((2, len(pairs)))
    for pair in range(len(pairs)):
        for side, text in enumerate((pairs[pair, 1], pairs[pair, 0])):
            for end in range(firsts[text] + 1, firsts[text + 1]):  # added one by one, as in the program
                sums[side, pair] += values[starts[end] - starts[end - 1]]
    return sums


@compiled
def _shared_but_last(numbers, bounds, pairs, types):
    shared = np.zeros(len(pairs), np.int64)
    for pair in range(len(pairs)):
        ours, theirs = pairs[pair, 0], pairs[pair, 1]
        left = np.zeros(types[pair], np.int64)
        for token in numbers[bounds[theirs] : max(bounds[theirs], bounds[theirs + 1] - 2)]:
            left[token] += 1
        for token in numbers[bounds[ours] : max(bounds[ours], bounds[ours + 1] - 2)]:
            if token != NONE and left[token]:
                left[token] -= 1
                shared[pair] += 1
    return shared


@compiled
def _by_type(tokens, starts, apart, wanted, types):
    """The wanted tokens, their places, and their ranks sorted by token with the begin of each token.

    The places of a sentence are ``apart`` from those of the sentence before.
    """
    count = 0
    for token in tokens:
        count += token != NONE and wanted[token]
    kept, places = np.empty(count, np.int64), np.empty(count, np.int64)
    begins = np.zeros(types + 1, np.int64)
    count = 0
    for sentence in range(len(starts) - 1):
        for place in range(starts[sentence], starts[sentence + 1]):
            token = tokens[place]
            if token != NONE and wanted[token]:
                kept[count], places[count] = token, place + sentence * apart
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
def _shared_pairs(numbers, bounds, starts, firsts, pairs, types_of, reach, within):
    """The shared pairs of tokens in order, at most ``reach`` apart; ``within`` sentences, or in whole texts.

    Only tokens of both texts can form a shared pair. Pairs are processed by their first token, so only the
    counts for one first token are in memory.
    """
    hits = np.zeros(len(pairs), np.int64)
    apart = reach if within else 0
    for pair in range(len(pairs)):
        text, other, types = pairs[pair, 0], pairs[pair, 1], types_of[pair]
        candidate = numbers[bounds[text] : bounds[text + 1] - 1]
        reference = numbers[bounds[other] : bounds[other + 1] - 1]
        ours, our_places, our_ranks, our_begins = _by_type(
            candidate, starts[firsts[text] : firsts[text + 1]], apart, _marked(reference, types), types
        )
        theirs, places, ranks, begins = _by_type(
            reference, starts[firsts[other] : firsts[other + 1]], apart, _marked(candidate, types), types
        )
        left = np.zeros(types, np.int64)
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
                    hits[pair] += matched
            for rank in ranks[begins[first] : begins[first + 1]]:
                for later in range(rank + 1, len(theirs)):
                    if places[later] - places[rank] > reach:
                        break
                    left[theirs[later]] = 0
    return hits
