"""From sentences to the numbered tokens that ROUGE counts, as ROUGE-1.5.5 or rouge-score makes them.

The order is the program's: cut to the length limit on the raw text, tokenise, drop stop words, stem.
Lin (2004, section 6) calls the results the CASE, STEM and STOP sets; the paper does not describe the
steps, so all rules here are those of the program.
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
from sera.text.porter import measure
from sera.text.porter import stem as porter_stem

Tokenizer = Callable[[str], Sequence[str]]

_BLANKS = re.compile(rb"\s+")
# letters and digits of ASCII, in lower case; a blank for every other byte
_KEPT = bytes(byte if chr(byte).isalnum() and byte < 128 else 32 for byte in range(256)).lower()


@dataclass(frozen=True)
class Preparation:
    """How a text is made ready; equal for a candidate and its references.

    ``word_limit`` cuts to so many blank-separated pieces (``-l``), ``byte_limit`` to so many bytes of
    UTF-8 (``-b``); None leaves the text whole, and at most one of the two is given. ``tokenizer`` takes
    a sentence and gives its tokens; None is the program's rule, see `tokenize`.

    ``rouge_score`` is for that package's way: its lower-casing and stemmer, and a text that is one sentence
    (``"text"``), or has one a line (``"lines"``).
    """

    stem: bool = True
    stop: bool = True
    word_limit: int | None = None
    byte_limit: int | None = None
    tokenizer: Tokenizer | None = None
    rouge_score: Literal["text", "lines"] | None = None

    def raw_sentences(self, sentences: Sequence[str]) -> tuple[list[Sequence], list[Sequence]]:
        """The tokens as they stand, by sentence: those of the text, and those that ROUGE-L and -W see.

        The two are one list but where the flaw of `cut_bytes_of_each` parts them.
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
        return whole, [self._raw_tokens(sentence) for sentence in cut_bytes_of_each(raw, self.byte_limit)]

    def _raw_tokens(self, sentence: bytes) -> Sequence:
        if self.tokenizer is None:
            return tokenize(sentence)
        return list(self.tokenizer(sentence.decode("utf-8", "ignore")))  # without a character cut in two

    def form(self, token: str | bytes) -> str | None:
        """What a token is counted as; None if it is not counted."""
        if isinstance(token, bytes):
            token = token.decode("ascii")
        if self.stop and token in stop_words():
            return None
        if not self.stem:
            return token
        return (stem if self.rouge_score is None else stem_as_rouge_score)(token)


class Prepared(NamedTuple):
    """A text as ROUGE counts it: arrays of its tokens' numbers.

    ``tokens`` are those of the whole text, ``sentences`` those of all sentences for ROUGE-L and ROUGE-W,
    which begin at ``starts``; the last start is their end. ``tokens`` and ``sentences`` are one array but
    where `Preparation.raw_sentences` tells of two.
    """

    tokens: np.ndarray
    sentences: np.ndarray
    starts: np.ndarray


class Vocabulary(dict):
    """Numbers of what tokens are counted as, by the tokens as they stand; a new token gets its number here.

    Tokens with the same form have the same number, and those that do not count have `_DROPPED`.
    """

    __hash__ = object.__hash__  # type: ignore[assignment]
    __eq__ = object.__eq__  # two are never the same, so what is prepared is not

    def __init__(self, preparation: Preparation) -> None:
        super().__init__()
        self._preparation = preparation
        self._numbers: dict[str, int] = {}
        self._next = count()  # not the size of the dictionary, which two threads might read at once

    def __missing__(self, token: str | bytes) -> int:
        form = self._preparation.form(token)
        number = _DROPPED if form is None else self._numbers.setdefault(form, next(self._next))
        self[token] = number
        return number

    def prepare(self, sentences: Sequence[str]) -> Prepared:
        """One text, given by its sentences."""
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
_MOST_WORDS = 1 << 18  # after which a vocabulary begins anew: memory stays bounded for any number of texts
_MOST_VOCABULARIES = 16
_vocabularies: dict[Preparation, Vocabulary] = {}


def vocabulary(preparation: Preparation) -> Vocabulary:
    """The vocabulary for texts that are compared: to be asked for once for a candidate and its references."""
    found = _vocabularies.get(preparation)
    if found is None or len(found) > _MOST_WORDS:
        if len(_vocabularies) >= _MOST_VOCABULARIES:
            _vocabularies.clear()
        found = _vocabularies[preparation] = Vocabulary(preparation)
    return found


def tokenize(sentence: bytes) -> list[bytes]:
    """The maximal runs of ASCII letters and digits, lower-cased.

    Every other byte separates, so each letter outside ASCII does: ``naïve`` is ``na``, ``ve``.
    A text without ASCII letters and digits has no tokens; give a tokenizer of one's own for it.
    """
    return sentence.translate(_KEPT).split()


def tokenize_as_rouge_score(text: str) -> list[bytes]:
    """`tokenize`, but lower-cased by Unicode's rules before: the Kelvin sign is a ``k``."""
    return tokenize(text.lower().encode("ascii", "replace"))


@lru_cache(maxsize=1 << 17)
def stem_as_rouge_score(token: str) -> str:
    """The stem by NLTK's variant of Porter's stemmer, without exceptions; up to three characters stay."""
    return token if len(token) <= 3 else _nltk_stemmer().stem(token)


@cache
def _nltk_stemmer():
    from nltk.stem.porter import PorterStemmer  # slow to import, and only this dialect needs it

    return PorterStemmer()


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


def porter(word: str) -> str:
    """The program's stemmer: Porter's, with a step 4 of its own."""
    return porter_stem(word, _chain)


def _chain(word: str) -> str:
    """Three links in place of one longest match, each tried on what the link before it left.

    So ``arguments`` gives ``argum``.
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


# the first link's, longest first
_ENDINGS = "ement ance ence able ible ant ism ate iti ous ive ize al er ic ou".split()
