"""Two simple baselines: the first sentences, and randomly drawn sentences."""

import random
from dataclasses import dataclass

from sera.settings import setting
from sera.summarizers.document import Article
from sera.summarizers.interface import Summarizer


class Lead(Summarizer):
    """The sentences of the article from its beginning."""

    def choices(self, document: Article) -> range:
        return range(len(document.sentences))


@dataclass(kw_only=True, eq=False)
class Random(Summarizer):
    """Sentences in a random order that depends on the seed and the topic's id, the same on any machine."""

    seed: int = setting(0, int, "of the random order", low=-(2**63), high=2**63)

    def choices(self, document: Article) -> list[int]:
        order = list(range(len(document.sentences)))
        # A string seed goes through SHA-512, not through Python's hash(), which changes from run to run.
        random.Random(f"{self.seed} {document.topic}").shuffle(order)
        return order
