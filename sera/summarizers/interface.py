"""The base class of the summarizers."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from sumy.models.dom import Sentence
from sumy.summarizers._summarizer import AbstractSummarizer

from sera.settings import check_declared, setting
from sera.summarizers.document import Article, terms
from sera.text.languages import ENGLISH, language_setting


@dataclass(kw_only=True, eq=False)
class Summarizer(AbstractSummarizer):
    """A summarizer with sumy's interface, defined by the order in which it chooses sentences.

    The fields of a subclass that is a dataclass declare its settings (`sera.settings.setting`); a value that
    is not allowed is an InputError. ``terms`` are the stems and stop words of the language, which one of
    sumy's classes as a second base class has too.
    """

    PAPER: ClassVar[dict[str, Any]] = {}
    """The settings with which it follows its paper where the defaults follow sumy."""

    language: str = language_setting()

    def __post_init__(self) -> None:
        check_declared(self)
        self.terms = terms(self.language)
        self.stop_words = self.terms.stop_words
        super().__init__(self.terms.stem)

    def sentences(self, document: Article) -> Sequence[Sentence]:
        """The sentences to choose from: the article's, unless a subclass has others."""
        return document.sentences

    def choices(self, document: Article) -> Sequence[int]:
        """Numbers of the sentences that may be chosen, from 0, each once, best first."""
        raise NotImplementedError

    def ratings(self, document: Article) -> np.ndarray:
        """The rating of each sentence, float64: the highest is chosen first, and one of NaN never."""
        return rate_by_order(self.choices(document), len(self.sentences(document)))

    def __call__(self, document: Article, sentences_count) -> tuple[Sentence, ...]:
        """The chosen sentences; ``sentences_count``: a number, "10%" or a callable, as in sumy."""
        return select_sentences(self.sentences(document), self.ratings(document), sentences_count)


@dataclass(kw_only=True, eq=False)
class EnglishSummarizer(Summarizer):
    """The base class of those that read English alone and have no parameter ``language``."""

    language: str = field(default=ENGLISH, init=False)


@dataclass(kw_only=True, eq=False)
class TwoVariants(Summarizer):
    """The base class of those of sumy that also choose as their paper does, by `choices`."""

    PAPER: ClassVar[dict[str, Any]] = {"variant": "paper"}

    variant: str = setting("sumy", str, "whose choice; see the module", choices=("sumy", "paper"))

    def ratings(self, document: Article) -> np.ndarray:
        if self.variant == "paper":
            return super().ratings(document)
        ratings = self._compute_ratings(document.sentences)  # a method of sumy's class
        return np.array([ratings[sentence] for sentence in document.sentences], float)


def rate_by_order(choices: Sequence[int], sentences: int) -> np.ndarray:
    """The ratings of sentences by numbers of some of them, best first."""
    ratings = np.full(sentences, np.nan)
    ratings[choices] = -np.arange(len(choices))
    return ratings


def select_sentences(
    sentences: Sequence[Sentence], ratings: np.ndarray, sentences_count
) -> tuple[Sentence, ...]:
    """The sentences that sumy takes by their `Summarizer.ratings`."""
    numbers = np.flatnonzero(~np.isnan(ratings)).tolist()
    values = iter(ratings[numbers].tolist())
    # Each of two equal sentences keeps its own rating; a dictionary by sentence would mix them.
    return AbstractSummarizer._get_best_sentences(
        [sentences[number] for number in numbers], sentences_count, lambda _: next(values)
    )
