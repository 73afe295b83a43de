"""Judges' preferences between two summaries: how often a metric agrees.

Preferences are a data frame with the columns topic, system_a, system_b, judge and preference: ``A``, ``B`` or
``tie``.
"""

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd

from sera.defaults import CONFIDENCE, MISSING, RESAMPLES, SEED
from sera.errors import InputError, Path
from sera.evaluation.bootstrap import Bootstrap, interval_columns, resample_counts
from sera.evaluation.correlate import WHY
from sera.evaluation.judges import SEED_OF_JUDGES
from sera.evaluation.ties import merge_ties
from sera.io.scores import PREFERENCES
from sera.names import check_forms

SIGN_OF = dict(zip(PREFERENCES, (1, -1, 0), strict=True))

AGREEMENT_COLUMNS = [
    *("metric", "accuracy", "accuracy_low", "accuracy_high", "with_ties"),
    *("pairs", "ties", "metric_ties", "undefined", "topics", "judges", "resampled", WHY),
]


def preference_agreement(both: pd.DataFrame) -> dict[str, float]:
    """How often a metric prefers the same summary as a judge, each judge's preference counting once.

    ``both`` is of `compare_signs`. ``pairs`` counts the preferences, ``ties`` those of neither summary, and
    ``metric_ties`` those with equal scores. ``accuracy`` is the share of preferences without ties in which
    the metric agrees, where its own ties count half; ``with_ties`` is the share of all.
    """
    judged, said = both["judged"].to_numpy(), both["said"].to_numpy()
    apart = judged != 0
    return {
        "pairs": len(both),
        "ties": int((~apart).sum()),
        "metric_ties": int((said == 0).sum()),
        "accuracy": float(both["right"][apart].mean()) if apart.any() else np.nan,
        "with_ties": float((said == judged).mean()) if len(both) else np.nan,
    }


def compare_signs(preferences: pd.DataFrame, scores: pd.DataFrame) -> pd.DataFrame:
    """The preferences of judge and metric, a row for each one between summaries that have scores.

    Columns: topic, judge; judged and said, by the judge and by the metric, 1 for A, -1 for B and 0 for a tie;
    right, 1 if both are equal, 0 if not, and a half if the metric ties. ``preferences`` are those of
    `read_choices`, and ``scores`` has topic, system and score, where higher is better.
    """
    judged = preferences["preference"].map(SIGN_OF).to_numpy(int)
    known = scores.assign(score=merge_ties(scores["score"])).set_index(["topic", "system"])["score"]
    sides = [
        known.reindex(pd.MultiIndex.from_frame(preferences[["topic", side]])).to_numpy(float)
        for side in ("system_a", "system_b")
    ]
    said = np.sign(sides[0] - sides[1])
    right = np.where(said == 0, 0.5, said == judged)
    table = preferences[["topic", "judge"]].assign(judged=judged, said=said, right=right)
    return table[~np.isnan(said)].reset_index(drop=True)


def preference_table(
    preferences: pd.DataFrame,
    scores: pd.DataFrame,
    *,
    falling: Collection[str] = (),
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    seed: int = SEED,
) -> pd.DataFrame:
    """The table ``preferences``, from preferences of `read_choices` and scores of `read_scores`.

    A row for each metric has the numbers of `preference_agreement` and the interval of its accuracy
    (`agreement_draws`); ``judges`` counts those that are named, and ``resampled`` says what the interval is
    over. ``falling`` names the metrics whose lower scores are better.
    """
    bootstrap, rows = Bootstrap("topics", resamples, seed), []
    for name, group in scores.groupby("metric", sort=False):
        rising = group.assign(score=group["score"] * (-1.0 if name in falling else 1.0))
        both = compare_signs(preferences, rising)
        agreement = preference_agreement(both)
        choices = both[both["judged"] != 0]
        draws, units = agreement_draws(choices, bootstrap)
        row = {"metric": name, **agreement, "undefined": len(preferences) - len(both)}
        row |= interval_columns("accuracy", draws, confidence)
        row |= {"topics": choices["topic"].nunique(), "resampled": units, WHY: ""}
        if np.isnan(agreement["accuracy"]):
            row[WHY] = "no preference that is not a tie has two defined scores"
        rows.append(row)
    table = pd.DataFrame(rows, columns=AGREEMENT_COLUMNS)
    return table.assign(judges=preferences.loc[preferences["judge"] != "", "judge"].nunique())


def keep_scored(
    preferences: pd.DataFrame, scores: pd.DataFrame, *, missing: str = MISSING, path: Path | None = None
) -> tuple[pd.DataFrame, list[str]]:
    """The preferences of `read_choices` between scored summaries, and what was left out, in words.

    ``missing`` is "drop", or else "stop": InputError, with the line in ``path``, for a summary that no metric
    scores.
    """
    index = pd.MultiIndex.from_frame(scores[["topic", "system"]])
    there = np.ones(len(preferences), bool)
    check_forms("topic", preferences["topic"].unique(), scores["topic"].unique(), path=path)
    for side in ("system_a", "system_b"):
        check_forms("system", preferences[side].unique(), scores["system"].unique(), path=path)
        known = pd.MultiIndex.from_frame(preferences[["topic", side]]).isin(index)
        if missing == "stop" and not known.all():
            line, row = next(preferences[~known].iterrows())
            remedy = "Score the summary, or leave such preferences out: --missing drop."
            place: dict[str, Any] = {} if path is None else {"path": path, "line": line}
            raise InputError(f"{row[side]} for {row['topic']} has no score", remedy=remedy, **place)
        there &= known
    if there.all():
        return preferences, []
    note = f"{(~there).sum()} of {len(there)} preferences, because a summary of each is not scored"
    return preferences[there], [f"Left out: {note}"]


def agreement_draws(decided: pd.DataFrame, bootstrap: Bootstrap) -> tuple[np.ndarray, str]:
    """The accuracy of resamples, (resample,), and what was drawn: topics, or topics and judges.

    ``decided`` is of `compare_signs`, without the judges' ties. Judges are drawn where two or more are known
    and each preference has one. NaN for a resample without a preference.
    """
    topic, topics = pd.factorize(decided["topic"])
    judge, judges = pd.factorize(decided["judge"])
    right, count = np.zeros((2, len(topics), len(judges)))
    np.add.at(right, (topic, judge), decided["right"].to_numpy(float))
    np.add.at(count, (topic, judge), 1)
    known = len(judges) > 1 and "" not in set(judges)
    often = np.ones((bootstrap.resamples, len(judges)))
    if known:
        often = resample_counts(len(judges), bootstrap.resamples, [bootstrap.seed, SEED_OF_JUDGES])
    topic_draws = bootstrap.draw_topics(len(topics))
    # sums of halves are exact, in whatever order they are added
    sums = [((topic_draws @ counts) * often).sum(axis=1) for counts in (right, count)]
    with np.errstate(invalid="ignore"):
        return sums[0] / sums[1], "topics and judges" if known else "topics"
