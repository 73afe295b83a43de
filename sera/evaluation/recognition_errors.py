"""What the Pyramid scores would be if recognition errs as measured: draws of plausible true presences.

A recogniser's sensitivity and specificity come from human judgements (`sera.evaluation.recognition_quality`).
The study's own share of present units, its base rate, follows from the share of recognised ones (Rogan &
Gladen 1978). With both, Bayes' rule gives the chance that a recognised unit is present, and that one which is
not recognised is. Each draw decides every unit of every summary with this chance, independently. A draw is a
hash of (seed, draw, topic, text, unit): it depends on no other unit and on no order.

Draws know of a summary only what was recognised. They cannot restore differences between systems that the
recogniser missed, so correlations with drawn scores are lower than those with the true scores would be.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sera.errors import InputError
from sera.evaluation.correlation import MOST_SEED
from sera.metrics.pyramid import Pyramid, Unit
from sera.metrics.scoring import comparisons
from sera.records import HUMAN, Candidate, Reference
from sera.settings import number, whole

Place = tuple[str, str, str]
"""Topic, text (a system's name, or ``human_`` and the annotator's), and unit (`unit_name`)."""

MOST_DRAWS = 10**4


@dataclass(frozen=True)
class Rates:
    """Sensitivity and specificity of a recogniser, 0 to 1; InputError if it is no better than chance."""

    sensitivity: float
    specificity: float

    def __post_init__(self) -> None:
        for name in ("sensitivity", "specificity"):
            number(name, getattr(self, name), 0, 1)
        if self.sensitivity + self.specificity <= 1:
            raise InputError(
                f"sensitivity {self.sensitivity:g} and specificity {self.specificity:g} are those of chance",
                remedy="Give rates with a sum above 1.",
            )


ByStems = Mapping[int, Rates]
"""Rates by the number of stems of a unit's shortest wording; a number stands for higher ones too."""


def rates_of(unit: Unit, rates: Rates | ByStems) -> Rates:
    """The rates with which a unit is recognised; InputError if none are given for so few stems."""
    if isinstance(rates, Rates):
        return rates
    stems = min(map(len, unit.wordings))
    if not (given := [fewest for fewest in rates if fewest <= stems]):
        raise InputError(
            f"there are no rates for a unit of {stems} stems", remedy="Give some for 1 stem and more."
        )
    return rates[max(given)]


MEASURED: dict[tuple[str, float], Rates] = {
    ("sentence", 0.5): Rates(0.802, 0.616),
    ("sentence", 0.75): Rates(0.438, 0.920),
    ("sentence", 1.0): Rates(0.224, 0.978),
    ("whole", 0.5): Rates(0.879, 0.515),
    ("whole", 0.75): Rates(0.652, 0.849),
    ("whole", 1.0): Rates(0.410, 0.945),
}
"""Rates on all units of REALSumm by recogniser and threshold (docs/recognition.md has their intervals)."""

MEASURED_BY_STEMS: dict[tuple[str, float], dict[int, Rates]] = {
    ("sentence", 0.5): {1: Rates(0.930, 0.471), 3: Rates(0.765, 0.684)},
    ("sentence", 0.75): {1: Rates(0.506, 0.917), 3: Rates(0.326, 0.965)},
    ("sentence", 1.0): {1: Rates(0.506, 0.917), 3: Rates(0.326, 0.965)},
    ("whole", 0.5): {1: Rates(0.930, 0.471), 3: Rates(0.822, 0.639)},
    ("whole", 0.75): {1: Rates(0.672, 0.893), 3: Rates(0.502, 0.924)},
    ("whole", 1.0): {1: Rates(0.672, 0.893), 3: Rates(0.502, 0.924)},
}
"""Rates on REALSumm's units of two stems, for those of one too, and of three stems.

REALSumm has a single unit of one stem, though a word alone is surely recognised better than two together."""


def base_rate(found: float, rates: Rates) -> float:
    """The share of present units behind a share of recognised ones (Rogan & Gladen 1978), 0 to 1, clipped."""
    number("found", found, 0, 1)
    share = (found + rates.specificity - 1) / (rates.sensitivity + rates.specificity - 1)
    return min(1.0, max(0.0, share))


def chances(base: float, rates: Rates) -> tuple[float, float]:
    """The chance that a unit is present if it was recognised, and if it was not (Bayes).

    ``base`` is the share of present units, 0 to 1. Without false alarms (specificity 1) what was recognised
    is present whatever the base rate, and without misses (sensitivity 1) what was not recognised is absent.
    """
    number("base", base, 0, 1)
    hit, alarm = rates.sensitivity * base, (1 - rates.specificity) * (1 - base)
    miss, silence = (1 - rates.sensitivity) * base, rates.specificity * (1 - base)
    return (
        1.0 if rates.specificity == 1 else hit / (hit + alarm) if hit + alarm else base,
        0.0 if rates.sensitivity == 1 else miss / (miss + silence) if miss + silence else base,
    )


def misread(
    found: Mapping[Place, bool], rates: Rates, *, base: float | None = None, draw: int = 0, seed: int = 0
) -> dict[Place, bool]:
    """Plausible true presences, given which units were recognised.

    ``base`` is the share of present units; by default, `base_rate` of the share in ``found``.
    """
    if not found:
        return {}
    if base is None:
        base = base_rate(sum(found.values()) / len(found), rates)
    present, missed = chances(base, rates)
    return {
        place: chance(seed, draw, *place) < (present if recognised else missed)
        for place, recognised in found.items()
    }


