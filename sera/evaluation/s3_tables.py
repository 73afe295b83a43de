"""Tables 1 and 3 of Peyrard, Botschen & Gurevych (2017), for the metrics and judgements of any benchmark.

A third table has the distributions over topics that the paper describes in section 4.3 and does not draw.

Their topics are the initial summaries alone (section 4.1).
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from sera.evaluation.coefficients import COEFFICIENTS
from sera.evaluation.correlate import WHY, Scores, average_defined, topic_coefficients, why_undefined
from sera.evaluation.ties import ROUND_OFF
from sera.metrics.s3.features import MODELS
from sera.metrics.s3.training import initial_topics, learnt_on, named_by_judgement

S3_TABLES = ("s3_table1", "s3_table3", "s3_distribution")

S3_NDCG = {"depth": 10, "undiscounted": 2}
"""NDCG in these tables, as in the authors' code (`ndcg.py` of Peyrard & Eckle-Kohler 2017)."""

FAILURE_THRESHOLDS = {"pearson": 0.65, "spearman": 0.55, "ndcg": 0.85}
"""A metric fails on a topic if a coefficient is below these values (Peyrard et al. 2017, section 4.3)."""

DISTRIBUTION_STEPS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""The values above which `s3_distribution` counts topics; the paper's axis is 0 to 1."""


def update_lines(topics: Collection[str]) -> list[str]:
    """The note in the captions on update sets among the topics; empty if there are none."""
    left_out = len(topics) - len(initial_topics(topics))
    return [f"{left_out} of {len(topics)} topics are update sets and are left out"] if left_out else []


def s3_table1(scores: Scores, by: str) -> pd.DataFrame:
    """The mean coefficients over topics with one judgement, ``by``, a row per other metric (`_select_s3`)."""
    scores, pairs = _select_s3(scores, by)
    rows = []
    for metric, against in pairs:
        values = topic_coefficients(scores.metric(metric), scores.metric(against), **S3_NDCG)
        means = dict(zip(COEFFICIENTS, average_defined(values), strict=True))
        why = why_undefined(means, scores, metric, against, "summary")
        rows.append((metric, against, means["pearson"], means["spearman"], means["ndcg"], why))
    return pd.DataFrame(rows, columns=["metric", "against", "pearson", "spearman", "ndcg_10", WHY])


def s3_table3(scores: Scores, by: str, falling: Collection[str] = ()) -> pd.DataFrame:
    """The `failures` by one judgement, ``by``, with the rows of `s3_table1`."""
    s3_scores, pairs = _select_s3(scores, by)
    table = failures(s3_scores, pairs, falling, **S3_NDCG)
    return table.rename(columns={"ndcg_failure": "ndcg_10_failure"}).assign(
        **{WHY: s3_table1(scores, by)[WHY]}
    )


def s3_distribution(scores: Scores, by: str) -> pd.DataFrame:
    """On how many topics a metric's correlation with one judgement, ``by``, is above each value of a scale.

    ``topics`` counts those with a defined coefficient, ``above_<x>`` those on which its absolute value is
    above x.
    """
    scores, pairs = _select_s3(scores, by)
    rows = []
    for metric, against in pairs:
        values = topic_coefficients(scores.metric(metric), scores.metric(against), **S3_NDCG)
        for name in FAILURE_THRESHOLDS:
            sizes = np.abs(values[:, COEFFICIENTS.index(name)])
            counts = [int((sizes > x + ROUND_OFF).sum()) for x in DISTRIBUTION_STEPS]
            label = "ndcg_10" if name == "ndcg" else name
            rows.append((metric, against, label, int((~np.isnan(sizes)).sum()), *counts))
    columns = ["metric", "against", "coefficient", "topics", *(f"above_{x}" for x in DISTRIBUTION_STEPS)]
    return pd.DataFrame(rows, columns=columns)


def _select_s3(scores: Scores, judgement: str) -> tuple[Scores, list[tuple[str, str]]]:
    """The scores on the initial topics, S3's models of ``judgement`` by their plain names, and the pairs."""
    scores = scores.keep_topics(initial_topics(scores.topics))
    labels = [name for name in scores.metrics if named_by_judgement(name) in ("", judgement)]
    own = {learnt_on(name, judgement): name for name in MODELS}
    names = tuple(own.get(label, label) for label in labels)
    values = np.array([scores.metric(label) for label in labels])
    return replace(scores, metrics=names, values=values), [
        (name, judgement) for name in names if name != judgement
    ]


def failures(
    scores: Scores, pairs: Sequence[tuple[str, str]], falling: Collection[str] = (), **ndcg: int
) -> pd.DataFrame:
    """The share, 0 to 1, of topics on which each metric fails (`FAILURE_THRESHOLDS`), a row per pair.

    ``ndcg`` holds settings of NDCG (`S3_NDCG`). For metrics that are ``falling``, r and rho change their
    sign, and NDCG does not.
    """
    places = [COEFFICIENTS.index(name) for name in FAILURE_THRESHOLDS]
    rows = []
    for metric, against in pairs:
        values = topic_coefficients(scores.metric(metric), scores.metric(against), **ndcg)[:, places]
        if metric in falling:
            values[:, :-1] *= -1  # NDCG is the last
        failed = np.where(np.isnan(values), np.nan, values < list(FAILURE_THRESHOLDS.values()))
        rows.append((metric, against, *average_defined(failed)))
    columns = ["metric", "against", *(f"{name}_failure" for name in FAILURE_THRESHOLDS)]
    return pd.DataFrame(rows, columns=columns)
