"""Two permutation tests of the whole specification curve: under the null, and of a difference.

docs/multiverse.md explains both. **Under the null** (Simonsohn, Simmons & Nelson 2020, section 3), every
assignment of the summarizers' Pyramid scores to the summarizers is as likely as the one at hand. A claim's p
is the share of the assignments, the study's own among them, that favour the claim at least as much.

**Of the difference** between SERA and ROUGE where both follow Pyramid: PERM-BOTH of Deutsch, Dror & Roth 2021
("A Statistical Analysis of Summarization Evaluation Metrics Using Resampling Methods"), with three changes,
since all scores of a system by one metric share an error, the families differ in size, and standardising
takes a mean and a standard deviation from the scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from sera.evaluation.coefficients import CORRELATIONS, coefficients
from sera.evaluation.correlate import average_defined, complete_topics
from sera.evaluation.significance import holm
from sera.evaluation.ties import mean_scores, merge_ties
from study.claims.multiverse import HEADLINE, METRICS, OUTCOMES, ROUGE, SERA, effects
from study.claims.sentences import Claim
from study.multiverse.answers import share
from study.multiverse.choices import Universe
from study.multiverse.universes import AGAINST, Cells, judgement_tables, universe_scores
from study.multiverse.universes import outcomes as decide

_ROUGE, _SERA = ([METRICS.index(name) for name in family] for family in (ROUGE, SERA))
_OF_HEADLINE = tuple(outcome for outcome in OUTCOMES if outcome[0].name == HEADLINE)


# Under the null


def draw_assignments(permutations: int, systems: int, seed: int = 0) -> np.ndarray:
    """Assignments of the summarizers' scores, (1 + permutation, summarizer); the first is the study's own."""
    random = np.random.default_rng([seed, 2])
    return np.stack([np.arange(systems), *(random.permutation(systems) for _ in range(permutations))])


def permuted_effects(
    universe: Universe, cells: Cells, summarizers: Sequence[str], assignments: np.ndarray
) -> np.ndarray:
    """The effects of the claims with Pyramid scores as ``assignments`` has them, (assignment, outcome).

    ``assignments`` is (assignment, summarizer); other systems, and other ``summarizers``, keep their scores.
    """
    scores = universe_scores(universe, cells)
    names = [*summarizers, *(name for name in scores.systems if name not in summarizers)]
    everyone = universe_scores(universe, cells, members=names)
    judgements = everyone.metric(AGAINST)[:, [everyone.systems.index(name) for name in names]]
    rest = np.arange(len(summarizers), len(names))
    whole = np.hstack([assignments, np.broadcast_to(rest, (len(assignments), len(rest)))])
    y = judgements[:, whole[:, [names.index(name) for name in scores.systems]]]  # (topic, assignment, system)
    x = scores.stack(METRICS)  # (metric, topic, system)
    return effects(judgement_tables(x, y, universe["level"]).swapaxes(0, 1), universe["rouge_side"])


def null_table(
    found: np.ndarray, weights: np.ndarray, outcomes: Sequence[tuple[Claim, str]] = OUTCOMES
) -> pd.DataFrame:
    """A row per claim and coefficient, with one-sided p by the median and by the share, also by Holm.

    ``found``: the effects, (universe, assignment, outcome), the study's own assignment first; undefined ones
    are left out. ``p_contrary`` and ``p_share_contrary`` are against the claim. ``median`` and ``share`` are
    the study's own, ``null_median`` and ``null_share`` the means over the other assignments.
    """
    rows = []
    for (claim, coefficient), values in zip(outcomes, np.moveaxis(found.astype(float), 2, 0), strict=True):
        shares = share(decide(values), weights)
        medians = np.array([_median(each, weights) for each in values.T])
        row: dict[str, Any] = {"claim": claim.name, "coefficient": coefficient}
        row |= {"universes": len(found), "permutations": found.shape[1] - 1}
        row |= {"median": medians[0], "null_median": average_defined(medians[1:])}
        row |= {"p_median": _p(medians), "p_contrary": _p(-medians)}
        row |= {"share": shares[0], "null_share": average_defined(shares[1:])}
        rows.append({**row, "p_share": _p(shares), "p_share_contrary": _p(-shares)})
    table = pd.DataFrame(rows)
    for name in ("median", "contrary", "share"):
        table[f"holm_{name}"] = holm(table[f"p_{name}"].to_numpy())
    return table


def _p(values: np.ndarray) -> float:
    """The share of the assignments, the first among them, whose value is at least that of the first."""
    values = values[~np.isnan(values)] if not np.isnan(values[0]) else np.empty(0)
    return float((values >= values[0] - 1e-6).mean()) if len(values) else np.nan


def _median(values: np.ndarray, weights: np.ndarray) -> float:
    """The weighted median of those that are not NaN: at most half of the weight lies below and above it."""
    values, weights = values[~np.isnan(values)], weights[~np.isnan(values)]
    if not len(values):
        return np.nan
    order = np.argsort(values, kind="stable")
    values, cumulative = values[order], np.cumsum(weights[order])
    half = cumulative[-1] / 2
    low = int(np.searchsorted(cumulative, half - 1e-9))
    high = int(np.searchsorted(cumulative, half + 1e-9))
    return float((values[low] + values[min(high, len(values) - 1)]) / 2)


# Of the difference


@dataclass(frozen=True)
class Exchanges:
    """What each exchange exchanges, and between which metrics; the first exchanges nothing.

    - ``topics`` (exchange, topic): whether the part of a topic is exchanged
    - ``systems`` (exchange, system): whether the part of a system is
    - ``rests`` (exchange, topic, system): whether the rest of a summary's score is
    - ``sera``, ``rouge`` (exchange, pair): the metrics of each pair, as places in `claims.METRICS`
    - ``weights`` (pair,): of the pairs; their sum is 1
    """

    topics: np.ndarray
    systems: np.ndarray
    rests: np.ndarray
    sera: np.ndarray
    rouge: np.ndarray
    weights: np.ndarray

    def select_systems(self, places: Sequence[int]) -> Exchanges:
        """The same exchanges for some of the systems."""
        return replace(self, systems=self.systems[:, places], rests=self.rests[:, :, places])


def draw_exchanges(number: int, topics: int, systems: int, seed: int = 0) -> Exchanges:
    """Draw ``number`` exchanges; the first of the ``number`` + 1 exchanges nothing."""
    random = np.random.default_rng([seed, 4])

    def coins(*shape: int) -> np.ndarray:
        draws = random.integers(0, 2, size=(number, *shape), dtype=bool)
        return np.concatenate([np.zeros((1, *shape), bool), draws])

    topic_coins, system_coins, rest_coins = coins(topics), coins(systems), coins(topics, systems)
    return Exchanges(topic_coins, system_coins, rest_coins, *_pairs(number + 1, random))


def _pairs(number: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Random pairs of SERA's and ROUGE's metrics, both (draw, pair), and the weights of the pairs, (pair,).

    Each family, in random order, divides a line into equal parts. Where a part of the one overlaps a part of
    the other, the two are a pair. Its weight is the length of the overlap.
    """
    length = len(_SERA) * len(_ROUGE)
    ends = np.union1d(np.arange(0, length + 1, len(_SERA)), np.arange(0, length + 1, len(_ROUGE)))
    sera, rouge = (
        random.permuted(np.tile(family, (number, 1)), axis=1)[:, ends[:-1] * len(family) // length]
        for family in (_SERA, _ROUGE)
    )
    return sera, rouge, np.diff(ends) / length


def exchanged_effects(
    universe: Universe, cells: Cells, systems: Sequence[str], exchanges: Exchanges
) -> np.ndarray:
    """The effects of *SERA above ROUGE* with exchanged scores, (exchange, coefficient).

    ``systems`` are those of ``exchanges``.
    """
    scores = universe_scores(universe, cells)
    x = scores.stack(METRICS)
    places = [systems.index(name) for name in scores.systems]
    return correlate_exchanges(x, scores.metric(AGAINST), universe["level"], exchanges.select_systems(places))


def correlate_exchanges(x: np.ndarray, y: np.ndarray, level: str, exchanges: Exchanges) -> np.ndarray:
    """SERA's mean correlation minus ROUGE's, with exchanged scores, (exchange, coefficient).

    ``x`` has the scores by `claims.METRICS`, (metric, topic, system), ``y`` the judgements, (topic, system).
    A summary counts if Pyramid and all metrics define its score, at the system level a topic if this is true
    of all its summaries. If the effect without an exchange is undefined, all are.
    """
    if level == "system":
        mask = complete_topics(y, *x)
        x, y = (mean_scores(part[..., mask, :])[..., None, :] for part in (x, y))
    topic, system = np.nonzero(~np.isnan(y) & ~np.isnan(x).any(axis=0))
    if not len(topic):
        return np.full((len(exchanges.sera), len(CORRELATIONS)), np.nan)
    x, y = x[:, topic, system], y[topic, system]
    # the summaries that a coefficient is over
    sets = [np.arange(len(y))] if level == "global" else [topic == number for number in np.unique(topic)]
    for part in sets:
        x[:, part] = _standardise(x[:, part])
    sera_means, rouge_means = (
        average_defined(np.stack([coefficients(merge_ties(side[..., part], 1), y[part]) for part in sets]))
        for side in _exchange_scores(x, topic, system, exchanges)
    )
    differences = (sera_means - rouge_means)[..., : len(CORRELATIONS)]  # (exchange, pair, coefficient)
    result = np.round(np.einsum("p,epc->ec", exchanges.weights, differences), 12)
    result[:, np.isnan(result[0])] = np.nan
    return result


def _exchange_scores(
    x: np.ndarray, topic: np.ndarray, system: np.ndarray, exchanges: Exchanges
) -> tuple[np.ndarray, np.ndarray]:
    """The exchanged scores of each pair's SERA and ROUGE metric, both (exchange, pair, summary).

    ``x`` has the standardised scores, (metric, summary), of the summaries' topics and systems.
    """
    sera, rouge = x[exchanges.sera], x[exchanges.rouge]
    shifts = _compute_shifts(x, topic, system, exchanges)
    row = np.arange(len(shifts))[:, None]
    half = (sera - rouge) / 2
    apart = half + shifts[row, exchanges.rouge] - shifts[row, exchanges.sera]
    number = len(np.unique(system))
    if number > 2:  # of fewer, there is no correlation
        apart[1:] *= np.sqrt(number / (number - 2))
    change = apart - half  # exactly 0 without an exchange, so that ties stay
    return sera + change, rouge - change


def _standardise(scores: np.ndarray) -> np.ndarray:
    """Scores with mean 0 and standard deviation 1 along the last axis; 0 where all are equal."""
    deviations = scores - scores.mean(axis=-1, keepdims=True)
    spread = deviations.std(axis=-1, keepdims=True)
    different = np.ptp(scores, axis=-1, keepdims=True) > 0
    return np.where(different, deviations / np.where(different, spread, 1), 0)


def _compute_shifts(x: np.ndarray, topic: np.ndarray, system: np.ndarray, exchanges: Exchanges) -> np.ndarray:
    """What each exchange moves of a metric's scores to the other family, (exchange, metric, summary).

    The parts are those of least squares, so that summaries may be missing; if none is, they are the means.
    """
    topics, systems = exchanges.topics.shape[1], exchanges.systems.shape[1]
    design = np.hstack([topic[:, None] == np.arange(topics), system[:, None] == np.arange(systems)])
    fit = np.linalg.pinv(design.astype(float))  # (topic or system, summary)
    parts = x @ fit.T
    rests = exchanges.rests[:, None, topic, system] * (x - parts @ design.T)
    moving_parts = np.hstack([exchanges.topics, exchanges.systems])[:, None] * parts
    return (moving_parts - rests @ fit.T) @ design.T + rests


def exchange_table(found: np.ndarray, weights: np.ndarray) -> pd.DataFrame:
    """A row per coefficient, with the columns of `null_table` for exchanges of scores.

    ``undefined`` counts the universes without an own effect.
    """
    names = {"permutations": "exchanges", "null_median": "exchanged_median", "null_share": "exchanged_share"}
    table = null_table(found, weights, _OF_HEADLINE).rename(columns=names)
    return table.assign(undefined=np.isnan(found[:, 0]).sum(axis=0))
