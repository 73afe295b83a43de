"""What the summarizers share that sumy does not have."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from sumy.models.dom import Sentence
from sumy.summarizers._summarizer import AbstractSummarizer

from sera.summarizers.document import Article, stem


class Summarizer(AbstractSummarizer):
    """A summarizer that says in which order it chooses; sumy's interface follows from that."""

    def __init__(self) -> None:
        super().__init__(stem)

    def sentences(self, document: Article) -> Sequence[Sentence]:
        """What the summary is made of: the article's sentences, unless a system says otherwise."""
        return document.sentences

    @abstractmethod
    def choices(self, document: Article) -> Sequence[int]:
        """Numbers of the sentences that may be chosen, each once, best first."""

    def __call__(self, document: Article, sentences_count) -> tuple[Sentence, ...]:
        """The chosen sentences; ``sentences_count`` is a number, "10%" or a callable, as sumy has it."""
        return chosen(self.sentences(document), self.choices(document), sentences_count)


def chosen(sentences: Sequence[Sentence], choices: Sequence[int], sentences_count) -> tuple[Sentence, ...]:
    """What sumy takes from ``sentences`` when ``choices`` are their numbers, best first."""
    rating = {number: -position for position, number in enumerate(choices)}
    numbers = sorted(rating)
    ratings = (rating[number] for number in numbers)
    # Equal sentences keep ratings of their own: a dictionary by sentence would mix them.
    return AbstractSummarizer._get_best_sentences(
        [sentences[number] for number in numbers], sentences_count, lambda _: next(ratings)
    )
