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
from sera.evaluation.coefficients import COEFFICIENTS
from sera.evaluation.correlate import Bootstrap, Scores, complete_topics, correlation, percentile_interval
from sera.io.scores import GIVEN
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
    ("words", "reference"): "words in common with references",
    ("vectors", "reference"): "word vectors, with references",
    ("vectors", "source"): "word vectors, with the source",
    ("retrieval", "reference"): "SERA: retrieved documents",
    ("learned", "reference"): "learned, with references",
    ("generation", "reference"): "probability of generation, with references",
    ("generation", "source"): "probability of generation, from the source",
    ("generation", "summary"): "probability of the summary alone",
    ("questions", "source"): "questions answered from source and summary",
    ("entailment", "source"): "entailment by the source",
    ("entailment", "reference"): "entailment by references",
    ("judge", "source"): "language models as judges",
}
_SPEARMAN = COEFFICIENTS.index("spearman")


def judgement_dimension(judgement: str, first: str) -> str:
    """What a judgement is of: a benchmark's first one is of relevance or coverage; empty for all others."""
    return RELEVANCE if judgement == first else CONSISTENCY if judgement in _CONSISTENCIES else ""


def kinds_of_metrics(metrics: Iterable[str], dimension: str = "") -> dict[str, tuple[str, str]]:
    """The kind of each metric, and what it reads; of judges, only those of the ``dimension`` if it is given.

    S3 is left out, since it is trained on these judgements, and so is a release's ROUGE: our own is there.
    """
    found: dict[str, tuple[str, str]] = {}
    for name in metrics:
        family = name.partition("-")[0]
        if (given := _RELEASED.get(name)) and not given.metric.startswith("ROUGE"):
            if not dimension or given.dimension in ("", dimension.partition(" ")[0]):
                found[name] = given.kind, given.reads
        elif name != BASELINE and (name in METRICS or family == "BERTScore"):
            found[name] = _OWN[family]
    return found


def name_kind(metric: str) -> str:
    """The kind of a metric in words, also of one that no effect counts; empty if it has none."""
    given = _RELEASED.get(metric)
    pair = (given.kind, given.reads) if given else _OWN.get(metric.partition("-")[0])
    return KIND_WORDS[pair] if pair else ""


def kind_effects(
    scores: Scores, judgement: str, dimension: str, level: str, bootstrap: Bootstrap, confidence: float
) -> list[dict[str, Any]]:
    """The effect of each kind at a level, with its interval and standard error over topics."""
    if BASELINE not in scores.metrics:
        return []
    effects: dict[tuple[str, str], list[np.ndarray]] = {}
    for name, pair in kinds_of_metrics(scores.metrics, dimension).items():
        found = _difference(scores, name, judgement, level, bootstrap)
        if not np.isnan(found[0]):
            effects.setdefault(pair, []).append(found)
    rows = []
    for (kind, reads), of in effects.items():
        effect, *draws = np.mean(of, axis=0)
        low, high = percentile_interval(np.array(draws), confidence)
        key = {"judgement": judgement, "dimension": dimension, "level": level, "kind": kind, "reads": reads}
        numbers = {"effect": float(effect), "low": low, "high": high, "se": float(pd.Series(draws).std())}
        rows.append({**key, "metrics": len(of), **numbers})
    return rows


def _difference(scores: Scores, metric: str, judgement: str, level: str, bootstrap: Bootstrap) -> np.ndarray:
    """Spearman's ρ of a metric less that of the baseline, and then the same on each resample."""
    both, judged = scores.stack([metric, BASELINE]), scores.metric(judgement)
    if level == "system":
        topics = complete_topics(judged, *both)
        both, judged = both[:, topics], judged[topics]
    both = np.where(np.isnan(both).any(axis=0), np.nan, both)
    if not len(judged):
        return np.full(1, np.nan)
    drawn_topics, systems = bootstrap.draw_topics(len(judged)), bootstrap.draw_systems(judged.shape[1])
    drawn = correlation(both, judged, level, topics=drawn_topics, systems=systems)
    rho = np.concatenate([correlation(both, judged, level)[None], drawn])[..., _SPEARMAN]
    return rho[:, 0] - rho[:, 1]
