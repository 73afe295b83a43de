"""Vectors of the words of all texts; none if the file has none of them."""

from collections.abc import Sequence
from typing import Any

from sera.metrics.s3.words import distinct_words
from sera.vectors.word_vectors import WordVectors, read_any


def read(rule: Any, texts: Sequence[Any]) -> WordVectors | None:
    return read_any([rule.input.vectors], distinct_words(texts))
