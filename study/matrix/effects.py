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
from study.matrix.kinds import SHOWN, judgement_dimension, kinds_of_metrics

QUESTIONS = {"system": "systems", "summary": "summaries"}
"""What is ranked at a level: systems, or the summaries of one topic."""

EFFECTS = {
    "contrasts": ("coefficient", "contrast"),
    "kinds": ("dimension", "baseline", "kind", "reads", "metrics"),
    "differences": ("baseline", "metric"),
}
"""The tables of effects by name, with the columns of their own."""

_KEY = ("benchmark", "judgement", "level")
_NUMBERS = ("effect", "low", "high", "se", "p", "systems", "topics")

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
"""The benchmark, the judgement and the level of a row."""

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


def effect_tables(
    benchmark: str,
    scores: Mapping[str, Scores],
    draw: Draw,
    confidence: float,
    judges: pd.DataFrame | None = None,
) -> dict[str, pd.DataFrame]:
    """The `EFFECTS` on a benchmark, whose ``scores`` are by judgement, the first one foremost.

    Kinds are compared by each judgement with a dimension (`judgement_dimension`), all else by the first one.
    Intervals, errors and two-sided p are from draws of systems.
    """
    first = next(iter(scores))
    rows: dict[str, list[Row]] = {name: [] for name in EFFECTS}
    for judgement, judged_scores in scores.items():
        dimension = judgement_dimension(judgement, first)
        for level in QUESTIONS if dimension else ():
            key = dict(zip(_KEY, (benchmark, judgement, level), strict=True))
            rows["kinds"] += _kinds(key, judged_scores, dimension, draw)
            if judgement == first:
                rows["contrasts"] += _contrasts(key, judged_scores, draw)
                rows["differences"] += _differences(key, judged_scores, draw, judges)
    return {
        name: pd.DataFrame(
            [key | _numbers(effects, confidence) | size for key, effects, size in rows[name]],
            columns=[*_KEY, *own, *_NUMBERS],
        )
        for name, own in EFFECTS.items()
    }


def _numbers(effects: np.ndarray, confidence: float) -> dict[str, float]:
    if len(effects) == 1:  # undefined, so that nothing was drawn
        return dict.fromkeys(("effect", "low", "high", "se", "p"), np.nan)
    draws = effects[1:]
    low, high = percentile_interval(draws, confidence)
    p = min(1.0, 2 * (1 + min((draws <= 0).sum(), (draws >= 0).sum())) / (1 + len(draws)))
    return {"effect": effects[0], "low": low, "high": high, "se": float(pd.Series(draws).std()), "p": p}


def _contrasts(key: Key, scores: Scores, draw: Draw) -> Iterator[Row]:
    """The `CONTRASTS` on a benchmark. Released scores alone have one ROUGE, which every contrast compares."""
    has_texts = any(name.endswith((WITHOUT, WITH)) for name in scores.metrics)
    endings = (WITHOUT, WITH) if has_texts else ("",)
    names = [*SERA, *(f"{name}{ending}" for name in ROUGE for ending in endings)]
    first = FIRST_SYSTEMS.get(key["benchmark"], ())
    others = scores.keep_systems([name for name in scores.systems if name not in first])
    drawn = {
        part.systems: {name: (own, size) for name, own, _, size in _draw(part, names, key, draw)}
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


def _differences(key: Key, scores: Scores, draw: Draw, judges: pd.DataFrame | None) -> Iterator[Row]:
    """The usual metrics less the first of `BASELINES`, and one judge, both by the mean of the others."""
    if BASELINES[0] not in scores.metrics:
        return
    key = {**key, "baseline": BASELINES[0]}
    for name, own, (rouge,), size in _draw(scores, [*SHOWN, OF_LENGTH], key, draw, BASELINES[:1]):
        yield {**key, "metric": name}, (own - rouge)[:, _SPEARMAN], size
    if judges is None or (judges["judgement"] == key["judgement"]).sum() == 0:
        return
    values = ratings(judges[judges["judgement"] == key["judgement"]], scores.topics, scores.systems)
    parts: list[Any] = []
    for number, rating in enumerate(values):
        others = average_defined(np.delete(values, number, axis=0))
        stack = np.stack([rating, scores.metric(BASELINES[0]), others])
        one = Scores(("one", BASELINES[0], "others"), scores.topics, scores.systems, stack)
        parts += _draw(one, ["one"], {**key, "judgement": "others"}, draw, BASELINES[:1])
    effects = [(own - rouge)[:, _SPEARMAN] for _, own, (rouge,), _ in parts]
    if defined := [each for each in effects if not np.isnan(each[0])]:
        yield {**key, "metric": ONE_JUDGE}, average_defined(np.array(defined)), parts[0][-1]


def _kinds(key: Key, scores: Scores, dimension: str, draw: Draw) -> Iterator[Row]:
    """Each kind less each of `BASELINES`: the mean over the kind's metrics, on the same summaries."""
    pairs = kinds_of_metrics(scores.metrics, dimension)
    baselines = [name for name in BASELINES if name in scores.metrics]
    groups: dict[tuple[Any, ...], list[tuple[np.ndarray, dict[str, int]]]] = {}
    for name, own, others, size in _draw(scores, pairs, key, draw, baselines):
        for baseline, other in zip(baselines, others, strict=True):
            effects = (own - other)[:, _SPEARMAN]
            if name != baseline and not np.isnan(effects[0]):
                groups.setdefault((baseline, *pairs[name]), []).append((effects, size))
    for (baseline, kind, reads), parts in groups.items():
        of_kind = {"baseline": baseline, "kind": kind, "reads": reads, "metrics": len(parts)}
        mean = np.mean([effects for effects, _ in parts], axis=0)
        yield {**key, "dimension": dimension, **of_kind}, mean, parts[0][1]


def _draw(
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
