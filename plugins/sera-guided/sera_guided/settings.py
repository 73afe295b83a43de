"""The settings of training and generation, checked; the schema of the study's settings documents them too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sera.errors import InputError
from sera.metrics import RESOURCES, metric
from sera.metrics.configure import needs
from sera.settings import Setting, alternatives, check_declared, check_given, declared, setting, shown
from sera_guided import TINY

PRECISIONS = ("no", "bf16", "fp16")


@dataclass(frozen=True)
class GuidedSettings:
    """How to train a guided summarizer, and how it writes.

    The paper searches a grid over learning rate, accumulation, beams, repetition penalty and strength by
    ROUGE-1 on its development data; the values are not in the text at hand. The defaults here are common for
    BART. InputError for a value out of its range.
    """

    model: str = setting(TINY, str, "pretrained BART, by name or folder, or tiny")
    encoder: str = setting(TINY, str, "pretrained BERT of presumm, by name or folder, or tiny")
    seed: int = setting(2016, int, "seed of training", low=0, high=2**32 - 1)
    strength: float = setting(1.0, float, "strength of the guidance; 0 is BART", low=0, high=1000)
    task: float = setting(
        0.1, float, "share of TDMTL's loss in the loss of tdmtl, mtl and tdsum", low=0, high=1
    )
    learning_rate: float = setting(3e-5, float, "highest learning rate", low=1e-9, high=1)
    warmup: float = setting(
        0.1, float, "share of the updates in which the learning rate rises", low=0, high=1
    )
    batch: int = setting(4, int, "articles at once", low=1, high=10**6)
    accumulation: int = setting(8, int, "batches in an update", low=1, high=10**6)
    epochs: int = setting(10, int, "most passes through the training data", low=1, high=10**6)
    patience: int = setting(3, int, "passes without a better score until training stops", low=1, high=10**6)
    select: str = setting(
        "ROUGE-1-F", str, "metric on the development data that chooses the best pass; it reads texts alone"
    )
    checkpoint: int = setting(100, int, "updates between checkpoints", low=1, high=10**9)
    precision: str = setting("no", str, "mixed precision", choices=PRECISIONS)
    source_tokens: int = setting(
        512, int, "maximum number of sub-words of an article; the rest is cut off", low=8, high=10**6
    )
    summary_tokens: int = setting(128, int, "maximum number of sub-words of a summary", low=2, high=10**6)
    least_tokens: int = setting(1, int, "minimum number of sub-words of a written summary", low=0, high=10**6)
    beams: int = setting(4, int, "summaries that beam search follows", low=1, high=1000)
    repetition_penalty: float = setting(
        1.0, float, "penalty of a token that is there already", low=0.01, high=100
    )
    no_repeat: int = setting(
        3, int, "n of the n-grams that a summary has once only; 0 for no limit", low=0, high=100
    )
    length_penalty: float = setting(1.0, float, "exponent of the length in beam search", low=-100, high=100)
    sentences: int = setting(1, int, "sentences that presumm chooses", low=1, high=10**6)

    def __post_init__(self) -> None:
        check_declared(self)
        if lacks := [need for need in needs(metric(self.select)) if need in RESOURCES]:
            raise InputError(
                f"select is {self.select}, which needs {alternatives(lacks)}",
                remedy="Choose a metric that reads texts alone, such as ROUGE-1-F or ROUGE-K.",
            )
        if self.least_tokens > self.summary_tokens:
            raise InputError(
                f"least_tokens, {self.least_tokens}, is above summary_tokens, {self.summary_tokens}",
                remedy="Lower it.",
            )

    @classmethod
    def from_mapping(cls, given: Mapping[str, Any]) -> GuidedSettings:
        """The settings with these values; InputError for an unknown name."""
        return cls(**check_given("guided", settings_of_training(), given))

    @classmethod
    def read(cls, texts: Sequence[str]) -> GuidedSettings:
        """The settings of texts as ``epochs=5``; InputError for a text of another form."""
        known = {each.name: each for each in settings_of_training()}
        found: dict[str, Any] = {}
        for text in texts:
            name, equals, value = text.partition("=")
            if not equals or name in found:
                raise InputError(
                    f"--set {shown(text)}: is not a new setting", remedy="It is NAME=VALUE, each name once."
                )
            found[name] = known[name].read(value, name) if name in known else value
        return cls.from_mapping(found)


def settings_of_training() -> tuple[Setting, ...]:
    """All settings, in their order."""
    own: Any = GuidedSettings
    return declared(own)
