"""Several judges of the same summaries: how far they agree, and what that means for metrics.

Ratings are arrays, (judge, topic, system), NaN where a judge did not judge a summary. The judgement of a
summary is the mean over its judges.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from sera.defaults import CONFIDENCE
from sera.evaluation.bootstrap import Bootstrap, interval_columns, resample_counts
from sera.evaluation.coefficients import COEFFICIENTS, CORRELATIONS, coefficients
from sera.evaluation.correlate import LEVELS, Scores, average_defined, complete_topics, correlation
from sera.evaluation.ties import mean_scores, merge_ties, typical_size

SCALES = ("nominal", "ordinal", "interval")

SEED_OF_JUDGES = 10
"""The stream of random numbers that draws judges, beside those of topics and systems."""

_CHUNK = 4_000_000  # drawn judgements at a time


def ratings(
    table: pd.DataFrame, topics: Sequence[str] | None = None, systems: Sequence[str] | None = None
) -> np.ndarray:
    """The scores of a table with topic, system, judge and score, (judge, topic, system), in order of name.

    NaN where a judge did not judge a summary. ``topics`` and ``systems`` are those to keep, all if not given.
    """
    names = ["judge", "topic", "system"]
    kept = zip(names, (None, topics, systems), strict=True)
    axes = [sorted(table[name].unique()) if part is None else list(part) for name, part in kept]
    index = pd.MultiIndex.from_product(axes, names=names)
    scores = merge_ties(table.set_index(names)["score"].reindex(index).to_numpy(float))
    return scores.reshape([*map(len, axes)])


def krippendorff_alpha(values: np.ndarray, scale: str = "interval") -> float:
    """Krippendorff's alpha: 1 if all judges agree, 0 if they agree as by chance, below 0 if less.

    ``values`` is (judge, unit), NaN where a judge has no value; a unit with one value does not count.
    ``scale`` is "nominal", "ordinal" or "interval" (Krippendorff 2011, *Computing Krippendorff's
    Alpha-Reliability*). NaN without two units, and where all values are the same.
    """
    known = ~np.isnan(values)
    values, known = values[:, known.sum(axis=0) > 1], known[:, known.sum(axis=0) > 1]
    number, judges = int(known.sum()), known.sum(axis=0)
    if values.shape[1] < 2:
        return np.nan
    if scale == "nominal":  # a 0 or 1 for each value
        parts = (values == np.unique(values[known])[:, None, None]).astype(float)
    else:  # the ordinal difference of two values is that of their mean ranks
        points = values[known] / np.abs(values[known]).max(initial=1e-300)  # their squares are numbers
        points = pd.Series(points).rank().to_numpy() if scale == "ordinal" else points
        parts = np.zeros((1, *values.shape))
        parts[0, known] = points - points.mean()
    squares, sums = (parts**2).sum(axis=1), parts.sum(axis=1)  # (part, unit)
    apart = (judges * squares - sums**2).sum(axis=0)
    expected = (number * squares.sum(axis=1) - sums.sum(axis=1) ** 2).sum()
    if not expected > 0:
        return np.nan
    return float(1 - (apart / (judges - 1)).sum() * (number - 1) / expected)


def alpha_draws(values: np.ndarray, scale: str, topics: np.ndarray) -> np.ndarray:
    """`krippendorff_alpha` of drawn topics, (resample,); ``values`` is (judge, topic, system).

    ``topics``, (resample, topic), holds how often each is drawn. Judges are not redrawn: one who is drawn
    twice would agree with himself.
    """
    judges = len(values)
    return np.array(
        [krippendorff_alpha(np.repeat(values, often, axis=1).reshape(judges, -1), scale) for often in topics]
    )


def leave_one_out(
    values: np.ndarray,
    level: str = "system",
    *,
    topics: np.ndarray | None = None,
    systems: np.ndarray | None = None,
) -> np.ndarray:
    """The coefficients of each judge with the mean of the others, (judge, coefficient), or with resamples.

    ``values`` is (judge, topic, system). The mean over judges is a ceiling for metrics, though not a strict
    one: a metric may follow the mean better than a person does. With ``topics``, (resample, topic), and
    ``systems``, (resample, system), the result is (judge, resample, coefficient).
    """
    rows = []
    for judge, own in enumerate(values):
        others = average_defined(np.delete(values, judge, axis=0))
        others = merge_ties(others.ravel()).reshape(others.shape)
        mask = complete_topics(own, others) if level == "system" else slice(None)
        draws = None if topics is None else topics[:, mask]
        rows.append(correlation(own[mask], others[mask], level, topics=draws, systems=systems))
    return np.array(rows)


def redraw_judges(
    x: np.ndarray, values: np.ndarray, topics: np.ndarray, systems: np.ndarray, judges: np.ndarray
) -> np.ndarray:
    """The system-level coefficients of metrics with resampled judges, (metric, resample, coefficient).

    ``x`` is (metric, topic, system), ``values`` (judge, topic, system). ``topics``, ``systems`` and
    ``judges``, (resample, ...), hold how often each is drawn. A summary's judgement is the mean over the
    drawn judges who judged it; a topic on which a system has none is left out of that resample.
    """
    known = ~np.isnan(values)
    addends = np.where(known, values, 0)
    result = np.empty((len(x), len(judges), len(COEFFICIENTS)))
    rows = max(1, _CHUNK // max(x[0].size, 1))
    for start in range(0, len(judges), rows):
        part = slice(start, start + rows)
        often = np.einsum("rj,jts->rts", judges[part], known)
        judgements = np.einsum("rj,jts->rts", judges[part], addends) / np.maximum(often, 1)
        for metric, scores in enumerate(x):
            mask = complete_topics(scores)
            times = topics[part] * ((often > 0).all(axis=2) & mask)
            own = np.where(mask[:, None], scores, 0)
            with np.errstate(invalid="ignore"):
                mean_y = np.einsum("rt,rts->rs", times, judgements) / times.sum(axis=1)[:, None]
            means = mean_scores(own, times), merge_ties(mean_y, typical_size(values).item())
            result[metric, part] = coefficients(*means, systems[part])
    return result


def judge_tables(
    table: pd.DataFrame, scores: Scores, *, bootstrap: Bootstrap | None = None, confidence: float = CONFIDENCE
) -> dict[str, pd.DataFrame]:
    """The tables of several judges of ``table``: topic, system, judgement, judge and score.

    ``judges`` has Krippendorff's alpha with intervals over topics; ``ceilings`` the mean leave-one-out
    coefficient of judges at each level, with intervals over the draws of ``bootstrap`` and over judges;
    ``system_level_judges`` the metrics' system level with intervals that redraw judges too. ``scores`` has
    the metrics and the mean judgements. A judgement with one judge has no row.
    """
    bootstrap = bootstrap or Bootstrap("both")
    agreement, ceilings, systems = [], [], []
    for judgement, group in table.groupby("judgement", sort=False):
        if judgement not in scores.metrics:  # it was left out, since none of its summaries is scored
            continue
        # not all systems may have single judges
        judged_scores = scores.keep_judged(judgement).keep_systems(list(group["system"].unique()))
        values = ratings(group, judged_scores.topics, judged_scores.systems)
        number = len(values)
        if number < 2 or not judged_scores.systems:
            continue
        judges = resample_counts(number, bootstrap.resamples, [bootstrap.seed, SEED_OF_JUDGES])
        known = ~np.isnan(values)
        counts = known.sum(axis=0)
        row = {"against": judgement, "judges": number, "summaries": int((counts > 0).sum())}
        row |= {"judged_twice": int((counts > 1).sum())}
        topics = resample_counts(values.shape[1], bootstrap.resamples, bootstrap.seed)
        for scale in SCALES:
            row[f"alpha_{scale}"] = krippendorff_alpha(values.reshape(number, -1), scale)
            row |= interval_columns(f"alpha_{scale}", alpha_draws(values, scale, topics), confidence)
        agreement.append(row)
        for level in LEVELS:
            ceilings.append({"against": judgement, **_ceiling(values, level, judges, bootstrap, confidence)})
        if metrics := [name for name in judged_scores.metrics if name not in set(table["judgement"])]:
            x = judged_scores.stack(metrics)
            single_draws = (np.ones((1, values.shape[axis]), np.int64) for axis in (1, 2, 0))
            points = redraw_judges(x, values, *single_draws)[:, 0]
            draws = redraw_judges(x, values, judges=judges, **bootstrap.draw(values))
            for name, point, resamples in zip(metrics, points, draws, strict=True):
                row = {"metric": name, "against": judgement, "judges": number}
                systems.append(row | _with_intervals(point, resamples, confidence))
    tables = {"judges": agreement, "ceilings": ceilings, "system_level_judges": systems}
    return {name: pd.DataFrame(rows) for name, rows in tables.items() if rows}


def _ceiling(
    values: np.ndarray, level: str, judges: np.ndarray, bootstrap: Bootstrap, confidence: float
) -> dict[str, object]:
    means = leave_one_out(values, level)
    draws = leave_one_out(values, level, **bootstrap.draw(values))  # (judge, resample, coefficient)
    row: dict[str, object] = {"level": level, "judges": int((~np.isnan(means[:, 0])).sum())}
    row |= {"systems": values.shape[2], "topics": values.shape[1]}
    times = judges.T[..., None] * ~np.isnan(draws)
    with np.errstate(invalid="ignore"):
        resamples = (np.nan_to_num(draws) * times).sum(axis=0) / times.sum(axis=0)
    return row | _with_intervals(average_defined(means), resamples, confidence)


def _with_intervals(values: np.ndarray, resampled: np.ndarray, confidence: float) -> dict[str, float]:
    """The correlations among coefficients, (coefficient,), with intervals over (resample, coefficient)."""
    row: dict[str, float] = {}
    for name, value, draws in zip(CORRELATIONS, values, resampled.T, strict=False):
        row |= {name: float(value), **interval_columns(name, draws, confidence)}
    return row
