"""Phrases that a summary copies from its article, marked for people who judge abstraction (Nelson 2020).

Section 4 of the paper on MOULIN ROUGE: "A python script will highlight matching 5-grams or larger that match
between the given summary and the source so that the human evaluator has an idea of how often phrases were
directly copied." The author published no script. Words and n-grams are those of MOULIN ROUGE
(`sera.metrics.moulin_rouge`), so the share of copied n-grams is 1 less Novel-Phrase.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from sera.errors import InputError
from sera.io.records import Candidate, Source
from sera.metrics.base import sentences_of
from sera.reporting.page import Part, render
from sera.text.analysis import analyzer

COLUMNS = "topic system phrases longest copied ngrams share copied_words words".split()
_TEMPLATE = Path(__file__).with_name("copied_phrases.html.j2")
_STANDARD = analyzer("standard")
Stretch = tuple[int, int]
"""The first and the one after the last."""


class Article:
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


@dataclass
class Copies:
    """What a summary copies from its article.

    pieces:        for each of its sentences, the parts of its text, and whether each is to be marked
    lengths:       the number of words of each phrase
    copied:        the number of its n-grams that the article has; n is the least number of words
    ngrams:        the number of all its n-grams, within sentences
    copied_words:  the number of words that are marked; overlapping phrases are one stretch
    words:         the number of all its words
    """

    candidate: Candidate
    pieces: list[list[tuple[str, bool]]]
    lengths: list[int]
    copied: int = 0
    ngrams: int = 0
    copied_words: int = 0
    words: int = 0


def find_copies(
    candidates: Iterable[Candidate], sources: Iterable[Source], least: int = 5
) -> Iterator[Copies]:
    """What each summary copies from the article of its topic, in phrases of ``least`` words or more.

    A phrase stays within a sentence of the summary and may cross those of the article. InputError for a topic
    without an article.
    """
    sources_of = {source.topic: source for source in sources}
    cache: dict[str, Article] = {}
    for candidate in candidates:
        topic = candidate.topic
        if topic not in sources_of:
            raise InputError(f"topic {topic!r} has no article", remedy="Add it to the articles.")
        if topic not in cache:
            sentences = sentences_of(sources_of[topic])
            words = [word for sentence in sentences for word in _STANDARD.words(sentence)]
            cache = {topic: Article(words, least)}  # one at a time: topics can be many, articles long
        yield _compare(candidate, cache[topic])


def _compare(candidate: Candidate, article: Article) -> Copies:
    copies = Copies(candidate, [], [])
    for sentence in candidate.sentences:
        words, spans = _STANDARD.words(sentence), _STANDARD.spans(sentence)
        starts = range(len(words) - article.least + 1)
        copies.copied += sum(article.has(words[start : start + article.least]) for start in starts)
        copies.ngrams += len(starts)
        copies.words += len(words)
        phrases = article.phrases(words)
        copies.lengths += [end - start for start, end in phrases]
        pieces, place = [], 0
        for start, end in _join_overlaps(phrases):
            copies.copied_words += end - start
            first, last = spans[start][0], spans[end - 1][1]
            pieces += [(sentence[place:first], False), (sentence[first:last], True)]
            place = last
        copies.pieces.append([*pieces, (sentence[place:], False)])
    return copies


def _join_overlaps(spans: Iterable[Stretch]) -> list[Stretch]:
    stretches: list[Stretch] = []
    for start, end in spans:
        if stretches and start < stretches[-1][1]:
            stretches[-1] = stretches[-1][0], end
        else:
            stretches.append((start, end))
    return stretches


def count_copies(found: Iterable[Copies]) -> pd.DataFrame:
    """A row per summary, with `COLUMNS`.

    phrases (number) and longest (words of the longest one), copied of all ngrams and their share (0 to 1, NaN
    for a summary without n-grams), copied_words of all words.
    """
    rows = [
        (
            *(copies.candidate.topic, copies.candidate.system),
            *(len(copies.lengths), max(copies.lengths, default=0)),
            *(copies.copied, copies.ngrams, copies.copied / copies.ngrams if copies.ngrams else math.nan),
            *(copies.copied_words, copies.words),
        )
        for copies in found
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def page_of_copies(found: Iterable[Copies], least: int) -> str:
    """The page of `python -m study mark`: each summary with its copied phrases marked, and their number."""
    content = {"title": "Copied phrases", "heading": "Copied phrases", "least": least, "found": found}
    return render([Part("summaries", "The summaries")], content, _TEMPLATE)
