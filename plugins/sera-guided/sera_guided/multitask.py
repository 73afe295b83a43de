"""TDMTL and MTL: the encoder predicts which words matter, beside the summary.

    loss = (1 - task) loss_summary + task loss_words

For TDMTL loss_words is the mean squared error of the TF-IDF weight of each sub-word of the article; for MTL,
which TDMTL follows, the cross entropy of whether the sub-word is of a keyword that article and summaries
share (Saito et al. 2020). One linear layer predicts both from the encoder's last states. The paper names a
linear interpolation by lambda without its direction: here task 0 is BART. Generation is BART's own.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from sera_guided.bart import Guidance, GuidedBart


def mean_over_words(errors: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """The mean of the errors of sub-words without padding; both have shape (batch, positions)."""
    kept = mask.to(errors.dtype)
    return (errors * kept).sum() / kept.sum()


def interpolate(summary: torch.Tensor, words: torch.Tensor, task: float) -> torch.Tensor:
    """The loss of both tasks; task in 0..1."""
    return (1 - task) * summary + task * words


def squared_error(predicted: torch.Tensor, weights: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """TDMTL's loss of words; all have shape (batch, positions)."""
    return mean_over_words((predicted - weights) ** 2, mask)


def keyword_entropy(predicted: torch.Tensor, marks: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """MTL's loss of words, of log-odds; all have shape (batch, positions)."""
    errors = nn.functional.binary_cross_entropy_with_logits(predicted, marks, reduction="none")
    return mean_over_words(errors, mask)


class _WordTask(GuidedBart):
    def add_guidance(self, config: Any) -> None:
        self.word_head = nn.Linear(config.d_model, 1)

    def word_loss(self, predicted: torch.Tensor, guidance: Guidance) -> torch.Tensor:
        raise NotImplementedError

    def guide_loss(self, loss: torch.Tensor, states: torch.Tensor) -> torch.Tensor:
        assert self.guidance is not None
        if self.task == 0:
            return loss
        predicted = self.word_head(states).squeeze(-1)
        return interpolate(loss, self.word_loss(predicted, self.guidance), self.task)


class TfIdfTask(_WordTask):
    """BART that learns to predict TF-IDF beside the summary."""

    def word_loss(self, predicted: torch.Tensor, guidance: Guidance) -> torch.Tensor:
        return squared_error(predicted, guidance.weights.to(predicted.dtype), guidance.mask)


class KeywordTask(_WordTask):
    """BART that learns to predict keywords beside the summary."""

    def word_loss(self, predicted: torch.Tensor, guidance: Guidance) -> torch.Tensor:
        assert guidance.marks is not None
        return keyword_entropy(predicted, guidance.marks.to(predicted.dtype), guidance.mask)
