"""PreSumm's extractive summarizer: BERT reads the article, and a small transformer chooses sentences.

    Liu & Lapata (2019), sections 3.1 and 3.2: [CLS] before and [SEP] after each sentence, segments in turn,
    two layers between sentences with sinusoidal positions, sigmoid(W h + b) for each, binary cross entropy

Sentences to learn are those that raise ROUGE-1 + ROUGE-2 most, chosen greedily, and at most three, as in that
paper. Chosen sentences share no trigram with those chosen before (its trigram blocking).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import AutoModel, AutoTokenizer, BertConfig, BertModel

from sera.metrics import metric
from sera.text.analysis import analyzer
from sera_guided import TINY
from sera_guided.batches import mask_of, pad
from sera_guided.examples import Example
from sera_guided.settings import GuidedSettings
from sera_guided.tiny import tiny_bert, tiny_tokenizer
from sera_guided.weights import load_pretrained, load_weights, save_weights

_words = analyzer("standard").words
INTER_SENTENCE_LAYERS = 2
MOST_LABELLED = 3  # sentences to learn in an article


class ExtractiveEncoder(nn.Module):
    """BERT and the layers between sentences; the score of each sentence is a log-odds."""

    def __init__(self, bert: BertModel) -> None:
        super().__init__()
        width, heads = bert.config.hidden_size, bert.config.num_attention_heads
        self.bert = bert
        layer = nn.TransformerEncoderLayer(
            width, heads, 4 * width, 0.1, "gelu", batch_first=True, norm_first=True
        )
        self.between = nn.TransformerEncoder(layer, INTER_SENTENCE_LAYERS, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(width)
        self.score = nn.Linear(width, 1)

    def forward(self, ids: Any, mask: Any, segments: Any, starts: Any, there: Any) -> torch.Tensor:
        """The log-odds of each sentence, shape (batch, sentences).

        ids, mask, segments: of the sub-words, shape (batch, positions); starts: the position of each [CLS],
        shape (batch, sentences); there: 1 for a sentence, 0 for padding.
        """
        states = self.bert(input_ids=ids, attention_mask=mask, token_type_ids=segments)[0]
        sentences = states.gather(1, starts[..., None].expand(-1, -1, states.shape[-1]))
        sentences = sentences * there[..., None]
        placed = sentences + sinusoids(sentences.shape[1], sentences.shape[2]).to(sentences)
        return self.score(self.norm(self.between(placed, src_key_padding_mask=there == 0))).squeeze(-1)


def sinusoids(places: int, width: int) -> torch.Tensor:
    """Vaswani et al.'s positions: sin(p / 10000^(2i / width)) and cos in turn, shape (places, width)."""
    place = torch.arange(places)[:, None]
    angle = place / 10000 ** (torch.arange(0, width, 2)[None, :] / width)
    return torch.stack([angle.sin(), angle.cos()], dim=2).flatten(1)[:, :width]


@lru_cache(maxsize=100_000)
def label_sentences(sentences: tuple[str, ...], summary: str) -> frozenset[int]:
    """The sentences to learn: greedily those that raise the sum of ROUGE-1-F and ROUGE-2-F most."""
    measures = [metric("ROUGE-1-F"), metric("ROUGE-2-F")]
    chosen: list[int] = []
    best = 0.0
    while len(chosen) < MOST_LABELLED:
        gains = {
            place: sum(
                one.score(" ".join(sentences[at] for at in sorted([*chosen, place])), [summary])
                for one in measures
            )
            for place in range(len(sentences))
            if place not in chosen
        }
        place = max(gains, key=lambda one: gains[one], default=None)
        if place is None or gains[place] <= best:
            break
        best = gains[place]
        chosen.append(place)
    return frozenset(chosen)


def choose(sentences: Sequence[str], scores: Sequence[float], count: int) -> list[str]:
    """The ``count`` best sentences in the article's order; none repeats a trigram of a better one."""
    taken: list[int] = []
    trigrams: set[tuple[str, ...]] = set()
    for place in sorted(range(len(sentences)), key=lambda one: -scores[one]):
        words = _words(sentences[place])
        own = set(zip(words, words[1:], words[2:], strict=False))
        if len(taken) < count and not own & trigrams:
            taken.append(place)
            trigrams |= own
    return [sentences[place] for place in sorted(taken)]


