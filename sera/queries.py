"""A summary as a search query: the paper's three formulations (Cohan & Goharian 2016, section 3).

plain   "the entire summary without stopwords and numeric values"
np      only the noun phrases
kw      only keywords and key phrases: expressions of up to three terms whose idf in the searched index is
        above a threshold

Each gives a text, made of the summary's own words in their order; the engine's analyzer does the rest.
Stop words are those of the SMART system everywhere.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from sera.analysis import analyzer
from sera.engines import Engine
from sera.errors import InputError
from sera.records import HUMAN, Candidate, Reference
from sera.registry import unknown
from sera.resources import stop_words

FORMULATIONS = {
    "plain": "whole summary as query",
    "np": "its noun phrases as query",
    "kw": "its keywords as query",
}
LONGEST = 3  # terms in a key phrase
THRESHOLDS = ("collection", "query")

# a number, or a range of numbers, on its own: the 372 of miRNA-372 is part of a name
_VALUE = re.compile(r"(?<![\w-])\d[\d.,]*(?:[-\u2013]\d[\d.,]*)*(?![\w-])")
_STANDARD = analyzer("standard")


def content_words(text: str) -> list[str]:
    """The words of a text in order, in lower case, without stop words and numeric values."""
    return [word for run in _runs(text) for word in run]


def _runs(text: str) -> list[list[str]]:
    """The content words, neighbours together: a stop word or a numeric value ends a run."""
    runs: list[list[str]] = []
    for piece in _VALUE.split(text):
        runs.append([])
        for word in _STANDARD.words(piece):
            if word not in stop_words():
                runs[-1].append(word)
            elif runs[-1]:
                runs.append([])
    return [run for run in runs if run]


def plain(sentences: Iterable[str]) -> str:
    """The query of a summary's content words."""
    return " ".join(word for sentence in sentences for word in content_words(sentence))


def noun_phrases(sentences: Iterable[str]) -> str:
    """The query of the content words inside noun phrases, as TextBlob's parser finds them.

    The parser's chunks of type NP are taken; its model is a lexicon in the package, nothing is
    downloaded.
    """
    from textblob.en import parse  # slow to import

    kept: list[str] = []
    for sentence in sentences:
        # word/TAG/CHUNK/PNP, separated by blanks; a slash inside a word is written &slash;
        for token in parse(sentence, lemmata=False).split(" "):
            word, _, rest = token.partition("/")
            if rest.split("/")[1:2] and rest.split("/")[1].endswith("NP"):
                kept += content_words(word.replace("&slash;", "/"))
    return " ".join(kept)


def keywords(sentences: Iterable[str], engine: Engine, threshold: str | float = "collection") -> str:
    """The query of the words that stand in a keyword or key phrase.

    An expression is a run of one to three neighbouring content words of one sentence. It is kept if it
    occurs in the index and its idf, ln(documents / document frequency), is above the threshold; its
    document frequency is that of the phrase. A word that stands in several kept expressions is
    in the query once for each of its places in the summary.

    ``threshold`` is "collection", the mean idf of all terms of the index (the paper's text taken
    literally), "query", the mean idf of the content words of this summary that the index has, or a
    number.
    """
    runs = [run for sentence in sentences for run in _runs(sentence)]
    expressions = sorted({" ".join(words) for run in runs for words in _expressions(run)})
    frequency = dict(zip(expressions, engine.document_frequency(expressions), strict=True))
    idf = {e: math.log(engine.documents / df) for e, df in frequency.items() if df}
    if threshold == "collection":
        least = engine.mean_idf()
    elif threshold == "query":
        known = [idf[word] for run in runs for word in run if word in idf]
        least = math.fsum(known) / len(known) if known else math.inf
    elif isinstance(threshold, str):
        raise InputError(f"the keyword threshold is {' or '.join(THRESHOLDS)} or a number, not {threshold!r}")
    else:
        least = threshold
    kept: list[str] = []
    for run in runs:
        inside = [False] * len(run)
        for length in range(1, LONGEST + 1):
            for start in range(len(run) - length + 1):
                if idf.get(" ".join(run[start : start + length]), -math.inf) > least:
                    inside[start : start + length] = [True] * length
        kept += [word for word, keep in zip(run, inside, strict=True) if keep]
    return " ".join(kept)


def _expressions(run: Sequence[str]) -> Iterable[Sequence[str]]:
    for length in range(1, LONGEST + 1):
        for start in range(len(run) - length + 1):
            yield run[start : start + length]


def formulate(
    formulation: str,
    sentences: Sequence[str],
    engine: Engine | None,
    *,
    threshold: str | float = "collection",
) -> str:
    """The query of a summary in one of `FORMULATIONS`; ``kw`` alone needs the engine.

    Raises InputError for another formulation, and for ``kw`` without an engine.
    """
    match formulation:
        case "plain":
            return plain(sentences)
        case "np":
            return noun_phrases(sentences)
        case "kw":
            if engine is None:
                raise InputError("keywords are told by the index, and none was given")
            return keywords(sentences, engine, threshold)
    raise unknown("formulation", formulation, FORMULATIONS)


def query_id(text: object) -> str:
    """The name of a summary's query in a run: ``topic:system``; a gold summary's system is ``human_A``."""
    if isinstance(text, Candidate):
        return f"{text.topic}:{text.system}"
    if isinstance(text, Reference):
        return f"{text.topic}:{HUMAN}{text.annotator}"
    raise InputError("rankings from a run are looked up by topic and system: give records, not bare texts")
