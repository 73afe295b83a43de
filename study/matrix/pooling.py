"""Random-effects meta-analysis over releases: SERA less ROUGE, and metrics and their kinds less ROUGE-1-F.

Data sets of one release share articles, systems or people, and so count as one. Its effect and the ends of
its interval are the means of theirs, and so is its error, as if their errors were perfectly correlated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from sera.evaluation.power import smallest_pooled_difference
from sera.evaluation.significance import holm
from sera.io.scores import GIVEN
from sera.resources import lines
from study.matrix.effects import MEANS, OF_LENGTH, ONE_JUDGE, QUESTIONS
from study.matrix.kinds import BASELINE, FEWEST, KIND_WORDS, OWN_KINDS, RELEVANCE


class DataSet(NamedTuple):
    """A data set: its release, which is empty if it is not pooled, the kind of its texts, and its title."""

    release: str
    kind_of_text: str
    title: str


RELEASES = {
    name: DataSet(*cells)
    for name, *cells in (line.split("\t") for line in lines("data_sets.tsv", "study.resources")[1:])
}
"""The data sets of the matrix. Others are releases of their own."""


def data_set(name: str) -> DataSet:
    """The data set of a benchmark; one that `RELEASES` does not have is a release of its own."""
    return RELEASES.get(name, DataSet(name, "other", name))


class Pooled(NamedTuple):
    """A pooled effect, its interval, its prediction interval, and the variance between releases.

    ``p`` is two-sided; ``smallest`` is the smallest true effect that is found with 80% power.
    """

    effect: float
    low: float
    high: float
    prediction_low: float
    prediction_high: float
    tau_squared: float
    smallest: float
    p: float


def pool(effects: np.ndarray, errors: np.ndarray, confidence: float = 95.0) -> Pooled:
    """Pool the effects of k releases, (k,), with standard errors above 0, (k,).

    The variance between releases, tau squared, is the one at which the weighted sum of squares equals its
    expectation k - 1, or 0 (Paule & Mandel 1982). The interval is that of Hartung & Knapp (2001), from the t
    distribution with k - 1 degrees of freedom, with the safeguard of Röver, Knapp & Friede (2015): its error
    is never below that of the normal interval. The prediction interval, for the true effect on a further
    release, is that of Higgins, Thompson & Spiegelhalter (2009), equation 12, with k - 2. Intervals are NaN
    with too few releases, and all is NaN without any.
    """
    from scipy import optimize, stats  # slow to import

    degrees = len(effects) - 1
    if degrees < 0:
        return Pooled(*[np.nan] * len(Pooled._fields))

    def weigh(tau_squared: float) -> tuple[float, float, float]:
        """The mean, the sum of squares and the sum of the weights."""
        weights = 1 / (errors**2 + tau_squared)
        mean = np.average(effects, weights=weights)
        return float(mean), float(weights @ (effects - mean) ** 2), float(weights.sum())

    tau_squared = 0.0
    # at the effects' own variance, the sum of squares is at most k - 1
    if degrees and weigh(0)[1] > degrees:
        most = effects.var(ddof=1)
        tau_squared = optimize.brentq(lambda value: weigh(value)[1] - degrees, 0, most, xtol=1e-14)
    mean, squares, total = weigh(tau_squared)
    if not degrees:
        return Pooled(mean, np.nan, np.nan, np.nan, np.nan, tau_squared, np.nan, np.nan)
    error = np.sqrt(max(squares / degrees, 1) / total)
    share = (1 + confidence / 100) / 2
    half = stats.t.ppf(share, degrees) * error
    wide = stats.t.ppf(share, degrees - 1) * np.hypot(error, np.sqrt(tau_squared)) if degrees > 1 else np.nan
    ends = mean - half, mean + half, mean - wide, mean + wide
    smallest = smallest_pooled_difference(error, degrees, confidence)
    return Pooled(mean, *ends, tau_squared, smallest, float(2 * stats.t.sf(abs(mean) / error, degrees)))


def release_effects(effects: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """The effects of releases, a row for each and for each of the ``keys``, from those of data sets.

    Undefined effects, and those without error, are left out. ``systems`` and ``topics`` list the numbers of
    the data sets, as in "16 and 12".
    """
    sets = effects["benchmark"].map(data_set)
    table = effects.assign(
        release=[each.release for each in sets], kind_of_text=[each.kind_of_text for each in sets]
    )
    table = table[(table["release"] != "") & table["effect"].notna() & (table["se"] > 0)]
    names = [*keys, "release", "kind_of_text"]
    means = table.groupby(names, sort=False)[["effect", "low", "high", "se"]].mean()
    # one of several data sets may say more than it knows, and so the least sure of them counts
    groups = table.groupby(names, sort=False)
    numbers = groups[["systems", "topics"]].agg(lambda values: " and ".join(map(str, dict.fromkeys(values))))
    return means.assign(p=groups["p"].max()).join(numbers).reset_index()


def pool_releases(releases: pd.DataFrame, confidence: float = 95.0) -> Pooled:
    """Pool rows of `release_effects`; a single release has its own interval and p."""
    pooled = pool(releases["effect"].to_numpy(float), releases["se"].to_numpy(float), confidence)
    if len(releases) == 1:
        (row,) = releases.to_dict("records")
        pooled = pooled._replace(low=row["low"], high=row["high"], p=row["p"])
    return pooled


def pooled_table(contrasts: pd.DataFrame, confidence: float = 95.0) -> pd.DataFrame:
    """The pooled effect of each contrast of `study.matrix.column.matrix_column` at each level.

    `MEANS` is pooled again without each release, which ``left_out`` names.
    """
    table = release_effects(contrasts, ["level", "contrast"])
    rows = []
    for (level, contrast), releases in table.groupby(["level", "contrast"], sort=False):
        leave_out = releases["release"] if contrast == MEANS and len(releases) > 1 else []
        for left_out in ["", *leave_out]:
            kept = releases[releases["release"] != left_out]
            key = {"level": level, "contrast": contrast, "left_out": left_out, "releases": len(kept)}
            rows.append({**key, **pool_releases(kept, confidence)._asdict()})
    columns = ["level", "contrast", "left_out", "releases", *Pooled._fields]
    return pd.DataFrame(rows, columns=columns).drop(columns="p")


def releases_table(contrasts: pd.DataFrame) -> pd.DataFrame:
    """The effect of each release and level by `MEANS`."""
    table = release_effects(contrasts[contrasts["contrast"] == MEANS], ["level"])
    return table[["level", "release", "kind_of_text", "systems", "topics", "effect", "low", "high", "se"]]


def kinds_table(kinds: pd.DataFrame, confidence: float = 95.0) -> pd.DataFrame:
    """The pooled effect of each kind of metrics, per dimension of the judgement, question and baseline.

    ``metrics`` is the most metrics of the kind on one benchmark. ``holm`` is p corrected by Holm's method for
    the kinds on at least `FEWEST` releases by the same dimension, question and baseline.
    """
    keys = ["dimension", "level", "baseline", "kind", "reads"]
    table = release_effects(kinds, keys)
    most = kinds.groupby(keys)["metrics"].max()
    rows = []
    for key, releases in table.groupby(keys, sort=False):
        numbers = {"releases": len(releases), "metrics": most[key]}
        rows.append(
            dict(zip(keys, key, strict=True)) | numbers | pool_releases(releases, confidence)._asdict()
        )
    pooled = pd.DataFrame(rows, columns=[*keys, "releases", "metrics", *Pooled._fields])
    pooled["holm"] = correct(pooled, keys[:3], pooled["releases"] >= FEWEST)
    pooled["question"] = pooled.pop("level").map(QUESTIONS)
    order = ["dimension", "question", "baseline", "effect"]
    return pooled.sort_values(order, ascending=[False, False, True, False], ignore_index=True)


def correct(table: pd.DataFrame, keys: Sequence[str], tested: pd.Series) -> pd.Series:
    """The p of ``tested`` rows, corrected by Holm's method within the groups of the ``keys``; else NaN."""
    rows = table[tested]
    return rows.groupby(list(keys))["p"].transform(lambda p: holm(p.to_numpy(float))).reindex(table.index)


