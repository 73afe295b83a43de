"""The answers of all universes together: one table per question."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.correlate import percentile_intervals
from sera.evaluation.tables import TEXTS, read_tsv
from study.claims.multiverse import HEADLINE, METRICS, MOST, OUTCOMES, effects, outcome_number
from study.multiverse.choices import DIMENSIONS, Universe, weight
from study.multiverse.universes import UNDEFINED_OUTCOME, YARDSTICKS, Results, outcomes

STATES = np.array(["fails", "holds", "undefined"])
_FAMILIES = {family: np.array([name.startswith(family) for name in METRICS]) for family in ("ROUGE", "SERA")}
_TEXTS = {
    *(*TEXTS, *DIMENSIONS, *(f"{claim.name}_{coefficient}" for claim, coefficient in OUTCOMES)),
    *("question", "universe", "members", "value", "dimension"),
    *("claim", "section", "words", "compared", "paper", "own", "recovered"),
}


def written_value(value: Any) -> str:
    """The value of a dimension as text, in the form of the settings."""
    return value if isinstance(value, str) else json.dumps(value)


def read_answer(path: str | PathLike[str]) -> pd.DataFrame:
    """Read a table of answers; values of dimensions stay text. InputError as in `tables.read_tsv`."""
    return read_tsv(path, texts=_TEXTS)


def share(decided: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The weighted share of universes (the first axis) in which a claim holds, among those that define it."""
    weights = weights.reshape(-1, *[1] * (decided.ndim - 1))
    with np.errstate(invalid="ignore"):
        return (weights * (decided == 1)).sum(axis=0) / (weights * (decided != UNDEFINED_OUTCOME)).sum(axis=0)


def _percentile(values: np.ndarray, percent: float) -> float:
    known = values[~np.isnan(values)]
    return float(np.percentile(known, percent)) if len(known) else np.nan


def _mean(values: np.ndarray, weights: np.ndarray | None = None) -> float:
    """The weighted mean of the values that are not NaN; NaN if their weights are 0."""
    known = ~np.isnan(values)
    weights = np.ones(len(values)) if weights is None else weights
    return float(np.average(values[known], weights=weights[known])) if weights[known].sum() > 0 else np.nan


def _effects(universes: Sequence[Universe], tables: np.ndarray) -> np.ndarray:
    """The claims' effects of tables, each by the universe's side of ROUGE, (universe, ..., outcome)."""
    return effects(tables, [universe["rouge_side"] for universe in universes])


def _weights(universes: Sequence[Universe], besides: str = "") -> np.ndarray:
    return np.array([weight(universe, besides) for universe in universes])


def _chosen(universes: Sequence[Universe]) -> dict[str, np.ndarray]:
    """The values of each dimension in the universes, as text."""
    return {name: np.array([written_value(each[name]) for each in universes]) for name in DIMENSIONS}


def question_tables(
    universes: Sequence[Universe], results: Results, table: Callable[[list[Universe], Results], pd.DataFrame]
) -> pd.DataFrame:
    """A table of each question's universes alone, one below the other, with a column ``question``."""
    tables = []
    for question in dict.fromkeys(universe["question"] for universe in universes):
        places = np.array([universe["question"] == question for universe in universes])
        own = [each for each, kept in zip(universes, places, strict=True) if kept]
        found = table(own, results.select(places))
        found.insert(0, "question", question)
        tables.append(found)
    return pd.concat(tables, ignore_index=True)


# Universes
# ---------


def universe_table(universes: Sequence[Universe], results: Results) -> pd.DataFrame:
    """A row per universe: its choices, and for each outcome the effect, its interval and the decision.

    ``undefined`` counts the undefined coefficients of its Table 2. The first row, ``own``, has the study's
    own settings; it has no weight and is not counted, and neither are those with one of `choices.CHECKS`.
    """
    found = _effects(universes, results.tables)
    decided = STATES[outcomes(found)]
    columns: dict[str, Any] = {
        "universe": ["own", *range(1, len(universes))],
        "weight": _weights(universes),
        **_chosen(universes),
        "members": [" ".join(universe["members"]) for universe in universes],
        "undefined": np.isnan(results.tables).sum(axis=(1, 2)),
    }
    for place, (claim, coefficient) in enumerate(OUTCOMES):
        name = f"{claim.name}_{coefficient}"
        columns |= {name: decided[:, place], f"{name}_effect": found[:, place]}
        columns |= {f"{name}_{end}": results.bounds[:, place, row] for row, end in enumerate(("low", "high"))}
    return pd.DataFrame(columns)


