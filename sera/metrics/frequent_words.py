"""The frequent words of a language: those that many documents of a collection have, or those of a list."""

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from os import PathLike
from typing import Any

from sera.io import files
from sera.retrieval.engines import Engine, open_engine
from sera.text.analysis import analyzer, analyzer_language


class IndexedCollection:
    """The documents of an index, whose analyzer decides which words are the same.

    If it stems, a word counts with all words of its stem. A stop word of the analyzer is in no document.
    ``language`` is that of the analyzer.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._frequency: dict[str, int] = {}
        self.name = f"{engine.documents} documents ({engine.analyzer})"
        self.language = analyzer_language(engine.analyzer)

    def frequent(self, words: Iterable[str], share: float) -> frozenset[str]:
        """Those of the words, in lower case, that more than this ``share`` (0 to 1) of the documents have."""
        words = frozenset(words)
        if new := sorted(words - self._frequency.keys()):
            self._frequency.update(zip(new, self._engine.document_frequency(new), strict=True))
        most = most_within(share, self._engine.documents)
        return frozenset(word for word in words if self._frequency[word] > most)


class WordList:
    """A list of frequent words in lower case; no share applies to it."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = frozenset(words)
        self.name = f"list of {len(self._words)} words"

    def frequent(self, words: Iterable[str], share: float) -> frozenset[str]:
        """Those of the words that are in the list, whatever the share."""
        return self._words.intersection(words)


def read_word_list(path: str | PathLike[str]) -> WordList:
    """Read a list of frequent words: UTF-8, one word a line, in any case; empty lines do not count."""
    return WordList(files.read_words(path, analyzer("standard").words))


def open_collection(files: Mapping[str, Any], texts: Iterable[Any]) -> IndexedCollection | WordList:
    """A list of ``frequent_words``, or else the documents of an ``index``."""
    if path := files.get("frequent_words"):
        return read_word_list(path)
    return IndexedCollection(open_engine(files))


def most_within(share: float, number: int) -> int:
    """The highest count that is not more than a share of a number.

    The share is taken as it is written: 29 of 100 is not more than 0.29.

    >>> most_within(0.29, 100), most_within(0.5, 5)
    (29, 2)
    """
    return math.floor(Fraction(str(share)) * number)
