"""The answers of all universes of a given benchmark: shares of claims, and what each choice does to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np
import pandas as pd

from sera.evaluation.correlation.correlate import percentile_interval
from study.claims.files import Claim
from study.multiverse.answers import STATES, explained_by, share
from study.multiverse.given_texts import GIVEN_CHOICES, GivenUniverse
from study.multiverse.given_universes import GivenEffects
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
    decided = STATES[outcomes(found.effects)]
    columns = {}
    for place, claim in enumerate(claims):
        columns[claim.name] = decided[:, place]
        columns[f"{claim.name}_effect"] = found.effects[:, place]
        bounds = [percentile_interval(of, confidence) for of in found.resampled[:, :, place]]
        columns[f"{claim.name}_low"], columns[f"{claim.name}_high"] = np.array(bounds).T
    return pd.concat([table, pd.DataFrame(columns)], axis=1)


def given_claim_table(claims: Sequence[Claim], found: GivenEffects, confidence: float = 95.0) -> pd.DataFrame:
    """A row per claim: the share of universes in which it holds, among those that define it, 0 to 1.

    ``low`` and ``high`` are the share's percentiles over resampled topics, ``error`` its standard error for
    the number of drawn universes, ``verdict`` as `replication.verdict`, and ``effect_5``, ``effect_50`` and
    ``effect_95`` percentiles of the effect.
    """
    decided, weights = outcomes(found.effects), np.ones(len(found.effects))
    shares, drawn = share(decided, weights), share(outcomes(found.resampled), weights)
    rows = []
    for place, claim in enumerate(claims):
        counts = {state: int((decided[:, place] == code).sum()) for code, state in enumerate(STATES)}
        defined = counts["holds"] + counts["fails"]
        low, high = percentile_interval(drawn[:, place], confidence)
        effects = found.effects[~np.isnan(found.effects[:, place]), place]
        row = {
            "claim": claim.name,
            "words": claim.quote,
            "source": claim.source,
            "formula": claim.formula.text,
            "universes": len(decided),
            **counts,
            "share": shares[place],
            "low": low,
            "high": high,
            "error": np.sqrt(shares[place] * (1 - shares[place]) / defined) if defined else np.nan,
        }
        row["verdict"] = verdict(row)
        percentiles = np.percentile(effects, [5, 50, 95]) if len(effects) else [np.nan] * 3
        row |= dict(zip(("effect_5", "effect_50", "effect_95"), percentiles, strict=True))
        rows.append(
            {**row, "why_undefined": found.reasons.get(claim.name, "") if counts["undefined"] else ""}
        )
    return pd.DataFrame(rows)


def given_choice_table(
    universes: Sequence[GivenUniverse], claims: Sequence[Claim], found: GivenEffects
) -> pd.DataFrame:
    """A row per claim and value of a choice: the universes with the value, share and mean effect.

    The choices ``left_out`` and ``judge`` have each system that is left out, and each single judge.
    """
    decided = outcomes(found.effects)
    rows = []
    for place, claim in enumerate(claims):
        for name in (*GIVEN_CHOICES, "left_out", "judge"):
            of = np.array([getattr(each, name) for each in universes])
            for value in sorted(set(of) - {""}):
                here = of == value
                effects = found.effects[here, place]
                defined = effects[~np.isnan(effects)]
                rows.append(
                    {
                        "claim": claim.name,
                        "choice": name,
                        "value": value,
                        "universes": int(here.sum()),
                        "undefined": int(np.isnan(effects).sum()),
                        "share": share(decided[here, place], np.ones(here.sum())),
                        "effect": defined.mean() if len(defined) else np.nan,
                    }
                )
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
