"""The sentences of `study.claims.sentences`, checked against a table of coefficients."""

from __future__ import annotations

import numpy as np
import pandas as pd

from sera.evaluation.correlate import WHY
from study.claims.sentences import EFFECT_DIGITS, MORE_CLAIMS, CoefficientTable

CLAIM_COLUMNS = ["claim", "section", "coefficient", "effect", "verdict", WHY, "words", "compared"]
_PAIR = ["metric", "against"]


def check_claims(table: pd.DataFrame, judgement: str = "Pyramid") -> pd.DataFrame:
    """Check each of `MORE_CLAIMS` by each of its coefficients, with `CLAIM_COLUMNS`.

    ``table`` has the columns metric, against, pearson, spearman and kendall, a row for each pair: the
    published tables, or ``correlations.tsv`` of a study. ``judgement`` takes Pyramid's place. ``verdict`` is
    "holds", "fails" or "undefined"; ``why_undefined`` then names the correlation that is not there. A tie is
    no difference, so it does not fulfil a sentence.
    """
    pairs = [(metric, "" if other == judgement else other) for metric, other in table[_PAIR].to_numpy()]
    rows = []
    for claim in MORE_CLAIMS:
        for coefficient in claim.coefficients:
            values = dict(zip(pairs, table[coefficient].astype(float), strict=True))
            effect, why = np.nan, "a correlation is undefined, or has no cut-offs to compare"
            try:
                effect = np.round(claim.effect(CoefficientTable(values)), EFFECT_DIGITS).item()
            except KeyError as error:
                metric, other = error.args[0]
                why = f"there is no correlation of {metric} with {other or judgement}"
            verdict = "undefined" if np.isnan(effect) else "holds" if effect > 0 else "fails"
            why = why if verdict == "undefined" else ""
            key = claim.name, claim.section, coefficient
            rows.append((*key, effect, verdict, why, claim.quote, claim.compared))
    return pd.DataFrame(rows, columns=CLAIM_COLUMNS)


def compare_with_paper(ours: pd.DataFrame, papers: pd.DataFrame) -> pd.DataFrame:
    """Two tables of `check_claims`, the second one of the published tables.

    Its effect and verdict are the columns effect_paper and verdict_paper.
    """
    columns = ["claim", "section", "coefficient", "effect", "effect_paper", "verdict", "verdict_paper"]
    paper_columns = papers[["claim", "coefficient", "effect", "verdict"]]
    table = ours.merge(paper_columns, on=["claim", "coefficient"], suffixes=("", "_paper"), validate="1:1")
    return table[[*columns, WHY, "words", "compared"]]
