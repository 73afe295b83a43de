"""Synthetic documents, queries and summaries: equal numbers give equal bytes on any machine.

Words are drawn by the law of Zipf and Mandelbrot from a vocabulary of made-up words. They have English
endings, so that a stemmer has work to do, and stand in sentences with capitals, commas, hyphens and full
stops.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

VOCABULARY = 200_000
_SEED = 2016
_AT_ONCE = 500  # documents that are drawn at a time
_ONSETS = "b c d f g h j k l m n p r s t v w z bl br ch cl cr dr fl gl gr ph pl pr sh sl sp st th tr".split()
_NUCLEI = "a e i o u a e i o u ae ea io oo ou y".split()
_CODAS = ["", "", "", "", "n", "r", "s", "t", "l", "m", "x", "ct", "nd", "st"]
_ENDINGS = ["", "", "", "", "s", "ed", "ing", "ation", "ations", "ity", "ly", "ic", "al", "ness", "ase", "in"]
_MARKS = [" "] * 88 + [", "] * 6 + [". "] * 4 + ["-", " ("]


def vocabulary() -> list[str]:
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
    return list(words)


def _draw(chance: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Random ranks of words, from 0; the probability of rank r is proportional to (r + 10) ** -1.2."""
    heights = np.cumsum((np.arange(VOCABULARY) + 10.0) ** -1.2)
    return np.searchsorted(heights, chance.random(shape) * heights[-1], side="right")


def write_documents(path: Path, documents: int, words: int) -> None:
    """Write one line for each document, its id, a tab and ``words`` words; an existing file is kept."""
    if path.exists():
        return
    known = np.array(vocabulary(), object)
    marks = np.array(_MARKS, object)
    chance = np.random.Generator(np.random.PCG64(_SEED + 1))
    aside = path.with_suffix(".part")
    with open(aside, "w", encoding="utf-8", newline="\n") as out:
        for first in range(0, documents, _AT_ONCE):
            count = min(_AT_ONCE, documents - first)
            ranks = _draw(chance, (count, words))
            between = chance.integers(len(_MARKS), size=(count, words))
            text = np.empty((count, 2 * words), object)
            text[:, 0::2], text[:, 1::2] = known[ranks], marks[between]
            text[:, 0] = [word.capitalize() for word in text[:, 0]]
            for number, row in enumerate(text.tolist(), start=first):
                out.write(f"doc{number:07}\t{''.join(row).rstrip()}\n")
    aside.rename(path)


def write_queries(path: Path, queries: int, words: int) -> None:
    """Write one query a line, each of ``words`` words from the distribution of the documents."""
    known = np.array(vocabulary(), object)
    chance = np.random.Generator(np.random.PCG64(_SEED + 2))
    ranks = _draw(chance, (queries, words))
    lines = (" ".join(row) + "\n" for row in known[ranks].tolist())
    path.write_text("".join(lines), encoding="utf-8", newline="\n")


def summaries(count: int, words: int) -> list[list[str]]:
    """Texts of ``words`` words in sentences of 25, from the distribution of the documents."""
    known = np.array(vocabulary(), object)
    chance = np.random.Generator(np.random.PCG64(_SEED + 3))
    texts = known[_draw(chance, (count, words))].tolist()
    return [
        [" ".join(text[first : first + 25]).capitalize() + "." for first in range(0, words, 25)]
        for text in texts
    ]
