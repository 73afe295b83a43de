"""The invented world of the demo benchmark: concepts and their names, facts and their wordings.

A concept (a gene, process, kind of cells, disease, compound or method) has two to four names that share no
word, the plain one first. A fact relates two concepts; every relation has several clauses that state it, the
plain one first. The setting ``wording`` controls how often a mention does not use the plain name or clause.

All random choices come from `Dice`, so a key gives the same world on every machine.
"""

from __future__ import annotations

import itertools
import random
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, TypeVar

from sera.resources import lines

Item = TypeVar("Item")
GENE, PROCESS, CELLS, DISEASE, COMPOUND, METHOD = "gene", "process", "cells", "disease", "compound", "method"
ANNOTATORS = 4  # gold summaries per topic; also the highest weight

# The number of concepts of each kind in a theme, and of those that are its core, the important part.
_MEMBERS = {GENE: 8, PROCESS: 3, CELLS: 2, DISEASE: 2, COMPOUND: 2, METHOD: 1}
_CORE = {GENE: 4, PROCESS: 2, CELLS: 1, DISEASE: 1, COMPOUND: 1, METHOD: 1}


@dataclass(frozen=True)
class DemoSettings:
    """How much of everything `study.demo.benchmark.generate` generates; the schema has the ranges.

    seed:       determines the invented world and all texts
    topics:     number of topics, at most 20: two themes of the corpus have no topic
    articles:   readable articles of the corpus in all packages; a retracted one and one that is not XML
                are added; at least one for each package
    packages:   number of packages
    wording:    0 to 1: with 0 a fact has the same words everywhere, with 1 every mention chooses names and
                clauses freely
    """

    seed: int = 2016
    topics: int = 6
    articles: int = 240
    packages: int = 2
    wording: float = 0.5


