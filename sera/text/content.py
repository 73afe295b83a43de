"""Content words by language: what a text is about, for queries, Pyramid, ROUGE-K and MOULIN ROUGE.

Words are those of the analyzer ``standard`` in lower case, for any language. English has the stop words of
the SMART system and Porter's stemmer; another language has those of `sera.text.languages`, and its texts are
composed first.
"""

from collections.abc import Callable

from sera import resources
from sera.text import languages
from sera.text.analysis import analyzer
from sera.text.languages import ENGLISH
from sera.text.porter import stem as porter

_words = analyzer("standard").words


def words(text: str, language: str = ENGLISH) -> list[str]:
    """The words of a text in order, with stop words."""
    return _words(text if language == ENGLISH else languages.compose(text))


def stop_words(language: str = ENGLISH) -> frozenset[str]:
    """The stop words of a language, lower case: SMART's for English, Snowball's for German."""
    return resources.stop_words() if language == ENGLISH else languages.stop_words(language)


def stemmer(language: str = ENGLISH) -> Callable[[str], str]:
    """The stemmer of a language, from a word in lower case to its stem: Porter's, Snowball's for German."""
    return porter if language == ENGLISH else languages.stemmer(language)


def stems(text: str, language: str = ENGLISH) -> list[str]:
    """The stems of a text's words without stop words, in order.

    >>> stems("The cells divide"), stems("Die Häuser der Ärzte", "de")
    (['cell', 'divid'], ['haus', 'arzt'])
    """
    stop, stem = stop_words(language), stemmer(language)
    return [stem(word) for word in words(text, language) if word not in stop]
