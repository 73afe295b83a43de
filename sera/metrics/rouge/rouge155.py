"""What candidates and references share, as ROUGE-1.5.5 counts it; rouge-score counts N and L likewise."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from sera.metrics.rouge.combine import Counted
from sera.metrics.rouge.counts import Compared


def ngrams(compared: Compared, n: int) -> Counted:
    """ROUGE-N (Lin 2004, section 2, equation 1): n-grams that both texts have."""
    lengths = compared.lengths
    return Counted(compared.shared[n - 1], np.maximum(lengths - (n - 1), 0) if n > 1 else lengths)


def skip_bigrams(compared: Compared, gap: int | None, unigrams: bool) -> Counted:
    """ROUGE-S (section 5, equations 16-18) or, with unigrams, ROUGE-SU (section 5.1).

    They count pairs of tokens in order with at most ``gap`` tokens between them (None: any number), and
    ROUGE-SU all tokens but the last.
    """
    hits = compared.shared_pairs(gap)
    totals = pairs_in(compared.lengths, gap)
    if unigrams:
        hits = hits + compared.shared_but_last()
        totals = totals + np.maximum(compared.lengths - 1, 0)
    return Counted(hits, totals)


def pairs_in(tokens: np.ndarray, gap: int | None) -> np.ndarray:
    """The number of skip-bigrams with at most ``gap`` tokens between their two in ``tokens`` tokens."""
    but_last = np.maximum(tokens - 1, 0)
    reach = but_last if gap is None else np.minimum(but_last, gap + 1)
    return reach * tokens - reach * (reach + 1) // 2


def union_lcs(compared: Compared) -> Counted:
    """ROUGE-L for summaries, by union LCS (section 3.2, equations 5-7).

    As in the program, a token counts at most as often as both texts have it.
    """
    hits = compared.union_hits()
    in_reference = np.diff(compared.sentences.bounds)[compared.pairs[:, 1]] - 1  # tokens in its sentences
    totals = np.array((in_reference, compared.lengths[1]), float)
    return Counted(hits, totals, recall=lambda: _ratios(hits, totals[0]))


def weighted_lcs(compared: Compared, weight: float) -> Counted:
    """ROUGE-W (section 4, equations 13-15) with f(k) = k^weight, over all sentences.

    The paper defines ROUGE-W for a pair of sentences. For summaries the program's recall is
    (hits / (sum of f(sentence length))^weight)^(1/weight), so the weight is applied twice; to choose the best
    reference, the program applies it once.
    """
    f = powers(weight, compared.longest_sentence)
    hits, in_reference = compared.union_hits(f), compared.over_sentences(f)[0]
    totals = np.array((_power(in_reference, weight), _power(compared.lengths[1], weight)))
    return Counted(hits, totals, 1 / weight, lambda: _power(_ratios(hits, in_reference), 1 / weight))


def powers(weight: float, longest: int) -> np.ndarray:
    """k^weight for k from 0 to ``longest`` and possibly further."""
    return _powers(weight, longest.bit_length())


@lru_cache(maxsize=64)
def _powers(weight: float, bits: int) -> np.ndarray:
    return _power(np.arange(1 << bits), weight)


def _power(values: np.ndarray, exponent: float) -> np.ndarray:
    """The powers as Python computes them; those of numpy depend on the machine."""
    return np.array([float(value) ** exponent for value in values.tolist()])


def _ratios(parts: np.ndarray, wholes: np.ndarray) -> np.ndarray:
    return np.divide(parts, wholes, out=np.zeros(len(parts)), where=wholes != 0)
