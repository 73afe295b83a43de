"""Vectors of the words of all texts; none if the file has none of them."""

from collections.abc import Collection, Sequence
from os import PathLike
from typing import Any

from sera.metrics.s3.words import distinct_words
from sera.vectors import word_vectors
from sera.vectors.word_vectors import WordVectors


def read(rule: Any, texts: Sequence[Any]) -> WordVectors | None:
    return read_any([rule.input.vectors], distinct_words(texts))


def read_any(paths: Sequence[str | PathLike[str]], wanted: Collection[str]) -> WordVectors | None:
    """The vectors of ``wanted`` words in the first of the files; None without a file or such a word.

    InputError as of `sera.vectors.word_vectors.read`.
    """
    vectors = word_vectors.read(paths[0], wanted) if paths else None
    return vectors if vectors is not None and len(vectors.words) else None
