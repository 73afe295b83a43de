"""Counts of the n-grams and skip-bigrams that candidates share with their references, and their LCS."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np

from sera.compiled import compiled
from sera.metrics.rouge.preparation import GAP, Tokens
from sera.metrics.rouge.subsequences import union_hits

NONE = GAP  # the number of a candidate's token that no reference has


class Compared:
    """Candidates and their references, in sets of references and the candidates that have them.

    pairs:      the number of the candidate's text and of the reference's, (pair, 2)
    begins:     the first pair of each candidate, whose pairs follow each other
    lengths:    the number of tokens of the reference and of the candidate, (2, pair)
    sentences:  the tokens for ROUGE-L and ROUGE-W
    """

    def __init__(self, texts: tuple[Tokens, Tokens], begins: Sequence[int], sizes: Sequence[int]) -> None:
        """Compare the texts of `preparation.Vocabulary.prepare`.

        Set s has the texts from ``begins[s]`` to ``begins[s + 1]``, ``sizes[s]`` references first.
        """
        self._whole, self.sentences = texts
        self._sets = [(first, first + size, end) for (first, end), size in zip(pairwise(begins), sizes)]
        self.pairs = np.array(
            [
                (candidate, reference)
                for first, last, end in self._sets
                for candidate in range(last, end)
                for reference in range(first, last)
            ]
        )
        per_candidate = [last - first for first, last, end in self._sets for _ in range(last, end)]
        self.begins = np.cumsum([0, *per_candidate[:-1]])
        self.lengths = (np.diff(self._whole.bounds) - 1)[self.pairs.T[::-1]]

    @property
    def longest_sentence(self) -> int:
        """The number of tokens of the longest sentence for ROUGE-L and ROUGE-W."""
        return int(np.diff(self.sentences.starts).max(initial=0))

    def shared_ngrams(self, n: int, *, but_last: bool = False) -> np.ndarray:
        """The number of n-grams that both texts have, (pair,), each counted as often as both have it.

        ``but_last``: of the texts without the last token of each.
        """
        texts = [text[: len(text) - but_last] for text in self._texts]
        ngrams = [Counter(zip(*(text[place:] for place in range(n)))) for text in texts]
        return np.array(
            [
                sum(min(ours[each], theirs[each]) for each in ours.keys() & theirs.keys())
                for ours, theirs in ((ngrams[one], ngrams[other]) for one, other in self.pairs.tolist())
            ]
        )

    @cached_property
    def _texts(self) -> list[list[int]]:
        numbers = self._whole.numbers.tolist()
        return [numbers[begin : end - 1] for begin, end in pairwise(self._whole.bounds.tolist())]

    @cached_property
    def tokens(self) -> tuple[Tokens, np.ndarray]:
        """The tokens, those of each set's references numbered from 0, a candidate's others `NONE`.

        Also what is above the numbers of each pair, (pair,).
        """
        return self._numbered(self._whole, self._whole)

    def _numbered(self, tokens: Tokens, known: Tokens) -> tuple[Tokens, np.ndarray]:
        """As `tokens`, by the tokens that the references have in ``known``."""
        numbers = tokens.numbers.copy()
        types: list[int] = []
        for first, last, end in self._sets:
            here = slice(tokens.bounds[first], tokens.bounds[end])
            kinds = np.unique(known.numbers[known.bounds[first] : known.bounds[last]])  # GAP is the least
            places = np.searchsorted(kinds, numbers[here])
            is_known = np.append(kinds, GAP - 1)[places] == numbers[here]
            numbers[here] = np.where(is_known, places - 1, NONE)
            types += [len(kinds) - 1] * ((last - first) * (end - last))
        return tokens._replace(numbers=numbers), np.array(types)

    def union_hits(self, powers: np.ndarray | None = None, *, limited: bool = True) -> np.ndarray:
        """The hits of ROUGE-L, or of ROUGE-W with ``powers``; see `subsequences.union_hits`."""
        weights = np.arange(self.longest_sentence + 1.0) if powers is None else powers
        whole, types = sentences, _ = self._numbered(self._whole, self.sentences)
        if self.sentences is not self._whole:
            sentences, _ = self._numbered(self.sentences, self.sentences)
        texts = (whole.numbers, whole.bounds, *sentences, self.pairs, types)
        return union_hits(*texts, weights, powers is not None, limited)

    def shared_pairs(self, gap: int | None, *, within: bool = False) -> np.ndarray:
        """The number of skip-bigrams that both texts have, (pair,); ``within`` sentences or whole texts.

        A skip-bigram is a pair of tokens in order with at most ``gap`` tokens between them (None: any
        number). Each counts as often as both texts have it.
        """
        tokens, types = self.tokens
        longest = len(tokens.numbers)
        reach = longest if gap is None else min(gap + 1, longest)
        return _shared_pairs(*tokens, self.pairs, types, reach, within)


@compiled
def _keep(tokens, starts, apart, others):
    """The tokens that are among the ``others`` too, and their places.

    The places of a sentence are ``apart`` from those of the sentence before.
    """
    kept, places = np.empty(len(tokens), np.int64), np.empty(len(tokens), np.int64)
    wanted = set(others)
    count = 0
    for sentence in range(len(starts) - 1):
        for place in range(starts[sentence], starts[sentence + 1]):
            if tokens[place] != NONE and tokens[place] in wanted:
                kept[count], places[count] = tokens[place], place + sentence * apart
                count += 1
    return kept[:count], places[:count]


@compiled
def _add(counts, tokens, places, reach, step):
    """Add 1 or -1 to the counts of the pairs of tokens in order, none below 0; returns how many changed."""
    changed = 0
    for first in range(len(tokens)):
        for later in range(first + 1, len(tokens)):
            if places[later] - places[first] > reach:
                break
            if step > 0 or counts[tokens[first], tokens[later]] > 0:
                counts[tokens[first], tokens[later]] += step
                changed += 1
    return changed


@compiled
def _shared_pairs(numbers, bounds, starts, firsts, pairs, types, reach, within):
    """The shared pairs of tokens in order, at most ``reach`` apart; ``within`` sentences, or in whole texts.

    Only tokens of both texts can form a shared pair.
    """
    hits = np.zeros(len(pairs), np.int64)
    counts = np.zeros((types.max(), types.max()), np.int32)
    apart = reach if within else 0
    for pair in range(len(pairs)):
        ours, theirs = pairs[pair, 0], pairs[pair, 1]
        candidate = numbers[bounds[ours] : bounds[ours + 1] - 1]
        reference = numbers[bounds[theirs] : bounds[theirs + 1] - 1]
        mine, places = _keep(candidate, starts[firsts[ours] : firsts[ours + 1]], apart, reference)
        others, other_places = _keep(reference, starts[firsts[theirs] : firsts[theirs + 1]], apart, candidate)
        _add(counts, others, other_places, reach, 1)
        hits[pair] = _add(counts, mine, places, reach, -1)
        _add(counts, others, other_places, reach, -1)  # what is left
    return hits
