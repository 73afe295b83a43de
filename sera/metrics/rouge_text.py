"""From sentences to the tokens that ROUGE counts, as ROUGE-1.5.5 makes them.

The order is the program's: cut to the length limit on the raw text, tokenise, drop stop words, stem.
Lin (2004, section 6) calls the results the CASE, STEM and STOP sets; the paper does not describe the
steps, so all rules here are those of the program.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from sera.resources import lines, stop_words

Tokenizer = Callable[[str], Sequence[str]]

_TOKEN = re.compile(rb"[a-z0-9]+")
_BLANKS = re.compile(rb"\s+")


@dataclass(frozen=True)
class Preparation:
    """How a text is made ready; equal for a candidate and its references.

    ``word_limit`` cuts to so many blank-separated pieces (``-l``), ``byte_limit`` to so many bytes of
    UTF-8 (``-b``); None leaves the text whole, and at most one of the two is given. ``tokenizer`` takes
    a sentence and gives its tokens; None is the program's rule, see `tokenize`.
    """

    stem: bool = True
    stop: bool = True
    word_limit: int | None = None
    byte_limit: int | None = None
    tokenizer: Tokenizer | None = None

    def prepare(self, sentences: tuple[str, ...]) -> Prepared:
        """The tokens of one text, given by its sentences."""
        raw = [sentence.encode("utf-8", "surrogatepass") for sentence in sentences]
        if self.word_limit is not None:
            raw = cut_words(raw, self.word_limit)
        if self.byte_limit is not None:
            return self._prepared(cut_bytes(raw, self.byte_limit), cut_bytes_of_each(raw, self.byte_limit))
        return self._prepared(raw)

    def prepare_reference(self, sentences: tuple[str, ...]) -> Prepared:
        """The same as `prepare`, remembered: a topic's references meet every system's summary."""
        return _remembered(self, sentences)

    def tokens(self, sentence: bytes) -> tuple[str, ...]:
        """The counted tokens of one sentence in UTF-8; a character cut in two at its end is dropped."""
        tokens: Sequence[str]
        if self.tokenizer is None:
            tokens = tokenize(sentence)
        else:
            tokens = self.tokenizer(sentence.decode("utf-8", "ignore"))
        if self.stop:
            stopped = stop_words()
            tokens = [token for token in tokens if token not in stopped]
        return tuple([stem(token) for token in tokens] if self.stem else tokens)

    def _prepared(self, raw: Sequence[bytes], raw_of_each: Sequence[bytes] | None = None) -> Prepared:
        sentences = tuple(self.tokens(sentence) for sentence in raw)
        tokens = tuple(token for sentence in sentences for token in sentence)
        if raw_of_each is not None:
            sentences = tuple(self.tokens(sentence) for sentence in raw_of_each)
        return Prepared(tokens, sentences)


@lru_cache(maxsize=128)
def _remembered(preparation: Preparation, sentences: tuple[str, ...]) -> Prepared:
    return preparation.prepare(sentences)


@dataclass(frozen=True)
class Prepared:
    """A text as ROUGE counts it.

    ``tokens`` are those of the whole text, ``sentences`` those of each sentence for ROUGE-L and
    ROUGE-W. The two differ under a limit in bytes alone (see `cut_bytes_of_each`).
    """

    tokens: tuple[str, ...]
    sentences: tuple[tuple[str, ...], ...]

    @cached_property
    def _ngrams(self) -> dict[int, Counter[tuple[str, ...]]]:
        return {}

    def ngrams(self, n: int) -> Counter[tuple[str, ...]]:
        """How often each n-gram occurs; sentence ends are no boundary."""
        if n not in self._ngrams:
            self._ngrams[n] = Counter(zip(*(self.tokens[start:] for start in range(n))))
        return self._ngrams[n]

    @cached_property
    def unigrams(self) -> Counter[str]:
        """How often each token occurs in the whole text."""
        return Counter(self.tokens)

    @cached_property
    def places(self) -> list[dict[str, int]]:
        """For each sentence, where each of its tokens stands: bit j is set for position j."""
        return [_places(sentence) for sentence in self.sentences]


def _places(sentence: Sequence[str]) -> dict[str, int]:
    places: dict[str, int] = {}
    for position, token in enumerate(sentence):
        places[token] = places.get(token, 0) | 1 << position
    return places


def tokenize(sentence: bytes) -> list[str]:
    """The maximal runs of ASCII letters and digits, lower-cased.

    Every other byte separates, so each letter outside ASCII does: ``naïve`` is ``na``, ``ve``.
    A text without ASCII letters and digits has no tokens; give a tokenizer of one's own for it.
    """
    return [token.decode("ascii") for token in _TOKEN.findall(sentence.lower())]


def cut_words(sentences: Sequence[bytes], limit: int) -> list[bytes]:
    """The first ``limit`` blank-separated pieces (``-l``).

    As in the program, a sentence that begins with a blank has an empty piece before it, which counts.
    """
    kept: list[bytes] = []
    total = 0
    for sentence in sentences:
        pieces = _BLANKS.split(sentence)
        while pieces and not pieces[-1]:
            pieces.pop()
        kept.append(b" ".join(pieces[: limit - total]))
        total += len(pieces)
        if total >= limit:
            break
    return kept


def cut_bytes(sentences: Sequence[bytes], limit: int) -> list[bytes]:
    """The first ``limit`` bytes of the sentences (``-b``); what joins sentences is not counted."""
    kept: list[bytes] = []
    total = 0
    for sentence in sentences:
        kept.append(sentence[: limit - total])
        total += len(sentence)
        if total >= limit:
            break
    return kept


def cut_bytes_of_each(sentences: Sequence[bytes], limit: int) -> list[bytes]:
    """The sentences that ROUGE-L and ROUGE-W see under ``-b``: a flaw of the program, kept.

    Its running total is never updated there, so every sentence below the limit is taken whole, and
    one that reaches the limit is cut to it and is the last.
    """
    kept: list[bytes] = []
    for sentence in sentences:
        kept.append(sentence[:limit])
        if len(sentence) >= limit:
            break
    return kept


@cache
def exceptions() -> dict[str, str]:
    """Irregular forms and their base, from WordNet 2.0: ``better`` gives ``well``."""
    return dict(line.split("\t") for line in lines("wordnet20_exceptions.tsv")[1:])


@lru_cache(maxsize=1 << 17)
def stem(token: str) -> str:
    """The stem of a lower-case token under ``-m``.

    Tokens of up to three characters stay. An irregular form gives its base, which is not stemmed
    again; any other token goes through `porter`.
    """
    if len(token) <= 3:
        return token
    return exceptions().get(token) or porter(token)


# Porter's words: [C](VC)^m[V], where y is a vowel after a consonant. A y at the start of the word is
# a consonant, and is written Y while the word is stemmed. Any character that is not a vowel is a
# consonant, digits too.
_C, _V = "[^aeiou][^aeiouy]*", "[aeiouy][aeiou]*"
_measure_above_0 = re.compile(f"(?:{_C})?{_V}{_C}").match
_measure_is_1 = re.compile(f"(?:{_C})?{_V}{_C}(?:{_V})?").fullmatch
_measure_above_1 = re.compile(f"(?:{_C})?{_V}{_C}{_V}{_C}").match
_has_vowel = re.compile(f"(?:{_C})?[aeiouy]").match
_is_short = re.compile(f"{_C}[aeiouy][^aeiouwxy]").fullmatch
_ends_double = re.compile(r"([^aeioulsyz])\1$").search


_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble",
    "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate",
    "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al",
    "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = [
    "al",
    "ance",
    "ence",
    "er",
    "ic",
    "able",
    "ible",
    "ant",
    "ement",
    "ou",
    "ism",
    "ate",
    "iti",
    "ous",
    "ive",
    "ize",
]


def _ending(word: str, suffixes: tuple[str, ...]) -> str:
    """The longest of the suffixes that the word ends in, or the empty string."""
    return next((suffix for suffix in suffixes if word.endswith(suffix)), "")


def _longest_first(suffixes: Sequence[str] | dict[str, str]) -> tuple[str, ...]:
    return tuple(sorted(suffixes, key=len, reverse=True))


_ENDINGS_2, _ENDINGS_3, _ENDINGS_4 = map(_longest_first, (_STEP_2, _STEP_3, _STEP_4))


def porter(word: str) -> str:
    """Porter's stemmer (1980, "An algorithm for suffix stripping") with the program's departures.

    Step 2 has ``bli`` and ``logi``; step 4 is a chain of three links in place of one longest match,
    each tried on what the link before it left, so ``arguments`` gives ``argum``.
    """
    if word.startswith("y"):
        word = "Y" + word[1:]

    # 1a: plurals
    if word.endswith(("sses", "ies")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]

    # 1b: past forms
    if word.endswith("eed"):
        if _measure_above_0(word[:-3]):
            word = word[:-1]
    else:
        ending = _ending(word, ("ing", "ed"))
        if ending and _has_vowel(word[: -len(ending)]):
            word = word[: -len(ending)]
            if word.endswith(("at", "bl", "iz")):
                word += "e"
            elif _ends_double(word):
                word = word[:-1]
            elif _is_short(word):
                word += "e"

    # 1c
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"

    # 2 and 3: a suffix for a shorter one
    for endings, replacement in ((_ENDINGS_2, _STEP_2), (_ENDINGS_3, _STEP_3)):
        ending = _ending(word, endings)
        if ending and _measure_above_0(word[: -len(ending)]):
            word = word[: -len(ending)] + replacement[ending]

    # 4: suffixes fall
    ending = _ending(word, _ENDINGS_4)
    if ending and _measure_above_1(word[: -len(ending)]):
        word = word[: -len(ending)]
    if word.endswith("ment") and _measure_above_1(word[:-4]):
        word = word[:-4]
    if word.endswith("ent"):
        if _measure_above_1(word[:-3]):
            word = word[:-3]
    elif word.endswith(("sion", "tion")) and _measure_above_1(word[:-3]):
        word = word[:-3]

    # 5: a last e, a double l
    if word.endswith("e"):
        rest = word[:-1]
        if _measure_above_1(rest) or (_measure_is_1(rest) and not _is_short(rest)):
            word = rest
    if word.endswith("ll") and _measure_above_1(word):
        word = word[:-1]

    return "y" + word[1:] if word.startswith("Y") else word
