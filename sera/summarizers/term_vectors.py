"""Sentences as vectors of terms, and their similarity.

All matrices are sparse, so memory and time grow with the number of words. Sums that decide an order are
rounded to 12 digits. This is far above the noise of floating point and far below a meaningful difference, so
values that are equal in exact arithmetic are equal on any machine, and the earlier sentence comes first.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

import numpy as np
from scipy.sparse import csr_array

DIGITS = 12
Term = TypeVar("Term", bound=Hashable)


def term_counts(bags: Sequence[Iterable[Term]], vocabulary: dict[Term, int] | None = None) -> csr_array:
    """Counts of terms (columns) in bags (rows), float64.

    Columns are in the order of the terms' first occurrences, or as in ``vocabulary`` (a term's column); terms
    that it lacks are skipped.
    """
    grow = vocabulary is None
    numbers: dict[Term, int] = {} if vocabulary is None else vocabulary
    starts, columns = [0], []
    for bag in bags:
        for term in bag:
            column = numbers.setdefault(term, len(numbers)) if grow else numbers.get(term)
            if column is not None:
                columns.append(column)
        starts.append(len(columns))
    counts = csr_array(
        (np.ones(len(columns)), np.array(columns, dtype=np.int64), np.array(starts, dtype=np.int64)),
        shape=(len(bags), len(numbers)),
    )
    counts.sum_duplicates()
    return counts


def content_first(bags: Sequence[list[str]], choose: Callable[[list[list[str]]], Sequence[int]]) -> list[int]:
    """Numbers of the bags: in the order of ``choose`` for those with a term, then those without."""
    numbers = [number for number, bag in enumerate(bags) if bag]
    chosen = choose([bags[number] for number in numbers]) if numbers else []
    return [numbers[i] for i in chosen] + [number for number, bag in enumerate(bags) if not bag]


def sentence_frequency(counts: csr_array) -> np.ndarray:
    """For each term (column), the number of rows with it."""
    return np.bincount(counts.indices, minlength=counts.shape[1])


def inverse_frequency(counts: csr_array) -> np.ndarray:
    """For each term (column), 1 + ln(rows / rows with the term), which is 1 or more."""
    frequency = sentence_frequency(counts)
    return 1.0 + np.log(counts.shape[0] / np.maximum(frequency, 1))


def unit_rows(counts: csr_array, weights: np.ndarray) -> csr_array:
    """Weighted counts with rows of length 1; a row without weight stays 0.

    ``counts``: rows by terms; ``weights``: one for each term.
    """
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    values = counts.data * weights[counts.indices]
    lengths = np.sqrt(np.bincount(rows, values**2, minlength=counts.shape[0]))
    values = values / np.where(lengths > 0, lengths, 1)[rows]
    return csr_array((values, counts.indices, counts.indptr), shape=counts.shape)


def cosines(vectors: csr_array, others: csr_array | None = None) -> csr_array:
    """The cosine of each row of ``vectors`` with each row of ``others`` (default: ``vectors``), sparse.

    The rows of both have length 1 or 0.
    """
    product = csr_array(vectors @ (vectors if others is None else others).T)
    product.data = product.data.round(DIGITS)
    return product


def bm25(counts: csr_array, asked: csr_array, k1: float = 1.2, b: float = 0.75) -> np.ndarray:
    """BM25 of each row of ``counts`` for each query in ``asked``: queries by rows, 0 or more.

    ``counts`` and ``asked`` are counts of the same terms. The formula is that of Robertson & Zaragoza 2009
    with Lucene's idf, ln(1 + (n - df + 0.5) / (df + 0.5)), and its defaults. A term counts once, even if the
    query has it several times. The score is 0 if no term is shared.
    """
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    frequency = sentence_frequency(counts)
    idf = np.log(1 + (counts.shape[0] - frequency + 0.5) / (frequency + 0.5))
    lengths = np.bincount(rows, counts.data, minlength=counts.shape[0])
    norm = k1 * (1 - b + b * lengths / max(lengths.mean(), 1e-300)) if len(lengths) else lengths
    values = counts.data / (counts.data + norm[rows]) * (k1 + 1) * idf[counts.indices]
    weights = csr_array((values, counts.indices, counts.indptr), shape=counts.shape)
    once = csr_array((np.ones_like(asked.data), asked.indices, asked.indptr), shape=asked.shape)
    return (once @ weights.T).toarray().round(DIGITS)


def marginal_relevance(relevance: np.ndarray, redundancy: np.ndarray, trade_off: float) -> np.ndarray:
    """lambda * relevance - (1 - lambda) * redundancy, rounded (Carbonell & Goldstein 1998).

    ``trade_off`` is lambda, 0 to 1; the arrays have one value for each sentence.
    """
    return (trade_off * relevance - (1.0 - trade_off) * redundancy).round(DIGITS)
