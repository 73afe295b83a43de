"""Effects on one benchmark: SERA less ROUGE, and metrics, their kinds and a judge less a variant of ROUGE.

An effect is a difference of Spearman's ρ with a judgement, or of r where a contrast says so. Its interval,
error and p are over systems: for other systems, and as many topics as here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from sera.evaluation.bootstrap import percentile_interval
from sera.evaluation.coefficients import COEFFICIENTS
from sera.evaluation.correlate import Scores, average_defined, complete_topics, correlation
from sera.evaluation.judges import ratings
from study.claims.multiverse import ROUGE, SERA
from study.matrix.kinds import kinds_of_metrics

_EFFECT = ("effect", "low", "high", "se", "p", "systems", "topics")
CONTRAST_COLUMNS = ["benchmark", "judgement", "level", "coefficient", "contrast", *_EFFECT]
KIND_COLUMNS = [
    *("benchmark", "judgement", "dimension", "level", "baseline", "kind", "reads", "metrics", *_EFFECT)
]
DIFFERENCE_COLUMNS = ["benchmark", "judgement", "level", "baseline", "metric", *_EFFECT]

OF_LENGTH, ONE_JUDGE = "length", "one judge"
"""A floor, and a ceiling where several judges are known: each of them with the mean of the others."""

WITHOUT, WITH = " without stop words", " with stop words"
"""Where a benchmark has ROUGE twice, these end the names of its variants, and all have one of them."""

BASELINES = ("ROUGE-1-F", "ROUGE-1-R", "ROUGE-L-F", f"ROUGE-1-F{WITHOUT}")
"""What metrics and kinds are compared with; all but the first are for the table of sensitivity."""

FIRST_SYSTEMS = dict.fromkeys(("wikisera_tac2009", "wikisera_tac2009_update"), ("1", "2", "3"))
"""Systems of TAC 2009 that look like NIST's baselines."""

Draw = Callable[[np.ndarray], dict[str, np.ndarray]]
"""Gives the draws for scores, (..., topic, system), as `sera.evaluation.bootstrap.Bootstrap.draw` does."""

_SPEARMAN = COEFFICIENTS.index("spearman")
Key = Mapping[str, Any]
"""Of a table's rows, the ``benchmark``, the ``judgement`` and the ``level``."""

Row = tuple[dict[str, Any], np.ndarray, dict[str, int]]
"""An effect with its key, its values, of the data and then of each draw, and its systems and topics."""


class Contrast(NamedTuple):
    """The mean or the highest of some variants of SERA less that of ROUGE, of those that a source has."""

    sera: Sequence[str] = SERA
    rouge: Sequence[str] = ROUGE
    reduce: Callable[..., np.ndarray] = np.mean
    stop_words: str = WITHOUT
    coefficient: str = "spearman"


MEANS, WITHOUT_FIRST = "means", "means_without_tac2009_1_to_3"
CONTRASTS = {
    MEANS: Contrast(),
    "means_stop_words_kept": Contrast(stop_words=WITH),
    WITHOUT_FIRST: Contrast(),
    "means_pearson": Contrast(coefficient="pearson"),
    "best": Contrast(reduce=np.max),
    **{side: Contrast(rouge=[name for name in ROUGE if name[-1] == side]) for side in "FPR"},
    "sera5_rouge2": Contrast(["SERA-5"], ["ROUGE-2-F"]),
}
"""`MEANS` answers the questions; the others show how much depends on what is compared."""


def contrast_rows(key: Key, scores: Scores, draw: Draw) -> Iterator[Row]:
    """The `CONTRASTS` on a benchmark. Released scores alone have one ROUGE, which every contrast compares."""
    has_texts = any(name.endswith((WITHOUT, WITH)) for name in scores.metrics)
    endings = (WITHOUT, WITH) if has_texts else ("",)
    names = [*SERA, *(f"{name}{ending}" for name in ROUGE for ending in endings)]
    first = FIRST_SYSTEMS.get(key["benchmark"], ())
    others = scores.keep_systems([name for name in scores.systems if name not in first])
    drawn = {
        part.systems: {name: (own, size) for name, own, _, size in draw_coefficients(part, names, key, draw)}
        for part in ((scores, others) if first else (scores,))
    }
    for contrast, (sera, rouge, reduce, stop_words, coefficient) in CONTRASTS.items():
        known = drawn[(others if contrast == WITHOUT_FIRST else scores).systems]
        rouge = [f"{name}{stop_words if has_texts else ''}" for name in rouge]
        sides = [[known[name] for name in side if name in known] for side in (sera, rouge)]
        effects, size = np.full(1, np.nan), {"systems": len(scores.systems), "topics": 0}
        if all(sides):
            place, size = COEFFICIENTS.index(coefficient), sides[0][0][1]
            means = [reduce([own[:, place] for own, _ in side], axis=0) for side in sides]
            effects = means[0] - means[1]
        yield {**key, "coefficient": coefficient, "contrast": contrast}, effects, size


