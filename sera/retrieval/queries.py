"""Turn summaries into search queries: the three formulations of Cohan & Goharian 2016, and one of GeSERA.

plain   "the entire summary without stopwords and numeric values"
np      only the noun phrases
kw      only keywords and key phrases: expressions of up to three terms whose idf in the searched index is
        above a threshold
pos     only nouns, verbs and adjectives (López Espejel et al. 2021, GeSERA)

A query is a text of the summary's own words in their order; the engine's analyzer turns it into terms. The
stop words of all are those of the SMART system. ``plain``, ``np`` and ``pos`` can keep them, since section 5
says that other settings "showed similar results"; keywords are without them by definition.

Texts may be in another language than English (`sera.text.languages`). Stop words and words are then those of
`sera.text.content`, an index of the language is needed, and only spaCy finds noun phrases.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import groupby

from sera.errors import InputError
from sera.extras import extra_for
from sera.io.records import HUMAN, Candidate, Reference
from sera.registry import unknown
from sera.retrieval.engines import Engine
from sera.text.analysis import analyzer_language
from sera.text.content import stop_words, words
from sera.text.languages import ENGLISH, LANGUAGES, other_language
from sera.text.spacy_models import SPACY, spacy_model

TEXTBLOB = "textblob"
FORMULATIONS = {
    "plain": "whole summary as query",
    "np": "its noun phrases as query",
    "kw": "its keywords as query",
    "pos": "its nouns, verbs and adjectives as query",
}
LONGEST_PHRASE = 3  # terms in a key phrase
KEYWORD_THRESHOLDS = ("collection", "query")

_SENTENCES = 2**16  # kept, since summaries of all lengths and systems share sentences; some 50 MB
_SUMMARIES = 2**10  # kept, since the multiverse formulates their queries for several indexes and thresholds


def formulations(language: str = ENGLISH, parser: str = TEXTBLOB) -> list[str]:
    """The formulations that are there for texts of a language; ``parser`` as in `noun_phrases`."""
    english = {"pos", *(["np"] if parser == TEXTBLOB else [])}  # TextBlob's tags are of English
    return [each for each in FORMULATIONS if language == ENGLISH or each not in english]


def check_index(engine: Engine, language: str) -> None:
    """Raise InputError if the index of an engine is in another language than the texts."""
    if (its := analyzer_language(engine.analyzer)) != language:
        raise other_language("index", its, language)


def content_words(text: str, *, stop: bool = True, language: str = ENGLISH) -> list[str]:
    """The words of a text, in lower case and in order, without stop words and numeric values.

    ``stop``: whether stop words are left out. For numeric values see `split_at_values`.
    """
    return [word for run in _runs(text, language, stop) for word in run]


@lru_cache(maxsize=_SENTENCES)
def _runs(text: str, language: str, stop: bool = True) -> tuple[tuple[str, ...], ...]:
    """The content words in runs of neighbours: a stop word or a numeric value ends a run."""
    stops = stop_words(language) if stop else ()
    runs: list[tuple[str, ...]] = []
    for piece in split_at_values(text, language):
        for is_stop, run in groupby(words(piece, language), stops.__contains__):
            if not is_stop:
                runs.append(tuple(run))
    return tuple(runs)


def plain(sentences: Iterable[str], *, stop: bool = True, language: str = ENGLISH) -> str:
    """The formulation ``plain``: the content words of a summary."""
    return " ".join(
        word for sentence in sentences for word in content_words(sentence, stop=stop, language=language)
    )


def noun_phrases(
    sentences: Iterable[str], parser: str = TEXTBLOB, *, stop: bool = True, language: str = ENGLISH
) -> str:
    """The formulation ``np``: the content words inside noun phrases.

    ``parser``: "textblob" for TextBlob's chunks of type NP (its model is a lexicon in the package, so nothing
    is downloaded), or "spacy:" and the name or folder of a model of spaCy or scispaCy for its noun chunks.
    InputError for a parser that does not read the language, or is not installed or finds no noun chunks.
    """
    if "np" not in formulations(language, parser):
        problem = f"{parser} finds noun phrases in English, not in {LANGUAGES[language].name.capitalize()}"
        remedy = f"Name a model of the language, {SPACY}MODEL, or leave out the metrics with NP."
        raise InputError(problem, remedy=remedy)
    if parser == TEXTBLOB:
        pieces = _tagged_words(sentences, lambda tag, chunk: chunk in ("B-NP", "I-NP"))
    elif parser.startswith(SPACY) and parser != SPACY:
        pieces = spacy_chunks(sentences, parser.removeprefix(SPACY), language)
    else:
        problem = f"there is no parser {parser!r} for noun phrases"
        raise InputError(problem, remedy=f"Give {TEXTBLOB}, or {SPACY} and the name of a model.")
    return plain(pieces, stop=stop, language=language)


def nouns_verbs_adjectives(sentences: Iterable[str], *, stop: bool = True) -> str:
    """The formulation ``pos`` of an English text, by TextBlob's tags."""
    return plain(_tagged_words(sentences, lambda tag, _: tag.startswith(("NN", "VB", "JJ"))), stop=stop)


