"""One column of the matrix of metrics by benchmarks: how every metric follows the judgements of a benchmark.

The rows are metrics, floors that need no thought (the length of a summary, random scores), and ceilings where
several judges are known (each of them with the mean of the others). docs/matrix.md shows the result,
and docs/statistics.md defines each number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from sera.evaluation import keyword_tables
from sera.evaluation.bootstrap import Bootstrap, percentile_interval
from sera.evaluation.coefficients import COEFFICIENTS, CORRELATIONS, coefficients
from sera.evaluation.correlate import (
    LEVELS,
    WHY,
    Scores,
    average_defined,
    complete_topics,
    correlate,
    pair_scores,
    why_not_at_level,
)
from sera.evaluation.judges import judge_tables
from sera.evaluation.pairwise import accuracy_draws, calibrate, pairwise_accuracy
from sera.evaluation.partial import partial_correlations, properties
from sera.evaluation.preferences import preference_table
from sera.evaluation.ties import mean_scores, merge_ties
from sera.io.records import Candidate, Reference, Source
from sera.io.scores import GIVEN
from sera.metrics import falling
from study.matrix.effects import OF_LENGTH, ONE_JUDGE, effect_tables
from study.multiverse.more_systems import draw_families

CELL_COLUMNS = [
    *("benchmark", "judgement", "level", "coefficient", "metric", "kind", "value", "low", "high"),
    *("rank", "systems", "topics", WHY),
]

AT_RANDOM = "random"  # a floor, as is `OF_LENGTH`

ACCURACY = "accuracy"
"""The share of pairs that metric and people rank alike: of systems by a judgement, or of summaries."""

ACC_EQ = "acc_eq"  # the same of the systems on one topic, with ties, mean over topics (Deutsch et al. 2023)

PARTIAL = {
    "spearman_given_length": "length",
    "spearman_given_length_and_extractiveness": "length and extractiveness",
}
"""Spearman's partial correlations, and what each takes out."""

PREFERRED = "preferences"  # the name of people's preferences among the judgements
CELL_DRAWS = 1000  # of systems for the interval of a cell; each draws the summaries of every topic
_RANDOM_DRAWS = 1000
_CALIBRATED_DRAWS = 100  # random scores; each draw sorts all pairs
_Rows = list[dict[str, Any]]


def lengths(candidates: Iterable[Candidate]) -> pd.DataFrame:
    """The number of words of each summary, between blanks, as the scores of a metric."""
    return keyword_tables.lengths(candidates).assign(metric=OF_LENGTH)


@dataclass(frozen=True)
class FamilyBootstrap(Bootstrap):
    """Draws of families, each with all of its systems; ``families`` has that of each system, by name."""

    families: tuple[str, ...] = ()

    def draw_systems(self, number: int) -> np.ndarray:
        return draw_families(self.families, self.resamples, self.seed)