def all_tables(_: Sequence[Universe], results: Results) -> pd.DataFrame:
    """Table 2 of every universe, with columns universe, metric and the coefficients."""
    names = ["own", *range(1, len(results.tables))]
    index = pd.MultiIndex.from_product([names, METRICS], names=["universe", "metric"])
    values = results.tables.reshape(-1, len(CORRELATIONS))
    return pd.DataFrame(values, index=index, columns=list(CORRELATIONS)).reset_index()


# Claims
# ------


def claim_table(
    universes: Sequence[Universe], results: Results, published: np.ndarray | None, confidence: float = 95.0
) -> pd.DataFrame:
    """A row per claim and coefficient, with the share of the universes in which it holds.

    ``share`` is the weighted share, 0 to 1, among the universes that define it; ``low`` and ``high`` are its
    percentiles over resampled topics, with the same draws in all universes, ``low_both`` and ``high_both``
    those over resampled topics and systems. ``share_first`` and ``share_second`` are the shares on the halves
    of the topics, ``share_perfect`` and ``share_useless`` those if SERA were so (see
    `study.multiverse.universes`). ``share_misread`` is the share of universes and draws if recognition errs
    as measured, ``low_…`` and ``high_…`` the lowest and the highest share of a draw, and ``defined_…`` the
    share of universes and draws that define the claim. ``holds``, ``fails`` and ``undefined`` count
    universes. ``paper`` and ``own`` are the decisions by ``published``, the printed Table 2, (metric,
    coefficient), and by the study's own settings; without ``published``, as on synthetic data, there are no
    columns of the paper. If the true scores are known, ``true_share`` is the share by these, ``agreement``
    the share of universes that decide as their true scores do, and ``recovered`` whether the majority of
    universes decides as the truth; it is ``open`` if the truth itself differs between universes (its share is
    below `MOST` and above 1 - `MOST`).
    """
    weights = _weights(universes)
    kept = weights > 0
    found = _effects(universes, results.tables)
    decided = outcomes(found)
    shares = share(decided, weights)
    of_halves = share(outcomes(results.halves), weights)
    of_yardsticks = share(outcomes(results.yardsticks), weights)
    columns: dict[str, Any] = {
        "claim": [claim.name for claim, _ in OUTCOMES],
        "coefficient": [coefficient for _, coefficient in OUTCOMES],
        "section": [claim.section for claim, _ in OUTCOMES],
        "words": [claim.quote for claim, _ in OUTCOMES],
        "compared": [claim.compared for claim, _ in OUTCOMES],
    }
    if published is not None:
        of_paper = effects(published)
        columns |= {"paper": STATES[outcomes(of_paper)], "paper_effect": of_paper}
    columns |= {"own": STATES[decided[0]], "own_effect": found[0], "universes": int(kept.sum())}
    columns |= {state: (decided[kept] == code).sum(axis=0) for code, state in enumerate(STATES)}
    columns["share"] = shares
    for ending, drawn in (("", results.resampled), ("_both", results.resampled_both)):
        ends = percentile_intervals(share(drawn, weights), confidence)
        columns |= {f"low{ending}": ends[:, 0], f"high{ending}": ends[:, 1]}
    columns |= {"share_first": of_halves[0], "share_second": of_halves[1]}
    columns |= {f"share_{kind}": of_yardsticks[row] for row, kind in enumerate(YARDSTICKS)}
    columns |= _misread_shares(results, weights)
    columns |= {f"effect_{q}": [_percentile(of, q) for of in found[kept].T] for q in (5, 50, 95)}
    if not np.isnan(results.true).all():
        truth = outcomes(_effects(universes, results.true))
        true = share(truth, weights)
        both = (truth != UNDEFINED_OUTCOME) & (decided != UNDEFINED_OUTCOME)
        same = both & (truth == decided)
        agreement = [
            weights[of].sum() / weights[known].sum() for of, known in zip(same.T, both.T, strict=True)
        ]
        columns |= {"true_share": true, "agreement": agreement}
        agrees = np.where((true > 0.5) == (shares > 0.5), "yes", "no")
        columns["recovered"] = np.where((true >= MOST) | (true <= 1 - MOST), agrees, "open")
    return pd.DataFrame(columns)


def _misread_shares(results: Results, weights: np.ndarray) -> dict[str, np.ndarray]:
    """The columns of `claim_table` on misread nuggets, each (outcome,)."""
    decided = outcomes(results.misread)  # (universe, draw, outcome)
    of_draws = share(decided, weights)
    known = weights[:, None] * (decided != UNDEFINED_OUTCOME).mean(axis=1)
    together = decided.reshape(-1, decided.shape[-1])
    return {
        "share_misread": share(together, np.repeat(weights, decided.shape[1])),
        "low_misread": np.fmin.reduce(of_draws, axis=0),
        "high_misread": np.fmax.reduce(of_draws, axis=0),
        "defined_misread": known.sum(axis=0) / weights.sum(),
    }


