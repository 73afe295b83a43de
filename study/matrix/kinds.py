"""Kinds of metrics on one benchmark: how much better than ROUGE-1-F each follows people.

A kind is what its metrics compare (words, vectors, …) and with what (the reference, the source, the summary
alone). Its effect is the mean over its metrics of Spearman's ρ less that of ROUGE-1-F (stemmed) on the same
summaries. ``sera/resources/released_metrics.tsv`` has the kinds of released metrics.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from sera.benchmarks.released_metrics import released_metrics
from sera.evaluation.bootstrap import Bootstrap, percentile_interval
from sera.evaluation.coefficients import COEFFICIENTS
from sera.evaluation.correlate import Scores, complete_topics, correlation
from sera.io.scores import GIVEN
from sera.reporting.page import number
from sera.resources import lines
from study.claims.multiverse import METRICS

KIND_COLUMNS = [
    *("benchmark", "judgement", "dimension", "level", "kind", "reads", "metrics"),
    *("effect", "low", "high", "se"),
]
BASELINE = "ROUGE-1-F"
KINDS_TITLE = f"Kinds of metrics less {BASELINE} in Spearman's ρ with people's relevance or coverage, pooled."
RELEVANCE, CONSISTENCY = "relevance or coverage", "consistency"
_CONSISTENCIES = ("consistency", "sentiment consistency", "Faithfulness")
_OWN = {
    "ROUGE": ("words", "reference"),
    "SERA": ("retrieval", "reference"),
    "BERTScore": ("vectors", "reference"),
}
_RELEASED = {f"{GIVEN}{each.metric}": each for each in released_metrics()}

KIND_WORDS = {
    (kind, reads): words
    for kind, reads, words in (line.split("\t") for line in lines("kinds_of_metrics.tsv", "study.resources"))
}
_SPEARMAN = COEFFICIENTS.index("spearman")


def judgement_dimension(judgement: str, first: str) -> str:
    """What a judgement is of: a benchmark's first one is of relevance or coverage; empty for all others."""
    return RELEVANCE if judgement == first else CONSISTENCY if judgement in _CONSISTENCIES else ""


def kinds_of_metrics(metrics: Iterable[str], dimension: str = "") -> dict[str, tuple[str, str]]:
    """The kind of each metric, and what it reads; of judges, only those of the ``dimension`` if it is given.

    S3 is left out, since it is trained on these judgements, and so is a release's ROUGE: our own is there.
    """
    kinds: dict[str, tuple[str, str]] = {}
    for name in metrics:
        family = name.partition("-")[0]
        if (release_metric := _RELEASED.get(name)) and not release_metric.metric.startswith("ROUGE"):
            if not dimension or release_metric.dimension in ("", dimension.partition(" ")[0]):
                kinds[name] = release_metric.kind, release_metric.reads
        elif name != BASELINE and (name in METRICS or family == "BERTScore"):
            kinds[name] = _OWN[family]
    return kinds


def name_kind(metric: str) -> str:
    """The kind of a metric in words, also of one that no effect counts; empty if it has none."""
    release_metric = _RELEASED.get(metric)
    pair = (
        (release_metric.kind, release_metric.reads) if release_metric else _OWN.get(metric.partition("-")[0])
    )
    return KIND_WORDS[pair] if pair else ""


def kind_effects(
    scores: Scores, judgement: str, dimension: str, level: str, bootstrap: Bootstrap, confidence: float
) -> list[dict[str, Any]]:
    """The effect of each kind at a level, with its interval and standard error over topics."""
    if BASELINE not in scores.metrics:
        return []
    effects: dict[tuple[str, str], list[np.ndarray]] = {}
    for name, pair in kinds_of_metrics(scores.metrics, dimension).items():
        difference = _difference(scores, name, judgement, level, bootstrap)
        if not np.isnan(difference[0]):
            effects.setdefault(pair, []).append(difference)
    rows = []
    for (kind, reads), differences in effects.items():
        effect, *draws = np.mean(differences, axis=0)
        low, high = percentile_interval(np.array(draws), confidence)
        key = {"judgement": judgement, "dimension": dimension, "level": level, "kind": kind, "reads": reads}
        numbers = {"effect": float(effect), "low": low, "high": high, "se": float(pd.Series(draws).std())}
        rows.append({**key, "metrics": len(differences), **numbers})
    return rows