def keywords(
    sentences: Iterable[str],
    engine: Engine,
    threshold: str | float = "collection",
    *,
    language: str = ENGLISH,
) -> str:
    """The formulation ``kw``: the words in keywords and key phrases (Cohan & Goharian 2016, section 3).

    An expression is one to three neighbouring content words of a sentence. It is a keyword or key phrase if
    it occurs in the index and its idf, ln(documents / document frequency of the phrase), is above the
    threshold. A word in several of them is in the query once for each of its places in the summary.

    ``threshold``: "collection" for the mean idf of all terms of the index except stop words (the paper's
    text, taken literally), "query" for the mean idf of the summary's content words that the index has, or a
    number.

    Raises InputError for another threshold, and for an index in another language.
    """
    check_index(engine, language)
    runs, expressions = _expressions(tuple(sentences), language)
    frequencies = engine.document_frequency(expressions)
    idf = {e: math.log(engine.documents / df) for e, df in zip(expressions, frequencies, strict=True) if df}
    if threshold == "collection":
        least = engine.mean_idf()
    elif threshold == "query":
        values = [idf[word] for run, _ in runs for word in run if word in idf]
        least = math.fsum(values) / len(values) if values else math.inf
    elif isinstance(threshold, str):
        problem = f"there is no keyword threshold {threshold!r}"
        raise InputError(problem, remedy=f"Give {' or '.join(KEYWORD_THRESHOLDS)} or a number.")
    else:
        least = threshold
    phrases = {expression for expression, value in idf.items() if value > least}
    query_words: list[str] = []
    for run, run_expressions in runs:
        word_places: set[int] = set()
        for expression, start, end in run_expressions:
            if expression in phrases:
                word_places.update(range(start, end))
        query_words += [run[place] for place in sorted(word_places)]
    return " ".join(query_words)


_Phrased = list[tuple[tuple[str, ...], list[tuple[str, int, int]]]]


@lru_cache(maxsize=_SUMMARIES)
def _expressions(sentences: tuple[str, ...], language: str) -> tuple[_Phrased, list[str]]:
    """The runs of a summary, each with its expressions and where they start and end; all expressions."""
    runs = [
        (
            run,
            [
                (" ".join(run[start : start + length]), start, start + length)
                for length in range(1, LONGEST_PHRASE + 1)
                for start in range(len(run) - length + 1)
            ],
        )
        for sentence in sentences
        for run in _runs(sentence, language)
    ]
    return runs, sorted({expression for _, run_expressions in runs for expression, _, _ in run_expressions})


