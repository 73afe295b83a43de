"""Phrases that a summary copies from its article, marked for people who judge abstraction (Nelson 2020).

Section 4 of the paper on MOULIN ROUGE: "A python script will highlight matching 5-grams or larger that match
between the given summary and the source so that the human evaluator has an idea of how often phrases were
directly copied." The author published no script. Words and n-grams are those of MOULIN ROUGE
(`sera.metrics.moulin_rouge`), so the share of copied n-grams is 1 less Novel-Phrase.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from sera.errors import InputError
from sera.io.records import Candidate, Source
from sera.metrics.base import sentences_of
from sera.text.analysis import analyzer

COPIED_COLUMNS = "topic system phrases longest copied ngrams share copied_words words".split()

_STANDARD = analyzer("standard")
Stretch = tuple[int, int]
"""The first and the one after the last."""


class CopiedFrom:
    """The words of an article, to find those of a summary that are copied from it.

    ``least`` is the number of words of the shortest phrase, 1 or more.
    """

    def __init__(self, words: Sequence[str], least: int) -> None:
        self.least = least
        self._text = f" {' '.join(words)} "

    def has(self, words: Sequence[str]) -> bool:
        """Whether the article has these words next to each other."""
        return f" {' '.join(words)} " in self._text

    def phrases(self, sentence: Sequence[str]) -> list[Stretch]:
        """The longest phrases of a sentence that the article has word for word, from left to right, in words.

        None is within another one, but two may overlap, where the article has them in two places.
        """
        spans: list[Stretch] = []
        end = 0
        for start in range(len(sentence) - self.least + 1):
            end = max(end, start + self.least - 1)  # a part of a phrase is one
            while end < len(sentence) and self.has(sentence[start : end + 1]):
                end += 1
            if end - start >= self.least and (not spans or end > spans[-1][1]):
                spans.append((start, end))
        return spans


@dataclass(frozen=True)
class CopiedPhrases:
    """What a summary copies from its article.

    candidate:     the summary
    marks:         for each of its sentences, the characters to mark; overlapping phrases are one stretch
    lengths:       the number of words of each phrase
    copied:        the number of its n-grams that the article has; n is the least number of words
    ngrams:        the number of all its n-grams, within sentences
    copied_words:  the number of words that are marked
    words:         the number of all its words
    """

    candidate: Candidate
    marks: tuple[tuple[Stretch, ...], ...]
    lengths: tuple[int, ...]
    copied: int
    ngrams: int
    copied_words: int
    words: int


def copied_phrases(
    candidates: Iterable[Candidate], sources: Iterable[Source], least: int = 5
) -> Iterator[CopiedPhrases]:
    """What each summary copies from the article of its topic, in phrases of ``least`` words or more.

    A phrase stays within a sentence of the summary and may cross those of the article. InputError for a topic
    without an article.
    """
    articles = {source.topic: source for source in sources}
    cache: dict[str, CopiedFrom] = {}
    for candidate in candidates:
        topic = candidate.topic
        if topic not in articles:
            raise InputError(f"topic {topic!r} has no article", remedy="Add it to the articles (--sources).")
        if topic not in cache:
            text = sentences_of(articles[topic])
            words = [word for sentence in text for word in _STANDARD.words(sentence)]
            cache = {topic: CopiedFrom(words, least)}  # one at a time, since an index of phrases is large
        yield _find_copies(candidate, cache[topic])


def _find_copies(candidate: Candidate, article: CopiedFrom) -> CopiedPhrases:
    marks, lengths = [], []
    copied = ngrams = copied_words = words = 0
    for sentence in candidate.sentences:
        tokens, characters = _STANDARD.words(sentence), _STANDARD.spans(sentence)
        starts = range(len(tokens) - article.least + 1)
        copied += sum(article.has(tokens[start : start + article.least]) for start in starts)
        ngrams += len(starts)
        words += len(tokens)
        phrases = article.phrases(tokens)
        lengths += [end - start for start, end in phrases]
        stretches = _join_overlaps(phrases)
        copied_words += sum(end - start for start, end in stretches)
        marks.append(tuple((characters[start][0], characters[end - 1][1]) for start, end in stretches))
    return CopiedPhrases(candidate, tuple(marks), tuple(lengths), copied, ngrams, copied_words, words)


def _join_overlaps(spans: Iterable[Stretch]) -> list[Stretch]:
    stretches: list[Stretch] = []
    for start, end in spans:
        if stretches and start < stretches[-1][1]:
            stretches[-1] = stretches[-1][0], end
        else:
            stretches.append((start, end))
    return stretches


def copied_table(found: Iterable[CopiedPhrases]) -> pd.DataFrame:
    """A row per summary, with `COPIED_COLUMNS`.

    phrases (number) and longest (words of the longest one), copied of all ngrams and their share (0 to 1, NaN
    for a summary without n-grams), copied_words of all words.
    """
    rows = [
        (
            *(one.candidate.topic, one.candidate.system, len(one.lengths), max(one.lengths, default=0)),
            *(one.copied, one.ngrams, one.copied / one.ngrams if one.ngrams else math.nan),
            *(one.copied_words, one.words),
        )
        for one in found
    ]
    return pd.DataFrame(rows, columns=COPIED_COLUMNS)
