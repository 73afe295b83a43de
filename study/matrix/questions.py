"""Questions that the matrix answers beside the correlations: only length? which pairs? how large a study?"""

from __future__ import annotations

import pandas as pd

from sera.evaluation.correlation.power import DECIDED, WANTED_POWER
from study.claims.multiverse import METRICS
from study.matrix.column import OF_LENGTH
from study.matrix.further_cells import ACC_EQ, ACCURACY, AT_RANDOM, PARTIAL
from study.matrix.selection import of_foremost

GIVEN_LENGTH, GIVEN_BOTH = PARTIAL

POWER_CAUTION = (
    f"How large a study shows that one metric's ρ over systems is {DECIDED} above another's? The numbers are "
    "extrapolated: systems and topics are drawn with replacement from those at hand, and the spread of the "
    "difference is the median over pairs of the metrics of the paper's Table 2. Metrics that score alike "
    "need fewer. A chance of 5% is that of a test without any difference. The numbers cannot say what other "
    "systems, other topics or better judgements would give. In a simulation the spread is up to 60% too "
    "high, so that the sizes are on the safe side."
)
POWER_HEADS = {
    "benchmark": "benchmark",
    "size": "systems × topics",
    "chance": f"chance to find {DECIDED}",
    "found": f"difference found with a chance of {WANTED_POWER}",
    "decides": f"systems × topics that find {DECIDED} so",
}


def only_length(cells: pd.DataFrame) -> pd.DataFrame:
    """Is it only length? A row for each benchmark, by its first judgement, at the summary level.

    ``length`` is the ρ of the number of words; then come the means of the paper's 21 variants of ROUGE and 12
    of SERA: ρ, given length, and given length and extractiveness.
    """
    parts = {"length": _values(cells, "summary", "spearman", [OF_LENGTH])}
    for family in ("ROUGE", "SERA"):
        metrics = _family(family)
        parts[family] = _values(cells, "summary", "spearman", metrics)
        parts[f"{family}, given length"] = _values(cells, "summary", GIVEN_LENGTH, metrics)
        parts[f"{family}, given both"] = _values(cells, "summary", GIVEN_BOTH, metrics)
    return _joined(cells, parts)


def pairs_ranked_alike(cells: pd.DataFrame) -> pd.DataFrame:
    """How often is a metric right about two? A row for each benchmark, by its first judgement.

    The accuracy on pairs of systems, and acc_eq on pairs of summaries of a topic: means of the paper's
    variants of ROUGE and of SERA, beside acc_eq of random scores.
    """
    parts = {}
    for words, level, coefficient in (("systems", "system", ACCURACY), ("summaries", "summary", ACC_EQ)):
        for family in ("ROUGE", "SERA"):
            parts[f"{words}: {family}"] = _values(cells, level, coefficient, _family(family))
    parts["summaries: random"] = _values(cells, "summary", ACC_EQ, [AT_RANDOM])
    return _joined(cells, parts)


def power_rows(facts: pd.DataFrame) -> list[dict[str, str]]:
    """What would decide a difference: a row for each benchmark, by its first judgement, with `POWER_HEADS`.

    ``chance`` is that of finding a difference of .05 with the systems and topics at hand, ``found`` the
    difference that is found with a chance of .8, and ``decides`` the size of the study that finds .05 so.
    """
    rows = []
    for row in facts.drop_duplicates("benchmark").to_dict("records"):
        decides = f"more than {4 * row['systems']:.0f} × {4 * row['topics']:.0f}"
        if not pd.isna(row["deciding_systems"]):
            decides = f"{row['deciding_systems']:.0f} × {row['deciding_topics']:.0f}"
        words = (f"{row['power']:.0%}", f"{row['least_difference']:.2f}", decides)
        if pd.isna(row["power"]):
            words = ("–", "–", "–")
        size = f"{row['systems']:.0f} × {row['topics']:.0f}"
        rows.append(dict(zip(POWER_HEADS, (row["benchmark"], size, *words), strict=True)))
    return rows


def _family(name: str) -> list[str]:
    return [metric for metric in METRICS if metric.startswith(name)]


def _values(cells: pd.DataFrame, level: str, coefficient: str, metrics: list[str]) -> pd.Series:
    """The mean of the metrics' defined values, by benchmark."""
    rows = of_foremost(cells)
    rows = rows[(rows["level"] == level) & (rows["coefficient"] == coefficient)]
    return rows[rows["metric"].isin(metrics)].groupby("benchmark")["value"].mean()


def _joined(cells: pd.DataFrame, parts: dict[str, pd.Series]) -> pd.DataFrame:
    """The columns side by side, in the benchmarks' order; a benchmark without any value is left out."""
    table = pd.DataFrame(parts).reindex(dict.fromkeys(cells["benchmark"]))
    return table.dropna(how="all").rename_axis("benchmark").reset_index()
