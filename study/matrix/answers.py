"""Selections of cells, sentences and tables for the matrix's page, its document and its figure."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pandas as pd

from sera.io.scores import GIVEN
from sera.reporting.page import number
from study.claims.multiverse import METRICS
from study.matrix.column import ACC_EQ, ACCURACY, AT_RANDOM, OF_LENGTH, ONE_JUDGE, PARTIAL, STOPPED

FLOORS_AND_CEILING = (ONE_JUDGE, OF_LENGTH, AT_RANDOM)

MATRIX_TITLE = (
    "How metrics follow human judgements: Spearman's ρ over systems, by each benchmark's first judgement."
)

FOREST_TITLE = "SERA less ROUGE in Spearman's ρ with human judgements, by benchmark and pooled."

_SHOWN = re.compile(r"ROUGE-(1|2|L)-(F|R)|SERA-(5|10|NP-5|KW-5)|S3-full")
"""The metrics of the overview; the page has all others."""

TOO_FEW = 4
"""With so few systems or fewer, a test over systems cannot tell metrics apart."""

GIVEN_LENGTH, GIVEN_BOTH = PARTIAL


def foremost_judgements(cells: pd.DataFrame) -> dict[str, str]:
    """The first judgement of each benchmark: that on which its readers rank systems."""
    first = cells.drop_duplicates("benchmark")
    return dict(zip(first["benchmark"], first["judgement"], strict=True))


def of_foremost(cells: pd.DataFrame, level: str, coefficient: str = "spearman") -> pd.DataFrame:
    """The cells of each benchmark's first judgement by a coefficient at one level."""
    first = cells["judgement"] == cells["benchmark"].map(foremost_judgements(cells))
    return cells[first & (cells["coefficient"] == coefficient) & (cells["level"] == level)]


def foremost(cells: pd.DataFrame, level: str = "system") -> pd.DataFrame:
    """The cells of the overview: first judgements at one level, the usual metrics, those given, and the rest.

    Metrics come in the order of the cells, and floors and ceilings after them. A benchmark without a defined
    value is left out.
    """
    kept = of_foremost(cells, level)
    kept = kept[kept["value"].groupby(kept["benchmark"]).transform("count") > 0]
    shown = [name for name in kept["metric"].unique() if name.startswith(GIVEN) or _SHOWN.fullmatch(name)]
    order = {name: place for place, name in enumerate([*shown, *FLOORS_AND_CEILING])}
    kept = kept[kept["metric"].isin(order)]
    return kept.sort_values("metric", key=lambda names: names.map(order), kind="stable", ignore_index=True)


def table_of(cells: pd.DataFrame, column: str) -> pd.DataFrame:
    """One column of cells as a table of metrics by benchmarks, in the order of the cells."""
    table = cells.pivot(index="metric", columns="benchmark", values=column)
    return table.reindex(index=cells["metric"].unique(), columns=cells["benchmark"].unique())


def told_apart(cells: pd.DataFrame) -> pd.DataFrame:
    """The cells, without clusters where at most `TOO_FEW` systems are compared."""
    return cells.assign(cluster=cells["cluster"].where(cells["systems"] > TOO_FEW))


def too_few(facts: pd.DataFrame) -> list[str]:
    """The benchmarks with at most `TOO_FEW` systems."""
    return list(facts[facts["systems"] <= TOO_FEW]["benchmark"].unique())


def with_interval(row: Mapping[str, float]) -> str:
    """An effect with its interval in words, from a row of a table."""
    ends = "" if pd.isna(row["low"]) else f" ({number(row['low'], 2, '+')} to {number(row['high'], 2, '+')})"
    return number(row["effect"], 2, "+") + ends


