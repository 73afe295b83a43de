"""ROUGE as ROUGE-1.5.5 counts it: overlaps with the references, and their precision, recall and F."""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from sera.metrics.jackknife import best_parts, jackknife
from sera.metrics.rouge.counts import Compared

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
"""Makes one score of the `Overlap` with each reference, or of what `lin2004` measures of each."""

Counted = Sequence[np.ndarray]
"""The hits and the totals of reference and candidate, each (pair,)."""


def ngrams(compared: Compared, n: int) -> Counted:
    """ROUGE-N (Lin 2004, section 2, equation 1): n-grams that both texts have."""
    lengths = compared.lengths
    return compared.shared[n - 1], *(np.maximum(lengths - (n - 1), 0) if n > 1 else lengths)


def skip_bigrams(compared: Compared, gap: int | None, *, unigrams: bool) -> Counted:
    """ROUGE-S (section 5, equations 16-18) or, with unigrams, ROUGE-SU (section 5.1).

    They count pairs of tokens in order with at most ``gap`` tokens between them (None: any number), and
    ROUGE-SU all tokens but the last.
    """
    hits = compared.shared_pairs(gap)
    totals = pairs_in(compared.lengths, gap)
    if unigrams:
        hits = hits + compared.shared_but_last()
        totals = totals + np.maximum(compared.lengths - 1, 0)
    return hits, *totals


def pairs_in(tokens: np.ndarray, gap: int | None) -> np.ndarray:
    """The number of skip-bigrams with at most ``gap`` tokens between their two in ``tokens`` tokens."""
    but_last = np.maximum(tokens - 1, 0)
    reach = but_last if gap is None else np.minimum(but_last, gap + 1)
    return reach * tokens - reach * (reach + 1) // 2


def union_lcs(compared: Compared) -> Counted:
    """ROUGE-L for summaries, by union LCS (section 3.2, equations 5-7).

    As in the program, a token counts at most as often as both texts have it.
    """
    in_reference = np.diff(compared.sentences.bounds)[compared.pairs[:, 1]] - 1  # tokens in its sentences
    return compared.union_hits(), in_reference, compared.lengths[1]


def weighted_lcs(compared: Compared, weight: float) -> list[Overlap]:
    """ROUGE-W (section 4, equations 13-15) with f(k) = k^weight, over all sentences.

    The paper defines ROUGE-W for a pair of sentences. For summaries the program's recall is
    (hits / (sum of f(sentence length))^weight)^(1/weight), so the weight is applied twice; to choose the best
    reference, the program applies it once.
    """
    powers = _powers(weight, compared.longest_sentence.bit_length())
    overlaps = []
    found = zip(
        compared.union_hits(powers).tolist(), compared.pairs[:, 1].tolist(), compared.lengths[1].tolist()
    )
    for hits, reference, in_candidate in found:
        in_reference = 0.0
        for power in powers[np.diff(compared.sentences.text(reference)[1])].tolist():
            in_reference += power
        recall = ratio(hits, in_reference) ** (1 / weight)
        overlaps.append(Overlap(hits, in_reference**weight, in_candidate**weight, recall, 1 / weight))
    return overlaps


def overlaps_of(counted: Counted, *, rounded: bool) -> list[Overlap]:
    """The overlaps of pairs; if ``rounded``, the best reference is chosen by the recall as printed."""
    return [
        _overlap((hits, reference, candidate, None if rounded else ratio(hits, reference), 1.0))
        for hits, reference, candidate in zip(*(each.tolist() for each in counted))
    ]


@lru_cache(maxsize=64)
def _powers(weight: float, bits: int) -> np.ndarray:
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


def pooled_in_rows(counted: Counted, first: np.ndarray, alpha: float) -> Triple:
    """`_pooled` of many candidates: their pairs follow each other from ``first``; P, R and F are arrays.

    The hits and totals are whole numbers, so their sums are exact in any order.
    """
    shared, of_reference, of_candidate = (np.add.reduceat(each, first) for each in counted)
    recall, precision = _rounded(_ratios(shared, of_reference)), _rounded(_ratios(shared, of_candidate))
    f = _ratios(precision * recall, (1 - alpha) * precision + alpha * recall)
    return Triple(precision, recall, _rounded(f))


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
    """The jackknife of scores with five decimals, which has five decimals itself."""
    return Triple(*(round(part, 5) for part in jackknife([_pooled([each], alpha) for each in overlaps])))


def _highest_parts(overlaps: Sequence[Overlap], alpha: float = ALPHA) -> Triple:
    """The jackknife of a summary whose references already lack one."""
    return best_parts([_pooled([each], alpha) for each in overlaps])


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
