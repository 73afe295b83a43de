"""The specification curve of a claim over the universes of a given benchmark."""

from __future__ import annotations

import textwrap

import pandas as pd
from matplotlib.figure import Figure

from study.claims.files import Claim
from study.multiverse.figures import CurveWords, curve_of
from study.multiverse.given_texts import GIVEN_CHOICES


def given_curve(universes: pd.DataFrame, claim: Claim, confidence: float = 95) -> Figure:
    """Draw all universes sorted by the effect of a claim, above the choices of each.

    ``universes`` is a result of `given_answers.given_universe_table`.
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
