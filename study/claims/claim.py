"""A claim: a sentence of the paper, and a function of coefficients that decides it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from sera.evaluation.coefficients import CORRELATIONS

SIDES = {"all": "FPR", "F": "F", "P": "P", "R": "R"}
"""The sides of ROUGE over which a claim is read: F, precision and recall."""

EFFECT_DIGITS = 12
"""Decimals of an effect; smaller differences are rounding errors."""


class AbsentScores(LookupError):
    """A claim needs a metric, or a pair of metrics, that the table of coefficients lacks."""


@dataclass(frozen=True)
class CoefficientTable:
    """The coefficients that a claim is about.

    ``value`` returns the coefficient of a metric with the judgement, or of a metric with another, as a number
    or an array (the same shape for all), and raises `AbsentScores`. ``metrics`` are the metrics of the table.
    ``side`` is one of `SIDES`.
    """

    value: Callable[[str, str | None], np.ndarray | float]
    metrics: Sequence[str] = ()
    side: str = "all"

    def __call__(self, metric: str) -> np.ndarray:
        """The coefficient of a metric with the judgement."""
        return np.asarray(self.value(metric, None), float)

    def get(self, metrics: Sequence[str], others: Sequence[str] = ()) -> np.ndarray:
        """The coefficients of metrics with the judgement, or with each of ``others``, on the first axis."""
        return np.array([self.value(name, other) for name in metrics for other in others or (None,)], float)

    def side_values(self, rouge: Sequence[str]) -> np.ndarray:
        """The coefficients of the variants of ROUGE on the table's side."""
        return self.get([name for name in rouge if name[-1] in SIDES[self.side]])


@dataclass(frozen=True)
class Claim:
    """A sentence of Cohan & Goharian (2016), Revisiting Summarization Evaluation for Scientific Articles.

    ``effect`` is positive if the claim holds; a tie is no difference, and NaN is undefined. ``quote`` is a
    quotation, with … for omissions, and ``compared`` the effect in words. ``coefficients`` are those by which
    the claim is made.
    """

    name: str
    quote: str
    compared: str
    effect: Callable[[CoefficientTable], np.ndarray]
    section: str = ""
    coefficients: tuple[str, ...] = CORRELATIONS
