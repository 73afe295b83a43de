"""Measure how queries are formulated from summaries, beside TextBlob, and print a Markdown table.

    python bench/queries.py [--topics 200] [--systems 30]

An article has 60 sentences, each made of two halves of sentences of this repository's documentation. A system
takes five of them; four people write five others each. The peer formulates each summary by itself: TextBlob
parses its sentences, and nothing is remembered.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from retrieval import _machine, _table
from textblob.en import parse

import sera
from sera.retrieval import queries
from sera.retrieval.search import formulated

DOCS = Path(__file__).parents[1] / "docs"
SENTENCES, TAKEN, PEOPLE, DOCUMENTS = 60, 5, 4, 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--topics", type=int, default=200)
    parser.add_argument("--systems", type=int, default=30)
    given = parser.parse_args()
    print(f"Machine: {_machine()}.\n")
    random = np.random.default_rng(0)
    halves = _halves()
    articles = [_sentences(random, halves) for _ in range(given.topics)]
    summaries = {
        f"{topic}:{writer}": tuple(
            article[each] for each in sorted(random.choice(SENTENCES, TAKEN, replace=False))
        )
        for topic, article in enumerate(articles)
        for writer in range(given.systems + PEOPLE)
    }
    texts = [*articles, *(_sentences(random, halves) for _ in range(DOCUMENTS))]
    with tempfile.TemporaryDirectory() as folder:
        index = {str(number): " ".join(text) for number, text in enumerate(texts)}
        sera.index(Path(folder) / "index", index)
        list(queries.textblob_chunks("Its lexicon is read."))
        rows = []
        for formulation in queries.FORMULATIONS:
            found = [
                _measured(each, formulation, summaries, Path(folder) / "index")
                for each in (formulated, _alone)
            ]
            (seconds, ours), (alone, theirs) = found
            if ours != theirs:
                raise SystemExit(f"the queries differ: {formulation}")
            rows.append(
                [formulation, len(summaries), f"{seconds:.1f}", f"{alone:.1f}", f"{alone / seconds:.1f}"]
            )
    _table(["queries", "summaries", "s", "one at a time, s", "times as fast"], rows)


def _halves() -> list[tuple[str, str]]:
    """The halves of the sentences of the documentation that are running text."""
    found = set()
    for path in sorted(DOCS.glob("*.md")):
        for sentence in re.split(r"(?<=[.:])\s", path.read_text(encoding="utf-8")):
            words = sentence.split()
            if len(words) >= 10 and re.fullmatch(r"[A-Za-z0-9 ,.;:()'-]+", " ".join(words)):
                found.add(" ".join(words))
    cut = [sentence.split() for sentence in sorted(found)]
    return [(" ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :])) for words in cut]


def _sentences(random: np.random.Generator, halves: list[tuple[str, str]]) -> list[str]:
    first, second = random.integers(len(halves), size=(2, SENTENCES))
    return [f"{halves[a][0]} {halves[b][1]}" for a, b in zip(first, second, strict=True)]


def _measured(
    work: Callable[..., dict[str, str]], formulation: str, summaries: dict[str, tuple[str, ...]], index: Path
) -> tuple[float, dict[str, str]]:
    """The processor seconds of a work that begins with nothing remembered, and its queries."""
    _forget()
    engine = sera.index(index)
    start = time.process_time()
    found = work(formulation, summaries, engine)
    return time.process_time() - start, found


def _alone(formulation: str, summaries: dict[str, tuple[str, ...]], engine: Any) -> dict[str, str]:
    """Each summary by itself, noun phrases by TextBlob's own parser."""
    found = {}
    ours, queries.textblob_chunks = queries.textblob_chunks, _chunks_of_textblob
    try:
        for name, sentences in summaries.items():
            _forget()
            found[name] = queries.formulate(formulation, sentences, engine)
    finally:
        queries.textblob_chunks = ours
    return found


def _chunks_of_textblob(sentence: str) -> Iterator[str]:
    for token in str.split(parse(sentence, lemmata=False)):
        word, _, rest = token.partition("/")
        if rest.split("/")[1:2] and rest.split("/")[1].endswith("NP"):
            yield word.replace("&slash;", "/")


def _forget() -> None:
    for remembered in (queries._runs, queries._words_of_textblob, queries._phrased):
        remembered.cache_clear()


if __name__ == "__main__":
    main()
