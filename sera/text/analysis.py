"""The analyzers `standard`, `english` and `german`: from text to the index terms of Lucene and Elasticsearch.

docs/retrieval.md says what each does. An index has the language of its analyzer. That of `standard` is
English, since its mean idf leaves out English stop words.

The terms equal those of Lucene 9.1 and later, which use the tables of Unicode 12.1. Lucene 8 uses the tables
of Unicode 9 and drops later characters, for example Georgian capitals. The package contains the tables, so
the terms do not depend on Python's version of Unicode.
"""

import sys
from collections import defaultdict
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from sera.registry import unknown
from sera.resources import lines, stop_words, word_list
from sera.text import german_stems
from sera.text.porter import stem

if sys.version_info >= (3, 11, 5):
    import re
else:  # possessive quantifiers may backtrack in older versions (python/cpython issue 106052)
    import regex as re  # type: ignore[no-redef]

STOP_WORDS = frozenset(
    (
        "a an and are as at be but by for if in into is it no not of on or such that the their then "
        "there these they this to was will with"
    ).split()
)
"""The stop words of Lucene's EnglishAnalyzer."""

LONGEST_TOKEN = 255  # UTF-16 units in a token; a longer one is split
_KEPT = 1_000_000  # words whose terms are cached


class Analyzer:
    """Turns text into terms; `analyzer` returns one.

    A *word* is a token in lower case; its *term* is its form in the index. ``language`` is that of the texts,
    as in `sera.text.languages`.
    """

    def __init__(self, name: str, term: Callable[[str], str | None], language: str = "en") -> None:
        self.name, self.language = name, language
        self._term = lru_cache(_KEPT)(term)

    def words(self, text: str) -> list[str]:
        """The words of a text in order, with stop words; a word's place in the list is its position."""
        return _words(text)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Start and end of each word of `words` in a text, in characters."""
        return _spans(text)

    def term(self, word: str) -> str | None:
        """The term of a word in lower case; None for a stop word."""
        return self._term(word)

    def positions(self, text: str) -> tuple[list[str], list[int]]:
        """The terms of a text and the position of each, counted from 0; a stop word leaves a gap."""
        terms: list[Any] = list(map(self._term, _words(text)))
        places = [position for position, term in enumerate(terms) if term is not None]
        return [terms[position] for position in places], places

    def tokens(self, text: str) -> list[str]:
        """The terms of a text in order."""
        return [term for term in map(self._term, _words(text)) if term is not None]

    def stop_terms(self) -> frozenset[str]:
        """The terms of the stop words of queries, SMART's or Snowball's; a stem may be another word's too."""
        words = _STOP_WORDS_OF_QUERIES[self.language]()
        return frozenset(term for word in words for term in self.tokens(word))


def analyzer(name: str) -> Analyzer:
    """The analyzer ``standard``, ``english`` or ``german``; raises InputError for any other name."""
    if name not in _ANALYZERS:
        raise unknown("analyzer", name, _ANALYZERS)
    return Analyzer(name, *_ANALYZERS[name])


def analyzer_language(name: str) -> str:
    """The language of the analyzer of a name; raises InputError as `analyzer`."""
    return analyzer(name).language


# Words
# Tokens are found in the outline of a text: a string of the same length with one letter for the word-break
# property of each character, or "-". The patterns below are written in these letters.

_LETTERS = {
    "ALetter": "a",
    "ALetter+Pictographic": "m",
    "Hebrew_Letter": "h",
    "Numeric": "0",
    "Katakana": "k",
    "ExtendNumLet": "_",
    "MidLetter": ":",
    "MidNumLet": ".",
    "MidNum": ",",
    "Single_Quote": "'",
    "Double_Quote": '"',
    "Complex_Context": "s",
    "Extend+Complex_Context": "t",
    "Ideographic": "c",
    "Pictographic": "e",
    "Regional_Indicator": "r",
    "Extend": "x",
    "ZWJ": "Z",
}


