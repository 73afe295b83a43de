"""The universes of an evaluation whose summaries are given: scores, coefficients and effects of claims."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from sera.evaluation.correlation.coefficients import COEFFICIENTS
from sera.evaluation.correlation.correlate import Bootstrap, Scores, correlation, paired
from sera.io.records import Candidate, Reference
from sera.metrics import falling, metric
from sera.metrics.base import Metric
from sera.metrics.rouge.measures import ROUGE_SCORE
from sera.metrics.scoring import score
from sera.progress import progress
from study.claims.files import EFFECT_DIGITS, Claim, effect_or_reason
from study.claims.formulas import AbsentScores, CoefficientTable
from study.multiverse.given_texts import ALL_OF_THEM, ONE_REFERENCE, GivenUniverse, chosen_references

ROUGE_NAMES = tuple(f"ROUGE-{m}-{part}" for m in ("1", "2", "3", "L", "S", "SU", "W-1.2") for part in "FPR")
"""The variants of ROUGE that patterns of a claim match."""

_OF_ROUGE = re.compile(r"ROUGE-([1-9]|L|SU?[0-9]*|W-[0-9.]+)-[FPR]")
_OF_GOOGLE = re.compile("ROUGE-([1-9]|L)-[FPR]")


@dataclass(frozen=True)
class GivenStudy:
    """Summaries, references and judgements that are given.

    ``judgements`` has topic, system, judgement and score, and ``judges`` also judge, for single judges.
    ``scores`` has topic, system, metric and score of other metrics, which no choice on ROUGE changes.
    """

    candidates: Sequence[Candidate]
    references: Sequence[Reference]
    judgements: pd.DataFrame
    judges: pd.DataFrame
    scores: pd.DataFrame | None = None

    @property
    def of_judges(self) -> dict[str, list[str]]:
        """The judges of each judgement; none where they are not known."""
        found: dict[str, list[str]] = {name: [] for name in dict.fromkeys(self.judgements["judgement"])}
        pairs = self.judges[self.judges["judge"] != ""][["judgement", "judge"]].drop_duplicates()
        for judgement, judge in pairs.itertuples(index=False):
            found[judgement].append(judge)
        return found

    @property
    def judged_systems(self) -> list[str]:
        """The systems that have a judgement."""
        judged = set(self.judgements["system"])
        return [name for name in dict.fromkeys(each.system for each in self.candidates) if name in judged]

    @property
    def most_references(self) -> int:
        """The largest number of references of a topic."""
        return max(Counter(each.topic for each in self.references).values(), default=0)

    @property
    def others(self) -> list[str]:
        """The metrics of ``scores``."""
        return [] if self.scores is None else list(dict.fromkeys(self.scores["metric"]))


@dataclass(frozen=True)
class GivenEffects:
    """What universes say of claims: the effects, NaN where undefined, and whether claims hold on resamples.

    ``effects`` is (universe, claim); ``resampled`` (universe, resample, claim) has the effects of resampled
    topics. ``reasons`` has a claim's first reason for being undefined.
    """

    effects: np.ndarray
    resampled: np.ndarray
    reasons: Mapping[str, str]


def needed_rouge(claims: Sequence[Claim], others: Sequence[str] = ()) -> list[str]:
    """The variants of ROUGE that the claims need."""
    known = [*ROUGE_NAMES, *others]
    names = dict.fromkeys(name for claim in claims for name in claim.formula.metrics(known))
    return [name for name in names if _OF_ROUGE.fullmatch(name) and name not in others]


def rouge_of(universe: GivenUniverse, names: Sequence[str]) -> list[Metric]:
    """The metrics with the settings of a universe, those alone that its dialect has."""
    google = universe.dialect == ROUGE_SCORE
    settings: dict[str, object] = {"stem": universe.stem == "yes", "dialect": universe.dialect}
    if not google:
        settings["stop"] = universe.stop == "yes"
        if universe.several != ONE_REFERENCE:
            settings["multi"] = universe.several
    return [metric(name, **settings) for name in names if not google or _OF_GOOGLE.fullmatch(name)]


def rouge_scores(
    study: GivenStudy, universes: Sequence[GivenUniverse], names: Sequence[str], seed: int = 0
) -> dict[tuple[str, ...], pd.DataFrame]:
    """The scores by the choices behind them (`GivenUniverse.rouge`); each configuration is computed once."""
    by_set: dict[tuple[str, str], dict[tuple[str, ...], GivenUniverse]] = {}
    for each in universes:
        by_set.setdefault((each.references, each.which), {}).setdefault(each.rouge, each)
    found: dict[tuple[str, ...], pd.DataFrame] = {}
    for (number, which), configurations in progress(sorted(by_set.items()), "sets of references"):
        gold = chosen_references(study.references, number, which, seed)
        metrics = {key: rouge_of(each, names) for key, each in configurations.items()}
        together = [one for of in metrics.values() for one in of]
        table = score(together, study.candidates, gold) if together else None
        for key, of in metrics.items():
            found[key] = pd.DataFrame(columns=["topic", "system", "metric", "score"])
            if table is not None and of:
                own = table[table["metric"].isin(list(map(str, of)))]
                found[key] = own.assign(metric=own["metric"].map({str(one): one.name for one in of}))
    return found


def judged_scores(study: GivenStudy, universe: GivenUniverse) -> pd.DataFrame:
    """The judgement of a universe as scores: the mean of the judges, or one judge."""
    table = study.judgements
    if universe.judges != ALL_OF_THEM:
        table = study.judges[study.judges["judge"] == universe.judge]
    table = table[table["judgement"] == universe.judgement]
    return table.rename(columns={"judgement": "metric"})[["topic", "system", "metric", "score"]]


def given_effects(
    study: GivenStudy,
    universes: Sequence[GivenUniverse],
    claims: Sequence[Claim],
    *,
    resamples: int = 20,
    seed: int = 0,
) -> GivenEffects:
    """The effect of each claim in each universe, and on resampled topics, the same in all universes."""
    scored = rouge_scores(study, universes, needed_rouge(claims, study.others), seed)
    bootstrap = Bootstrap("topics", resamples, seed)
    effects = np.full((len(universes), len(claims)), np.nan)
    resampled = np.full((len(universes), resamples, len(claims)), np.nan)
    reasons: dict[str, str] = {}
    known: dict[GivenUniverse, int] = {}
    worlds: dict[tuple[object, ...], Scores] = {}
    for place, universe in enumerate(progress(universes, "universes")):
        if universe in known:  # drawn before
            effects[place], resampled[place] = effects[known[universe]], resampled[known[universe]]
            continue
        known[universe] = place
        key = universe.rouge, universe.judgement, universe.judge
        if key not in worlds:
            worlds[key] = given_scores(study, universe, scored[universe.rouge])
        of = _Correlated(worlds[key], universe, bootstrap)
        for number, claim in enumerate(claims):
            if universe.coefficient not in claim.coefficients:
                continue
            effect, why = effect_or_reason(claim, of.table(0), "a correlation is undefined")
            effects[place, number] = np.round(effect, EFFECT_DIGITS)
            if why:
                reasons.setdefault(claim.name, why)
            else:
                resampled[place, :, number] = np.round(claim.effect(of.table(1)), EFFECT_DIGITS)
    return GivenEffects(effects, resampled, reasons)


def given_scores(study: GivenStudy, universe: GivenUniverse, rouge: pd.DataFrame) -> Scores:
    """The scores of a universe with its judgement, turned so that higher is better, on judged topics."""
    tables = [rouge, judged_scores(study, universe)]
    if study.scores is not None:
        tables.insert(1, study.scores[["topic", "system", "metric", "score"]])
    table = pd.concat([each for each in tables if len(each)], ignore_index=True)
    judged = Scores.of(table).turned(falling(study.others))
    if universe.judgement not in judged.metrics:
        return judged
    judged = judged.judged_by(universe.judgement)
    there = ~np.isnan(judged.of_metric(universe.judgement)).all(axis=1)
    return judged.of_topics([topic for topic, kept in zip(judged.topics, there, strict=True) if kept])


class _Correlated:
    """The coefficients of a universe's metrics with its judgement, and their resamples; each pair once."""

    def __init__(self, scores: Scores, universe: GivenUniverse, bootstrap: Bootstrap) -> None:
        self._scores = scores.of_systems([name for name in scores.systems if name != universe.left_out])
        self._universe, self._bootstrap = universe, bootstrap
        self._known: dict[tuple[str, str], tuple[np.ndarray, np.ndarray]] = {}

    def table(self, part: int) -> CoefficientTable:
        """The coefficients (0), or those of the resamples (1), as a formula reads them."""
        metrics = [name for name in self._scores.metrics if name != self._universe.judgement]
        return CoefficientTable(lambda metric, other: self._of(metric, other)[part], metrics)

    def _of(self, metric: str, other: str | None) -> tuple[np.ndarray, np.ndarray]:
        pair = metric, other or self._universe.judgement
        if pair not in self._known:
            for name in pair:
                if name not in self._scores.metrics:
                    raise AbsentScores(f"there are no scores by {name}")
            x, y = paired(self._scores, *pair, self._universe.level)
            topics, systems = self._bootstrap.of_topics(len(x)), self._bootstrap.of_systems(x.shape[1])
            at = COEFFICIENTS.index(self._universe.coefficient)
            level = self._universe.level
            drawn = correlation(x, y, level, topics=topics, systems=systems)[:, at]
            self._known[pair] = correlation(x, y, level)[at], drawn
        return self._known[pair]
