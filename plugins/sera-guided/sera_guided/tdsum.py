"""TDSum: TF-IDF in the decoder.

    g_j = ReLU(s_j W_1) W_2        m_j = g_j * h_j        x' = x + strength Attention(x, m)

s_j is the TF-IDF weight of sub-word j, h_j its state in the encoder, and g_j its importance feature by "two
linear layers to process TF-IDF scores" (section 4); the decoder attends to m in a new cross-attention in each
of its layers, and the model is trained with TDMTL's loss. The text at hand has no equation, and Figure 1 is
not in it. A feature of s_j alone cannot name a word, so it scales the state of its word here. The layers
have no bias, so TF-IDF weights of zero give m = 0, which is BART.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from sera_guided.guided_attention import GuidedDecoding
from sera_guided.multitask import TfIdfTask


class ImportanceFeatures(nn.Module):
    """Two linear layers from TF-IDF weights, shape (batch, positions), to (batch, positions, width)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.Linear(1, width, bias=False)
        self.second = nn.Linear(width, width, bias=False)

    def forward(self, weights: torch.Tensor) -> torch.Tensor:
        return self.second(torch.relu(self.first(weights[..., None])))


class TfIdfDecoding(GuidedDecoding, TfIdfTask):
    """BART whose decoder attends to the words of high TF-IDF once more."""

    def add_guidance(self, config: Any) -> None:
        super().add_guidance(config)
        self.importance = ImportanceFeatures(config.d_model)
        self.word_head = nn.Linear(config.d_model, 1)

    def start_guidance(self) -> None:
        super().start_guidance()
        nn.init.xavier_uniform_(self.importance.first.weight)
        nn.init.xavier_uniform_(self.importance.second.weight)

    def memory(self, states: torch.Tensor | None) -> tuple[torch.Tensor, torch.Tensor] | None:
        assert self.guidance is not None and states is not None
        guidance = self.guidance.repeat(len(states))
        return self.importance(guidance.weights.to(states.dtype)) * states, guidance.mask

    def guide_loss(self, loss: torch.Tensor, states: torch.Tensor) -> torch.Tensor:
        return loss if self.strength == 0 else super().guide_loss(loss, states)
