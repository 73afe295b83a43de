"""Preparation of texts for ROUGE: from sentences to numbered tokens, as in ROUGE-1.5.5 or rouge-score.

The order is the program's: cut the raw text to the length limit, tokenise, drop stop words, stem. Lin (2004,
section 6) calls the results the CASE, STEM and STOP sets. The paper describes no step but stemming, which it
says is Porter's; all other rules are those of the program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, chain, count
from typing import Literal, NamedTuple

import numpy as np

from sera.resources import lines, stop_words
from sera.text import languages
from sera.text.porter import measure
from sera.text.porter import stem as porter_stem

Tokenizer = Callable[[str], Sequence[str]]

_BLANKS = re.compile(rb"\s+")
# letters and digits of ASCII, in lower case; a blank for every other byte
_KEPT = bytes(byte if chr(byte).isalnum() and byte < 128 else 32 for byte in range(256)).lower()


@dataclass(frozen=True)
class Preparation:
    """The settings of preparation, the same for a candidate and its references.

    ``word_limit`` is the number of blank-separated pieces to keep (``-l``), ``byte_limit`` the number of
    bytes of UTF-8 (``-b``); None keeps the whole text, and at most one of them is given. ``tokenizer`` takes
    a sentence and returns its tokens; None is the program's rule, see `tokenize`.

    ``rouge_score`` selects that package's lower-casing and stemmer, for a text that is one sentence
    (``"text"``) or has a sentence per line (``"lines"``). ``paper`` selects Porter's own stemmer, which Lin
    (2004, section 6) names, and a limit in bytes that is the same for all measures.

    ``language`` other than English replaces the program's rule for words, its stop words and its stemmer by
    those of `sera.text.languages`. The program itself has no such mode.
    """

    stem: bool = False
    stop: bool = False
    word_limit: int | None = None
    byte_limit: int | None = None
    tokenizer: Tokenizer | None = None
    rouge_score: Literal["text", "lines"] | None = None
    paper: bool = False
    language: str = languages.ENGLISH

    def raw_sentences(self, sentences: Sequence[str]) -> tuple[list[Sequence], list[Sequence]]:
        """The raw tokens by sentence: those of the text, and those for ROUGE-L and ROUGE-W.

        Both are the same list, unless the flaw of `cut_bytes_of_each` makes them differ.
        """
        whole: list[Sequence]
        if self.rouge_score is not None:
            text = "\n".join(sentences)
            split = self.tokenizer or tokenize_as_rouge_score
            whole = [
                list(split(part)) for part in (text.split("\n") if self.rouge_score == "lines" else [text])
            ]
            return whole, whole
        raw = [sentence.encode("utf-8", "surrogatepass") for sentence in sentences]
        if self.word_limit is not None:
            raw = cut_words(raw, self.word_limit)
        if self.byte_limit is None:
            whole = [self._raw_tokens(sentence) for sentence in raw]
            return whole, whole
        whole = [self._raw_tokens(sentence) for sentence in cut_bytes(raw, self.byte_limit)]
        if self.paper:
            return whole, whole
        return whole, [self._raw_tokens(sentence) for sentence in cut_bytes_of_each(raw, self.byte_limit)]

    def _raw_tokens(self, sentence: bytes) -> Sequence:
        if self.tokenizer is not None:
            split = self.tokenizer
        elif self.language != languages.ENGLISH:
            split = languages.words
        else:
            return tokenize(sentence)
        return list(split(sentence.decode("utf-8", "ignore")))  # drops a character that was cut

    def form(self, token: str | bytes) -> str | None:
        """The counted form of a token; None if it does not count."""
        if isinstance(token, bytes):
            token = token.decode("ascii")
        english = self.language == languages.ENGLISH
        if self.stop and token in (stop_words() if english else languages.stop_words(self.language)):
            return None
        if not self.stem:
            return token
        if not english:
            return languages.stemmer(self.language)(token)
        if self.paper:
            return porter_stem(token)
        return (stem if self.rouge_score is None else stem_as_rouge_score)(token)


class Prepared(NamedTuple):
    """A prepared text: arrays of token numbers.

    ``tokens`` has the tokens of the whole text, ``sentences`` those of all sentences for ROUGE-L and ROUGE-W.
    The sentences begin at ``starts``, whose last item is their end. ``tokens`` and ``sentences`` are the same
    array, unless the lists of `Preparation.raw_sentences` differ.
    """

    tokens: np.ndarray
    sentences: np.ndarray
    starts: np.ndarray


class Vocabulary(dict):
    """The numbers of raw tokens; a new token gets a number when it is looked up.

    Tokens with the same counted form have the same number, and tokens that do not count have `_DROPPED`.
    """

    __hash__ = object.__hash__  # type: ignore[assignment]
    __eq__ = object.__eq__  # different vocabularies are never equal, nor are texts prepared with them

    def __init__(self, preparation: Preparation) -> None:
        super().__init__()
        self._preparation = preparation
        self._numbers: dict[str, int] = {}
        self._next = count()  # not the size of the dictionary, since two threads could read the same size

    def __missing__(self, token: str | bytes) -> int:
        form = self._preparation.form(token)
        number = _DROPPED if form is None else self._numbers.setdefault(form, next(self._next))
        self[token] = number
        return number

    def prepare(self, sentences: Sequence[str]) -> Prepared:
        """Prepare a text, given by its sentences."""
        whole, by_sentence = self._preparation.raw_sentences(sentences)
        tokens, starts = self._counted(whole)
        if by_sentence is whole:
            return Prepared(tokens, tokens, starts)
        return Prepared(tokens, *self._counted(by_sentence))

    def _counted(self, sentences: Sequence[Sequence]) -> tuple[np.ndarray, np.ndarray]:
        starts = np.array([0, *accumulate(map(len, sentences))], np.int64)
        numbers = map(self.__getitem__, chain.from_iterable(sentences))
        tokens = np.fromiter(numbers, np.int64, count=starts[-1])
        if self._preparation.stop:
            kept = tokens != _DROPPED
            tokens, starts = tokens[kept], np.concatenate([[0], np.cumsum(kept)])[starts]
        return tokens, starts


_DROPPED = -1
_MOST_WORDS = 1 << 18  # above this, a vocabulary is replaced, so that memory stays bounded
_MOST_VOCABULARIES = 16
_vocabularies: dict[Preparation, Vocabulary] = {}


def vocabulary(preparation: Preparation) -> Vocabulary:
    """The vocabulary for texts to compare; a candidate and its references must use the same one."""
    found = _vocabularies.get(preparation)
    if found is None or len(found) > _MOST_WORDS:
        if len(_vocabularies) >= _MOST_VOCABULARIES:
            _vocabularies.clear()
        found = _vocabularies[preparation] = Vocabulary(preparation)
    return found


def tokenize(sentence: bytes) -> list[bytes]:
    """The maximal runs of ASCII letters and digits, in lower case.

    All other bytes separate tokens, letters outside ASCII included: ``naïve`` becomes ``na``, ``ve``. A text
    without ASCII letters and digits has no tokens; use another tokenizer for it.
    """
    return sentence.translate(_KEPT).split()


def tokenize_as_rouge_score(text: str) -> list[bytes]:
    """`tokenize` after lower-casing by Unicode's rules, so the Kelvin sign becomes ``k``."""
    return tokenize(text.lower().encode("ascii", "replace"))