class Extractive:
    """The system presumm, with its tokenizer; its methods are those of `sera_guided.systems.System`."""

    def __init__(self, name: str, model: ExtractiveEncoder, tokenizer: Any, settings: GuidedSettings) -> None:
        self.name, self.model, self.tokenizer, self.settings = name, model, tokenizer, settings

    @classmethod
    def begin(cls, name: str, settings: GuidedSettings, examples: Sequence[Example]) -> Extractive:
        torch.manual_seed(settings.seed)
        if settings.encoder == TINY:
            tokenizer: Any = tiny_tokenizer(text for one in examples for text in (one.text, one.summary))
            bert = BertModel(tiny_bert(len(tokenizer)), add_pooling_layer=False)
        else:
            tokenizer = load_pretrained(AutoTokenizer, settings.encoder, "encoder")
            bert = load_pretrained(AutoModel, settings.encoder, "encoder", sort="bert")
        return cls(name, ExtractiveEncoder(bert), tokenizer, settings)

    def loss(self, model: Any, examples: Sequence[Example]) -> torch.Tensor:
        """The mean binary cross entropy of the sentences of a batch."""
        read, there = self._read(examples)
        wanted = torch.zeros_like(there, dtype=torch.float32)
        for row, one in enumerate(examples):
            for place in label_sentences(one.sentences, one.summary):
                if place < wanted.shape[1] and there[row, place]:
                    wanted[row, place] = 1
        scores = model(*read)
        errors = nn.functional.binary_cross_entropy_with_logits(scores, wanted.to(scores), reduction="none")
        kept = there.to(scores)
        return (errors * kept).sum() / kept.sum()

    @torch.no_grad()
    def summaries(self, examples: Sequence[Example]) -> list[list[str]]:
        self.model.eval()
        read, there = self._read(examples)
        scores = self.model(*read).float().tolist()
        return [
            choose(one.sentences[: int(there[row].sum())], scores[row], self.settings.sentences)
            for row, one in enumerate(examples)
        ]

    def save(self, folder: Path) -> None:
        self.model.bert.config.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)
        save_weights(self.model, folder, self.name, self.settings)

    @classmethod
    def load(cls, name: str, folder: Path, settings: GuidedSettings, more: dict[str, Any]) -> Extractive:
        bert = BertModel(BertConfig.from_pretrained(folder), add_pooling_layer=settings.encoder != TINY)
        model = ExtractiveEncoder(bert)
        load_weights(model, folder)
        return cls(name, model, AutoTokenizer.from_pretrained(folder), settings)

    def _read(self, examples: Sequence[Example]) -> tuple[list[torch.Tensor], torch.Tensor]:
        """The input of the model for a batch, on its device, and which sentences are there.

        A sentence that does not fit whole is cut off, and those after it are left out.
        """
        tokenizer = self.tokenizer
        most = min(self.settings.source_tokens, self.model.bert.config.max_position_embeddings)
        rows, segments, starts = [], [], []
        for one in examples:
            row: list[int] = []
            segment: list[int] = []
            start: list[int] = []
            for number, sentence in enumerate(one.sentences):
                if len(row) + 3 > most:
                    break
                inside = tokenizer(sentence, add_special_tokens=False)["input_ids"][: most - len(row) - 2]
                start.append(len(row))
                row += [tokenizer.cls_token_id, *inside, tokenizer.sep_token_id]
                segment += [number % 2] * (len(inside) + 2)
            rows.append(row)
            segments.append(segment)
            starts.append(start)
        filled = [pad(rows, tokenizer.pad_token_id), mask_of(rows), pad(segments, 0)]
        device = next(self.model.parameters()).device
        read = [each.to(device) for each in (*filled, pad(starts, 0), mask_of(starts))]
        return read, read[-1]
