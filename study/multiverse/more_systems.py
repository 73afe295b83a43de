"""More systems than the paper's nine: every summarizer with its parameters, lead, and random draws.

Variants of one summarizer are not independent, so an interval over systems resamples *families*: a drawn
family brings all of its systems. The noise of the means over topics is here too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import yaml
from matplotlib.figure import Figure

from sera.evaluation.bootstrap import percentile_interval
from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.correlate import Scores, complete_topics
from sera.evaluation.tables import read_tsv
from sera.reporting.figures import BLACK, BLUE, plt, set_title, simplify_axes
from study.claims.multiverse import HEADLINE, METRICS, ROUGE, SERA, effects, outcome_number
from study.claims.sentences import EFFECT_DIGITS
from study.multiverse.universes import AGAINST, table2

DRAWS = 2000  # random subsets of the topics for each point of the curve by topics
RESAMPLES = 10_000  # draws of systems; the ends of an interval of fewer move by .02 with the seed

WHOLE = "Pyramid (whole)"  # the judgement by the recogniser that looks in the whole summary
LEVELS_OF_ANSWER = {"systems": "system", "summaries": "summary"}  # that answer each question

_MEANS = {
    "rouge": [METRICS.index(f"ROUGE-{kind}-{side}") for kind in "1L" for side in "FPR"],
    "sera": [METRICS.index(name) for name in SERA],
}
_HEADLINE = [outcome_number(HEADLINE, name) for name in CORRELATIONS]


class System(NamedTuple):
    """A system: a summarizer, which is its family, with parameters and the seed of the random numbers."""

    name: str
    family: str
    parameters: dict[str, Any]
    seed: int = 0


def read_systems(path: str | PathLike[str]) -> list[System]:
    """The systems of a file such as ``study/resources/more_systems.yaml``."""
    systems = []
    for family, variants in yaml.safe_load(Path(path).read_text(encoding="utf-8")).items():
        for each in variants:
            variant = ", ".join(f"{key}={value}" for key, value in each.items())
            seed = each.pop("seed", 0)
            systems.append(System(f"{family} ({variant})" if variant else family, family, each, seed))
    return systems


def draw_families(families: Sequence[str], resamples: int, seed: int) -> np.ndarray:
    """How often each system is drawn, (resample, system), if families are drawn with replacement."""
    names = list(dict.fromkeys(families))
    random = np.random.default_rng([seed, 7])
    draws = random.integers(len(names), size=(resamples, len(names)))
    counts = np.stack([np.bincount(each, minlength=len(names)) for each in draws])
    return counts[:, [names.index(family) for family in families]]


def answer_table(
    scores: Scores,
    families: Mapping[str, str] | None = None,
    *,
    seed: int,
    confidence: float,
    against: str = AGAINST,
) -> pd.DataFrame:
    """A row per question and coefficient: the mean correlation of SERA's variants less ROUGE's, ``effect``.

    ``rouge`` is the mean of ROUGE-1 and ROUGE-L, ``sera`` that of SERA. ``confidence`` is in percent.
    Intervals hold for other systems and as many topics: they resample ``families`` of systems, or, without
    any, systems (docs/statistics.md says why).
    """
    names = [families[name] if families else name for name in scores.systems]
    draws = draw_families(names, RESAMPLES, seed)
    size = {
        "judgement": against,
        "systems": len(names),
        "families": len(set(names)),
        "topics": len(scores.topics),
    }
    rows = []
    for question, level in LEVELS_OF_ANSWER.items():
        values = answer_numbers(table2(scores, level, against=against))
        resampled = answer_numbers(table2(scores, level, against=against, systems=draws))
        for place, coefficient in enumerate(CORRELATIONS):
            row: dict[str, Any] = {"question": question, "coefficient": coefficient, **size}
            for name, value in values.items():
                row[name] = value[place]
                ends = percentile_interval(resampled[name][:, place], confidence)
                row[f"{name}_low"], row[f"{name}_high"] = ends
            rows.append(row)
    return pd.DataFrame(rows)


def answer_numbers(tables: np.ndarray) -> dict[str, np.ndarray]:
    """The numbers of the answer, each (..., coefficient), of tables (..., metric, coefficient)."""
    means = {name: tables[..., places, :].mean(axis=-2) for name, places in _MEANS.items()}
    numbers = {"effect": effects(tables)[..., _HEADLINE], **means}
    return {name: np.round(values, EFFECT_DIGITS) for name, values in numbers.items()}


def reliability(x: np.ndarray) -> float:
    """The reliability of systems' means over topics, ICC(C, k) (McGraw & Wong 1996), from x (topic, system).

    NaN with fewer than two topics or systems.
    """
    x = x[complete_topics(x)]
    topics, systems = x.shape
    if topics < 2 or systems < 2:
        return np.nan
    residual = x - x.mean(axis=1, keepdims=True) - x.mean(axis=0) + x.mean()
    system_variance = topics * x.mean(axis=0).var(ddof=1)
    error_variance = (residual**2).sum() / ((topics - 1) * (systems - 1))
    return float(1 - error_variance / system_variance) if system_variance > 0 else np.nan


def reliability_table(scores: Scores) -> pd.DataFrame:
    """The reliability of Pyramid, and its mean over the variants of ROUGE and of SERA."""
    variants = {AGAINST: (AGAINST,), "ROUGE": ROUGE, "SERA": SERA}
    icc = [np.mean([reliability(scores.metric(name)) for name in names]) for names in variants.values()]
    size = {"topics": len(scores.topics), "systems": len(scores.systems)}
    return pd.DataFrame({"metric": list(variants), "icc": icc, **size})


def topics_table(scores: Scores, seed: int) -> pd.DataFrame:
    """SERA less ROUGE by the number of topics, in steps of five: the mean over `DRAWS` random subsets.

    ``low`` and ``high`` are the 2.5th and 97.5th percentile over the subsets.
    """
    number = len(scores.topics)
    random = np.random.default_rng([seed, 8])
    rows = []
    for size in sorted({*range(5, number, 5), number}):
        subsets = np.zeros((DRAWS if size < number else 1, number), np.int64)
        for subset in subsets:
            subset[random.choice(number, size, replace=False)] = 1
        leads = answer_numbers(table2(scores, "system", topics=subsets))["effect"]
        for name, draws in zip(CORRELATIONS, leads.T, strict=True):
            low, high = np.nanpercentile(draws, [2.5, 97.5])
            rows.append((size, name, np.nanmean(draws), low, high, len(scores.systems)))
    return pd.DataFrame(rows, columns=["topics", "coefficient", "effect", "low", "high", "systems"])


def noise(folder: str | PathLike[str]) -> dict[str, Any]:
    """What the page of the multiverse reports of a folder of this comparison's tables."""
    reliabilities = read_tsv(Path(folder, "reliability.tsv"))
    curve = read_tsv(Path(folder, "by_topics.tsv"))
    curve = curve[curve["coefficient"] == "spearman"]
    own = reliabilities[reliabilities["systems"] == reliabilities["systems"].min()]
    return {
        "reliability": dict(zip(own["metric"], own["icc"], strict=True)),
        "topics": [int(number) for number in curve["topics"].unique()],
        "by_topics": {int(systems): list(rows["effect"]) for systems, rows in curve.groupby("systems")},
    }


