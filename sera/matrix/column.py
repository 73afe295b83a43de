"""One column of the matrix of metrics by benchmarks: how every metric follows the judgements of a benchmark.

Beside the metrics stand floors, which need no thought (the length of a summary, random scores), and ceilings
where several judges are known (each of them with the mean of the others). docs/matrix.md shows the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from sera.evaluation.coefficients import COEFFICIENTS, CORRELATIONS, coefficients
from sera.evaluation.correlation import (
    LEVELS,
    WHY,
    Bootstrap,
    Scores,
    complete_topics,
    correlate,
    correlation,
    mean_of_defined,
    paired,
    percentile_interval,
)
from sera.evaluation.judges import judge_tables
from sera.evaluation.metric_clusters import metric_clusters
from sera.metrics import falling as falling_families
from sera.metrics.given import MARK
from sera.multiverse.claims import CLAIMS, METRICS
from sera.records import Candidate, Reference

CELL_COLUMNS = [
    *("benchmark", "judgement", "level", "coefficient", "metric", "kind", "value", "low", "high"),
    *("rank", "cluster", "systems", "topics", WHY),
]
EFFECT_COLUMNS = [
    *("benchmark", "judgement", "level", "coefficient", "claim", "effect", "low", "high", "holds", WHY)
]

OF_LENGTH, AT_RANDOM, ONE_JUDGE = "length", "random", "one judge"
"""The floors, and the ceiling."""

_RANDOM_DRAWS = 1000


def lengths(candidates: Iterable[Candidate]) -> pd.DataFrame:
    """The number of words of each summary, between blanks, as the scores of a metric."""
    rows = [
        {"topic": each.topic, "system": each.system, "metric": OF_LENGTH, "score": float(words)}
        for each in candidates
        for words in [sum(len(sentence.split()) for sentence in each.sentences)]
    ]
    return pd.DataFrame(rows, columns=["topic", "system", "metric", "score"])


def matrix_column(
    benchmark: str,
    scores: pd.DataFrame,
    judgements: pd.DataFrame,
    candidates: Iterable[Candidate],
    *,
    systems: Sequence[str] | None = None,
    judges: pd.DataFrame | None = None,
    resamples: int = 1000,
    permutations: int = 1000,
    confidence: float = 95.0,
    seed: int = 0,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The cells of a benchmark, and the claims of the paper on them: columns CELL_COLUMNS and EFFECT_COLUMNS.

    ``scores`` has topic, system, metric and score, ``judgements`` topic, system, judgement and score, and
    ``judges`` those of single judges. Only summaries that are judged count, and only those of ``systems`` if
    they are given. Metrics for which less is better are turned: a value of 1 is a perfect metric.
    Intervals are over topics. Ranks and clusters leave out floors and ceilings; clusters are of the system
    level alone (`sera.evaluation.metric_clusters`).
    """
    by = list(dict.fromkeys(judgements["judgement"]))
    table = pd.concat(
        [scores, lengths(candidates), judgements.rename(columns={"judgement": "metric"})], ignore_index=True
    )
    values = Scores.of(table[["topic", "system", "metric", "score"]], systems)
    names = list(dict.fromkeys(scores["metric"]))
    less = falling_families(names)
    signs = np.array([-1 if name in less else 1 for name in values.metrics])
    values = replace(values, values=values.values * signs[:, None, None])
    bootstrap = Bootstrap("topics", resamples, seed)
    cells, claims = [], []
    for judgement in by:
        judged = _of_judged(values, judgement)
        for level in LEVELS:
            found = correlate(
                judged,
                [(name, judgement) for name in (*names, OF_LENGTH)],
                level=level,
                bootstrap=bootstrap,
                confidence=confidence,
            )
            cells += _cells(found, level, names)
            cells += _random(judged, judgement, level, confidence, seed)
            claims += _claims(judged, judgement, level, bootstrap, confidence)
    table = pd.DataFrame(cells)
    if judges is not None and len(judges):
        ceilings = judge_tables(judges, values, bootstrap=bootstrap, confidence=confidence).get("ceilings")
        if ceilings is not None:
            table = pd.concat([table, _ceilings(ceilings)], ignore_index=True)
    table = _ranked(table)
    clusters = pd.concat(
        [
            metric_clusters(_of_judged(values, each), names, each, permutations=permutations, seed=seed)
            for each in by
        ]
    )
    clusters = clusters.rename(columns={"against": "judgement"}).assign(level="system")
    keys = ["judgement", "level", "coefficient", "metric"]
    table = table.merge(clusters[[*keys, "cluster"]], on=keys, how="left")
    return (
        table.assign(benchmark=benchmark)[CELL_COLUMNS],
        pd.DataFrame(claims).assign(benchmark=benchmark)[EFFECT_COLUMNS],
    )


def column_facts(
    benchmark: str,
    cells: pd.DataFrame,
    candidates: Iterable[Candidate],
    references: Iterable[Reference],
    documents: int,
) -> pd.DataFrame:
    """What a benchmark is, a row per judgement: its systems, topics and references, and SERA's collection.

    ``references`` is the median number for a topic, ``summaries`` counts the systems' summaries, judged or
    not, and ``documents`` those in the index that SERA searches.
    """
    candidates = list(candidates)
    of_topics = {each.topic: 0 for each in candidates}
    for each in references:
        of_topics[each.topic] = of_topics.get(each.topic, 0) + 1
    of_length = cells[(cells["metric"] == OF_LENGTH) & (cells["level"] == "global")]
    of_length = of_length.drop_duplicates("judgement")
    return pd.DataFrame(
        {
            "benchmark": benchmark,
            "judgement": of_length["judgement"],
            "systems": of_length["systems"],
            "topics": of_length["topics"],
            "summaries": len(candidates),
            "references": float(np.median(list(of_topics.values()))) if of_topics else np.nan,
            "documents": documents,
        }
    )


