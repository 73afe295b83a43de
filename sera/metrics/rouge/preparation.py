"""Preparation of texts for ROUGE: from sentences to numbered tokens, as in ROUGE-1.5.5 or rouge-score.

The order is the program's: cut the raw text to the length limit, tokenise, drop stop words, stem. Lin (2004,
section 6) calls the results the CASE, STEM and STOP sets. The paper describes no step but stemming, which it
says is Porter's; all other rules are those of the program.
"""

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import count, islice
from typing import Literal

import numpy as np

from sera.extras import extra_for
from sera.metrics.rouge.tokens import GAP, Tokens, WordTable, hash_words
from sera.resources import lines, stop_words
from sera.text import languages
from sera.text.porter import measure
from sera.text.porter import stem as porter_stem

Tokenizer = Callable[[str], Sequence[str]]

_BLANKS = re.compile(rb"\s+")


@dataclass(frozen=True)
class Preparation:
    """The settings of preparation, the same for a candidate and its references.

    ``word_limit`` is the number of blank-separated pieces to keep (``-l``), or of tokens of the ``tokenizer``
    if there is one; ``byte_limit`` is the number of bytes of UTF-8 (``-b``). None keeps the whole text, and
    at most one of them is given. ``tokenizer`` takes a sentence and returns its tokens; None is the program's
    rule, see `tokenize`.

    ``rouge_score`` selects that package's lower-casing and stemmer, for a text that is one sentence
    (``"text"``) or has a sentence per line (``"lines"``). ``paper`` selects Porter's own stemmer, which Lin
    (2004, section 6) names, and a limit in bytes that is the same for all measures.

    ``language`` other than English replaces the program's rule for words, its stop words and its stemmer by
    those of `sera.text.languages`. The program itself has no such mode. ``stop_words`` replace those lists.
    """

    stem: bool = False
    stop: bool = False
    word_limit: int | None = None
    byte_limit: int | None = None
    tokenizer: Tokenizer | None = None
    rouge_score: Literal["text", "lines"] | None = None
    paper: bool = False
    language: str = languages.ENGLISH
    stop_words: frozenset[str] | None = None

    @property
    def splits(self) -> Tokenizer | None:
        """The function that splits a sentence into tokens; None for the program's rule."""
        if self.tokenizer is None and self.language != languages.ENGLISH:
            return languages.words
        return self.tokenizer

    @property
    def is_whole(self) -> bool:
        """Whether the sentences are split by the program's rule as they are."""
        limits = (self.word_limit, self.byte_limit, self.rouge_score, self.splits)
        return all(limit is None for limit in limits)

    @property
    def keeps_words(self) -> bool:
        """Whether the words of the program's rule count as they are."""
        return self.is_whole and not self.stem and not self.stop

    def cut(self, sentences: Sequence[str]) -> tuple[Sequence[str | bytes], Sequence[str | bytes]]:
        """The sentences within the limit: those of the text, and those for ROUGE-L and ROUGE-W.

        Both are the same list, unless the flaw of `cut_bytes` makes them differ.
        """
        if self.rouge_score is not None:
            text = "\n".join(sentences)
            if self.tokenizer is None:
                text = text.lower()  # by Unicode's rules, so the Kelvin sign becomes k
            whole: Sequence[str | bytes] = [text]
            if self.rouge_score == "lines":
                whole = list(filter(None, text.split("\n")))  # no tokenizer sees an empty line
            return whole, whole
        if self.is_whole:
            return sentences, sentences
        raw = [sentence.encode("utf-8", "surrogatepass") for sentence in sentences]
        if self.word_limit is not None and self.tokenizer is None:
            raw = cut_words(raw, self.word_limit)
        if self.byte_limit is None:
            return raw, raw
        whole = cut_bytes(raw, self.byte_limit)
        return whole, whole if self.paper else cut_bytes(raw, self.byte_limit, each=True)

    def form(self, token: str) -> str | None:
        """The counted form of a token; None if it does not count."""
        english = self.language == languages.ENGLISH
        listed = stop_words() if english else languages.stop_words(self.language)
        if self.stop and token in (listed if self.stop_words is None else self.stop_words):
            return None
        if not self.stem:
            return token
        if not english:
            return languages.stemmer(self.language)(token)
        if self.paper:
            return porter_stem(token)
        return (stem if self.rouge_score is None else stem_as_rouge_score)(token)


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
        self._table = WordTable(self.__getitem__)
        self._next = count()  # not the size of the dictionary, since two threads could read the same size

    def __missing__(self, token: str) -> int:
        form = self._preparation.form(token)
        number = _DROPPED if form is None else self._numbers.setdefault(form, next(self._next))
        self[token] = number
        return number

    def prepare(self, texts: Sequence[Sequence[str]]) -> tuple[Tokens, Tokens]:
        """The tokens of texts, each given by its sentences, and the tokens for ROUGE-L and ROUGE-W.

        Both are the same object, unless the lists of `Preparation.cut` differ.
        """
        if self._preparation.keeps_words:
            tokens, *_ = hash_words(texts)
            return tokens, tokens
        cut = [self._preparation.cut(sentences) for sentences in texts]
        tokens = self._counted([sentences for sentences, _ in cut])
        if all(one is other for one, other in cut):
            return tokens, tokens
        return tokens, self._counted([sentences for _, sentences in cut])

    def _counted(self, texts: Sequence[Sequence]) -> Tokens:
        splits = self._preparation.splits
        found = self._table.tokens(texts) if splits is None else self._split(texts, splits)
        return found.without(_DROPPED) if self._preparation.stop else found

    def _split(self, texts: Sequence[Sequence[str | bytes]], splits: Tokenizer) -> Tokens:
        numbers: list[int] = []
        bounds, starts, firsts = [0], [], [0]
        limit = (self._preparation.tokenizer and self._preparation.word_limit) or sys.maxsize
        for text in texts:
            starts.append(0)
            left = limit
            for each in text:
                # "ignore" drops a character that was cut
                tokens = splits(each if isinstance(each, str) else each.decode("utf-8", "ignore"))
                before = len(numbers)
                numbers += map(self.__getitem__, islice(tokens, left))
                starts.append(len(numbers) - bounds[-1])
                left -= len(numbers) - before
                if not left:
                    break
            numbers.append(GAP)
            bounds.append(len(numbers))
            firsts.append(len(starts))
        return Tokens(*(np.array(each, np.int64) for each in (numbers, bounds, starts, firsts)))


