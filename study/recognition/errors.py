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
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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
    """The chance that a unit is present if it was recognised, and if it was not (Bayes), by the base rate."""
    hit, alarm = rates.sensitivity * base, (1 - rates.specificity) * (1 - base)
    miss, silence = (1 - rates.sensitivity) * base, rates.specificity * (1 - base)
    return (
        1.0 if rates.specificity == 1 else hit / (hit + alarm) if hit + alarm else base,
        0.0 if rates.sensitivity == 1 else miss / (miss + silence) if miss + silence else base,
    )


def draw_presences(found: Mapping[Place, bool], rates: Rates, *, draws: int, seed: int = 0) -> np.ndarray:
    """Plausible true presences, (place, draw), given which units were recognised, in their order."""
    is_recognised = np.fromiter(found.values(), bool, len(found))
    base = base_rate(int(is_recognised.sum()) / len(found), rates) if found else 0.0
    present, miss_chance = chances(base, rates)
    return chance(found, draws, seed) < np.where(is_recognised, present, miss_chance)[:, None]


def chance(places: Iterable[Place], draws: int, seed: int) -> np.ndarray:
    """Numbers from 0 up to 1, without 1, (place, draw): a hash of the seed and the place, for all draws."""
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
    """Pyramid scores of each metric by (topic, system), one for each draw; the metrics differ in size alone.

    Presences in the candidates are drawn, and with ``tiers="text"`` also those in the gold summaries, where
    a unit was not marked; a marked one is present. Candidates and gold summaries have base rates of their
    own. A score is NaN without ``rates``, and if no reference has a nugget.
    """
    metric = metrics[0]
    groups: dict[tuple[str, ...], tuple[list[Reference], list[Candidate]]] = {}  # by topic and annotators
    for candidate, sets, _ in compared_sets(candidates, references, jackknifed=jackknifed):
        for golds in sets:
            key = candidate.topic, *(reference.annotator for reference in golds)
            groups.setdefault(key, (golds, []))[1].append(candidate)
    pyramids = [{unit_name(unit): unit for unit in metric.units(golds)} for golds, _ in groups.values()]
    candidate_places: dict[Place, bool] = {}
    reference_places: dict[Place, bool] = {}
    for units, (golds, texts) in zip(pyramids, groups.values(), strict=True):
        for candidate in texts:
            _recognise(metric, candidate, candidate.system, units, candidate_places)
        for number, reference in enumerate(golds if metric.tiers == "text" else ()):
            other_units = {name: unit for name, unit in units.items() if number not in unit.marked}
            _recognise(metric, reference, HUMAN + reference.annotator, other_units, reference_places)
    present, other_presences = (
        dict(zip(results, draw_presences(results, rates or Rates(1, 1), draws=draws, seed=seed), strict=True))
        for results in (candidate_places, reference_places)
    )
    scores: list[dict[tuple[str, str], list[np.ndarray]]] = [{} for _ in metrics]
    for units, (golds, texts) in zip(pyramids, groups.values(), strict=True):
        tiers = np.array([np.full(draws, len(unit.marked)) for unit in units.values()])
        for row, name in zip(tiers, units, strict=True):
            gold_places = ((each.topic, HUMAN + each.annotator, name) for each in golds)
            row += sum(other_presences[place] for place in gold_places if place in other_presences)
        summaries = [(candidate.topic, candidate.system) for candidate in texts]
        there = np.array([[present[*summary, name] for name in units] for summary in summaries])
        for each, results in zip(metrics, scores, strict=True):
            draw_scores = np.full((len(texts), draws), math.nan)
            if rates and units:
                draw_scores = _score(there, tiers, each.size, len(golds))
            for summary, row in zip(summaries, draw_scores, strict=True):
                results.setdefault(summary, []).append(row)
    return [
        {
            summary: [math.fsum(draw_values) / len(rows) for draw_values in zip(*rows, strict=True)]
            for summary, rows in results.items()
        }
        for results in scores
    ]


def _recognise(
    metric: Pyramid,
    text: Candidate | Reference,
    name: str,
    units: Mapping[str, Unit],
    decisions: dict[Place, bool],
) -> None:
    """Add to ``decisions`` which units are recognised in a text; the same whichever references it meets."""
    new = {
        place: unit for each, unit in units.items() if (place := (text.topic, name, each)) not in decisions
    }
    decisions |= zip(new, metric.found(text, list(new.values())), strict=True)


def _score(there: np.ndarray, tiers: np.ndarray, size: str, references: int) -> np.ndarray:
    """The scores of `Pyramid.score_presences`, (candidate, draw).

    ``there``: presences, (candidate, unit, draw); ``tiers``: (unit, draw); ``size`` as of `Pyramid`.
    """
    if size == "candidate":
        number = there.sum(axis=1)
    else:
        number = np.broadcast_to(-(-tiers.sum(axis=0) // references), there[:, 0].shape)
    best = np.zeros((len(tiers) + 1, tiers.shape[1]), int)  # sums of the highest tiers, by their number
    np.cumsum(-np.sort(-tiers, axis=0), axis=0, out=best[1:])
    highest = np.take_along_axis(best, np.minimum(number, len(tiers)), axis=0)
    sums = (there * tiers).sum(axis=1)
    return np.divide(sums, highest, out=np.zeros(sums.shape), where=highest > 0)
