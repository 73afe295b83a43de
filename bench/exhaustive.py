"""Rankings of synthetic documents by LM-Dirichlet, scored one by one without an index.

It reads no index and no text: documents are drawn again as the ranks of their words, and the vocabulary's
words are analyzed once. Scores are Lucene's, written out here a second time: mu and what a term adds are in
single precision, sums in double precision and then rounded; ties go to the earlier document.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from documents import ranks_of_documents, vocabulary

from sera.text.analysis import analyzer

MU = 2000.0
Ranking = list[tuple[int, float]]  # documents and scores, best first
_MOST = 256  # more than any term's count in a document


class Collection:
    """``documents`` synthetic documents of ``words`` words, and the queries to rank them for."""

    def __init__(self, queries: Sequence[str], documents: int, words: int) -> None:
        self._documents, self._words = documents, words
        english = analyzer("english")
        terms = [english.term(word) for word in vocabulary()]
        texts = [[english.term(word) for word in query.split()] for query in queries]
        self._queries = [Counter(term for term in text if term is not None) for text in texts]
        wanted = {
            term: number for number, term in enumerate(dict.fromkeys(t for q in self._queries for t in q))
        }
        self._terms = wanted
        # by the rank of a word, the number of its term; other terms have the last number
        self._number = np.array(
            [len(wanted) if term is None else wanted.get(term, len(wanted)) for term in terms]
        )
        self._counted = np.array([term is not None for term in terms])

    def best(self, k: int, processes: int = 2) -> list[Ranking]:
        """For each query, its best ``k`` documents; the collection is drawn twice, in parts."""
        step = max(1000, self._documents // (20 * processes) // 500 * 500)
        parts = [(first, min(step, self._documents - first)) for first in range(0, self._documents, step)]
        with ProcessPoolExecutor(processes) as pool:
            counted = list(pool.map(self._occurrences, *zip(*parts)))
            occurrences, tokens = (sum(part[at] for part in counted) for at in (0, 1))
            found = pool.map(
                self._scored,
                *zip(*parts),
                [occurrences] * len(parts),
                [tokens] * len(parts),
                [k] * len(parts),
            )
            best: list[Ranking] = [[] for _ in self._queries]
            for part in found:
                best = [_best([*so_far, *more], k) for so_far, more in zip(best, part)]
        return best

    def _occurrences(self, first: int, count: int) -> tuple[np.ndarray, int]:
        """How often some documents have each wanted term, and all of their tokens."""
        occurrences, tokens = np.zeros(len(self._terms) + 1, np.int64), 0
        for ranks in ranks_of_documents(first, count, self._words):
            occurrences += np.bincount(self._number[ranks].ravel(), minlength=len(occurrences))
            tokens += int(self._counted[ranks].sum())
        return occurrences, tokens

    def _scored(self, first: int, count: int, occurrences: np.ndarray, tokens: int, k: int) -> list[Ranking]:
        """The best of some documents for each query."""
        mu = float(np.float32(MU))
        gains = np.zeros((len(self._terms), _MOST))
        for term, often in enumerate(occurrences[:-1].tolist()):
            smoothing = mu * ((often + 1) / (tokens + 1))
            gains[term, 1:] = [math.log(1 + frequency / smoothing) for frequency in range(1, _MOST)]
        best: list[Ranking] = [[] for _ in self._queries]
        for ranks in ranks_of_documents(first, count, self._words):
            lengths = self._counted[ranks].sum(axis=1).tolist()
            norms = np.array([math.log(mu / (_rounded(length) + mu)) for length in lengths])
            width = len(self._terms) + 1
            cells = self._number[ranks] + width * np.arange(len(ranks))[:, None]
            frequencies = (
                np.bincount(cells.ravel(), minlength=width * len(ranks)).reshape(len(ranks), width).T
            )
            for number, query in enumerate(self._queries):
                rows = np.array([self._terms[term] for term in query], np.int64)
                often = frequencies[rows]
                counts = np.array(list(query.values()))[:, None]
                added = ((gains[rows[:, None], often] + norms) * counts).astype(np.float32)
                added = np.where(often > 0, np.maximum(added, np.float32(0)), np.float32(0)).astype(float)
                scores = added.sum(axis=0).astype(np.float32)  # term by term, in the order of the query
                hits = np.flatnonzero((often > 0).any(axis=0))
                # a stable sort, so that ties stay in the order of the documents
                hits = hits[np.argsort(-scores[hits], kind="stable")][:k]
                more = zip((hits + first).tolist(), scores[hits].tolist())
                best[number] = _best([*best[number], *more], k)
            first += len(ranks)
        return best


def _rounded(length: int) -> int:
    """Lucene's length: 24 plus a number of four significant bits, rounded down; exact below 40."""
    if length < 40:
        return length
    shift = (length - 24).bit_length() - 4
    return 24 + ((length - 24) >> shift << shift)


def _best(hits: Ranking, k: int) -> Ranking:
    return sorted(hits, key=lambda hit: (-hit[1], hit[0]))[:k]


def main() -> None:
    """python exhaustive.py QUERIES HOW_MANY DOCUMENTS WORDS K: a list of rankings, as JSON."""
    queries = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    asked, documents, words, k = map(int, sys.argv[2:])
    print(json.dumps(Collection(queries[:asked], documents, words).best(k)))


if __name__ == "__main__":
    main()
