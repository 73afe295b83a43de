"""Choose sentences greedily so that their unigrams diverge least from a given distribution of words.

The criterion is that of KLSum (Haghighi & Vanderwende 2009, section 3.2): KL(P || Q_S) over all words of P,
with Q_S(w) = (count of w in S + smoothing) / (words of S + smoothing * vocabulary). The paper does not give
its smoothing; 0.01 is our choice.
"""

import numpy as np
from scipy.sparse import csr_array

from sera.summarizers.term_vectors import DIGITS

SMOOTHING = 0.01


def closest_unigrams(target: np.ndarray, counts: csr_array) -> list[int]:
    """Numbers of the sentences in the order in which they bring the summary closest to ``target``.

    target:  words; their probabilities, which sum to 1
    counts:  sentences by words; counts, 0 or more

    Each round is one pass over the words of all sentences, so time grows with sentences times words. Ties go
    to the earlier sentence.
    """
    sentences, words = counts.shape
    columns, times = counts.indices, counts.data
    rows = np.repeat(np.arange(sentences), np.diff(counts.indptr))
    lengths = np.bincount(rows, times, minlength=sentences)
    count = np.full(words, SMOOTHING)
    remains = np.ones(sentences, dtype=bool)
    order: list[int] = []
    for _ in range(sentences):
        logs = np.log(count)
        gain = target[columns] * (np.log(count[columns] + times) - logs[columns])
        # KL without the entropy of the target, which is the same for all sentences
        divergence = np.log(count.sum() + lengths) - target @ logs
        divergence -= np.bincount(rows, gain, minlength=sentences)
        best = int(np.where(remains, divergence.round(DIGITS), np.inf).argmin())
        order.append(best)
        remains[best] = False
        own = slice(counts.indptr[best], counts.indptr[best + 1])
        count[columns[own]] += times[own]
    return order
