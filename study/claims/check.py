"""The sentences of claims, checked against one table of coefficients: the paper's own, or that of any study.

`TABLE_CLAIMS` has the paper's sentences on Table 3, on Figure 1 and more on Table 2;
`study.claims.multiverse` has those on Table 2 that the multiverse decides.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from sera.evaluation.correlation.coefficients import CORRELATIONS
from sera.evaluation.correlation.correlate import WHY
from study.claims.files import EFFECT_DIGITS, MORE_CLAIMS, Claim, effect_or_reason, shipped_claims
from study.claims.formulas import AbsentScores, CoefficientTable

CLAIM_COLUMNS = ["claim", "section", "coefficient", "effect", "verdict", WHY, "words", "compared"]

TABLE_CLAIMS = shipped_claims(MORE_CLAIMS)


def check_claims(
    table: pd.DataFrame, judgement: str = "Pyramid", claims: Sequence[Claim] = TABLE_CLAIMS
) -> pd.DataFrame:
    """Check each of ``claims`` by each of its coefficients, with `CLAIM_COLUMNS`.

    ``table`` has the columns metric, against, pearson, spearman and kendall, a row for each pair: the
    published tables, or ``correlations.tsv`` of a study. ``judgement`` takes Pyramid's place. ``verdict`` is
    "holds", "fails" or "undefined"; ``why_undefined`` then names the correlation that is not there. A tie is
    no difference, so it does not fulfil a sentence.
    """
    of_coefficients = {name: _table(table, name, judgement) for name in CORRELATIONS}
    undefined = "a correlation is undefined, or has no cut-offs to compare"
    rows = []
    for claim in claims:
        for coefficient in claim.coefficients:
            effect, why = effect_or_reason(claim, of_coefficients[coefficient], undefined)
            effect = np.round(effect, EFFECT_DIGITS).item()
            verdict = "undefined" if why else "holds" if effect > 0 else "fails"
            rows.append(
                (claim.name, claim.section, coefficient, effect, verdict, why, claim.quote, claim.compared)
            )
    return pd.DataFrame(rows, columns=CLAIM_COLUMNS)


def _table(table: pd.DataFrame, coefficient: str, judgement: str) -> CoefficientTable:
    """The values of one coefficient as a formula reads them."""
    pairs = zip(table["metric"], table["against"], strict=True)
    values = dict(zip(pairs, table[coefficient].astype(float), strict=True))

    def value(metric: str, other: str | None) -> float:
        pair = metric, other or judgement
        if pair not in values:
            raise AbsentScores(f"there is no correlation of {metric} with {pair[1]}")
        return values[pair]

    return CoefficientTable(value, [metric for metric, other in values if other == judgement])


def beside_the_papers(ours: pd.DataFrame, papers: pd.DataFrame) -> pd.DataFrame:
    """Two tables of `check_claims`, the second one of the published tables.

    Its effect and verdict are the columns effect_paper and verdict_paper.
    """
    columns = ["claim", "section", "coefficient", "effect", "effect_paper", "verdict", "verdict_paper"]
    printed = papers[["claim", "coefficient", "effect", "verdict"]]
    joined = ours.merge(printed, on=["claim", "coefficient"], suffixes=("", "_paper"), validate="1:1")
    return joined[[*columns, WHY, "words", "compared"]]
