"""The longest sentences; in a tie, the earlier one: a baseline."""

from __future__ import annotations

from sera.summarizers.document import Article
from sera.summarizers.interface import Summarizer


class Longest(Summarizer):
    """Sentences by their number of words."""

    def choices(self, document: Article) -> list[int]:
        lengths = [len(str(sentence).split()) for sentence in document.sentences]
        return sorted(range(len(lengths)), key=lambda number: -lengths[number])