def matrix_column(
    benchmark: str,
    scores: pd.DataFrame,
    judgements: pd.DataFrame,
    candidates: Sequence[Candidate] = (),
    *,
    sources: Sequence[Source] = (),
    systems: Sequence[str] | None = None,
    families: Mapping[str, str] | None = None,
    judges: pd.DataFrame | None = None,
    preferences: pd.DataFrame | None = None,
    rouge: Mapping[str, pd.DataFrame] | None = None,
    resamples: int = 1000,
    confidence: float = 95.0,
    seed: int = 0,
) -> dict[str, pd.DataFrame]:
    """The ``cells`` of a benchmark, CELL_COLUMNS, and the tables of `EFFECTS`.

    ``rouge`` has the scores by ROUGE `WITHOUT` and `WITH` stop words, for contrasts; none if the texts are
    not known. ``sources`` are for partial correlations. The accuracy by ``preferences`` is under the
    judgement `PREFERRED` at the summary level. ``families`` of systems are drawn together.

    Only judged summaries count (but for preferences), and only those of ``systems`` if they are given.
    Metrics for which less is better are turned: a value of 1 is a perfect metric. Intervals are over systems,
    of cells from at most `CELL_DRAWS`; by preferences, over topics, and judges where all are named. Ranks
    leave out floors and ceilings.
    """
    names = list(dict.fromkeys(scores["metric"]))
    kinds = {name: "given" if name.startswith(GIVEN) else "metric" for name in names}
    all_scores, summaries = scores, None
    if candidates:
        kinds[OF_LENGTH] = "floor"
        all_scores = pd.concat([scores, lengths(candidates)], ignore_index=True)
        summaries = properties(candidates, sources)
    endings = [table.assign(metric=table["metric"] + ending) for ending, table in (rouge or {}).items()]
    values = _scores(pd.concat([all_scores, *endings]), judgements, systems).negate(falling(names))
    judged = {name: _judged_scores(values, name) for name in dict.fromkeys(judgements["judgement"])}

    def draws(number: int) -> Bootstrap:
        of_systems = tuple(families[name] for name in values.systems) if families else ()
        own = FamilyBootstrap("systems", number, seed, families=of_systems)
        return own if families else Bootstrap("systems", number, seed)

    few = min(resamples, CELL_DRAWS)
    sampling: dict[str, Any] = {"bootstrap": draws(few), "confidence": confidence}
    cells: list[Any] = []
    for judgement, judged_scores in judged.items():
        judgement_cells = _Judgement(judgement, judged_scores, kinds, **sampling, seed=seed)
        for level in LEVELS:
            cells += [judgement_cells.correlations(level), judgement_cells.random_scores(level)]
        cells += [judgement_cells.accuracies(), judgement_cells.calibrated()]
        if summaries is not None:
            cells.append(judgement_cells.partial(summaries))
    if judges is not None and len(judges):
        ceilings = judge_tables(judges, values, **sampling).get("ceilings")
        cells += [] if ceilings is None else [_ceiling_cells(ceilings)]
    if preferences is not None:
        settings: dict[str, Any] = {"resamples": few, "confidence": confidence, "seed": seed}
        accuracies = preference_table(preferences, all_scores, falling=falling(names), **settings)
        judged_systems = pd.concat([preferences["system_a"], preferences["system_b"]]).nunique()
        accuracies = accuracies.assign(judgement=PREFERRED, level="summary", systems=judged_systems)
        cells.append(_split_coefficients(accuracies.assign(kind=accuracies["metric"].map(kinds)), [ACCURACY]))
    table = _add_ranks(pd.concat([pd.DataFrame(each) for each in cells], ignore_index=True))
    return {
        "cells": table.assign(benchmark=benchmark)[CELL_COLUMNS],
        **effect_tables(benchmark, judged, draws(resamples).draw, confidence, judges),
    }


def describe_collection(kind: str, sources: Iterable[Source]) -> str:
    """What SERA searches, in words; ``kind`` is the workflow's word for the collection."""
    if kind == "sources":
        return "its articles" if any(source.sections for source in sources) else "its references"
    return "its collection" if kind in ("documents", "generated") else "articles of PubMed Central"


def column_facts(
    cells: pd.DataFrame,
    candidates: Iterable[Candidate],
    references: Iterable[Reference],
    documents: int,
    searched: str,
) -> pd.DataFrame:
    """What a benchmark is, a row per judgement: its systems, topics and references, and SERA's collection.

    ``references`` is the median number for a topic, ``summaries`` counts the systems' summaries, judged or
    not, and ``documents`` those in the index that SERA searches; ``searched`` describes them.
    """
    candidates = list(candidates)
    reference_counts = Counter(dict.fromkeys((each.topic for each in candidates), 0))
    reference_counts.update(each.topic for each in references)
    is_overall = (cells["level"] == "global") | (cells["judgement"] == PREFERRED)
    floor = OF_LENGTH if OF_LENGTH in set(cells["metric"]) else AT_RANDOM
    floor_cells = cells[(cells["metric"] == floor) & is_overall].drop_duplicates("judgement")
    return floor_cells[["benchmark", "judgement", "systems", "topics"]].assign(
        summaries=len(candidates),
        references=float(np.median(list(reference_counts.values()))) if reference_counts else np.nan,
        documents=documents,
        searched=searched,
    )


