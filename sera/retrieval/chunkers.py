"""The noun phrases of a sentence, as TextBlob or a model of spaCy finds them.

TextBlob (its copy of Pattern) tags the words, and a pattern over the tags finds noun phrases first. The
patterns of other phrases come later and change none of them, so they are left out here, for speed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sera.errors import InputError
from sera.text.spacy_models import spacy_model

TEXTBLOB = "textblob"

_CONJUNCTIONS = ("CC", "CJ", "KON", "Conj(neven)")
"""Tags that do not begin a phrase."""


def textblob_chunks(sentence: str) -> Iterator[str]:
    """The words inside noun phrases, one by one, as ``textblob.en.parse`` marks them (B-NP or I-NP)."""
    from textblob.en import parser  # slow to import

    # each contraction is looked for by itself, and each has an apostrophe
    contractions: dict[str, dict] = {} if "'" in sentence else {"replace": {}}
    for tokens in parser.find_tokens(sentence, **contractions):
        tagged = parser.find_tags(tokens.split(" "))
        for (word, _), inside in zip(tagged, _noun_phrases([tag for _, tag in tagged])):
            if inside:
                yield word.replace("&slash;", "/")  # as TextBlob's tagged text is read


def _noun_phrases(tags: list[str]) -> list[str]:
    """B or I for a tag that begins a noun phrase or is inside one; empty outside."""
    from textblob._text import CHUNKS, SEPARATOR

    marks = [""] * len(tags)
    ((_, rule), *_), *_ = CHUNKS  # of English
    text = "".join(f"{tag}{SEPARATOR}" for tag in tags)
    counted = at = 0  # the separators before the place `at`
    for found in rule.finditer(text):
        counted, at = counted + text.count(SEPARATOR, at, found.start()), found.start()
        begin = counted
        for place in range(counted, counted + found[0].count(SEPARATOR)):
            if place == begin and tags[place] in _CONJUNCTIONS:
                begin += 1
            else:
                marks[place] = "B" if place == begin else "I"
    for place, tag in enumerate(tags[:-1]):
        if tag.startswith("RB") and marks[place] == "B" and not tags[place + 1].startswith("JJ"):
            marks[place], marks[place + 1] = "", "B"  # "Perhaps" and "you" are not a phrase
    return marks


def spacy_chunks(sentences: Iterable[str], model: str, language: str) -> Iterator[str]:
    """The noun chunks of spaCy: noun phrases that contain no other."""
    for document in spacy_model(model, language, "noun phrases", TEXTBLOB).pipe(sentences):
        try:
            yield from (chunk.text for chunk in document.noun_chunks)
        except (NotImplementedError, ValueError) as error:  # no noun chunks in the language; no parser
            raise InputError(
                f"the model {model} of spaCy finds no noun phrases: {error}",
                remedy=f"Name another model, or choose {TEXTBLOB}.",
            ) from None
