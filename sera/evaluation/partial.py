"""Correlation of a metric with a judgement that takes out what both owe to length and extractiveness.

A metric may follow a judgement only because both prefer long summaries, or copied ones. The partial
correlation is that of the residuals, after a linear regression of each side on the controls.
"""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd

from sera.evaluation.coefficients import coefficients, pearson
from sera.evaluation.correlate import LEVELS, WHY, Scores, average_defined, complete_topics
from sera.evaluation.ties import mean_scores
from sera.io.records import Candidate, Source
from sera.text.fragments import fragment_statistics

CONTROLS: Mapping[str, tuple[str, ...]] = {
    "length": ("length",),
    "extractiveness": ("coverage", "density"),
    "length and extractiveness": ("length", "coverage", "density"),
}
"""What a partial correlation takes out, and the properties of summaries that measure it."""

PARTIAL_COLUMNS = [
    *("metric", "against", "level", "controls", "pearson", "partial_pearson", "spearman"),
    *("partial_spearman", "items", WHY),
]

_LEFT = 1e-9  # a share of variance that counts as none


def partial_correlation(x: np.ndarray, y: np.ndarray, controls: np.ndarray) -> np.ndarray:
    """Pearson's and Spearman's partial correlations of lists with one list, (list, 2), -1 to 1.

    ``x`` is (list, item), ``y`` (item,), and ``controls``, (control, item), are taken out. An item that is
    NaN anywhere is left out. NaN with fewer items than controls and three, and where the controls explain all
    of a side.
    """
    result = np.full((len(x), 2), np.nan)
    known_items = ~np.isnan(x + y + controls.sum(axis=0))
    for known in np.unique(known_items, axis=0):
        group = (known_items == known).all(axis=1)
        if known.sum() < len(controls) + 3:
            continue
        # lists with the same items share a regression
        sides = np.vstack([controls, x[group], y])[:, known]
        with np.errstate(invalid="ignore"):  # so that squares are numbers
            sides = sides / np.abs(sides).max(axis=1, initial=0, keepdims=True)
        ranks = pd.DataFrame(sides).rank(axis=1).to_numpy()
        both = [_correlate_residuals(values, len(controls)) for values in (sides, ranks)]
        result[group] = np.stack(both, axis=-1)
    return result


def _correlate_residuals(sides: np.ndarray, controls: int) -> np.ndarray:
    """Pearson's r between residuals of the other rows and of the last one, after regression on the first."""
    design, both = np.vstack([np.ones(sides.shape[1]), sides[:controls]]).T, sides[controls:].T
    solution = np.linalg.lstsq(design, both, rcond=None)[0]
    left = (both - design @ solution).T
    # what regression leaves of equal values is round-off
    flat = (left.var(axis=1) <= _LEFT * both.var(axis=0)) | (np.ptp(both, axis=0) == 0)
    return np.where(flat[:-1] | flat[-1], np.nan, pearson(left[:-1], left[-1]))


def properties(candidates: Sequence[Candidate], sources: Sequence[Source]) -> pd.DataFrame:
    """The properties of summaries: topic, system, length in words, coverage and density.

    The last two are of `fragment_statistics` against the topic's article, NaN for a topic without one.
    """
    articles = {source.topic: " ".join(source.sentences) for source in sources}
    rows = []
    for candidate in candidates:
        article = articles.get(candidate.topic)
        statistics = fragment_statistics(" ".join(candidate.sentences), article or "")
        extractiveness = (statistics.coverage, statistics.density) if article else (np.nan, np.nan)
        rows.append((candidate.topic, candidate.system, statistics.length, *extractiveness))
    return pd.DataFrame(rows, columns=["topic", "system", "length", "coverage", "density"])


def partial_correlations(
    scores: Scores, pairs: Sequence[tuple[str, str]], summaries: pd.DataFrame
) -> pd.DataFrame:
    """The correlations of pairs of metrics beside the partial ones: a row per pair, level and controls.

    ``summaries`` is of `properties`. ``items`` counts the systems, at the summary level the topics with a
    value, or the summaries. Controls without values, as extractiveness without articles, have no row.
    """
    index = pd.MultiIndex.from_product([scores.topics, scores.systems], names=["topic", "system"])
    table = summaries.set_index(["topic", "system"]).reindex(index)
    shape = (len(scores.topics), len(scores.systems))
    rows: list[tuple] = []
    for against in dict.fromkeys(judgement for _, judgement in pairs):
        metrics, judgement_rows = [metric for metric, judgement in pairs if judgement == against], []
        for level, (name, parts) in product(LEVELS, CONTROLS.items()):
            controls = table[[*parts]].to_numpy(float).T.reshape(len(parts), *shape)
            if np.isnan(controls).all(axis=(1, 2)).any():
                continue
            results = _correlate_level(scores.stack(metrics), scores.metric(against), controls, level)
            for metric, (values, items, why) in zip(metrics, results, strict=True):
                why = why if np.isnan(values).any() else ""
                judgement_rows.append((metric, against, level, name, *values, items, why))
        rows += sorted(judgement_rows, key=lambda row: metrics.index(row[0]))
    return pd.DataFrame(rows, columns=PARTIAL_COLUMNS)


def _correlate_level(
    x: np.ndarray, y: np.ndarray, controls: np.ndarray, level: str
) -> list[tuple[np.ndarray, int, str]]:
    """Of each metric: r, partial r, rho and partial rho at a level, the items, and why one may be undefined.

    ``x`` is (metric, topic, system).
    """
    few = f"fewer than {len(controls) + 3} items, or the controls explain all of a side"
    if level == "system":
        results = []
        for scores in x:
            topics = complete_topics(scores, y, *controls)
            if not topics.any():
                results.append((np.full(4, np.nan), 0, "no topic has all scores, texts and judgements"))
                continue
            means = (mean_scores(side[..., topics, :]) for side in (scores[None], y, controls))
            results.append((_correlate_both(*means)[0], y.shape[1], few))
        return results
    if level == "global":
        flat, sides = controls.reshape(len(controls), -1), x.reshape(len(x), -1)
        items = (~np.isnan(sides + y.ravel() + flat.sum(axis=0))).sum(axis=1)
        values = _correlate_both(sides, y.ravel(), flat)
        return [(own, int(count), few) for own, count in zip(values, items, strict=True)]
    topic_values = np.stack(
        [_correlate_both(x[:, topic], y[topic], controls[:, topic]) for topic in range(len(y))]
    )
    # the same topics on both sides of the comparison
    topic_values[np.isnan(topic_values).any(axis=2)] = np.nan
    items = (~np.isnan(topic_values[..., 0])).sum(axis=0)
    values = average_defined(topic_values)
    return [(own, int(count), f"on each topic, {few}") for own, count in zip(values, items, strict=True)]


def _correlate_both(x: np.ndarray, y: np.ndarray, controls: np.ndarray) -> np.ndarray:
    """r, partial r, rho and partial rho of each metric, (metric, 4); ``x`` is (metric, item)."""
    left_out = np.isnan(controls.sum(axis=0))
    plain = coefficients(np.where(left_out, np.nan, x), y)
    partial = partial_correlation(x, y, controls)
    return np.stack([plain[:, 0], partial[:, 0], plain[:, 1], partial[:, 1]], axis=-1)
