"""RwEnc, re-weighted encoding: TF-IDF joins the scores of the encoder's self-attention.

    Attention(Q, K, V) = softmax(Q K^T / sqrt(d) + strength S) V

S has the TF-IDF weight of the sub-word of each key in its column, the same in every row and head. The paper
does so in the encoder's layers 0, 4 and 8, chosen on its development data, and names no factor: strength is
1 there, and 0 is BART.
"""

from __future__ import annotations

from typing import Any

import torch

from sera_guided.bart import GuidedBart

REWEIGHTED_LAYERS = (0, 4, 8)
"""The layers of the encoder, of those that a model has."""


def weighted_mask(mask: torch.Tensor | None, weights: torch.Tensor, strength: float) -> torch.Tensor:
    """What is added to the scores of attention: the mask's own values, and the weights of the keys.

    mask: shape (batch, 1, queries, keys) or None; weights: shape (batch, keys).
    """
    added = strength * weights[:, None, None, :]
    return added if mask is None else mask + added


class ReweightedEncoding(GuidedBart):
    """BART whose encoder attends more to words of high TF-IDF."""

    def add_guidance(self, config: Any) -> None:
        for number in REWEIGHTED_LAYERS:
            if number < len(self.model.encoder.layers):
                attention = self.model.encoder.layers[number].self_attn
                attention.register_forward_pre_hook(self._reweight, with_kwargs=True)

    def _reweight(self, module: Any, args: Any, kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any]] | None:
        if self.guidance is None:
            return None
        weights = self.guidance.weights.to(args[0].dtype)
        mask = weighted_mask(kwargs.get("attention_mask"), weights, self.strength)
        return args, {**kwargs, "attention_mask": mask}
