"""Correlation of a metric with a judgement that takes out what both owe to length and extractiveness.

A metric may follow a judgement only because both prefer long summaries, or copied ones. The partial
correlation is that of the residuals, after a linear regression of each side on the controls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy import stats

from sera.evaluation.coefficients import coefficients
from sera.evaluation.correlation import LEVELS, WHY, Scores, complete_topics, mean_of_defined
from sera.records import Candidate, Source
from sera.text.fragments import fragment_statistics

CONTROLS: Mapping[str, tuple[str, ...]] = {
    "length": ("length",),
    "extractiveness": ("coverage", "density"),
    "length and extractiveness": ("length", "coverage", "density"),
}
"""What is taken out of a partial correlation, and the properties of summaries that stand for it."""

PARTIAL_COLUMNS = [
    *("metric", "against", "level", "controls", "pearson", "partial_pearson", "spearman"),
    *("partial_spearman", "items", WHY),
]

_LEFT = 1e-9  # a share of variance that counts as none


def partial_correlation(x: np.ndarray, y: np.ndarray, controls: np.ndarray) -> tuple[float, float]:
    """Pearson's and Spearman's partial correlations of two lists, -1 to 1, given controls.

    ``x`` and ``y`` are (item,), ``controls`` is (control, item). Pearson's r of the residuals after linear
    regression; Spearman's is the same of the ranks of all. An item that is NaN anywhere is left out. NaN with
    fewer items than controls and three, and where the controls explain all of a side.
    """
    known = ~np.isnan(x + y + controls.sum(axis=0))
    if known.sum() < len(controls) + 3:
        return np.nan, np.nan
    sides = [np.round(side[..., known], 12) for side in (x, y, controls)]
    ranks = [stats.rankdata(side, axis=-1) for side in sides]
    return _of_residuals(*sides), _of_residuals(*ranks)


def _of_residuals(x: np.ndarray, y: np.ndarray, controls: np.ndarray) -> float:
    design = np.vstack([np.ones(len(x)), controls]).T
    both = np.vstack([x, y]).T
    solution = np.linalg.lstsq(design, both, rcond=None)[0]
    left = (both - design @ solution).T
    spread = both.var(axis=0)
    if (left.var(axis=1) <= _LEFT * spread).any():
        return np.nan
    return float(coefficients(left[0], left[1])[0])


def properties(candidates: Sequence[Candidate], sources: Sequence[Source]) -> pd.DataFrame:
    """The properties of summaries: topic, system, length in words, coverage and density.

    Coverage and density are those of `sera.text.fragments.fragment_statistics` against the topic's article,
    NaN for a topic without one.
    """
    articles = {source.topic: " ".join(source.sentences) for source in sources}
    rows = []
    for candidate in candidates:
        article = articles.get(candidate.topic)
        found = fragment_statistics(" ".join(candidate.sentences), article or "")
        extractive = (found.coverage, found.density) if article else (np.nan, np.nan)
        rows.append((candidate.topic, candidate.system, found.length, *extractive))
    return pd.DataFrame(rows, columns=["topic", "system", "length", "coverage", "density"])


def partial_correlations(
    scores: Scores, pairs: Sequence[tuple[str, str]], summaries: pd.DataFrame
) -> pd.DataFrame:
    """The correlations of pairs of metrics beside the partial ones: a row per pair, level and controls.

    ``summaries`` is a table of `properties`. At the system level all sides are means over the topics that are
    complete on all of them; at the summary level, values are means over topics. ``items`` counts the systems,
    the topics with a value, or the summaries. Controls without values, as extractiveness without articles,
    have no row.
    """
    wanted = pd.MultiIndex.from_product([scores.topics, scores.systems], names=["topic", "system"])
    table = summaries.set_index(["topic", "system"]).reindex(wanted)
    shape = (len(scores.topics), len(scores.systems))
    known = {name: table[name].to_numpy(float).reshape(shape) for name in CONTROLS[list(CONTROLS)[-1]]}
    rows = []
    for metric, against in pairs:
        x, y = scores.of_metric(metric), scores.of_metric(against)
        for level in LEVELS:
            for name, parts in CONTROLS.items():
                controls = np.stack([known[part] for part in parts])
                if np.isnan(controls).all(axis=(1, 2)).any():
                    continue
                values, items, why = _at_level(x, y, controls, level)
                row = {"metric": metric, "against": against, "level": level, "controls": name}
                row |= dict(zip(PARTIAL_COLUMNS[4:8], values, strict=True))
                rows.append(row | {"items": items, WHY: why if np.isnan(values).any() else ""})
    return pd.DataFrame(rows, columns=PARTIAL_COLUMNS)


def _at_level(x: np.ndarray, y: np.ndarray, controls: np.ndarray, level: str) -> tuple[np.ndarray, int, str]:
    """r, partial r, rho and partial rho at a level, the number of items, and why a value may be undefined."""
    few = f"fewer than {len(controls) + 3} items, or the controls explain all of a side"
    if level == "system":
        topics = complete_topics(x, y, *controls)
        if not topics.any():
            return np.full(4, np.nan), 0, "no topic has all scores, texts and judgements"
        values = _four(*(side[..., topics, :].mean(axis=-2) for side in (x, y, controls)))
        return values, x.shape[1], few
    if level == "global":
        flat = controls.reshape(len(controls), -1)
        items = int((~np.isnan(x.ravel() + y.ravel() + flat.sum(axis=0))).sum())
        return _four(x.ravel(), y.ravel(), flat), items, few
    of_topics = [_four(x[topic], y[topic], controls[:, topic]) for topic in range(len(x))]
    found = np.array(of_topics).reshape(-1, 4)
    # the same topics on both sides of the comparison
    found[np.isnan(found).any(axis=1)] = np.nan
    return mean_of_defined(found), int((~np.isnan(found[:, 0])).sum()), f"on each topic, {few}"


def _four(x: np.ndarray, y: np.ndarray, controls: np.ndarray) -> np.ndarray:
    left_out = np.isnan(controls.sum(axis=0))
    plain = coefficients(np.where(left_out, np.nan, x), y)
    partial = partial_correlation(x, y, controls)
    return np.array([plain[0], partial[0], plain[1], partial[1]])
