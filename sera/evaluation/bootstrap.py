"""The bootstrap: draws of topics and of systems with replacement, and percentile intervals."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from sera.defaults import BOOTSTRAP, RESAMPLES, SEED
from sera.settings import one_of, whole

BOOTSTRAPS = ("systems", "topics", "both")
RESAMPLED = {"systems": "systems", "topics": "topics", "both": "systems and topics"}
"""What each bootstrap resamples, in words: its intervals are for other systems and as many topics as in the
data; for these systems; and an upper bound for other systems and topics."""

MOST_RESAMPLES, MOST_SEED = 10**6, 2**63 - 1


def resample_counts(number: int, resamples: int, seed: int | list[int]) -> np.ndarray:
    """How often each of a number of items, at least 1, is drawn with replacement, (resample, item)."""
    random = np.random.default_rng(seed)
    return random.multinomial(number, np.full(number, 1 / number), size=resamples)


@dataclass(frozen=True)
class Bootstrap:
    """The draws of a bootstrap: of ``systems``, of ``topics`` or of ``both`` (Deutsch et al. 2021).

    All pairs of metrics share the same draws, so intervals of different metrics can be compared. InputError
    if a setting is out of its range.
    """

    draws: str = BOOTSTRAP
    resamples: int = RESAMPLES
    seed: int = SEED
    _known: dict[tuple[str, int], np.ndarray] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        one_of("bootstrap", self.draws, BOOTSTRAPS)
        whole("resamples", self.resamples, 1, MOST_RESAMPLES)
        whole("seed", self.seed, 0, MOST_SEED)

    def draw(self, scores: np.ndarray) -> dict[str, np.ndarray]:
        """The draws of scores, (..., topic, system), as arguments ``topics`` and ``systems``."""
        *_, topics, systems = scores.shape
        return {"topics": self.draw_topics(topics), "systems": self.draw_systems(systems)}

    def draw_topics(self, number: int) -> np.ndarray:
        """How often each topic is drawn, (resample, topic)."""
        return self._draw("topics", number, self.seed)

    def draw_systems(self, number: int) -> np.ndarray:
        """How often each system is drawn, (resample, system)."""
        return self._draw("systems", number, [self.seed, 1])

    def _draw(self, what: str, number: int, seed: int | list[int]) -> np.ndarray:
        if (what, number) not in self._known:
            draws = np.ones((self.resamples, number), np.int64)
            if number and self.draws in (what, "both"):
                draws = resample_counts(number, self.resamples, seed)
            self._known[what, number] = draws
        return self._known[what, number]


def percentile_intervals(values: np.ndarray, confidence: float) -> np.ndarray:
    """The percentile interval of each column of resampled values, (resample, column), as (column, 2).

    ``confidence`` percent, 0 to 100, of the values are between its ends (Efron & Tibshirani 1993, section
    13.3; NumPy's linear interpolation). NaN are left out; both ends are NaN if all values are.
    """
    if not len(values):
        return np.full((values.shape[1], 2), np.nan)
    ascending = np.sort(values.T, axis=-1)  # NaN last
    last = (~np.isnan(ascending)).sum(axis=-1, keepdims=True) - 1
    places = np.array([100 - confidence, 100 + confidence]) / 2 / 100 * np.maximum(last, 0)
    below = np.floor(places).astype(int)
    low, high = (
        np.take_along_axis(ascending, np.minimum(side, np.maximum(last, 0)), axis=-1)
        for side in (below, below + 1)
    )
    part, gap = places - below, high - low
    return np.where(part < 0.5, low + gap * part, high - gap * (1 - part))


def percentile_interval(values: np.ndarray, confidence: float) -> tuple[float, float]:
    """The interval of `percentile_intervals`, (low, high), of one list of resampled values, (resample,)."""
    low, high = percentile_intervals(values[:, None], confidence)[0].tolist()
    return low, high


def interval_columns(name: str, values: np.ndarray, confidence: float) -> dict[str, float]:
    """`percentile_interval` as the columns ``<name>_low`` and ``<name>_high`` of a table."""
    return dict(zip((f"{name}_low", f"{name}_high"), percentile_interval(values, confidence), strict=True))
