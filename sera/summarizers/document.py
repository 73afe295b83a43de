"""sumy's view of an article: its sentences as the benchmark split them, and how they become words.

sumy's own tokenizer needs models that are downloaded at run time. Here a word is a run of letters
and digits with hyphens or apostrophes inside ("miR-372", "p53", "don't") that has at least one letter, so
numbers are not words. Text is brought to Unicode's compatible composed form (NFKC) first: ligatures,
superscripts and the several hyphens and apostrophes then read alike. Stop words (580, English) and the
Snowball stemmer are those that come with sumy.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable

from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence
from sumy.nlp.stemmers import Stemmer
from sumy.summarizers._summarizer import AbstractSummarizer
from sumy.utils import get_stop_words

from sera.errors import InputError
from sera.records import Citance, Reference, Section, Source
from sera.text.sentences import sentences

STOP_WORDS: frozenset[str] = get_stop_words("english")

_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_LETTER = re.compile(r"[^\W\d_]")
_SAME_SIGN = str.maketrans({"\u2010": "-", "\u2019": "'", "\u02bc": "'", "\u00ad": None})
_stemmer = Stemmer("english")


@functools.lru_cache(maxsize=1 << 17)
def stem(word: str) -> str:
    """The Snowball stem of a lower-case word; kept, because the words of articles recur."""
    return _stemmer(word)


class Tokenizer:
    """The two methods that sumy asks of a tokenizer."""

    def to_sentences(self, text: str) -> tuple[str, ...]:
        return tuple(sentences(text))

    def to_words(self, text: str) -> tuple[str, ...]:
        if not text.isascii():
            text = unicodedata.normalize("NFKC", text).translate(_SAME_SIGN)
        return tuple(word for word in _WORD.findall(text) if _LETTER.search(word))


TOKENIZER = Tokenizer()


def sentence(text: str) -> Sentence:
    """One sentence of sumy's, which knows its words."""
    return Sentence(text, TOKENIZER)


def stems(sentence: Sentence) -> list[str]:
    """The stems of a sentence's words that are not stop words, in order."""
    words = (AbstractSummarizer.normalize_word(word) for word in sentence.words)
    return [stem(word) for word in words if word not in STOP_WORDS]


class Article(ObjectDocumentModel):
    """sumy's document made of a source: a paragraph for each section, without the titles.

    Blank sentences are left out. ``sections`` are the source's, with the sentences that are kept.
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
        """The passages that cite the article; InputError if there is none."""
        if not self._citances:
            raise InputError(
                f"topic {self.topic!r} has no citances, and the summarizer needs them",
                remedy="Give its citances, or leave out the systems citation_lexrank and citation_context.",
            )
        return self._citances

    @property
    def references(self) -> tuple[Reference, ...]:
        """The gold summaries, for a system that needs them; InputError if there is none."""
        if not self._references:
            raise InputError(
                f"topic {self.topic!r} has no references, and the summarizer needs them",
                remedy="Give its references, or leave the system out.",
            )
        return self._references


_YEAR = r"(?:19|20)\d\d[a-z]?"
_NUMBERS = r"\d{1,3}(?:\s*[,;\u2013-]\s*\d{1,3})*"
_NAME = r"[^\W\d_a-z][\w'\u2019-]{1,100}"  # bounded: it is tried from each of its hyphens
# Each part is taken where it first is and never elsewhere: time stays linear whatever is in the bracket.
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


def without_markers(text: str) -> str:
    """A citing text without its citation markers: bracketed numbers, and names with years.

    Superscript numbers that lost their form ("cells1,2") cannot be told from names of genes and stay.
    """
    return " ".join(_MARKERS.sub(" ", text).split())