def chance(seed: int, draw: int, *names: str) -> float:
    """A number from 0 up to 1, without 1, that is a hash of the seed, the draw and names."""
    text = json.dumps([seed, draw, *names]).encode()
    return (int.from_bytes(hashlib.sha256(text).digest()[:8], "big") >> 11) / 2**53


def unit_name(unit: Unit) -> str:
    """A unit's name, the same in any order of its wordings: their stems in order of the alphabet."""
    return json.dumps(sorted(sorted(wording) for wording in unit.wordings), ensure_ascii=False)


def misread_scores(
    metric: Pyramid,
    candidates: Iterable[Candidate],
    references: Sequence[Reference],
    rates: Rates | ByStems,
    *,
    draws: int,
    seed: int = 0,
) -> dict[tuple[str, str], list[float]]:
    """Pyramid scores by (topic, system), one for each of ``draws`` draws of the true presences.

    Presences in the candidates are drawn, and with ``tiers="text"`` also those in the gold summaries, where
    a unit was not marked; a marked one is present. Candidates and gold summaries have base rates of their
    own; so have, if rates differ by the number of stems, the units of each rate. With sensitivity and
    specificity 1, every draw has the scores of ``metric`` itself.
    """
    whole("draws", draws, 1, MOST_DRAWS)
    whole("seed", seed, 0, MOST_SEED)
    met = [_Met.of(metric, candidate, against) for candidate, against in comparisons(candidates, references)]
    # a unit in a text is recognised the same way whichever references it is compared with
    in_candidates = _by_rates(met, [each.found for each in met], rates)
    in_references = _by_rates(met, [each.unmarked for each in met], rates)
    scores: dict[tuple[str, str], list[float]] = {each.summary: [] for each in met}
    for draw in range(draws):
        present, unmarked = (
            {
                place: there
                for own, found in parts.items()
                for place, there in misread(found, own, draw=draw, seed=seed).items()
            }
            for parts in (in_candidates, in_references)
        )
        for each in met:
            tiers = [
                certain + sum(unmarked[place] for place in places)
                for certain, places in zip(each.certain, each.uncertain, strict=True)
            ]
            there = [present[place] for place in each.found]
            scores[each.summary].append(metric.score_presences(there, tiers, each.references))
    return scores


def _by_rates(
    met: Sequence[_Met], found: Sequence[Mapping[Place, bool]], rates: Rates | ByStems
) -> dict[Rates, dict[Place, bool]]:
    """The places that share their rates, with what was found there."""
    parts: dict[Rates, dict[Place, bool]] = {}
    for each, places in zip(met, found, strict=True):
        of_units = {name: rates_of(unit, rates) for name, unit in each.units.items()}
        for place, there in places.items():
            parts.setdefault(of_units[place[2]], {})[place] = there
    return parts


def implied_base_rate(
    metric: Pyramid, candidates: Iterable[Candidate], references: Sequence[Reference], rates: Rates
) -> tuple[float, float]:
    """The share of units recognised in the candidates, and the base rate behind it.

    Other thresholds have other rates, but they recognise nearly the same units in the same summaries. If the
    rates hold for a study, its base rates agree between thresholds; where they do not, the rates do not hold.
    InputError if there is no unit.
    """
    found = [
        there
        for candidate, against in comparisons(candidates, references)
        for there in metric.found(candidate, metric.units(against)[0])
    ]
    if not found:
        raise InputError("no reference has a nugget")
    share = sum(found) / len(found)
    return share, base_rate(share, rates)


@dataclass(frozen=True)
class _Met:
    """A candidate and the references that it is compared with.

    summary:     topic and system
    units:       the units by name, in their order
    found:       whether each unit is recognised in the candidate, in the order of the units
    certain:     the part of each unit's tier that is not drawn
    uncertain:   the places in references where each unit may occur unmarked
    unmarked:    whether it is recognised in each of these
    references:  their number
    """

    summary: tuple[str, str]
    units: dict[str, Unit]
    found: dict[Place, bool]
    certain: list[int]
    uncertain: list[list[Place]]
    unmarked: dict[Place, bool]
    references: int

    @classmethod
    def of(cls, metric: Pyramid, candidate: Candidate, against: Sequence[Reference]) -> _Met:
        units, _ = metric.units(against)
        names = [unit_name(unit) for unit in units]
        topic, system = candidate.topic, candidate.system
        found = {
            (topic, system, name): there
            for name, there in zip(names, metric.found(candidate, units), strict=True)
        }
        uncertain: list[list[Place]] = [[] for _ in units]
        unmarked = {}
        if metric.tiers == "text":
            for number_, reference in enumerate(against):
                recognised = metric.found(reference, units)
                for place, (unit, name) in enumerate(zip(units, names, strict=True)):
                    if number_ not in unit.marked:
                        key = (topic, HUMAN + reference.annotator, name)
                        uncertain[place].append(key)
                        unmarked[key] = recognised[place]
        certain = [len(unit.marked) for unit in units]
        return cls(
            (topic, system),
            dict(zip(names, units, strict=True)),
            found,
            certain,
            uncertain,
            unmarked,
            len(against),
        )
