"""One column of the matrix of metrics by benchmarks: how every metric follows the judgements of a benchmark.

Beside the metrics stand floors, which need no thought (the length of a summary, random scores), and ceilings
where several judges are known (each of them with the mean of the others). docs/matrix.md shows the result,
and docs/statistics.md defines each number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from sera.evaluation.correlation.coefficients import COEFFICIENTS, CORRELATIONS, coefficients
from sera.evaluation.correlation.correlate import (
    LEVELS,
    WHY,
    Bootstrap,
    Scores,
    complete_topics,
    correlate,
    correlation,
    mean_of_defined,
    paired,
    percentile_interval,
    why_not_at_level,
)
from sera.evaluation.correlation.partial import partial_correlations, properties
from sera.evaluation.correlation.power import DECIDED, WANTED_POWER, metric_power
from sera.evaluation.pairs.clusters import metric_clusters
from sera.evaluation.pairs.pairwise import accuracy_draws, calibrate, pairwise_accuracy
from sera.evaluation.people.judges import judge_tables
from sera.evaluation.people.preferences import preference_tables
from sera.io.given_scores import MARK
from sera.io.records import Candidate, Reference, Source
from sera.metrics import falling
from study.claims.files import CLAIMS_OF_OTHERS, Claim, effect_or_reason, read_claims, shipped_claims
from study.claims.formulas import AbsentScores, CoefficientTable
from study.claims.multiverse import CLAIMS, METRICS

_OF_CELL = ("judgement", "level", "coefficient", "metric", "kind", "value", "low", "high")
CELL_COLUMNS = ["benchmark", *_OF_CELL, "rank", "cluster", "systems", "topics", WHY]
EFFECT_COLUMNS = [
    *("benchmark", "judgement", "level", "coefficient", "claim", "effect", "low", "high", "holds", WHY)
]

MATRIX_CLAIMS = (*CLAIMS, *shipped_claims(CLAIMS_OF_OTHERS))
"""The claims that every column decides: those of the paper on Table 2, and those of other papers."""

OF_LENGTH, AT_RANDOM, ONE_JUDGE = "length", "random", "one judge"
"""The floors and the ceiling."""

ACCURACY = "accuracy"
"""The share of pairs that metric and people rank alike: of systems by a judgement, or of summaries."""

ACC_EQ = "acc_eq"
"""The same of the systems on one topic, with ties, mean over topics (Deutsch et al. 2023)."""

PARTIAL = {
    "spearman_given_length": "length",
    "spearman_given_length_and_extractiveness": "length and extractiveness",
}
"""Spearman's partial correlations, and what each takes out."""

FURTHER_COEFFICIENTS = (ACCURACY, ACC_EQ, *PARTIAL)
MATRIX_COEFFICIENTS = (*CORRELATIONS, *FURTHER_COEFFICIENTS)

POWER_FACTS = ("power", "least_difference", "deciding_systems", "deciding_topics")

OWN_ARTICLES, OWN_COLLECTION, OWN_REFERENCES = "its articles", "its collection", "its references"
"""What SERA searches on a benchmark without packages of articles."""

OF_PUBMED_CENTRAL = "articles of PubMed Central"

PREFERRED = "preferences"
"""The name of people's preferences among the judgements."""

_RANDOM_DRAWS = 1000
_CALIBRATED_DRAWS = 100  # random scores; each draw sorts all pairs
_Rows = list[dict[str, Any]]


def claims_of_matrix(path: str | PathLike[str] | None = None) -> tuple[Claim, ...]:
    """The claims of the matrix, and those of a user's file if there is one; InputError as `read_claims`."""
    if path is None:
        return MATRIX_CLAIMS
    return (*MATRIX_CLAIMS, *read_claims(path, [claim.name for claim in MATRIX_CLAIMS]))


def lengths(candidates: Iterable[Candidate]) -> pd.DataFrame:
    """The number of words of each summary, between blanks, as the scores of a metric."""
    rows = [
        {"topic": each.topic, "system": each.system, "metric": OF_LENGTH, "score": float(words)}
        for each in candidates
        for words in [sum(len(sentence.split()) for sentence in each.sentences)]
    ]
    return pd.DataFrame(rows, columns=["topic", "system", "metric", "score"])


