"""Pyramid scores on annotated nuggets (Cohan & Goharian 2016, section 4.2; Nenkova et al. 2007).

Annotators marked nuggets, each in their own gold summary. Nothing links a nugget to the same nugget of
another annotator, nor to a candidate, so both are recognised by these rules:

* A nugget is the set of its content stems (`sera.text.content`): words without stop words, stemmed by the
  rules of the ``language``. A nugget without any is ignored.
* Two nuggets are one content unit if they share at least ``threshold`` of the larger one's stems. Units are
  the connected groups of this relation.
* A unit occurs in a text if at least ``threshold`` of the stems of one of its nuggets are in one sentence
  (``recogniser="sentence"``, the default), or in the text as a whole (``recogniser="whole"``). With
  ``recogniser="model"``, a language model says whether a candidate supports one of its nuggets
  (`sera.metrics.nugget_support`): yes is 1 and partly 0.5, and ``threshold`` is the least that counts. Units
  and tiers are then as by "sentence".
* The tier of a unit is the number of gold summaries in which it occurs: those where it was marked
  (``tiers="annotation"``), or also those whose text has it unmarked (``tiers="text"``, the default, since the
  paper's tiers count "the occurrences of nuggets across all the human written gold-standard summaries").
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar

from sera.errors import InputError
from sera.io.language_models import as_answers
from sera.io.records import Nugget, Reference, read
from sera.metrics.base import Metric, Row, Text, parts_of, sentences_of, signature
from sera.metrics.nugget_support import PROMPT_HASH, ask_support, support_requests
from sera.settings import setting, truth
from sera.text import content
from sera.text.languages import ENGLISH, language_setting

Stems = frozenset[str]
RECOGNISERS = ("sentence", "whole")
"""Those that go by words."""

MODEL = "model"


def pyramid_score(found: Sequence[int], tiers: Sequence[int], size: int) -> float:
    """The paper's P (section 4.2): the sum of the found units' tiers, over the maximum P_max.

    ``found`` has the tiers of the units found in the candidate, ``tiers`` those of all units of the pyramid.
    P_max, which the paper writes with the lowest tier j that is needed, is the sum of the ``size`` highest
    tiers, or of all if there are fewer. The score is 0 if P_max is 0.
    """
    best = sum(sorted(tiers, reverse=True)[:size])
    return sum(found) / best if best else 0.0


@dataclass(frozen=True)
class Unit:
    """A content unit: the distinct wordings of a nugget as sets of stems, and its tier.

    ``marked`` are the references in which it was marked, by their number from 0. ``nuggets`` are its own, for
    a language model, which is asked about those of the whole ``topic``.
    """

    wordings: tuple[Stems, ...]
    tier: int
    marked: frozenset[int] = frozenset()
    nuggets: tuple[str, ...] = ()
    topic: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pyramid(Metric):
    """The Pyramid score of a candidate against the nuggets of its references.

    nuggets:    the marked texts by (topic, annotator), as `from_records` makes them
    size:       the X of P_max: "candidate", the number of units found in the candidate, as printed in the
                paper (P is then close to the mean tier of the found units), or "references", the mean number
                of units in a reference, rounded up (P is then closer to recall, and may exceed 1)
    modified:   whether this is Pyramid-Modified, the modified score of the Pyramid literature (Passonneau et
                al. 2005; Nenkova et al. 2007), which has a name of its own and the size "references"

    The module describes the other settings.
    """

    nuggets: Mapping[tuple[str, str], tuple[str, ...]] | None = field(default=None, hash=False)
    threshold: float = setting(
        0.75, float, "share of a nugget's stems that a match needs", low=0, high=1, above=True
    )
    tiers: str = setting(
        "text", str, "where an occurrence counts for a nugget's tier", choices=("text", "annotation")
    )
    size: str = setting(
        "candidate",
        str,
        "number of units of the best attainable summary",
        choices=("candidate", "references"),
    )
    recogniser: str = setting(
        "sentence",
        str,
        "where the stems of a match must be, in one sentence or in the whole text; or a language model",
        choices=(*RECOGNISERS, MODEL),
    )
    model: str | None = setting(None, str, "language model of the recogniser model", optional=True)
    language: str = language_setting()
    modified: bool = False
    answers: Any = field(default=None, hash=False, compare=False)

    listed: ClassVar = ("Pyramid", "Pyramid-Modified")
    needed: ClassVar = {
        "nuggets": (
            "needs the nuggets of the references",
            "Name them: --nuggets FILE on the command line, nuggets=... in Python.",
        )
    }
    undefined: ClassVar[str] = "no nugget is marked in the references"
    citation: ClassVar[str] = (
        "Ani Nenkova, Rebecca Passonneau and Kathleen McKeown. 2007. The Pyramid Method: Incorporating Human "
        "Content Selection Variation in Summarization Evaluation. ACM TSLP 4(2)."
    )

    def __post_init__(self) -> None:
        truth("modified", self.modified)
        super().__post_init__()
        if self.modified and self.size != "references":
            problem = f"Pyramid-Modified has the size references, not {self.size}"
            raise InputError(problem, remedy="Leave the size out.")
        object.__setattr__(self, "answers", as_answers(self.answers))
        if self.recogniser == MODEL:
            object.__setattr__(self, "undefined", f"{self.undefined}, or the model does not say of one")

    def ready(self) -> None:
        super().ready()
        if self.recogniser == MODEL and not self.model:
            remedy = f"Name it: {self.name}(recogniser=model,model=NAME)."
            raise InputError(f"{self.name} needs the name of a language model", remedy=remedy)

    @classmethod
    def has(cls, name: str, setting: str) -> bool:
        return setting != "size" or name != "Pyramid-Modified"

    @staticmethod
    def from_records(records: Iterable[Nugget]) -> dict[tuple[str, str], tuple[str, ...]]:
        """The texts of nuggets by (topic, annotator)."""
        texts: dict[tuple[str, str], list[str]] = {}
        for nugget in records:
            texts.setdefault((nugget.topic, nugget.annotator), []).append(nugget.text)
        return {key: tuple(group) for key, group in texts.items()}

    @property
    def name(self) -> str:
        return "Pyramid-Modified" if self.modified else "Pyramid"

    @property
    def signature(self) -> str:
        settings = {name: getattr(self, name) for name in ("threshold", "tiers", "size", "recogniser")}
        if self.recogniser == MODEL:
            settings |= {"model": self.model, "prompt": PROMPT_HASH}
        return signature(self.name, **settings, **self.sign_texts())

    def score_one(self, candidate: Text, references: Sequence[Text], source: Text | None = None) -> float:
        """The score, 0 or more, at most 1 with ``size="candidate"``; NaN if no reference has a nugget.

        The references must be records, since nuggets belong to a topic and an annotator.
        """
        units = self.units(references)
        if self.recogniser == MODEL and any(map(math.isnan, self.support(candidate, units))):
            return math.nan
        present = self.found(candidate, units)
        return self.score_presences(present, [unit.tier for unit in units], len(references))

    def found(self, text: Text, units: Sequence[Unit]) -> tuple[bool, ...]:
        """Which of the units are recognised in a text; not one about which a language model says nothing."""
        if self.recogniser == MODEL:
            return tuple(value >= self.threshold for value in self.support(text, units))
        places = passages(sentences_of(text), self.recogniser, self.language)
        return tuple(occurs(unit.wordings, places, self.threshold) for unit in units)

    def support(self, text: Text, units: Sequence[Unit]) -> list[float]:
        """How far a text supports each unit, as a language model says: 1, 0.5 or 0, or NaN if it does not."""
        nuggets = units[0].topic if units else ()
        values = ask_support(self.answers, self.model, parts_of(text), nuggets)
        said = [[value for each in unit.nuggets if (value := values[each]) == value] for unit in units]
        return [max(values_of_unit, default=math.nan) for values_of_unit in said]

    @classmethod
    def score_rows(cls, metrics: Sequence[Any], rows: Sequence[Row]) -> Iterable[Sequence[float]]:
        for metric in metrics:
            if metric.recogniser == MODEL:  # of all texts at once, since several requests are sent at a time
                pairs = [(text, metric.units(references)) for text, references, _ in rows]
                asked = [(parts_of(text), units[0].topic) for text, units in pairs if units]
                metric.answers.to([one for each in asked for one in support_requests(metric.model, *each)])
        return super().score_rows(metrics, rows)

    def score_presences(self, present: Sequence[bool], tiers: Sequence[int], references: int) -> float:
        """The score of a candidate in which the units with a true value are, however that is known.

        ``present`` and ``tiers`` have a value per unit of the pyramid, and ``references`` is the number of
        references. NaN if there is no unit.
        """
        if not tiers:
            return math.nan
        hits = [tier for tier, there in zip(tiers, present, strict=True) if there]
        size = len(hits) if self.size == "candidate" else math.ceil(sum(tiers) / references)
        return pyramid_score(hits, tiers, size)

    def units(self, references: Sequence[Text]) -> tuple[Unit, ...]:
        """The pyramid of these references; InputError for references that are not records."""
        self.ready()
        assert self.nuggets is not None
        nuggets = []
        for reference in references:
            if not isinstance(reference, Reference):
                problem = "Pyramid needs references with topic and annotator"
                raise InputError(problem, remedy="Give records, not bare texts.")
            nuggets.append(tuple(self.nuggets.get((reference.topic, reference.annotator), ())))
            topic = reference.topic
        texts = tuple(sentences_of(reference) for reference in references)
        units = _pyramid(tuple(nuggets), texts, self.threshold, self.tiers, self.recogniser, self.language)
        if self.recogniser == MODEL:  # whichever references there are, it is asked about the same nuggets
            marked = [text for (name, _), group in self.nuggets.items() if name == topic for text in group]
            return tuple(replace(unit, topic=tuple(dict.fromkeys(marked))) for unit in units)
        return units

    @classmethod
    def parse(cls, name: str, **settings: Any) -> Pyramid:
        if name not in cls.listed:
            raise ValueError(name)
        if name == "Pyramid":
            return cls(**settings)
        return cls(modified=True, **{"size": "references", **settings})

    @classmethod
    def describe(cls, name: str) -> str:
        attainable = "in as many units as a reference has" if name == "Pyramid-Modified" else "attainable"
        return (
            f"tier-weighted content units of the gold summaries that the candidate has, of those {attainable}"
        )


def open_nuggets(files: Mapping[str, Any], texts: Iterable[Any]) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """The units in the file ``nuggets``."""
    return Pyramid.from_records(read(files["nuggets"], Nugget))


def content_stems(text: str, language: str = ENGLISH) -> Stems:
    """The stems of a text's words without stop words."""
    return frozenset(content.stems(text, language))


