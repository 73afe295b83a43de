"""An article as a document of sumy: its sentences, as the benchmark split them, and their words.

sumy's own tokenizer downloads its models at run time. Here a word is a run of letters and digits with at
least one letter; it may contain hyphens and apostrophes ("miR-372", "p53", "don't"). Numbers are therefore
not words. Text is first converted to Unicode's form NFKC, so ligatures, superscripts and variants of hyphens
and apostrophes become the same characters. Stop words are sumy's (580 in English, 129 in German), and so is
the stemmer, NLTK's Snowball stemmer of the language.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import NoReturn

from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence
from sumy.summarizers._summarizer import AbstractSummarizer
from sumy.utils import get_stop_words

from sera.errors import InputError
from sera.io.records import Citance, Reference, Section, Source
from sera.text.languages import ENGLISH, LANGUAGES, stemmer

_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_LETTER = re.compile(r"[^\W\d_]")
_SAME_SIGN = str.maketrans({"\u2010": "-", "\u2019": "'", "\u02bc": "'", "\u00ad": None})


@dataclass(frozen=True)
class Terms:
    """What a language does to words: its stop words, lower case, and the stem of a word in lower case."""

    stop_words: frozenset[str]
    stem: Callable[[str], str]

    def stems(self, sentence: Sentence) -> list[str]:
        """The stems of a sentence's words in order, without stop words."""
        words = (AbstractSummarizer.normalize_word(word) for word in sentence.words)
        return [self.stem(word) for word in words if word not in self.stop_words]


@cache
def terms(language: str = ENGLISH) -> Terms:
    """The terms of a language of `sera.text.languages`."""
    return Terms(get_stop_words(LANGUAGES[language].name), stemmer(language))


class SumyTokenizer:
    """A tokenizer with the method that a sentence of sumy calls."""

    def to_words(self, text: str) -> tuple[str, ...]:
        if not text.isascii():
            text = unicodedata.normalize("NFKC", text).translate(_SAME_SIGN)
        return tuple(word for word in _WORD.findall(text) if _LETTER.search(word))


TOKENIZER = SumyTokenizer()


def sentence(text: str) -> Sentence:
    """A text as a sentence object of sumy."""
    return Sentence(text, TOKENIZER)


class Article(ObjectDocumentModel):
    """A source as a document of sumy: a paragraph for each section, without titles and blank sentences.

    ``sections`` are those of the source without the blank sentences.
    """

    def __init__(
        self, source: Source, citances: Iterable[Citance] = (), references: Iterable[Reference] = ()
    ) -> None:
        self.topic = source.topic
        self.sections = tuple(
            Section(section.title, tuple(text for text in section.sentences if text.strip()))
            for section in source.sections
        )
        super().__init__(Paragraph(map(sentence, section.sentences)) for section in self.sections)
        self._citances = tuple(citance for citance in citances if citance.text.strip())
        self._references = tuple(references)

    @property
    def citances(self) -> tuple[Citance, ...]:
        """The passages that cite the article; raises InputError if there is none."""
        return self._citances or self._lacking("citances")

    @property
    def references(self) -> tuple[Reference, ...]:
        """The gold summaries, for a system that needs them; raises InputError if there is none."""
        return self._references or self._lacking("references")

    def _lacking(self, what: str) -> NoReturn:
        problem = f"topic {self.topic!r} has no {what}, and the summarizer needs them"
        raise InputError(problem, remedy=f"Give its {what}, or leave the system out.")


_YEAR = r"(?:19|20)\d\d[a-z]?"
_NUMBERS = r"\d{1,3}(?:\s*[,;\u2013-]\s*\d{1,3})*"
_NAME = r"[^\W\d_a-z][\w'\u2019-]{1,100}"  # bounded, since it is tried from each hyphen
# Each part matches at its first place and at no other, so time stays linear whatever the bracket holds.
_WITH_NAME_AND_YEAR = (
    r"[(\[](?=[^()\[\]]*+[)\]])(?>[^()\[\]]*?[^\W\d_a-z][\w'\u2019-])"
    rf"(?>[^()\[\]]*?\b{_YEAR}\b)[^()\[\]]*+[)\]]"
)
_MARKERS = re.compile(
    rf"\[\s*{_NUMBERS}\s*\]"  # [53], [3, 4-7]
    rf"|\(\s*{_NUMBERS}\s*\)"  # (39), (38, 39)
    rf"|{_WITH_NAME_AND_YEAR}"  # (Voorhoeve et al., 2006; Li 2010)
    rf"|\b{_NAME}\s+et\s+al\b\.?,?(?:\s*\(\s*{_YEAR}\s*\))?"  # Voorhoeve et al. (2006)
    rf"|\b{_NAME}(?:\s+(?:and|&)\s+{_NAME})?\s*\(\s*{_YEAR}\s*\)"  # Smith and Jones (2006)
)


def remove_markers(text: str) -> str:
    """A citing text without its citation markers: numbers in brackets, and names with years.

    Superscripts that became plain digits ("cells1,2") look like names of genes, so they stay.
    """
    return " ".join(_MARKERS.sub(" ", text).split())