def _scores(scores: pd.DataFrame, judgements: pd.DataFrame, systems: Sequence[str] | None) -> Scores:
    """The scores and the judgements as metrics, of all systems or some."""
    table = pd.concat([scores, judgements.rename(columns={"judgement": "metric"})], ignore_index=True)
    return Scores.from_table(table[["topic", "system", "metric", "score"]], systems)


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

    def correlations(self, level: str) -> pd.DataFrame:
        """The correlations of every metric at a level."""
        pairs = [(name, self.name) for name in self.kinds]
        sampling: dict[str, Any] = {"bootstrap": self.bootstrap, "confidence": self.confidence}
        table = correlate(self.scores, pairs, level=level, **sampling)
        kinds = table["metric"].map(self.kinds)
        return _split_coefficients(table.assign(judgement=self.name, level=level, kind=kinds), CORRELATIONS)

    def _row(
        self,
        level: str,
        coefficient: str,
        metric: str,
        value: float,
        counts: tuple[int, int],
        why: str,
        ends: tuple[float, float] = (np.nan, np.nan),
    ) -> dict[str, Any]:
        """A cell; ``counts`` are of systems and topics, ``why`` is the reason if the value is undefined."""
        numbers = {"value": value, "low": ends[0], "high": ends[1], "systems": counts[0], "topics": counts[1]}
        keys = {"judgement": self.name, "level": level, "coefficient": coefficient, "metric": metric}
        kind = self.kinds.get(metric, "floor")
        return {**keys, "kind": kind, **numbers, WHY: why if np.isnan(value) else ""}

    def random_scores(self, level: str) -> _Rows:
        """Random scores: their mean coefficient, and the interval that holds the central share of draws."""
        judgements = self.scores.metric(self.name)
        if level == "system":
            judgements = judgements[complete_topics(judgements)]
        draws = _random_coefficients(judgements, level, self.seed)
        counts, why = (judgements.shape[1], len(judgements)), "no correlation with random scores is defined"
        rows = []
        for name, values in zip(CORRELATIONS, draws.T, strict=False):
            mean, ends = float(average_defined(values)), percentile_interval(values, self.confidence)
            rows.append(self._row(level, name, AT_RANDOM, mean, counts, why, ends))
        return rows

    def accuracies(self) -> _Rows:
        """The share of pairs of systems that each metric and the judgement rank alike, with its interval."""
        rows = []
        for name in self.kinds:
            x, y = pair_scores(self.scores, name, self.name)
            value, ends = np.nan, (np.nan, np.nan)
            if len(x) and x.shape[1] > 1:
                value = pairwise_accuracy(mean_scores(x), mean_scores(y))
                topics, systems = self.bootstrap.draw_topics(len(x)), self.bootstrap.draw_systems(x.shape[1])
                ends = percentile_interval(accuracy_draws(x, y, topics, systems), self.confidence)
            why = "fewer than two systems" if len(x) else why_not_at_level(x, y, name, self.name, "system")
            rows.append(self._row("system", ACCURACY, name, value, (x.shape[1], len(x)), why, ends))
        return rows

    def calibrated(self) -> _Rows:
        """acc_eq at the summary level, without interval; of random scores the mean and interval of draws.

        Random scores have an epsilon of their own too, so that they show the effect of ties alone.
        """
        judgements = self.scores.metric(self.name)
        counts, why = (judgements.shape[1], len(judgements)), "no topic has two summaries with scores"
        values = {name: calibrate(self.scores.metric(name), judgements).accuracy for name in self.kinds}
        rows = [self._row("summary", ACC_EQ, name, value, counts, why) for name, value in values.items()]
        random = np.random.default_rng([self.seed, 12])
        accuracies = [
            calibrate(random.random(judgements.shape), judgements).accuracy for _ in range(_CALIBRATED_DRAWS)
        ]
        mean, ends = float(np.mean(accuracies)), percentile_interval(np.array(accuracies), self.confidence)
        return [*rows, self._row("summary", ACC_EQ, AT_RANDOM, mean, counts, why, ends)]

    def partial(self, summaries: pd.DataFrame) -> pd.DataFrame:
        """Spearman's partial correlations at each level, without interval, `PARTIAL`.

        ``summaries`` has the lengths, and the extractiveness where the articles are known; without articles
        the cells say so. At the summary level, ``topics`` counts those on which the correlation is defined.
        """
        keys = ["metric", "level", "controls"]
        table = partial_correlations(self.scores, [(name, self.name) for name in self.kinds], summaries)
        index = pd.MultiIndex.from_product([self.kinds, LEVELS, PARTIAL.values()], names=keys)
        table = table.set_index(keys).reindex(index).reset_index()
        items = table["items"].where(table["level"] == "summary", len(self.scores.topics))
        return table.rename(columns={"partial_spearman": "value"}).assign(
            judgement=self.name,
            coefficient=table["controls"].map({controls: name for name, controls in PARTIAL.items()}),
            kind=table["metric"].map(self.kinds),
            systems=len(self.scores.systems),
            topics=items.fillna(0).astype(int),
            **{WHY: table[WHY].fillna("the articles are not known")},
        )


