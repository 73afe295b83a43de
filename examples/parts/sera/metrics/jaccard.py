"""Jaccard's index of the n-grams of content words of a candidate and of its references together."""

from __future__ import annotations

from dataclasses import dataclass

from sera.metrics.base import Metric, sentences_of, signature
from sera.retrieval.queries import content_words
from sera.settings import setting


@dataclass(frozen=True)
class Jaccard(Metric):
    n: int
    letters: int = setting(1, int, "letters of the shortest word that counts", low=1, high=100)
    pattern = "Jaccard-(?P<n>[1-9])"
    listed = ("Jaccard-1", "Jaccard-2")
    measures = "Jaccard index of the {grams} of content words"
    citation = "Paul Jaccard. 1912. The Distribution of the Flora in the Alpine Zone. New Phytologist 11."

    @property
    def signature(self) -> str:
        return signature(self.name, letters=self.letters)

    @classmethod
    def score_together(cls, metrics, candidate, references, source=None) -> list[float]:
        pairs = [(each._ngrams([candidate]), each._ngrams(references)) for each in metrics]
        return [len(found & wanted) / (len(found | wanted) or 1) for found, wanted in pairs]

    def _ngrams(self, texts) -> set[tuple[str, ...]]:
        sentences = (content_words(sentence) for text in texts for sentence in sentences_of(text))
        long = ([word for word in words if len(word) >= self.letters] for words in sentences)
        return {ngram for words in long for ngram in zip(*(words[start:] for start in range(self.n)))}
