"""The universes of an evaluation whose summaries and judgements are given, and the claims in them.

A universe has one value of each of `GIVEN_CHOICES`, as text. Values that a universe cannot have are replaced:
one reference leaves nothing to combine, and Google's package has no stop words and takes the best reference.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from sera.errors import InputError
from sera.evaluation.correlation.coefficients import CORRELATIONS
from sera.evaluation.correlation.correlate import (
    LEVELS,
    Bootstrap,
    Scores,
    percentile_interval,
    percentile_intervals,
)
from sera.io.records import Candidate, Reference
from sera.metrics import falling, metric
from sera.metrics.base import Metric
from sera.metrics.rouge.measures import ORIGINAL, ROUGE_SCORE
from sera.metrics.scoring import score
from sera.names import nearest_names
from sera.progress import progress
from study.claims.check import ResampledCoefficients, of_judged
from study.claims.files import EFFECT_DIGITS, Claim
from study.claims.multiverse import MOST, ROUGE
from study.multiverse import answers
from study.multiverse.choices import values_of
from study.multiverse.figures import CurveWords, curve_of
from study.multiverse.universes import outcomes

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

OF_ROUGE = tuple(GIVEN_CHOICES)[:6]
"""The choices on which the scores of ROUGE depend."""

GivenUniverse = dict[str, str]
"""The values of `GIVEN_CHOICES`; ``left_out`` and ``judge`` have the system and the judge, or are empty.

