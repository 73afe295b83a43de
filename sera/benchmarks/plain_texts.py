"""Topics from texts that are not cut into sentences, as most releases of judged summaries have them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from sera.benchmarks import Topic, as_document
from sera.records import (
    Candidate,
    Document,
    GivenScore,
    Judgement,
    Preference,
    Reference,
    Section,
    Source,
)
from sera.text import sentences as boundaries

_MARKS = re.compile(r"</?s>|<pad>|<unk>|<n>")
_FULL_STOPS = re.compile(r"(?<=\s[.!?])\s")
# In a text without capitals: a full stop after a word of three or more characters that is no abbreviation.
_LOWER_CASE_ENDS = re.compile(r"(?<=[^\W_][^\s.]{2}[.!?])(?<!\bfigs\.)(?<!\brefs\.)(?<!\bresp\.)\s")


def sentences(of: str) -> tuple[str, ...]:
    """The sentences of a text, tokenised or not; a model's marks (``<s>``, ``<pad>``, ``<n>``) are left out.

    A full stop that is a token ends a sentence, since in tokenised text a sentence often begins in lower
    case; in a text without capitals one after a word of three or more characters does too.
    `sera.text.sentences` finds the other ends.
    """
    text = _MARKS.sub(" ", of)
    parts = _FULL_STOPS.split(text)
    if text == text.lower():
        parts = [piece for part in parts for piece in _LOWER_CASE_ENDS.split(part)]
    return tuple(sentence for part in parts for sentence in boundaries.sentences(part))


def topic(
    name: str,
    articles: Iterable[str],
    references: Mapping[str, str],
    summaries: Mapping[str, str],
    *,
    judgements: Iterable[Judgement] = (),
    preferences: Iterable[Preference] = (),
    given: Iterable[GivenScore] = (),
) -> Topic:
    """A topic of judged summaries: its articles, or parts of one, are the sections of one source.

    ``references`` has the text of each annotator, ``summaries`` that of each system. Where a release has no
    article, the source is empty, and the references stand in for it among the documents to search.
    """
    sections = tuple(Section("", cut) for article in articles if (cut := sentences(article)))
    source = Source(name, name, "", sections)
    gold = tuple(Reference(name, annotator, sentences(of)) for annotator, of in references.items())
    documents = [as_document(source)] if sections else [_stand_in(name, gold)]
    return Topic(
        id=name,
        source=source,
        references=gold,
        documents=documents,
        candidates=tuple(Candidate(name, system, sentences(of)) for system, of in summaries.items()),
        judgements=tuple(judgements),
        preferences=tuple(preferences),
        given=tuple(given),
    )


def _stand_in(name: str, references: Iterable[Reference]) -> Document:
    return Document(id=name, text=" ".join(sentence for each in references for sentence in each.sentences))
