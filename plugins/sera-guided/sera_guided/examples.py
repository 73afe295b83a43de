"""Examples for the guided summarizers: an article and the summary to learn, with the words that matter."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

from sera.errors import InputError
from sera.io.records import Reference, Source
from sera.metrics.rouge_k import RougeK


@dataclass(frozen=True)
class Example:
    """An article and a summary of it.

    sentences:  of the article; summary: empty where one is to be written
    keywords:   the keywords of the topic (ROUGE-K's heuristic), each a tuple of words in lower case
    """

    topic: str
    sentences: tuple[str, ...]
    summary: str = ""
    keywords: tuple[tuple[str, ...], ...] = ()

    @property
    def text(self) -> str:
        """The article."""
        return " ".join(self.sentences)


@dataclass(frozen=True)
class Topics:
    """Articles with their gold summaries, by topic in the order of the articles."""

    sources: tuple[Source, ...]
    references: dict[str, tuple[Reference, ...]]

    @classmethod
    def collect(cls, sources: Iterable[Source], references: Iterable[Reference]) -> Topics:
        """InputError for an article without a sentence, and for one without a gold summary."""
        by_topic: dict[str, list[Reference]] = {}
        for reference in references:
            by_topic.setdefault(reference.topic, []).append(reference)
        kept = tuple(sources)
        for source in kept:
            if source.topic not in by_topic:
                raise InputError(
                    f"topic {source.topic!r} has an article and no gold summary",
                    remedy="Add one, or leave its article out.",
                )
            if not source.sentences:
                raise InputError(f"the article of topic {source.topic!r} has no sentence")
        if not kept:
            raise InputError("there is no article to train on", remedy="Name the file of the articles.")
        return cls(kept, {source.topic: tuple(by_topic[source.topic]) for source in kept})

    def examples(self) -> list[Example]:
        """An example for each gold summary."""
        found = []
        for source in self.sources:
            references = self.references[source.topic]
            keywords = RougeK().keywords(references, source)
            found += [
                Example(source.topic, source.sentences, " ".join(reference.sentences), keywords)
                for reference in references
            ]
        return found

    def articles(self) -> list[Example]:
        """An example for each article, without its summary."""
        return [Example(source.topic, source.sentences) for source in self.sources]


def fingerprint(*parts: object) -> str:
    """A hash over examples and settings; equal if a checkpoint of one fits the other."""
    text = json.dumps(parts, default=lambda one: sorted(vars(one).items()), sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