def more_systems_figure(by_topics: pd.DataFrame, answer: pd.DataFrame, title: str) -> Figure:
    """Draw SERA less ROUGE by ρ against the number of topics, and `answer_table` with all topics."""
    shape: dict[str, Any] = {"sharey": True, "width_ratios": [2, 1], "layout": "constrained"}
    figure, (curve_axes, interval_axes) = plt.subplots(1, 2, figsize=(9, 3.8), **shape)
    set_title(figure, title, 115)
    curve = by_topics[by_topics["coefficient"] == "spearman"]
    styles = ((BLUE, "s"), (BLACK, "o"))
    for (systems, rows), (color, marker) in zip(curve.groupby("systems"), styles, strict=False):
        curve_axes.plot(
            rows["topics"], rows["effect"], color=color, marker=marker, label=f"{systems:.0f} systems"
        )
        curve_axes.fill_between(
            rows["topics"], rows["low"], rows["high"], color=color, alpha=0.12, linewidth=0
        )
    curve_axes.set_xlabel("topics (mean and 95% of random subsets)")
    curve_axes.set_ylabel("SERA less ROUGE, Spearman's ρ")
    curve_axes.legend(frameon=False)
    rows = answer[(answer["question"] == "systems") & (answer["coefficient"] == "spearman")]
    for place, (row, (color, marker)) in enumerate(zip(rows.to_dict("records"), styles, strict=False)):
        interval_axes.plot([place] * 2, [row["effect_low"], row["effect_high"]], color=color, linewidth=2)
        interval_axes.plot([place], [row["effect"]], marker=marker, color=color)
    interval_axes.set_xticks(
        range(len(rows)), [f"{row.systems} systems\n{row.families} families" for row in rows.itertuples()]
    )
    interval_axes.set_xlim(-0.6, len(rows) - 0.4)
    interval_axes.set_xlabel("all topics (95% interval over families)")
    for axes in (curve_axes, interval_axes):
        axes.axhline(0, color="0.5", linewidth=0.8)
        simplify_axes(axes)
    return figure
