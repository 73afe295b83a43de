"""The sentences of the paper that tables and the multiverse decide, each beside its effect.

Each effect is the coefficient that the sentence calls higher, less the other: see `Claim`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

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
    positive if the claim holds; tied values have an effect of 0, and NaN is undefined. ``coefficients`` are
    those by which the claim is made.
    """

    name: str
    section: str
    quote: str
    compared: str
    effect: Callable[[CoefficientTable], np.ndarray]
    coefficients: tuple[str, ...] = CORRELATIONS


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
_RANKS = ("spearman", "kendall")


_Reduction = Callable[[np.ndarray], Any]  # of the first axis
_mean: _Reduction = partial(np.mean, axis=0)
_median: _Reduction = partial(np.median, axis=0)
_highest: _Reduction = partial(np.max, axis=0)
_lowest: _Reduction = partial(np.min, axis=0)


def _all_but(metrics: tuple[str, ...], *left_out: str) -> list[str]:
    return [name for name in metrics if name not in left_out]


def _means_by_cutoff(t: CoefficientTable) -> dict[int, np.ndarray]:
    """The mean of the six variants of SERA at each cut-off of the table."""
    shapes = [re.fullmatch(r"SERA(-DIS)?(-KW|-NP)?-([0-9]+)", name) for name, other in t.values if not other]
    found = sorted({int(shape[3]) for shape in shapes if shape})
    return {cutoff: _mean(t.get(sera(*QUERIES, cutoffs=(cutoff,)))) for cutoff in found}


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
    at_5_and_10 = [_mean(t.get(sera(*QUERIES, cutoffs=(cutoff,)))) for cutoff in CUTOFFS]
    return np.minimum(*at_5_and_10) - np.max(others, axis=0) if others else np.asarray(np.nan)


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

