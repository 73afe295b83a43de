"""The last sentences of an article: a baseline."""

from __future__ import annotations

from sera.summarizers.document import Article
from sera.summarizers.interface import Summarizer


class Last(Summarizer):
    """Baseline: the last sentences."""

    def choices(self, document: Article) -> list[int]:
        return list(reversed(range(len(document.sentences))))
