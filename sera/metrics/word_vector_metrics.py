"""S3's features of word vectors (Peyrard, Botschen & Gurevych 2017, section 3.1): ROUGE-WE-N and AVG_SIM.

ROUGE-WE (Ng & Abrecht 2015) is ROUGE-N with soft matches, as in the code released with S3. Words are in lower
case, without stemming and removal of stop words. The vector of an n-gram is the sum of its words' vectors.
The candidate's n-grams are matched in the order of their first occurrence: each with the most similar n-gram
that the reference has left (by cosine; equal n-grams have similarity 1; among equals the first), if the
similarity is 0.8 or more. A match uses up as many occurrences as both have. An n-gram with a word without a
vector matches only its equal. Several references are pooled, and each is matched separately.

AVG_SIM is the cosine of the mean vectors of the candidate's and the reference's words, without stop words and
words without a vector; its mean over the references. It is 0 if no word is left.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from sera.metrics.base import Metric, Text, parts_of, signature
from sera.metrics.s3.words import CITATION, distinct_words, ngrams, words
from sera.settings import setting
from sera.text.languages import ENGLISH, language_setting, stop_words
from sera.vectors.word_vectors import NAME_VECTORS, WordVectors, read

THRESHOLD = 0.8
_DIGITS = 12  # similarities are rounded to these, so that rounding errors break no ties


class _Grams(NamedTuple):
    """The different n-grams of a text in the order of their first occurrence."""

    counts: dict[tuple[str, ...], int]
    directions: np.ndarray  # (n-gram, dimension): vectors of length 1, or 0 where there is none


def soft_overlap(candidate: _Grams, reference: _Grams, threshold: float) -> int:
    """The number of matched occurrences of n-grams, by the rule of the module."""
    if not candidate.counts or not reference.counts:
        return 0
    similar = np.round(candidate.directions @ reference.directions.T, _DIGITS)
    places = {gram: place for place, gram in enumerate(reference.counts)}
    counts = list(reference.counts.values())
    matched = 0
    for row, (gram, times) in enumerate(candidate.counts.items()):
        line = similar[row]
        place = places.get(gram)
        if place is not None and counts[place]:
            line[place] = 1.0
        best = int(line.argmax())
        if line[best] < threshold:
            continue
        count = min(times, counts[best])
        counts[best] -= count
        matched += count
        if not counts[best]:
            similar[:, best] = -np.inf
    return matched


@lru_cache(maxsize=256)
def _grams(vectors: WordVectors, sentences: tuple[str, ...], n: int, language: str) -> _Grams:
    text = words(sentences, language)
    counts = dict(Counter(ngrams(text, n)))
    rows = vectors.rows([word for gram in counts for word in gram]).reshape(-1, n)
    sums = vectors.matrix[rows].astype(np.float64).sum(axis=1)
    lengths = np.linalg.norm(sums, axis=1)
    known = (rows >= 0).all(axis=1) & (lengths > 0)
    sums[~known] = 0.0
    sums[known] /= lengths[known, None]
    return _Grams(counts, sums)


@lru_cache(maxsize=8)  # n-grams are matched once for P, R and F
def _soft_parts(
    vectors: WordVectors,
    summary: tuple[str, ...],
    references: tuple[tuple[str, ...], ...],
    n: int,
    threshold: float,
    language: str,
) -> dict[str, float]:
    """Precision, recall and F of soft matches with the pooled references."""
    mine = _grams(vectors, summary, n, language)
    matched = total = 0
    for reference in references:
        theirs = _grams(vectors, reference, n, language)
        matched += soft_overlap(mine, theirs, threshold)
        total += sum(theirs.counts.values())
    recall = matched / total if total else 0.0
    own = len(references) * sum(mine.counts.values())
    precision = matched / own if own else 0.0
    both = precision + recall
    return {"P": precision, "R": recall, "F": 2 * precision * recall / both if both else 0.0}


@lru_cache(maxsize=256)
def _mean(vectors: WordVectors, sentences: tuple[str, ...], language: str) -> np.ndarray:
    stop = stop_words(language)
    rows = vectors.rows([word for word in words(sentences, language) if word not in stop])
    rows = rows[rows >= 0]
    return vectors.matrix[rows].astype(np.float64).mean(axis=0) if len(rows) else np.zeros(vectors.width)


def _cosine(first: np.ndarray, second: np.ndarray) -> float:
    lengths = float(np.linalg.norm(first) * np.linalg.norm(second))
    return float(first @ second) / lengths if lengths else 0.0


def open_vectors(files: Mapping[str, Any], texts: Iterable[Any]) -> WordVectors:
    """The vectors in the file ``vectors`` of the words of texts."""
    return read(files["vectors"], distinct_words(texts))


_NEEDED = {
    "vectors": (
        "compares words by their vectors, but none are given",
        f"{NAME_VECTORS}; `sera index vectors` learns them from an index.",
    )
}


@dataclass(frozen=True)
class RougeWe(Metric):
    """ROUGE-WE-N: precision, recall or F of soft matches; see the module. It is 0 if its denominator is 0.

    ``vectors`` are the word vectors; without them the metric has a name but no scores. ``threshold`` is the
    least similarity of a match, above 0 and at most 1. ``language`` is that of the texts; it decides no more
    than how words are found.
    """

    n: int
    part: Literal["P", "R", "F"] = "R"
    vectors: WordVectors | None = field(default=None)
    threshold: float = setting(THRESHOLD, float, "least similarity of a match", low=0, high=1, above=True)
    language: str = language_setting()

    pattern: ClassVar[str] = "ROUGE-WE-(?P<n>[1-9])-(?P<part>[PRF])"
    listed: ClassVar = tuple(f"ROUGE-WE-{n}-{part}" for n in (1, 2) for part in "PRF")
    measures: ClassVar[str] = "{measure} of {grams}, matched by the similarity of word vectors"
    needed: ClassVar = _NEEDED
    citation: ClassVar[str] = (
        "Jun-Ping Ng and Viktoria Abrecht. 2015. Better Summarization Evaluation with Word Embeddings for "
        "ROUGE. EMNLP."
    )

    @property
    def signature(self) -> str:
        settings = {"vectors": getattr(self.vectors, "name", None), "threshold": self.threshold}
        return signature(self.name, **settings, stem=False, refs="pooled", **self.sign_texts())

    def score_one(self, candidate: Text, references: Sequence[Text], source: Text | None = None) -> float:
        """The score, from 0 to 1."""
        self.ready()
        vectors: Any = self.vectors
        texts = parts_of(candidate), tuple(map(parts_of, references))
        return _soft_parts(vectors, *texts, self.n, self.threshold, self.language)[self.part]


@dataclass(frozen=True)
class AvgSim(Metric):
    """AVG_SIM with word vectors (``vectors``), for texts in ``language``; see the module."""

    vectors: WordVectors | None = field(default=None)
    language: str = language_setting()

    pattern: ClassVar[str] = "AVG_SIM"
    listed: ClassVar = ("AVG_SIM",)
    measures: ClassVar[str] = "cosine of the mean word vectors of candidate and references"
    needed: ClassVar = _NEEDED
    citation: ClassVar[str] = CITATION

    @property
    def signature(self) -> str:
        vectors = getattr(self.vectors, "name", None)
        stop = "nltk" if self.language == ENGLISH else "snowball"
        return signature(self.name, vectors=vectors, stop=stop, refs="mean", **self.sign_texts())

    def score_one(self, candidate: Text, references: Sequence[Text], source: Text | None = None) -> float:
        """The score, from -1 to 1."""
        self.ready()
        vectors: Any = self.vectors
        mine = _mean(vectors, parts_of(candidate), self.language)
        others = [_mean(vectors, parts_of(each), self.language) for each in references]
        return math.fsum(_cosine(mine, other) for other in others) / len(others)
