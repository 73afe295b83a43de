"""Is one metric better than another? The difference of their correlations with people, in a sentence.

Intervals over systems and p of PERM-SYSTEMS are for other systems, and as many topics as in the data
(docs/statistics.md). A difference is called significant if its interval is on one side of 0, and its p is not
above what the confidence level leaves.
"""

import re
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pandas as pd

from sera.defaults import CONFIDENCE
from sera.evaluation.bootstrap import RESAMPLED, Bootstrap
from sera.evaluation.coefficients import COEFFICIENTS
from sera.evaluation.correlate import WHY, Scores, correlation, level_coefficients, pair_scores
from sera.evaluation.pairwise import calibrate
from sera.evaluation.power import POWER, smallest_difference
from sera.evaluation.significance import DIFFERENCE_COLUMNS, differences, keep_common
from sera.evaluation.ties import ROUND_OFF
from sera.registry import unknown

MOST_VERSUS = 20
"""The most metrics that are compared with another if none is named."""

BEST = "best"
"""In place of a metric's name: the one that is best in the data."""

_DEFAULT = re.compile(r"ROUGE-1-F(\(.*\))?")
_SPEARMAN = COEFFICIENTS.index("spearman")

_RANKED = {"system": "{} systems", "summary": "the summaries of a topic by {} systems"}


def list_defined(scores: Scores, names: Collection[str], against: str) -> dict[str, float]:
    """The metrics that have a Spearman's rho over systems, with it."""
    rho = {name: level_coefficients(scores, name, against)["spearman"] for name in names}
    return {name: value for name, value in rho.items() if not np.isnan(value)}


def best_metric(scores: Scores, names: Collection[str], against: str) -> str | None:
    """The metric with the highest Spearman's rho over systems; None if none has one."""
    rho = list_defined(scores, names, against)
    return max(rho, key=rho.__getitem__, default=None)


def list_variants(name: str, metrics: Sequence[str]) -> list[str]:
    """The metrics that a name means: itself, or of a measure without its part, as ROUGE-2, its P, R and F."""
    part = re.compile(rf"{re.escape(name)}-[PRF](\(.*\))?")
    return [name] if name in metrics else [metric for metric in metrics if part.fullmatch(metric)]


def select_variants(names: Collection[str], scores: Scores, against: str) -> list[str]:
    """The metrics that names mean (`list_variants`), of several the best one, which favours it."""
    best = []
    for variants in (list_variants(name, scores.metrics) for name in names):
        best += variants if len(variants) < 2 else [best_metric(scores, variants, against) or variants[0]]
    return list(dict.fromkeys(best))


def choose_versus(name: str | None, metrics: Sequence[str]) -> str | None:
    """The metric that a name means: itself, or its F for a measure without its part; `BEST` stays.

    InputError for a name of no metric.
    """
    if name in (None, BEST, *metrics):
        return name
    part = f"{name}-F"
    if parts := [own for own in list_variants(str(name), metrics) if own.startswith(part)]:
        return parts[0]
    raise unknown("metric in the scores", str(name), [*metrics, BEST])


def verdict_lines(
    judged: Any,
    name: str | None = None,
    compared: pd.DataFrame | None = None,
    *,
    bootstrap: Bootstrap,
    confidence: float,
) -> list[str]:
    """The `rating_lines` of a `JudgedScores`, then the lines of ``compared``, its table ``differences``."""
    drawn: dict[str, Any] = {"bootstrap": bootstrap, "confidence": confidence}
    lines = [line for own in rating_lines(judged, name, **drawn).values() for line in own]
    return lines + (difference_lines(compared, confidence, bootstrap) if compared is not None else [])


def rating_lines(
    judged: Any, name: str | None = None, *, bootstrap: Bootstrap, confidence: float
) -> dict[str, list[str]]:
    """By each judgement of a `JudgedScores`: `best_sentence`, `versus_lines` and `power_line`.

    ``name`` is as of `versus_lines`. InputError as of `choose_versus`.
    """
    metrics = list(judged.metrics)
    name = choose_versus(name, metrics)
    rising, lines = judged.scores.negate(judged.falling), {}
    drawn: dict[str, Any] = {"bootstrap": bootstrap, "confidence": confidence}
    for judgement in judged.judgements:
        scores = rising.keep_judged(judgement)
        own = [
            best_sentence(scores, metrics, judgement, **drawn),
            *versus_lines(scores, metrics, judgement, name, **drawn),
            power_line(scores, metrics, judgement, confidence, bootstrap.seed),
        ]
        lines[judgement] = [line for line in own if line]
    return lines


