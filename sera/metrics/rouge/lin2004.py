"""ROUGE by the equations of Lin (2004), for the dialect "paper"; scores are not rounded.

The paper defines ROUGE-W and ROUGE-S for two sentences. For texts of several sentences this module sums over
the sentences:

* **ROUGE-W.** WLCS is the sum of f over the runs of matches. A run lies in one sentence of the reference and
  in one of the candidate. As in ROUGE-L, the matches with all candidate sentences are united. f(m) and f(n)
  are summed over the sentences, so that a text scores 1 beside itself if f(1) = 1.
* **ROUGE-S.** Both words of a skip-bigram are in one sentence.

Precision by ROUGE-L and ROUGE-W can exceed 1: the union counts each token of the reference, even if one token
of the candidate matches several.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from math import fsum
from typing import NamedTuple

import numpy as np

from sera.compiled import compiled
from sera.metrics.jackknife import best_parts, jackknife
from sera.metrics.rouge import rouge155
from sera.metrics.rouge.counts import Compared
from sera.metrics.rouge.rouge155 import Triple, pairs_in


class Measured(NamedTuple):
    """What a candidate and a reference share by an equation of the paper.

    ``found_in_reference`` over ``in_reference`` gives the recall, ``found_in_candidate`` over
    ``in_candidate`` the precision; ``inverse`` is applied to both ratios, if there is one.
    """

    found_in_reference: float
    in_reference: float
    found_in_candidate: float
    in_candidate: float
    inverse: Callable[[float], float] | None = None


Combine = Callable[[Sequence[Measured]], Triple]


@dataclass(frozen=True)
class Weighting:
    """The weight f(k) of a run of k matches in ROUGE-W (section 4), f(0) = 0.

    f(k) = k^alpha, or alpha k - penalty if a penalty is given. Without f(0) = 0 the second would charge its
    gap penalty once for a text instead of once for each run.
    """

    alpha: float
    penalty: float | None = None

    def of_runs(self, longest: int) -> np.ndarray:
        """f(k) for k from 0 to ``longest`` and possibly further."""
        return _weights(self, longest.bit_length())

    def inverse(self, value: float) -> float:
        """The number of matches k, in general no whole number, with f(k) = ``value``."""
        if self.penalty is None:
            return value ** (1 / self.alpha)
        return (value + self.penalty) / self.alpha if value else 0.0


@lru_cache(maxsize=64)
def _weights(weighting: Weighting, bits: int) -> np.ndarray:
    runs = np.arange(1 << bits, dtype=float)
    if weighting.penalty is None:
        return runs**weighting.alpha
    return np.where(runs > 0, weighting.alpha * runs - weighting.penalty, 0.0)


def ngrams(compared: Compared, n: int) -> list[Measured]:
    """ROUGE-N: section 2, equation 1."""
    return _measured(*rouge155.ngrams(compared, n))


def _measured(hits: np.ndarray, in_reference: np.ndarray, in_candidate: np.ndarray) -> list[Measured]:
    """What each pair shares if both texts have the same hits."""
    shared = hits.tolist()
    return list(map(Measured, shared, in_reference.tolist(), shared, in_candidate.tolist()))


def skip_bigrams(compared: Compared, gap: int | None, *, unigrams: bool) -> list[Measured]:
    """ROUGE-S (section 5, equations 16-18), or with ``unigrams`` ROUGE-SU (section 5.1).

    All tokens count as unigrams, whatever the gap: a begin-of-sentence marker before each sentence gives the
    same counts if the marker may be any distance away.
    """
    _, _, starts, firsts = compared.tokens
    pairs = pairs_in(np.diff(starts), gap)
    before = np.concatenate([[0], np.cumsum(pairs)])
    totals = (before[firsts[1:] - 1] - before[firsts[:-1]])[compared.pairs.T[::-1]]
    hits = compared.shared_pairs(gap, within=True)
    if unigrams:
        hits, totals = hits + compared.shared[0], totals + compared.lengths
    return _measured(hits, *totals)


def union_lcs(compared: Compared) -> list[Measured]:
    """ROUGE-L: section 3.2, equations 5-7."""
    return _measured(compared.union_hits(limited=False), *compared.lengths)


_Text = tuple[np.ndarray, np.ndarray]


def _texts(compared: Compared) -> Iterator[tuple[_Text, _Text]]:
    for candidate, reference in compared.pairs.tolist():
        yield compared.tokens.text(reference), compared.tokens.text(candidate)


def pairwise_lcs(compared: Compared) -> list[Measured]:
    """MEAD's normalised pairwise LCS: section 3.3, equations 8-12.

    Recall sums the best LCS of each reference sentence, precision that of each candidate sentence. The paper
    takes the two sums to be equal "due to symmetry", which they need not be. F is equation 8 with both sums;
    equations 9 to 12 are the case that they are equal.
    """
    found = []
    for reference, candidate in _texts(compared):
        ours, theirs = _best_lcs(*reference, *candidate)
        found.append(Measured(ours, len(reference[0]), theirs, len(candidate[0])))
    return found


def weighted_lcs(compared: Compared, weighting: Weighting) -> list[Measured]:
    """ROUGE-W: section 4, equations 13-15; the module says how sentences are summed."""
    weights = weighting.of_runs(compared.longest_sentence)
    found = []
    for reference, candidate in _texts(compared):
        hits = _weighted_union(*reference, *candidate, weights)
        totals = [float(weights[np.diff(starts)].sum()) for _, starts in (reference, candidate)]
        found.append(Measured(hits, totals[0], hits, totals[1], weighting.inverse))
    return found


# Several references


@cache
def combination(multi: str, alpha: float, left_out: bool) -> Combine:
    """How several references make one score; F = PR / ((1 - alpha) P + alpha R), alpha = 1 / (1 + beta^2).

    Without an inverse, F is computed as ((1 - alpha) found_in_reference + alpha found_in_candidate) /
    ((1 - alpha) in_reference + alpha in_candidate): the same number if both texts have the same hits, and
    equation 8 for alpha = 0.5 if not.

    ``"pooled"`` sums over the references as equation 1 does. ``"best"`` is the maximum of section 2.1, of P,
    R and F each. ``"jackknife"`` leaves out each reference in turn and averages the maxima; one reference,
    and references that lack one already (``left_out``), have the maximum.
    """
    function = {"pooled": _pooled, "best": _best, "jackknife": _best if left_out else _jackknife}[multi]
    return partial(function, alpha=alpha)


def _triple(one: Measured, alpha: float) -> Triple:
    ours, m, theirs, n, inverse = one
    recall, precision = ours / m if m else 0.0, theirs / n if n else 0.0
    if inverse is None:
        below = (1 - alpha) * m + alpha * n
        return Triple(precision, recall, ((1 - alpha) * ours + alpha * theirs) / below if below else 0.0)
    recall, precision = inverse(recall), inverse(precision)
    below = (1 - alpha) * precision + alpha * recall
    return Triple(precision, recall, precision * recall / below if below else 0.0)


def _pooled(measured: Sequence[Measured], alpha: float) -> Triple:
    ours, m, theirs, n = (fsum(numbers) for numbers in list(zip(*measured))[:4])
    return _triple(Measured(ours, m, theirs, n, measured[0].inverse), alpha)


def _best(measured: Sequence[Measured], alpha: float) -> Triple:
    return best_parts([_triple(one, alpha) for one in measured])


def _jackknife(measured: Sequence[Measured], alpha: float) -> Triple:
    return jackknife([_triple(one, alpha) for one in measured])


# Tables


@compiled
def _best_lcs(reference, starts, candidate, candidate_starts):
    """The best LCS of each sentence with the other text: the sums for the reference and the candidate."""
    best = np.zeros(len(candidate_starts) - 1, np.int64)
    total = 0
    row = np.zeros(len(candidate) + 1, np.int64)
    for ours in range(len(starts) - 1):
        longest = 0
        for theirs in range(len(candidate_starts) - 1):
            first, n = candidate_starts[theirs], candidate_starts[theirs + 1] - candidate_starts[theirs]
            row[: n + 1] = 0
            for i in range(starts[ours], starts[ours + 1]):
                corner = 0
                for j in range(n):
                    above = row[j + 1]
                    if reference[i] == candidate[first + j]:
                        row[j + 1] = corner + 1
                    elif row[j] > above:
                        row[j + 1] = row[j]
                    corner = above
            longest = max(longest, row[n])
            best[theirs] = max(best[theirs], row[n])
        total += longest
    return total, best.sum()


@compiled
def _weighted_union(reference, starts, candidate, candidate_starts, weights):
    """The sum of f over the runs of the united matches; for two sentences, WLCS(X, Y) of section 4.

    The table and its order of preference are the paper's: diagonally where tokens are equal, else up only if
    the cell above is larger. A token continues a run if a candidate sentence matches it and the token before
    it in one run.
    """
    matched = np.zeros(len(reference), np.bool_)
    continues = np.zeros(len(reference), np.bool_)
    rows, columns = 0, 0
    for sentence in range(len(starts) - 1):
        rows = max(rows, starts[sentence + 1] - starts[sentence])
    for sentence in range(len(candidate_starts) - 1):
        columns = max(columns, candidate_starts[sentence + 1] - candidate_starts[sentence])
    scores, runs = np.empty(columns + 1), np.empty(columns + 1, np.int64)
    goes_up = np.empty((rows, (columns + 7) // 8), np.uint8)  # a bit per cell
    for ours in range(len(starts) - 1):
        top, m = starts[ours], starts[ours + 1] - starts[ours]
        for theirs in range(len(candidate_starts) - 1):
            first, n = candidate_starts[theirs], candidate_starts[theirs + 1] - candidate_starts[theirs]
            scores[: n + 1] = 0.0
            runs[: n + 1] = 0
            for i in range(m):
                goes_up[i, : (n + 7) // 8] = 0
                corner, run_corner = 0.0, 0
                for j in range(n):
                    above, run_above = scores[j + 1], runs[j + 1]
                    if reference[top + i] == candidate[first + j]:
                        scores[j + 1] = corner + weights[run_corner + 1] - weights[run_corner]
                        runs[j + 1] = run_corner + 1
                    else:
                        runs[j + 1] = 0
                        if above > scores[j]:
                            goes_up[i, j >> 3] |= np.uint8(1 << (j & 7))
                        else:
                            scores[j + 1] = scores[j]
                    corner, run_corner = above, run_above
            i, j = m - 1, n - 1
            while i >= 0 and j >= 0:
                if reference[top + i] == candidate[first + j]:
                    matched[top + i] = True
                    if i > 0 and j > 0 and reference[top + i - 1] == candidate[first + j - 1]:
                        continues[top + i] = True
                    i -= 1
                    j -= 1
                elif goes_up[i, j >> 3] >> (j & 7) & 1:
                    i -= 1
                else:
                    j -= 1
    total = 0.0
    run = 0
    for place in range(len(reference)):
        if not continues[place]:
            total += weights[run]
            run = 0
        if matched[place]:
            run += 1
    return total + weights[run]
