"""The paper's sentences on Table 3, on Figure 1 and more on Table 2, each as a number above 0 if it holds.

`sera.multiverse.claims` has the sentences on Table 2 that the multiverse decides. These here are checked
against one table of coefficients: the paper's own, or that of any study. Where the paper says "high",
"strong" or "weak" without a number, `STRONG` is the limit. A tie is no difference, so it does not fulfil a
sentence. The number is undefined where a correlation is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.correlation import WHY

STRONG = 0.7
"""A correlation of this size or more is called strong, one below weak. The paper has no number."""

CLAIM_COLUMNS = ["claim", "section", "coefficient", "effect", "verdict", WHY, "words", "compared"]


class AbsentPair(LookupError):
    """A table of coefficients lacks a pair of metrics."""


class Coefficients:
    """The values of one coefficient in a table with the columns metric, against and that coefficient."""

    def __init__(self, table: pd.DataFrame, coefficient: str, judgement: str = "Pyramid") -> None:
        pairs = zip(table["metric"], table["against"], strict=True)
        self._values = dict(zip(pairs, table[coefficient].astype(float), strict=True))
        self._judgement = judgement
        numbers = (re.fullmatch("SERA-([0-9]+)", name) for name, other in self._values if other == judgement)
        self.cutoffs = sorted(int(number[1]) for number in numbers if number)

    def of(self, metrics: Sequence[str], against: Sequence[str] = ()) -> np.ndarray:
        """The coefficients of metrics, (metric, against); with the judgement by default, (metric, 1).

        AbsentPair for a pair that the table lacks.
        """
        pairs = [[(name, other) for other in against or (self._judgement,)] for name in metrics]
        for name, other in (pair for row in pairs for pair in row):
            if (name, other) not in self._values:
                raise AbsentPair(f"there is no correlation of {name} with {other}")
        return np.array([[self._values[pair] for pair in row] for row in pairs])


@dataclass(frozen=True)
class TableClaim:
    """A sentence of the paper: its words, with … for omissions, its section, and what is compared.

    ``effect`` takes `Coefficients` and gives a number above 0 if the sentence holds.
    """

    name: str
    words: str
    section: str
    compared: str
    effect: Callable[[Coefficients], float]


def _sera(query: str, dis: Sequence[str] = ("", "-DIS"), cutoffs: Sequence[int] = (5, 10)) -> list[str]:
    return [f"SERA{each}{query}-{cutoff}" for each in dis for cutoff in cutoffs]


_QUERIES = ("", "-KW", "-NP")
_VARIANTS = [name for query in _QUERIES for name in _sera(query)]
_KW = _sera("-KW")
_NOT_KW = [*_sera(""), *_sera("-NP")]
_OTHERS = ("ROUGE-2-F", "ROUGE-3-F")  # those of Table 3


def _rouge(*measures: str) -> list[str]:
    return [f"ROUGE-{measure}-{side}" for measure in measures for side in "FPR"]


def _mean(values: np.ndarray) -> float:
    return float(values.mean())


def _by_cutoff(of: Coefficients) -> dict[int, float]:
    """The mean coefficient of the six variants at each rank cut-off."""
    return {
        cutoff: _mean(of.of([name for query in _QUERIES for name in _sera(query, cutoffs=[cutoff])]))
        for cutoff in of.cutoffs
    }


def _fall(of: Coefficients) -> float:
    """How far the mean coefficient falls for 10 documents more, by least squares; NaN for one cut-off."""
    means = _by_cutoff(of)
    if len(means) < 2:
        return np.nan
    return -10 * float(np.polyfit(list(means), list(means.values()), 1)[0])


def _first_cutoffs(of: Coefficients) -> float:
    means = _by_cutoff(of)
    if not {5, 10} <= set(means):
        return np.nan
    more = [value for cutoff, value in means.items() if cutoff not in (5, 10)]
    return min(means[5], means[10]) - max(more) if more else np.nan


TABLE_CLAIMS = (
    TableClaim(
        "np_5_highest_of_sera",
        "the Noun Phrases (NP) query reformulation at cut-off point of 5 (shown as SERA-NP-5) achieves the "
        "highest correlations among all the SERA variants",
        "5.1",
        "SERA-NP-5 less highest of the other SERA variants",
        lambda of: float(
            of.of(["SERA-NP-5"])[0, 0] - of.of([n for n in _VARIANTS if n != "SERA-NP-5"]).max()
        ),
    ),
    TableClaim(
        "kw_no_gain_undiscounted",
        "In the case of Keywords (KW) query reformulation, without using discounting, … there is no positive "
        "gain in correlation",
        "5.1",
        "mean of SERA-5 and SERA-10 less mean of SERA-KW-5 and SERA-KW-10",
        lambda of: _mean(of.of(_sera("", [""]))) - _mean(of.of(_sera("-KW", [""]))),
    ),
    TableClaim(
        "higher_ngrams_better",
        "On higher order n-grams, however, we can see that ROUGE correlates better with pyramid",
        "5.2",
        "smaller one of the steps from ROUGE-1 to ROUGE-2 and on to ROUGE-3, each the mean of its sides",
        lambda of: float(np.diff([_mean(of.of(_rouge(n))) for n in "123"]).min()),
    ),
    TableClaim(
        "rouge_l_w_weak",
        "ROUGE-L and its weighted version ROUGE-W, both have weak correlations with pyramid",
        "5.2",
        f"{STRONG} less higher one of ROUGE-L and ROUGE-W-1.2, each the mean of its sides",
        lambda of: STRONG - max(_mean(of.of(_rouge(measure))) for measure in ("L", "W-1.2")),
    ),
    TableClaim(
        "rouge_s_su_suboptimal",
        "Skip-bigrams (ROUGE-S) and its combination with unigrams (ROUGE-SU) also show sub-optimal "
        "correlations",
        "5.2",
        "highest of the other ROUGE variants less highest of ROUGE-S and ROUGE-SU",
        lambda of: float(of.of(_rouge("1", "2", "3", "L", "W-1.2")).max() - of.of(_rouge("S", "SU")).max()),
    ),
    TableClaim(
        "not_strong_with_rouge",
        "in general, the correlation is not strong",
        "5.3",
        f"{STRONG} less median of the 12 SERA variants with ROUGE-2-F and ROUGE-3-F",
        lambda of: STRONG - float(np.median(of.of(_VARIANTS, _OTHERS))),
    ),
    TableClaim(
        "kw_alone_high_with_rouge",
        "Keyword based reduction variants are the only variants for which the correlation with ROUGE is high",
        "5.3",
        "with ROUGE-2-F and ROUGE-3-F, lowest of the KW variants less highest of the others",
        lambda of: float(of.of(_KW, _OTHERS).min() - of.of(_NOT_KW, _OTHERS).max()),
    ),
    TableClaim(
        "kw_higher_with_rouge",
        "Keyword based reduction variants are the only variants for which the correlation with ROUGE is high",
        "5.3",
        "with ROUGE-2-F and ROUGE-3-F, mean of the KW variants less mean of the others (a weaker reading)",
        lambda of: _mean(of.of(_KW, _OTHERS)) - _mean(of.of(_NOT_KW, _OTHERS)),
    ),
    TableClaim(
        "kw_high_with_pyramid",
        "Looking at the correlations of KW variants of SERA with pyramid …, we observe that these variants "
        "are also highly correlated with manual evaluation",
        "5.3",
        f"mean of the KW variants less {STRONG}",
        lambda of: _mean(of.of(_KW)) - STRONG,
    ),
    TableClaim(
        "falls_with_cutoff",
        "as the search cut-off point increases, the correlation with pyramid scores decreases",
        "5.4",
        "fall of the six variants' mean for 10 documents more, by least squares over all cut-offs",
        _fall,
    ),
    TableClaim(
        "cutoffs_5_10_best",
        "The most accurate estimations are for metrics with cut-off points of 5 and 10",
        "5.4",
        "lower one of the six variants' means at 5 and 10 less highest of their means at other cut-offs",
        _first_cutoffs,
    ),
)


def check_claims(table: pd.DataFrame, judgement: str = "Pyramid") -> pd.DataFrame:
    """Check each of `TABLE_CLAIMS` by each coefficient, with `CLAIM_COLUMNS`.

    ``table`` has the columns metric, against, pearson, spearman and kendall, a row for each pair: the
    published tables, or ``correlations.tsv`` of a study. ``judgement`` takes Pyramid's place. ``verdict`` is
    "holds", "fails" or "undefined"; ``why_undefined`` then names the correlation that is not there.
    """
    rows = []
    for claim in TABLE_CLAIMS:
        for coefficient in CORRELATIONS:
            try:
                effect = round(claim.effect(Coefficients(table, coefficient, judgement)), 12)
                why = "a correlation is undefined, or has no cut-offs to compare" if np.isnan(effect) else ""
            except AbsentPair as error:
                effect, why = np.nan, str(error)
            verdict = "undefined" if why else "holds" if effect > 0 else "fails"
            rows.append(
                (claim.name, claim.section, coefficient, effect, verdict, why, claim.words, claim.compared)
            )
    return pd.DataFrame(rows, columns=CLAIM_COLUMNS)


def beside_the_papers(ours: pd.DataFrame, papers: pd.DataFrame) -> pd.DataFrame:
    """Two tables of `check_claims`, the second one of the published tables.

    Its effect and verdict are the columns effect_paper and verdict_paper.
    """
    columns = ["claim", "section", "coefficient", "effect", "effect_paper", "verdict", "verdict_paper"]
    printed = papers[["claim", "coefficient", "effect", "verdict"]]
    joined = ours.merge(printed, on=["claim", "coefficient"], suffixes=("", "_paper"), validate="1:1")
    return joined[[*columns, WHY, "words", "compared"]]
