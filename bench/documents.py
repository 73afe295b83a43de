"""Synthetic documents, queries and summaries: equal numbers give equal texts on any machine.

Words are drawn by the law of Zipf and Mandelbrot from a vocabulary of made-up words. They have English
endings, so that a stemmer has work to do, and form sentences with capitals, commas, hyphens and full stops.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

VOCABULARY = 200_000
_SEED = 2016
_AT_ONCE = 500  # documents that are drawn at a time
_ONSETS = "b c d f g h j k l m n p r s t v w z bl br ch cl cr dr fl gl gr ph pl pr sh sl sp st th tr".split()
_NUCLEI = "a e i o u a e i o u ae ea io oo ou y".split()
_CODAS = ["", "", "", "", "n", "r", "s", "t", "l", "m", "x", "ct", "nd", "st"]
_ENDINGS = ["", "", "", "", "s", "ed", "ing", "ation", "ations", "ity", "ly", "ic", "al", "ness", "ase", "in"]
_MARKS = {" ": 0.88, ", ": 0.06, ". ": 0.04, "-": 0.01, " (": 0.01}


@cache
def vocabulary() -> np.ndarray:
    """Distinct made-up words, the most frequent first."""
    chance = np.random.Generator(np.random.PCG64(_SEED))
    words: dict[str, None] = {}
    while len(words) < VOCABULARY:
        syllables = 1 + (len(words) > 2000) + (len(words) > 20_000)  # frequent words are short
        word = "".join(
            kind[int(chance.integers(len(kind)))]
            for _ in range(syllables)
            for kind in (_ONSETS, _NUCLEI, _CODAS)
        )
        words[word + _ENDINGS[int(chance.integers(len(_ENDINGS)))]] = None
    return np.array(list(words), object)


def _drawn(chance: np.random.Generator, texts: int, words: int) -> np.ndarray:
    """Random words, (text, word); the probability of rank r, from 0, is proportional to (r + 10) ** -1.2."""
    heights = np.cumsum((np.arange(VOCABULARY) + 10.0) ** -1.2)
    ranks = np.searchsorted(heights, chance.random((texts, words)) * heights[-1], side="right")
    return vocabulary()[ranks]


def write_documents(path: Path, documents: int, words: int) -> None:
    """Write documents of ``words`` words, one a line: its id, a tab and its text."""
    chance = np.random.Generator(np.random.PCG64(_SEED + 1))
    marks, shares = np.array(list(_MARKS), object), list(_MARKS.values())
    with open(path, "w", encoding="utf-8", newline="\n") as stream:
        for first in range(0, documents, _AT_ONCE):
            shape = (min(_AT_ONCE, documents - first), words)
            texts = _drawn(chance, *shape) + marks[chance.choice(len(marks), shape, p=shares)]
            for number, text in enumerate(texts.tolist(), first):
                stream.write(f"doc{number:07}\t{''.join(text).rstrip().capitalize()}\n")


def write_queries(path: Path, queries: int, words: int) -> None:
    """Write one query a line, each of ``words`` words from the distribution of the documents."""
    texts = _drawn(np.random.Generator(np.random.PCG64(_SEED + 2)), queries, words).tolist()
    path.write_text("".join(" ".join(text) + "\n" for text in texts), encoding="utf-8", newline="\n")


def summaries(count: int, words: int) -> list[list[str]]:
    """Texts of ``words`` words in sentences of 25, from the distribution of the documents."""
    texts = _drawn(np.random.Generator(np.random.PCG64(_SEED + 3)), count, words).tolist()
    return [
        [" ".join(text[first : first + 25]).capitalize() + "." for first in range(0, words, 25)]
        for text in texts
    ]
