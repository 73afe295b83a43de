"""Dice's coefficient of the words of a candidate and of its references together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sera.metrics.base import Metric, Text, sentences_of, signature
from sera.settings import setting


@dataclass(frozen=True)
class Dice(Metric):
    """Words in common with the references (Dice 1945).

    The score is 2 |A & B| / (|A| + |B|), from 0 to 1; A and B are the sets of distinct words in lower case.
    """

    letters: int = setting(1, int, "letters of the shortest word that counts", low=1, high=100)
    citation = "Lee R. Dice. 1945. Measures of the Amount of Ecologic Association. Ecology 26."
    name = "Dice"
    # what the family needs besides the texts: NEEDS = ("vectors", "source?")

    @property
    def signature(self) -> str:
        return signature(self.name, letters=self.letters)

    @classmethod
    def score_together(
        cls,
        metrics: Sequence[Metric],
        candidate: Text,
        references: Sequence[Text],
        source: Text | None = None,
    ) -> list[float]:
        scores = []
        for metric in metrics:
            assert isinstance(metric, Dice)
            mine, theirs = metric._words([candidate]), metric._words(references)
            scores.append(2 * len(mine & theirs) / (len(mine) + len(theirs) or 1))
        return scores

    @classmethod
    def parse(cls, name: str, **settings: Any) -> Dice:
        if name != "Dice":
            raise ValueError(name)
        return cls(**settings)

    @classmethod
    def names(cls) -> list[str]:
        return ["Dice"]

    @classmethod
    def describe(cls, name: str) -> str:
        return "Dice's coefficient of distinct words"

    def _words(self, texts: Sequence[Text]) -> set[str]:
        words = (re.findall(r"\w+", one.lower()) for text in texts for one in sentences_of(text))
        return {word for found in words for word in found if len(word) >= self.letters}