def difference_rows(
    key: Key, scores: Scores, metrics: Iterable[str], draw: Draw, judges: pd.DataFrame | None = None
) -> Iterator[Row]:
    """The metrics less the first of `BASELINES`, and one judge less it, both by the mean of the others."""
    if BASELINES[0] not in scores.metrics:
        return
    key = {**key, "baseline": BASELINES[0]}
    for name, own, (rouge,), size in draw_coefficients(scores, metrics, key, draw, BASELINES[:1]):
        yield {**key, "metric": name}, (own - rouge)[:, _SPEARMAN], size
    own_judges = judges[judges["judgement"] == key["judgement"]] if judges is not None else pd.DataFrame()
    values = ratings(own_judges, scores.topics, scores.systems) if len(own_judges) else np.empty(0)
    effects, size = [], {}
    for number, ratings_of_one in enumerate(values if len(values) > 1 else ()):
        others = average_defined(np.delete(values, number, axis=0))
        stack = np.stack([ratings_of_one, others, scores.metric(BASELINES[0])])
        part = Scores(("judge", "others", BASELINES[0]), scores.topics, scores.systems, stack)
        by_others = {**key, "judgement": "others"}
        for _, own, (rouge,), size in draw_coefficients(part, ["judge"], by_others, draw, BASELINES[:1]):
            effects.append((own - rouge)[:, _SPEARMAN])
    if defined := [each for each in effects if not np.isnan(each[0])]:
        yield {**key, "metric": ONE_JUDGE}, average_defined(np.array(defined)), size


def kind_rows(key: Key, scores: Scores, dimension: str, draw: Draw) -> Iterator[Row]:
    """Each kind less each of `BASELINES`: the mean over the kind's metrics, on the same summaries."""
    pairs = kinds_of_metrics(scores.metrics, dimension)
    baselines = [name for name in BASELINES if name in scores.metrics]
    groups: dict[tuple[Any, ...], list[tuple[np.ndarray, dict[str, int]]]] = {}
    drawn = draw_coefficients(scores, pairs, key, draw, baselines)
    for name, own, others, size in drawn:
        for baseline, other in zip(baselines, others, strict=True):
            effects = (own - other)[:, _SPEARMAN]
            if name != baseline and not np.isnan(effects[0]):
                groups.setdefault((baseline, *pairs[name]), []).append((effects, size))
    for (baseline, kind, reads), parts in groups.items():
        of_kind = {"baseline": baseline, "kind": kind, "reads": reads, "metrics": len(parts)}
        yield (
            {**key, "dimension": dimension, **of_kind},
            np.mean([effects for effects, _ in parts], axis=0),
            parts[0][1],
        )


def effect_table(rows: Iterable[Row], columns: Sequence[str], confidence: float) -> pd.DataFrame:
    """The effects with their intervals, errors and two-sided p, all from the draws."""
    table = []
    for key, (effect, *draws), size in rows:
        values = np.array(draws)
        low, high = percentile_interval(values, confidence)
        sides = (values <= 0).sum(), (values >= 0).sum()
        p = min(1.0, 2 * (1 + min(sides)) / (1 + len(values))) if len(values) else np.nan
        numbers = {"effect": effect, "low": low, "high": high, "se": float(pd.Series(values).std()), "p": p}
        table.append({**key, **numbers, **size})
    return pd.DataFrame(table, columns=list(columns))


def draw_coefficients(
    scores: Scores, metrics: Iterable[str], key: Key, draw: Draw, beside: Sequence[str] = ()
) -> Iterator[tuple[str, np.ndarray, list[np.ndarray], dict[str, int]]]:
    """The coefficients of each metric that is there: those of the data, and then those of each draw.

    With each metric, (1 + draw, coefficient), come those of the metrics ``beside`` on the same summaries, and
    the numbers of systems and topics. Metrics with scores of the same summaries are computed together.
    """
    level, groups = key["level"], dict[bytes, list[str]]()
    for name in metrics:
        if name in scores.metrics:
            groups.setdefault(np.isnan(scores.metric(name)).tobytes(), []).append(name)
    for names in groups.values():
        x, y = scores.stack([*names, *beside]), scores.metric(key["judgement"])
        if level == "system":
            topics = complete_topics(y, *x)
            x, y = x[:, topics], y[topics]
        else:
            x = np.where(np.isnan(x).any(axis=0), np.nan, x)
        values = np.full((1, len(x), len(COEFFICIENTS)), np.nan)
        if len(y):
            values = np.concatenate([correlation(x, y, level)[None], correlation(x, y, level, **draw(y))])
        size = {"systems": y.shape[1], "topics": int((~np.isnan(x[0] + y)).any(axis=1).sum())}
        others = [values[:, len(names) + place] for place in range(len(beside))]
        for place, name in enumerate(names):
            yield name, values[:, place], others, size
