"""Words and n-grams for S3's features (Peyrard, Botschen & Gurevych 2017, and the code released with it).

A word is a run of letters, digits and underscores in lower case. A *stem* is the output of NLTK's Snowball
stemmer. N-grams cross sentence ends. An n-gram of stems is left out if all its stems are stop words (NLTK's
list, compared after stemming).

In another language, stems and stop words are those of `sera.text.languages`, and texts are composed first.
The rule stays: stop words are compared after stemming, so a stop word whose stem is not in the list counts
(English ``very``, German ``für``).
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from sera.metrics.base import HasSentences
from sera.text.languages import ENGLISH, compose, stemmer, stop_words

CITATION = (
    "Maxime Peyrard, Teresa Botschen and Iryna Gurevych. 2017. Learning to Score System Summaries for "
    "Better Content Selection Evaluation. EMNLP Workshop on New Frontiers in Summarization."
)

Ngram = tuple[str, ...]

_WORD = re.compile(r"\w+")


def words(sentences: Iterable[str], language: str = ENGLISH) -> list[str]:
    """The words of a text, in order."""
    if language != ENGLISH:
        sentences = map(compose, sentences)
    return [word.lower() for sentence in sentences for word in _WORD.findall(sentence)]


def distinct_words(texts: Iterable[HasSentences]) -> frozenset[str]:
    """The set of `words` of texts in any language, those that need vectors."""
    found: set[str] = set()
    for text in texts:
        found.update(words(text.sentences))
        if changed := [each for each in map(compose, text.sentences) if each not in text.sentences]:
            found.update(words(changed))
    return frozenset(found)


def ngrams(items: Sequence[str], n: int) -> list[Ngram]:
    """The n-grams of a text's words or stems, in order."""
    return list(zip(*(items[place:] for place in range(n))))


def stems(sentences: Iterable[str], language: str = ENGLISH) -> list[str]:
    """The stems of a text's `words`, in order."""
    return list(map(stemmer(language), words(sentences, language)))


def content_ngrams(sentences: Iterable[str], n: int, language: str = ENGLISH) -> list[Ngram]:
    """The n-grams of stems that count (see the module), in order."""
    stop = stop_words(language)
    return [gram for gram in ngrams(stems(sentences, language), n) if not stop.issuperset(gram)]


class NgramCounts:
    """The counts of a text's n-grams: ``of`` each, and ``total``."""

    def __init__(self, grams: Sequence[Ngram]) -> None:
        self.of = Counter(grams)
        self.total = len(grams)

    def share(self, gram: Ngram) -> float:
        """The share of an n-gram among all of the text, 0 to 1."""
        return self.of[gram] / self.total if self.total else 0.0


@lru_cache(maxsize=256)  # every summary of a topic is compared with its references and its article
def ngram_counts(sentences: tuple[str, ...], n: int, language: str = ENGLISH) -> NgramCounts:
    """The counts of a text's n-grams that count (`content_ngrams`)."""
    return NgramCounts(content_ngrams(sentences, n, language))