def matrix_column(
    benchmark: str,
    scores: pd.DataFrame,
    judgements: pd.DataFrame,
    candidates: Sequence[Candidate],
    *,
    sources: Sequence[Source] = (),
    systems: Sequence[str] | None = None,
    judges: pd.DataFrame | None = None,
    claims: Sequence[Claim] = MATRIX_CLAIMS,
    preferences: pd.DataFrame | None = None,
    resamples: int = 1000,
    permutations: int = 1000,
    confidence: float = 95.0,
    seed: int = 0,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The cells of a benchmark, and the effects of claims on them: columns CELL_COLUMNS and EFFECT_COLUMNS.

    ``scores`` has topic, system, metric and score, ``judgements`` topic, system, judgement and score, and
    ``judges`` those of single judges. ``preferences`` are those of `read_choices`: the accuracy of each
    metric stands under the judgement `PREFERRED` at the summary level, and the accuracy on pairs of systems
    under each judgement at the system level; neither has random scores or one judge beside it. ``sources``
    are the articles, for partial correlations. Only summaries that are judged count (but for preferences),
    and only those of ``systems`` if they are given. Metrics for which less is better are turned: a value of 1
    is a perfect metric. Intervals are over topics, and by preferences over judges too where all are named.
    Ranks and clusters leave out floors and ceilings; clusters are of the system level alone
    (`sera.evaluation.pairs.clusters`).
    """
    names = list(dict.fromkeys(scores["metric"]))
    kinds = {name: "given" if name.startswith(MARK) else "metric" for name in names} | {OF_LENGTH: "floor"}
    by_metrics = pd.concat([scores, lengths(candidates)], ignore_index=True)
    summaries = properties(candidates, sources)
    values = _scores(by_metrics, judgements, systems).turned(falling(names))
    bootstrap = Bootstrap("topics", resamples, seed)
    cells, effects, clusters = [], [], []
    for judgement in dict.fromkeys(judgements["judgement"]):
        of = _Judgement(judgement, _of_judged(values, judgement), kinds, bootstrap, confidence, seed)
        for level in LEVELS:
            cells += [*of.correlations(level), *of.random_scores(level)]
            effects += of.effects(level, claims)
        cells += [*of.accuracies(), *of.calibrated(), *of.partial(summaries)]
        clusters.append(metric_clusters(of.scores, names, judgement, permutations=permutations, seed=seed))
    if judges is not None and len(judges):
        ceilings = judge_tables(judges, values, bootstrap=bootstrap, confidence=confidence).get("ceilings")
        cells += [] if ceilings is None else _ceilings(ceilings)
    if preferences is not None:
        cells += _preferred(by_metrics, preferences, kinds, resamples, confidence, seed)
    table = _ranked(pd.DataFrame(cells))
    keys = ["judgement", "level", "coefficient", "metric"]
    of_systems = pd.concat(clusters).rename(columns={"against": "judgement"}).assign(level="system")
    table = table.merge(of_systems[[*keys, "cluster"]], on=keys, how="left")
    return (
        table.assign(benchmark=benchmark)[CELL_COLUMNS],
        pd.DataFrame(effects).assign(benchmark=benchmark)[EFFECT_COLUMNS],
    )


def searched(kind: str, sources: Iterable[Source]) -> str:
    """Of what the documents are that SERA searches; ``kind`` is the workflow's word for the collection."""
    if kind == "sources":
        return OWN_ARTICLES if any(source.sections for source in sources) else OWN_REFERENCES
    return OWN_COLLECTION if kind in ("documents", "generated") else OF_PUBMED_CENTRAL


def column_facts(
    benchmark: str,
    cells: pd.DataFrame,
    candidates: Iterable[Candidate],
    references: Iterable[Reference],
    documents: int,
    searched: str,
    power: pd.DataFrame,
) -> pd.DataFrame:
    """What a benchmark is, a row per judgement: its systems, topics and references, and SERA's collection.

    ``power`` is that of `column_power`.

    ``references`` is the median number for a topic, ``summaries`` counts the systems' summaries, judged or
    not, and ``documents`` those in the index that SERA searches; ``searched`` says of what they are.
    """
    candidates = list(candidates)
    of_topics = {each.topic: 0 for each in candidates}
    for each in references:
        of_topics[each.topic] = of_topics.get(each.topic, 0) + 1
    of_all = (cells["level"] == "global") | (cells["judgement"] == PREFERRED)
    of_length = cells[(cells["metric"] == OF_LENGTH) & of_all].drop_duplicates("judgement")
    facts = pd.DataFrame(
        {
            "benchmark": benchmark,
            "judgement": of_length["judgement"],
            "systems": of_length["systems"],
            "topics": of_length["topics"],
            "summaries": len(candidates),
            "references": float(np.median(list(of_topics.values()))) if of_topics else np.nan,
            "documents": documents,
            "searched": searched,
        }
    )
    return facts.merge(power, on="judgement", how="left")


def column_power(
    scores: pd.DataFrame,
    judgements: pd.DataFrame,
    *,
    systems: Sequence[str] | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> pd.DataFrame:
    """Whether each judgement decides a difference of .05 between two metrics' ρ over systems: POWER_FACTS.

    The numbers are those of `sera.evaluation.correlation.power.metric_power` for the metrics of the paper's
    Table 2: ``power`` and ``least_difference`` with the systems and topics at hand, and ``deciding_systems``
    and ``deciding_topics``, the smallest study up to four times as large that finds the difference with a
    chance of .8. They are NaN where no such study finds it; all are NaN with fewer than two metrics, three
    topics or four systems.
    """
    values = _scores(scores, judgements, systems)
    metrics = [name for name in METRICS if name in values.metrics]
    rows = []
    for judgement in dict.fromkeys(judgements["judgement"]):
        found = metric_power(
            _of_judged(values, judgement),
            metrics,
            judgement,
            difference=DECIDED,
            resamples=resamples,
            seed=seed,
        )
        found = found[found["coefficient"] == "spearman"]
        here = found[
            (found["topics"] == found["topics_known"]) & (found["systems"] == found["systems_known"])
        ]
        enough = found[found["power"] >= WANTED_POWER]
        enough = enough.assign(size=enough["topics"] * enough["systems"]).sort_values("size", kind="stable")
        numbers = [here["power"], here["least_difference"], enough["systems"], enough["topics"]]
        rows.append((judgement, *(of.iloc[0] if len(of) else np.nan for of in numbers)))
    return pd.DataFrame(rows, columns=["judgement", *POWER_FACTS])


def _scores(scores: pd.DataFrame, judgements: pd.DataFrame, systems: Sequence[str] | None) -> Scores:
    """The scores and the judgements as metrics, of all systems or some."""
    table = pd.concat([scores, judgements.rename(columns={"judgement": "metric"})], ignore_index=True)
    return Scores.of(table[["topic", "system", "metric", "score"]], systems)


def _of_judged(values: Scores, judgement: str) -> Scores:
    """The judged systems, on the topics with at least one judgement."""
    judged = values.judged_by(judgement)
    there = ~np.isnan(judged.of_metric(judgement)).all(axis=1)
    return judged.of_topics([topic for topic, known in zip(judged.topics, there, strict=True) if known])


def _cell(
    key: tuple[str, str, str],
    metric: str,
    kind: str,
    value: float,
    ends: Iterable[float],
    counts: Iterable[int],
    why: str,
) -> dict[str, Any]:
    """A cell: ``key`` has its judgement, level and coefficient, ``counts`` the numbers of systems and topics.

    ``why`` is the reason if the value is undefined.
    """
    row = dict(zip(_OF_CELL, (*key, metric, kind, value, *ends), strict=True))
    return row | dict(zip(("systems", "topics"), counts, strict=True)) | {WHY: why if np.isnan(value) else ""}


@dataclass(frozen=True)
class _Judgement:
    """One judgement: the scores of the judged systems on its topics, and how intervals are drawn.

    ``kinds`` has the kind of each metric, and their order; the length of a summary comes last.
    """

    name: str
    scores: Scores
    kinds: Mapping[str, str]
    bootstrap: Bootstrap
    confidence: float
    seed: int

    def correlations(self, level: str) -> _Rows:
        """The correlations of every metric at a level."""
        found = correlate(
            self.scores,
            [(name, self.name) for name in self.kinds],
            level=level,
            bootstrap=self.bootstrap,
            confidence=self.confidence,
        )
        return [
            _cell(
                (self.name, level, coefficient),
                row["metric"],
                self.kinds[row["metric"]],
                row[coefficient],
                (row[f"{coefficient}_{end}"] for end in ("low", "high")),
                (row["systems"], row["topics"]),
                "",
            )
            | {WHY: row[WHY]}
            for row in found.to_dict("records")
            for coefficient in CORRELATIONS
        ]

    def random_scores(self, level: str) -> _Rows:
        """Random scores: their mean coefficient, and the interval that holds the central share of draws."""
        known = self.scores.of_metric(self.name)
        if level == "system":
            known = known[complete_topics(known)]
        drawn = _random_coefficients(known, level, self.seed)
        rows = []
        for coefficient in CORRELATIONS:
            values = drawn[:, COEFFICIENTS.index(coefficient)]
            ends = percentile_interval(values, self.confidence)
            key, mean = (self.name, level, coefficient), float(mean_of_defined(values))
            why = "no correlation with random scores is defined"
            rows.append(_cell(key, AT_RANDOM, "floor", mean, ends, (known.shape[1], len(known)), why))
        return rows

    def accuracies(self) -> _Rows:
        """The share of pairs of systems that each metric and the judgement rank alike, with its interval."""
        rows = []
        for name, kind in self.kinds.items():
            x, y = paired(self.scores, name, self.name)
            value, ends = np.nan, (np.nan, np.nan)
            if len(x) and x.shape[1] > 1:
                value = pairwise_accuracy(x.mean(axis=0), y.mean(axis=0))
                topics, systems = self.bootstrap.of_topics(len(x)), self.bootstrap.of_systems(x.shape[1])
                ends = percentile_interval(accuracy_draws(x, y, topics, systems), self.confidence)
            why = "fewer than two systems" if len(x) else why_not_at_level(x, y, name, self.name, "system")
            key = (self.name, "system", ACCURACY)
            rows.append(_cell(key, name, kind, value, ends, (x.shape[1], len(x)), why))
        return rows

    def calibrated(self) -> _Rows:
        """acc_eq at the summary level, without interval; of random scores the mean and interval of draws.

        Random scores have an epsilon of their own too, so that they show what ties alone give.
        """
        known = self.scores.of_metric(self.name)
        random = np.random.default_rng([self.seed, 12])
        drawn = [calibrate(random.random(known.shape), known).accuracy for _ in range(_CALIBRATED_DRAWS)]
        values = {
            name: (calibrate(self.scores.of_metric(name), known).accuracy, (np.nan, np.nan))
            for name in self.kinds
        }
        values[AT_RANDOM] = float(np.mean(drawn)), percentile_interval(np.array(drawn), self.confidence)
        key, counts = (self.name, "summary", ACC_EQ), (known.shape[1], len(known))
        why = "no topic has two summaries with scores"
        return [
            _cell(key, name, self.kinds.get(name, "floor"), value, ends, counts, why)
            for name, (value, ends) in values.items()
        ]

    def partial(self, summaries: pd.DataFrame) -> _Rows:
        """Spearman's partial correlations at each level, without interval, `PARTIAL`.

        ``summaries`` has the lengths, and the extractiveness where the articles are known; without articles
        the cells say so. At the summary level, ``topics`` counts those on which the correlation is defined.
        """
        found = partial_correlations(self.scores, [(name, self.name) for name in self.kinds], summaries)
        found = found.set_index(["metric", "level", "controls"])[["partial_spearman", "items", WHY]]
        systems, topics = len(self.scores.systems), len(self.scores.topics)
        rows = []
        for name, kind in self.kinds.items():
            for level in LEVELS:
                for coefficient, controls in PARTIAL.items():
                    value, items, why = np.nan, 0, "the articles are not known"
                    if (name, level, controls) in found.index:
                        value, items, why = found.loc[(name, level, controls)]
                    key = (self.name, level, coefficient)
                    counts = (systems, items if level == "summary" else topics)
                    rows.append(_cell(key, name, kind, value, (np.nan, np.nan), counts, why))
        return rows

    def effects(self, level: str, claims: Sequence[Claim]) -> _Rows:
        """The effect of each claim on the coefficients of a level, with its interval over topics."""

        @cache
        def of(metric: str, other: str | None) -> tuple[np.ndarray, np.ndarray]:
            """The coefficients of a metric with another or with the judgement, and those of the resamples."""
            pair = metric, other or self.name
            for name in pair:
                if name not in self.scores.metrics:
                    raise AbsentScores(f"there are no scores by {name}")
            x, y = paired(self.scores, *pair, level)
            topics, systems = self.bootstrap.of_topics(len(x)), self.bootstrap.of_systems(x.shape[1])
            return correlation(x, y, level), correlation(x, y, level, topics=topics, systems=systems)

        def tables(at: int) -> tuple[CoefficientTable, CoefficientTable]:
            """The values of a coefficient and those of its resamples, (resample,), for a formula."""
            names = [name for name in self.kinds if name != OF_LENGTH]
            return (
                CoefficientTable(lambda metric, other: of(metric, other)[0][at], names),
                CoefficientTable(lambda metric, other: of(metric, other)[1][:, at], names),
            )

        rows = []
        for claim in claims:
            for coefficient in claim.coefficients:
                points, draws = tables(COEFFICIENTS.index(coefficient))
                found, why = effect_or_reason(claim, points, "a correlation is undefined")
                effect, ends = float(found), (np.nan, np.nan)
                if not why:
                    ends = percentile_interval(claim.effect(draws), self.confidence)
                rows.append(
                    {
                        **{"judgement": self.name, "level": level, "coefficient": coefficient},
                        **{"claim": claim.name, "effect": effect, "low": ends[0], "high": ends[1]},
                        "holds": "" if why else "yes" if effect > 0 else "no",
                        WHY: why,
                    }
                )
        return rows


def _random_coefficients(known: np.ndarray, level: str, seed: int) -> np.ndarray:
    """The coefficients of random scores with judgements, (topic, system): (draw, coefficient)."""
    if not known.size:
        return np.full((1, len(COEFFICIENTS)), np.nan)
    random = np.random.default_rng([seed, 11])
    if level == "system":
        means = random.random((_RANDOM_DRAWS, *known.shape)).mean(axis=1)
        return coefficients(means, known.mean(axis=0))
    if level == "global":
        judged = known[~np.isnan(known)]
        return coefficients(random.random((_RANDOM_DRAWS, len(judged))), judged)
    by_topic = [coefficients(random.random((_RANDOM_DRAWS, len(row))), row) for row in known]
    return mean_of_defined(np.array(by_topic))


def _ceilings(ceilings: pd.DataFrame) -> _Rows:
    """The mean correlation of one judge with the others, as cells."""
    return [
        _cell(
            (row["against"], row["level"], coefficient),
            ONE_JUDGE,
            "ceiling",
            row[coefficient],
            (row[f"{coefficient}_{end}"] for end in ("low", "high")),
            (row["systems"], row["topics"]),
            "no judge's correlation with the others is defined",
        )
        for row in ceilings.to_dict("records")
        for coefficient in CORRELATIONS
    ]


def _preferred(
    scores: pd.DataFrame,
    preferences: pd.DataFrame,
    kinds: Mapping[str, str],
    resamples: int,
    confidence: float,
    seed: int,
) -> _Rows:
    """The accuracy of each metric by preferences, as cells."""
    found = preference_tables(
        preferences,
        scores,
        falling=falling([name for name in kinds if name != OF_LENGTH]),
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )["preferences"]
    systems = pd.concat([preferences["system_a"], preferences["system_b"]]).nunique()
    return [
        _cell(
            (PREFERRED, "summary", ACCURACY),
            row["metric"],
            kinds[row["metric"]],
            row["accuracy"],
            (row["accuracy_low"], row["accuracy_high"]),
            (systems, row["topics"]),
            "",
        )
        | {WHY: row[WHY]}
        for row in found.to_dict("records")
    ]


def _ranked(table: pd.DataFrame) -> pd.DataFrame:
    """With the rank of each metric by its value; equal values to twelve decimals share the best rank."""
    own = table[table["kind"].isin(["metric", "given"])]
    ranks = (
        own.assign(value=own["value"].round(12))
        .groupby(["judgement", "level", "coefficient"])["value"]
        .rank(ascending=False, method="min")
    )
    return table.assign(rank=ranks)
