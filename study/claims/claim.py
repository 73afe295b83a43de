"""A claim: a sentence of the paper, and a function of coefficients that decides it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sera.evaluation.coefficients import CORRELATIONS

SIDES = {"all": "FPR", "F": "F", "P": "P", "R": "R"}
"""The sides of ROUGE over which a claim is read: F, precision and recall."""

EFFECT_DIGITS = 12  # decimals of an effect; smaller differences are rounding errors


@dataclass(frozen=True)
class CoefficientTable:
    """The coefficients that a claim is about, numbers or arrays of one shape, by pair of metrics.

    The second of a pair is "" for the judgement. ``side`` is one of `SIDES`. A claim that needs a pair which
    is not there raises KeyError with the pair.
    """

    values: Mapping[tuple[str, str], np.ndarray | float]
    side: str = "all"

    def __call__(self, metric: str) -> np.ndarray:
        """The coefficient of a metric with the judgement."""
        return np.asarray(self.values[metric, ""], float)

    def get(self, metrics: Sequence[str], others: Sequence[str] = ("",)) -> np.ndarray:
        """The coefficients of metrics with the judgement, or with each of ``others``, on the first axis."""
        return np.array([self.values[name, other] for name in metrics for other in others], float)

    def side_values(self, rouge: Sequence[str]) -> np.ndarray:
        """The coefficients of the variants of ROUGE on the table's side."""
        return self.get([name for name in rouge if name[-1] in SIDES[self.side]])


@dataclass(frozen=True)
class Claim:
    """A sentence of Cohan & Goharian (2016), Revisiting Summarization Evaluation for Scientific Articles.

    ``quote`` is a quotation, with … for omissions, and ``compared`` the effect in words. ``effect`` is
    positive if the claim holds; a tie is no difference, and NaN is undefined. ``coefficients`` are those by
    which the claim is made.
    """

    name: str
    section: str
    quote: str
    compared: str
    effect: Callable[[CoefficientTable], np.ndarray]
    coefficients: tuple[str, ...] = CORRELATIONS
