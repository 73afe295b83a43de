"""The tables of `sera evaluate` beside the correlations: pairs, clusters, power, partial correlation, judges.

docs/meta-evaluation.md defines each number and names its source.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd

from sera.evaluation.correlation.correlate import (
    WHY,
    Bootstrap,
    Scores,
    interval_columns,
    paired,
    why_not_at_level,
)
from sera.evaluation.correlation.partial import partial_correlations
from sera.evaluation.correlation.power import metric_power
from sera.evaluation.pairs.clusters import metric_clusters
from sera.evaluation.pairs.pairwise import accuracy_draws, calibrate, close_pairs, pairwise_accuracy
from sera.evaluation.pairs.soft_accuracy import soft_pairwise_accuracy
from sera.evaluation.people.judges import judge_tables

ALWAYS_WRITTEN = ("pairwise", "clusters", "power")
"""The tables that scores and judgements suffice for."""

WRITTEN_WITH_TEXTS = ("partial",)
WRITTEN_WITH_JUDGES = ("judges", "ceilings", "system_level_judges")
FURTHER_TABLES = (*ALWAYS_WRITTEN, *WRITTEN_WITH_TEXTS, *WRITTEN_WITH_JUDGES)

MOST_PAIRED = 3000
"""Up to this number of summaries, all pairs are compared at once: 4.5 million pairs."""

PAIRWISE_COLUMNS = [
    *("metric", "against", "accuracy", "accuracy_low", "accuracy_high", "soft_accuracy"),
    *("close_pairs", "close_difference", "close_accuracy", "close_kendall", "acc_eq", "epsilon"),
    *("acc_eq_by_system", "epsilon_by_system", "acc_eq_of_all", "epsilon_of_all"),
    *("systems", "topics", "undefined", WHY),
]


def further_tables(
    scores: Scores,
    judgements: Sequence[str],
    *,
    compared: Sequence[str] | None = None,
    falling: Collection[str] = (),
    bootstrap: Bootstrap | None = None,
    confidence: float = 95.0,
    summaries: pd.DataFrame | None = None,
    judges: pd.DataFrame | None = None,
) -> dict[str, pd.DataFrame]:
    """The tables by name (`FURTHER_TABLES`), over the judged systems.

    ``judgements``, ``falling``, ``bootstrap`` and ``confidence`` are as of
    `sera.evaluation.meta_evaluation.evaluate`; permutations and simulations use the bootstrap's number and
    seed. ``compared`` names the metrics that ``clusters`` and ``power`` are about, which compare each with
    each other: all if not given; those without scores are ignored. ``summaries`` holds the properties of the
    texts (`sera.evaluation.correlation.partial.properties`), ``judges`` the scores of single judges
    (`sera.evaluation.people.judges.judge_tables`); without them their tables are left out.
    """
    bootstrap = bootstrap or Bootstrap("both")
    turned = scores.turned(falling)
    metrics = [
        name
        for name in scores.metrics
        if name not in judgements and (compared is None or name in set(compared))
    ]
    options = {"seed": bootstrap.seed}
    parts: dict[str, list[pd.DataFrame]] = {name: [] for name in ALWAYS_WRITTEN}
    partial = []
    for by in judgements:
        judged = turned.judged_by(by)
        pairs = [(name, by) for name in judged.metrics if name != by]
        parts["pairwise"].append(pairwise(judged, pairs, bootstrap, confidence))
        parts["clusters"].append(
            metric_clusters(judged, metrics, by, permutations=bootstrap.resamples, **options)
        )
        parts["power"].append(metric_power(judged, metrics, by, resamples=bootstrap.resamples, **options))
        if summaries is not None:
            partial.append(partial_correlations(scores.judged_by(by), pairs, summaries))
    # an empty table has no types, which would change those of the others
    tables = {
        name: pd.concat([part for part in of if len(part)] or of[:1], ignore_index=True)
        for name, of in parts.items()
    }
    if partial:
        tables["partial"] = pd.concat(partial, ignore_index=True)
    if judges is not None:
        tables |= judge_tables(judges, turned, bootstrap=bootstrap, confidence=confidence)
    return tables


def pairwise(
    scores: Scores, pairs: Sequence[tuple[str, str]], bootstrap: Bootstrap, confidence: float
) -> pd.DataFrame:
    """The agreement on pairs, a row per metric and judgement; higher must be better for all metrics.

    ``accuracy``, ``soft_accuracy`` and the close pairs are of systems, on the topics that are complete on
    both sides. ``acc_eq`` is of the systems on one topic, ``acc_eq_by_system`` of one system on two topics,
    ``acc_eq_of_all`` of any two summaries (undefined for more than `MOST_PAIRED` summaries).
    """
    return pd.DataFrame(
        [_pairwise_row(scores, *pair, bootstrap, confidence) for pair in pairs], columns=PAIRWISE_COLUMNS
    )


def _pairwise_row(
    scores: Scores, metric: str, against: str, bootstrap: Bootstrap, confidence: float
) -> dict[str, object]:
    x, y = paired(scores, metric, against)
    row: dict[str, object] = {"metric": metric, "against": against, "systems": x.shape[1], "topics": len(x)}
    row |= {"undefined": len(scores.topics) - len(x), WHY: ""}
    if not len(x) or x.shape[1] < 2:
        why = "fewer than two systems" if len(x) else why_not_at_level(x, y, metric, against, "system")
        row |= {"accuracy": np.nan, WHY: why}
    else:
        mean_x, mean_y = x.mean(axis=0), y.mean(axis=0)
        close = close_pairs(mean_x, mean_y)
        drawn = accuracy_draws(x, y, bootstrap.of_topics(len(x)), bootstrap.of_systems(x.shape[1]))
        row |= {
            "accuracy": pairwise_accuracy(mean_x, mean_y),
            **interval_columns("accuracy", drawn, confidence),
            "soft_accuracy": soft_pairwise_accuracy(
                x, y, permutations=bootstrap.resamples, seed=bootstrap.seed
            ),
            "close_pairs": close.pairs,
            "close_difference": close.difference,
            "close_accuracy": close.accuracy,
            "close_kendall": close.kendall,
        }
    x, y = scores.of_metric(metric), scores.of_metric(against)
    for ending, grouping in (("", "topic"), ("_by_system", "system"), ("_of_all", "all")):
        if grouping == "all" and np.count_nonzero(~np.isnan(x + y)) > MOST_PAIRED:
            row[WHY] = row[WHY] or f"acc_eq of all: more than {MOST_PAIRED} summaries"
            continue
        found = calibrate(x, y, grouping)
        row |= {f"acc_eq{ending}": found.accuracy, f"epsilon{ending}": found.epsilon}
    return row
