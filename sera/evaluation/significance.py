"""Tests of whether two metrics' correlations with a judgement differ.

Williams' test compares correlations that share the judgement (Williams 1959; for metrics of summaries Graham
2015). The paired permutation test exchanges the two metrics' scores of a summary (PERM-BOTH of Deutsch et al.
2021). Both are two-sided. p is corrected for many comparisons by Holm's method and by Benjamini and
Hochberg's.
"""

import math
from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations, product

import numpy as np
import pandas as pd

from sera.defaults import CONFIDENCE, RESAMPLES, SEED
from sera.evaluation.bootstrap import Bootstrap, percentile_intervals
from sera.evaluation.coefficients import COEFFICIENTS, coefficients
from sera.evaluation.correlate import (
    LEVELS,
    WHY,
    Scores,
    average_defined,
    complete_topics,
    correlation,
    why_not_at_level,
)
from sera.evaluation.ties import ROUND_OFF, mean_scores, merge_ties, typical_size
from sera.progress import progress

DIFFERENCE_COLUMNS = [
    *("metric", "other", "against", "level", "coefficient", "systems", "difference", "difference_low"),
    *("difference_high", "williams_t", "williams_p", "williams_holm", "williams_bh", WHY),
    "permutation_p_same_systems",
]


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


def permutation(
    x: np.ndarray, y: np.ndarray, judgements: np.ndarray, level: str, exchanged: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The permutation test: p of each coefficient, and the number of permutations that left it undefined.

    ``x``, ``y`` and ``judgements`` are scores, (topic, system). ``exchanged``, (permutation, topic, system),
    is true for summaries whose two scores, standardised first, are exchanged. p is the share of permutations
    whose difference is at least as large as the observed one, which counts as one of them.
    """
    x, y, judgements = _common_scores(x, y, judgements, level)
    known = ~np.isnan(judgements)
    size = 0.0
    if known.any():
        both, sizes = standardise(np.stack([x, y]), known)
        size = sizes.max()
        x, y = merge_ties(both.ravel(), size).reshape(both.shape)
    observed, differences = (
        np.abs(
            _exchange(x, y, judgements, level, swaps, size) - _exchange(y, x, judgements, level, swaps, size)
        )
        for swaps in (np.zeros((1, *judgements.shape), bool), exchanged)
    )
    observed = observed[0]
    as_great = (differences >= observed - ROUND_OFF).sum(axis=0)
    undefined = np.isnan(differences).sum(axis=0)
    p = (1 + as_great) / (1 + len(exchanged) - undefined)
    return np.where(np.isnan(observed), np.nan, p), undefined


def _common_scores(
    x: np.ndarray, y: np.ndarray, judgements: np.ndarray, level: str
) -> tuple[np.ndarray, ...]:
    if level == "system":
        topics = complete_topics(x, y, judgements)
        x, y, judgements = x[topics], y[topics], judgements[topics]
    known = ~np.isnan(x + y + judgements)
    return tuple(np.where(known, side, np.nan) for side in (x, y, judgements))


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


def _why_not(scores: Scores, names: Sequence[str], against: str, level: str) -> str:
    first, second = names
    *sides, z = _common_scores(scores.metric(first), scores.metric(second), scores.metric(against), level)
    reasons = [
        why_not_at_level(side, z, name, against, level)
        for name, side in zip(names, sides, strict=True)
        if np.isnan(correlation(side, z, level)[0])
    ]
    return "; ".join(dict.fromkeys(reasons))


def _exchange(
    x: np.ndarray, y: np.ndarray, judgements: np.ndarray, level: str, exchanged: np.ndarray, size: float
) -> np.ndarray:
    """The coefficients of ``x`` where exchanged scores are those of ``y``, (permutation, coefficient)."""
    topics = (np.where(swap, *scores) for swap, *scores in zip(exchanged.swapaxes(0, 1), y, x, strict=False))
    if level == "system":
        total = np.zeros((len(exchanged), x.shape[1]))
        for scores in topics:
            total += scores
        with np.errstate(invalid="ignore"):
            values = coefficients(merge_ties(total / len(x), size), mean_scores(judgements))
    else:
        topic_values = [
            coefficients(scores, targets) for scores, targets in zip(topics, judgements, strict=True)
        ]
        values = average_defined(np.stack(topic_values))
    if (judgements < 0).any():
        values[:, COEFFICIENTS.index("ndcg")] = np.nan
    return values


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
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    seed: int = SEED,
) -> pd.DataFrame:
    """The coefficient of each pair's first metric less that of its second, with intervals and Williams' p.

    A row per pair, level and coefficient. All three sides are of the same summaries. The bootstrap interval
    resamples systems and topics; ``confidence`` is in percent. Williams' test is for Pearson's r alone (at
    the summary level for the mean r, with the systems as items).
    """
    judgements = scores.metric(against)
    bootstrap = Bootstrap("both", resamples, seed)
    rows = []
    for (metric, other), level in product(pairs, levels):
        x, y, z = _common_scores(scores.metric(metric), scores.metric(other), judgements, level)
        both, systems = np.stack([x, y]), x.shape[1]
        own = correlation(both, z, level) if len(z) else np.full((2, len(COEFFICIENTS)), np.nan)
        ends = np.full((len(COEFFICIENTS), 2), np.nan)
        t = p = np.nan
        if np.isnan(own[:, 0]).any():
            why = no_test = _why_not(scores, (metric, other), against, level)
        else:
            draws = correlation(both, z, level, **bootstrap.draw(z))
            ends = percentile_intervals(draws[:, 0] - draws[:, 1], confidence)
            t, p = williams(own[0, 0], own[1, 0], correlation(x, y, level)[0], systems)
            same = "the two metrics' scores are the same but for their scale"
            why, no_test = "", f"Williams' test: {'fewer than four systems' if systems < 4 else same}"
        for name, difference, (low, high) in zip(COEFFICIENTS, own[0] - own[1], ends, strict=True):
            row = (metric, other, against, level, name, systems, difference, low, high)
            test = (t, p, no_test if np.isnan(t) else "") if name == "pearson" else (np.nan, np.nan, why)
            rows.append((*row, *test))
    return pd.DataFrame(rows, columns=[*DIFFERENCE_COLUMNS[:9], "williams_t", "williams_p", WHY])


def compare(
    scores: Scores,
    metrics: Sequence[str],
    against: str,
    *,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    seed: int = SEED,
) -> pd.DataFrame:
    """The `differences` of every pair of metrics, with tests of significance.

    Williams' p is corrected for as many tests as there are pairs. The permutation test is about the same
    systems only; all pairs share the same exchanges.
    """
    judgements = scores.metric(against)
    random = np.random.default_rng([seed, 2])
    swaps = random.integers(0, 2, size=(resamples, *judgements.shape), dtype=bool)
    parts = []
    pairs = list(combinations(metrics, 2))
    for pair in progress(pairs, f"pairs of metrics compared ({against})"):
        part = differences(scores, [pair], against, resamples=resamples, confidence=confidence, seed=seed)
        x, y = map(scores.metric, pair)
        p = [permutation(x, y, judgements, level, swaps)[0] for level in ("system", "summary")]
        parts.append(part.assign(permutation_p_same_systems=np.concatenate(p)))
    table = pd.concat(parts) if parts else pd.DataFrame(columns=DIFFERENCE_COLUMNS)
    families = table.groupby(["level", "coefficient"])["williams_p"]
    for name, correction in (("holm", holm), ("bh", benjamini_hochberg)):
        table[f"williams_{name}"] = families.transform(lambda p, correct=correction: correct(p.to_numpy()))
    return table[DIFFERENCE_COLUMNS].sort_values(
        ["level", "coefficient"],
        key=lambda column: column.map([*LEVELS, *COEFFICIENTS].index),
        kind="stable",
        ignore_index=True,
    )
