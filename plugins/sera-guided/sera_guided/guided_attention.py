"""A cross-attention to guidance in each layer of the decoder, between its own and that to the article.

GSum (Dou et al. 2021) has this order, and the paper's TDSum follows GSum. The new attention has no bias, and
its result is added after the normalisation of the layer's self-attention: x + attention(x, memory). So a
memory of zeros adds zero. Its last matrix begins at zero, so that training begins with BART.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from sera_guided.bart import GuidedBart


class GuidedDecoding(GuidedBart):
    """BART whose decoder attends to a memory; a subclass says what it holds."""

    def add_guidance(self, config: Any) -> None:
        heads, width = config.decoder_attention_heads, config.d_model
        self.guided_attention = nn.ModuleList(
            nn.MultiheadAttention(
                width, heads, dropout=config.attention_dropout, bias=False, batch_first=True
            )
            for _ in self.model.decoder.layers
        )
        for layer, attention in zip(self.model.decoder.layers, self.guided_attention, strict=True):
            layer.self_attn_layer_norm.register_forward_hook(self._attending(attention))
        self._memory: tuple[torch.Tensor, torch.Tensor] | None = None

    def start_guidance(self) -> None:
        for attention in self.guided_attention:
            nn.init.xavier_uniform_(attention.in_proj_weight)
            nn.init.zeros_(attention.out_proj.weight)

    def memory(self, states: torch.Tensor | None) -> tuple[torch.Tensor, torch.Tensor] | None:
        """What the decoder attends to, shape (batch, positions, width), and its mask (batch, positions).

        ``states`` are the encoder's states of the articles. None for no guidance.
        """
        raise NotImplementedError

    def forward(
        self,
        input_ids: torch.Tensor | None = None,
        attention_mask: torch.Tensor | None = None,
        encoder_outputs: Any = None,
        labels: torch.Tensor | None = None,
        **kwargs: Any,
    ) -> Any:
        """As GuidedBart's; the article is encoded here, because the memory may need its states."""
        self._memory = None
        if self.guidance is not None and self.strength != 0:
            if encoder_outputs is None:
                assert input_ids is not None and attention_mask is not None
                encoder_outputs = self.encode(input_ids, attention_mask)
            self._memory = self.memory(encoder_outputs[0])
        return super().forward(input_ids, attention_mask, encoder_outputs, labels, **kwargs)

    def _attending(self, attention: nn.MultiheadAttention) -> Any:
        def hook(module: Any, args: Any, normalised: torch.Tensor) -> torch.Tensor:
            if self._memory is None:
                return normalised
            memory, mask = self._memory
            # a row without a word would divide by zero: it attends to its first place, whose memory is zero
            hidden = mask == 0
            hidden = hidden & ~hidden.all(dim=1, keepdim=True)
            found, _ = attention(normalised, memory, memory, key_padding_mask=hidden, need_weights=False)
            return normalised + self.strength * found

        return hook
