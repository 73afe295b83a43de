"""S3's features of n-gram distributions (Peyrard, Botschen & Gurevych 2017, section 3.1), for N = 1 to 9.

docs/metrics.md has the formulas. Only Red counts n-grams of stop words too.

Words, stems and stop words are those of `sera.metrics.s3.words`; logarithms are natural. Lower divergences
are better. A score is 0 if its denominator is 0. A text without n-grams shares nothing with another, so their
JS divergence is the largest, ln 2.
"""

import math
import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from sera.metrics.base import Metric, Text, parts_of, sentences_of, signature
from sera.metrics.s3.words import CITATION, Ngram, NgramCounts, content_ngrams, ngram_counts, ngrams, stems
from sera.text.languages import ENGLISH, language_setting

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


@dataclass(frozen=True)
class WordDistribution(Metric):
    """The base class of the families of this module; ``n`` is the N of their n-grams, 1 to 9.

    ``language`` is that of the texts, one of `sera.text.languages.LANGUAGES`.
    """

    n: int
    language: str = language_setting()

    family: ClassVar[str]  # in names
    citation: ClassVar[str] = CITATION

    def __init_subclass__(cls) -> None:
        if "family" in vars(cls):
            cls.pattern = rf"{re.escape(cls.family)}-(?P<n>[1-9])"
            cls.listed = tuple(f"{cls.family}-{n}" for n in (1, 2))

    @property
    def signature(self) -> str:
        stop = "nltk" if self.language == ENGLISH else "snowball"
        return signature(self.name, stem="snowball", stop=stop, log="natural", **self.sign_texts())

    read = staticmethod(parts_of)
    """What gives the sentences of a text; the n-grams of most families cross them."""

    def counts(self, text: Sentences) -> NgramCounts:
        """The n-grams of a text that count."""
        return ngram_counts(text, self.n, self.language)

    @abstractmethod
    def of(self, candidate: Sentences, references: Sequence[Sentences], article: Sentences) -> float:
        """The score of a summary; the article is empty if there is none."""

    def score_one(self, candidate: Text, references: Sequence[Text], source: Text | None = None) -> float:
        """The score, in the range of the family's function."""
        others = [self.read(reference) for reference in references]
        return self.of(self.read(candidate), others, self.read(source or ()))


class JsRef(WordDistribution):
    """The mean over the references of `js_divergence` (equation 4)."""

    family = "JS-ref"
    falling = True
    measures = "Jensen-Shannon divergence from the references' {grams}; the smaller the better"

    def of(self, candidate: Sentences, references: Sequence[Sentences], article: Sentences) -> float:
        summary = self.counts(candidate)
        return math.fsum(js_divergence(summary, self.counts(one)) for one in references) / len(references)


class _WithArticle(WordDistribution):
    needs_references = False
    needs_source = True


class Js(_WithArticle):
    """`js_divergence` from the article."""

    family = "JS"
    falling = True
    measures = "Jensen-Shannon divergence from the article's {grams}; the smaller the better"

    def of(self, candidate: Sentences, references: Sequence[Sentences], article: Sentences) -> float:
        return js_divergence(self.counts(candidate), self.counts(article))


class Kl(_WithArticle):
    """The sum of p ln(p / q) over the n-grams that both texts have, in nats; it may be negative.

    The code released with S3 computes it so; the true divergence is infinite if the article lacks an n-gram.
    """

    family = "KL"
    falling = True
    measures = "Kullback-Leibler divergence from the article's {grams}, where it has them"

    def of(self, candidate: Sentences, references: Sequence[Sentences], article: Sentences) -> float:
        ours, theirs = self.counts(candidate), self.counts(article)
        shared = ((ours.share(gram), theirs.share(gram)) for gram in ours.of)
        return math.fsum(p * math.log(p / q) for p, q in shared if q)


class TfIdf(_WithArticle):
    """The sum of tf idf over the n-grams of the summary's sentences, each as often as it occurs; 0 or more.

    tf is the share of an n-gram among the article's, idf is ln(sentences / sentences with it) over the
    article's sentences. Here n-grams do not cross sentences.
    """

    family = "TF*IDF"
    read = staticmethod(sentences_of)
    measures = "sum of tf idf, in the article, of the summary's {grams}"

    def of(self, candidate: Sentences, references: Sequence[Sentences], article: Sentences) -> float:
        weights = _weights(article, self.n, self.language)
        grams = (content_ngrams([sentence], self.n, self.language) for sentence in candidate)
        return math.fsum(weights.get(gram, 0.0) for sentence in grams for gram in sentence)


@lru_cache(maxsize=256)
def _weights(article: Sentences, n: int, language: str) -> dict[Ngram, float]:
    sentences = [content_ngrams([sentence], n, language) for sentence in article]
    sentence_counts = Counter(gram for sentence in sentences for gram in set(sentence))
    counts = Counter(gram for sentence in sentences for gram in sentence)
    total = sum(counts.values())
    return {gram: counts[gram] / total * math.log(len(article) / sentence_counts[gram]) for gram in counts}


class Coverage(_WithArticle):
    """The share of the article's n-grams, weighted by their counts, that the summary has: 0 to 1."""

    family = "Cov"
    measures = "share of the article's {grams} that the summary has"

    def of(self, candidate: Sentences, references: Sequence[Sentences], article: Sentences) -> float:
        theirs = self.counts(article)
        return math.fsum(theirs.share(gram) for gram in self.counts(candidate).of)


class Redundancy(WordDistribution):
    """The different n-grams of the summary over all its n-grams, those of stop words too; 0 to 1.

    It is 1 if none is repeated.
    """

    family = "Red"
    measures = "different {grams} of the summary, of all that it has"
    needs_references = False

    @property
    def signature(self) -> str:
        return signature(self.name, stem="snowball", stop=None, **self.sign_texts())

    def of(self, candidate: Sentences, references: Sequence[Sentences], article: Sentences) -> float:
        counts = NgramCounts(ngrams(stems(candidate, self.language), self.n))
        return len(counts.of) / counts.total if counts.total else 0.0
