"""The languages of texts: the stems, stop words and words that metrics share where no original decides.

For English, each metric has the stemmer, the stop words and the words of the program that it follows, and
asks nothing here. No such program exists for another language. All metrics and summarizers then have the
Snowball stemmer of the language, and metrics the stop words of the Snowball project; summarizers have sumy's.

A word is then a run of letters and digits of any script, in lower case. Text is first brought to Unicode's
form NFC, without format characters (soft hyphens, joiners, marks of direction), so that no letter and no
word falls apart.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from sera.errors import InputError
from sera.extras import extra_for
from sera.resources import word_list
from sera.settings import setting, shown

ENGLISH = "en"


@dataclass(frozen=True)
class Language:
    """A language: its name, which Snowball and sumy use too, and the file of its stop words."""

    name: str
    stop_words: str


LANGUAGES = {
    ENGLISH: Language("english", "nltk_stop_words.txt"),
    "de": Language("german", "german_stop_words.txt"),
}


def language_setting() -> Any:
    """The field ``language`` of a metric that has other languages than English."""
    return setting(ENGLISH, str, "language of the texts", choices=tuple(LANGUAGES))


def sign_language(language: str) -> dict[str, str]:
    """The part of a signature that names the language; empty for English, the default."""
    return {} if language == ENGLISH else {"language": language}


def only_english(what: str, language: object, having: Sequence[str]) -> InputError:
    """The error for what reads English alone and is asked for another language, which ``having`` have."""
    if not isinstance(language, str) or language not in LANGUAGES or language == ENGLISH:
        return InputError(f"{what} has no language {shown(language)}", remedy="Leave it out: it is English.")
    name = LANGUAGES[language].name.capitalize()
    return InputError(f"{what} reads English, not {name}", remedy=f"{name} have {', '.join(having)}.")


def other_language(what: str, its: str, language: str) -> InputError:
    """The error for an index or another resource of the texts' wrong language."""
    have, want = (LANGUAGES[each].name for each in (its, language))
    return InputError(
        f"the {what} is in {have.capitalize()}, and the texts are in {want.capitalize()}",
        remedy=f"Name the language of the texts, or an index built with the analyzer {want}.",
    )


@cache
def stop_words(language: str) -> frozenset[str]:
    """The stop words of a language, lower case: NLTK's for English, Snowball's for German."""
    return word_list(LANGUAGES[language].stop_words)


@cache
def stemmer(language: str) -> Callable[[str], str]:
    """NLTK's Snowball stemmer of a language, from a word in lower case to its stem; it remembers stems."""
    with extra_for(f"the stemmer of {LANGUAGES[language].name.capitalize()}"):
        from nltk.stem.snowball import SnowballStemmer  # slow to import

    stem = SnowballStemmer(LANGUAGES[language].name).stem

    @lru_cache(maxsize=1 << 17)
    def lower_stem(word: str) -> str:
        return stem(word).lower()

    return lower_stem


def compose(text: str) -> str:
    """A text in Unicode's form NFC, without format characters: a letter with its umlaut is one character.

    A zero width space stays, since it ends a word (UAX #29).

    >>> compose("Auf\u200clage"), compose("Bil\u00addung")
    ('Auflage', 'Bildung')
    """
    return text if text.isascii() else unicodedata.normalize("NFC", _format_characters().sub("", text))


@cache
def _format_characters() -> Any:
    import regex  # slow to import

    return regex.compile(r"(?V1)[\p{Cf}--\u200b]")


def words(text: str) -> list[str]:
    """The words of a text in order: runs of letters and digits, in lower case.

    >>> words("Fußball-Übungen, 3. Klasse")
    ['fußball', 'übungen', '3', 'klasse']
    """
    return _WORD.findall(compose(text).lower())


_WORD = re.compile(r"[^\W_]+")
