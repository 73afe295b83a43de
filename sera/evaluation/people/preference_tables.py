"""The tables on preferences: how often each metric agrees with people, and how strong the systems are.

docs/meta-evaluation.md defines each number and names its source.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pandas as pd

from sera.errors import InputError, Path
from sera.evaluation.correlation.correlate import WHY, Bootstrap, interval_columns, resample_counts
from sera.evaluation.people.judges import SEED_OF_JUDGES
from sera.evaluation.people.preferences import (
    bradley_terry,
    preference_agreement,
    record_of_systems,
    signs_of,
    signs_of_both,
)

PREFERENCE_TABLES = ("preferences", "strengths")

AGREEMENT_COLUMNS = [
    *("metric", "accuracy", "accuracy_low", "accuracy_high", "with_ties"),
    *("pairs", "ties", "metric_ties", "undefined", "topics", "judges", "resampled", WHY),
]


def preference_tables(
    preferences: pd.DataFrame,
    scores: pd.DataFrame,
    *,
    falling: Collection[str] = (),
    resamples: int = 1000,
    confidence: float = 95.0,
    seed: int = 0,
) -> dict[str, pd.DataFrame]:
    """The tables `PREFERENCE_TABLES`, from preferences of `read_choices` and scores of `read_scores`.

    ``falling`` names the metrics of which less is better. ``preferences`` has the columns of
    `AGREEMENT_COLUMNS`, a row for each metric, with the fields of `Agreement` and the interval of its
    accuracy (`agreement_draws`); ``judges`` counts those that are named, and ``resampled`` says
    what the interval is over. ``strengths`` has a row for each system:
    that of `bradley_terry`, or an undefined strength and the reason. InputError for a summary without a row
    in the scores.
    """
    bootstrap = Bootstrap("topics", resamples, seed)
    rows = [
        _agreement_row(str(name), preferences, of, -1.0 if name in falling else 1.0, bootstrap, confidence)
        for name, of in scores.groupby("metric", sort=False)
    ]
    return {
        "preferences": pd.DataFrame(rows, columns=AGREEMENT_COLUMNS),
        "strengths": strengths(preferences),
    }


def of_scored(
    preferences: pd.DataFrame, scores: pd.DataFrame, *, missing: str = "stop", path: Path | None = None
) -> tuple[pd.DataFrame, list[str]]:
    """The preferences of `read_choices` between scored summaries, and what was left out, in words.

    ``missing`` is "drop", or else "stop": InputError, with the line in ``path``, for a summary that no metric
    scores.
    """
    signs_of(preferences)  # refuses what is no preference
    scored = pd.MultiIndex.from_frame(scores[["topic", "system"]])
    there = np.ones(len(preferences), bool)
    for side in ("system_a", "system_b"):
        known = pd.MultiIndex.from_frame(preferences[["topic", side]]).isin(scored)
        if missing == "stop" and not known.all():
            line, row = next(preferences[~known].iterrows())
            raise InputError(
                f"{row[side]} for {row['topic']} has no score",
                path=path,
                line=int(str(line)) if path is not None else None,
                remedy="Score the summary, or leave such preferences out: --missing drop.",
            )
        there &= known
    if there.all():
        return preferences, []
    left = f"{(~there).sum()} of {len(there)} preferences, since a summary of each is not scored"
    return preferences[there], [f"Left out are {left}"]


def strengths(preferences: pd.DataFrame) -> pd.DataFrame:
    """The systems by strength (`bradley_terry`), with the reason where no strength is finite."""
    record = record_of_systems(preferences)  # refuses what is no preference
    try:
        return bradley_terry(preferences).table.assign(**{WHY: ""})
    except InputError as error:
        record.insert(1, "strength", np.nan)
        return record.assign(**{WHY: error.problem})


def _agreement_row(
    metric: str,
    preferences: pd.DataFrame,
    scores: pd.DataFrame,
    sign: float,
    bootstrap: Bootstrap,
    confidence: float,
) -> dict[str, object]:
    turned = scores.assign(score=scores["score"] * sign)
    found = preference_agreement(preferences, turned)
    both = signs_of_both(preferences, turned)
    decided = both[both["judged"] != 0]
    drawn, resampled = agreement_draws(decided, bootstrap)
    why = ""
    if np.isnan(found.accuracy):
        why = "no preference that is no tie has two defined scores"
    return {
        "metric": metric,
        **vars(found),
        **interval_columns("accuracy", drawn, confidence),
        "topics": decided["topic"].nunique(),
        "judges": preferences.loc[preferences["judge"] != "", "judge"].nunique(),
        "resampled": resampled,
        WHY: why,
    }


def agreement_draws(decided: pd.DataFrame, bootstrap: Bootstrap) -> tuple[np.ndarray, str]:
    """The accuracy of resamples, (resample,), and what was drawn: topics, or topics and judges.

    ``decided`` has the columns topic, judge and right of `signs_of_both`, without the judges' ties. Judges
    are drawn where two or more are known and each preference has one: a preference then counts as often as
    its topic was drawn, times its judge. NaN for a resample without a preference.
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
    of_topics = bootstrap.of_topics(len(topics))
    # sums of halves are exact, in whatever order they are added
    sums = [((of_topics @ of) * often).sum(axis=1) for of in (right, count)]
    with np.errstate(invalid="ignore"):
        return sums[0] / sums[1], "topics and judges" if known else "topics"
