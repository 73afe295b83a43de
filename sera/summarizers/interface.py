"""The base class of the summarizers that sumy does not have."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from sumy.models.dom import Sentence
from sumy.summarizers._summarizer import AbstractSummarizer

from sera.summarizers.document import Article, terms
from sera.text.languages import ENGLISH


class Summarizer(AbstractSummarizer):
    """A summarizer with sumy's interface, defined by the order in which it chooses sentences.

    ``terms`` are the stems and stop words of the language. A subclass that reads English alone has no
    parameter ``language``.
    """

    def __init__(self, *, language: str = ENGLISH) -> None:
        """``language``: of the articles, one of `sera.text.languages.LANGUAGES`."""
        self.terms = terms(language)
        super().__init__(self.terms.stem)

    def sentences(self, document: Article) -> Sequence[Sentence]:
        """The sentences to choose from: the article's, unless a subclass has others."""
        return document.sentences

    @abstractmethod
    def choices(self, document: Article) -> Sequence[int]:
        """Numbers of the sentences that may be chosen, from 0, each once, best first."""

    def __call__(self, document: Article, sentences_count) -> tuple[Sentence, ...]:
        """The chosen sentences; ``sentences_count``: a number, "10%" or a callable, as in sumy."""
        return chosen(self.sentences(document), self.choices(document), sentences_count)


def chosen(sentences: Sequence[Sentence], choices: Sequence[int], sentences_count) -> tuple[Sentence, ...]:
    """The sentences that sumy takes; ``choices``: numbers in ``sentences``, best first."""
    rating = {number: -position for position, number in enumerate(choices)}
    numbers = sorted(rating)
    ratings = (rating[number] for number in numbers)
    # Each of two equal sentences keeps its own rating; a dictionary by sentence would mix them.
    return AbstractSummarizer._get_best_sentences(
        [sentences[number] for number in numbers], sentences_count, lambda _: next(ratings)
    )
