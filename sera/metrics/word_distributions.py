"""S3's features of n-gram distributions (Peyrard, Botschen & Gurevych 2017, section 3.1), for N = 1 to 9.

========== ============================ =====================================================================
JS-ref-N   with the references          mean over them of the Jensen-Shannon divergence (equation 4)
JS-N       with the article             the Jensen-Shannon divergence
KL-N       with the article             sum of p ln(p / q) over the summary's n-grams, p its share there, q in
                                        the article; those that the article lacks are left out
TF*IDF-N   with the article             sum over the summary's sentences and their n-grams of tf idf
Cov-N      with the article             the share of the article's n-grams that the summary has
Red-N      of the summary alone         its different n-grams over all its n-grams, of stop words too
========== ============================ =====================================================================

Words, stems and stop words are those of `sera.metrics.s3.words`; logarithms are natural. Lower divergences
are better. A score is 0 if its denominator is 0. A text without n-grams shares nothing with another, so their
JS divergence is the largest, ln 2.
"""

from __future__ import annotations

import math
import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from sera.metrics.base import Metric, Text, sentences_of, signature
from sera.metrics.s3.words import (
    CITATION,
    Ngram,
    NgramCounts,
    content_ngrams,
    kept_counts,
    ngram_counts,
    ngrams,
    stems,
)
from sera.text.languages import ENGLISH, of_language, signed

Sentences = tuple[str, ...]


def js_divergence(first: NgramCounts, second: NgramCounts) -> float:
    """The Jensen-Shannon divergence of two distributions, in nats: 0 to ln 2.

    An n-gram of one text alone adds half its share times ln 2, so only shared n-grams are visited.
    """
    if not (first.total and second.total):
        return math.log(2)
    parts = [math.log(2)]
    for gram in min(first.of, second.of, key=len):
        p, q = first.share(gram), second.share(gram)
        if p and q:
            parts += [p * math.log(p / (p + q)) / 2, q * math.log(q / (p + q)) / 2]
    return max(0.0, math.fsum(parts))


def kl_divergence(summary: NgramCounts, article: NgramCounts) -> float:
    """The sum of p ln(p / q) over the shared n-grams, in nats; it may be negative.

    The code released with S3 computes it so; the true divergence is infinite if the article lacks an n-gram.
    """
    shared = ((summary.share(gram), article.share(gram)) for gram in summary.of)
    return math.fsum(p * math.log(p / q) for p, q in shared if q)


def coverage(summary: NgramCounts, article: NgramCounts) -> float:
    """The share of the article's n-grams, weighted by their counts, that the summary has: 0 to 1."""
    return math.fsum(article.share(gram) for gram in summary.of)


def redundancy(summary: NgramCounts) -> float:
    """The number of the summary's different n-grams over that of all its n-grams: 1 if none is repeated.

    It is the plain share of the paper, so ``summary`` counts all n-grams, those of stop words too.
    """
    return len(summary.of) / summary.total if summary.total else 0.0


def tf_idf(summary: Sentences, article: Sentences, n: int, language: str = ENGLISH) -> float:
    """The sum of tf idf over the n-grams of the summary's sentences, each as often as it occurs; 0 or more.

    tf is the share of an n-gram among the article's, idf is ln(sentences / sentences with it) over the
    article's sentences. Here n-grams do not cross sentences.
    """
    weights = _weights(article, n, language)
    return math.fsum(
        weights.get(gram, 0.0) for sentence in summary for gram in content_ngrams([sentence], n, language)
    )


@lru_cache(maxsize=256)
def _weights(article: Sentences, n: int, language: str) -> dict[Ngram, float]:
    """The tf idf of the article's n-grams."""
    sentences = [content_ngrams([sentence], n, language) for sentence in article]
    within = Counter(gram for sentence in sentences for gram in set(sentence))
    times = Counter(gram for sentence in sentences for gram in sentence)
    total = sum(times.values())
    return {gram: times[gram] / total * math.log(len(article) / within[gram]) for gram in times}