def choices_table(differences: pd.DataFrame, kinds: pd.DataFrame, confidence: float = 95.0) -> pd.DataFrame:
    """Which metric to use for a kind of text: the difference of each from `BASELINE`, pooled over releases.

    The metrics are those of ``differences``, and the kinds that only releases have, of relevance or coverage.
    Those on more than half of the releases of the kind of text (``of``) are candidates. ``holm`` is p,
    corrected for the candidates of the same kind of text and level; `choose` says what ``verdict`` is.
    """
    own = differences[~differences["metric"].str.startswith(GIVEN) & (differences["metric"] != BASELINE)]
    others = kinds[(kinds["baseline"] == BASELINE) & (kinds["dimension"] == RELEVANCE)]
    others = others[[pair not in OWN_KINDS for pair in zip(others["kind"], others["reads"], strict=True)]]
    others = others.assign(
        metric=[KIND_WORDS[pair] for pair in zip(others["kind"], others["reads"], strict=True)]
    )
    table = release_effects(pd.concat([own, others]), ["level", "metric"])
    of = table.groupby("kind_of_text")["release"].nunique()
    rows = []
    keys = ["kind_of_text", "level", "metric"]
    for key, releases in table.groupby(keys, sort=False):
        systems = sum(max(map(int, each.split(" and "))) for each in releases["systems"])
        numbers = {"releases": len(releases), "of": of[key[0]], "systems": systems}
        rows.append(
            dict(zip(keys, key, strict=True)) | numbers | pool_releases(releases, confidence)._asdict()
        )
    choices = pd.DataFrame(rows, columns=[*keys, "releases", "of", "systems", *Pooled._fields])
    tested = (2 * choices["releases"] > choices["of"]) & ~choices["metric"].isin([OF_LENGTH, ONE_JUDGE])
    choices["holm"] = correct(choices, keys[:2], tested)
    sure = choices["holm"] <= 1 - confidence / 100
    verdicts = np.select(
        [sure & (choices["low"] > 0), sure & (choices["high"] < 0), tested], ["use", "not", "unknown"], ""
    )
    return choices.assign(verdict=verdicts)
