"""The evaluation of metrics by judgements: every table of it from scores and judgements.

docs/meta-evaluation.md has what each number is, and its source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from sera.coefficients import COEFFICIENTS
from sera.correlation import (
    LEVELS,
    Bootstrap,
    Scores,
    at_level,
    by_topic,
    complete,
    correlate,
    mean_of_defined,
)
from sera.errors import InputError
from sera.significance import COLUMNS, compare

THRESHOLDS = {"pearson": 0.65, "spearman": 0.55, "ndcg": 0.85}
"""Below these a metric fails on a topic (Peyrard et al. 2017, section 4.3)."""

S3_DEPTH = 10
"""Where NDCG is cut off in the tables that are like those of Peyrard et al. 2017."""

_FALLING = ("JS-", "KL-")  # divergences: the better a summary, the less


def evaluate(
    scores: Scores,
    judgements: Scores,
    *,
    bootstrap: Bootstrap | None = None,
    confidence: float = 95.0,
    top: Sequence[int] = (),
    compared: Sequence[str] = (),
) -> dict[str, pd.DataFrame]:
    """Every metric against every judgement, over the systems that it is of: the tables by their names.

    ``judgements`` are scores too, each judgement a metric. ``bootstrap`` draws systems and topics if none
    is given; the permutation tests take its number of resamples and its seed. ``top`` are the numbers of
    best systems that are compared alone; ``compared`` the metrics that are compared two by two, of which
    those that nothing was scored by are passed over.
    """
    bootstrap = bootstrap or Bootstrap("both")
    both = together(scores, judgements)
    of_each = [
        _evaluate(both.judged_by(by), by, bootstrap, confidence, top, compared, scores.metrics)
        for by in judgements.metrics
    ]
    return {name: pd.concat([tables[name] for tables in of_each], ignore_index=True) for name in of_each[0]}


def _evaluate(
    both: Scores,
    by: str,
    bootstrap: Bootstrap,
    confidence: float,
    top: Sequence[int],
    compared: Sequence[str],
    metrics: Sequence[str],
) -> dict[str, pd.DataFrame]:
    """The tables of one judgement."""
    pairs = [(name, by) for name in both.metrics if name != by]
    tables = {
        f"{level}_level": correlate(both, pairs, level=level, bootstrap=bootstrap, confidence=confidence)
        for level in LEVELS
    }
    tables["summary_level"] = tables["summary_level"].merge(failures(both, pairs), on=["metric", "against"])
    turned = _turned(both)
    names = [name for name in compared if name in metrics]
    differences = compare(turned, names, by, permutations=bootstrap.resamples, seed=bootstrap.seed)
    tables["differences"] = differences[COLUMNS]
    tables["top_systems"] = best_systems(both, pairs, top)
    tables["s3_table1"] = _summary_level(both, pairs)
    tables["s3_table3"] = failures(both, pairs, depth=S3_DEPTH).rename(
        columns={"ndcg_failure": "ndcg_10_failure"}
    )
    return tables


def together(scores: Scores, judgements: Scores) -> Scores:
    """Scores and judgements in one, of the topics and systems of the scores.

    A summary that was not judged has NaN. Raises InputError for a judgement with the name of a metric.
    """
    if same := set(scores.metrics) & set(judgements.metrics):
        raise InputError(
            f"a judgement and a metric have the same name, {min(same)}", remedy="Rename the judgement."
        )
    places = [
        [axis.index(name) if name in axis else -1 for name in names]
        for axis, names in ((judgements.topics, scores.topics), (judgements.systems, scores.systems))
    ]
    values = judgements.values[:, places[0]][:, :, places[1]].copy()
    values[:, np.array(places[0]) < 0] = np.nan
    values[:, :, np.array(places[1]) < 0] = np.nan
    return Scores(
        (*scores.metrics, *judgements.metrics),
        scores.topics,
        scores.systems,
        np.concatenate([scores.values, values]),
    )


def failures(scores: Scores, pairs: Sequence[tuple[str, str]], depth: int | None = None) -> pd.DataFrame:
    """How often each metric fails, ``<coefficient>_failure`` as a share of the topics where it is defined.

    A metric fails on a topic whose coefficient is below the threshold. A divergence is expected to fall where
    quality rises: its r and rho count with the sign changed, its NDCG as it is.
    """
    rows = []
    for metric, against in pairs:
        values = by_topic(scores.of_metric(metric), scores.of_metric(against), depth)
        row: dict[str, object] = {"metric": metric, "against": against}
        for name, threshold in THRESHOLDS.items():
            of_topics = values[:, COEFFICIENTS.index(name)]
            of_topics = of_topics[~np.isnan(of_topics)]
            if name != "ndcg" and metric.startswith(_FALLING):
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


def _turned(scores: Scores) -> Scores:
    """Divergences with their sign changed, so that they rise with quality as other metrics do."""
    signs = np.array([-1 if name.startswith(_FALLING) else 1 for name in scores.metrics])
    return replace(scores, values=scores.values * signs[:, None, None])
