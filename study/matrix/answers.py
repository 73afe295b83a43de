"""What the matrix says, for its page, its document and its figure: selections of cells, sentences, tables."""

from __future__ import annotations

import re

import pandas as pd

from sera.evaluation.correlation.power import DECIDED, WANTED_POWER
from study.claims.multiverse import METRICS
from study.matrix.column import ACC_EQ, ACCURACY, AT_RANDOM, OF_LENGTH, ONE_JUDGE, PARTIAL
from study.published.tables import PAPERS_BENCHMARK

FLOORS_AND_CEILING = (ONE_JUDGE, OF_LENGTH, AT_RANDOM)

MATRIX_TITLE = (
    "How metrics follow human judgements: Spearman's ρ over systems, by each benchmark's first judgement."
)

_SHOWN = re.compile(
    r"ROUGE-(1|2|3|L|SU|W-1\.2)-(F|R)|SERA(-DIS)?(-NP|-KW)?-(5|10)|Pyramid|S3-.*|JS|JS-2|ROUGE-K|MOULIN-ROUGE"
)
"""The metrics of the overview; all others are in the page and in the tables."""

CAUTIONS = (
    "Intervals are over topics: they hold for other topics and the same systems. Those by preferences are "
    "over judges too, where each preference names its judge. Those of correlations over systems are too "
    "narrow: simulated 95% intervals hold the true value in 77 to 90% of studies, those within topics in "
    "92 to 95%, of differences of two metrics in 92 to 96% (docs/statistics.md).",
    "With fewer than 10 systems, the rank order of metrics is uncertain. Nothing is corrected for the many "
    "comparisons.",
    "S3-best and S3-full are learnt from the same benchmark's judgements of other topics; no other metric "
    "has seen any.",
    "SERA searches what a release has, often fewer than 1,000 documents, where the paper searches the "
    "collection of a field. Where these are the references, a reference finds itself first.",
)
"""What the columns cannot say."""

FIRST_CLAIM = "sera_above_rouge"
"""The mean of SERA's variants in Table 2 less the mean of ROUGE's."""

STANDS = ("ahead", "behind", "open", "undefined")
_WORDS = {
    "ahead": "ahead on",
    "behind": "behind on",
    "open": "neither ahead nor behind (the interval includes 0) on",
}

GIVEN_LENGTH, GIVEN_BOTH = PARTIAL

POWER_CAUTION = (
    f"How large a study finds that one metric's ρ over systems is {DECIDED} above another's? This is "
    "extrapolated by drawing systems and topics with replacement from those at hand, with the median "
    "spread over pairs of the metrics in the paper's Table 2. In a simulation the spread is up to 60% too "
    "high, which is on the safe side. Without any difference, the chance to find one is 5%. Metrics that "
    "score alike need smaller studies. Other systems, topics or judgements may need others."
)
POWER_HEADS = {
    "benchmark": "benchmark",
    "size": "systems × topics",
    "chance": f"chance to find {DECIDED}",
    "found": f"difference found with a chance of {WANTED_POWER}",
    "decides": f"systems × topics that find {DECIDED} so",
}


def foremost_judgements(cells: pd.DataFrame) -> dict[str, str]:
    """The first judgement of each benchmark: that on which its readers rank systems."""
    first = cells.drop_duplicates("benchmark")
    return dict(zip(first["benchmark"], first["judgement"], strict=True))


def of_foremost(table: pd.DataFrame, level: str = "", coefficient: str = "spearman") -> pd.DataFrame:
    """The rows about each benchmark's first judgement by a coefficient, at one level or at all."""
    rows = table[table["judgement"] == table["benchmark"].map(foremost_judgements(table))]
    return rows[(rows["coefficient"] == coefficient) & (rows["level"].eq(level) | (not level))]


def foremost(cells: pd.DataFrame, level: str = "system") -> pd.DataFrame:
    """The cells of the overview: first judgements at one level, the usual metrics, those given, and the rest.

    Metrics come in the order of the cells, and floors and ceilings after them. A benchmark without a defined
    value is left out.
    """
    kept = of_foremost(cells, level)
    kept = kept[kept["value"].groupby(kept["benchmark"]).transform("count") > 0]
    shown = [
        name
        for name, kind in dict(zip(kept["metric"], kept["kind"], strict=True)).items()
        if kind == "given" or (kind == "metric" and _SHOWN.fullmatch(name))
    ]
    order = [*shown, *(name for name in FLOORS_AND_CEILING if (kept["metric"] == name).any())]
    kept = kept[kept["metric"].isin(order)]
    return kept.sort_values(
        "metric", key=lambda column: column.map(order.index), kind="stable", ignore_index=True
    )


def table_of(cells: pd.DataFrame, column: str) -> pd.DataFrame:
    """One column of cells as a table of metrics by benchmarks, in the order of the cells."""
    table = cells.pivot(index="metric", columns="benchmark", values=column)
    return table.reindex(index=cells["metric"].unique(), columns=cells["benchmark"].unique())


def standing(effect: float, low: float, high: float) -> str:
    """Whether an effect is above 0 with its whole interval, below it, or neither: one of `STANDS`."""
    if pd.isna(effect):
        return "undefined"
    return "ahead" if low > 0 else "behind" if high < 0 else "open"


def standings(claims: pd.DataFrame, level: str) -> dict[str, str]:
    """How the first claim stands on each benchmark but the paper's own, by its foremost judgement."""
    return {
        row.benchmark: standing(row.effect, row.low, row.high)
        for row in of_foremost(claims, level).itertuples()
        if row.claim == FIRST_CLAIM and row.benchmark != PAPERS_BENCHMARK
    }


def answer(claims: pd.DataFrame) -> str:
    """Is SERA ahead of ROUGE on other benchmarks, as its paper says? One paragraph, from the intervals."""
    parts = []
    for level, words in (("system", "ranking systems"), ("summary", "ranking the summaries of one topic")):
        found = standings(claims, level)
        of_each = {kind: [name for name, own in found.items() if own == kind] for kind in STANDS}
        listed = "; ".join(
            f"{text} {len(of_each[kind])} ({', '.join(of_each[kind])})"
            for kind, text in _WORDS.items()
            if of_each[kind]
        )
        sentence = f"In {words}, SERA is {listed}." if listed else f"In {words}, nothing is defined."
        if undefined := of_each["undefined"]:
            sentence += f" There are too few systems or scores on {', '.join(undefined)}."
        parts.append(sentence)
    number = len(standings(claims, "system"))
    return (
        f"Is SERA ahead of ROUGE on {number} other benchmark{'' if number == 1 else 's'}? We compare the "
        "mean Spearman's ρ of the paper's 12 variants of SERA with that of its 21 of ROUGE, by the first "
        f"judgement of each benchmark. {' '.join(parts)}"
    )


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
    rows = of_foremost(cells, level, coefficient)
    return rows[rows["metric"].isin(metrics)].groupby("benchmark")["value"].mean()


def _joined(cells: pd.DataFrame, parts: dict[str, pd.Series]) -> pd.DataFrame:
    """The columns side by side, in the benchmarks' order; a benchmark without any value is left out."""
    table = pd.DataFrame(parts).reindex(dict.fromkeys(cells["benchmark"]))
    return table.dropna(how="all").rename_axis("benchmark").reset_index()
