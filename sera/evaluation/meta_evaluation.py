"""The evaluation of metrics by judgements: every table of it from scores and judgements.

docs/meta-evaluation.md has what each number is, and its source.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from sera.evaluation.coefficients import COEFFICIENTS
from sera.evaluation.correlation import (
    LEVELS,
    Bootstrap,
    Scores,
    at_level,
    by_topic,
    complete,
    correlate,
    mean_of_defined,
)
from sera.evaluation.significance import COLUMNS, compare

THRESHOLDS = {"pearson": 0.65, "spearman": 0.55, "ndcg": 0.85}
"""Below these a metric fails on a topic (Peyrard et al. 2017, section 4.3)."""

TABLES = (
    *(f"{level}_level" for level in LEVELS),
    *("differences", "top_systems", "s3_table1", "s3_table3"),
)
"""The names of the tables that `evaluate` makes."""

S3_DEPTH = 10
"""Where NDCG is cut off in the tables that are like those of Peyrard et al. 2017."""


def evaluate(
    scores: Scores,
    judgements: Sequence[str],
    *,
    falling: Collection[str] = (),
    bootstrap: Bootstrap | None = None,
    confidence: float = 95.0,
    top: Sequence[int] = (),
    compared: Sequence[str] = (),
) -> dict[str, pd.DataFrame]:
    """Every metric against every judgement, over the systems that it is of: the tables by their names.

    ``judgements`` are those of the metrics of ``scores`` that are human judgements. Of metrics that are
    ``falling``, less is better. ``bootstrap`` draws systems and topics if none is given; the permutation
    tests take its number of resamples and its seed. ``top`` are the numbers of best systems that are compared
    alone; ``compared`` the metrics that are compared two by two, of which those that nothing was scored by
    are passed over.
    """
    bootstrap = bootstrap or Bootstrap("both")
    compared = [name for name in compared if name in scores.metrics]
    of_each = [
        _evaluate(scores.judged_by(by), by, falling, bootstrap, confidence, top, compared)
        for by in judgements
    ]
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
    """The tables of one judgement."""
    pairs = [(name, by) for name in scores.metrics if name != by]
    tables = {
        f"{level}_level": correlate(scores, pairs, level=level, bootstrap=bootstrap, confidence=confidence)
        for level in LEVELS
    }
    tables["summary_level"] = tables["summary_level"].merge(
        failures(scores, pairs, falling), on=["metric", "against"]
    )
    differences = compare(
        _turned(scores, falling), compared, by, permutations=bootstrap.resamples, seed=bootstrap.seed
    )
    tables["differences"] = differences[COLUMNS]
    tables["top_systems"] = best_systems(scores, pairs, top)
    tables["s3_table1"] = _summary_level(scores, pairs)
    tables["s3_table3"] = failures(scores, pairs, falling, depth=S3_DEPTH).rename(
        columns={"ndcg_failure": "ndcg_10_failure"}
    )
    return tables


def failures(
    scores: Scores,
    pairs: Sequence[tuple[str, str]],
    falling: Collection[str] = (),
    depth: int | None = None,
) -> pd.DataFrame:
    """How often each metric fails, ``<coefficient>_failure`` as a share of the topics where it is defined.

    A metric fails on a topic whose coefficient is below the threshold. The r and rho of a metric that
    is ``falling`` count with the sign changed, its NDCG as it is.
    """
    rows = []
    for metric, against in pairs:
        values = by_topic(scores.of_metric(metric), scores.of_metric(against), depth)
        row: dict[str, object] = {"metric": metric, "against": against}
        for name, threshold in THRESHOLDS.items():
            of_topics = values[:, COEFFICIENTS.index(name)]
            of_topics = of_topics[~np.isnan(of_topics)]
            if name != "ndcg" and metric in falling:
                of_topics = -of_topics
            row[f"{name}_failure"] = (of_topics < threshold).mean() if len(of_topics) else np.nan
        rows.append(row)
    return pd.DataFrame(rows, columns=["metric", "against", *(f"{name}_failure" for name in THRESHOLDS)])


def best_systems(scores: Scores, pairs: Sequence[tuple[str, str]], top: Sequence[int]) -> pd.DataFrame:
    """The system-level coefficients of the ``best`` systems alone: those with the highest mean judgement.

    Systems that are judged as the last of them are in too; ``systems`` counts them. Numbers that do not leave
    out any system are passed over.
    """
    rows = []
    for metric, against in pairs:
        for best in top:
            if best >= len(scores.systems):
                continue
            judged = scores.of_metric(against)
            means = np.round(mean_of_defined(judged[complete(judged)]), 12)
            last = np.sort(means)[-best]
            kept = [name for name, mean in zip(scores.systems, means, strict=True) if not mean < last]
            row = at_level(scores.of_systems(kept), metric, against)
            rows.append({"metric": metric, "against": against, "best": best, **row})
    columns = ["metric", "against", "best", *COEFFICIENTS, "systems", "topics", "undefined"]
    return pd.DataFrame(rows, columns=columns)


def _summary_level(scores: Scores, pairs: Sequence[tuple[str, str]]) -> pd.DataFrame:
    rows = []
    for metric, against in pairs:
        values = by_topic(scores.of_metric(metric), scores.of_metric(against), S3_DEPTH)
        means = dict(zip(COEFFICIENTS, mean_of_defined(values), strict=True))
        rows.append((metric, against, means["pearson"], means["spearman"], means["ndcg"]))
    return pd.DataFrame(rows, columns=["metric", "against", "pearson", "spearman", "ndcg_10"])


def _turned(scores: Scores, falling: Collection[str]) -> Scores:
    """Falling metrics with their sign changed, so that they rise with quality as others do."""
    signs = np.array([-1 if name in falling else 1 for name in scores.metrics])
    return replace(scores, values=scores.values * signs[:, None, None])
