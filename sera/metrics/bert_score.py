"""BERTScore (Zhang et al. 2020): tokens matched by the cosine of their vectors in a language model.

    P = mean over the candidate's tokens of the highest cosine with a token of the reference
    R = mean over the reference's tokens of the highest cosine with a token of the candidate
    F = 2 P R / (P + R)

As in the authors' package without its options: no idf, no rescaling; [CLS] and [SEP] are not averaged, and
may be matched; with several references, each of P, R and F is the highest over them. A text without a token
scores 0. The vectors are those of a layer of a model that the user names. One thing differs: the package pads
the texts of a batch with zeros, which may be matched too, so that a token all of whose cosines are below 0
counts as 0 beside a longer text, and as it is beside a shorter one. Here it always counts as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from sera.metrics.base import Metric, Text, parts_of, signature
from sera.metrics.encoders import TokenVectors, open_encoder
from sera.settings import can, setting


def greedy_matches(candidate: TokenVectors, reference: TokenVectors) -> tuple[float, float, float]:
    """P, R and F, each in -1..1, of two texts; 0 if one has nothing but special tokens."""
    if not candidate.words.any() or not reference.words.any():
        return 0.0, 0.0, 0.0
    cosines = candidate.vectors @ reference.vectors.T
    precision = float(cosines.max(1)[candidate.words].mean())
    recall = float(cosines.max(0)[reference.words].mean())
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


@dataclass(frozen=True)
class BertScore(Metric):
    """Similarity of tokens in a language model (Zhang et al. 2020).

    encoder: a model by its name or folder, or a `sera.metrics.encoders.Encoder`
    layer: whose vectors count, from 1; None for the one that the authors chose for the model
    """

    part: str
    layer: int | None = setting(None, int, "layer whose vectors count", low=1, high=1000, optional=True)
    encoder: Any = field(default=None, hash=False)

    pattern: ClassVar[str] = "BERTScore-(?P<part>[PRF])"
    listed: ClassVar = ("BERTScore-P", "BERTScore-R", "BERTScore-F")
    measures: ClassVar[str] = "{measure} of tokens matched by their vectors in a language model"
    needed: ClassVar = {
        "encoder": (
            "needs a language model",
            "Name one: --encoder NAME or FOLDER, or encoder=NAME in Python.",
        )
    }
    citation: ClassVar[str] = (
        "Tianyi Zhang, Varsha Kishore, Felix Wu, Kilian Q. Weinberger and Yoav Artzi. 2020. BERTScore: "
        "Evaluating Text Generation with BERT. In Proceedings of ICLR 2020."
    )

    def __post_init__(self) -> None:
        if isinstance(self.encoder, str):
            object.__setattr__(self, "encoder", open_encoder(self.encoder))
        can("encoder", self.encoder, "tokens", "sera.metrics.encoders.open_encoder(name)")
        super().__post_init__()

    @property
    def signature(self) -> str:
        model = self.encoder.name if self.encoder else None
        layer = self.encoder.layer(self.layer) if self.encoder else self.layer
        return signature(self.name, model=model, layer=layer, idf=False, rescale=False, refs="max")

    @property
    def caution(self) -> str:
        """How many texts were cut off: beyond the limit, different texts have the same score."""
        count = getattr(self.encoder, "cut", 0)
        return f"{count} texts are longer than the language model takes, and were cut off" if count else ""

    @classmethod
    def score_together(
        cls, metrics: Sequence[Any], candidate: Text, references: Sequence[Text], source: Text | None = None
    ) -> list[float]:
        """Scores in -1..1."""
        matches: dict[Any, np.ndarray] = {}
        scores = []
        for metric in metrics:
            metric.ready()
            key = (id(metric.encoder), metric.layer)
            if key not in matches:
                mine, *others = (
                    metric.encoder.tokens(" ".join(parts_of(text)), metric.layer)
                    for text in (candidate, *references)
                )
                matches[key] = np.array([greedy_matches(mine, other) for other in others]).max(axis=0)
            scores.append(float(matches[key]["PRF".index(metric.part)]))
        return scores

    @classmethod
    def reads(cls, name: str, language: str, settings: Mapping[str, Any] | None = None) -> bool:
        return True  # its model has the languages, not the metric