def answer(meta: pd.DataFrame) -> str:
    """Is SERA ahead of ROUGE on other benchmarks, as its paper claims? One paragraph, of pooled effects."""
    rows = {(row["question"], row["contrast"]): row for row in meta.to_dict("records")}
    count = rows["systems", "means"]["benchmarks"]
    parts = [
        f"Is SERA ahead of ROUGE on {count} other benchmark{'' if count == 1 else 's'}, judged by people? We "
        "pooled the differences of their Spearman's ρ with the judgements."
    ]
    verdicts = {}
    for question, words in (("systems", "systems"), ("summaries", "the summaries of one topic")):
        of = [rows[question, name] for name in ("means", "best")]
        verdicts[question] = by_means, by_best = [_verdict(row["low"], row["high"]) for row in of]
        means, best = map(with_interval, of)
        verdict = (
            by_means if by_means == by_best else f"by means {by_means}, but by the best variants {by_best}"
        )
        parts.append(
            f"In ranking {words}, SERA less ROUGE is {means} by the means of their variants and {best} by "
            f"the best ones: {verdict}."
        )
    stopped = [rows[of, f"{name}{STOPPED}"] for of in ("systems", "summaries") for name in ("means", "best")]
    parts.append(
        f"With stop words removed, as in the paper, the four are {', '.join(map(with_interval, stopped))}."
    )
    match verdicts["summaries"]:
        case ["ROUGE is ahead", "ROUGE is ahead"]:
            caveat = "the caveat that the recogniser of nuggets favours ROUGE is largely answered"
            parts.append(f"These judgements were made by people, so {caveat} for single summaries.")
        case [_, "ROUGE is ahead"]:
            lead = "the lead of ROUGE's best variant in ranking single summaries"
            parts.append(f"People made these judgements: {lead} does not come from a recogniser of nuggets.")
    return " ".join(parts)


def _verdict(low: float, high: float) -> str:
    if pd.isna(low):
        return "too few benchmarks to tell"
    return "SERA is ahead" if low > 0 else "ROUGE is ahead" if high < 0 else "they cannot be told apart"


def length_alone(cells: pd.DataFrame, level: str) -> pd.Series:
    """The ρ of the number of words at a level, by benchmark."""
    return _values(cells, level, "spearman", [OF_LENGTH])


def sides_in_words(contrasts: pd.DataFrame, cells: pd.DataFrame) -> str:
    """Where the side of ROUGE matters most in ranking systems, beside what length alone does there."""
    table = contrast_table(contrasts).loc["system"]
    apart = (table["F"] - table["R"]).abs()
    if apart.isna().all():
        return ""
    name = apart.idxmax()
    length = number(length_alone(cells, "system").get(name), 2)
    by_recall, by_f = (number(table.at[name, side], 2, "+") for side in "RF")
    return (
        f"On {name}, where the length of a summary alone has ρ {length}, "
        f"SERA less ROUGE is {by_recall} by recall and {by_f} by F."
    )


def contrast_table(contrasts: pd.DataFrame) -> pd.DataFrame:
    """The effects of the contrasts, by level and benchmark, in their order."""
    table = contrasts.pivot(index=["level", "benchmark"], columns="contrast", values="effect")
    return table.reindex(contrasts.set_index(["level", "benchmark"]).index.unique())


def family_tables(cells: pd.DataFrame) -> list[pd.DataFrame]:
    """The means of the paper's variants of ROUGE and SERA by benchmark and first judgement, as two tables.

    They have ρ at the summary level, with and without length and extractiveness taken out, and the
    accuracies on pairs of systems and of summaries.
    """
    lengths = {"length": length_alone(cells, "summary")}
    pairs = {}
    for family in ("ROUGE", "SERA"):
        of = [metric for metric in METRICS if metric.startswith(family)]
        lengths[family] = _values(cells, "summary", "spearman", of)
        lengths[f"{family}, given length"] = _values(cells, "summary", GIVEN_LENGTH, of)
        lengths[f"{family}, given both"] = _values(cells, "summary", GIVEN_BOTH, of)
        pairs[f"systems: {family}"] = _values(cells, "system", ACCURACY, of)
        pairs[f"summaries: {family}"] = _values(cells, "summary", ACC_EQ, of)
    pairs["summaries: random"] = _values(cells, "summary", ACC_EQ, [AT_RANDOM])
    order = dict.fromkeys(cells["benchmark"])
    return [pd.DataFrame(of).reindex(order).dropna(how="all") for of in (lengths, pairs)]


def _values(cells: pd.DataFrame, level: str, coefficient: str, metrics: list[str]) -> pd.Series:
    """The mean of the metrics' defined values, by benchmark."""
    rows = of_foremost(cells, level, coefficient)
    return rows[rows["metric"].isin(metrics)].groupby("benchmark")["value"].mean()