_DROPPED = -1
_MOST_WORDS = 1 << 18  # above this, a vocabulary is replaced, so that memory stays bounded
_MOST_VOCABULARIES = 16
_vocabularies: dict[Preparation, Vocabulary] = {}


def vocabulary(preparation: Preparation) -> Vocabulary:
    """The vocabulary for texts to compare; a candidate and its references must use the same one."""
    found = _vocabularies.get(preparation)
    if found is None or max(len(found), len(found._table)) > _MOST_WORDS:
        if len(_vocabularies) >= _MOST_VOCABULARIES:
            _vocabularies.clear()
        found = _vocabularies[preparation] = Vocabulary(preparation)
    return found


@lru_cache(maxsize=1 << 17)
def stem_as_rouge_score(token: str) -> str:
    """The stem by NLTK's variant of Porter's stemmer; tokens of up to three characters stay."""
    return token if len(token) <= 3 else _nltk_stemmer().stem(token)


@cache
def _nltk_stemmer():
    with extra_for("ROUGE with dialect=rouge-score"):
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


def cut_bytes(sentences: Sequence[bytes], limit: int, *, each: bool = False) -> list[bytes]:
    """The first ``limit`` bytes of the sentences (``-b``), without counting what joins them.

    ``each`` gives the sentences for ROUGE-L and ROUGE-W, with a flaw of the program: it does not update its
    running total there. So all sentences below the limit are kept whole, and the first that reaches the limit
    is cut to it and is the last.
    """
    kept: list[bytes] = []
    total = 0
    for sentence in sentences:
        kept.append(sentence[: limit - total])
        if total + len(sentence) >= limit:
            break
        total += 0 if each else len(sentence)
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
