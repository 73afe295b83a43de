"""Tests of whether two metrics' correlations with a judgement differ.

Williams' test compares correlations that share the judgement (Williams 1959; for metrics of summaries Graham
2015). The paired permutation tests of Deutsch et al. (2021) exchange the two metrics' scores: all those of a
system (PERM-SYSTEMS, about other systems), or those of a summary (PERM-BOTH, about these systems). All are
two-sided. p is corrected for many comparisons by Holm's method and by Benjamini and Hochberg's.
"""

import math
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pandas as pd

from sera.defaults import CONFIDENCE
from sera.evaluation.bootstrap import Bootstrap, percentile_intervals
from sera.evaluation.coefficients import COEFFICIENTS, block_coefficients, coefficients
from sera.evaluation.correlate import (
    LEVELS,
    WHY,
    Scores,
    correlation,
    pair_scores,
    why_not_at_level,
)
from sera.evaluation.ties import ROUND_OFF, mean_scores, merge_ties, typical_size
from sera.progress import progress

DIFFERENCE_COLUMNS = [
    *("metric", "other", "against", "level", "coefficient", "systems", "difference", "difference_low"),
    *("difference_high", "permutation_p", "williams_t", "williams_p", "williams_holm", "williams_bh", WHY),
    "permutation_p_same_systems",
]

_AT_ONCE = 2_000_000  # exchanged scores


def williams(first: float, second: float, between: float, number: int) -> tuple[float, float]:
    """Williams' test: t with ``number`` - 3 degrees of freedom, and the two-sided p (Williams 1959).

    ``first`` and ``second`` are the correlations of two metrics with the judgement, ``between`` that of both
    metrics, over a ``number`` of items. NaN for fewer than four, and where the two metrics are identical.
    """
    from scipy import special  # slow to import

    determinant = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    mean = (first + second) / 2
    spread = 2 * (number - 1) / (number - 3) * determinant + mean**2 * (1 - between) ** 3 if number > 3 else 0
    if not spread > ROUND_OFF:
        return np.nan, np.nan
    t = (first - second) * np.sqrt((number - 1) * (1 + between) / spread)
    return float(t), float(2 * special.stdtr(number - 3, -abs(t)))


def smallest_r(items: int, level: float = 0.05) -> float | None:
    """The smallest Pearson's r whose two-sided p is at most ``level``; None for fewer than three items.

    By Student's t with ``items`` - 2 degrees of freedom, for normal scores.
    """
    from scipy import special  # slow to import

    if items < 3:
        return None
    t = float(-special.stdtrit(items - 2, level / 2))
    return t / math.sqrt(items - 2 + t**2)


@cache
def smallest_rho(items: int) -> float | None:
    """The smallest Spearman's rho, without ties, whose two-sided p is at most .05; None if not even 1 is.

    By all orders of up to nine items, by Student's t (`smallest_r`) for more.
    """
    if items < 2:
        return None
    if items > 9:
        return smallest_r(items)
    orders = np.array(list(permutations(range(items))))
    squares = np.square(orders - np.arange(items)).sum(axis=1)
    rho = np.abs(1 - 6 * squares / (items**3 - items))
    values, counts = np.unique(merge_ties(rho, 1), return_counts=True)
    p = counts[::-1].cumsum()[::-1] / len(orders)
    rare = values[p <= 0.05]
    return float(rare[0]) if len(rare) else None


def exchange_systems(systems: int, resamples: int, seed: int) -> np.ndarray:
    """The exchanges of PERM-SYSTEMS, (permutation, 1, system): all, if at most ``resamples``.

    The first one exchanges nothing: the observed scores count as a permutation.
    """
    if 2 ** min(systems, 60) <= resamples:
        return (np.arange(2**systems)[:, None, None] >> np.arange(systems) & 1).astype(bool)
    return exchange_summaries((1, systems), resamples, seed)


def exchange_summaries(shape: tuple[int, int], resamples: int, seed: int, stream: int = 2) -> np.ndarray:
    """Random exchanges for PERM-BOTH of scores of a shape, (permutation, topic, system), after none."""
    random = np.random.default_rng([seed, stream])
    swaps = random.integers(0, 2, size=(resamples, *shape), dtype=bool)
    return np.concatenate([np.zeros_like(swaps[:1]), swaps])


