"""German stems as Lucene's GermanAnalyzer makes them, which is also Elasticsearch's analyzer ``german``.

`normalize` brings the spellings of a word together, by the rules of the Snowball project's stemmer German2
(snowballstem.org/algorithms/german2/stemmer.html). `stem` then takes off endings: the light stemmer of
Jacques Savoy (2006), "Light Stemming Approaches for the French, Portuguese, German and Hungarian Languages",
Proceedings of the ACM Symposium on Applied Computing. Metrics and summarizers have another stemmer,
Snowball's (`sera.text.languages`).
"""

from __future__ import annotations

_MARKED = str.maketrans("äàáâöòóôïìíîüùúû", "aaaaooooiiiiuuuu")
_BEFORE_S = frozenset("bdfghklmnt")
"""Letters before which an ending ``s``, and before which an ending ``st``, may be taken off."""

_UMLAUTS = {"ä": "a", "ö": "o", "ü": "u"}


def normalize(word: str) -> str:
    """A word in lower case without umlauts and ``ß``: ``ä`` and ``ae`` are ``a``, ``ß`` is ``ss``.

    In ``ue``, the ``e`` stays after a vowel or ``q``.

    >>> [normalize(word) for word in ("größe", "groesse", "bauen", "quelle", "fuer")]
    ['grosse', 'grosse', 'bauen', 'quelle', 'fur']
    """
    if word.isascii() and "ae" not in word and "oe" not in word and "ue" not in word:  # for speed
        return word
    letters: list[str] = []
    umlaut = vowel = False  # what the letter before was: one that an e makes an umlaut, or another vowel or q
    for letter in word:
        if letter == "e" and umlaut:
            umlaut, vowel = False, True
            continue
        letters.append("ss" if letter == "ß" else _UMLAUTS.get(letter, letter))
        umlaut, vowel = (
            letter in "ao" or (letter == "u" and not umlaut and not vowel),
            letter in "eiqyäöü" or (letter == "u" and (umlaut or vowel)),
        )
    return "".join(letters)


def stem(word: str) -> str:
    """The light stem of a word in lower case: at most two endings are taken off.

    >>> [stem(word) for word in ("hauser", "kindern", "schonsten", "autos")]
    ['haus', 'kind', 'schon', 'autos']
    """
    return _second(_first(word.translate(_MARKED)))


def _length(word: str) -> int:
    """The length in UTF-16 units, as in Java."""
    return len(word) if word.isascii() else len(word.encode("utf-16-le", "surrogatepass")) // 2


def _first(word: str) -> str:
    """Without an ending of cases and plurals."""
    length = _length(word)
    if length > 5 and word.endswith("ern"):
        return word[:-3]
    if length > 4 and word.endswith(("em", "en", "er", "es")):
        return word[:-2]
    if length > 3 and word.endswith("e"):
        return word[:-1]
    if length > 3 and word.endswith("s") and word[-2] in _BEFORE_S:
        return word[:-1]
    return word


def _second(word: str) -> str:
    """Without an ending of comparison or derivation."""
    length = _length(word)
    if length > 5 and word.endswith("est"):
        return word[:-3]
    if length > 4 and word.endswith(("er", "en")):
        return word[:-2]
    if length > 4 and word.endswith("st") and word[-3] in _BEFORE_S:
        return word[:-2]
    return word
