"""What the Pyramid scores would be if recognition errs as measured: draws of plausible true presences.

A recogniser's sensitivity and specificity come from human judgements (`study.recognition.quality`).
The study's own share of present units, its base rate, follows from the share of recognised ones (Rogan &
Gladen 1978). With both, Bayes' rule gives the chance that a recognised unit is present, and that one which is
not recognised is. Each draw decides every unit of every summary with this chance, independently. The
draws of a unit in a text are a hash of (seed, topic, text, unit): they depend on no other unit and no order.

Draws know of a summary only what was recognised. They cannot restore differences between systems that the
recogniser missed, so correlations with drawn scores are lower than those with the true scores would be.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from sera.io.records import HUMAN, Candidate, Reference
from sera.metrics.pyramid import Pyramid, Unit
from sera.metrics.scoring import compared_sets

Place = tuple[str, str, str]
"""Topic, text (a system's name, or ``human_`` and the annotator's), and unit (`unit_name`)."""


@dataclass(frozen=True)
class Rates:
    """Sensitivity and specificity of a recogniser, 0 to 1, with a sum above 1, that of chance."""

    sensitivity: float
    specificity: float


MEASURED: dict[tuple[str, float], Rates] = {
    ("sentence", 0.5): Rates(0.802, 0.616),
    ("sentence", 0.75): Rates(0.438, 0.920),
    ("sentence", 1.0): Rates(0.224, 0.978),
    ("whole", 0.5): Rates(0.879, 0.515),
    ("whole", 0.75): Rates(0.652, 0.849),
    ("whole", 1.0): Rates(0.410, 0.945),
}
"""Rates on all units of REALSumm by recogniser and threshold (docs/statistics.md has their intervals)."""


def base_rate(found: float, rates: Rates) -> float:
    """The share of present units behind a share of recognised ones (Rogan & Gladen 1978), 0 to 1, clipped."""
    share = (found + rates.specificity - 1) / (rates.sensitivity + rates.specificity - 1)
    return min(1.0, max(0.0, share))


def chances(base: float, rates: Rates) -> tuple[float, float]:
    """The chance that a unit is present if it was recognised, and if it was not (Bayes).

    ``base`` is the share of present units, 0 to 1. Without false alarms (specificity 1) what was recognised
    is present whatever the base rate, and without misses (sensitivity 1) what was not recognised is absent.
    """
    hit, alarm = rates.sensitivity * base, (1 - rates.specificity) * (1 - base)
    miss, silence = (1 - rates.sensitivity) * base, rates.specificity * (1 - base)
    return (
        1.0 if rates.specificity == 1 else hit / (hit + alarm) if hit + alarm else base,
        0.0 if rates.sensitivity == 1 else miss / (miss + silence) if miss + silence else base,
    )


def draw_presences(found: Mapping[Place, bool], rates: Rates, *, draws: int, seed: int = 0) -> np.ndarray:
    """Plausible true presences, (place, draw), given which units were recognised.

    Places are in the order of ``found``. The share of present units is the `base_rate` of that in ``found``.
    """
    recognised = np.fromiter(found.values(), bool, len(found))
    base = base_rate(int(recognised.sum()) / len(found), rates) if found else 0.0
    present, missed = chances(base, rates)
    return chance(found, draws, seed) < np.where(recognised, present, missed)[:, None]


def chance(places: Iterable[Place], draws: int, seed: int) -> np.ndarray:
    """Numbers from 0 up to 1, without 1, (place, draw): a hash of the seed and the place, for all draws.

    The numbers of fewer draws are the first of those of more.
    """
    hashes = b"".join(_hash(place, 8 * draws, seed) for place in places)
    return (np.frombuffer(hashes, ">u8").reshape(-1, draws) >> 11) / 2**53


@lru_cache(maxsize=2**15)  # most units are the same under all settings of Pyramid
def _hash(place: Place, size: int, seed: int) -> bytes:
    return hashlib.shake_256(json.dumps([seed, *place]).encode()).digest(size)


def unit_name(unit: Unit) -> str:
    """A unit's name, the same in any order of its wordings: their stems in order of the alphabet."""
    return json.dumps(sorted(sorted(wording) for wording in unit.wordings), ensure_ascii=False)


