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

from sera.porter import measure
from sera.porter import stem as porter_stem
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
