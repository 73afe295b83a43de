"""The sentences of claims, checked against a table of coefficients, or against scores and their resamples.

`study.claims.sentences` has the sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pandas as pd

from sera.evaluation.coefficients import COEFFICIENTS, CORRELATIONS
from sera.evaluation.correlate import WHY, Bootstrap, Scores, correlation, pair_scores
from study.claims.claim import EFFECT_DIGITS, AbsentScores, Claim, CoefficientTable
from study.claims.sentences import MORE_CLAIMS

CLAIM_COLUMNS = ["claim", "section", "coefficient", "effect", "verdict", WHY, "words", "compared"]


def check_claims(
    table: pd.DataFrame, judgement: str = "Pyramid", claims: Sequence[Claim] = MORE_CLAIMS
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
            effect, why = claim.effect_or_reason(of_coefficients[coefficient], undefined)
            effect = np.round(effect, EFFECT_DIGITS).item()
            verdict = "undefined" if why else "holds" if effect > 0 else "fails"
            rows.append(
                (claim.name, claim.section, coefficient, effect, verdict, why, claim.quote, claim.compared)
            )
    return pd.DataFrame(rows, columns=CLAIM_COLUMNS)


def _table(table: pd.DataFrame, coefficient: str, judgement: str) -> CoefficientTable:
    """The values of one coefficient as a claim reads them."""
    pairs = zip(table["metric"], table["against"], strict=True)
    values = dict(zip(pairs, table[coefficient].astype(float), strict=True))

    def value(metric: str, other: str | None) -> float:
        pair = metric, other or judgement
        if pair not in values:
            raise AbsentScores(f"there is no correlation of {metric} with {pair[1]}")
        return values[pair]

    return CoefficientTable(value, [metric for metric, other in values if other == judgement])


def compare_with_paper(ours: pd.DataFrame, papers: pd.DataFrame) -> pd.DataFrame:
    """Two tables of `check_claims`, the second one of the published tables.

    Its effect and verdict are the columns effect_paper and verdict_paper.
    """
    columns = ["claim", "section", "coefficient", "effect", "effect_paper", "verdict", "verdict_paper"]
    printed = papers[["claim", "coefficient", "effect", "verdict"]]
    joined = ours.merge(printed, on=["claim", "coefficient"], suffixes=("", "_paper"), validate="1:1")
    return joined[[*columns, WHY, "words", "compared"]]


def judged_scores(scores: Scores, judgement: str) -> Scores:
    """The scores of the judged systems, on the topics with at least one judgement."""
    judged = scores.keep_judged(judgement)
    known = ~np.isnan(judged.metric(judgement)).all(axis=1)
    return judged.keep_topics([topic for topic, kept in zip(judged.topics, known, strict=True) if kept])


class ResampledCoefficients:
    """The coefficients of metrics with a judgement at a level, and those of the resamples of a bootstrap.

    Each pair of metrics is correlated once, for all claims.
    """

    def __init__(self, scores: Scores, judgement: str, level: str, bootstrap: Bootstrap) -> None:
        self.level = level

        @cache
        def of_pair(metric: str, other: str | None) -> tuple[np.ndarray, np.ndarray]:
            pair = metric, other or judgement
            for name in pair:
                if name not in scores.metrics:
                    raise AbsentScores(f"there are no scores by {name}")
            x, y = pair_scores(scores, *pair, level)
            topics, systems = bootstrap.draw_topics(len(x)), bootstrap.draw_systems(x.shape[1])
            return correlation(x, y, level), correlation(x, y, level, topics=topics, systems=systems)

        self._of_pair = of_pair

    def effect(
        self,
        claim: Claim,
        coefficient: str,
        metrics: Sequence[str],
        side: str = "all",
        present_only: bool = False,
    ) -> tuple[float, np.ndarray, str]:
        """A claim's effect, its effects on the resamples, and why it is undefined.

        ``metrics`` are those of the table; for ``present_only`` see `CoefficientTable`. An undefined effect
        is NaN, without effects on resamples.
        """
        at = COEFFICIENTS.index(coefficient)
        own = CoefficientTable(lambda *pair: self._of_pair(*pair)[0][at], metrics, side, present_only)
        drawn = CoefficientTable(lambda *pair: self._of_pair(*pair)[1][:, at], metrics, side, present_only)
        effect, why = claim.effect_or_reason(own, "a correlation is undefined")
        return float(effect), np.zeros(0) if why else claim.effect(drawn), why
