"""BART of transformers, and the places where guidance enters it; without guidance it is BART bit for bit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from transformers import BartForConditionalGeneration
from transformers.modeling_outputs import BaseModelOutput, Seq2SeqLMOutput


@dataclass
class Guidance:
    """What guides a model for a batch of articles.

    weights:   TF-IDF of each sub-word of the input, shape (batch, positions), in 0..1; 0 where it is pad
    ids:       the input's sub-words, shape (batch, positions)
    mask:      1 for a sub-word, 0 for padding, shape (batch, positions)
    marks:     1 for each sub-word of a keyword of the summaries, shape (batch, positions); for training
    keywords:  the sub-words of a second text, the keywords, shape (batch, their positions), or None
    keywords_mask: its mask, or None
    """

    weights: torch.Tensor
    ids: torch.Tensor
    mask: torch.Tensor
    marks: torch.Tensor | None = None
    keywords: torch.Tensor | None = None
    keywords_mask: torch.Tensor | None = None

    def to(self, device: Any) -> Guidance:
        """The same on a device."""
        return Guidance(*(None if each is None else each.to(device) for each in vars(self).values()))

    def repeat(self, rows: int) -> Guidance:
        """The same with each article as often as beam search follows it, so that there are ``rows`` rows."""
        times = rows // len(self.ids)
        each = vars(self).values()
        return Guidance(*(None if one is None else one.repeat_interleave(times, dim=0) for one in each))


class GuidedBart(BartForConditionalGeneration):
    """BART; each subclass guides it in one place.

    The attention is always transformers' plain one ("eager"): the other kernels take masks of truth values,
    to which RwEnc cannot add, and their sums differ between machines.

    ``strength`` (in the configuration, `guided_strength`) scales the guidance as the equation of each
    subclass says, and ``task`` (`guided_task`) is the share of a second task in the loss, in 0..1. A
    subclass changes one or several of the methods below; here they change nothing. The guidance of a batch
    is set by `guide` before the model is called, and holds until it is set again.
    """

    def __init__(self, config: Any) -> None:
        config._attn_implementation = "eager"
        super().__init__(config)
        self.strength: float = getattr(config, "guided_strength", 1.0)
        self.task: float = getattr(config, "guided_task", 0.1)
        self.guidance: Guidance | None = None
        self.add_guidance(config)
        self.post_init()
        self.start_guidance()

    def add_guidance(self, config: Any) -> None:
        """Add modules."""

    def start_guidance(self) -> None:
        """Set the first weights of the modules that must not begin by chance."""

    def guide(self, guidance: Guidance | None) -> None:
        """Guide the next batches; None guides no more, and the model is BART."""
        self.guidance = guidance

    def guide_logits(self, logits: torch.Tensor) -> torch.Tensor:
        """The scores of the next tokens, shape (batch, positions, vocabulary), after guidance."""
        return logits

    def guide_loss(self, loss: torch.Tensor, states: torch.Tensor) -> torch.Tensor:
        """The loss after guidance; ``states`` are the encoder's, shape (batch, positions, width)."""
        return loss

    # `generate` reads in the signature what it may pass
    def forward(
        self,
        input_ids: torch.Tensor | None = None,
        attention_mask: torch.Tensor | None = None,
        encoder_outputs: Any = None,
        labels: torch.Tensor | None = None,
        **kwargs: Any,
    ) -> Seq2SeqLMOutput:
        """As BART's: the loss if there are labels, and scores that are guided if there are none."""
        output = super().forward(
            input_ids=input_ids,
            attention_mask=attention_mask,
            encoder_outputs=encoder_outputs,
            labels=labels,
            **kwargs,
        )
        if self.guidance is None:
            return output
        if labels is None:
            output.logits = self.guide_logits(output.logits)
        else:
            output.loss = self.guide_loss(output.loss, output.encoder_last_hidden_state)
        return output

    def encode(self, ids: torch.Tensor, mask: torch.Tensor) -> BaseModelOutput:
        """The encoder's states of a batch."""
        return self.model.encoder(input_ids=ids, attention_mask=mask)