class Dice:
    """Random choices from a key, by ``random.random()``, whose sequence Python guarantees across versions."""

    def __init__(self, *key: object) -> None:
        self._next = random.Random("/".join(map(str, key))).random

    def chance(self, probability: float) -> bool:
        return self._next() < probability

    def number(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return low + int(self._next() * (high - low + 1))

    def pick(self, items: Sequence[Item]) -> Item:
        return items[self.number(0, len(items) - 1)]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        thrown = [(self._next(), item) for item in items]
        return [item for _, item in sorted(thrown, key=lambda pair: pair[0])]

    def vary(self, items: Sequence[Item], wording: float) -> Item:
        """The first item, or with probability ``wording`` any item; always takes two random numbers."""
        free, item = self.chance(wording), self.pick(items)
        return item if free else items[0]


class Concept(NamedTuple):
    kind: str
    names: tuple[str, ...]  # the plain one first


class Relation(NamedTuple):
    name: str
    subjects: tuple[str, ...]  # kinds of concepts in the place of a
    objects: tuple[str, ...]  # kinds of concepts in the place of b
    context: bool  # whether it may be said of cells
    clauses: tuple[str, ...]  # the plain one first


class Fact(NamedTuple):
    """A fact that sentences state: a relation of two concepts, in some cells or in general."""

    subject: Concept
    relation: Relation
    object: Concept
    context: Concept | None = None

    @property
    def concepts(self) -> tuple[Concept, ...]:
        both = (self.subject, self.object)
        return both if self.context is None else (*both, self.context)


class Theme(NamedTuple):
    """Concepts that belong together, and the facts about them: one for every pair that has a relation."""

    concepts: tuple[Concept, ...]
    core: tuple[Concept, ...]
    facts: tuple[Fact, ...]

    def facts_within(self, core: int) -> list[Fact]:
        """The facts where ``core`` of the two related concepts are core concepts: 2, 1 or 0."""
        return [
            fact for fact in self.facts if core == (fact.subject in self.core) + (fact.object in self.core)
        ]


class Sentence(NamedTuple):
    """A sentence, the facts that it states, and the span of each fact in its text (end exclusive)."""

    text: str
    facts: tuple[Fact, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()


class Speaker:
    """Makes sentences about one theme, with the concepts of ``focus`` first.

    The article has ``figures`` and citation ``markers``; the text is about an article by ``authors``.
    """

    def __init__(
        self,
        dice: Dice,
        theme: Theme,
        wording: float,
        *,
        focus: Sequence[Concept] = (),
        figures: int = 3,
        markers: Sequence[str] = (),
        authors: str = "",
    ) -> None:
        self._dice, self._wording = dice, wording
        self._figures, self._markers, self._authors = figures, markers, authors
        self._decks: dict[str, list[str]] = {}
        self._focus = list(focus) or list(theme.concepts)
        self._others = [concept for concept in theme.concepts if concept not in self._focus]

    def state(self, part: str, facts: Sequence[Fact]) -> Sentence:
        """A sentence for a part of a text that states one or two facts."""
        kind = f"{part} {'fact' if len(facts) == 1 else 'pair'}"
        if not self._decks.get(kind):  # every frame is used once before one is used again
            self._decks[kind] = self._dice.shuffled(sentence_frames(kind))
        return self._fill(self._decks[kind].pop(), facts)

    def state_all(self, part: str, facts: Sequence[Fact], pairs: float = 0.25) -> list[Sentence]:
        """Sentences that state all facts in order; ``pairs`` is the probability that one states two."""
        sentences, rest = [], list(facts)
        while rest:
            count = 2 if len(rest) > 1 and self._dice.chance(pairs) else 1
            sentences.append(self.state(part, rest[:count]))
            rest = rest[count:]
        return sentences

    def fillers(self, part: str, count: int) -> list[Sentence]:
        """Different sentences for a part of a text that state no fact; fewer if there are not ``count``."""
        return [self._fill(frame) for frame in self._dice.shuffled(sentence_frames(f"{part} filler"))[:count]]

    def alias(self, concept: Concept) -> Sentence:
        """A sentence with two names of a concept."""
        return self._fill(self._dice.pick(sentence_frames("alias")), names=self._dice.shuffled(concept.names))

    def name(self, concept: Concept) -> str:
        return self._dice.vary(concept.names, self._wording)

    def clause(self, fact: Fact) -> tuple[str, str]:
        """A clause that states the fact, and its addition about the cells (may be empty)."""
        words = self._dice.vary(fact.relation.clauses, self._wording)
        words = words.format(a=self.name(fact.subject), b=self.name(fact.object))
        return words, "" if fact.context is None else f" in {self.name(fact.context)}"

    def _fill(self, frame: str, facts: Sequence[Fact] = (), names: Sequence[str] = ()) -> Sentence:
        unsaid = self._dice.shuffled(self._focus) + self._dice.shuffled(self._others)
        text, spans = "", []
        for literal, slot, _, _ in string.Formatter().parse(frame):
            text += literal
            if slot in ("f", "g"):
                words, where = self.clause(facts["fg".index(slot)])
                spans.append((len(text), len(text) + len(words)))
                text += words + where
            elif slot in ("name", "alias"):
                text += names[("name", "alias").index(slot)]
            elif slot == "number":
                text += str(self._dice.number(3, 60))
            elif slot == "figure":
                text += f"Figure {self._dice.number(1, self._figures)}{self._dice.pick('ABCD')}"
            elif slot == "marker":
                text += self._dice.pick(self._markers)
            elif slot == "authors":
                text += self._authors
            elif slot is not None:
                concept = next(concept for concept in unsaid if concept.kind == slot)
                unsaid.remove(concept)
                text += self.name(concept)
        return Sentence(text[0].upper() + text[1:], tuple(facts), tuple(spans))


@cache
def name_list(kind: str) -> list[str]:
    """A list of names, or of parts of names, of the resource file."""
    rows = (line.split("\t") for line in lines("demo_names.tsv", "study.resources"))
    return next(items for name, *items in rows if name == kind)


@cache
def relations() -> tuple[Relation, ...]:
    """The relations, in the order of their resource file."""
    rows = [line.split("\t") for line in lines("demo_relations.tsv", "study.resources")]
    return tuple(
        Relation(
            name,
            tuple(subjects.split()),
            tuple(objects.split()),
            context == "yes",
            tuple(clause for *_, clause in group),
        )
        for (name, subjects, objects, context), group in itertools.groupby(rows, key=lambda row: row[:4])
    )


@cache
def sentence_frames(part: str) -> tuple[str, ...]:
    """The sentence frames for a part of a text, for example ``results fact``."""
    rows = [line.split("\t") for line in lines("demo_sentences.tsv", "study.resources")]
    return tuple(sentence for row_part, sentence in rows if row_part == part)


def themes(key: str, count: int) -> list[Theme]:
    """``count`` themes, at most 22, for which the lists of names suffice, without a common name."""
    maker = _NameMaker(Dice(key, "names"))
    return [_theme(maker, Dice(key, "theme", number)) for number in range(count)]


def _theme(maker: _NameMaker, dice: Dice) -> Theme:
    concepts, core = [], []
    for kind, count in _MEMBERS.items():
        members = [Concept(kind, maker.names(kind)) for _ in range(count)]
        concepts += members
        core += members[: _CORE[kind]]
    facts = []
    for one, other in itertools.combinations(concepts, 2):
        possible = [
            (a, relation, b)
            for a, b in ((one, other), (other, one))
            for relation in relations()
            if a.kind in relation.subjects and b.kind in relation.objects
        ]
        if possible:
            subject, relation, object_ = dice.pick(possible)
            cells = dice.pick([concept for concept in concepts if concept.kind == CELLS])
            has_cells = dice.chance(0.3) and relation.context
            facts.append(Fact(subject, relation, object_, cells if has_cells else None))
    return Theme(tuple(concepts), tuple(core), tuple(facts))


class _NameMaker:
    """Makes names, each only once."""

    def __init__(self, dice: Dice) -> None:
        short = [onset + middle for onset in name_list("onsets") for middle in name_list("middles")]
        long = [root + middle for root in short for middle in name_list("middles")]
        self._dice = dice
        self._root = iter(dice.shuffled(short) + dice.shuffled(long)).__next__
        self._protein = self._combinations("looks", "parts")
        self._place = self._combinations("sides", "zones", "types")
        self._illness = self._combinations("starts", "tissues", "damages")
        self._technique = self._combinations("principles", "techniques")
        self._change = self._combinations("structures", "changes")

    def _combinations(self, *lists: str) -> Callable[[], tuple[Any, ...]]:
        return iter(self._dice.shuffled(list(itertools.product(*map(name_list, lists))))).__next__

    def names(self, kind: str) -> tuple[str, ...]:
        """The names of a new concept; the plain name is one word, so a plain fact has three content words."""
        root = self._root()
        if kind == GENE:
            number = self._dice.number(2, 9)
            other = f"{self._root().capitalize()}{self._dice.number(11, 49)}"
            family = self._dice.pick(name_list("families"))
            protein = _join_words(self._protein(), "protein")
            return f"{root.upper()}{number}", f"{root}n {family} {number}", other, protein
        if kind == PROCESS:
            (adjective, structure), (change, synonym, ending) = (each.split("/") for each in self._change())
            return f"{root}{ending}", f"{adjective} {change}", f"{synonym} of {structure}"
        if kind == CELLS:
            place = self._place()
            short = "".join(word[0] for word in place).upper()
            return f"{root}cytes", _join_words(place), f"{short}-{self._root()} cells"
        if kind == DISEASE:
            return f"{root}pathy", _join_words(self._illness()), f"{self._root().capitalize()}sen syndrome"
        if kind == COMPOUND:
            code = f"{self._root().upper()}{self._dice.number(100, 999)}"
            return f"{root}tinib", f"{self._root().capitalize()}ex", code
        return f"{root}scopy", _join_words(self._technique())


def _join_words(words: Sequence[str], *more: str) -> str:
    return " ".join((*words, *more))
