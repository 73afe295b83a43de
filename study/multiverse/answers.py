"""The answers of all universes together: one table per question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from sera.evaluation.bootstrap import percentile_intervals
from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.tables import TEXTS, read_tsv
from study.claims.multiverse import METRICS, MOST, OUTCOMES, effects
from study.claims.sentences import Claim
from study.multiverse.choices import DIMENSIONS, Universe, weight, written_value
from study.multiverse.universes import UNDEFINED_OUTCOME, YARDSTICKS, Results, outcomes

STATES = np.array(["fails", "holds", "undefined"])
_NAMED = {
    "claim": [claim.name for claim, _ in OUTCOMES],
    "coefficient": [coefficient for _, coefficient in OUTCOMES],
}
_TEXTS = {
    *(*TEXTS, *DIMENSIONS, *(f"{claim.name}_{coefficient}" for claim, coefficient in OUTCOMES)),
    *("question", "universe", "members", "value", "dimension"),
    *("claim", "section", "words", "compared", "paper", "own", "recovered"),
}


def read_answer(path: str | PathLike[str]) -> pd.DataFrame:
    """Read a table of answers; values of dimensions stay text. InputError as in `tables.read_tsv`."""
    return read_tsv(path, texts=_TEXTS)


def share(decided: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The weighted share of universes (the first axis) in which a claim holds, among those that define it."""
    weights = weights.reshape(-1, *[1] * (decided.ndim - 1))
    with np.errstate(invalid="ignore"):
        return (weights * (decided == 1)).sum(axis=0) / (weights * (decided != UNDEFINED_OUTCOME)).sum(axis=0)


