"""The overlap of a candidate with its references, and its precision, recall and F."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from math import fsum
from typing import Any, NamedTuple

import numpy as np

from sera.metrics.rouge.counts import Comparison
from sera.metrics.rouge.subsequences import paid, union_marks, union_marks_weighted, within_budgets

ALPHA = 0.5  # the default of -p: F = PR / ((1 - alpha) P + alpha R)


class Overlap(NamedTuple):
    """The hits that a candidate and a reference share, and the totals of both.

    ``exponent`` is applied to the ratios. ``recall`` selects the best reference; None means the recall as
    printed.
    """

    hits: float
    in_reference: float
    in_candidate: float
    recall: float | None = None
    exponent: float = 1.0


# as Overlap(*fields), in half the time: it is called for every n-gram measure of every pair
_overlap: Callable[[tuple], Overlap] = partial(tuple.__new__, Overlap)


class Triple(NamedTuple):
    """Precision, recall and F, 0 to 1: with five decimals as printed, or unrounded as in rouge-score."""

    P: Any
    R: Any
    F: Any


Combination = Callable[[Any], Triple]
"""Makes one score of the `Overlap` with each reference, or of what `equations` measures of each."""


def ngram_overlaps(comparison: Comparison, n: int) -> list[Overlap]:
    """The overlaps of ROUGE-N (Lin 2004, section 2, equation 1), in n-grams that both texts have."""
    in_candidate = max(0, len(comparison.candidate.tokens) - n + 1)
    return [
        _overlap((hits, length - n + 1 if length >= n else 0, in_candidate, None, 1.0))
        for length, hits in zip(comparison.references.lengths, comparison.shared_ngrams(n))
    ]


def skip_overlaps(comparison: Comparison, gap: int | None, *, unigrams: bool) -> list[Overlap]:
    """The overlaps of ROUGE-S (section 5, equations 16-18) or, with unigrams, ROUGE-SU (section 5.1).

    They count pairs of tokens in order with at most ``gap`` tokens between them (None: any number).
    """
    texts = comparison.references.texts
    single = comparison.shared_unigrams_but_last() if unigrams else [0] * len(texts)
    in_candidate = _counted(len(comparison.candidate.tokens), gap, unigrams)
    overlaps = []
    for text, pairs, tokens in zip(texts, comparison.shared_pairs(gap), single):
        overlaps.append(Overlap(pairs + tokens, _counted(len(text.tokens), gap, unigrams), in_candidate))
    return overlaps


def pairs_in(tokens: int, gap: int | None) -> int:
    """The number of skip-bigrams with at most ``gap`` tokens between their two in ``tokens`` tokens."""
    but_last = max(0, tokens - 1)
    reach = but_last if gap is None else min(gap + 1, but_last)
    return reach * tokens - reach * (reach + 1) // 2


def _counted(tokens: int, gap: int | None, unigrams: bool) -> int:
    """The number of pairs in a text of ``tokens`` tokens; with ``unigrams``, plus all tokens but the last."""
    return pairs_in(tokens, gap) + (max(0, tokens - 1) if unigrams else 0)


def lcs_overlaps(comparison: Comparison) -> list[Overlap]:
    """The overlaps of ROUGE-L for summaries, by union LCS (section 3.2, equations 5-7).

    As in the program, a token counts at most as often as both texts have it (`within_budgets`).
    """
    candidate, references = comparison.candidate, comparison.references
    overlaps = []
    for text, budgets in zip(references.texts, comparison.budgets()):
        marks = union_marks(
            text.sentences, text.starts, candidate.sentences, candidate.starts, references.types
        )
        hits = int(np.count_nonzero(within_budgets(marks, text.sentences, budgets)))
        in_reference = len(text.sentences)
        overlaps.append(Overlap(hits, in_reference, len(candidate.tokens), ratio(hits, in_reference)))
    return overlaps


def weighted_lcs_overlaps(comparison: Comparison, weight: float) -> list[Overlap]:
    """The overlaps of ROUGE-W (section 4, equations 13-15) with f(k) = k^weight, over all sentences.

    The paper defines ROUGE-W for a pair of sentences. For summaries the program's recall is
    (hits / (sum of f(sentence length))^weight)^(1/weight), so the weight is applied twice; to choose the best
    reference, the program applies it once.
    """
    candidate, references = comparison.candidate, comparison.references
    overlaps = []
    for text, budgets in zip(references.texts, comparison.budgets()):
        lengths = np.diff(text.starts)
        powers = _powers(weight, int(lengths.max(initial=0)).bit_length())
        marks = union_marks_weighted(
            text.sentences, text.starts, candidate.sentences, candidate.starts, references.types, powers
        )
        hits = paid(marks, within_budgets(marks, text.sentences, budgets), text.starts, powers)
        in_reference = 0.0
        for power in powers[lengths].tolist():
            in_reference += power
        overlaps.append(
            Overlap(
                hits,
                in_reference**weight,
                len(candidate.tokens) ** weight,
                ratio(hits, in_reference) ** (1 / weight),
                1 / weight,
            )
        )
    return overlaps


@lru_cache(maxsize=64)
def _powers(weight: float, bits: int) -> np.ndarray:
    """k ^ weight for every k below 2 ^ ``bits``."""
    return np.array([float(k) ** weight for k in range(1 << bits)])


def ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _triple(hits: float, in_reference: float, in_candidate: float, exponent: float, alpha: float) -> Triple:
    recall = round((hits / in_reference if in_reference else 0.0) ** exponent, 5)
    precision = round((hits / in_candidate if in_candidate else 0.0) ** exponent, 5)
    below = (1 - alpha) * precision + alpha * recall
    return Triple(precision, recall, round(precision * recall / below if below else 0.0, 5))


def _pooled(overlaps: Sequence[Overlap], alpha: float = ALPHA) -> Triple:
    """``-f A``: hits and totals are summed over the references, the candidate's once per reference.

    Floats are added one by one, as in the program, since `sum` is more exact from Python 3.12 on.
    """
    hits = in_reference = in_candidate = 0.0
    for shared, of_reference, of_candidate, _, _ in overlaps:
        hits += shared
        in_reference += of_reference
        in_candidate += of_candidate
    return _triple(hits, in_reference, in_candidate, overlaps[0].exponent, alpha)


def pooled_in_rows(
    hits: np.ndarray, in_reference: np.ndarray, in_candidate: np.ndarray, first: np.ndarray, alpha: float
) -> Triple:
    """`_pooled` of many candidates: their pairs follow each other from ``first``; P, R and F are arrays.

    The hits and totals are numbers of n-grams, so their sums are exact in any order.
    """
    shared, of_reference, of_candidate = (
        np.add.reduceat(counted, first) if len(first) else counted
        for counted in (hits, in_reference, in_candidate)
    )
    recall, precision = _rounded(_ratios(shared, of_reference)), _rounded(_ratios(shared, of_candidate))
    return Triple(
        precision,
        recall,
        _rounded(_ratios(precision * recall, (1 - alpha) * precision + alpha * recall)),
    )


def _ratios(parts: np.ndarray, wholes: np.ndarray) -> np.ndarray:
    return np.divide(parts, wholes, out=np.zeros(len(parts)), where=wholes != 0)


def _rounded(values: np.ndarray) -> np.ndarray:
    """Numbers from 0 to 1 with five decimals, as `round` gives them."""
    scaled = values * 1e5
    found = np.rint(scaled) / 1e5
    # the product is rounded, so a number beside the middle of two may be on its other side
    for place in np.flatnonzero(np.abs(scaled - np.floor(scaled) - 0.5) < 1e-6):
        found[place] = round(float(values[place]), 5)
    return found


def best_by_recall(overlaps: Sequence[Overlap]) -> Overlap:
    """The overlap with the best reference of ``-f B``: the first one with the highest recall."""

    def recall(overlap: Overlap) -> float:
        if overlap.recall is None:
            return round(ratio(overlap.hits, overlap.in_reference), 5)
        return overlap.recall

    return max(overlaps, key=recall)


def _best(overlaps: Sequence[Overlap], alpha: float = ALPHA) -> Triple:
    return _pooled([best_by_recall(overlaps)], alpha)


def _jackknife(overlaps: Sequence[Overlap], alpha: float = ALPHA) -> Triple:
    """Lin (2004), section 2.1: leave out each reference in turn, and average the best scores of the rest.

    The best P, R and F are chosen separately, from scores with five decimals. A single reference is kept.
    """
    singly = [_pooled([overlap], alpha) for overlap in overlaps]
    if len(singly) == 1:
        return singly[0]
    sets = [singly[:out] + singly[out + 1 :] for out in range(len(singly))]
    best = [[max(part) for part in zip(*triples)] for triples in sets]
    return Triple(*(round(fsum(part) / len(sets), 5) for part in zip(*best)))


def _highest_parts(overlaps: Sequence[Overlap], alpha: float = ALPHA) -> Triple:
    """Lin (2004), section 2.1: the best P, R and F against a single reference, chosen separately.

    The jackknife uses it for a summary whose references already lack one.
    """
    return Triple(*map(max, zip(*(_pooled([overlap], alpha) for overlap in overlaps))))


def highest_of(overlaps: Sequence[Overlap]) -> Triple:
    """rouge-score's score_multi: the first reference with the highest F, without rounding."""
    triples = []
    for hits, in_reference, in_candidate, *_ in overlaps:
        precision, recall = ratio(hits, in_candidate), ratio(hits, in_reference)
        triples.append(Triple(precision, recall, ratio(2 * precision * recall, precision + recall)))
    return max(triples, key=lambda triple: triple.F)


COMBINATIONS = {"pooled": _pooled, "best": _best, "jackknife": _jackknife}


@cache
def combination(multi: str, alpha: float, left_out: bool) -> Combination:
    """How several references make one score: a way of `COMBINATIONS`, with ``-p`` alpha.

    ``left_out``: one reference is left out already, so the jackknife is the best score of the others.
    """
    function = _highest_parts if left_out and multi == "jackknife" else COMBINATIONS[multi]
    return function if alpha == ALPHA else partial(function, alpha=alpha)
