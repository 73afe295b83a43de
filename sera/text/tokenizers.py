"""Tokenizers by name, for metrics whose words the user chooses."""

from collections.abc import Callable, Sequence

import regex

from sera.text.languages import compose

ASCII, UNICODE, CHARACTERS = "ascii", "unicode", "characters"


def ascii_words(text: str) -> list[str]:
    """Runs of ASCII letters and digits, in lower case: the rule of ROUGE-1.5.5."""
    return [word.lower() for word in _ASCII.findall(text)]


def unicode_words(text: str) -> list[str]:
    """Runs of letters, with their marks, and digits of any script, in lower case, without format characters.

    >>> unicode_words("Клетки растут: पूर्व, naïve")
    ['клетки', 'растут', 'पूर्व', 'naïve']
    """
    return _WORD.findall(compose(text).lower())


def characters(text: str) -> list[str]:
    """As `unicode_words`, but each Chinese or Japanese character is a word of its own.

    >>> characters("細胞の p53")
    ['細', '胞', 'の', 'p53']
    """
    return _CHARACTER.findall(compose(text).lower())


_ASCII = regex.compile("[A-Za-z0-9]+")
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_CJK = r"\p{Han}\p{Hiragana}\p{Katakana}ー"
_CHARACTER = regex.compile(rf"(?V1)[{_CJK}]\p{{M}}*|[[\p{{L}}\p{{M}}\p{{N}}]--[{_CJK}]]+")

TOKENIZERS: dict[str, Callable[[str], Sequence[str]]] = {
    ASCII: ascii_words,
    UNICODE: unicode_words,
    CHARACTERS: characters,
}