@lru_cache(maxsize=4096)
def passages(sentences: tuple[str, ...], recogniser: str, language: str = ENGLISH) -> tuple[Stems, ...]:
    """The content stems of each place in which a unit may occur: of each sentence, or of the whole text."""
    places = tuple(content_stems(sentence, language) for sentence in sentences)
    return (frozenset().union(*places),) if recogniser == "whole" else places


@lru_cache(maxsize=1024)
def _pyramid(
    marked: tuple[tuple[str, ...], ...],
    texts: tuple[tuple[str, ...], ...],
    threshold: float,
    tiers: str,
    recogniser: str,
    language: str,
) -> tuple[Unit, ...]:
    """The units of a set of references; cached, since every system of a topic is compared with the same."""
    where: dict[Stems, set[int]] = {}  # wording -> the references in which it was marked
    worded: dict[Stems, dict[str, None]] = {}  # wording -> its nuggets
    for reference, nuggets in enumerate(marked):
        for nugget in nuggets:
            if stems := content_stems(nugget, language):
                where.setdefault(stems, set()).add(reference)
                worded.setdefault(stems, {})[nugget] = None
    units = []
    for wordings in _groups(list(where), threshold):
        occurrences = marked_references = frozenset().union(*(where[wording] for wording in wordings))
        if tiers == "text":
            places = [passages(text, recogniser, language) for text in texts]
            occurrences |= {i for i, stem_sets in enumerate(places) if occurs(wordings, stem_sets, threshold)}
        own = tuple(nugget for wording in wordings for nugget in worded[wording])
        units.append(Unit(tuple(wordings), len(occurrences), marked_references, own))
    return tuple(units)


def _groups(wordings: list[Stems], threshold: float) -> list[list[Stems]]:
    """The connected groups of wordings that share at least ``threshold`` of the larger one's stems."""
    groups: list[list[Stems]] = []
    for wording in wordings:
        neighbours = [group for group in groups if any(_same(wording, other, threshold) for other in group)]
        rest = [group for group in groups if not any(group is other for other in neighbours)]
        groups = [*rest, [*(other for group in neighbours for other in group), wording]]
    return groups


def _same(one: Stems, other: Stems, threshold: float) -> bool:
    return len(one & other) >= threshold * max(len(one), len(other))


def occurs(wordings: Iterable[Stems], sentences: tuple[Stems, ...], threshold: float) -> bool:
    """Whether one of a unit's wordings occurs in one of the sentences (or `passages`), all sets of stems."""
    return any(_most_shared(wording, sentences) >= threshold * len(wording) for wording in wordings)


@lru_cache(maxsize=1 << 16)  # the multiverse asks at each threshold, for each size and for both tiers
def _most_shared(wording: Stems, sentences: tuple[Stems, ...]) -> int:
    """The most stems of a wording that a sentence has; -1 if there is no sentence."""
    return max([len(wording & sentence) for sentence in sentences], default=-1)
