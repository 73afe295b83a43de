"""Frame-N: recall of n-grams where nouns and verbs are replaced by frames (Peyrard et al. 2017, section 3.1).

Other words are stemmed, stop words stay, and several references are pooled, as in S3's ROUGE-N. The paper
uses the frame that a trained labeller chooses in context (Hartmann et al. 2017). Here it is the most frequent
frame of the word (`sera.metrics.framenet`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from sera.errors import InputError
from sera.metrics.base import Metric, Text, signature
from sera.metrics.framenet import HOW_TO_GET, FrameNet
from sera.metrics.rouge.measures import Rouge
from sera.metrics.s3.words import CITATION
from sera.settings import can, shown


@dataclass(frozen=True)
class Frame(Metric):
    """Frame-N, N from 1 to 9, with the ``frames`` of a release; without them it has a name but no scores."""

    n: int
    frames: FrameNet | None = None

    citation: ClassVar[str] = CITATION

    def __post_init__(self) -> None:
        if not isinstance(self.n, int) or self.n is True or not 1 <= self.n <= 9:
            raise InputError(f"Frame has no {shown(self.n)}-grams", remedy="N is 1 to 9.")
        can("frames", self.frames, "tokens", "FrameNet(folder)")

    @property
    def name(self) -> str:
        return f"Frame-{self.n}"

    @property
    def signature(self) -> str:
        named = self.frames.name if self.frames else None
        return signature(self.name, frames=named, stem=True, stop="kept", refs="pooled")

    def ready(self) -> None:
        if self.frames is None:
            raise InputError(f"{self.name} is not available without a release of FrameNet", remedy=HOW_TO_GET)

    @classmethod
    def score_together(
        cls,
        metrics: Sequence[Metric],
        candidate: Text,
        references: Sequence[Text],
        source: Text | None = None,
    ) -> list[float]:
        """Scores from 0 to 1, with five decimals; each text is tagged once."""
        rouge = []
        for metric in metrics:
            assert isinstance(metric, Frame)
            metric.ready()
            assert metric.frames is not None
            rouge.append(
                Rouge(str(metric.n), part="R", stem=False, stop=False, tokenizer=metric.frames.tokens)
            )
        return Rouge.score_together(rouge, candidate, references)

    @classmethod
    def parse(cls, name: str, **settings: Any) -> Frame:
        match = re.fullmatch(r"Frame-([1-9])", name)
        if not match:
            raise ValueError(name)
        return cls(int(match[1]), **settings)

    @classmethod
    def names(cls) -> list[str]:
        return ["Frame-1", "Frame-2"]

    @classmethod
    def describe(cls, name: str) -> str:
        n = cls.parse(name).n
        return f"recall of {'unigrams' if n == 1 else f'{n}-grams'}, nouns and verbs replaced by their frames"