def baseline(metrics: Sequence[str]) -> str:
    """The metric with which others are compared if none is named: ROUGE-1-F, or the first one."""
    return next(filter(_DEFAULT.fullmatch, metrics), metrics[0])


def chosen_differences(
    scores: Scores,
    metrics: Collection[str],
    best: str,
    against: str,
    *,
    levels: Sequence[str] = ("system", "summary"),
    bootstrap: Bootstrap,
    confidence: float,
) -> pd.DataFrame:
    """Spearman's rho of each metric less that of the ``best``, which the data chose, as of `differences`.

    The choice is resampled: intervals and p are of the largest error of a difference to any of the metrics in
    each draw (maxT, Westfall & Young 1993), so that they hold for all choices at once.
    """
    rows = []
    for level in levels:
        stack, judged, _ = keep_common(scores.stack([*metrics]), scores.metric(against), level)
        rho = correlation(stack, judged, level, names=["spearman"])[:, _SPEARMAN]
        draws = correlation(stack, judged, level, **bootstrap.draw(judged), names=["spearman"])
        errors = draws[..., _SPEARMAN] - rho
        least, most = (side(errors, axis=1, keepdims=True) for side in (np.fmin.reduce, np.fmax.reduce))
        largest = np.fmax(errors - least, most - errors)  # (resample, metric)
        reach = np.quantile(np.nan_to_num(largest, nan=2), confidence / 100, axis=0)
        gaps = rho - rho[list(metrics).index(best)]
        p = (1 + (largest >= np.abs(gaps) - ROUND_OFF).sum(axis=0)) / (1 + len(largest))
        p = np.maximum(p, 2.0 ** (1 - judged.shape[1]))  # the least p of an exchange of so few systems
        for name, gap, far, own_p in zip(metrics, gaps, reach, p, strict=True):
            why = (
                ""
                if not np.isnan(gap)
                else "its correlation is undefined on the summaries that all metrics score"
            )
            ends = (max(gap - far, -2), min(gap + far, 2))
            rows.append((name, best, against, level, "spearman", judged.shape[1], gap, *ends, own_p, why))
    return pd.DataFrame(rows, columns=[*DIFFERENCE_COLUMNS[:10], WHY])


def best_sentence(
    scores: Scores, metrics: Sequence[str], against: str, *, bootstrap: Bootstrap, confidence: float
) -> str:
    """The metric with the highest rho over systems, and of how many metrics this may be chance.

    Its intervals allow for the choice (`chosen_differences`). Empty without two metrics that have a rho.
    """
    defined = list_defined(scores, metrics, against)
    if len(defined) < 2:
        return ""
    best = max(defined, key=defined.__getitem__)
    drawn: dict[str, Any] = {"levels": ["system"], "bootstrap": bootstrap, "confidence": confidence}
    table = chosen_differences(scores, defined, best, against, **drawn)
    rest = table[table["metric"] != best]
    rivals = rest[~_is_significant(rest, confidence)]
    head = f"By Spearman's ρ with {against} over systems, {best} is highest of {len(defined)} metrics"
    if rivals.empty:
        return f"{head}, significantly above all others."
    return f"{head}, but it cannot be told from {len(rivals)} of the others."


def versus_lines(
    scores: Scores,
    metrics: Sequence[str],
    against: str,
    name: str | None = None,
    *,
    bootstrap: Bootstrap,
    confidence: float,
) -> list[str]:
    """Whether each metric is better than the one of a ``name``, or without it than the `baseline`.

    With the name `BEST`, the other one is the best in the data, and the intervals allow for the choice.
    All metrics are compared with one that is named, with another the first `MOST_VERSUS`.
    """
    drawn: dict[str, Any] = {"bootstrap": bootstrap, "confidence": confidence}
    defined = list_defined(scores, metrics, against) if name == BEST else {}
    best = max(defined, key=defined.__getitem__, default=None)
    other = best if name == BEST else name or baseline(metrics)
    names = [own for own in metrics if own != other]
    if other is None or not names:
        return []
    shown = names if name not in (None, BEST) else names[:MOST_VERSUS]
    if name == BEST:
        table = chosen_differences(scores, defined, other, against, **drawn)
        table = table[table["metric"].isin(shown)].sort_values(
            "metric", key=lambda own: own.map(shown.index), kind="stable"
        )
        note = f"{other} is the best of {len(metrics)} metrics here; intervals and p allow for the choice"
    else:
        pairs = [(own, other) for own in shown]
        table = differences(scores, pairs, against, names=["spearman"], **drawn)
        note = f"less {other}" if name else f"less {other}, by default (--versus names another)"
    return difference_lines(_add_agreement(table, scores), confidence, bootstrap, note)


