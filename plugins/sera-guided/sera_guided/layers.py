"""The layer of a language model whose vectors BERTScore compares."""

from __future__ import annotations

LAYERS = {
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "bert-base-multilingual-cased": 9,
    "roberta-base": 10,
    "roberta-large": 17,
    "scibert_scivocab_uncased": 8,
    "bart-base": 6,
    "bart-large": 10,
    "deberta-large-mnli": 18,
    "deberta-xlarge-mnli": 40,
}
"""The layers that the authors of BERTScore chose for these models, by agreement with people (WMT 2016)."""


def best_layer(name: str) -> int | None:
    """The layer of `LAYERS` for a model's name or folder; None if it is not there."""
    return LAYERS.get(name.rstrip("/").rpartition("/")[2])
