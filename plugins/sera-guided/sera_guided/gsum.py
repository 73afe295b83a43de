"""GSum-like guidance: keywords are encoded as a second text, to which the decoder attends (Dou et al. 2021).

    x' = x + strength Attention(x, Encoder(keywords))

Training takes the keywords that article and summaries share; generation, which has no summaries, takes the
article's words of the highest TF-IDF, as many as training had on average. GSum has an encoder's last layer of
its own for the guidance and a trained model to find keywords; here the encoder is one, and TF-IDF finds them.
"""

from __future__ import annotations

import torch

from sera_guided.guided_attention import GuidedDecoding


class GuidanceDecoding(GuidedDecoding):
    """BART whose decoder attends to encoded keywords."""

    def memory(self, states: torch.Tensor | None) -> tuple[torch.Tensor, torch.Tensor] | None:
        assert self.guidance is not None and states is not None
        ids, mask = self.guidance.keywords, self.guidance.keywords_mask
        if ids is None or mask is None or not mask.any():
            return None
        if self.training or self._encoded is None or self._encoded[0] is not self.guidance:
            found = self.encode(ids, mask)[0] * mask[..., None]
            self._encoded = (self.guidance, found)
        times = len(states) // len(ids)
        return self._encoded[1].repeat_interleave(times, dim=0), mask.repeat_interleave(times, dim=0)

    _encoded: tuple[object, torch.Tensor] | None = None
