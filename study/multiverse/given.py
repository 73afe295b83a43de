"""The universes of an evaluation whose summaries and judgements are given, and the effects of claims in them.

A universe has one value of each of `GIVEN_CHOICES`. Values that a universe cannot have are replaced: one
reference leaves nothing to combine, and Google's package has no stop words and takes the best reference.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pandas as pd

from sera.errors import InputError
from sera.evaluation.correlation.coefficients import COEFFICIENTS, CORRELATIONS
from sera.evaluation.correlation.correlate import LEVELS, Bootstrap, Scores, correlation, paired
from sera.io.records import Candidate, Reference
from sera.metrics import falling, metric
from sera.metrics.base import Metric
from sera.metrics.rouge.measures import ORIGINAL, ROUGE_SCORE
from sera.metrics.scoring import score
from sera.names import nearest_names
from sera.progress import progress
from study.claims.files import EFFECT_DIGITS, Claim, effect_or_reason
from study.claims.formulas import AbsentScores, CoefficientTable
from study.claims.multiverse import ROUGE

GIVEN_CHOICES = {
    "references": "number of references of a topic",
    "which": "which of a topic's references",
    "several": "how ROUGE uses several references",
    "stem": "ROUGE stems",
    "stop": "ROUGE drops stop words",
    "dialect": "program whose ROUGE it is",
    "level": "level of correlation",
    "coefficient": "coefficient",
    "systems": "systems compared",
    "judgement": "human judgement",
    "judges": "judges of a summary",
}
"""The choices, each with what it is about."""

ALL_OF_THEM, FIRST, ONE_LESS, ONE = "all", "first", "all but one", "one"
ONE_REFERENCE = "one reference"
_DRAWS = ("draw 1", "draw 2")
_OF_ROUGE = re.compile(r"ROUGE-([1-9]|L|SU?[0-9]*|W-[0-9.]+)-[FPR]")
_OF_GOOGLE = re.compile("ROUGE-([1-9]|L)-[FPR]")


# Universes
# ---------


@dataclass(frozen=True)
class GivenUniverse:
    """The values of a universe, as texts; ``left_out`` is the system, and ``judge`` the judge, if it has one.

    ``references`` is a number or ``all``; ``which`` is ``first`` or a draw of that number from each topic's.
    """

    references: str
    which: str
    several: str
    stem: str
    stop: str
    dialect: str
    level: str
    coefficient: str
    systems: str
    judgement: str
    judges: str
    left_out: str = ""
    judge: str = ""

    @property
    def rouge(self) -> tuple[str, ...]:
        """The choices on which the scores of ROUGE depend."""
        return self.references, self.which, self.several, self.stem, self.stop, self.dialect


def given_values(references: int, judges: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The values of each choice; ``references`` is the largest number of a topic.

    ``judges`` has the judges of each judgement, if they are known.
    The numbers of references are one, half of them and all.
    """
    numbers = [str(number) for number in dict.fromkeys((1, (references + 1) // 2)) if number < references]
    return {
        "references": [*numbers, ALL_OF_THEM],
        "which": [FIRST, *_DRAWS] if references > 1 else [FIRST],
        "several": ["pooled", "best"] if references > 1 else [ONE_REFERENCE],
        "stem": ["no", "yes"],
        "stop": ["no", "yes"],
        "dialect": [ORIGINAL, ROUGE_SCORE],
        "level": list(LEVELS),
        "coefficient": list(CORRELATIONS),
        "systems": [ALL_OF_THEM, ONE_LESS],
        "judgement": list(judges),
        "judges": [ALL_OF_THEM, ONE] if max(map(len, judges.values()), default=0) > 1 else [ALL_OF_THEM],
    }


def fixed_values(values: Mapping[str, Sequence[str]], fixed: Mapping[str, str]) -> dict[str, list[str]]:
    """The values with some choices fixed to one of them; InputError for an unknown choice or value."""
    for name, value in fixed.items():
        if name not in values:
            nearest = nearest_names(name, list(values))
            raise InputError(
                f"there is no choice {name!r}", remedy=f"Use {nearest[0] if nearest else ', '.join(values)}."
            )
        if value not in values[name]:
            raise InputError(
                f"the choice {name} has no value {value!r} here", remedy=f"Use {', '.join(values[name])}."
            )
    return {name: [fixed[name]] if name in fixed else list(of) for name, of in values.items()}


def draw_universes(
    values: Mapping[str, Sequence[str]],
    number: int,
    *,
    systems: Sequence[str],
    judges: Mapping[str, Sequence[str]],
    seed: int = 0,
) -> list[GivenUniverse]:
    """Universes drawn with replacement: each value of a choice is equally likely, whatever the others are.

    So are the system to leave out and the single judge, one of the judgement's; a judgement with one judge
    keeps it. A larger number begins with the smaller one's.
    """
    found = []
    for place in range(number):
        random = np.random.default_rng([seed, 17, place])
        chosen = {name: of[int(random.integers(len(of)))] for name, of in values.items()}
        left_out = systems[int(random.integers(len(systems)))]
        known = judges[chosen["judgement"]]
        if len(known) < 2:
            chosen["judges"] = ALL_OF_THEM
        judge = known[int(random.integers(len(known)))] if chosen["judges"] == ONE else ""
        universe = GivenUniverse(
            **chosen, left_out=left_out if chosen["systems"] == ONE_LESS else "", judge=judge
        )
        found.append(possible(universe))
    return found


def possible(universe: GivenUniverse) -> GivenUniverse:
    """The universe with the values that it cannot have replaced."""
    if universe.references == ALL_OF_THEM:
        universe = replace(universe, which=FIRST)
    if universe.references == "1":
        universe = replace(universe, several=ONE_REFERENCE)
    if universe.dialect == ROUGE_SCORE:
        several = ONE_REFERENCE if universe.several == ONE_REFERENCE else "best"
        universe = replace(universe, stop="no", several=several)
    return universe


def chosen_references(
    references: Sequence[Reference], number: str, which: str, seed: int = 0
) -> list[Reference]:
    """The first references of each topic, or as many drawn, in their order; all where there are fewer."""
    if number == ALL_OF_THEM:
        return list(references)
    by_topic: dict[str, list[Reference]] = {}
    for each in references:
        by_topic.setdefault(each.topic, []).append(each)
    found = []
    for place, of in enumerate(by_topic.values()):
        order = list(range(len(of)))
        if which != FIRST:
            order = (
                np.random.default_rng([seed, 19, _DRAWS.index(which), place]).permutation(len(of)).tolist()
            )
        found += [of[kept] for kept in sorted(order[: int(number)])]
    return found


# Effects
# -------


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
    known = [*ROUGE, *others]
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
    scores: dict[tuple[object, ...], Scores] = {}
    for place, universe in enumerate(progress(universes, "universes")):
        if universe in known:  # drawn before
            effects[place], resampled[place] = effects[known[universe]], resampled[known[universe]]
            continue
        known[universe] = place
        key = universe.rouge, universe.judgement, universe.judge
        if key not in scores:
            scores[key] = given_scores(study, universe, scored[universe.rouge])
        own, drawn = coefficient_tables(scores[key], universe, bootstrap)
        for number, claim in enumerate(claims):
            if universe.coefficient not in claim.coefficients:
                continue
            effect, why = effect_or_reason(claim, own, "a correlation is undefined")
            effects[place, number] = np.round(effect, EFFECT_DIGITS)
            if why:
                reasons.setdefault(claim.name, why)
            else:
                resampled[place, :, number] = np.round(claim.effect(drawn), EFFECT_DIGITS)
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


def coefficient_tables(
    scores: Scores, universe: GivenUniverse, bootstrap: Bootstrap
) -> tuple[CoefficientTable, CoefficientTable]:
    """The coefficients of a universe's metrics with its judgement, and those on resamples."""
    scores = scores.of_systems([name for name in scores.systems if name != universe.left_out])
    place = COEFFICIENTS.index(universe.coefficient)

    @cache
    def of(name: str, other: str | None) -> tuple[np.ndarray, np.ndarray]:
        pair = name, other or universe.judgement
        for each in pair:
            if each not in scores.metrics:
                raise AbsentScores(f"there are no scores by {each}")
        x, y = paired(scores, *pair, universe.level)
        drawn = {"topics": bootstrap.of_topics(len(x)), "systems": bootstrap.of_systems(x.shape[1])}
        found = correlation(x, y, universe.level), correlation(x, y, universe.level, **drawn)
        return found[0][place], found[1][:, place]

    metrics = [name for name in scores.metrics if name != universe.judgement]
    return (
        CoefficientTable(lambda name, other: of(name, other)[0], metrics),
        CoefficientTable(lambda name, other: of(name, other)[1], metrics),
    )