def _means(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The weighted means over universes of the effects that are not NaN, (outcome,); NaN if all are."""
    with np.errstate(invalid="ignore"):
        return np.nansum(weights[:, None] * values, axis=0) / (weights @ ~np.isnan(values))


def _effects(universes: Sequence[Universe], tables: np.ndarray) -> np.ndarray:
    return effects(tables, [universe["rouge_side"] for universe in universes])


def _weights(universes: Sequence[Universe], dimension: str = "") -> np.ndarray:
    return np.array([weight(universe, dimension) for universe in universes])


def _choice_texts(universes: Sequence[Universe]) -> pd.DataFrame:
    """The values of each dimension, a column, in the universes, as text."""
    return pd.DataFrame([{name: written_value(each[name]) for name in DIMENSIONS} for each in universes])


def question_tables(
    universes: Sequence[Universe], results: Results, table: Callable[[list[Universe], Results], pd.DataFrame]
) -> pd.DataFrame:
    """A table of each question's universes alone, one below the other, with a column ``question``."""
    tables = {}
    for question in dict.fromkeys(universe["question"] for universe in universes):
        places = np.array([universe["question"] == question for universe in universes])
        own = [universe for universe in universes if universe["question"] == question]
        tables[question] = table(own, Results(*(values[places] for values in results)))
    return pd.concat(tables, names=["question"]).reset_index(level=0).reset_index(drop=True)


# Universes


def universe_table(universes: Sequence[Universe], results: Results) -> pd.DataFrame:
    """A row per universe: its choices, and for each outcome the effect, its interval and the decision.

    ``undefined`` counts the undefined coefficients of its Table 2. The first row, ``own``, has the study's
    own settings; it has no weight and is not counted, and neither are those with one of `choices.CHECKS`.
    """
    effect_values = _effects(universes, results.tables)
    states = STATES[outcomes(effect_values)]
    columns: dict[str, Any] = {
        "universe": ["own", *range(1, len(universes))],
        "weight": _weights(universes),
        **_choice_texts(universes),
        "members": [" ".join(universe["members"]) for universe in universes],
        "undefined": np.isnan(results.tables).sum(axis=(1, 2)),
    }
    for place, (claim, coefficient) in enumerate(OUTCOMES):
        name = f"{claim.name}_{coefficient}"
        columns |= {name: states[:, place], f"{name}_effect": effect_values[:, place]}
        columns |= {f"{name}_{end}": results.bounds[:, place, row] for row, end in enumerate(("low", "high"))}
    return pd.DataFrame(columns)


def all_tables(_: Sequence[Universe], results: Results) -> pd.DataFrame:
    """Table 2 of every universe, with columns universe, metric and the coefficients."""
    names = ["own", *range(1, len(results.tables))]
    index = pd.MultiIndex.from_product([names, METRICS], names=["universe", "metric"])
    values = results.tables.reshape(-1, len(CORRELATIONS))
    return pd.DataFrame(values, index=index, columns=list(CORRELATIONS)).reset_index()


# Claims


def claim_table(
    universes: Sequence[Universe], results: Results, published: np.ndarray | None, confidence: float = 95.0
) -> pd.DataFrame:
    """A row per claim and coefficient, with the share of the universes in which it holds.

    Shares are weighted, 0 to 1, among the universes that define the claim. ``low`` and ``high`` are
    percentiles over resampled topics, ``…_both`` over topics and systems; ``share_…`` are those on halves of
    the topics, of yardsticks (`study.multiverse.universes`) and of misread nuggets, with the lowest and the
    highest of a draw. ``published`` is the printed Table 2, (metric, coefficient), or None on synthetic data.
    If the true scores are known, ``true_share`` is the share by these, ``agreement`` the share of universes
    that decide as their true scores do, and ``recovered`` whether the majority does; it is ``open`` if the
    truth itself differs between universes (its share is below `MOST` and above 1 - `MOST`).
    """
    weights = _weights(universes)
    counts = weights > 0
    effect_values = _effects(universes, results.tables)
    decisions = outcomes(effect_values)
    shares = share(decisions, weights)
    columns: dict[str, Any] = dict(_NAMED)
    for name, attribute in (("section", "section"), ("words", "quote"), ("compared", "compared")):
        columns[name] = [getattr(claim, attribute) for claim, _ in OUTCOMES]
    if published is not None:
        paper_effects = effects(published)
        columns |= {"paper": STATES[outcomes(paper_effects)], "paper_effect": paper_effects}
    columns |= {"own": STATES[decisions[0]], "own_effect": effect_values[0], "universes": int(counts.sum())}
    columns |= {state: (decisions[counts] == code).sum(axis=0) for code, state in enumerate(STATES)}
    columns["share"] = shares
    for ending, resamples in (("", results.resampled), ("_both", results.resampled_both)):
        ends = percentile_intervals(share(resamples, weights), confidence)
        columns |= {f"low{ending}": ends[:, 0], f"high{ending}": ends[:, 1]}
    part_shares = np.concatenate(
        [share(outcomes(values), weights) for values in (results.halves, results.yardsticks)]
    )
    parts = ("first", "second", *YARDSTICKS)
    columns |= {f"share_{part}": values for part, values in zip(parts, part_shares, strict=True)}
    columns |= _misread_shares(results, weights)
    columns |= {f"effect_{q}": pd.DataFrame(effect_values[counts]).quantile(q / 100) for q in (5, 50, 95)}
    if not np.isnan(results.true).all():
        truth = outcomes(_effects(universes, results.true))
        true = share(truth, weights)
        both = (truth != UNDEFINED_OUTCOME) & (decisions != UNDEFINED_OUTCOME)
        same = both & (truth == decisions)
        columns |= {"true_share": true, "agreement": (weights @ same) / (weights @ both)}
        agrees = np.where((true > 0.5) == (shares > 0.5), "yes", "no")
        columns["recovered"] = np.where((true >= MOST) | (true <= 1 - MOST), agrees, "open")
    return pd.DataFrame(columns)


def _misread_shares(results: Results, weights: np.ndarray) -> dict[str, np.ndarray]:
    """The columns of `claim_table` on misread nuggets, each (outcome,)."""
    decisions = outcomes(results.misread)  # (universe, draw, outcome)
    draw_shares = share(decisions, weights)
    defined_weights = weights[:, None] * (decisions != UNDEFINED_OUTCOME).mean(axis=1)
    together = decisions.reshape(-1, decisions.shape[-1])
    return {
        "share_misread": share(together, np.repeat(weights, decisions.shape[1])),
        "low_misread": np.fmin.reduce(draw_shares, axis=0),
        "high_misread": np.fmax.reduce(draw_shares, axis=0),
        "defined_misread": defined_weights.sum(axis=0) / weights.sum(),
    }


# Choices


def choice_table(universes: Sequence[Universe], results: Results) -> pd.DataFrame:
    """A row per value of a dimension and outcome: the universes with the value, share and mean effect."""
    effect_values = _effects(universes, results.tables)
    decisions = outcomes(effect_values)
    tables = []
    for name, values in _choice_texts(universes).items():
        weights = _weights(universes, str(name))
        for value in values[weights > 0].unique():
            here = (values == value).to_numpy() & (weights > 0)
            columns = {"dimension": name, "value": value, **_NAMED, "universes": here.sum()}
            columns["undefined"] = np.isnan(effect_values[here]).sum(axis=0)
            columns["share"] = share(decisions[here], weights[here])
            tables.append(pd.DataFrame({**columns, "effect": _means(effect_values[here], weights[here])}))
    return pd.concat(tables, ignore_index=True)


def variance_table(universes: pd.DataFrame, measured: Sequence[tuple[Claim, str]] = OUTCOMES) -> pd.DataFrame:
    """The share of an effect's variance over universes that each dimension explains by itself.

    ``universes`` is a `universe_table` with its questions. ``explained`` is eta squared, ``adjusted`` epsilon
    squared, at least 0: without what values would explain by chance. The row ``interplay`` has the rest, from
    choices together and from the drawn systems.
    """
    rows = []
    for (claim, coefficient), (question, table) in product(
        measured, universes[universes["weight"] > 0].groupby("question", sort=False)
    ):
        table = table[table[f"{claim.name}_{coefficient}_effect"].notna()]
        w, values = table["weight"].to_numpy(), table[f"{claim.name}_{coefficient}_effect"].to_numpy()
        values = values - np.average(values, weights=w) if len(values) else values
        total, rest = float(w @ values**2), 1.0
        key = {"question": question, "claim": claim.name, "coefficient": coefficient, "universes": len(table)}
        for name in DIMENSIONS:
            groups = pd.DataFrame({"w": w, "sum": w * values}).groupby(table[name].to_numpy()).sum()
            eta = epsilon = np.nan
            if total > 0 and len(table) > len(groups):
                group_squares = (groups["sum"] ** 2 / groups["w"]).sum()
                chance_squares = (len(groups) - 1) * (total - group_squares) / (len(table) - len(groups))
                eta, epsilon = group_squares / total, max(0.0, (group_squares - chance_squares) / total)
                rest -= epsilon
            rows.append(
                {**key, "dimension": name, "values": len(groups), "explained": eta, "adjusted": epsilon}
            )
        rows.append({**key, "dimension": "interplay", "adjusted": max(0.0, rest) if total > 0 else np.nan})
    return pd.DataFrame(rows)