def formulate(
    formulation: str,
    sentences: Sequence[str],
    engine: Engine | None,
    *,
    threshold: str | float = "collection",
    parser: str = TEXTBLOB,
    stop: bool = True,
    language: str = ENGLISH,
) -> str:
    """The query of a summary in one of `FORMULATIONS`.

    Only ``kw`` needs the engine. For ``threshold`` see `keywords`, for ``parser`` see `noun_phrases`, for
    ``stop``, which ``kw`` ignores, see `content_words`.
    """
    match formulation:
        case "plain":
            return plain(sentences, stop=stop, language=language)
        case "np":
            return noun_phrases(sentences, parser, stop=stop, language=language)
        case "pos":
            return nouns_verbs_adjectives(sentences, stop=stop)
        case "kw":
            if engine is None:
                raise InputError("keywords need an index, and none was given", remedy="Give an index.")
            return keywords(sentences, engine, threshold, language=language)
    raise unknown("formulation", formulation, FORMULATIONS)


def query_id(text: object) -> str:
    r"""The name of a summary's query in a run: ``topic:system``; the system of a gold summary is ``human_A``.

    In the topic, a colon is written ``\:`` and a backslash ``\\``, so the first plain colon ends the topic.
    """
    if isinstance(text, Candidate):
        return f"{_escape_colon(text.topic)}:{text.system}"
    if isinstance(text, Reference):
        return f"{_escape_colon(text.topic)}:{HUMAN}{text.annotator}"
    problem = "rankings from a run are looked up by topic and system, and a text has none"
    raise InputError(problem, remedy="Give records.")


def _escape_colon(topic: str) -> str:
    return topic.replace("\\", "\\\\").replace(":", "\\:")


def _tagged_words(sentences: Iterable[str], chosen: Callable[[str, str], bool]) -> Iterator[str]:
    """The words that are ``chosen`` by their parts of speech and the marks of their phrases."""
    return (word for sentence in sentences for word, *marks in _parse(sentence) if chosen(*marks))


@lru_cache(maxsize=_SENTENCES)
def _parse(text: str) -> tuple[tuple[str, str, str], ...]:
    """The words with their parts of speech and the marks of their phrases, by TextBlob's copy of Pattern."""
    with extra_for("the search with noun phrases or parts of speech"):
        from textblob.en import parse  # slow to import

    tokens = (token for sentence in parse(text, collapse=False) for token in sentence)
    return tuple((word.replace("&slash;", "/"), tag, chunk) for word, tag, chunk, *_ in tokens)


def spacy_chunks(sentences: Iterable[str], model: str, language: str) -> Iterator[str]:
    """The noun chunks of spaCy: noun phrases that contain no other."""
    for document in spacy_model(model, language, TEXTBLOB).pipe(sentences):
        try:
            yield from (chunk.text for chunk in document.noun_chunks)
        except (NotImplementedError, ValueError) as error:  # no noun chunks in the language; no parser
            problem = f"the model {model} of spaCy finds no noun phrases: {error}"
            raise InputError(problem, remedy=f"Name another model, or choose {TEXTBLOB}.") from None


# Numeric values
# --------------

_DASH, _SIGN = "[-\u2013]", "[-+\u2013\u2212]"
_LETTER = r"[^\W\d]"

# after a number, as they are written
_UNITS = (
    r"(?:h|hrs?|mins?|s|secs?|ms|d|wks?|yrs?|[kKM]b|KB|MB|bp|nts?|mers?|k?Da|k[dD]|[nmck\u03bc\u00b5]?m"
    r"|[knmu\u03bc\u00b5]?g|[nmdu\u03bc\u00b5]?[lL]|[pnmu\u03bc\u00b5]?M|[pnmu\u03bc\u00b5]?mol|pmole|[kM]?Hz"
    r"|m?Ci|c?Gy|rpm|x|fold)(?!\w)"
)
_MEASURES = {
    ENGLISH: r"fold|times|percent|cells?|wells?|hours?|days?|weeks?|months?|years?|minutes?|seconds?"
    r"|bases?|kilobases?|kilodaltons?|nucleotides?|amino[- ]acids?|residues?|steps?|points?|dimensional",
    "de": r"fach(?:e[mnrs]?)?|mal|prozent|(?:mal|prozent|sekünd|minüt|stünd|täg|wöch|monat|jähr|stell|teil)"
    r"ig(?:e[mnrs]?)?|sekunden?|minuten?|stunden?|tage?|wochen?|monate?|jahre?|punkte?|dimensionale?[mnrs]?",
}

