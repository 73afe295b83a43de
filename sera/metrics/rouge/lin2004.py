"""ROUGE by the equations of Lin (2004), for the dialect "paper"; ROUGE-N is that of `rouge155`.

The paper defines ROUGE-W and ROUGE-S for two sentences. For texts of several sentences this module sums over
the sentences:

* **ROUGE-W.** WLCS is the sum of f over the runs of matches. A run lies in one sentence of the reference and
  in one of the candidate. As in ROUGE-L, the matches with all candidate sentences are united. f(m) and f(n)
  are summed over the sentences, so that a text scores 1 beside itself.
* **ROUGE-S.** Both words of a skip-bigram are in one sentence.

Precision by ROUGE-L and ROUGE-W can exceed 1: the union counts each token of the reference, even if one token
of the candidate matches several.
"""

from __future__ import annotations

import numpy as np

from sera.compiled import compiled
from sera.metrics.rouge.combine import Counted
from sera.metrics.rouge.counts import Compared
from sera.metrics.rouge.rouge155 import pairs_in, powers


def skip_bigrams(compared: Compared, gap: int | None, unigrams: bool) -> Counted:
    """ROUGE-S (section 5, equations 16-18), or with ``unigrams`` ROUGE-SU (section 5.1).

    All tokens count as unigrams, whatever the gap: a begin-of-sentence marker before each sentence gives the
    same counts if the marker may be any distance away.
    """
    hits = compared.shared_pairs(gap, within=True)
    totals = compared.over_sentences(pairs_in(np.arange(compared.longest_sentence + 1), gap))
    if unigrams:
        hits, totals = hits + compared.shared[0], totals + compared.lengths
    return Counted(hits.astype(float), totals)


def union_lcs(compared: Compared) -> Counted:
    """ROUGE-L: section 3.2, equations 5-7."""
    return Counted(compared.union_hits(limited=False), compared.lengths.astype(float))


def weighted_lcs(compared: Compared, weight: float) -> Counted:
    """ROUGE-W with f(k) = k^weight: section 4, equations 13-15; the module says how sentences are summed."""
    f, text = powers(weight, compared.longest_sentence), compared.tokens.text
    hits = [
        _weighted_union(*text(reference), *text(candidate), f)
        for candidate, reference in compared.pairs.tolist()
    ]
    return Counted(np.array(hits), compared.over_sentences(f), 1 / weight)


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
