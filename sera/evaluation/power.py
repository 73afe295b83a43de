"""How many topics and systems would decide a difference: power, by resampling the scores.

`metric_power`: with how many topics and systems a test finds that one metric correlates higher than another
with the judgement.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from sera.compiled import compiled
from sera.evaluation.coefficients import COEFFICIENTS, CORRELATIONS, coefficients
from sera.evaluation.correlate import Scores, complete_topics
from sera.evaluation.ties import scale_to_unit

DECIDED = 0.05
"""The difference of two correlations whose power is written, and the level of the test."""

WANTED_POWER = 0.8

POWER_COLUMNS = [
    *("against", "coefficient", "topics", "systems", "metrics", "spread", "power", "least_difference"),
    *("topics_known", "systems_known"),
]

_TIMES = (0.5, 1.0, 2.0, 4.0)  # topics and systems, as multiples of those in the scores
_LEAST = 4  # of topics and systems


def metric_power(
    scores: Scores, metrics: Sequence[str], against: str, *, resamples: int = 1000, seed: int = 0
) -> pd.DataFrame:
    """The power to find a difference of `DECIDED` between two metrics' correlations.

    A row per coefficient, number of topics and number of systems, from half to four times those there are.
    For each, ``resamples`` studies of that size draw topics and systems with replacement from the scores, and
    ``spread`` is the standard deviation of the difference of two metrics' system-level correlations over
    these studies, as the median over pairs of ``metrics``. ``power``, 0 to 1, is the chance that a two-sided
    test at .05 finds the difference if it is normal with this spread, and ``least_difference`` is the
    difference that it finds with a chance of .8. Larger numbers extrapolate. Metrics without a
    complete topic are left out; without two metrics, three topics or four systems, there is no row.
    """
    from scipy import special  # slow to import

    judgements = scores.of_metric(against)
    values = {name: scores.of_metric(name) for name in metrics}
    values = {name: x for name, x in values.items() if complete_topics(x, judgements).any()}
    topics = complete_topics(judgements, *values.values())
    systems = len(scores.systems)
    if len(values) < 2 or topics.sum() < 3 or systems < _LEAST:
        return pd.DataFrame(columns=POWER_COLUMNS)
    known = np.stack([judgements, *values.values()])[:, topics]
    known = scale_to_unit(known, axes=2)
    rows = []
    for number in _sizes(int(topics.sum())):
        means = _drawn_means(known, number, resamples, seed)
        for of_systems in _sizes(systems):
            for coefficient, sd in _spread(means, of_systems, seed).items():
                least = sd * (special.ndtri(WANTED_POWER) - special.ndtri(DECIDED / 2))
                power = normal_power(DECIDED, sd)
                found = (against, coefficient, number, of_systems, len(values), sd, power, least)
                rows.append((*found, int(topics.sum()), systems))
    table = pd.DataFrame(rows, columns=POWER_COLUMNS)
    by = table["coefficient"].map(CORRELATIONS.index)
    return table.iloc[by.argsort(kind="stable")].reset_index(drop=True)


def normal_power(difference: float, spread: float) -> float:
    """The power, 0 to 1, of a two-sided test of a normal estimate with a standard deviation ``spread``.

    The level of the test is `DECIDED`.
    """
    from scipy import special  # slow to import

    if not spread > 0:
        return np.nan
    bound = -special.ndtri(DECIDED / 2)
    shift = difference / spread
    return float(special.ndtr(shift - bound) + special.ndtr(-bound - shift))


def _sizes(at_hand: int) -> list[int]:
    return sorted({max(_LEAST, round(times * at_hand)) for times in _TIMES})


def _drawn_means(values: np.ndarray, topics: int, resamples: int, seed: int) -> np.ndarray:
    """The systems' means over drawn topics, (metric, resample, system)."""
    random = np.random.default_rng([seed, 8])
    at_hand = values.shape[1]
    counts = random.multinomial(topics, np.full(at_hand, 1 / at_hand), size=resamples)
    by_topic = np.ascontiguousarray(values.swapaxes(0, 1), np.float64)  # (topic, metric, system)
    sums = _drawn_sums(counts, by_topic.reshape(at_hand, -1))
    return np.ascontiguousarray(sums.reshape(resamples, *by_topic.shape[1:]).swapaxes(0, 1)) / topics


@compiled
def _drawn_sums(counts, values):
    """The sums over drawn topics, (resample, item); ``values`` is (topic, item) without NaN."""
    out = np.zeros((len(counts), values.shape[1]))
    for resample in range(len(counts)):
        sums = out[resample]
        for topic in range(len(values)):
            times, of = counts[resample, topic], values[topic]
            if times:
                for item in range(len(of)):
                    sums[item] += times * of[item]
    return out


def _spread(means: np.ndarray, systems: int, seed: int) -> Mapping[str, float]:
    random = np.random.default_rng([seed, 9])
    at_hand = means.shape[2]
    drawn = random.multinomial(systems, np.full(at_hand, 1 / at_hand), size=means.shape[1])
    judged, by_metrics = means[0], means[1:]
    # (metric, resample, coefficient)
    values = np.stack([coefficients(x, judged, drawn, in_units=True) for x in by_metrics])
    spread = {}
    for name in CORRELATIONS:
        of = values[..., COEFFICIENTS.index(name)]
        with np.errstate(invalid="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # of fewer than two values
            sds = np.concatenate([np.nanstd(mine - of[i + 1 :], axis=1, ddof=1) for i, mine in enumerate(of)])
        spread[name] = float(np.nanmedian(sds)) if not np.isnan(sds).all() else np.nan
    return spread