def _judged_scores(scores: Scores, judgement: str) -> Scores:
    """The scores of the judged systems, on the topics with at least one judgement."""
    table = scores.keep_judged(judgement)
    has_judgement = ~np.isnan(table.metric(judgement)).all(axis=1)
    return table.keep_topics(
        [topic for topic, stays in zip(table.topics, has_judgement, strict=True) if stays]
    )


def _random_coefficients(judgements: np.ndarray, level: str, seed: int) -> np.ndarray:
    """The coefficients of random scores with judgements, (topic, system): (draw, coefficient)."""
    if not judgements.size:
        return np.full((1, len(COEFFICIENTS)), np.nan)
    random = np.random.default_rng([seed, 11])
    if level == "system":
        means = random.random((_RANDOM_DRAWS, *judgements.shape)).mean(axis=1)
        return coefficients(means, mean_scores(judgements))
    if level == "global":
        values = judgements[~np.isnan(judgements)]
        return coefficients(random.random((_RANDOM_DRAWS, len(values))), values)
    topic_coefficients = [coefficients(random.random((_RANDOM_DRAWS, len(row))), row) for row in judgements]
    return average_defined(np.array(topic_coefficients))


def _split_coefficients(table: pd.DataFrame, coefficients: Iterable[str]) -> pd.DataFrame:
    """Cells from a table with a column for each coefficient, and its interval in ``_low`` and ``_high``."""
    parts = {"value": "", "low": "_low", "high": "_high"}
    return pd.concat(
        table.assign(coefficient=name, **{part: table[f"{name}{end}"] for part, end in parts.items()})
        for name in coefficients
    )


def _ceiling_cells(ceilings: pd.DataFrame) -> pd.DataFrame:
    """The mean correlation of one judge with the others, as cells."""
    cells = _split_coefficients(ceilings.rename(columns={"against": "judgement"}), CORRELATIONS)
    why = np.where(cells["value"].isna(), "no judge's correlation with the others is defined", "")
    return cells.assign(metric=ONE_JUDGE, kind="ceiling", **{WHY: why})


def _add_ranks(table: pd.DataFrame) -> pd.DataFrame:
    """Add the rank of each metric by its value; values that are equal but for round-off share the best."""
    groups = table[table["kind"].isin(["metric", "given"])].groupby(["judgement", "level", "coefficient"])[
        "value"
    ]
    return table.assign(
        rank=groups.transform(lambda x: pd.Series(-merge_ties(x, 1)).rank(method="min").to_numpy())
    )
