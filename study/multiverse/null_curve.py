"""The test of the whole specification curve under the null (Simonsohn, Simmons & Nelson 2020, section 3).

If no metric followed the judgement, every assignment of the summarizers' Pyramid scores to the
summarizers would be as likely as the one at hand. So the scores are permuted among the summarizers, the
same way in all topics and universes, and all universes are computed anew; baselines and gold summaries,
which are better or worse by construction, keep theirs. A claim's p is the share of the assignments, the
study's own among them, that favour the claim at least as much, by the median effect over the universes
(the paper's first statistic) or by the share of the universes in which it holds. The p of the contrary
counts those that favour it as little.

Where both metrics of a claim follow the judgement, their correlations differ less than they would by
chance if neither did. So a small p speaks for a claim, but a large one does not speak against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

import numpy as np
import pandas as pd

from sera.evaluation.correlation.correlate import mean_of_defined
from sera.evaluation.correlation.significance import holm
from sera.io.files import writing
from sera.progress import progress
from study.claims.files import Claim
from study.claims.multiverse import METRICS, OUTCOMES, effects
from study.multiverse.choices import Universe
from study.multiverse.universes import AGAINST, Cells, scores_of_universe, tables_of


def orders(permutations: int, systems: int, seed: int = 0) -> np.ndarray:
    """Assignments of the summarizers' scores, (1 + permutation, summarizer); the first is the study's own."""
    random = np.random.default_rng([seed, 2])
    drawn = [random.permutation(systems) for _ in range(permutations)]
    return np.stack([np.arange(systems), *drawn])


def permuted_effects(
    universe: Universe, cells: Cells, summarizers: Sequence[str], assignments: np.ndarray
) -> np.ndarray:
    """The effects of the claims with permuted Pyramid scores, (assignment, outcome).

    ``summarizers`` are those of the study; a universe that has some of them receives the scores that
    ``assignments``, (assignment, summarizer), gives to these. Its other systems keep their scores.
    """
    scores = scores_of_universe(universe, cells)
    names = [*summarizers, *(name for name in scores.systems if name not in summarizers)]
    everyone = scores_of_universe(universe, cells, members=names)
    judged = everyone.of_metric(AGAINST)[:, [everyone.systems.index(name) for name in names]]
    rest = np.arange(len(summarizers), len(names))
    whole = np.hstack([assignments, np.broadcast_to(rest, (len(assignments), len(rest)))])
    y = judged[:, whole[:, [names.index(name) for name in scores.systems]]]  # (topic, assignment, system)
    x = scores.of_metrics(METRICS)  # (metric, topic, system)
    return effects(tables_of(x, y, universe["level"]).swapaxes(0, 1), universe["rouge_side"])


def permute(
    universes: Sequence[Universe], cells: Cells, summarizers: Sequence[str], assignments: np.ndarray
) -> np.ndarray:
    """`permuted_effects` of several universes, (universe, assignment, outcome), as float32."""
    rows = [
        permuted_effects(universe, cells, summarizers, assignments).astype(np.float32)
        for universe in progress(universes, "universes permuted")
    ]
    return np.stack(rows)


def null_table(
    found: np.ndarray, weights: np.ndarray, outcomes: Sequence[tuple[Claim, str]] = OUTCOMES
) -> pd.DataFrame:
    """A row per claim and coefficient: ``p_median``, ``p_contrary`` and ``p_share``, each also by Holm.

    All are one-sided: the first and the last for the claim, ``p_contrary`` against it, by the median.

    ``found``: the effects, (universe, assignment, outcome), the study's own assignment first. Undefined
    effects are left out. ``median`` and ``share`` are the study's own, ``null_median`` and ``null_share`` the
    means over the other assignments. ``universes`` counts those of the test.
    """
    weights = np.broadcast_to(weights[:, None], found.shape[:2])
    rows = []
    for place, (claim, coefficient) in enumerate(outcomes):
        of = found[:, :, place].astype(float)
        known = ~np.isnan(of)
        with np.errstate(invalid="ignore"):
            shares = (weights * (known & (of > 0))).sum(axis=0) / (weights * known).sum(axis=0)
        medians = np.array([_median(of[known[:, k], k], weights[known[:, k], k]) for k in range(of.shape[1])])
        rows.append(
            {
                "claim": claim.name,
                "coefficient": coefficient,
                "universes": len(found),
                "permutations": found.shape[1] - 1,
                "median": medians[0],
                "null_median": mean_of_defined(medians[1:]),
                "p_median": _p(medians),
                "p_contrary": _p(-medians),
                "share": shares[0],
                "null_share": mean_of_defined(shares[1:]),
                "p_share": _p(shares),
            }
        )
    table = pd.DataFrame(rows)
    for name in ("median", "contrary", "share"):
        table[f"holm_{name}"] = holm(table[f"p_{name}"].to_numpy())
    return table


def _p(values: np.ndarray) -> float:
    """The share of the assignments, the first among them, whose value is at least that of the first."""
    values = values[~np.isnan(values)] if not np.isnan(values[0]) else np.empty(0)
    return float((values >= values[0] - 1e-6).mean()) if len(values) else np.nan


def _median(values: np.ndarray, weights: np.ndarray) -> float:
    """The weighted median: the middle of the values below and above which at most half of the weight lies."""
    if not len(values):
        return np.nan
    order = np.argsort(values, kind="stable")
    values, below = values[order], np.cumsum(weights[order])
    half = below[-1] / 2
    low = int(np.searchsorted(below, half - 1e-9))
    high = int(np.searchsorted(below, half + 1e-9))
    return float((values[low] + values[min(high, len(values) - 1)]) / 2)


def write_permuted(path: str | PathLike[str], found: np.ndarray) -> None:
    """Write what `permute` gives."""
    with writing(path, binary=True) as stream:
        np.savez_compressed(stream, effects=found)


def read_permuted(path: str | PathLike[str]) -> np.ndarray:
    """Read what `write_permuted` wrote."""
    with np.load(path, allow_pickle=False) as arrays:
        return arrays["effects"]
