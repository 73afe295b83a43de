"""Random-effects meta-analysis over benchmarks: SERA less ROUGE, and kinds of metrics less ROUGE-1-F.

`NOT_POOLED` is left out, and a data set of two benchmarks is pooled once.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd

from study.published import PAPERS_BENCHMARK

QUESTIONS = {"system": "systems", "summary": "summaries"}
"""What is ranked at a level: systems, or the summaries of one topic."""

NOT_POOLED = (PAPERS_BENCHMARK, "wikisera_tac2009_update")
"""A program judged the paper's own benchmark; the other has the systems and topics of wikisera_tac2009."""

TWICE = {"summeval_llm_judges": "summeval"}
"""Benchmarks with a part of another one's summaries: kinds pool the former, contrasts the latter."""


class Pooled(NamedTuple):
    """A pooled effect, its interval, its prediction interval, and the variance between benchmarks."""

    effect: float
    low: float
    high: float
    prediction_low: float
    prediction_high: float
    tau_squared: float


def pool(effects: np.ndarray, errors: np.ndarray, confidence: float = 95.0) -> Pooled:
    """Pool the effects of k benchmarks, (k,), with standard errors above 0, (k,).

    The variance between benchmarks, tau squared, is the one at which the weighted sum of squares equals its
    expectation k - 1, or 0 (Paule & Mandel 1982). The interval is that of Hartung & Knapp (2001), from the t
    distribution with k - 1 degrees of freedom. The prediction interval, for the true effect on a further
    benchmark, is that of Higgins, Thompson & Spiegelhalter (2009), equation 12, with k - 2. Intervals are NaN
    with too few benchmarks, and all is NaN without any.
    """
    from scipy import optimize, stats  # slow to import

    degrees = len(effects) - 1
    if degrees < 0:
        return Pooled(*[np.nan] * 6)

    def weigh(tau_squared: float) -> tuple[float, float, float]:
        """The mean, the sum of squares and the sum of the weights."""
        weights = 1 / (errors**2 + tau_squared)
        mean = np.average(effects, weights=weights)
        return float(mean), float(weights @ (effects - mean) ** 2), float(weights.sum())

    tau_squared = 0.0
    # at the effects' own variance, the sum of squares is at most k - 1
    if degrees and weigh(0)[1] > degrees:
        most = effects.var(ddof=1)
        tau_squared = optimize.brentq(lambda value: weigh(value)[1] - degrees, 0, most, xtol=1e-14)
    mean, squares, total = weigh(tau_squared)
    error = np.sqrt(squares / degrees / total) if degrees else np.nan
    share = (1 + confidence / 100) / 2
    half = stats.t.ppf(share, degrees) * error if degrees else np.nan
    wide = stats.t.ppf(share, degrees - 1) * np.hypot(error, np.sqrt(tau_squared)) if degrees > 1 else np.nan
    return Pooled(mean, mean - half, mean + half, mean - wide, mean + wide, tau_squared)


def meta_table(contrasts: pd.DataFrame, confidence: float = 95.0) -> pd.DataFrame:
    """The pooled effect of each contrast of `study.matrix.column.matrix_column`, per question.

    ``benchmarks`` counts those that are pooled: all but the paper's own whose effect is defined and varies.
    """
    others = contrasts[~contrasts["benchmark"].isin([*NOT_POOLED, *TWICE])]
    others = others[others["effect"].notna() & (others["se"] > 0)]
    rows = []
    for (level, question), name in product(QUESTIONS.items(), contrasts["contrast"].unique()):
        effects = others[(others["level"] == level) & (others["contrast"] == name)]
        result = pool(effects["effect"].to_numpy(float), effects["se"].to_numpy(float), confidence)
        key = {"question": question, "contrast": name, "coefficient": "spearman", "benchmarks": len(effects)}
        rows.append({**key, **result._asdict()})
    return pd.DataFrame(rows)


def kinds_table(kinds: pd.DataFrame, confidence: float = 95.0) -> pd.DataFrame:
    """The pooled effect of each kind of `kind_effects`, per dimension of the judgement and per question.

    ``metrics`` is the most metrics of the kind on one benchmark.
    """
    exceptions = [*NOT_POOLED, *(TWICE[name] for name in kinds["benchmark"].unique() if name in TWICE)]
    table = kinds[~kinds["benchmark"].isin(exceptions) & (kinds["se"] > 0)]
    rows = []
    keys = ["dimension", "level", "kind", "reads"]
    for (dimension, level, kind, reads), group in table.groupby(keys, sort=False):
        result = pool(group["effect"].to_numpy(float), group["se"].to_numpy(float), confidence)
        key = {"dimension": dimension, "question": QUESTIONS[level], "kind": kind, "reads": reads}
        rows.append({**key, "benchmarks": len(group), "metrics": group["metrics"].max(), **result._asdict()})
    order = ["dimension", "question", "effect"]
    columns = ["dimension", "question", "kind", "reads", "benchmarks", "metrics", *Pooled._fields]
    return pd.DataFrame(rows, columns=columns).sort_values(order, ascending=False, ignore_index=True)
