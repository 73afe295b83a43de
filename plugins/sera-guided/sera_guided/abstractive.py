"""A summarizer that writes: a guided BART, its tokenizer and the TF-IDF weights of its articles."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from transformers import AutoTokenizer, BartConfig, BartForConditionalGeneration, GenerationConfig

from sera.errors import InputError
from sera.text.analysis import analyzer
from sera.text.sentences import sentences
from sera_guided import GUIDED, TINY
from sera_guided.bart import Guidance, GuidedBart
from sera_guided.batches import mask_of, pad
from sera_guided.examples import Example
from sera_guided.settings import GuidedSettings
from sera_guided.tiny import tiny_bart, tiny_tokenizer
from sera_guided.weights import load_pretrained, load_weights, save_weights
from sera_guided.word_weights import WordWeights, align_weights, mark_keywords

_IGNORED = -100  # the label that torch leaves out of a loss


class Abstractive:
    """A system of `sera_guided.GUIDED` that writes its summaries.

    keywords: for gsum, how many words of the highest TF-IDF are the keywords of a new article
    """

    def __init__(
        self,
        name: str,
        model: GuidedBart,
        tokenizer: Any,
        weights: WordWeights,
        settings: GuidedSettings,
        keywords: int = 1,
    ) -> None:
        self.name, self.model, self.tokenizer = name, model, tokenizer
        self.weights, self.settings, self.keywords = weights, settings, keywords

    @classmethod
    def begin(cls, name: str, settings: GuidedSettings, examples: Sequence[Example]) -> Abstractive:
        """The system before training: pretrained or tiny; its TF-IDF weights are those of the examples."""
        torch.manual_seed(settings.seed)
        kind = GUIDED.load(name)
        if settings.model == TINY:
            tokenizer = tiny_tokenizer(text for one in examples for text in (one.text, one.summary))
            model = kind(_guided(tiny_bart(len(tokenizer)), settings))
        else:
            tokenizer = load_pretrained(AutoTokenizer, settings.model, "model")
            plain = load_pretrained(BartForConditionalGeneration, settings.model, "model", sort="bart")
            model = kind(_guided(plain.config, settings))
            model.load_state_dict(plain.state_dict(), strict=False)
            model.generation_config = plain.generation_config
        if not tokenizer.is_fast:
            raise InputError(
                f"the tokenizer of {settings.model!r} does not say where its sub-words are in a text",
                remedy="Name a BART with a fast tokenizer.",
            )
        found = [len({word for keyword in one.keywords for word in keyword}) for one in examples]
        weights = WordWeights.learn(list(dict.fromkeys(one.text for one in examples)))
        return cls(name, model, tokenizer, weights, settings, max(1, round(sum(found) / len(found))))

    def loss(self, model: Any, examples: Sequence[Example]) -> torch.Tensor:
        """The loss of a batch; ``model`` is the system's own, or what accelerate made of it."""
        ids, mask, guidance = self._read(examples, training=True)
        labels = pad([self._ids(one.summary, self.settings.summary_tokens) for one in examples], _IGNORED)
        device = self.model.device
        self.model.guide(guidance.to(device))
        return model(input_ids=ids.to(device), attention_mask=mask.to(device), labels=labels.to(device)).loss

    @torch.no_grad()
    def summaries(self, examples: Sequence[Example]) -> list[list[str]]:
        """The summary of each article, as sentences."""
        self.model.eval()
        ids, mask, guidance = self._read(examples, training=False)
        device = self.model.device
        ids, mask = ids.to(device), mask.to(device)
        self.model.guide(guidance.to(device))
        settings = self.settings
        written = self.model.generate(
            encoder_outputs=self.model.encode(ids, mask),
            attention_mask=mask,
            num_beams=settings.beams,
            do_sample=False,
            max_new_tokens=settings.summary_tokens,
            min_new_tokens=settings.least_tokens,
            max_length=None,
            min_length=None,
            repetition_penalty=settings.repetition_penalty,
            no_repeat_ngram_size=settings.no_repeat,
            length_penalty=settings.length_penalty,
        )
        texts = self.tokenizer.batch_decode(written, skip_special_tokens=True)
        return [sentences(" ".join(text.split())) for text in texts]

    def save(self, folder: Path) -> None:
        """Write the system into a folder that exists: safetensors and JSON."""
        self.model.config.save_pretrained(folder)
        self.model.generation_config.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)
        self.weights.save(folder / "words.json")
        save_weights(self.model, folder, self.name, self.settings, keywords=self.keywords)

    @classmethod
    def load(cls, name: str, folder: Path, settings: GuidedSettings, more: dict[str, Any]) -> Abstractive:
        """The system that `save` has written."""
        model = GUIDED.load(name)(_guided(BartConfig.from_pretrained(folder), settings))
        load_weights(model, folder)
        model.generation_config = GenerationConfig.from_pretrained(folder)
        tokenizer = AutoTokenizer.from_pretrained(folder)
        return cls(
            name, model, tokenizer, WordWeights.load(folder / "words.json"), settings, more["keywords"]
        )

    def _read(
        self, examples: Sequence[Example], *, training: bool
    ) -> tuple[torch.Tensor, torch.Tensor, Guidance]:
        most = min(self.settings.source_tokens, self.model.config.max_position_embeddings)
        ids, weights, marks, keywords = [], [], [], []
        for one in examples:
            cut = self.tokenizer(one.text, truncation=True, max_length=most, return_offsets_mapping=True)
            spans = cut["offset_mapping"]
            ids.append(cut["input_ids"])
            weights.append(align_weights(one.text, spans, self.weights.weigh(one.text)))
            if "keywords" in GUIDED.needs(self.name):
                marks.append(mark_keywords(one.text, spans, one.keywords if training else ()))
                keywords.append(self._ids(" ".join(self._keywords(one, training)), most))
        padding = self.tokenizer.pad_token_id
        read = pad(ids, padding)
        guidance = Guidance(pad(weights, 0.0), read, mask_of(ids))
        if keywords:
            guidance.marks = pad(marks, 0.0)
            guidance.keywords, guidance.keywords_mask = pad(keywords, padding), mask_of(keywords)
        return read, guidance.mask, guidance

    def _keywords(self, one: Example, training: bool) -> list[str]:
        if not training:
            return self.weights.best(one.text, self.keywords)
        there = set(_words(one.text))
        return list(dict.fromkeys(word for keyword in one.keywords for word in keyword if word in there))

    def _ids(self, text: str, most: int) -> list[int]:
        return self.tokenizer(text, truncation=True, max_length=most)["input_ids"] if text else []


_words = analyzer("standard").words


def _guided(config: BartConfig, settings: GuidedSettings) -> BartConfig:
    config.guided_strength, config.guided_task = settings.strength, settings.task
    return config