_THOUSANDS = r"\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?"
_DECIMAL = rf"(?:{_THOUSANDS}|\d+(?:\.\d+)+)"
_POWER = (
    rf"(?:(?:{_DECIMAL}|\d+,\d+)[eE]{_SIGN}?\d+|\d+(?:e{_SIGN}?|E{_SIGN})\d+"  # 9E10 is an antibody
    rf"|\d+\^{_SIGN}?\d+|10\({_SIGN}?\d+\)|\d+[\u207a\u207b]?[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+)(?!\w)"
)

_NUMBER = r"\d+(?:[.,]\d+)*"
_NUMBERS = rf"{_NUMBER}(?:(?:%|\u00b0C?)?(?:{_DASH}|[/\u2212~]){_NUMBER})*"
_END = rf"(?={_UNITS}|(?!\w))(?![.,]\d)"
_OTHER = rf"(?<!\w){_NUMBER}(?:{_DASH}{_NUMBER})*\w*"  # as a whole, so that no text takes long


@cache
def _value_or_name(language: str) -> re.Pattern[str]:
    """A numeric value, or else a name (the group ``name``) or another number (``other``)."""
    measures = rf"(?:{_UNITS}|(?i:{_MEASURES[language]})(?!\w))"
    name = (
        rf"(?<!\w)(?:{_LETTER}\w*"
        rf"|\d+(?!{_UNITS}){_LETTER}\w*"
        r"|[1-9](?:,[1-9])*['\u2019\u2032](?!s\b)"
        r"|\d{1,2}(?:-\d{1,2}){2,}(?![\d.])"
        rf"|(?!{_THOUSANDS})(?<![-.,])\d+(?:,\d+)*{_DASH}(?!{measures}){_LETTER}\w*)"
        # what follows belongs to the name
        rf"(?:(?:{_DASH}|['\u2019\u2032]{_DASH}?)\w+"
        r"|(?:(?<=\d)|(?<=[A-Z]))\.\d+\w*"
        r"|(?:(?<=\d)|(?<=\d\w))[+\u2212]?[/&~]\d+\w*(?!\w|\.\d|[%\u00b0])"
        rf"|\(\d+(?:,\d+)*\){_LETTER}\w*)*"  # PI(3,4,5)P3
    )
    value = (
        rf"(?<!\w){_DECIMAL}(?:{_DASH}{_NUMBER})*{_END}"
        rf"|(?<![\w-]){_NUMBERS}{_END}(?!{_DASH}(?!{measures})\w)"
        r"|(?<!\w)\d+(?=[%\u00b0])"  # -20°C
    )
    return re.compile(rf"(?<!\w){_POWER}|(?P<name>{name})|{value}|(?P<other>{_OTHER})")


def split_at_values(text: str, language: str = ENGLISH) -> list[str]:
    """The pieces of a text between its numeric values, in order; one more than there are values.

    The paper does not say what a numeric value is (section 3). Here it is a number that counts or measures,
    as a whole: integers, decimals, thousands (``1,000``), fractions, lists and ranges (``3-5``, ``10%-20%``),
    powers (``1e6``, ``10^-5``), the number before a unit (``24h``) or at the head of a compound of measure
    (``2.5-fold``; in German ``3,5-fach``). The unit or the rest of the compound stays.

    A number in a name stays with it: after a letter (``IL-6``, ``Kv1.2``, ``miR-372/373``), before a letter
    that is not a unit (``293T``) or a prime (``5'-UTR``), at the head of any other compound
    (``2,3-dioxygenase``), as ``14-3-3``, and after a hyphen alone ("miR-372 and -373").

    >>> split_at_values("a 2.5-fold rise of IL-6 (12%)")
    ['a ', '-fold rise of IL-6 (', '%)']
    """
    pieces, start = [], 0
    for match in _value_or_name(language).finditer(text):
        if match["name"] is None and match["other"] is None:
            pieces.append(text[start : match.start()])
            start = match.end()
    return [*pieces, text[start:]]
