"""Evaluation of metrics by judgements: all its tables, from scores and judgements.

docs/meta-evaluation.md defines each number and names its source.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd

from sera.evaluation.correlation.coefficients import COEFFICIENTS
from sera.evaluation.correlation.correlate import (
    LEVELS,
    WHY,
    Bootstrap,
    Scores,
    at_level,
    complete_topics,
    correlate,
    mean_of_defined,
    why_undefined,
)
from sera.evaluation.correlation.significance import DIFFERENCE_COLUMNS, compare
from sera.evaluation.pairs.discrimination import discrimination
from sera.evaluation.papers.s3_tables import S3_TABLES, failures, s3_distribution, s3_tables

TABLE_NAMES = (
    *(f"{level}_level" for level in LEVELS),
    *("differences", "discrimination", "top_systems", *S3_TABLES),
)
"""The names of the tables that `evaluate` makes."""


def evaluate(
    scores: Scores,
    judgements: Sequence[str],
    *,
    falling: Collection[str] = (),
    bootstrap: Bootstrap | None = None,
    confidence: float = 95.0,
    top: Sequence[int] = (),
    compared: Sequence[str] = (),
    s3: Scores | None = None,
) -> dict[str, pd.DataFrame]:
    """Evaluate every metric by every judgement, over the judged systems: tables by name (`TABLE_NAMES`).

    ``judgements`` names the metrics of ``scores`` that are human judgements, ``falling`` the metrics whose
    lower scores are better. ``bootstrap`` draws topics if not given; the permutation tests use
    its number of resamples and its seed. ``confidence`` is in percent. ``top`` holds the numbers of best
    systems that are compared alone. ``compared`` names the metrics that are compared in pairs; those without
    scores are ignored. ``s3`` holds the scores for the tables that follow S3's paper; by
    default, they are ``scores``.
    """
    bootstrap = bootstrap or Bootstrap()
    compared = [name for name in compared if name in scores.metrics]
    of_each = []
    for by in judgements:
        tables = _evaluate(scores.judged_by(by), by, falling, bootstrap, confidence, top, compared)
        of_s3 = (s3 or scores).judged_by(by)
        tables |= s3_tables(of_s3, by, falling)
        of_each.append(tables | {"s3_distribution": s3_distribution(of_s3, by)})
    return {name: pd.concat([tables[name] for tables in of_each], ignore_index=True) for name in of_each[0]}


def _evaluate(
    scores: Scores,
    by: str,
    falling: Collection[str],
    bootstrap: Bootstrap,
    confidence: float,
    top: Sequence[int],
    compared: Sequence[str],
) -> dict[str, pd.DataFrame]:
    """The tables for one judgement."""
    pairs = [(name, by) for name in scores.metrics if name != by]
    tables = {
        f"{level}_level": correlate(scores, pairs, level=level, bootstrap=bootstrap, confidence=confidence)
        for level in LEVELS
    }
    tables["summary_level"] = tables["summary_level"].merge(
        failures(scores, pairs, falling), on=["metric", "against"]
    )
    differences = compare(
        scores.turned(falling), compared, by, permutations=bootstrap.resamples, seed=bootstrap.seed
    )
    tables["differences"] = differences[DIFFERENCE_COLUMNS]
    tables["discrimination"] = discrimination(scores, pairs, falling)
    tables["top_systems"] = best_systems(scores, pairs, top)
    return tables


def best_systems(scores: Scores, pairs: Sequence[tuple[str, str]], top: Sequence[int]) -> pd.DataFrame:
    """The system-level coefficients over the best systems alone: those with the highest mean judgement.

    ``top`` holds numbers of systems, column ``best`` each of them. Systems that tie with the last one are
    kept too, and ``systems`` counts them all. A number that leaves out no system is ignored.
    """
    rows = []
    for metric, against in pairs:
        for best in top:
            if best >= len(scores.systems):
                continue
            judged = scores.of_metric(against)
            means = np.round(mean_of_defined(judged[complete_topics(judged)]), 12)
            last = np.sort(means)[-best]
            kept = [name for name, mean in zip(scores.systems, means, strict=True) if not mean < last]
            row = at_level(scores.of_systems(kept), metric, against)
            why = why_undefined(row, scores.of_systems(kept), metric, against)
            rows.append({"metric": metric, "against": against, "best": best, **row, WHY: why})
    columns = ["metric", "against", "best", *COEFFICIENTS, "systems", "topics", "undefined", WHY]
    return pd.DataFrame(rows, columns=columns)
