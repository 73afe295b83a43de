"""TF-IDF weights of an article's words, and their alignment with a model's sub-words.

The paper cites Salton & Buckley (1988) without a formula. Here tf is the count of a word in the article,
idf is that of `sera.metrics.rouge_k.DocumentFrequencies` over the training articles, and the weights of an
article are divided by their Euclidean length, so that they are in 0..1, as in scikit-learn's defaults. Words
are those of the analyzer ``standard`` in lower case; stop words have weight 0, as in the paper's keywords.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sera.io.files import read_json, writing
from sera.metrics.rouge_k import DocumentFrequencies, authors_stop_words
from sera.text.analysis import analyzer

_STANDARD = analyzer("standard")


@dataclass(frozen=True)
class WordWeights:
    """The weights of words by TF-IDF, with the document frequencies of the training articles."""

    frequencies: DocumentFrequencies

    @classmethod
    def learn(cls, articles: Sequence[str]) -> WordWeights:
        """Count in how many of these articles each word is."""
        return cls(DocumentFrequencies.count(map(_STANDARD.words, articles)))

    def weigh(self, article: str) -> dict[str, float]:
        """The weight of each word of an article but stop words, in 0..1; their squares sum to 1."""
        stopped = authors_stop_words()
        counts = Counter(word for word in _STANDARD.words(article) if word not in stopped)
        raw = {word: count * self.frequencies.idf(word) for word, count in counts.items()}
        length = math.sqrt(math.fsum(weight * weight for weight in raw.values()))
        return {word: weight / length for word, weight in raw.items()}

    def best(self, article: str, count: int) -> list[str]:
        """The ``count`` words with the highest weights, among equals the first in the article."""
        weights = self.weigh(article)
        return sorted(weights, key=lambda word: -weights[word])[:count]

    def save(self, path: Path) -> None:
        held = {"documents": self.frequencies.documents, "of": dict(sorted(self.frequencies.of.items()))}
        with writing(path) as file:
            json.dump(held, file, ensure_ascii=False)

    @classmethod
    def load(cls, path: Path) -> WordWeights:
        """The weights that `save` has written."""
        held = read_json(path)
        return cls(DocumentFrequencies(held["documents"], held["of"]))


def align_weights(text: str, spans: Sequence[tuple[int, int]], weights: Mapping[str, float]) -> list[float]:
    """The weight of each sub-word: that of the first word with which it shares a character.

    ``spans`` has the first character of each sub-word and the one after its last, in order, as tokenizers
    give them. A sub-word that shares none with a word (a special token, punctuation), and a sub-word of a
    word without a weight, has 0.
    """
    return _spread_to_sub_words(text, spans, [weights.get(word, 0.0) for word in _STANDARD.words(text)])


def mark_keywords(
    text: str, spans: Sequence[tuple[int, int]], keywords: Sequence[Sequence[str]]
) -> list[float]:
    """1 for each sub-word of a keyword, whose words are in the text in a row; 0 for the others.

    The spans are those of `aligned`.
    """
    words = _STANDARD.words(text)
    inside: set[int] = set()
    for keyword in keywords:
        for start in range(len(words) - len(keyword) + 1):
            if words[start : start + len(keyword)] == list(keyword):
                inside.update(range(start, start + len(keyword)))
    return _spread_to_sub_words(text, spans, [float(place in inside) for place in range(len(words))])


def _spread_to_sub_words(text: str, spans: Sequence[tuple[int, int]], values: Sequence[float]) -> list[float]:
    words = _STANDARD.spans(text)
    found, at = [], 0
    for start, end in spans:
        if start >= end:  # a special token
            found.append(0.0)
            continue
        while at < len(words) and words[at][1] <= start:
            at += 1
        shares = at < len(words) and words[at][0] < end
        found.append(values[at] if shares else 0.0)
    return found