``references`` is a number or ``all``; ``which`` is ``first`` or a draw of that number from each topic's.
"""

ALL_OF_THEM, FIRST, ONE_LESS, ONE = "all", "first", "all but one", "one"
ONE_REFERENCE = "one reference"
_DRAWS = ("draw 1", "draw 2")
_ROUGE_NAME = re.compile(r"ROUGE-([1-9]|L|SU?[0-9]*|W-[0-9.]+)-[FPR]")
_GOOGLE_NAME = re.compile("ROUGE-([1-9]|L)-[FPR]")


# Universes
# ---------


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
            nearest = nearest_names(name, list(values)) or [", ".join(values)]
            raise InputError(f"there is no choice {name!r}", remedy=f"Use {nearest[0]}.")
        if value not in values[name]:
            problem = f"the choice {name} has no value {value!r} here"
            raise InputError(problem, remedy=f"Use {', '.join(values[name])}.")
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

        def one_of(values: Sequence[str], random: np.random.Generator = random) -> str:
            return values[int(random.integers(len(values)))]

        universe = {name: one_of(of) for name, of in values.items()}
        left_out, known = one_of(systems), judges[universe["judgement"]]
        if len(known) < 2:
            universe["judges"] = ALL_OF_THEM
        universe["left_out"] = left_out if universe["systems"] == ONE_LESS else ""
        universe["judge"] = one_of(known) if universe["judges"] == ONE else ""
        found.append(possible(universe))
    return found


def possible(universe: GivenUniverse) -> GivenUniverse:
    """The universe with the values that it cannot have replaced."""
    changed = dict(universe)
    if universe["references"] == ALL_OF_THEM:
        changed["which"] = FIRST
    if universe["dialect"] == ROUGE_SCORE:
        changed["stop"] = "no"
        if universe["several"] != ONE_REFERENCE:
            changed["several"] = "best"
    if universe["references"] == "1":
        changed["several"] = ONE_REFERENCE
    return changed


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
        order = np.arange(len(of))
        if which != FIRST:
            order = np.random.default_rng([seed, 19, _DRAWS.index(which), place]).permutation(len(of))
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
    return [name for name in names if _ROUGE_NAME.fullmatch(name) and name not in others]


def rouge_of(universe: GivenUniverse, names: Sequence[str]) -> list[Metric]:
    """The metrics with the settings of a universe, those alone that its dialect has."""
    google = universe["dialect"] == ROUGE_SCORE
    settings: dict[str, object] = {"stem": universe["stem"] == "yes", "dialect": universe["dialect"]}
    if not google:
        settings["stop"] = universe["stop"] == "yes"
        if universe["several"] != ONE_REFERENCE:
            settings["multi"] = universe["several"]
    return [metric(name, **settings) for name in names if not google or _GOOGLE_NAME.fullmatch(name)]


def rouge_scores(
    study: GivenStudy, universes: Sequence[GivenUniverse], names: Sequence[str], seed: int = 0
) -> dict[tuple[str, ...], pd.DataFrame]:
    """The scores by the values of `OF_ROUGE`; each configuration is computed once."""
    by_set: dict[tuple[str, str], dict[tuple[str, ...], GivenUniverse]] = {}
    for each in universes:
        of_set = by_set.setdefault((each["references"], each["which"]), {})
        of_set.setdefault(values_of(each, OF_ROUGE), each)
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
    if universe["judges"] != ALL_OF_THEM:
        table = study.judges[study.judges["judge"] == universe["judge"]]
    table = table[table["judgement"] == universe["judgement"]]
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
    known: dict[tuple[str, ...], int] = {}
    scores: dict[tuple[str, ...], Scores] = {}
    for place, universe in enumerate(progress(universes, "universes")):
        if (before := known.setdefault(tuple(universe.values()), place)) < place:  # drawn before
            effects[place], resampled[place] = effects[before], resampled[before]
            continue
        key = values_of(universe, (*OF_ROUGE, "judgement", "judge"))
        if key not in scores:
            scores[key] = given_scores(study, universe, scored[values_of(universe, OF_ROUGE)])
        of = scores[key].of_systems([name for name in scores[key].systems if name != universe["left_out"]])
        metrics = [name for name in of.metrics if name != universe["judgement"]]
        found = ResampledCoefficients(of, universe["judgement"], universe["level"], bootstrap)
        for number, claim in enumerate(claims):
            if (coefficient := universe["coefficient"]) in claim.coefficients:
                effect, drawn, why = found.effect(claim, coefficient, metrics)
                effects[place, number] = np.round(effect, EFFECT_DIGITS)
                if why:
                    reasons.setdefault(claim.name, why)
                else:
                    resampled[place, :, number] = np.round(drawn, EFFECT_DIGITS)
    return GivenEffects(effects, resampled, reasons)


def given_scores(study: GivenStudy, universe: GivenUniverse, rouge: pd.DataFrame) -> Scores:
    """The scores of a universe with its judgement, turned so that higher is better, on judged topics."""
    tables = [rouge, judged_scores(study, universe)]
    if study.scores is not None:
        tables.insert(1, study.scores[["topic", "system", "metric", "score"]])
    table = pd.concat([each for each in tables if len(each)], ignore_index=True)
    judged = Scores.of(table).turned(falling(study.others))
    if universe["judgement"] not in judged.metrics:
        return judged
    return of_judged(judged, universe["judgement"])


# Answers
# -------


def given_universe_table(
    universes: Sequence[GivenUniverse], claims: Sequence[Claim], found: GivenEffects, confidence: float = 95.0
) -> pd.DataFrame:
    """A row per universe: its choices, and for each claim the decision, the effect and its interval.

    The interval is over the resampled topics that define the effect.
    """
    table = pd.DataFrame(universes)
    table.insert(0, "universe", range(1, len(universes) + 1))
    bounds = np.stack([percentile_intervals(of, confidence) for of in found.resampled])
    decided = answers.decided_columns([claim.name for claim in claims], found.effects, bounds)
    return pd.concat([table, decided], axis=1)


def given_claim_table(claims: Sequence[Claim], found: GivenEffects, confidence: float = 95.0) -> pd.DataFrame:
    """A row per claim: the share of universes in which it holds, among those that define it, 0 to 1.

    ``low`` and ``high`` are the share's percentiles over resampled topics, ``error`` its standard error for
    the number of drawn universes, ``verdict`` as `verdict`, and ``effect_5``, ``effect_50`` and
    ``effect_95`` percentiles of the effect.
    """
    decided, weights = outcomes(found.effects), np.ones(len(found.effects))
    shares, drawn = answers.share(decided, weights), answers.share(outcomes(found.resampled), weights)
    rows = []
    for place, claim in enumerate(claims):
        counts, of = answers.counted(decided[:, place]), shares[place]
        defined = counts["universes"] - counts["undefined"]
        low, high = percentile_interval(drawn[:, place], confidence)
        row: dict[str, Any] = {"claim": claim.name, "words": claim.quote, "source": claim.source}
        row |= {"formula": claim.formula.text, **counts, "share": of, "low": low, "high": high}
        row["error"] = np.sqrt(of * (1 - of) / defined) if defined else np.nan
        row |= {"verdict": verdict(row), **answers.percentile_columns(found.effects[:, place])}
        row["why_undefined"] = found.reasons.get(claim.name, "") if counts["undefined"] else ""
        rows.append(row)
    return pd.DataFrame(rows)


def verdict(row: dict[str, Any]) -> str:
    """``holds`` if the share is at least `MOST` and its interval is above one half, ``fails`` in the contrary
    case, ``open`` otherwise, or ``undefined``.
    """
    if np.isnan(row["share"]):
        return "undefined"
    if row["share"] >= MOST and row["low"] > 0.5:
        return "holds"
    return "fails" if row["share"] <= 1 - MOST and row["high"] < 0.5 else "open"


def given_choice_table(
    universes: Sequence[GivenUniverse], claims: Sequence[Claim], found: GivenEffects
) -> pd.DataFrame:
    """A row per claim and value of a choice: the universes with the value, share and mean effect.

    The choices ``left_out`` and ``judge`` have each system that is left out, and each single judge.
    """
    rows = []
    for place, claim in enumerate(claims):
        for name in (*GIVEN_CHOICES, "left_out", "judge"):
            of = np.array([each[name] for each in universes])
            for value in sorted(set(of) - {""}):
                effects = found.effects[of == value, place : place + 1]
                (row,) = answers.of_value(effects, np.ones(len(effects)))
                rows.append({"claim": claim.name, "choice": name, "value": value, **row})
    return pd.DataFrame(rows)


def given_variance_table(
    universes: Sequence[GivenUniverse], claims: Sequence[Claim], found: GivenEffects
) -> pd.DataFrame:
    """The share of an effect's variance that each choice explains by itself, as `answers.variance_table`."""
    chosen = {name: np.array([each[name] for each in universes]) for name in GIVEN_CHOICES}
    rows: list[dict[str, object]] = []
    for place, claim in enumerate(claims):
        there = ~np.isnan(found.effects[:, place])
        values = {name: of[there] for name, of in chosen.items()}
        explained = answers.explained_by(found.effects[there, place], np.ones(there.sum()), values)
        rows += [{"claim": claim.name, **row} for row in explained]
    return pd.DataFrame(rows).rename(columns={"dimension": "choice"})


def given_curve(universes: pd.DataFrame, claim: Claim, confidence: float = 95) -> Figure:
    """Draw all universes sorted by the effect of a claim, above the choices of each.

    ``universes`` is a result of `given_universe_table`.
    """
    words = CurveWords(
        title=textwrap.shorten(f"Does it hold? {claim.quote} ({claim.source})", 105, placeholder=" …"),
        text=f"Above: each dot is one universe, one way to make the choices that are varied below. It shows "
        f"the effect, {claim.compared}: above 0 the claim holds. Grey: {confidence:g}% bootstrap interval "
        "over topics. Below: a mark shows which choices the universe above it has made; right: in how many "
        "of the universes with that choice the claim holds.",
        effect="effect of the claim",
        above="The claim holds",
        below="The claim fails",
        column="holds",
        ends="from the lowest effect to the highest",
    )
    table = universes.assign(weight=1.0).rename(columns=GIVEN_CHOICES)
    return curve_of(table, claim.name, list(GIVEN_CHOICES.values()), words)