def power_line(scores: Scores, metrics: Sequence[str], against: str, confidence: float, seed: int) -> str:
    """The smallest true difference over systems that these numbers of systems and topics find."""
    x, y = pair_scores(scores, baseline(metrics), against)
    if len(metrics) < 2 or not len(y):
        return ""
    smallest = smallest_difference(x, y, "system", confidence=confidence, seed=seed)
    design = f"With {y.shape[1]} systems and {len(y)} topics"
    if np.isnan(smallest):
        return f"{design}, no difference of ρ over systems up to 1 would be found with {POWER:.0%} power."
    return (
        f"{design}, only differences of ρ over systems above {smallest:.2f} are found with {POWER:.0%} power."
    )


def difference_lines(
    table: pd.DataFrame, confidence: float, bootstrap: Bootstrap, note: str = ""
) -> list[str]:
    """The `versus_sentences` by each judgement, below a line that names it and ends with the ``note``."""
    lines, over = [], RESAMPLED[bootstrap.draws]
    for against, rows in table.groupby("against", sort=False):
        head = (
            f"Differences of Spearman's ρ with {against}{', ' if note else ''}{note}; intervals over {over}:"
        )
        lines += [head, *versus_sentences(rows, confidence)]
    return lines


def versus_sentences(table: pd.DataFrame, confidence: float = CONFIDENCE) -> list[str]:
    """A sentence for each rho of `differences`: which metric is ahead, by how much, and how sure."""
    sentences = []
    rows = table[table["coefficient"] == "spearman"]
    for row, found in zip(rows.to_dict("records"), _is_significant(rows, confidence), strict=True):
        items = _RANKED[row["level"]].format(row["systems"])
        if pd.isna(row["difference"]):
            sentences.append(f"{row['metric']} and {row['other']} in ranking {items}: {row[WHY]}.")
            continue
        side = "ahead of" if row["difference"] > 0 else "behind"
        where = f"{side} {row['other']} by {abs(row['difference']):.2f}"
        where = where if row["difference"] else f"level with {row['other']}"
        interval = f"{row['difference_low']:+z.2f} to {row['difference_high']:+z.2f}".replace("-", "−")
        p = "p < 0.001" if row["permutation_p"] < 0.001 else f"p = {row['permutation_p']:.3f}"
        verdict = "significant" if found else "not significant"
        more = row.get("agreement", "")
        sentences.append(f"{row['metric']} is {where} in ranking {items} ({interval}, {p}): {verdict}.{more}")
    return sentences


def _is_significant(table: pd.DataFrame, confidence: float) -> pd.Series:
    """Whether each interval is on one side of 0, and p is not above what the confidence leaves."""
    aside = (table["difference_low"] > 0) | (table["difference_high"] < 0)
    return aside & (table["permutation_p"] <= 1 - confidence / 100 + ROUND_OFF)


def _add_agreement(table: pd.DataFrame, scores: Scores) -> pd.DataFrame:
    """The table with a sentence for single summaries: acc_eq of both metrics, and the topics of each.

    A topic whose systems have the same judgement has no rho, but it counts for acc_eq.
    """
    known: dict[tuple[str, str], str] = {}

    def describe(metric: str, against: str) -> str:
        if (metric, against) not in known:
            x, y = scores.metric(metric), scores.metric(against)
            topics = level_coefficients(scores, metric, against, "summary")["topics"]
            known[metric, against] = f"{calibrate(x, y).accuracy:.2f} ({metric}, ρ on {topics} topics)"
        return known[metric, against]

    texts = [
        ""
        if row["level"] == "system"
        else f" acc_eq {' and '.join(describe(row[side], row['against']) for side in ('metric', 'other'))}."
        for row in table.to_dict("records")
    ]
    return table.assign(agreement=texts)
