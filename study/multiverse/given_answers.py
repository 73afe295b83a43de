"""The answers of all universes of given summaries: shares of claims, and what each choice does to them."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from sera.evaluation.correlation.correlate import percentile_interval, percentile_intervals
from study.claims.files import Claim
from study.multiverse.answers import (
    counted,
    decided_columns,
    explained_by,
    of_value,
    percentile_columns,
    share,
)
from study.multiverse.figures import CurveWords, curve_of
from study.multiverse.given import GIVEN_CHOICES, GivenEffects, GivenUniverse
from study.multiverse.page import verdict
from study.multiverse.universes import outcomes


def given_universe_table(
    universes: Sequence[GivenUniverse], claims: Sequence[Claim], found: GivenEffects, confidence: float = 95.0
) -> pd.DataFrame:
    """A row per universe: its choices, and for each claim the decision, the effect and its interval.

    The interval is over the resampled topics that define the effect.
    """
    table = pd.DataFrame([asdict(each) for each in universes])
    table.insert(0, "universe", range(1, len(universes) + 1))
    bounds = np.stack([percentile_intervals(of, confidence) for of in found.resampled])
    decided = decided_columns([claim.name for claim in claims], found.effects, bounds)
    return pd.concat([table, decided], axis=1)


def given_claim_table(claims: Sequence[Claim], found: GivenEffects, confidence: float = 95.0) -> pd.DataFrame:
    """A row per claim: the share of universes in which it holds, among those that define it, 0 to 1.

    ``low`` and ``high`` are the share's percentiles over resampled topics, ``error`` its standard error for
    the number of drawn universes, ``verdict`` as `page.verdict`, and ``effect_5``, ``effect_50`` and
    ``effect_95`` percentiles of the effect.
    """
    decided, weights = outcomes(found.effects), np.ones(len(found.effects))
    shares, drawn = share(decided, weights), share(outcomes(found.resampled), weights)
    rows = []
    for place, claim in enumerate(claims):
        counts, of = counted(decided[:, place]), shares[place]
        defined = counts["universes"] - counts["undefined"]
        low, high = percentile_interval(drawn[:, place], confidence)
        row: dict[str, Any] = {
            "claim": claim.name,
            "words": claim.quote,
            "source": claim.source,
            "formula": claim.formula.text,
        }
        row |= {**counts, "share": of, "low": low, "high": high}
        row["error"] = np.sqrt(of * (1 - of) / defined) if defined else np.nan
        row |= {"verdict": verdict(row), **percentile_columns(found.effects[:, place])}
        row["why_undefined"] = found.reasons.get(claim.name, "") if counts["undefined"] else ""
        rows.append(row)
    return pd.DataFrame(rows)


def given_choice_table(
    universes: Sequence[GivenUniverse], claims: Sequence[Claim], found: GivenEffects
) -> pd.DataFrame:
    """A row per claim and value of a choice: the universes with the value, share and mean effect.

    The choices ``left_out`` and ``judge`` have each system that is left out, and each single judge.
    """
    rows = []
    for place, claim in enumerate(claims):
        for name in (*GIVEN_CHOICES, "left_out", "judge"):
            of = np.array([getattr(each, name) for each in universes])
            for value in sorted(set(of) - {""}):
                effects = found.effects[of == value, place : place + 1]
                (row,) = of_value(effects, np.ones(len(effects)))
                rows.append({"claim": claim.name, "choice": name, "value": value, **row})
    return pd.DataFrame(rows)


def given_variance_table(
    universes: Sequence[GivenUniverse], claims: Sequence[Claim], found: GivenEffects
) -> pd.DataFrame:
    """The share of an effect's variance that each choice explains by itself, as `answers.variance_table`."""
    chosen = {name: np.array([getattr(each, name) for each in universes]) for name in GIVEN_CHOICES}
    rows: list[dict[str, object]] = []
    for place, claim in enumerate(claims):
        there = ~np.isnan(found.effects[:, place])
        values = {name: of[there] for name, of in chosen.items()}
        explained = explained_by(found.effects[there, place], np.ones(there.sum()), values)
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