def misread_scores(
    metrics: Sequence[Pyramid],
    candidates: Iterable[Candidate],
    references: Iterable[Reference],
    rates: Rates | None,
    *,
    draws: int,
    seed: int = 0,
    jackknifed: bool = False,
) -> list[dict[tuple[str, str], list[float]]]:
    """Pyramid scores of each metric by (topic, system), one for each draw.

    Presences in the candidates are drawn, and with ``tiers="text"`` also those in the gold summaries, where
    a unit was not marked; a marked one is present. Candidates and gold summaries have base rates of their
    own. A score is NaN without ``rates``, and if no reference has a nugget. With sensitivity and specificity
    1, every draw has the scores of the metric itself. The metrics differ in ``size`` alone, so that the same
    is recognised for all. ``jackknifed`` and the errors are those of `sera.metrics.scoring.score`.
    """
    in_candidates, in_references = _Places(metrics[0]), _Places(metrics[0])
    by_annotators: dict[tuple[str, ...], _Set] = {}  # and by topic
    for candidate, sets, _ in compared_sets(candidates, references, jackknifed=jackknifed):
        for against in sets:
            name = candidate.topic, *(reference.annotator for reference in against)
            if name not in by_annotators:
                by_annotators[name] = _Set.of(metrics[0], against, in_references)
            by_annotators[name].compare(candidate, in_candidates)
    present, unmarked = (
        draw_presences(places.found, rates or Rates(1, 1), draws=draws, seed=seed)
        for places in (in_candidates, in_references)
    )
    scores = []
    for metric in metrics:
        found: dict[tuple[str, str], list[np.ndarray]] = {}
        for each in by_annotators.values():
            for summary, row in zip(each.compared, each.scores(metric, present, unmarked), strict=True):
                found.setdefault(summary, []).append(row if rates else np.full(draws, math.nan))
        scores.append(
            {
                summary: [math.fsum(of_draw) / len(rows) for of_draw in zip(*rows, strict=True)]
                for summary, rows in found.items()
            }
        )
    return scores


class _Places:
    """Units in texts, numbered in the order in which they come, and whether they are recognised there.

    A unit is recognised the same way in a text whichever references this is compared with.
    """

    def __init__(self, metric: Pyramid) -> None:
        self._metric = metric
        self._numbers: dict[Place, int] = {}
        self.found: dict[Place, bool] = {}

    def add(self, text: Candidate | Reference, name: str, units: Mapping[str, Unit]) -> list[int]:
        """The numbers of a text's units, which are given by name."""
        places = {(text.topic, name, each): unit for each, unit in units.items()}
        new = [place for place in places if place not in self.found]
        self._numbers |= zip(new, itertools.count(len(self.found)))
        self.found |= zip(new, self._metric.found(text, [places[place] for place in new]), strict=True)
        return [self._numbers[place] for place in places]


@dataclass(frozen=True)
class _Set:
    """References of a topic, and the candidates that are compared with them.

    units:       the units of the references by name
    references:  the number of references
    unmarked:    by reference, the numbers of the units that may be in it unmarked, and of their places
    compared:    topic and system of each candidate
    places:      by candidate, the numbers of the units' places in it
    """

    units: dict[str, Unit]
    references: int
    unmarked: list[tuple[list[int], list[int]]]
    compared: list[tuple[str, str]] = field(default_factory=list)
    places: list[list[int]] = field(default_factory=list)

    @classmethod
    def of(cls, metric: Pyramid, references: Sequence[Reference], in_references: _Places) -> _Set:
        units = {unit_name(unit): unit for unit in metric.units(references)}
        unmarked = []
        for which, reference in enumerate(references if metric.tiers == "text" else ()):
            those = {name: unit for name, unit in units.items() if which not in unit.marked}
            rows = [row for row, name in enumerate(units) if name in those]
            unmarked.append((rows, in_references.add(reference, HUMAN + reference.annotator, those)))
        return cls(units, len(references), unmarked)

    def compare(self, candidate: Candidate, in_candidates: _Places) -> None:
        self.compared.append((candidate.topic, candidate.system))
        self.places.append(in_candidates.add(candidate, candidate.system, self.units))

    def scores(self, metric: Pyramid, present: np.ndarray, unmarked: np.ndarray) -> np.ndarray:
        """The scores of `Pyramid.score_presences` for each candidate and draw, (candidate, draw)."""
        draws = present.shape[1]
        if not self.units:
            return np.full((len(self.compared), draws), math.nan)
        tiers = np.repeat([[len(unit.marked)] for unit in self.units.values()], draws, axis=1)
        for rows, places in self.unmarked:
            tiers[rows] += unmarked[places]
        there = present[np.array(self.places)]  # (candidate, unit, draw)
        if metric.size == "candidate":
            size = there.sum(axis=1)
        else:
            size = np.broadcast_to(-(-tiers.sum(axis=0) // self.references), (len(there), draws))
        best = np.zeros((len(tiers) + 1, draws), int)  # sums of the highest tiers, by their number
        np.cumsum(-np.sort(-tiers, axis=0), axis=0, out=best[1:])
        highest = np.take_along_axis(best, np.minimum(size, len(tiers)), axis=0)
        found = (there * tiers).sum(axis=1)
        return np.divide(found, highest, out=np.zeros(found.shape), where=highest > 0)
