"""Turn summaries into search queries: the three formulations of Cohan & Goharian 2016, section 3.

plain   "the entire summary without stopwords and numeric values"
np      only the noun phrases
kw      only keywords and key phrases: expressions of up to three terms whose idf in the searched index is
        above a threshold

A query is a text of the summary's own words in their order; the engine's analyzer turns it into terms. The
stop words of all three are those of the SMART system. ``plain`` and ``np`` can keep them, since section 5
says that other settings "showed similar results"; keywords are without them by definition.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

from sera.errors import InputError
from sera.records import HUMAN, Candidate, Reference
from sera.registry import unknown
from sera.resources import stop_words
from sera.retrieval.engines import Engine
from sera.retrieval.numeric_values import without_values
from sera.text.analysis import analyzer

FORMULATIONS = {
    "plain": "whole summary as query",
    "np": "its noun phrases as query",
    "kw": "its keywords as query",
}
LONGEST_PHRASE = 3  # terms in a key phrase
KEYWORD_THRESHOLDS = ("collection", "query")
TEXTBLOB, SPACY = "textblob", "spacy:"  # parsers for noun phrases; "spacy:" precedes a model's name

_STANDARD = analyzer("standard")


def content_words(text: str, *, stop: bool = True) -> list[str]:
    """The words of a text, in lower case and in order, without stop words and numeric values.

    ``stop``: whether stop words are left out. For numeric values see `sera.retrieval.numeric_values`.
    """
    if not stop:
        return [word for piece in without_values(text) for word in _STANDARD.words(piece)]
    return [word for run in _runs(text) for word in run]


@lru_cache(maxsize=2**14)  # summaries of all lengths and systems share sentences
def _runs(text: str) -> tuple[tuple[str, ...], ...]:
    """The content words in runs of neighbours: a stop word or a numeric value ends a run."""
    runs: list[list[str]] = []
    for piece in without_values(text):
        runs.append([])
        for word in _STANDARD.words(piece):
            if word not in stop_words():
                runs[-1].append(word)
            elif runs[-1]:
                runs.append([])
    return tuple(tuple(run) for run in runs if run)


def plain(sentences: Iterable[str], *, stop: bool = True) -> str:
    """The formulation ``plain``: the content words of a summary; for ``stop`` see `content_words`."""
    return " ".join(word for sentence in sentences for word in content_words(sentence, stop=stop))


def noun_phrases(sentences: Iterable[str], parser: str = TEXTBLOB, *, stop: bool = True) -> str:
    """The formulation ``np``: the content words inside noun phrases; for ``stop`` see `content_words`.

    ``parser``: "textblob" for TextBlob's chunks of type NP (its model is a lexicon in the package, so nothing
    is downloaded), or "spacy:" and the name or folder of a model of spaCy or scispaCy for its noun chunks.

    Raises InputError for another parser, and for a model that is not installed or finds no noun chunks.
    """
    if parser == TEXTBLOB:
        pieces = _chunks_of_textblob(sentences)
    elif parser.startswith(SPACY) and parser != SPACY:
        pieces = _chunks_of_spacy(sentences, parser.removeprefix(SPACY))
    else:
        raise InputError(
            f"there is no parser {parser!r} for noun phrases",
            remedy=f"Give {TEXTBLOB}, or {SPACY} and the name of a model.",
        )
    return " ".join(word for piece in pieces for word in content_words(piece, stop=stop))


def _chunks_of_textblob(sentences: Iterable[str]) -> Iterator[str]:
    """The words inside noun phrases, one by one."""
    from textblob.en import parse  # slow to import

    for sentence in sentences:
        # tokens are word/TAG/CHUNK/PNP with blanks between, or line ends between sentences; a slash inside a
        # word is written &slash;
        for token in str.split(parse(sentence, lemmata=False)):
            word, _, rest = token.partition("/")
            if rest.split("/")[1:2] and rest.split("/")[1].endswith("NP"):
                yield word.replace("&slash;", "/")


def _chunks_of_spacy(sentences: Iterable[str], model: str) -> Iterator[str]:
    """The noun chunks of spaCy: noun phrases that contain no other."""
    for document in _spacy_model(model).pipe(sentences):
        try:
            yield from (chunk.text for chunk in document.noun_chunks)
        except (NotImplementedError, ValueError) as error:  # no noun chunks in the language; no parser
            raise InputError(
                f"the model {model} of spaCy finds no noun phrases: {error}",
                remedy=f"Name another model, or choose {TEXTBLOB}.",
            ) from None


@cache
def _spacy_model(model: str) -> Any:
    try:
        import spacy
    except ImportError:
        raise InputError(
            f"noun phrases by {SPACY}{model} need spaCy, and it is not installed",
            remedy=f"Install spaCy and the model into the same environment, or choose {TEXTBLOB}.",
        ) from None
    try:
        return spacy.load(model)
    except OSError:
        raise InputError(
            f"spaCy has no model {model!r}", remedy=f"Install it, or choose {TEXTBLOB}."
        ) from None


def keywords(sentences: Iterable[str], engine: Engine, threshold: str | float = "collection") -> str:
    """The formulation ``kw``: the words in keywords and key phrases (Cohan & Goharian 2016, section 3).

    An expression is one to three neighbouring content words of a sentence. It is a keyword or key phrase if
    it occurs in the index and its idf, ln(documents / document frequency of the phrase), is above the
    threshold. A word in several of them is in the query once for each of its places in the summary.

    ``threshold``: "collection" for the mean idf of all terms of the index except stop words (the paper's
    text, taken literally), "query" for the mean idf of the summary's content words that the index has, or a
    number.

    Raises InputError for another threshold.
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
        raise InputError(
            f"there is no keyword threshold {threshold!r}",
            remedy=f"Give {' or '.join(KEYWORD_THRESHOLDS)} or a number.",
        )
    else:
        least = threshold
    kept: list[str] = []
    for run in runs:
        inside = [False] * len(run)
        for length in range(1, LONGEST_PHRASE + 1):
            for start in range(len(run) - length + 1):
                if idf.get(" ".join(run[start : start + length]), -math.inf) > least:
                    inside[start : start + length] = [True] * length
        kept += [word for word, keep in zip(run, inside, strict=True) if keep]
    return " ".join(kept)