def _rules() -> tuple[str, ...]:
    """Patterns of the tokens; each matches as much as possible: UAX #29 with Lucene's additions.

    Characters that extend another one (marks, format characters, joiners) belong to it everywhere (WB4). No
    pattern backtracks, since at every place at most one continuation is right.
    """
    extend = "[xtfZFGKqQ]*+"
    number = f"0++{extend}"
    letter = f"(?:[am]++{extend}|h{extend})"
    underscore = f"_{extend}"
    # A Hebrew letter also joins a following ', and a " before another Hebrew letter (WB7a-c). In Lucene
    # neither applies to a letter that itself follows a middle mark.
    unit = (
        rf"""(?:h{extend}"{extend}h{extend}|h{extend}'{extend}"""
        rf"""|{letter}(?:[:.']{extend}{letter})*+"""  # WB5-7, 9
        rf"""|{number}(?:[,.']{extend}{number})*+)"""  # WB8, 10-12
    )
    segment = f"(?:(?:k{extend})++|{unit}++)"  # WB13; only an underscore joins Katakana and other letters
    word = f"(?:{underscore})*+{segment}(?:(?:{underscore})++{segment})*+(?:{underscore})*+"  # WB13a, b
    south_east_asian = f"(?:[st]{extend})++"  # one token for a whole run, since there is no dictionary
    ideograph = f"c{extend}"

    # Emoji sequences (UTS #51). The emoji presentation selector, F, does not extend a pictograph.
    e, x = "[em]", "[xtfZKqQ]*"
    sequence = f"{e}{x}(?:(?<=Z){e}{x})*"
    modifier = f"f{x}"
    emoji = (
        f"Z*{e}{x}Fq+Q"  # a flag of a region
        f"|(?:{modifier}(?<=Z)|Z*){sequence}(?:F(?:Z+|Z{modifier}(?<=Z)){sequence})*(?:F(?:Z{modifier})?)?"
        f"|{modifier}"
        f"|#{x}FK{x}|#{x}K{x}"  # a keycap; that of a digit is a number
        f"|r{extend}r{extend}"
    )
    return word, emoji, south_east_asian, ideograph


_RULES = tuple(re.compile(rule) for rule in _rules())
# For speed: most words are letters and digits before a separator. If a run of underscores or of joiners does
# not begin a token, the rest of the run does not either.
_TOKEN = re.compile(rf"(?=[^-])(?!(?<=_)_|(?<=Z)Z)(?:[a0]++(?=-)|{'|'.join(_rules())})")
_CANDIDATE = re.compile("[^-]")
_BESIDE = " .,;:?!()[]\"'"  # a text of letters and digits with only these around them is one word


@cache
def _outline() -> dict[int, str]:
    letters: dict[int, str] = defaultdict(lambda: "-")
    for line in lines("word_break.tsv")[1:]:
        first, last, kind = line.split("\t")
        letters.update(dict.fromkeys(range(int(first, 16), int(last, 16) + 1), _LETTERS[kind]))
    letters.update(dict.fromkeys(map(ord, "#*"), "#"))
    letters.update(dict.fromkeys(range(0x1F3FB, 0x1F400), "f"))  # emoji modifiers
    letters.update(dict.fromkeys(range(0xE0020, 0xE007F), "q"))  # tags
    letters.update({0xE007F: "Q", 0x20E3: "K", 0xFE0E: "G", 0xFE0F: "F"})
    return letters


def _words(text: str) -> list[str]:
    bare = text.strip(_BESIDE)
    if bare.isascii() and bare.isalnum() and len(bare) <= LONGEST_TOKEN:  # for speed: a single plain word
        return [bare.lower()]
    # Lucene lowers case by code point: capital sigma has no final form, and dotted capital I leaves no dot.
    lower = text.replace("\u03a3", "\u03c3").replace("\u0130", "i").lower()
    return [lower[start:end] for start, end in _spans(text)]


def _spans(text: str) -> list[tuple[int, int]]:
    outline = text.translate(_outline())
    spans = [token.span() for token in _TOKEN.finditer(outline)]
    # Two cases need the slow way: a token that may be too long, and a letter that is also an emoji.
    if "m" in outline or any(end - start > LONGEST_TOKEN // 2 for start, end in spans):
        return _closely(text, outline)
    return spans


def _closely(text: str, outline: str) -> list[tuple[int, int]]:
    """Start and end of each token by the full rule: the longest match within 255 UTF-16 units."""
    spans = []
    place = 0
    while candidate := _CANDIDATE.search(outline, place):
        start = candidate.start()
        limit = start + LONGEST_TOKEN
        while (
            excess := len(text[start:limit].encode("utf-16-le", "surrogatepass")) // 2 - LONGEST_TOKEN
        ) > 0:
            limit -= (excess + 1) // 2
        matches = (rule.match(outline, start, limit) for rule in _RULES)
        end = max((match.end() for match in matches if match), default=start)
        if end > start:
            spans.append((start, end))
        place = max(end, start + 1)
    return spans


# Terms


def _english(word: str) -> str | None:
    if word[-1] == "s" and word[-2:-1] in ("'", "\u2019", "\uff07"):
        word = word[:-2]
    return None if word in STOP_WORDS else stem(word)


# Not by `sera.text.languages`, whose stemmers are nltk's: a new nltk makes no new index.
_STOP_WORDS_OF_QUERIES: dict[str, Callable[[], frozenset[str]]] = {
    "en": stop_words,
    "de": lambda: word_list("german_stop_words.txt"),
}
# That of Lucene is Snowball's, without the spelling "dass".
_LUCENES_GERMAN = word_list("german_stop_words.txt") - {"dass"}


def _german(word: str) -> str | None:
    return None if word in _LUCENES_GERMAN else german_stems.stem(german_stems.normalize(word))


_ANALYZERS: dict[str, tuple[Callable[[str], str | None], str]] = {
    "standard": (lambda word: word, "en"),
    "english": (_english, "en"),
    "german": (_german, "de"),
}
