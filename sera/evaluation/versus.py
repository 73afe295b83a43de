"""Is one metric better than another? The difference of their correlations with people, with its interval.

The interval resamples systems and topics, so that it is about other systems and other topics. In simulations
(docs/statistics.md), it contains the true difference in 94 to 100% of studies.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from sera.evaluation.coefficients import COEFFICIENTS
from sera.evaluation.correlate import (
    WHY,
    Bootstrap,
    Scores,
    complete_topics,
    correlation,
    percentile_interval,
    why_not_at_level,
)
from sera.evaluation.significance import williams

VERSUS_COLUMNS = [
    *("metric", "other", "against", "level", "systems", "difference", "low", "high"),
    *("williams_p", WHY),
]
_RANKED = {"system": "{} systems", "summary": "the summaries of a topic by {} systems"}
_SPEARMAN = COEFFICIENTS.index("spearman")


def best_of_family(scores: Scores, family: str, against: str) -> str | None:
    """The variant of a family with the highest Spearman's rho over systems; None if none has one."""
    values = {}
    for name in scores.metrics:
        if name.startswith(f"{family}-"):
            x, y = _complete(scores, [name], against)
            values[name] = correlation(x[0], y, "system")[_SPEARMAN]
    known = {name: value for name, value in values.items() if not np.isnan(value)}
    return max(known, key=lambda name: known[name], default=None)


def versus_table(
    scores: Scores,
    metrics: Sequence[str],
    other: str,
    against: str,
    *,
    resamples: int = 1000,
    confidence: float = 95.0,
    seed: int = 0,
) -> pd.DataFrame:
    """Spearman's rho of each metric less that of ``other``, at the system and the summary level.

    The rows have VERSUS_COLUMNS. Both metrics are compared on the same summaries. ``williams_p`` is that of
    Williams' test of r over systems. ``why_undefined`` is the reason for a difference of NaN.
    """
    bootstrap = Bootstrap("both", resamples, seed)
    rows = []
    for metric in metrics:
        for level in ("system", "summary"):
            both, judged = _complete(scores, [metric, other], against, level)
            draws = bootstrap.draw_topics(len(judged)), bootstrap.draw_systems(judged.shape[1])
            own = correlation(both, judged, level) if len(judged) else np.full((2, len(COEFFICIENTS)), np.nan)
            difference = own[0, _SPEARMAN] - own[1, _SPEARMAN]
            low = high = p = np.nan
            why = ""
            if np.isnan(difference):
                names = zip((metric, other), both, strict=True)
                whys = (why_not_at_level(side, judged, name, against, level) for name, side in names)
                why = next(filter(None, whys), "no topic has all scores")
            else:
                drawn = correlation(both, judged, level, topics=draws[0], systems=draws[1])[..., _SPEARMAN]
                low, high = percentile_interval(drawn[:, 0] - drawn[:, 1], confidence)
                if level == "system":
                    between = correlation(both[0], both[1], level)[0]
                    p = williams(own[0, 0], own[1, 0], between, judged.shape[1])[1]
            found = (metric, other, against, level, judged.shape[1], difference, low, high, p, why)
            rows.append(dict(zip(VERSUS_COLUMNS, found, strict=True)))
    return pd.DataFrame(rows, columns=VERSUS_COLUMNS)


def versus_sentences(table: pd.DataFrame) -> list[str]:
    """A sentence for each row of `versus_table`: which metric is ahead, by how much, and how sure."""
    sentences = []
    for row in table.to_dict("records"):
        ranked = _RANKED[row["level"]].format(row["systems"])
        if row[WHY]:
            sentences.append(f"{row['metric']} and {row['other']} in ranking {ranked}: {row[WHY]}.")
            continue
        where = "ahead of" if row["difference"] > 0 else "behind"
        size = f"{abs(row['difference']):.2f} in ranking {ranked} ({row['low']:+.2f} to {row['high']:+.2f})"
        verdict = "significant" if row["low"] > 0 or row["high"] < 0 else "not significant"
        sentence = f"{row['metric']} is {where} {row['other']} by {size}: {verdict}."
        sentences.append(sentence.replace("-0.", "−0.").replace("(-", "(−").replace("to -", "to −"))
    return sentences


def _complete(
    scores: Scores, metrics: Sequence[str], against: str, level: str = "system"
) -> tuple[np.ndarray, np.ndarray]:
    """The scores of the metrics, (metric, topic, system), and the judgements, of what all of them score."""
    values, judged = np.stack([scores.metric(name) for name in metrics]), scores.metric(against)
    if level == "system":
        topics = complete_topics(judged, *values)
        return values[:, topics], judged[topics]
    return np.where(np.isnan(values).any(axis=0), np.nan, values), judged