def _expressions(run: Sequence[str]) -> Iterable[Sequence[str]]:
    for length in range(1, LONGEST_PHRASE + 1):
        for start in range(len(run) - length + 1):
            yield run[start : start + length]


def formulate(
    formulation: str,
    sentences: Sequence[str],
    engine: Engine | None,
    *,
    threshold: str | float = "collection",
    parser: str = TEXTBLOB,
    stop: bool = True,
) -> str:
    """The query of a summary in one of `FORMULATIONS`.

    Only ``kw`` needs the engine. For ``threshold`` see `keywords`, for ``parser`` see `noun_phrases`, for
    ``stop``, which ``kw`` ignores, see `content_words`. Raises InputError for another formulation and for
    ``kw`` without an engine.
    """
    match formulation:
        case "plain":
            return plain(sentences, stop=stop)
        case "np":
            return noun_phrases(sentences, parser, stop=stop)
        case "kw":
            if engine is None:
                raise InputError("keywords need an index, and none was given", remedy="Give an index.")
            return keywords(sentences, engine, threshold)
    raise unknown("formulation", formulation, FORMULATIONS)


def query_id(text: object) -> str:
    r"""The name of a summary's query in a run: ``topic:system``; the system of a gold summary is ``human_A``.

    In the topic, a colon is written ``\:`` and a backslash ``\\``, so the first plain colon ends the topic.
    Raises InputError for anything but a candidate or a reference.
    """
    if isinstance(text, Candidate):
        return f"{_before_colon(text.topic)}:{text.system}"
    if isinstance(text, Reference):
        return f"{_before_colon(text.topic)}:{HUMAN}{text.annotator}"
    raise InputError(
        "rankings from a run are looked up by topic and system, and a text has none", remedy="Give records."
    )


def _before_colon(topic: str) -> str:
    return re.sub(r"[\\:]", r"\\\g<0>", topic)


def topic_and_system(name: str) -> tuple[str, str]:
    r"""The topic and the system in a query's name, as `query_id` makes it.

    >>> topic_and_system(r"a\:b:c:d")
    ('a:b', 'c:d')

    Raises InputError for any other name.
    """
    found = re.match(r"((?:[^\\:]|\\[\\:])*):", name)
    if not found:
        raise InputError(
            f"the query {name[:80]!r} is not named by topic and system, with a colon between",
            remedy="Name it topic:system.",
        )
    return re.sub(r"\\(.)", r"\1", found[1]), name[found.end() :]


def texts_of(candidates: Iterable[Candidate], references: Iterable[Reference]) -> dict[str, tuple[str, ...]]:
    """The sentences of each summary by the name of its query; a gold summary may also be a candidate.

    Raises InputError if the candidate ``human_A`` and annotator A's gold summary are different texts, since
    both have the same query name.
    """
    texts = {query_id(candidate): candidate.sentences for candidate in candidates}
    for reference in references:
        name = query_id(reference)
        if texts.setdefault(name, reference.sentences) != reference.sentences:
            raise InputError(
                f"the system {HUMAN + reference.annotator!r} has another summary of topic "
                f"{reference.topic!r} than the annotator {reference.annotator!r}",
                remedy=f"Rename the system: {HUMAN}A names annotator A's own summary.",
            )
    return texts
