"""What the matrix says of the paper's claim, in sentences: is SERA ahead of ROUGE on other benchmarks?"""

from __future__ import annotations

import pandas as pd

from study.matrix.column import OWN_REFERENCES
from study.matrix.selection import of_foremost
from study.published.tables import PAPERS_BENCHMARK

FIRST_CLAIM = "sera_above_rouge"
"""The mean of SERA's variants in Table 2 less the mean of ROUGE's."""

STANDS = ("ahead", "behind", "open", "undefined")
_WORDS = {
    "ahead": "ahead on",
    "behind": "behind on",
    "open": "neither ahead nor behind (the interval includes 0) on",
}


def standing(effect: float, low: float, high: float) -> str:
    """Whether an effect is above 0 with its whole interval, below it, or neither: one of `STANDS`."""
    if pd.isna(effect):
        return "undefined"
    return "ahead" if low > 0 else "behind" if high < 0 else "open"


def standings(
    claims: pd.DataFrame, level: str, coefficient: str = "spearman", claim: str = FIRST_CLAIM
) -> dict[str, str]:
    """How a claim stands on each benchmark but the paper's own, by its foremost judgement."""
    rows = of_foremost(claims)
    rows = rows[(rows["level"] == level) & (rows["coefficient"] == coefficient) & (rows["claim"] == claim)]
    return {
        row.benchmark: standing(row.effect, row.low, row.high)
        for row in rows.itertuples()
        if row.benchmark != PAPERS_BENCHMARK
    }


def answer(claims: pd.DataFrame) -> str:
    """Does SERA do what its paper says, anywhere else? One paragraph, from the intervals alone."""
    parts = []
    for level, words in (("system", "Ranking systems"), ("summary", "Ranking the summaries of one topic")):
        found = standings(claims, level)
        of_each = {kind: [name for name, own in found.items() if own == kind] for kind in STANDS}
        listed = "; ".join(
            f"{text} {len(of_each[kind])} ({', '.join(of_each[kind])})"
            for kind, text in _WORDS.items()
            if of_each[kind]
        )
        sentence = f"{words}, SERA is {listed}." if listed else f"{words}: nothing is defined."
        if undefined := of_each["undefined"]:
            sentence += f" Undefined, for want of systems or scores: {', '.join(undefined)}."
        parts.append(sentence)
    number = len(standings(claims, "system"))
    return (
        f"Does SERA do what its paper says, on {number} other benchmark{'' if number == 1 else 's'}? "
        "Compared is the mean Spearman's ρ of the paper's 12 variants of SERA with that of its 21 of ROUGE, "
        f"by the first judgement of each benchmark. {' '.join(parts)}"
    )


def cautions(facts: pd.DataFrame) -> list[str]:
    """What the columns cannot say, each a sentence."""
    rows = facts.drop_duplicates("benchmark")
    few = [f"{row.benchmark} ({row.systems:.0f})" for row in rows.itertuples() if row.systems < 10]
    small = [
        f"{row.benchmark} ({row.documents:.0f}, {row.searched})"
        for row in rows.itertuples()
        if row.documents < 1000
    ]
    own = [row.benchmark for row in rows.itertuples() if row.searched == OWN_REFERENCES]
    lines = [
        "Intervals are over topics: they hold for other topics and the same systems. Those by preferences "
        "are over judges too, where each preference names its judge. Those of correlations over systems are "
        "too narrow: simulated ones hold the true value in 77 to 90% of studies where 95% is said, those of "
        "correlations within topics in 92 to 95%, of differences of two metrics in 92 to 96% "
        "(docs/statistics.md).",
        "S3-best and S3-full are learnt from the same benchmark's judgements of other topics; no other "
        "metric has seen any.",
        "Many cells are compared with each other, and nothing is corrected for it.",
    ]
    if few:
        lines.append(f"The rank order of few systems is uncertain: {', '.join(few)}.")
    if small:
        lines.append(
            "SERA searches fewer than 1,000 documents there, where the paper searches a collection of a "
            f"field: {', '.join(small)}."
        )
    if own:
        lines.append(
            "Where the release has no articles, SERA searches the references, and a reference finds itself "
            f"first: {', '.join(own)}."
        )
    return lines