def permutation(
    x: np.ndarray, y: np.ndarray, judgements: np.ndarray, level: str, exchanged: np.ndarray
) -> np.ndarray:
    """`exchange_pairs` of two metrics, (coefficient,), on the summaries with all scores.

    At the system level, these are of complete topics. The observed scores count as one more permutation.
    """
    metrics, judgements, topics = keep_common(np.stack([x, y]), judgements, level)
    exchanged = exchanged[:, topics] if exchanged.shape[1] > 1 else exchanged
    exchanged = np.concatenate([np.zeros_like(exchanged[:1]), exchanged])
    return exchange_pairs(metrics, np.array([[0, 1]]), judgements, level, exchanged)[0]


def keep_common(
    metrics: np.ndarray, judgements: np.ndarray, level: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The summaries with scores by all metrics and a judgement, all others NaN, and which topics stay.

    ``metrics`` is (metric, topic, system), ``judgements`` (topic, system). At the system level, the topics
    are the complete ones, otherwise those with such a summary.
    """
    known = ~np.isnan(metrics.sum(axis=0) + judgements)
    topics = known.all(axis=1) if level == "system" else known.any(axis=1)
    kept, judged = (np.where(known, side, np.nan)[..., topics, :] for side in (metrics, judgements))
    return kept, judged, topics


def exchange_pairs(
    metrics: np.ndarray,
    sides: np.ndarray,
    judgements: np.ndarray,
    level: str,
    exchanged: np.ndarray,
    names: Collection[str] = COEFFICIENTS,
) -> np.ndarray:
    """The two-sided p of `exchange_gaps`, (pair, coefficient), with the same arguments."""
    p = np.full((len(sides), len(COEFFICIENTS)), np.nan)
    for part, gaps in exchange_gaps(metrics, sides, judgements, level, exchanged, names):
        p[part] = share_as_great(np.abs(gaps))
    return p


def share_as_great(gaps: np.ndarray) -> np.ndarray:
    """The share of permutations, (pair, permutation, ...), with at least the gap of the first one.

    Those whose gap is undefined do not count; NaN if that of the first one is.
    """
    as_great = (gaps >= gaps[:, :1] - ROUND_OFF).sum(axis=1)
    share = as_great / np.maximum((~np.isnan(gaps)).sum(axis=1), 1)
    return np.where(np.isnan(gaps[:, 0]), np.nan, share)


def exchange_gaps(
    metrics: np.ndarray,
    sides: np.ndarray,
    judgements: np.ndarray,
    level: str,
    exchanged: np.ndarray,
    names: Collection[str] = COEFFICIENTS,
) -> Iterator[tuple[slice, np.ndarray]]:
    """The differences of two metrics' coefficients when scores are exchanged, for some pairs at a time.

    ``metrics``, (metric, topic, system), and ``judgements``, (topic, system), are of the same summaries;
    ``sides``, (pair, 2), are the metrics of a pair. ``exchanged``, (permutation, 1 or topic, system), is true
    where the two scores, standardised first, are exchanged; the first permutation exchanges nothing.
    Differences are (pair, permutation, coefficient).
    """
    known = ~np.isnan(judgements)
    if not known.any():
        return
    scores, sizes = standardise(metrics, known)
    size = sizes[sides].max(axis=1)[:, None, None]
    chunk = max(1, 2 * _AT_ONCE // judgements.size)
    chunks = [exchanged[start : start + chunk] for start in range(0, len(exchanged), chunk)]
    moves = level == "system" and exchanged.shape[1] > 1
    if moves:
        # not by BLAS, whose sums may differ with the number of cores
        moved = np.concatenate(
            [np.einsum("pts,mts->mps", swaps.astype(float), scores) for swaps in chunks], axis=1
        )
        stays, targets = scores.sum(axis=1)[:, None] - moved, mean_scores(judgements)
    elif level == "system":
        scores, judgements = mean_scores(scores)[:, None], mean_scores(judgements)[None]
    together = max(1, _AT_ONCE // (8 * len(exchanged)))
    for start in range(0, len(sides), together):
        part = slice(start, start + together)
        if moves:
            means = (stays[sides[part]] + moved[sides[part, ::-1]]) / len(known)
            values = coefficients(merge_ties(means, size[part, None]), targets, names=names)
        else:
            pairs = scores[sides[part]]
            pairs = merge_ties(pairs.reshape(len(pairs), -1), size[part, 0]).reshape(pairs.shape)
            parts = [_exchange(pairs, judgements, swaps, names) for swaps in chunks]
            values = np.concatenate(parts, axis=2)
        if (judgements < 0).any():
            values[..., COEFFICIENTS.index("ndcg")] = np.nan
        yield part, values[:, 0] - values[:, 1]


def _exchange(
    pairs: np.ndarray, judgements: np.ndarray, exchanged: np.ndarray, names: Collection[str]
) -> np.ndarray:
    """The mean coefficients over topics of both metrics of each pair, (pair, 2, permutation, coefficient)."""
    # a draw is one of the two scores of each system
    lists = pairs.transpose(2, 0, 1, 3).reshape(len(judgements), len(pairs), -1)
    targets = np.concatenate([judgements, judgements], axis=1)
    own, other = ~exchanged.swapaxes(0, 1), exchanged.swapaxes(0, 1)
    weights = np.concatenate([np.dstack([own, other]), np.dstack([other, own])], axis=1)
    every = np.ones((len(lists), weights.shape[1]))
    values = block_coefficients(lists, targets, weights, every, names=names)
    return values.reshape(len(pairs), 2, len(exchanged), -1)


def standardise(scores: np.ndarray, known: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each metric's scores with mean 0 and standard deviation 1, and their typical size before, (metric,).

    ``known``, (topic, system), marks the scores of ``scores``, (metric, topic, system), that count. The size
    is in the unit of the standardised scores, so that these have the same ties (`sera.evaluation.ties`). Both
    are NaN for a metric whose scores are all tied.
    """
    values = merge_ties(scores[:, known])
    greatest = np.abs(values).max(axis=1, initial=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        values, scores = values / greatest[:, None], scores / greatest[:, None, None]
        spread = np.where(values.max(axis=1) > values.min(axis=1), values.std(axis=1), np.nan)
        standard = (scores - values.mean(axis=1)[:, None, None]) / spread[:, None, None]
    return standard, typical_size(values, axes=1)[:, 0] / spread


def holm(p: np.ndarray) -> np.ndarray:
    """The p of a family of tests, corrected by Holm (1979); a NaN is not a test and stays."""
    corrected = np.full(len(p), np.nan)
    order = np.argsort(p, kind="stable")[: np.count_nonzero(~np.isnan(p))]
    steps = np.maximum.accumulate(np.arange(len(order), 0, -1) * p[order])
    corrected[order] = np.minimum(steps, 1)
    return corrected


def benjamini_hochberg(p: np.ndarray) -> np.ndarray:
    """The p of a family of tests, corrected by Benjamini and Hochberg (1995); a NaN stays, as in `holm`."""
    from scipy import stats  # slow to import

    corrected = np.full(len(p), np.nan)
    corrected[~np.isnan(p)] = stats.false_discovery_control(p[~np.isnan(p)])
    return corrected


def differences(
    scores: Scores,
    pairs: Sequence[tuple[str, str]],
    against: str,
    *,
    levels: Sequence[str] = ("system", "summary"),
    bootstrap: Bootstrap | None = None,
    confidence: float = CONFIDENCE,
    names: Collection[str] = COEFFICIENTS,
    same_systems: bool = False,
) -> pd.DataFrame:
    """The coefficient of each pair's first metric less that of its second, with intervals and tests.

    A row per pair, level and coefficient of ``names``. All three sides are of the same summaries.
    ``bootstrap`` draws systems if not given; ``confidence`` is in percent. ``permutation_p`` is of
    PERM-SYSTEMS, exact if there are at most as many exchanges as resamples; ``same_systems`` adds p of
    PERM-BOTH, which holds for these systems only. Williams' test is for Pearson's r alone (at the summary
    level for the mean r, with the systems as items).
    """
    bootstrap, z = bootstrap or Bootstrap(), scores.metric(against)
    alike: dict[tuple[str, bytes], list[int]] = {}  # pairs on the same summaries
    for level, (place, pair) in product(levels, enumerate(pairs)):
        known = ~np.isnan(scores.stack(pair).sum(axis=0) + z)
        known &= known.all(axis=1, keepdims=True) | (level != "system")
        alike.setdefault((level, known.tobytes()), []).append(place)
    rows: dict[tuple[int, str], list[tuple[Any, ...]]] = {}
    swaps = exchange_summaries(z.shape, bootstrap.resamples, bootstrap.seed) if same_systems else None
    for (level, mask), places in progress(list(alike.items()), f"metrics compared ({against})"):
        known = np.frombuffer(mask, bool).reshape(z.shape)
        topics = known.any(axis=1) | (level != "system")
        metrics = list(dict.fromkeys(name for place in places for name in pairs[place]))
        stack, judged = (np.where(known, side, np.nan)[..., topics, :] for side in (scores.stack(metrics), z))
        sides = np.array([[metrics.index(name) for name in pairs[place]] for place in places])
        values = np.full((len(metrics), len(COEFFICIENTS)), np.nan)
        ends, p = np.full((len(COEFFICIENTS), len(places), 2), np.nan), values[sides[:, 0]]
        same_p = p
        if len(judged):
            values = correlation(stack, judged, level, names=names)
            draws = correlation(stack, judged, level, **bootstrap.draw(judged), names=names)
            exchanged = exchange_systems(judged.shape[1], bootstrap.resamples, bootstrap.seed)
            p = exchange_pairs(stack, sides, judged, level, exchanged, names)
            if swaps is not None:
                same_p = exchange_pairs(stack, sides, judged, level, swaps[:, topics], names)
            for number in map(COEFFICIENTS.index, names):
                own_draws = draws[:, :, number]
                ends[number] = percentile_intervals(
                    own_draws[:, sides[:, 0]] - own_draws[:, sides[:, 1]], confidence
                )
        for number, (place, (x, y)) in enumerate(zip(places, sides, strict=True)):
            difference, why, t, williams_p = values[x] - values[y], "", np.nan, np.nan
            if np.isnan(values[[x, y]]).all(axis=1).any():
                alone = [(*pair_scores(scores, name, against, level), name) for name in pairs[place]]
                undefined = [each for each in alone if np.isnan(correlation(*each[:2], level)).all()]
                # each alone may be defined, and not on the summaries that both score
                undefined = undefined or [(stack[side], judged, metrics[side]) for side in (x, y)]
                reasons = dict.fromkeys(why_not_at_level(*each, against, level) for each in undefined)
                why = no_test = "; ".join(reasons)
            elif "pearson" in names:
                between = correlation(stack[x], stack[y], level, names=["pearson"])[0]
                t, williams_p = williams(values[x, 0], values[y, 0], between, judged.shape[1])
                same = "the two metrics' scores are the same but for their scale"
                no_test = f"Williams' test: {'fewer than four systems' if judged.shape[1] < 4 else same}"
            for name in names:
                column = COEFFICIENTS.index(name)
                bounds = ends[column, number] if not np.isnan(difference[column]) else (np.nan, np.nan)
                row = (*pairs[place], against, level, name, judged.shape[1], difference[column], *bounds)
                test = (
                    (t, williams_p, no_test if np.isnan(t) else "")
                    if name == "pearson"
                    else (np.nan, np.nan, why)
                )
                rows.setdefault((place, level), []).append(
                    (*row, p[number, column], *test, same_p[number, column])
                )
    ordered = [row for place in range(len(pairs)) for level in levels for row in rows[place, level]]
    columns = [name for name in DIFFERENCE_COLUMNS if name not in ("williams_holm", "williams_bh")]
    return pd.DataFrame(ordered, columns=columns)


def compare(
    scores: Scores,
    metrics: Sequence[str],
    against: str,
    *,
    bootstrap: Bootstrap | None = None,
    confidence: float = CONFIDENCE,
) -> pd.DataFrame:
    """The `differences` of every pair of metrics, with all tests of significance.

    Williams' p is corrected for as many tests as there are pairs. All pairs share the same exchanges.
    """
    drawn: dict[str, Any] = {"bootstrap": bootstrap, "confidence": confidence}
    table = differences(scores, list(combinations(metrics, 2)), against, same_systems=True, **drawn)
    families = table.groupby(["level", "coefficient"])["williams_p"]
    for name, correction in (("holm", holm), ("bh", benjamini_hochberg)):
        table[f"williams_{name}"] = families.transform(lambda p, correct=correction: correct(p.to_numpy()))
    return table[DIFFERENCE_COLUMNS].sort_values(
        ["level", "coefficient"],
        key=lambda column: column.map([*LEVELS, *COEFFICIENTS].index),
        kind="stable",
        ignore_index=True,
    )
