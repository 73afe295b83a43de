"""Similarity of each reference word with the nearest word of the candidate (Rus & Lintean 2012)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sera.errors import InputError
from sera.metrics.base import Metric, sentences_of, signature
from sera.metrics.s3.words import words
from sera.vectors.word_vectors import WordVectors


@dataclass(frozen=True)
class Nearest(Metric):
    vectors: WordVectors | None = None
    citation = "Vasile Rus and Mihai Lintean. 2012. A Comparison of Greedy and Optimal Assessment. BEA."
    name = "Nearest"

    @property
    def signature(self) -> str:
        return signature(self.name, vectors=self.vectors and self.vectors.name)

    def ready(self) -> None:
        if self.vectors is None:
            raise InputError("Nearest needs word vectors", remedy="Name them: --vectors FILE.")

    @classmethod
    def score_together(cls, metrics, candidate, references, source=None) -> list[float]:
        return [float(np.mean([each._recall(candidate, one) for one in references])) for each in metrics]

    @classmethod
    def parse(cls, name: str, **settings: object) -> Nearest:
        return cls(**settings)

    @classmethod
    def names(cls) -> list[str]:
        return ["Nearest"]

    @classmethod
    def describe(cls, name: str) -> str:
        return "mean similarity of a reference's words with the nearest word of the candidate"

    def _recall(self, candidate, reference) -> float:
        mine, theirs = (self._directions(text) for text in (candidate, reference))
        return float((theirs[:, None] * mine).sum(2).max(1).mean()) if len(mine) and len(theirs) else 0.0

    def _directions(self, text) -> np.ndarray:
        rows = self.vectors.rows(words(sentences_of(text)))
        found = self.vectors.matrix[rows[rows >= 0]]
        return found / np.linalg.norm(found, axis=1, keepdims=True)
