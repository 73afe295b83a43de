"""The base class of the summarizers that sumy does not have."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from sumy.models.dom import Sentence
from sumy.summarizers._summarizer import AbstractSummarizer

from sera.settings import one_of
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
        return select_sentences(self.sentences(document), self.choices(document), sentences_count)


class WithTerms(AbstractSummarizer):
    """The base class of the summarizers of sumy: it sets the stems and stop words of a language."""

    def __init__(self, *, language: str = ENGLISH) -> None:
        self.terms = terms(language)
        super().__init__(self.terms.stem)
        self.stop_words = self.terms.stop_words


class TwoVariants(WithTerms):
    """The base class of those that also have the variant of their paper."""

    PAPER: ClassVar[dict[str, Any]] = {"variant": "paper"}

    def __init__(self, *, variant: str = "sumy", language: str = ENGLISH) -> None:
        """``variant``: the choice of "sumy" or of the "paper"; see the module."""
        super().__init__(language=language)
        self.variant = one_of("variant", variant, ("sumy", "paper"))

    @abstractmethod
    def choose_as_paper(self, bags: list[list[str]]) -> list[int]:
        """Numbers of the sentences as the paper chooses them, best first; ``bags`` are their stems."""

    def __call__(self, document: Article, sentences_count) -> tuple[Sentence, ...]:
        if self.variant == "sumy":
            return super().__call__(document, sentences_count)
        order = self.choose_as_paper([self.terms.stems(sentence) for sentence in document.sentences])
        return select_sentences(document.sentences, order, sentences_count)


def select_sentences(
    sentences: Sequence[Sentence], choices: Sequence[int], sentences_count
) -> tuple[Sentence, ...]:
    """The sentences that sumy takes; ``choices``: numbers in ``sentences``, best first."""
    rating = {number: -position for position, number in enumerate(choices)}
    numbers = sorted(rating)
    ratings = (rating[number] for number in numbers)
    # Each of two equal sentences keeps its own rating; a dictionary by sentence would mix them.
    return AbstractSummarizer._get_best_sentences(
        [sentences[number] for number in numbers], sentences_count, lambda _: next(ratings)
    )
