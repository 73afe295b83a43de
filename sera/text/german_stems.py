"""German stems as Lucene's GermanAnalyzer makes them, which is also Elasticsearch's analyzer ``german``.

`normalize` brings the spellings of a word together, by the rules of the Snowball project's stemmer German2
(snowballstem.org/algorithms/german2/stemmer.html). `stem` then takes off endings: the light stemmer of
Jacques Savoy (2006), "Light Stemming Approaches for the French, Portuguese, German and Hungarian Languages",
Proceedings of the ACM Symposium on Applied Computing. Metrics and summarizers have another stemmer,
Snowball's (`sera.text.languages`).
"""

import re

_MARKED = str.maketrans("äàáâöòóôïìíîüùúû", "aaaaooooiiiiuuuu")
_BEFORE_S = "bdfghklmnt"  # letters before which an ending s, and before which an ending st, may be taken off
# Rules for cases and plurals, then for comparison and derivation; the first one that fits takes letters off:
# a word of more letters than the first number, with one of the endings, loses as many as the last number.
_RULES = (
    (
        (5, ("ern",), 3),
        (4, ("em", "en", "er", "es"), 2),
        (3, ("e", *(f"{letter}s" for letter in _BEFORE_S)), 1),
    ),
    ((5, ("est",), 3), (4, ("er", "en", *(f"{letter}st" for letter in _BEFORE_S)), 2)),
)
_DIGRAPH = re.compile("[ao]e|(?<![aeiouqyäöü])ue")
_PLAIN = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "ß": "ss"})


def normalize(word: str) -> str:
    """A word in lower case without umlauts and ``ß``: ``ä`` and ``ae`` are ``a``, ``ß`` is ``ss``.

    In ``ue``, the ``e`` stays after a vowel or ``q``.

    >>> [normalize(word) for word in ("größe", "groesse", "bauen", "quelle", "fuer")]
    ['grosse', 'grosse', 'bauen', 'quelle', 'fur']
    """
    return _DIGRAPH.sub(lambda found: found[0][0], word).translate(_PLAIN)


def stem(word: str) -> str:
    """The light stem of a word in lower case: at most two endings are taken off.

    >>> [stem(word) for word in ("hauser", "kindern", "schonsten", "autos")]
    ['haus', 'kind', 'schon', 'autos']
    """
    word = word.translate(_MARKED)
    for rules in _RULES:
        length = len(word.encode("utf-16-le", "surrogatepass")) // 2  # in UTF-16 units, as in Java
        fits = (size for least, endings, size in rules if length > least and word.endswith(endings))
        word = word[: len(word) - next(fits, 0)]
    return word
