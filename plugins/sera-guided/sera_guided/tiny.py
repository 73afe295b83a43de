"""The model `tiny`: BART or BERT of some hundred thousand weights, initialised from the seed, not pretrained.

Its sub-words are byte pairs learnt from the training texts. It shows that everything runs; its summaries are
not worth reading.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import BartConfig, BertConfig, PreTrainedTokenizerFast

SPECIAL = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
VOCABULARY = 2000
POSITIONS = 1024


def tiny_tokenizer(texts: Iterable[str], vocabulary: int = VOCABULARY) -> PreTrainedTokenizerFast:
    """A tokenizer of byte pairs of these texts, with BART's special tokens and their ids."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=list(SPECIAL),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",
        eos_token="</s>",
        cls_token="<s>",
        sep_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
        mask_token="<mask>",
    )


def tiny_bart(vocabulary: int, **other: Any) -> BartConfig:
    """The configuration of the tiny BART: two layers of width 64 on each side."""
    chosen = dict(
        vocab_size=vocabulary,
        d_model=64,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=128,
        decoder_ffn_dim=128,
        max_position_embeddings=POSITIONS,
        bos_token_id=0,
        pad_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=2,
        forced_eos_token_id=2,
    )
    return BartConfig(**{**chosen, **other})


def tiny_bert(vocabulary: int) -> BertConfig:
    """The configuration of the tiny BERT."""
    return BertConfig(
        vocab_size=vocabulary,
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=128,
        max_position_embeddings=POSITIONS,
        pad_token_id=1,
    )
