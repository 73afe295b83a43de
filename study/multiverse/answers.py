"""The answers of all universes together: one table per question."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.correlate import percentile_interval
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


def decided_columns(names: Sequence[str], found: np.ndarray, bounds: np.ndarray) -> pd.DataFrame:
    """A row per universe: for each outcome the decision, the effect and the two ends of its interval.

    ``found`` has the effects, (universe, outcome), and ``bounds`` their intervals, (universe, outcome, 2).
    """
    columns: dict[str, np.ndarray] = {}
    decided = STATES[outcomes(found)]
    for place, name in enumerate(names):
        columns |= {name: decided[:, place], f"{name}_effect": found[:, place]}
        columns |= {f"{name}_low": bounds[:, place, 0], f"{name}_high": bounds[:, place, 1]}
    return pd.DataFrame(columns)


def counted(decided: np.ndarray) -> dict[str, int]:
    """The number of universes, and of those in which a claim holds, fails and is undefined."""
    states = {state: int((decided == code).sum()) for code, state in enumerate(STATES)}
    return {"universes": len(decided), **states}


def percentile_columns(effects: np.ndarray) -> dict[str, float]:
    """Percentiles of the effects that are not NaN; NaN if all are."""
    known = effects[~np.isnan(effects)]
    return {f"effect_{percent}": _percentile(known, percent) for percent in (5, 50, 95)}


def _mean(values: np.ndarray) -> float:
    return values.mean() if len(values) else np.nan


def _percentile(values: np.ndarray, percent: float) -> float:
    return float(np.percentile(values, percent)) if len(values) else np.nan


def of_value(found: np.ndarray, weights: np.ndarray) -> list[dict[str, Any]]:
    """The universes with one value of a choice, for each outcome: their number, share and mean effect.

    ``found`` has their effects, (universe, outcome).
    """
    shares = share(outcomes(found), weights)
    return [
        {
            "universes": len(found),
            "undefined": int(np.isnan(found[:, place]).sum()),
            "share": shares[place],
            "effect": _weighted_mean(found[:, place], weights),
        }
        for place in range(found.shape[1])
    ]


def _effects(universes: Sequence[Universe], tables: np.ndarray) -> np.ndarray:
    """The claims' effects of tables, each by the universe's side of ROUGE, (universe, ..., outcome)."""
    return effects(tables, [universe["rouge_side"] for universe in universes])


def _weights(universes: Sequence[Universe], besides: str = "") -> np.ndarray:
    return np.array([weight(universe, besides) for universe in universes])


def by_question(
    universes: Sequence[Universe], results: Results, table: Callable[[list[Universe], Results], pd.DataFrame]
) -> pd.DataFrame:
    """A table of each question's universes alone, one below the other, with a column ``question``."""
    tables = []
    for question in dict.fromkeys(universe["question"] for universe in universes):
        places = np.array([universe["question"] == question for universe in universes])
        of = table([each for each, kept in zip(universes, places, strict=True) if kept], results.of(places))
        tables.append(of.assign(question=question)[["question", *of.columns]])
    return pd.concat(tables, ignore_index=True)


# Universes
# ---------


