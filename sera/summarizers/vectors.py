"""Sentences as vectors of terms, and how alike they are.

All is sparse, so that memory and time follow the number of words. Sums that decide an order are
rounded to 12 digits, far above the noise of floating point and far below a difference that means
anything: what is equal in exact arithmetic is then equal here, on any machine, and the earlier
sentence goes first.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

import numpy as np
from scipy.sparse import csr_array

DIGITS = 12
Term = TypeVar("Term", bound=Hashable)


def term_counts(bags: Sequence[Iterable[Term]], vocabulary: dict[Term, int] | None = None) -> csr_array:
    """How often each term (column) occurs in each bag (row).

    Columns follow the first occurrence of their terms, or ``vocabulary``; terms outside it are passed over.
    """
    grow = vocabulary is None
    columns_of: dict[Term, int] = {} if vocabulary is None else vocabulary
    starts, columns = [0], []
    for bag in bags:
        for term in bag:
            column = columns_of.setdefault(term, len(columns_of)) if grow else columns_of.get(term)
            if column is not None:
                columns.append(column)
        starts.append(len(columns))
    counts = csr_array(
        (np.ones(len(columns)), np.array(columns, dtype=np.int64), np.array(starts, dtype=np.int64)),
        shape=(len(bags), len(columns_of)),
    )
    counts.sum_duplicates()
    return counts


def sentence_frequency(counts: csr_array) -> np.ndarray:
    """For each term, in how many rows it occurs."""
    return np.bincount(counts.indices, minlength=counts.shape[1])


def inverse_frequency(counts: csr_array) -> np.ndarray:
    """For each term 1 + ln(rows / rows with the term): above 0 for every term that occurs."""
    frequency = sentence_frequency(counts)
    return 1.0 + np.log(counts.shape[0] / np.maximum(frequency, 1))


def unit_rows(counts: csr_array, weights: np.ndarray) -> csr_array:
    """Rows of weighted counts, brought to length 1; a row without weight stays 0."""
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    values = counts.data * weights[counts.indices]
    lengths = np.sqrt(np.bincount(rows, values**2, minlength=counts.shape[0]))
    values = values / np.where(lengths > 0, lengths, 1)[rows]
    return csr_array((values, counts.indices, counts.indptr), shape=counts.shape)


def cosines(vectors: csr_array, others: csr_array | None = None) -> csr_array:
    """Cosine of each row with each of the others' rows, where it is not 0; rows are of length 1."""
    product = csr_array(vectors @ (vectors if others is None else others).T)
    product.data = product.data.round(DIGITS)
    return product


def marginal_relevance(relevance: np.ndarray, redundancy: np.ndarray, trade_off: float) -> np.ndarray:
    """Carbonell & Goldstein 1998: lambda * relevance - (1 - lambda) * redundancy."""
    return (trade_off * relevance - (1.0 - trade_off) * redundancy).round(DIGITS)
