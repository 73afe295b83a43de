"""Two simple baselines: the first sentences, and randomly drawn sentences."""

import random

from sera.settings import whole
from sera.summarizers.document import Article
from sera.summarizers.interface import Summarizer
from sera.text.languages import ENGLISH


class Lead(Summarizer):
    """The sentences of the article from its beginning."""

    def choices(self, document: Article) -> range:
        return range(len(document.sentences))


class Random(Summarizer):
    """Sentences in a random order that depends on the seed and the topic's id, the same on any machine.

    ``seed``: a whole number from -2^63 to 2^63.
    """

    def __init__(self, *, seed: int = 0, language: str = ENGLISH) -> None:
        super().__init__(language=language)
        self.seed = whole("seed", seed, -(2**63), 2**63)

    def choices(self, document: Article) -> list[int]:
        order = list(range(len(document.sentences)))
        # A string seed goes through SHA-512, not through Python's hash(), which changes from run to run.
        random.Random(f"{self.seed} {document.topic}").shuffle(order)
        return order