@dataclass(frozen=True)
class WordDistribution(Metric):
    """The base class of the families of this module; ``n`` is the N of their n-grams, 1 to 9.

    ``language`` is that of the texts, one of `sera.text.languages.LANGUAGES`.
    """

    n: int
    language: str = of_language()

    family: ClassVar[str]  # in names
    measures: ClassVar[str]
    citation: ClassVar[str] = CITATION

    def __init_subclass__(cls) -> None:
        if "family" in vars(cls):
            cls.pattern = rf"{re.escape(cls.family)}-(?P<n>[1-9])"

    @property
    def name(self) -> str:
        return f"{self.family}-{self.n}"

    @property
    def signature(self) -> str:
        stop = "nltk" if self.language == ENGLISH else "snowball"
        return signature(self.name, stem="snowball", stop=stop, log="natural", **signed(self.language))

    def counts(self, candidate: Sentences) -> NgramCounts:
        """The n-grams of a summary that count."""
        return ngram_counts(candidate, self.n, self.language)

    def kept(self, text: Sentences) -> NgramCounts:
        """`counts` of a reference or an article, cached."""
        return kept_counts(text, self.n, self.language)

    @abstractmethod
    def of(self, candidate: Sentences, references: Sequence[Sentences], article: Sentences) -> float:
        """The score of a summary; the article is empty if there is none."""

    def score_one(self, candidate: Text, references: Sequence[Text], source: Text | None = None) -> float:
        """The score, in the range of the family's function."""
        others = [sentences_of(reference) for reference in references]
        return self.of(sentences_of(candidate), others, sentences_of(source or ()))

    @classmethod
    def names(cls) -> list[str]:
        return [f"{cls.family}-{n}" for n in (1, 2)]

    @classmethod
    def describe(cls, name: str) -> str:
        n = cls.parse(name).n
        return cls.measures.format("unigrams" if n == 1 else f"{n}-grams")


class JsRef(WordDistribution):
    """The mean over the references of `js_divergence` (equation 4)."""

    family = "JS-ref"
    falling = True
    measures = "Jensen-Shannon divergence from the references' {}; the smaller the better"

    def of(self, candidate: Sentences, references: Sequence[Sentences], article: Sentences) -> float:
        summary = self.counts(candidate)
        return math.fsum(js_divergence(summary, self.kept(one)) for one in references) / len(references)


class _WithArticle(WordDistribution):
    needs_references = False
    needs_source = True


class Js(_WithArticle):
    """`js_divergence` from the article."""

    family = "JS"
    falling = True
    measures = "Jensen-Shannon divergence from the article's {}; the smaller the better"

    def of(self, candidate: Sentences, references: Sequence[Sentences], article: Sentences) -> float:
        return js_divergence(self.counts(candidate), self.kept(article))


class Kl(_WithArticle):
    """`kl_divergence` from the article."""

    family = "KL"
    falling = True
    measures = "Kullback-Leibler divergence from the article's {}, where it has them"

    def of(self, candidate: Sentences, references: Sequence[Sentences], article: Sentences) -> float:
        return kl_divergence(self.counts(candidate), self.kept(article))


class TfIdf(_WithArticle):
    """`tf_idf` of the summary in the article."""

    family = "TF*IDF"
    measures = "sum of tf idf, in the article, of the summary's {}"

    def of(self, candidate: Sentences, references: Sequence[Sentences], article: Sentences) -> float:
        return tf_idf(candidate, article, self.n, self.language)


class Coverage(_WithArticle):
    """`coverage` of the article."""

    family = "Cov"
    measures = "share of the article's {} that the summary has"

    def of(self, candidate: Sentences, references: Sequence[Sentences], article: Sentences) -> float:
        return coverage(self.counts(candidate), self.kept(article))


class Redundancy(WordDistribution):
    """`redundancy` of the summary."""

    family = "Red"
    measures = "different {} of the summary, of all that it has"
    needs_references = False

    @property
    def signature(self) -> str:
        return signature(self.name, stem="snowball", stop=None, **signed(self.language))

    def of(self, candidate: Sentences, references: Sequence[Sentences], article: Sentences) -> float:
        return redundancy(NgramCounts(ngrams(stems(candidate, self.language), self.n)))