@lru_cache(maxsize=1 << 17)
def stem_as_rouge_score(token: str) -> str:
    """The stem by NLTK's variant of Porter's stemmer; tokens of up to three characters stay."""
    return token if len(token) <= 3 else _nltk_stemmer().stem(token)


@cache
def _nltk_stemmer():
    from nltk.stem.porter import PorterStemmer  # slow to import, and only this dialect needs it

    return PorterStemmer()


def cut_words(sentences: Sequence[bytes], limit: int) -> list[bytes]:
    """The first ``limit`` blank-separated pieces of a text (``-l``), by sentence.

    As in the program, a blank at the start of a sentence gives an empty piece, which counts.
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
    """The first ``limit`` bytes of the sentences (``-b``), without counting what joins them."""
    kept: list[bytes] = []
    total = 0
    for sentence in sentences:
        kept.append(sentence[: limit - total])
        total += len(sentence)
        if total >= limit:
            break
    return kept


def cut_bytes_of_each(sentences: Sequence[bytes], limit: int) -> list[bytes]:
    """The sentences for ROUGE-L and ROUGE-W under ``-b``, with a flaw of the program.

    The program does not update its running total there. So all sentences below the limit are kept whole, and
    the first that reaches the limit is cut to it and is the last.
    """
    kept: list[bytes] = []
    for sentence in sentences:
        kept.append(sentence[:limit])
        if len(sentence) >= limit:
            break
    return kept


@cache
def exceptions() -> dict[str, str]:
    """Irregular forms with their base form, from WordNet 2.0: ``better`` has ``well``."""
    return dict(line.split("\t") for line in lines("wordnet20_exceptions.tsv")[1:])


@lru_cache(maxsize=1 << 17)
def stem(token: str) -> str:
    """The stem of a lower-case token under ``-m``.

    Tokens of up to three characters stay. An irregular form becomes its base form, which is not stemmed; any
    other token is stemmed by `rouge_porter`.
    """
    if len(token) <= 3:
        return token
    return exceptions().get(token) or rouge_porter(token)


def rouge_porter(word: str) -> str:
    """The program's stemmer: Porter's with a different step 4."""
    return porter_stem(word, _chain)


def _chain(word: str) -> str:
    """The program's step 4: three rules in a row instead of one longest match.

    Each rule applies to the result of the one before, so ``arguments`` becomes ``argum``.
    """
    ending = next((ending for ending in _ENDINGS if word.endswith(ending)), "")
    if ending and measure(word[: -len(ending)]) > 1:
        word = word[: -len(ending)]
    if word.endswith("ment") and measure(word[:-4]) > 1:
        word = word[:-4]
    if word.endswith("ent"):
        if measure(word[:-3]) > 1:
            word = word[:-3]
    elif word.endswith(("sion", "tion")) and measure(word[:-3]) > 1:
        word = word[:-3]
    return word


# endings of the first rule, longest first
_ENDINGS = "ement ance ence able ible ant ism ate iti ous ive ize al er ic ou".split()
