"""Learn word vectors from an index: nothing is downloaded, and the vectors fit the domain of the documents.

They are the rows of a truncated singular value decomposition of positive pointwise mutual information (Levy,
Goldberg & Dagan 2015, "Improving Distributional Similarity with Lessons Learned from Word Embeddings", TACL
3, sections 2.2 and 3). An index holds terms: with the analyzer ``english``, all words of one stem share a
vector and stop words have none; with ``standard``, each word has its own.
"""

from __future__ import annotations

import math
from os import PathLike

import numpy as np

from sera.compiled import compiled
from sera.errors import InputError
from sera.extras import extra_for
from sera.progress import progress
from sera.retrieval.index import Index, read_index
from sera.vectors.word_vectors import WordVectors

MINIMUM = 5  # the fewest occurrences of a term with a vector
MOST_TERMS = 30_000  # the most terms with a vector; the more frequent ones are chosen
WINDOW = 5  # positions on each side of a term that are its context
CONTEXT_POWER = 0.75  # exponent of a context's frequency (Levy et al., section 3.2)
WIDTH = 100  # numbers in a vector

SAMPLED_POSITIONS = 20_000_000
"""Positions that are read: from a larger index only every second document, or third ..."""


class TooFew(InputError):
    """The index has too few terms to learn vectors."""


def learn(
    index: str | PathLike[str] | Index,
    *,
    width: int = WIDTH,
    window: int = WINDOW,
    minimum: int = MINIMUM,
    sample: int = SAMPLED_POSITIONS,
) -> WordVectors:
    """Learn vectors of length 1 for an index's terms from the terms that occur near each other.

    width:    numbers in a vector, 1 or more window:   positions on each side that are a term's context; a
    stop word has a position too minimum:  the fewest occurrences of a term with a vector sample:   positions
    that are read, about; from a larger index only every n-th document

    PPMI is max(0, ln(P(w, c) / (P(w) P'(c)))), with P' smoothed by `CONTEXT_POWER`; the vectors are U S^0.5
    of its decomposition, each divided by its length. The same index gives the same bytes on any number of
    cores. Memory is about 4 bytes for a sampled position and 8 for a positive entry, whatever the size of the
    index.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.linalg import svds

    with extra_for("learning word vectors"):
        from threadpoolctl import threadpool_limits

    if not isinstance(index, Index):
        index = read_index(index)
    occurrences = np.diff(index.position_starts)
    terms = np.argsort(-occurrences, kind="stable")[:MOST_TERMS]
    terms = np.sort(terms[occurrences[terms] >= max(1, minimum)])
    if len(terms) <= width:
        raise TooFew(
            f"{len(terms)} terms occur {minimum} times or more, too few for vectors of {width} numbers",
            path=index.folder,
            remedy="Index more documents, or name a file of vectors.",
        )
    documents = np.arange(0, len(index.lengths), max(1, math.ceil(int(index.starts[-1]) / sample)))
    stream, firsts, places = _stream(index, terms, documents, window)
    totals = np.zeros(len(terms), np.int64)
    _count_contexts(stream, firsts, places, window, totals)
    contexts = totals.astype(float) ** CONTEXT_POWER
    # ln P(w, c) / (P(w) P'(c)) = ln #(w, c) - ln #(w) - ln(smoothed #(c) / sum of these)
    with np.errstate(divide="ignore"):
        log_totals, log_contexts = np.log(totals), np.log(contexts / max(contexts.sum(), 1))
    columns, values, starts = [], [], [np.zeros(1, np.int64)]
    entries = 0
    for first in progress(range(0, len(terms), 256), "blocks of terms counted"):
        end = min(first + 256, len(terms))
        ends, partners, worth = _information(
            stream, firsts[first : end + 1], places, window, log_totals[first:end], log_contexts
        )
        columns.append(partners)
        values.append(worth)
        starts.append(ends + entries)
        entries += len(partners)
    matrix = csr_array(
        (np.concatenate(values), np.concatenate(columns), np.concatenate(starts)),
        shape=(len(terms), len(terms)),
    )
    # one thread: sums of floats depend on the number of threads
    with threadpool_limits(limits=1):
        start = np.random.default_rng(0).standard_normal(len(terms)).astype(np.float32)
        vectors, singular, _ = svds(matrix, k=width, v0=start, return_singular_vectors="u")
    vectors = vectors[:, ::-1] * np.sqrt(np.maximum(singular[::-1], 0))
    vectors *= np.sign(vectors[np.abs(vectors).argmax(axis=0), np.arange(width)])
    lengths = np.linalg.norm(vectors, axis=1)
    has_vector = lengths > 1e-6 * lengths.max(initial=0)  # a term without context has no vector
    every_term = list(index.terms)
    settings = {"width": width, "window": window, "minimum": minimum, "most": MOST_TERMS, "sample": sample}
    return WordVectors(
        [every_term[term] for term in terms[has_vector].tolist()],
        vectors[has_vector] / lengths[has_vector, None],
        None,
        index.analyzer,
        {"index": index.fingerprint, "settings": settings},
    )


def _stream(
    index: Index, terms: np.ndarray, documents: np.ndarray, window: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The documents as one array of term numbers, and the places of each term in it.

    stream:  int32; -1 for a term that is not in ``terms``, and ``window`` times -1 between documents
    firsts:  the places of term n are ``places[firsts[n]:firsts[n + 1]]``
    places:  positions in ``stream``
    """
    starts, ends = index.starts[documents], index.starts[documents + 1]
    begins = np.concatenate([[0], np.cumsum(ends - starts + window)]) + window
    stream = np.full(int(begins[-1]), -1, np.int32)
    places, firsts = [], [0]
    for number, term in enumerate(terms.tolist()):
        first, end = index.position_starts[term : term + 2]
        positions = np.asarray(index.positions[first:end], np.int64)
        document = np.searchsorted(starts, positions, side="right") - 1
        belongs = positions < ends[document]
        document = document[belongs]
        here = begins[document] + positions[belongs] - starts[document]
        stream[here] = number
        places.append(here)
        firsts.append(firsts[-1] + len(here))
    return stream, np.array(firsts, np.int64), np.concatenate(places)