def _of_judged(values: Scores, judgement: str) -> Scores:
    """The judged systems, on the topics with at least one judgement."""
    judged = values.judged_by(judgement)
    there = ~np.isnan(judged.of_metric(judgement)).all(axis=1)
    return judged.of_topics([topic for topic, known in zip(judged.topics, there, strict=True) if known])


def _cells(found: pd.DataFrame, level: str, names: Sequence[str]) -> list[dict[str, object]]:
    kinds = {name: "given" if name.startswith(MARK) else "metric" for name in names} | {OF_LENGTH: "floor"}
    return [
        {
            "judgement": row["against"],
            "level": level,
            "coefficient": coefficient,
            "metric": row["metric"],
            "kind": kinds[row["metric"]],
            "value": row[coefficient],
            "low": row[f"{coefficient}_low"],
            "high": row[f"{coefficient}_high"],
            **{name: row[name] for name in ("systems", "topics", WHY)},
        }
        for row in found.to_dict("records")
        for coefficient in CORRELATIONS
    ]


def _random(
    judged: Scores, judgement: str, level: str, confidence: float, seed: int
) -> list[dict[str, object]]:
    """Random scores: their mean coefficient, and the interval that holds the central share of the draws."""
    known = judged.of_metric(judgement)
    if level == "system":
        known = known[complete_topics(known)]
    drawn = _random_coefficients(known, level, seed)
    rows = []
    for coefficient in CORRELATIONS:
        values = drawn[:, COEFFICIENTS.index(coefficient)]
        values = values[~np.isnan(values)]
        low, high = percentile_interval(values, confidence) if len(values) else (np.nan, np.nan)
        rows.append(
            {
                **{"judgement": judgement, "level": level, "coefficient": coefficient, "metric": AT_RANDOM},
                **{"kind": "floor", "value": values.mean() if len(values) else np.nan},
                **{"low": low, "high": high, "systems": known.shape[1], "topics": len(known)},
                WHY: "" if len(values) else "no correlation with random scores is defined",
            }
        )
    return rows


def _random_coefficients(known: np.ndarray, level: str, seed: int) -> np.ndarray:
    """The coefficients of random scores with judgements, (topic, system): (draw, coefficient)."""
    if not known.size:
        return np.full((1, len(COEFFICIENTS)), np.nan)
    random = np.random.default_rng([seed, 11])
    if level == "system":
        means = random.random((_RANDOM_DRAWS, *known.shape)).mean(axis=1)
        return coefficients(means, known.mean(axis=0))
    if level == "global":
        judged = known[~np.isnan(known)]
        return coefficients(random.random((_RANDOM_DRAWS, len(judged))), judged)
    by_topic = [coefficients(random.random((_RANDOM_DRAWS, len(row))), row) for row in known]
    return mean_of_defined(np.array(by_topic))


def _ceilings(ceilings: pd.DataFrame) -> pd.DataFrame:
    rows = [
        {
            **{"judgement": row["against"], "level": row["level"], "coefficient": coefficient},
            **{"metric": ONE_JUDGE, "kind": "ceiling", "value": row[coefficient]},
            **{"systems": row["systems"], "topics": row["topics"]},
            WHY: "no judge's correlation with the others is defined" if np.isnan(row[coefficient]) else "",
            **{end: row[f"{coefficient}_{end}"] for end in ("low", "high")},
        }
        for row in ceilings[ceilings["level"].isin(LEVELS)].to_dict("records")
        for coefficient in CORRELATIONS
    ]
    return pd.DataFrame(rows)


def _ranked(table: pd.DataFrame) -> pd.DataFrame:
    """With the rank of each metric by its value; equal values to twelve decimals share the best rank."""
    own = table[table["kind"].isin(["metric", "given"])]
    ranks = (
        own.assign(value=own["value"].round(12))
        .groupby(["judgement", "level", "coefficient"])["value"]
        .rank(ascending=False, method="min")
    )
    return table.assign(rank=ranks)


def _claims(
    judged: Scores, judgement: str, level: str, bootstrap: Bootstrap, confidence: float
) -> list[dict[str, object]]:
    """The effect of each claim on the correlations of Table 2's metrics, with its interval over topics."""
    missing = [name for name in METRICS if name not in judged.metrics]
    rows = []
    points = np.full((len(METRICS), len(COEFFICIENTS)), np.nan)
    draws = np.full((len(METRICS), bootstrap.resamples, len(COEFFICIENTS)), np.nan)
    for number, name in enumerate(METRICS):
        if name in missing:
            continue
        x, y = paired(judged, name, judgement, level)
        topics, systems = bootstrap.of_topics(len(x)), bootstrap.of_systems(x.shape[1])
        points[number] = correlation(x, y, level)
        draws[number] = correlation(x, y, level, topics=topics, systems=systems)
    for claim in CLAIMS:
        for coefficient in claim.coefficients:
            at = COEFFICIENTS.index(coefficient)
            effect = float(claim(points[:, at]))
            drawn = claim(draws[:, :, at].T)
            drawn = drawn[~np.isnan(drawn)] if not np.isnan(effect) else drawn[:0]
            low, high = percentile_interval(drawn, confidence) if len(drawn) else (np.nan, np.nan)
            why = f"there are no scores by {missing[0]}" if missing else "a correlation is undefined"
            rows.append(
                {
                    **{"judgement": judgement, "level": level, "coefficient": coefficient},
                    **{"claim": claim.name, "effect": effect, "low": low, "high": high},
                    "holds": "" if np.isnan(effect) else "yes" if effect > 0 else "no",
                    WHY: why if np.isnan(effect) else "",
                }
            )
    return rows
