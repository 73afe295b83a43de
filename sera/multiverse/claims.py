"""The paper's claims on its Table 2, each as a number that is above 0 if the claim holds.

The number, the *effect* of the claim, is a difference of correlations: the metric that the paper calls better
less the other. A claim fails if its effect is 0 or less, since a tie is not better. It is undefined if a
correlation that it needs is undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from sera.evaluation.coefficients import CORRELATIONS

Values = Callable[[str], np.ndarray]
"""The correlations of a metric by its name."""

SIDES = {"all": "FPR", "F": "F", "P": "P", "R": "R"}
"""The sides of ROUGE that a claim compares where its sentence leaves them open: F, precision and recall."""

_ROUGE = [f"ROUGE-{measure}-{part}" for measure in ("1", "2", "3", "L", "S", "SU", "W-1.2") for part in "FPR"]
_SERA = [
    f"SERA{dis}{query}-{cutoff}" for dis in ("", "-DIS") for query in ("", "-KW", "-NP") for cutoff in (5, 10)
]
SERA = tuple(_SERA)
"""The variants of SERA in Table 2."""

METRICS = (*_ROUGE, *_SERA)
"""The metrics of Table 2, in its order."""


@dataclass(frozen=True)
class Claim:
    """A claim: its name, the paper's words with their section, what is compared, and by which coefficients.

    The words are a quotation, with … for omissions. ``effect`` takes the values and the variants of ROUGE of
    one side, or of all, which a claim uses where its sentence names no side.
    """

    name: str
    words: str
    section: str
    compared: str
    effect: Callable[[Values, Sequence[str]], np.ndarray]
    coefficients: tuple[str, ...] = CORRELATIONS

    def __call__(self, table: np.ndarray, side: str = "all") -> np.ndarray:
        """The effects of tables, (..., metric) in the order of `METRICS`; NaN where undefined.

        ``side``: one of `SIDES`.
        """
        rouge = [name for name in _ROUGE if name[-1] in SIDES[side]]
        with np.errstate(invalid="ignore"):
            return self.effect(lambda name: table[..., METRICS.index(name)], rouge)


def _each(values: Values, names: Sequence[str]) -> np.ndarray:
    return np.stack([values(name) for name in names])


def _mean(values: Values, names: Sequence[str]) -> np.ndarray:
    return _each(values, names).mean(axis=0)


def _lowest(values: Values, names: Sequence[str]) -> np.ndarray:
    return _each(values, names).min(axis=0)


def _highest(values: Values, names: Sequence[str]) -> np.ndarray:
    return _each(values, names).max(axis=0)


def _measure(values: Values, rouge: Sequence[str], measure: str) -> np.ndarray:
    return _mean(values, [name for name in rouge if name.startswith(f"ROUGE-{measure}-")])


def _but(names: Sequence[str], *out: str) -> list[str]:
    return [name for name in names if name not in out]


def _sera(query: str = "", dis: tuple[str, ...] = ("", "-DIS")) -> list[str]:
    """The variants of one query formulation, both cut-offs."""
    return [f"SERA{each}{query}-{cutoff}" for each in dis for cutoff in (5, 10)]


_NONPARAMETRIC = ("spearman", "kendall")
_PLAIN, _DIS = ("",), ("-DIS",)

CLAIMS = (
    Claim(
        "sera_above_rouge",
        "In general, SERA shows better correlation with pyramid scores in comparison with ROUGE",
        "5.1",
        "mean of the 12 SERA variants less mean of the 21 ROUGE variants, or of the 7 of one side",
        lambda v, rouge: _mean(v, _SERA) - _mean(v, rouge),
    ),
    Claim(
        "best_sera_above_best_rouge",
        "an alternative and more effective approach",
        "7",
        "highest of SERA less highest of ROUGE, or of one side of it",
        lambda v, rouge: _highest(v, _SERA) - _highest(v, rouge),
        _NONPARAMETRIC,
    ),
    Claim(
        "sera_5_above_most_rouge",
        "SERA with cut-off point of 5 … is higher than most of the ROUGE variants",
        "5.1",
        "SERA-5 less median of the ROUGE variants",
        lambda v, _: v("SERA-5") - np.median(_each(v, _ROUGE), axis=0),
    ),
    Claim(
        "sera_5_above_every_rouge",
        "Spearman and Kendall correlations of the SERA evaluation score … are higher than all ROUGE "
        "correlation values",
        "5.1",
        "SERA-5 less highest of ROUGE",
        lambda v, _: v("SERA-5") - _highest(v, _ROUGE),
        _NONPARAMETRIC,
    ),
    Claim(
        "sera_steadier_than_rouge",
        "the proposed metric achieves higher and more consistent correlations with semi-manual assessment "
        "scores",
        "1",
        "standard deviation over the ROUGE variants, or those of one side, less that over the SERA variants",
        lambda v, rouge: _each(v, rouge).std(axis=0) - _each(v, _SERA).std(axis=0),
    ),
    Claim(
        "rouge_2_3_above_1_l",
        "ROUGE-2 and ROUGE-3 are better correlated with manual judgments",
        "7",
        "lower one of ROUGE-2 and ROUGE-3 less higher one of ROUGE-1 and ROUGE-L, each the mean of its sides",
        lambda v, rouge: (
            np.minimum(_measure(v, rouge, "2"), _measure(v, rouge, "3"))
            - np.maximum(_measure(v, rouge, "1"), _measure(v, rouge, "L"))
        ),
    ),
    Claim(
        "rouge_1_l_lowest",
        "The lowest F-score correlations are for ROUGE-1 and ROUGE-L",
        "5.2",
        "lowest F of the other five ROUGE measures less higher one of ROUGE-1-F and ROUGE-L-F",
        lambda v, _: (
            _lowest(v, [f"ROUGE-{m}-F" for m in ("2", "3", "S", "SU", "W-1.2")])
            - _highest(v, ["ROUGE-1-F", "ROUGE-L-F"])
        ),
        ("pearson",),
    ),
    Claim(
        "rouge_3_highest",
        "the highest overall r is obtained by ROUGE-3",
        "5.2",
        "highest of ROUGE-3-F, -P and -R less highest of all other metrics",
        lambda v, _: (
            _highest(v, [f"ROUGE-3-{p}" for p in "FPR"])
            - _highest(v, _but(METRICS, *(f"ROUGE-3-{p}" for p in "FPR")))
        ),
        ("pearson",),
    ),
    Claim(
        "np_above_plain",
        "using NP … as heuristics … effectively increases the correlations",
        "5.1",
        "mean of the four NP variants less mean of the four plain ones",
        lambda v, _: _mean(v, _sera("-NP")) - _mean(v, _sera()),
    ),
    Claim(
        "kw_above_plain",
        "using … KW as heuristics … effectively increases the correlations",
        "5.1",
        "mean of the four KW variants less mean of the four plain ones",
        lambda v, _: _mean(v, _sera("-KW")) - _mean(v, _sera()),
    ),
    Claim(
        "np_5_best_of_sera",
        "NP without discounting and at cut-off point of 5 (SERA-NP-5) shows the highest non-parametric "
        "correlation",
        "5.1",
        "SERA-NP-5 less highest of the other SERA variants",
        lambda v, _: v("SERA-NP-5") - _highest(v, _but(_SERA, "SERA-NP-5")),
        _NONPARAMETRIC,
    ),
    Claim(
        "dis_np_10_best_of_sera",
        "the discounted NP at cut-off point of 10 (SERA-NP-DIS-10) shows the highest parametric correlations",
        "5.1",
        "SERA-DIS-NP-10 less highest of the other SERA variants",
        lambda v, _: v("SERA-DIS-NP-10") - _highest(v, _but(_SERA, "SERA-DIS-NP-10")),
        ("pearson",),
    ),
    Claim(
        "dis_kw_above_kw",
        "keywords when applied on the discounted variant of SERA, result in higher correlations",
        "5.1",
        "mean of the DIS-KW variants less mean of the KW variants that are not discounted",
        lambda v, _: _mean(v, _sera("-KW", _DIS)) - _mean(v, _sera("-KW", _PLAIN)),
    ),
    Claim(
        "dis_np_above_plain",
        "In the case of discounting and NP query reformulation (SERA-DIS-NP), we observe higher "
        "correlations in comparison with simple SERA",
        "5.1",
        "mean of the DIS-NP variants less mean of SERA-5 and SERA-10",
        lambda v, _: _mean(v, _sera("-NP", _DIS)) - _mean(v, _sera("", _PLAIN)),
    ),
    Claim(
        "dis_helps_reduced_queries_more",
        "Discounting has more positive effect when applied on query reformulation-based SERA than on the "
        "simple variant",
        "5.1",
        "what discounting adds to the NP and KW variants less what it adds to the plain ones",
        lambda v, _: (
            _mean(v, _sera("-NP", _DIS) + _sera("-KW", _DIS))
            - _mean(v, _sera("-NP", _PLAIN) + _sera("-KW", _PLAIN))
            - _mean(v, _sera("", _DIS))
            + _mean(v, _sera("", _PLAIN))
        ),
    ),
    Claim(
        "cutoff_5_above_10",
        "as the search cut-off point increases, the correlation with pyramid scores decreases",
        "5.4",
        "mean of the six variants at 5 less mean of those at 10",
        lambda v, _: (
            _mean(v, [n for n in _SERA if n.endswith("-5")])
            - _mean(v, [n for n in _SERA if n.endswith("-10")])
        ),
    ),
)

OUTCOMES = tuple((claim, coefficient) for claim in CLAIMS for coefficient in claim.coefficients)
"""All pairs of a claim and a coefficient by which it is made; each universe decides all of them."""

MOST = 0.75
"""A claim holds if it does in at least this share of universes, and fails if it does in at most 1 - MOST."""

HEADLINE = "sera_above_rouge"


def effects(tables: np.ndarray, side: str | Sequence[str] = "all") -> np.ndarray:
    """The effects of tables, (..., metric, coefficient), as (..., outcome) in the order of `OUTCOMES`.

    ``side`` is one of `SIDES`, or has one for each entry of the first axis, the universes.
    """
    if not isinstance(side, str):
        found = np.full((*tables.shape[:-2], len(OUTCOMES)), np.nan)
        for each in dict.fromkeys(side):
            places = np.array([one == each for one in side], bool)
            found[places] = effects(tables[places], each)
        return found
    columns = [claim(tables[..., CORRELATIONS.index(coefficient)], side) for claim, coefficient in OUTCOMES]
    # differences by rounding errors alone are ties
    return np.round(np.stack(columns, axis=-1), 12)


def outcome_number(claim: str, coefficient: str) -> int:
    """The place of a claim by a coefficient among `OUTCOMES`."""
    return next(i for i, (c, name) in enumerate(OUTCOMES) if (c.name, name) == (claim, coefficient))