# Choices
# -------


def choice_table(universes: Sequence[Universe], results: Results) -> pd.DataFrame:
    """A row per value of a dimension and outcome: the universes with the value, share and mean effect."""
    found = _effects(universes, results.tables)
    rows = []
    for name, values in _chosen(universes).items():
        weights = _weights(universes, name)
        for value in dict.fromkeys(values[weights > 0]):
            here = (values == value) & (weights > 0)
            shares = share(outcomes(found[here]), weights[here])
            for (claim, coefficient), of_share, of in zip(OUTCOMES, shares, found[here].T, strict=True):
                row = {"dimension": name, "value": value, "claim": claim.name, "coefficient": coefficient}
                row |= {"universes": len(of), "undefined": int(np.isnan(of).sum()), "share": of_share}
                rows.append({**row, "effect": _mean(of, weights[here])})
    return pd.DataFrame(rows)


def variance_table(universes: Sequence[Universe], results: Results) -> pd.DataFrame:
    """The share of an effect's variance over universes that each dimension explains by itself.

    ``explained`` is the variance between the means of the dimension's values, divided by the whole variance
    (eta squared). ``adjusted`` subtracts what values would explain by chance (epsilon squared; at least 0).
    The row ``interplay`` has the rest, from choices that act together and from the drawn systems.
    """
    weights, chosen = _weights(universes), _chosen(universes)
    rows = []
    for (claim, coefficient), values in zip(OUTCOMES, _effects(universes, results.tables).T, strict=True):
        there = (weights > 0) & ~np.isnan(values)
        of, w, count = values[there], weights[there], int(there.sum())
        mean = _mean(of, w)
        total, explained_in_all = (w * (of - mean) ** 2).sum() if count else 0.0, 0.0
        named = {"claim": claim.name, "coefficient": coefficient}
        for name, texts in chosen.items():
            groups = [texts[there] == value for value in dict.fromkeys(texts[there])]
            explained = adjusted = np.nan
            if total > 0 and count > len(groups):
                between = sum(w[g].sum() * (_mean(of[g], w[g]) - mean) ** 2 for g in groups)
                by_chance = (len(groups) - 1) * (total - between) / (count - len(groups))
                explained, adjusted = between / total, max(0.0, (between - by_chance) / total)
                explained_in_all += adjusted
            row = {**named, "dimension": name, "values": len(groups), "universes": count}
            rows.append({**row, "explained": explained, "adjusted": adjusted})
        row = {**named, "dimension": "interplay", "values": np.nan, "universes": count, "explained": np.nan}
        rows.append({**row, "adjusted": max(0.0, 1 - explained_in_all) if total > 0 else np.nan})
    return pd.DataFrame(rows)


# Systems
# -------


def influence_table(universes: Sequence[Universe], results: Results) -> pd.DataFrame:
    """The effect of leaving out a single system, at the system level.

    A row per system and coefficient has the number of universes with the system, the mean correlation of
    ROUGE's and of SERA's variants in these, and its change without the system: mean, 5th and 95th percentile.
    ``<family>_carried`` is the share of universes where the system carries the family's correlation: without
    it, a correlation above 0 more than halves or turns negative. ``decided_otherwise`` is the share where the
    decision on SERA above ROUGE changes.
    """
    rows = []
    at_system = (_weights(universes) > 0) & [universe["level"] == "system" for universe in universes]
    decided = outcomes(_effects(universes, results.tables))
    without_decided = outcomes(_effects(universes, results.without.astype(float)))
    for column, system in enumerate(results.systems):
        here = at_system & results.compared[:, column]
        for code, coefficient in enumerate(CORRELATIONS):
            row: dict[str, Any] = {"system": system, "coefficient": coefficient, "universes": int(here.sum())}
            for family, members in _FAMILIES.items():
                before = results.tables[here][:, members, code].mean(axis=1)
                after = results.without[here][:, column, members, code].astype(float).mean(axis=1)
                both = ~np.isnan(before) & ~np.isnan(after)
                before, after = before[both], after[both]
                change = after - before
                row |= {
                    f"{family}_universes": len(change),
                    f"{family}_with": _mean(before),
                    f"{family}_change": _mean(change),
                    f"{family}_change_5": _percentile(change, 5),
                    f"{family}_change_95": _percentile(change, 95),
                    f"{family}_carried": _mean(((before > 0) & (after < before / 2)).astype(float)),
                }
            place = outcome_number(HEADLINE, coefficient)
            one, other = decided[here, place], without_decided[here, column, place]
            both = (one != UNDEFINED_OUTCOME) & (other != UNDEFINED_OUTCOME)
            row["decided_otherwise"] = _mean((one != other)[both].astype(float))
            rows.append(row)
    return pd.DataFrame(rows)