@compiled
def _count_contexts(stream, firsts, places, window, totals):
    """Add the number of contexts of each term to ``totals``."""
    for term in range(len(totals)):
        for place in places[firsts[term] : firsts[term + 1]]:
            for near in range(place - window, place + window + 1):
                if near != place and stream[near] >= 0:
                    totals[term] += 1


@compiled
def _information(stream, firsts, places, window, log_totals, log_smoothed):
    """The positive PPMI of terms (rows) and contexts (columns): the ends of rows, the columns, the values."""
    rows = len(log_totals)
    counts = np.zeros(len(log_smoothed), np.int64)
    touched = np.empty(len(log_smoothed), np.int32)
    ends = np.zeros(rows, np.int64)
    columns = np.empty(1 << 16, np.int32)
    values = np.empty(1 << 16, np.float32)
    entries = 0
    for row in range(rows):
        found = 0
        for place in places[firsts[row] : firsts[row + 1]]:
            for near in range(place - window, place + window + 1):
                context = stream[near]
                if near != place and context >= 0:
                    if counts[context] == 0:
                        touched[found] = context
                        found += 1
                    counts[context] += 1
        if entries + found > len(columns):
            more = 2 * (entries + found)
            grown_columns, grown_values = np.empty(more, np.int32), np.empty(more, np.float32)
            grown_columns[:entries] = columns[:entries]
            grown_values[:entries] = values[:entries]
            columns, values = grown_columns, grown_values
        for context in np.sort(touched[:found]):
            worth = np.log(counts[context]) - log_totals[row] - log_smoothed[context]
            counts[context] = 0
            if worth > 0.0:
                columns[entries] = context
                values[entries] = worth
                entries += 1
        ends[row] = entries
    return ends, columns[:entries].copy(), values[:entries].copy()