def _difference(scores: Scores, metric: str, judgement: str, level: str, bootstrap: Bootstrap) -> np.ndarray:
    """Spearman's ρ of a metric less that of the baseline, and then the same on each resample."""
    both, judgements = scores.stack([metric, BASELINE]), scores.metric(judgement)
    if level == "system":
        topics = complete_topics(judgements, *both)
        both, judgements = both[:, topics], judgements[topics]
    both = np.where(np.isnan(both).any(axis=0), np.nan, both)
    if not len(judgements):
        return np.full(1, np.nan)
    topic_draws, systems = bootstrap.draw_topics(len(judgements)), bootstrap.draw_systems(judgements.shape[1])
    draws = correlation(both, judgements, level, topics=topic_draws, systems=systems)
    rho = np.concatenate([correlation(both, judgements, level)[None], draws])[..., _SPEARMAN]
    return rho[:, 0] - rho[:, 1]


# Pooled over benchmarks

FEWEST = 3  # the fewest benchmarks on which a sentence about a kind of metrics rests


def name_kinds(pooled: pd.DataFrame) -> pd.DataFrame:
    """The table of `study.matrix.pooling.kinds_table`, with the ``name`` of each kind in words."""
    pairs = zip(pooled["kind"], pooled["reads"], strict=True)
    return pooled.assign(name=[KIND_WORDS[pair] for pair in pairs])


def well_known_kinds(pooled: pd.DataFrame) -> pd.DataFrame:
    """The rows on relevance or coverage that rest on at least `FEWEST` benchmarks, with names."""
    return name_kinds(pooled[(pooled["dimension"] == RELEVANCE) & (pooled["benchmarks"] >= FEWEST)])


def kind_sentences(pooled: pd.DataFrame) -> list[str]:
    """Which kinds of metrics follow people better or worse than ROUGE-1-F: two sentences, and how sure.

    A kind is ahead or behind if 0 is outside of its interval.
    """
    table, sentences = well_known_kinds(pooled), []
    for question, question_rows in table.groupby("question", sort=False):
        rows = question_rows.to_dict("records")
        winners, losers = [row for row in rows if row["low"] > 0], [row for row in rows if row["high"] < 0]
        which = _list_kinds(winners) if winners else f"the highest is {_list_kinds(rows[:1])}"
        worse = f"; worse: {_list_kinds(losers)}" if losers else ""
        sentences.append(
            f"In ranking {question}, {len(winners) or 'none'} of {len(rows)} kinds of metrics on {FEWEST} or "
            f"more benchmarks {'follow' if len(winners) > 1 else 'follows'} people better than ROUGE-1-F: "
            f"{which}{worse}."
        )
    sure = table[table["prediction_low"] > 0]
    names = [f"{row.name} in ranking {row.question}" for row in sure.itertuples(index=False, name="Row")]
    none = "No kind is sure to be ahead on a further benchmark: no prediction interval is above 0."
    some = f"By prediction intervals, {' and '.join(names)} will be ahead on a further benchmark too."
    sentences.append(some if names else none)
    return sentences


def _list_kinds(rows: list[dict[str, Any]]) -> str:
    form = "{name}, {effect} ({low} to {high}) on {benchmarks} benchmarks"
    texts = [{name: number(row[name], 2, "+") for name in ("effect", "low", "high")} for row in rows]
    return "; ".join(form.format(**row | numbers) for row, numbers in zip(rows, texts, strict=True))


def kind_rows(pooled: pd.DataFrame) -> list[dict[str, Any]]:
    """The kinds on `FEWEST` benchmarks by dimension, each with its effects by question, None without one."""
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    absent = dict.fromkeys(pooled["question"])
    for row in name_kinds(pooled[pooled["benchmarks"] >= FEWEST]).to_dict("records"):
        key = row["dimension"], row["name"]
        rows.setdefault(key, {"dimension": key[0], "name": key[1], **absent})[row["question"]] = row
    return list(rows.values())
