"""Similarity of each reference word with the nearest word of the candidate (Rus & Lintean 2012)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sera.metrics.base import Metric, sentences_of, signature
from sera.metrics.s3.words import words
from sera.vectors.word_vectors import WordVectors


@dataclass(frozen=True)
class Nearest(Metric):
    vectors: WordVectors | None = None
    citation = "Vasile Rus and Mihai Lintean. 2012. A Comparison of Greedy and Optimal Assessment. BEA."
    pattern = "Nearest"
    listed = ("Nearest",)
    measures = "mean similarity of a reference's words with the nearest word of the candidate"
    needed = {"vectors": ("needs word vectors", "Name them: --vectors FILE.")}

    @property
    def signature(self) -> str:
        return signature(self.name, vectors=self.vectors and self.vectors.name)

    @classmethod
    def score_together(cls, metrics, candidate, references, source=None) -> list[float]:
        return [float(np.mean([each._recall(candidate, one) for one in references])) for each in metrics]

    def _recall(self, candidate, reference) -> float:
        mine, theirs = (self._directions(text) for text in (candidate, reference))
        return float((theirs[:, None] * mine).sum(2).max(1).mean()) if len(mine) and len(theirs) else 0.0

    def _directions(self, text) -> np.ndarray:
        rows = self.vectors.rows(words(sentences_of(text)))
        found = self.vectors.matrix[rows[rows >= 0]]
        return found / np.linalg.norm(found, axis=1, keepdims=True)
