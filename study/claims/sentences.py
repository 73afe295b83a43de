"""The effects of the paper's claims that tables and the multiverse decide.

Each is the coefficient that a sentence calls higher, less the other; ``study/resources/claims.tsv`` has the
sentences and the effects in words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from sera.resources import lines

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


Effect = Callable[[CoefficientTable], np.ndarray]
"""Positive if the claim holds; tied values have an effect of 0, and NaN is undefined."""


QUERIES, CUTOFFS, MEASURES = ("", "-KW", "-NP"), (5, 10), ("1", "2", "3", "L", "S", "SU", "W-1.2")


def sera(*queries: str, dis: tuple[str, ...] = ("", "-DIS"), cutoffs: tuple[int, ...] = CUTOFFS) -> list[str]:
    """The variants of SERA with these queries, in the order of Table 2."""
    return [f"SERA{d}{query}-{cutoff}" for d in dis for query in queries for cutoff in cutoffs]


def rouge(*measures: str, sides: str = "FPR") -> list[str]:
    """The variants of these measures of ROUGE, in the order of Table 2."""
    return [f"ROUGE-{measure}-{side}" for measure in measures for side in sides]


ROUGE = tuple(rouge(*MEASURES))  # the variants of ROUGE in Table 2
SERA = tuple(sera(*QUERIES))  # the variants of SERA in Table 2
_PLAIN, _KW, _NP = sera(""), sera("-KW"), sera("-NP")
_UNDISCOUNTED, _DISCOUNTED = ("",), ("-DIS",)
_ROUGE_23 = ["ROUGE-2-F", "ROUGE-3-F"]


_Reduction = Callable[[np.ndarray], Any]  # of the first axis
_mean: _Reduction = partial(np.mean, axis=0)
_median: _Reduction = partial(np.median, axis=0)
_highest: _Reduction = partial(np.max, axis=0)
_lowest: _Reduction = partial(np.min, axis=0)


def _all_but(metrics: tuple[str, ...], *exceptions: str) -> list[str]:
    return [name for name in metrics if name not in exceptions]


def _means_by_cutoff(t: CoefficientTable) -> dict[int, np.ndarray]:
    """The mean of the six variants of SERA at each cut-off of the table."""
    shapes = [re.fullmatch(r"SERA(-DIS)?(-KW|-NP)?-([0-9]+)", name) for name, other in t.values if not other]
    cutoffs = sorted({int(shape[3]) for shape in shapes if shape})
    return {cutoff: _mean(t.get(sera(*QUERIES, cutoffs=(cutoff,)))) for cutoff in cutoffs}


def _fall_with_cutoff(t: CoefficientTable) -> np.ndarray:
    means = _means_by_cutoff(t)
    if len(means) < 2:
        return np.asarray(np.nan)
    values = np.stack(list(means.values()))
    slope = np.polyfit(list(means), values.reshape(len(means), -1), 1)[0]
    return -10 * slope.reshape(values.shape[1:])


def _lead_of_cutoffs_5_and_10(t: CoefficientTable) -> np.ndarray:
    means = _means_by_cutoff(t)
    others = [mean for cutoff, mean in means.items() if cutoff not in CUTOFFS]
    paper_means = [_mean(t.get(sera(*QUERIES, cutoffs=(cutoff,)))) for cutoff in CUTOFFS]
    return np.minimum(*paper_means) - np.max(others, axis=0) if others else np.asarray(np.nan)


def _smaller_step_of_rouge_n(t: CoefficientTable) -> np.ndarray:
    one, two, three = (_mean(t.get(rouge(n))) for n in "123")
    return np.minimum(three - two, two - one)


def _gain_by_discounting(t: CoefficientTable, *queries: str) -> np.ndarray:
    return _mean(t.get(sera(*queries, dis=_DISCOUNTED))) - _mean(t.get(sera(*queries, dis=_UNDISCOUNTED)))


# Cohan & Goharian (2016) on Table 2; the multiverse decides these. Where a sentence leaves the side of ROUGE
# open, it is read over all three or over one of them.
#
# What the paper calls weak or high decides the limits, by rho, which it calls more reliable than r here
# (5.2). It calls ROUGE-1, ROUGE-L and ROUGE-W weak (5.2): the highest mean of the three sides is ROUGE-W's,
# .512. It calls the KW variants of SERA "highly correlated" (5.3): the lowest is SERA-KW-10's, .618.

_EFFECTS_ON_TABLE_2: dict[str, Effect] = {
    "sera_above_rouge": lambda t: _mean(t.get(SERA)) - _mean(t.side_values(ROUGE)),
    "best_sera_above_best_rouge": lambda t: _highest(t.get(SERA)) - _highest(t.side_values(ROUGE)),
    "sera_5_above_most_rouge": lambda t: t("SERA-5") - _median(t.get(ROUGE)),
    "sera_5_above_every_rouge": lambda t: t("SERA-5") - _highest(t.get(ROUGE)),
    "sera_steadier_than_rouge": lambda t: np.std(t.side_values(ROUGE), axis=0) - np.std(t.get(SERA), axis=0),
    "rouge_2_3_above_1_l": lambda t: (
        np.minimum(*(_mean(t.side_values(rouge(n))) for n in "23"))
        - np.maximum(*(_mean(t.side_values(rouge(n))) for n in "1L"))
    ),
    "rouge_1_l_lowest": lambda t: (
        _lowest(t.get(rouge("2", "3", "S", "SU", "W-1.2", sides="F")))
        - _highest(t.get(rouge("1", "L", sides="F")))
    ),
    "rouge_3_highest": lambda t: (
        _highest(t.get(rouge("3"))) - _highest(t.get([*_all_but(ROUGE, *rouge("3")), *SERA]))
    ),
    "np_above_plain": lambda t: _mean(t.get(_NP)) - _mean(t.get(_PLAIN)),
    "kw_above_plain": lambda t: _mean(t.get(_KW)) - _mean(t.get(_PLAIN)),
    "np_5_best_of_sera": lambda t: t("SERA-NP-5") - _highest(t.get(_all_but(SERA, "SERA-NP-5"))),
    "dis_np_10_best_of_sera": lambda t: (
        t("SERA-DIS-NP-10") - _highest(t.get(_all_but(SERA, "SERA-DIS-NP-10")))
    ),
    "dis_kw_above_kw": lambda t: _gain_by_discounting(t, "-KW"),
    "dis_np_above_plain": lambda t: (
        _mean(t.get(sera("-NP", dis=_DISCOUNTED))) - _mean(t.get(sera("", dis=_UNDISCOUNTED)))
    ),
    "dis_helps_reduced_queries_more": lambda t: (
        _gain_by_discounting(t, "-NP", "-KW")
        - _mean(t.get(sera("", dis=_DISCOUNTED)))
        + _mean(t.get(sera("", dis=_UNDISCOUNTED)))
    ),
    "cutoff_5_above_10": lambda t: (
        _mean(t.get(sera(*QUERIES, cutoffs=(5,)))) - _mean(t.get(sera(*QUERIES, cutoffs=(10,))))
    ),
    "rouge_weak": lambda t: 0.512 - _mean(t.get(rouge("1", "L"))),
    "sera_high": lambda t: _mean(t.get(SERA)) - 0.618,
    "sera_consistently_high": lambda t: _lowest(t.get(SERA)) - 0.617,
}

# Cohan & Goharian (2016) on Table 3 and Figure 1, and more on Table 2. Where the paper says "high", "strong"
# or "weak" without a number, 0.7 is the limit.

_MORE_EFFECTS: dict[str, Effect] = {
    "np_5_highest_of_sera": lambda t: t("SERA-NP-5") - _highest(t.get(_all_but(SERA, "SERA-NP-5"))),
    "kw_no_gain_undiscounted": lambda t: (
        _mean(t.get(sera("", dis=_UNDISCOUNTED))) - _mean(t.get(sera("-KW", dis=_UNDISCOUNTED)))
    ),
    "higher_ngrams_better": _smaller_step_of_rouge_n,
    "rouge_l_w_weak": lambda t: 0.7 - np.maximum(*(_mean(t.get(rouge(n))) for n in ("L", "W-1.2"))),
    "rouge_s_su_suboptimal": lambda t: (
        _highest(t.get(rouge("1", "2", "3", "L", "W-1.2"))) - _highest(t.get(rouge("S", "SU")))
    ),
    "not_strong_with_rouge": lambda t: 0.7 - _median(t.get(SERA, _ROUGE_23)),
    "kw_alone_high_with_rouge": lambda t: (
        _lowest(t.get(_KW, _ROUGE_23)) - _highest(t.get(sera("", "-NP"), _ROUGE_23))
    ),
    "kw_higher_with_rouge": lambda t: _mean(t.get(_KW, _ROUGE_23)) - _mean(t.get([*_PLAIN, *_NP], _ROUGE_23)),
    "kw_high_with_pyramid": lambda t: _mean(t.get(_KW)) - 0.7,
    "falls_with_cutoff": _fall_with_cutoff,
    "cutoffs_5_10_best": _lead_of_cutoffs_5_and_10,
}


class Claim(NamedTuple):
    """A sentence of Cohan & Goharian (2016), Revisiting Summarization Evaluation for Scientific Articles.

    ``quote`` is a quotation, with … for omissions, and ``compared`` the effect in words. ``coefficients`` are
    those by which the claim is made.
    """

    name: str
    section: str
    coefficients: tuple[str, ...]
    quote: str
    compared: str
    effect: Effect


def _claims(effects: Mapping[str, Effect]) -> tuple[Claim, ...]:
    """The claims with these effects, with their sentences in ``study/resources/claims.tsv``."""
    rows = {row[0]: row[1:] for row in (line.split("\t") for line in lines("claims.tsv", "study.resources"))}
    return tuple(
        Claim(name, section, tuple(coefficients.split()), quote, comparison, effect)
        for name, effect in effects.items()
        for section, coefficients, quote, comparison in [rows[name]]
    )


CLAIMS_ON_TABLE_2, MORE_CLAIMS = _claims(_EFFECTS_ON_TABLE_2), _claims(_MORE_EFFECTS)
