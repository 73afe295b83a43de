"""RwGen, re-weighted generation: TF-IDF joins the scores of the next token.

    p(y_t | y_<t, x) = softmax(score(y_<t, x) + strength T)

T has a value for each token of the vocabulary: the TF-IDF weight of the sub-word in the article, the highest
where several words have it, and 0 if the article lacks it. The paper's lambda is the strength; the values
that it tried are not in the text at hand. Training is BART's own: only generation is guided.
"""

from __future__ import annotations

import torch

from sera_guided.bart import GuidedBart


def vocabulary_weights(ids: torch.Tensor, weights: torch.Tensor, size: int) -> torch.Tensor:
    """T: the highest weight of each token of the vocabulary, shape (batch, size).

    ids, weights: the sub-words of the articles and their weights, shape (batch, positions).
    """
    zeros = torch.zeros(len(ids), size, dtype=weights.dtype, device=weights.device)
    return zeros.scatter_reduce(1, ids, weights, "amax")


class ReweightedGeneration(GuidedBart):
    """BART that prefers tokens of high TF-IDF when it writes."""

    def guide_logits(self, logits: torch.Tensor) -> torch.Tensor:
        assert self.guidance is not None
        guidance = self.guidance.repeat(len(logits))
        found = vocabulary_weights(guidance.ids, guidance.weights.to(logits.dtype), logits.shape[-1])
        return logits + self.strength * found[:, None, :]