def universe_table(universes: Sequence[Universe], results: Results) -> pd.DataFrame:
    """A row per universe: its choices, and for each outcome the effect, its interval and the decision.

    ``undefined`` counts the undefined coefficients of its Table 2. The first row, ``own``, has the study's
    own settings; it has no weight and is not counted, and neither are those with one of `choices.CHECKS`.
    """
    columns: dict[str, Any] = {
        "universe": ["own", *range(1, len(universes))],
        "weight": _weights(universes),
        **{name: [written_value(universe[name]) for universe in universes] for name in DIMENSIONS},
        "members": [" ".join(universe["members"]) for universe in universes],
        "undefined": np.isnan(results.tables).sum(axis=(1, 2)),
    }
    names = [f"{claim.name}_{coefficient}" for claim, coefficient in OUTCOMES]
    decided = decided_columns(names, _effects(universes, results.tables), results.bounds)
    return pd.concat([pd.DataFrame(columns), decided], axis=1)


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
    found = _effects(universes, results.tables)
    decided = outcomes(found)
    shares = share(decided, weights)
    drawn, drawn_both = share(results.resampled, weights), share(results.resampled_both, weights)
    of_halves = share(outcomes(results.halves), weights)
    of_yardsticks = share(outcomes(results.yardsticks), weights)
    of_misread = _misread_shares(results, weights)
    of_paper = None if published is None else effects(published)
    truth = outcomes(_effects(universes, results.true))
    true_shares = share(truth, weights)
    rows = []
    for place, (claim, coefficient) in enumerate(OUTCOMES):
        row: dict[str, Any] = {"claim": claim.name, "coefficient": coefficient, "section": claim.section}
        row |= {"words": claim.quote, "compared": claim.compared}
        if of_paper is not None:
            row |= {"paper": STATES[outcomes(of_paper[place])], "paper_effect": of_paper[place]}
        row |= {"own": STATES[decided[0, place]], "own_effect": found[0, place]}
        row |= {**counted(decided[weights > 0, place]), "share": shares[place]}
        row["low"], row["high"] = percentile_interval(drawn[:, place], confidence)
        row["low_both"], row["high_both"] = percentile_interval(drawn_both[:, place], confidence)
        row |= {
            "share_first": of_halves[0, place],
            "share_second": of_halves[1, place],
            **{f"share_{kind}": of_yardsticks[row, place] for row, kind in enumerate(YARDSTICKS)},
            **{name: of_outcomes[place] for name, of_outcomes in of_misread.items()},
            **percentile_columns(found[weights > 0, place]),
        }
        if not np.isnan(results.true).all():
            both = (truth[:, place] != UNDEFINED_OUTCOME) & (decided[:, place] != UNDEFINED_OUTCOME)
            same = both & (truth[:, place] == decided[:, place])
            true = true_shares[place]
            clear = true >= MOST or true <= 1 - MOST
            with np.errstate(invalid="ignore"):
                row |= {"true_share": true, "agreement": weights[same].sum() / weights[both].sum()}
            agrees = "yes" if (true > 0.5) == (shares[place] > 0.5) else "no"
            row["recovered"] = agrees if clear else "open"
        rows.append(row)
    return pd.DataFrame(rows)


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
    for name in DIMENSIONS:
        weights = _weights(universes, name)
        of = np.array([written_value(universe[name]) for universe in universes])
        for value in dict.fromkeys(of[weights > 0]):
            here = (of == value) & (weights > 0)
            for (claim, coefficient), row in zip(OUTCOMES, of_value(found[here], weights[here]), strict=True):
                chosen = {"dimension": name, "value": value, "claim": claim.name, "coefficient": coefficient}
                rows.append({**chosen, **row})
    return pd.DataFrame(rows)


def variance_table(universes: Sequence[Universe], results: Results) -> pd.DataFrame:
    """The share of an effect's variance over universes that each dimension explains by itself.

    ``explained`` is the variance between the means of the dimension's values, divided by the whole variance
    (eta squared). ``adjusted`` subtracts what values would explain by chance (epsilon squared; at least 0).
    The row ``interplay`` has the rest, from choices that act together and from the drawn systems.
    """
    weights = _weights(universes)
    found = _effects(universes, results.tables)
    chosen = {
        name: np.array([written_value(universe[name]) for universe in universes]) for name in DIMENSIONS
    }
    rows: list[dict[str, Any]] = []
    for place, (claim, coefficient) in enumerate(OUTCOMES):
        there = (weights > 0) & ~np.isnan(found[:, place])
        of = {name: values[there] for name, values in chosen.items()}
        named = {"claim": claim.name, "coefficient": coefficient}
        rows += [{**named, **row} for row in explained_by(found[there, place], weights[there], of)]
    return pd.DataFrame(rows)


def explained_by(values: np.ndarray, w: np.ndarray, chosen: Mapping[str, np.ndarray]) -> list[dict[str, Any]]:
    """The rows of `variance_table` for one effect, its weights ``w`` and each choice, all (universe,)."""
    rows, count = [], len(values)
    mean = _weighted_mean(values, w)
    total = (w * (values - mean) ** 2).sum() if count else 0.0
    adjusted_sum = 0.0
    for name, of in chosen.items():
        groups = [of == value for value in dict.fromkeys(of)]
        explained = adjusted = np.nan
        if total > 0 and count > len(groups):
            between = sum(w[g].sum() * (_weighted_mean(values[g], w[g]) - mean) ** 2 for g in groups)
            by_chance = (len(groups) - 1) * (total - between) / (count - len(groups))
            explained, adjusted = between / total, max(0.0, (between - by_chance) / total)
            adjusted_sum += adjusted
        row = {"dimension": name, "values": len(groups), "universes": count}
        rows.append({**row, "explained": explained, "adjusted": adjusted})
    rest = max(0.0, 1 - adjusted_sum) if total > 0 else np.nan
    row = {"dimension": "interplay", "values": np.nan, "universes": count}
    return [*rows, {**row, "explained": np.nan, "adjusted": rest}]


def _weighted_mean(values: np.ndarray, weights: np.ndarray) -> float:
    there = ~np.isnan(values)
    return float(np.average(values[there], weights=weights[there])) if weights[there].sum() > 0 else np.nan


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
                    f"{family}_carried": _mean((before > 0) & (after < before / 2)),
                }
            place = outcome_number(HEADLINE, coefficient)
            one, other = decided[here, place], without_decided[here, column, place]
            both = (one != UNDEFINED_OUTCOME) & (other != UNDEFINED_OUTCOME)
            row["decided_otherwise"] = _mean((one != other)[both])
            rows.append(row)
    return pd.DataFrame(rows)