CLAIMS_ON_TABLE_2 = (
    Claim(
        "sera_above_rouge",
        "5.1",
        "In general, SERA shows better correlation with pyramid scores in comparison with ROUGE",
        "mean of the 12 SERA variants less mean of the 21 ROUGE variants, or of the 7 of one side",
        lambda t: _mean(t.get(SERA)) - _mean(t.side_values(ROUGE)),
    ),
    Claim(
        "best_sera_above_best_rouge",
        "7",
        "an alternative and more effective approach",
        "highest of SERA less highest of ROUGE, or of one side of it",
        lambda t: _highest(t.get(SERA)) - _highest(t.side_values(ROUGE)),
        coefficients=_RANKS,
    ),
    Claim(
        "sera_5_above_most_rouge",
        "5.1",
        "SERA with cut-off point of 5 … is higher than most of the ROUGE variants",
        "SERA-5 less median of the ROUGE variants",
        lambda t: t("SERA-5") - _median(t.get(ROUGE)),
    ),
    Claim(
        "sera_5_above_every_rouge",
        "5.1",
        "Spearman and Kendall correlations of the SERA evaluation score … are higher than all ROUGE "
        "correlation values",
        "SERA-5 less highest of ROUGE",
        lambda t: t("SERA-5") - _highest(t.get(ROUGE)),
        coefficients=_RANKS,
    ),
    Claim(
        "sera_steadier_than_rouge",
        "1",
        "the proposed metric achieves higher and more consistent correlations with semi-manual assessment "
        "scores",
        "standard deviation over the ROUGE variants, or those of one side, less that over the SERA variants",
        lambda t: np.std(t.side_values(ROUGE), axis=0) - np.std(t.get(SERA), axis=0),
    ),
    Claim(
        "rouge_2_3_above_1_l",
        "7",
        "ROUGE-2 and ROUGE-3 are better correlated with manual judgments",
        "lower one of ROUGE-2 and ROUGE-3 less higher one of ROUGE-1 and ROUGE-L, each the mean of its sides",
        lambda t: (
            np.minimum(*(_mean(t.side_values(rouge(n))) for n in "23"))
            - np.maximum(*(_mean(t.side_values(rouge(n))) for n in "1L"))
        ),
    ),
    Claim(
        "rouge_1_l_lowest",
        "5.2",
        "The lowest F-score correlations are for ROUGE-1 and ROUGE-L",
        "lowest F of the other five ROUGE measures less higher one of ROUGE-1-F and ROUGE-L-F",
        lambda t: (
            _lowest(t.get(rouge("2", "3", "S", "SU", "W-1.2", sides="F")))
            - _highest(t.get(rouge("1", "L", sides="F")))
        ),
        coefficients=("pearson",),
    ),
    Claim(
        "rouge_3_highest",
        "5.2",
        "the highest overall r is obtained by ROUGE-3",
        "highest of ROUGE-3-F, -P and -R less highest of all other metrics",
        lambda t: _highest(t.get(rouge("3"))) - _highest(t.get([*_all_but(ROUGE, *rouge("3")), *SERA])),
        coefficients=("pearson",),
    ),
    Claim(
        "np_above_plain",
        "5.1",
        "using NP … as heuristics … effectively increases the correlations",
        "mean of the four NP variants less mean of the four plain ones",
        lambda t: _mean(t.get(_NP)) - _mean(t.get(_PLAIN)),
    ),
    Claim(
        "kw_above_plain",
        "5.1",
        "using … KW as heuristics … effectively increases the correlations",
        "mean of the four KW variants less mean of the four plain ones",
        lambda t: _mean(t.get(_KW)) - _mean(t.get(_PLAIN)),
    ),
    Claim(
        "np_5_best_of_sera",
        "5.1",
        "NP without discounting and at cut-off point of 5 (SERA-NP-5) shows the highest non-parametric "
        "correlation",
        "SERA-NP-5 less highest of the other SERA variants",
        lambda t: t("SERA-NP-5") - _highest(t.get(_all_but(SERA, "SERA-NP-5"))),
        coefficients=_RANKS,
    ),
    Claim(
        "dis_np_10_best_of_sera",
        "5.1",
        "the discounted NP at cut-off point of 10 (SERA-NP-DIS-10) shows the highest parametric correlations",
        "SERA-DIS-NP-10 less highest of the other SERA variants",
        lambda t: t("SERA-DIS-NP-10") - _highest(t.get(_all_but(SERA, "SERA-DIS-NP-10"))),
        coefficients=("pearson",),
    ),
    Claim(
        "dis_kw_above_kw",
        "5.1",
        "keywords when applied on the discounted variant of SERA, result in higher correlations",
        "mean of the DIS-KW variants less mean of the KW variants that are not discounted",
        lambda t: _gain_by_discounting(t, "-KW"),
    ),
    Claim(
        "dis_np_above_plain",
        "5.1",
        "In the case of discounting and NP query reformulation (SERA-DIS-NP), we observe higher correlations "
        "in comparison with simple SERA",
        "mean of the DIS-NP variants less mean of SERA-5 and SERA-10",
        lambda t: _mean(t.get(sera("-NP", dis=_DISCOUNTED))) - _mean(t.get(sera("", dis=_UNDISCOUNTED))),
    ),
    Claim(
        "dis_helps_reduced_queries_more",
        "5.1",
        "Discounting has more positive effect when applied on query reformulation-based SERA than on the "
        "simple variant",
        "what discounting adds to the NP and KW variants less what it adds to the plain ones",
        lambda t: (
            _gain_by_discounting(t, "-NP", "-KW")
            - _mean(t.get(sera("", dis=_DISCOUNTED)))
            + _mean(t.get(sera("", dis=_UNDISCOUNTED)))
        ),
    ),
    Claim(
        "cutoff_5_above_10",
        "5.4",
        "as the search cut-off point increases, the correlation with pyramid scores decreases",
        "mean of the six variants at 5 less mean of those at 10",
        lambda t: _mean(t.get(sera(*QUERIES, cutoffs=(5,)))) - _mean(t.get(sera(*QUERIES, cutoffs=(10,)))),
    ),
    Claim(
        "rouge_weak",
        "1",
        "correlations between ROUGE and the Pyramid scores are weak",
        "0.512, the highest mean that the paper calls weak, less the mean of ROUGE-1 and ROUGE-L",
        lambda t: 0.512 - _mean(t.get(rouge("1", "L"))),
        coefficients=("spearman",),
    ),
    Claim(
        "sera_high",
        "abstract",
        "SERA consistently achieves high correlations with manual scores",
        "mean of the 12 SERA variants less 0.618, the lowest that the paper calls high",
        lambda t: _mean(t.get(SERA)) - 0.618,
        coefficients=("spearman",),
    ),
    Claim(
        "sera_consistently_high",
        "abstract",
        "SERA consistently achieves high correlations with manual scores",
        "lowest of the 12 SERA variants less 0.617, since the paper's own lowest is .618",
        lambda t: _lowest(t.get(SERA)) - 0.617,
        coefficients=("spearman",),
    ),
)

