"""Synthetic documents, queries and summaries: equal numbers give equal bytes on any machine.

Words are drawn by the law of Zipf and Mandelbrot from a vocabulary of made-up words. They have English
endings, so that a stemmer has work to do, and stand in sentences with capitals, commas, hyphens and full
stops.

    python documents.py FIRST COUNT WORDS

prints documents, one a line: its id, a tab and its text.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
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
_MARKS = [" "] * 88 + [", "] * 6 + [". "] * 4 + ["-", " ("]


@cache
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


def ranks_of_documents(first: int, count: int, words: int) -> Iterator[np.ndarray]:
    """The ranks of the words of ``count`` documents from number ``first`` on; blocks (document, word)."""
    for ranks, _ in _drawn(first, count, words):
        yield ranks


def _drawn(first: int, count: int, words: int) -> Iterator[tuple[np.ndarray, np.random.Generator]]:
    """As `ranks_of_documents`, with a generator for the rest of a block.

    Each block of `_AT_ONCE` documents has a seed of its own, so that several processes can draw parts of a
    collection.
    """
    for block in range(first // _AT_ONCE, -(-(first + count) // _AT_ONCE)):
        chance = np.random.Generator(np.random.PCG64([_SEED + 1, block]))
        ranks = _draw(chance, (_AT_ONCE, words))
        begin = block * _AT_ONCE
        yield ranks[max(first - begin, 0) : first + count - begin], chance


def lines_of_documents(first: int, count: int, words: int) -> Iterator[str]:
    """Lines with a document's id, a tab and ``words`` words; of ``count`` documents from number ``first``.

    ``first`` has to be the first of a block, a multiple of 500.
    """
    if first % _AT_ONCE:
        raise ValueError(f"the first document is {first}, which is not a multiple of {_AT_ONCE}")
    marks = list(dict.fromkeys(_MARKS))
    kind = np.array([marks.index(mark) for mark in _MARKS])
    known = np.array([[word + mark for word in vocabulary()] for mark in marks], object)
    number = first
    for ranks, chance in _drawn(first, count, words):
        between = kind[chance.integers(len(_MARKS), size=(_AT_ONCE, words))[: len(ranks)]]
        for row in known[between, ranks].tolist():
            row[0] = row[0].capitalize()
            yield f"doc{number:07}\t{''.join(row).rstrip()}\n"
            number += 1


def write_documents(path: Path, documents: int, words: int) -> None:
    """Write `lines_of_documents` from the first document on; an existing file is kept."""
    if path.exists():
        return
    aside = path.with_suffix(".part")
    with open(aside, "w", encoding="utf-8", newline="\n") as out:
        out.writelines(lines_of_documents(0, documents, words))
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


def main() -> None:
    first, count, words = map(int, sys.argv[1:])
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    sys.stdout.writelines(lines_of_documents(first, count, words))


if __name__ == "__main__":
    main()
