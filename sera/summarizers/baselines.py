"""Baselines that know nothing: the first sentences, and sentences drawn by chance."""

from __future__ import annotations

import random

from sera.settings import whole
from sera.summarizers.document import Article
from sera.summarizers.interface import Summarizer


class Lead(Summarizer):
    """The article's sentences from the beginning."""

    def choices(self, document: Article) -> range:
        return range(len(document.sentences))


class Random(Summarizer):
    """Sentences in an order drawn from the seed and the topic's id, the same on any machine."""

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__()
        self.seed = whole("seed", seed, -(2**63), 2**63)

    def choices(self, document: Article) -> list[int]:
        order = list(range(len(document.sentences)))
        # A string seeds through SHA-512, not through Python's hash(), which differs from run to run.
        random.Random(f"{self.seed} {document.topic}").shuffle(order)
        return order
