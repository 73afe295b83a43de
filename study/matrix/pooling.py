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
from study.matrix.kinds import BASELINE, FEWEST, KIND_WORDS, OWN_KINDS, RELEVANCE, SHOWN


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

    Undefined effects, and those without error, are left out. p and the numbers of ``systems`` and ``topics``
    are the highest of the data sets, whose number is ``data_sets``.
    """
    sets = [data_set(name) for name in effects["benchmark"]]
    kinds_of_text = [one.kind_of_text for one in sets]
    table = effects.assign(release=[one.release for one in sets], kind_of_text=kinds_of_text)
    table = table[(table["release"] != "") & table["effect"].notna() & (table["se"] > 0)]
    means, most = (
        dict.fromkeys(("effect", "low", "high", "se"), "mean"),
        dict.fromkeys(("p", "systems", "topics"), "max"),
    )
    groups = table.assign(data_sets=1).groupby([*keys, "release", "kind_of_text"], sort=False)
    return groups.agg(means | most | {"data_sets": "sum"}).reset_index()


_ENDS = ["low", "high", "prediction_low", "prediction_high"]


def pool_releases(releases: pd.DataFrame, keys: Sequence[str], confidence: float) -> pd.DataFrame:
    """Pool rows of `release_effects` by the ``keys``; a single release has its own interval and p.

    Intervals end where a difference of two correlations does, at -2 and 2.
    """
    rows = []
    for key, group in releases.groupby(list(keys), sort=False):
        pooled = pool(group["effect"].to_numpy(float), group["se"].to_numpy(float), confidence)
        if len(group) == 1:
            pooled = pooled._replace(**group[["low", "high", "p"]].iloc[0])
        size = {"releases": len(group), "systems": group["systems"].sum()}
        rows.append(dict(zip(keys, key, strict=True)) | size | pooled._asdict())
    table = pd.DataFrame(rows, columns=[*keys, "releases", "systems", *Pooled._fields])
    return table.assign(**table[_ENDS].clip(-2, 2))


def average_releases(releases: pd.DataFrame, keys: Sequence[str], confidence: float) -> pd.DataFrame:
    """The mean of rows of `release_effects` by the ``keys``, for other systems of the same releases.

    Errors of releases are independent; a single release has its own interval and p.
    """
    from scipy import stats  # slow to import

    groups = releases.assign(variance=releases["se"] ** 2).groupby(list(keys), sort=False)
    table = groups.agg(
        releases=("release", "size"),
        systems=("systems", "sum"),
        effect=("effect", "mean"),
        variance=("variance", "sum"),
        **{name: (name, "first") for name in ("low", "high", "p")},
    ).reset_index()
    error = np.sqrt(table.pop("variance")) / table["releases"]
    half = stats.norm.ppf((1 + confidence / 100) / 2) * error
    averaged = table["releases"] > 1
    table["low"] = table["low"].where(~averaged, (table["effect"] - half).clip(lower=-2))
    table["high"] = table["high"].where(~averaged, (table["effect"] + half).clip(upper=2))
    table["p"] = table["p"].where(~averaged, 2 * stats.norm.sf(np.abs(table["effect"]) / error))
    return table


def pooled_table(contrasts: pd.DataFrame, confidence: float = 95.0) -> pd.DataFrame:
    """The pooled effect of each contrast (`study.matrix.effects`) at each level.

    `MEANS` is pooled again without each release, which ``left_out`` names.
    """
    table = release_effects(contrasts, ["level", "contrast"]).assign(left_out="")
    without = [
        releases[releases["release"] != name].assign(left_out=name)
        for _, releases in table[table["contrast"] == MEANS].groupby("level", sort=False)
        for name in releases["release"]
    ]
    return pool_releases(pd.concat([table, *without]), ["level", "contrast", "left_out"], confidence)


def releases_table(contrasts: pd.DataFrame) -> pd.DataFrame:
    """The effect of each release and level by `MEANS`."""
    table = release_effects(contrasts[contrasts["contrast"] == MEANS], ["level"])
    names = [
        "level",
        "release",
        "kind_of_text",
        "data_sets",
        "systems",
        "topics",
        "effect",
        "low",
        "high",
        "se",
    ]
    return table[names]


def kinds_table(kinds: pd.DataFrame, confidence: float = 95.0) -> pd.DataFrame:
    """The pooled effect of each kind of metrics, per dimension of the judgement, question and baseline.

    ``metrics`` is the most metrics of the kind on one benchmark. ``holm`` is p corrected by Holm's method for
    the kinds on at least `FEWEST` releases by the same dimension, question and baseline.
    """
    keys = ["dimension", "level", "baseline", "kind", "reads"]
    table = pool_releases(release_effects(kinds, keys), keys, confidence)
    table = table.join(kinds.groupby(keys)["metrics"].max(), on=keys)
    table["holm"] = _correct(table, keys[:3], table["releases"] >= FEWEST)
    table["question"] = table["level"].map(QUESTIONS)
    order = ["dimension", "question", "baseline", "effect"]
    return table.sort_values(order, ascending=[False, False, True, False], ignore_index=True)


def choices_table(differences: pd.DataFrame, kinds: pd.DataFrame, confidence: float = 95.0) -> pd.DataFrame:
    """Which metric to use for a kind of text: the mean difference of each from `BASELINE` over its releases.

    The metrics are those of ``differences``, and the kinds that only releases have, of relevance or coverage.
    Those on more than half of the releases of the kind of text (``of``) are candidates. ``holm`` is p,
    corrected for the candidates of the same kind of text and level. The ``verdict`` on a candidate is "use"
    or "not" if its interval and ``holm`` say so, and else "unknown".

    A kind of text has too few releases to say what holds on further ones: intervals are for other systems of
    these releases, by the normal distribution with the releases' errors.
    """
    own = differences[~differences["metric"].str.startswith(GIVEN)]
    others = kinds[(kinds["baseline"] == BASELINE) & (kinds["dimension"] == RELEVANCE)]
    pairs = [*zip(others["kind"], others["reads"], strict=True)]
    others = others.assign(metric=[KIND_WORDS[pair] for pair in pairs])[
        [pair not in OWN_KINDS for pair in pairs]
    ]
    keys = ["kind_of_text", "level", "metric"]
    releases = release_effects(pd.concat([own, others]), ["level", "metric"])
    table = average_releases(releases, keys, confidence)
    table["of"] = table["kind_of_text"].map(releases.groupby("kind_of_text")["release"].nunique())
    tested = (2 * table["releases"] > table["of"]) & ~table["metric"].isin([OF_LENGTH, ONE_JUDGE])
    table["holm"] = _correct(table, keys[:2], tested)
    sure = table["holm"] <= 1 - confidence / 100
    sides = [sure & (table["low"] > 0), sure & (table["high"] < 0), tested]
    order = [*SHOWN, *KIND_WORDS.values(), ONE_JUDGE, OF_LENGTH].index
    table = table.assign(verdict=np.select(sides, ["use", "not", "unknown"], ""))
    return table.sort_values("metric", key=lambda names: names.map(order), kind="stable", ignore_index=True)


def _correct(table: pd.DataFrame, keys: Sequence[str], tested: pd.Series) -> pd.Series:
    """The p of ``tested`` rows, corrected by Holm's method within the groups of the ``keys``; else NaN."""
    groups = table[tested].groupby(list(keys))["p"]
    return groups.transform(lambda p: holm(p.to_numpy(float))).reindex(table.index)