# Cohan & Goharian (2016) on Table 3 and Figure 1, and more on Table 2. Where the paper says "high", "strong"
# or "weak" without a number, 0.7 is the limit.

MORE_CLAIMS = (
    Claim(
        "np_5_highest_of_sera",
        "5.1",
        "the Noun Phrases (NP) query reformulation at cut-off point of 5 (shown as SERA-NP-5) achieves the "
        "highest correlations among all the SERA variants",
        "SERA-NP-5 less highest of the other SERA variants",
        lambda t: t("SERA-NP-5") - _highest(t.get(_all_but(SERA, "SERA-NP-5"))),
    ),
    Claim(
        "kw_no_gain_undiscounted",
        "5.1",
        "In the case of Keywords (KW) query reformulation, without using discounting, … there is no positive "
        "gain in correlation",
        "mean of SERA-5 and SERA-10 less mean of SERA-KW-5 and SERA-KW-10",
        lambda t: _mean(t.get(sera("", dis=_UNDISCOUNTED))) - _mean(t.get(sera("-KW", dis=_UNDISCOUNTED))),
    ),
    Claim(
        "higher_ngrams_better",
        "5.2",
        "On higher order n-grams, however, we can see that ROUGE correlates better with pyramid",
        "smaller one of the steps from ROUGE-1 to ROUGE-2 and on to ROUGE-3, each the mean of its sides",
        _smaller_step_of_rouge_n,
    ),
    Claim(
        "rouge_l_w_weak",
        "5.2",
        "ROUGE-L and its weighted version ROUGE-W, both have weak correlations with pyramid",
        "0.7 less higher one of ROUGE-L and ROUGE-W-1.2, each the mean of its sides",
        lambda t: 0.7 - np.maximum(*(_mean(t.get(rouge(measure))) for measure in ("L", "W-1.2"))),
    ),
    Claim(
        "rouge_s_su_suboptimal",
        "5.2",
        "Skip-bigrams (ROUGE-S) and its combination with unigrams (ROUGE-SU) also show sub-optimal "
        "correlations",
        "highest of the other ROUGE variants less highest of ROUGE-S and ROUGE-SU",
        lambda t: _highest(t.get(rouge("1", "2", "3", "L", "W-1.2"))) - _highest(t.get(rouge("S", "SU"))),
    ),
    Claim(
        "not_strong_with_rouge",
        "5.3",
        "in general, the correlation is not strong",
        "0.7 less median of the 12 SERA variants with ROUGE-2-F and ROUGE-3-F",
        lambda t: 0.7 - _median(t.get(SERA, _ROUGE_23)),
    ),
    Claim(
        "kw_alone_high_with_rouge",
        "5.3",
        "Keyword based reduction variants are the only variants for which the correlation with ROUGE is high",
        "with ROUGE-2-F and ROUGE-3-F, lowest of the KW variants less highest of the others",
        lambda t: _lowest(t.get(_KW, _ROUGE_23)) - _highest(t.get(sera("", "-NP"), _ROUGE_23)),
    ),
    Claim(
        "kw_higher_with_rouge",
        "5.3",
        "Keyword based reduction variants are the only variants for which the correlation with ROUGE is high",
        "with ROUGE-2-F and ROUGE-3-F, mean of the KW variants less mean of the others (a weaker reading)",
        lambda t: _mean(t.get(_KW, _ROUGE_23)) - _mean(t.get([*_PLAIN, *_NP], _ROUGE_23)),
    ),
    Claim(
        "kw_high_with_pyramid",
        "5.3",
        "Looking at the correlations of KW variants of SERA with pyramid …, we observe that these variants "
        "are also highly correlated with manual evaluation",
        "mean of the KW variants less 0.7",
        lambda t: _mean(t.get(_KW)) - 0.7,
    ),
    Claim(
        "falls_with_cutoff",
        "5.4",
        "as the search cut-off point increases, the correlation with pyramid scores decreases",
        "fall of the six variants' mean for 10 documents more, by least squares over all cut-offs",
        _fall_with_cutoff,
    ),
    Claim(
        "cutoffs_5_10_best",
        "5.4",
        "The most accurate estimations are for metrics with cut-off points of 5 and 10",
        "lower one of the six variants' means at 5 and 10 less highest of their means at other cut-offs",
        _lead_of_cutoffs_5_and_10,
    ),
)
