"""Candidates of the demo benchmark with known true scores, reworded by a growing degree.

The *drift* is the probability that a mention in a candidate is reworded: a clause that states a fact becomes
another clause of the same relation, the name of a concept another name of the same concept, all others with
the same probability. Gold summaries, article and collection do not change. A reworded candidate states the
same facts as the original one, so its true score is the same.

A greater drift makes all changes of a smaller one and more, since the random numbers do not depend on it.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from sera.io.records import Candidate, Judgement, Source
from study.demo.truth import TrueFact, Truth, facts_in, true_pyramid
from study.demo.world import Dice, relations

DRIFT_LEVELS = 11
"""The number of graded candidates per topic."""

TRUE = {"True-Pyramid": "candidate", "True-Pyramid-Modified": "references"}
"""The true scores by name, each with its ``size`` (see `study.demo.truth.true_pyramid`)."""


def graded(truth: Truth, source: Source, words: int, *, seed: int) -> list[Candidate]:
    """Extracts of an article from the worst, ``graded_00``, to the best, each of at most ``words`` words.

    Level k states a random share k / (`DRIFT_LEVELS` - 1) of the facts that several gold summaries state, as
    far as there is room for sentences that state no others of these facts. Sentences that state none of them
    fill the rest. Sentences are in the article's order.
    """
    heavy = [fact.id for fact in truth.facts if fact.weight > 1]
    sentences = list(dict.fromkeys(source.sentences))
    stated = [set(facts_in([sentence], truth)).intersection(heavy) for sentence in sentences]
    made = []
    for level in range(DRIFT_LEVELS):
        dice = Dice(seed, truth.topic, "graded", level)
        order = dice.shuffled(range(len(sentences)))
        chosen = set(dice.shuffled(heavy)[: round(level * len(heavy) / (DRIFT_LEVELS - 1))])
        weighty = [number for number in order if stated[number] and stated[number] <= chosen]
        taken: set[int] = set()
        said: set[str] = set()
        left = words
        for number in [*weighty, *(number for number in order if not stated[number])]:
            length = len(sentences[number].split())
            if length <= left and (not stated[number] or stated[number] - said):
                taken.add(number)
                said |= stated[number]
                left -= length
        extract = tuple(sentences[number] for number in sorted(taken))
        made.append(Candidate(truth.topic, f"graded_{level:02d}", extract))
    return made


def true_scores(candidates: Iterable[Candidate], truths: Mapping[str, Truth]) -> list[Judgement]:
    """The true scores by each name in `TRUE` of candidates that consist of their topics' sentences."""
    found = []
    for one in candidates:
        for name, size in TRUE.items():
            score = true_pyramid(one.sentences, truths[one.topic], size)
            found.append(Judgement(one.topic, one.system, name, score))
    return found


def reworded(
    candidates: Iterable[Candidate], truths: Mapping[str, Truth], drift: float, *, seed: int
) -> list[Candidate]:
    """The candidates with each mention reworded with probability ``drift``, 0 to 1.

    Drift 0 changes nothing; drift 1 replaces every clause and every name of a concept. Names of concepts that
    are in none of the topic's facts stay.
    """
    made = []
    for candidate in candidates:
        language = _language(truths[candidate.topic].facts)
        dice = Dice(seed, candidate.topic, candidate.system, "drift")
        sentences = tuple(_reworded(sentence, language, drift, dice) for sentence in candidate.sentences)
        made.append(Candidate(candidate.topic, candidate.system, sentences))
    return made


@dataclass(frozen=True, eq=False)
class _Language:
    """The wordings of a topic's facts and concepts.

    ``clauses`` has, for each clause that states a fact, a pattern with the groups ``a`` and ``b`` for the
    names, the clause, and the other clauses of its relation. ``concepts`` has, for each name in lower case,
    all names of its concept, and ``name`` is the pattern of all names.
    """

    clauses: tuple[tuple[re.Pattern[str], str, tuple[str, ...]], ...]
    concepts: dict[str, tuple[str, ...]]
    name: re.Pattern[str]


@cache
def _language(facts: tuple[TrueFact, ...]) -> _Language:
    ways = {relation.name: relation.clauses for relation in relations()}
    clauses = []
    for fact in facts:
        groups = {"a": rf"(?P<a>{_any_of(fact.subject)})", "b": rf"(?P<b>{_any_of(fact.object)})"}
        for clause in ways[fact.relation]:
            pattern = "".join(
                re.escape(literal) + (groups[slot] if slot else "")
                for literal, slot, *_ in string.Formatter().parse(clause)
            )
            clauses.append((_words(pattern), clause, tuple(w for w in ways[fact.relation] if w != clause)))
    every = [concept for fact in facts for concept in (fact.subject, fact.object, fact.context)]
    concepts = {name.lower(): concept for concept in every for name in concept}
    return _Language(tuple(clauses), concepts, _words(_any_of(concepts)))


def _any_of(names: Iterable[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])", re.IGNORECASE)


def _reworded(sentence: str, language: _Language, drift: float, dice: Dice) -> str:
    """The reworded sentence; the number of throws of the dice depends on the sentence alone."""

    def other(said: str, others: Sequence[str]) -> str:
        changes, instead = dice.chance(drift), dice.pick(others)
        return instead if changes else said

    def name(said: str) -> str:
        concept = language.concepts[said.lower()]
        own = next(each for each in concept if each.lower() == said.lower())
        return other(own, [each for each in concept if each != own])

    text, position = "", 0
    for match, clause, others in _mentions(sentence, language):
        if others:
            said = other(clause, others).format(a=name(match["a"]), b=name(match["b"]))
        else:
            said = name(match[0])
        first = match.start()
        if match[0][0].isupper() and (first == 0 or sentence.endswith(". ", 0, first)):
            said = said[0].upper() + said[1:]
        text += sentence[position:first] + said
        position = match.end()
    return text + sentence[position:]


def _mentions(sentence: str, language: _Language) -> Iterator[tuple[re.Match[str], str, tuple[str, ...]]]:
    """The clauses that state a fact and the names outside them, in order; a name has no other clauses."""
    said = [
        (match, clause, others)
        for pattern, clause, others in language.clauses
        for match in pattern.finditer(sentence)
    ]
    inside = [range(*match.span()) for match, *_ in said]
    names = [match for match in language.name.finditer(sentence)]
    free = [(match, "", ()) for match in names if not any(match.start() in span for span in inside)]
    yield from sorted([*said, *free], key=lambda mention: mention[0].start())
