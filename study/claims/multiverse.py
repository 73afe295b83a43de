"""The paper's claims on its Table 2, each as a number that is above 0 if the claim holds.

The number, the *effect* of the claim, is a difference of correlations: the metric that the paper calls better
less the other. A claim fails if its effect is 0 or less, since a tie is not better. It is undefined if a
correlation that it needs is undefined. The sentences and their effects are in
`study.claims.sentences`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sera.evaluation.coefficients import CORRELATIONS
from study.claims.sentences import CLAIMS_ON_TABLE_2 as CLAIMS
from study.claims.sentences import EFFECT_DIGITS, ROUGE, SERA, CoefficientTable

METRICS = (*ROUGE, *SERA)  # the metrics of Table 2, in its order

OUTCOMES = tuple((claim, coefficient) for claim in CLAIMS for coefficient in claim.coefficients)
"""All pairs of a claim and a coefficient by which it is made; each universe decides all of them."""

MOST = 0.75
"""A claim holds if it does in at least this share of universes, and fails if it does in at most 1 - MOST."""

HEADLINE = "sera_above_rouge"


def effects(tables: np.ndarray, side: str | Sequence[str] = "all") -> np.ndarray:
    """The effects of tables, (..., metric, coefficient), as (..., outcome) in the order of `OUTCOMES`.

    ``side`` is one of `study.claims.sentences.SIDES`, or has one for each entry of the first axis, the
    universes.
    """
    if not isinstance(side, str):
        result = np.full((*tables.shape[:-2], len(OUTCOMES)), np.nan)
        for each in dict.fromkeys(side):
            places = np.array([one == each for one in side], bool)
            result[places] = effects(tables[places], each)
        return result
    coefficient_tables = {
        name: CoefficientTable({(metric, ""): tables[..., m, c] for m, metric in enumerate(METRICS)}, side)
        for c, name in enumerate(CORRELATIONS)
    }
    columns = [claim.effect(coefficient_tables[name]) for claim, name in OUTCOMES]
    # differences by rounding errors alone are ties
    return np.round(np.stack(columns, axis=-1), EFFECT_DIGITS)


def outcome_number(claim: str, coefficient: str) -> int:
    """The place of a claim by a coefficient among `OUTCOMES`."""
    return next(i for i, (c, name) in enumerate(OUTCOMES) if (c.name, name) == (claim, coefficient))
