"""Cells of the matrix beside the correlations: pairs that are ranked alike, and partial correlations.

docs/statistics.md defines each number. ``kinds`` has the kind of each metric, and its order.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from sera.evaluation.correlation.correlate import (
    LEVELS,
    WHY,
    Bootstrap,
    Scores,
    paired,
    percentile_interval,
    why_not_at_level,
)
from sera.evaluation.correlation.partial import partial_correlations
from sera.evaluation.pairs.pairwise import accuracy_draws, calibrate, pairwise_accuracy

ACCURACY = "accuracy"
"""The share of pairs that metric and people rank alike: of systems by a judgement, or of summaries."""

ACC_EQ = "acc_eq"
"""The same of the systems on one topic, with ties, mean over topics (Deutsch et al. 2023)."""

PARTIAL = {
    "spearman_given_length": "length",
    "spearman_given_length_and_extractiveness": "length and extractiveness",
}
"""Spearman's partial correlations, and what each takes out."""

FURTHER_COEFFICIENTS = (ACCURACY, ACC_EQ, *PARTIAL)

AT_RANDOM = "random"

_CALIBRATED_DRAWS = 100  # random scores; each draw sorts all pairs


def pair_cells(
    judged: Scores, judgement: str, kinds: Mapping[str, str], bootstrap: Bootstrap, confidence: float
) -> list[dict[str, object]]:
    """The share of pairs of systems that each metric and the judgement rank alike, with its interval."""
    rows = []
    for name, kind in kinds.items():
        x, y = paired(judged, name, judgement)
        value, ends = np.nan, (np.nan, np.nan)
        if len(x) and x.shape[1] > 1:
            value = pairwise_accuracy(x.mean(axis=0), y.mean(axis=0))
            drawn = accuracy_draws(x, y, bootstrap.of_topics(len(x)), bootstrap.of_systems(x.shape[1]))
            ends = percentile_interval(drawn, confidence)
        why = "fewer than two systems" if len(x) else why_not_at_level(x, y, name, judgement, "system")
        rows.append(
            {
                **{"judgement": judgement, "level": "system", "coefficient": ACCURACY, "metric": name},
                **{"kind": kind, "value": value, "low": ends[0], "high": ends[1]},
                **{"systems": x.shape[1], "topics": len(x), WHY: why if np.isnan(value) else ""},
            }
        )
    return rows


def calibrated_cells(
    judged: Scores, judgement: str, kinds: Mapping[str, str], confidence: float, seed: int
) -> list[dict[str, object]]:
    """acc_eq at the summary level, without interval; of random scores the mean and interval of draws.

    Random scores have an epsilon of their own too, so that they show what ties alone give.
    """
    known = judged.of_metric(judgement)
    random = np.random.default_rng([seed, 12])
    drawn = [calibrate(random.random(known.shape), known).accuracy for _ in range(_CALIBRATED_DRAWS)]
    values = {name: (calibrate(judged.of_metric(name), known).accuracy, np.nan, np.nan) for name in kinds}
    values[AT_RANDOM] = (float(np.mean(drawn)), *percentile_interval(np.array(drawn), confidence))
    return [
        {
            **{"judgement": judgement, "level": "summary", "coefficient": ACC_EQ, "metric": name},
            **{"kind": kinds.get(name, "floor"), "value": value, "low": low, "high": high},
            **{"systems": known.shape[1], "topics": len(known)},
            WHY: "no topic has two summaries with scores" if np.isnan(value) else "",
        }
        for name, (value, low, high) in values.items()
    ]


def partial_cells(
    judged: Scores, judgement: str, kinds: Mapping[str, str], summaries: pd.DataFrame
) -> list[dict[str, object]]:
    """Spearman's partial correlations at each level, without interval, `PARTIAL`.

    ``summaries`` has the lengths, and the extractiveness where the articles are known; without articles the
    cells say so. At the summary level, ``topics`` counts those on which the correlation is defined.
    """
    found = partial_correlations(judged, [(name, judgement) for name in kinds], summaries)
    found = found.set_index(["metric", "level", "controls"])[["partial_spearman", "items", WHY]]
    rows = []
    for name, kind in kinds.items():
        for level in LEVELS:
            for coefficient, controls in PARTIAL.items():
                value, items, why = np.nan, 0, "the articles are not known"
                if (name, level, controls) in found.index:
                    value, items, why = found.loc[(name, level, controls)]
                rows.append(
                    {
                        **{"judgement": judgement, "level": level, "coefficient": coefficient},
                        **{"metric": name, "kind": kind, "value": value, "low": np.nan, "high": np.nan},
                        "systems": len(judged.systems),
                        "topics": items if level == "summary" else len(judged.topics),
                        WHY: why if np.isnan(value) else "",
                    }
                )
    return rows
