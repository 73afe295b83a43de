"""docs/matrix.md: what the matrix says, each number with the command that makes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike

import pandas as pd

from sera.evaluation.correlation.correlate import LEVELS
from sera.evaluation.tables import markdown
from sera.io.files import writing
from sera.reporting.page import number
from study.claims.files import Claim
from study.claims.multiverse import CLAIMS
from study.matrix.answers import (
    MATRIX_TITLE,
    POWER_CAUTION,
    POWER_HEADS,
    answer,
    cautions,
    foremost,
    foremost_judgements,
    of_foremost,
    only_length,
    pairs_ranked_alike,
    power_rows,
    standing,
    table_of,
)
from study.matrix.column import MATRIX_CLAIMS

_OF_THE_PAPER = (
    'matrix={"tac2014":{"tac2014":"/data/tac2014","pyramids":"/data/pyramids","pmc_oa":"/data/pmc_oa"},'
    '"scholarsum_pubmed":{"pmc_oa":"/data/pmc_oa"}}'
)
_MADE_BY = (
    "`sera datasets get --all --to judged` and `make matrix DATA=judged` make this page and all its "
    "numbers from the released files of the judged benchmarks that are there, which the table below "
    "names. The setting [`matrix`](configuration.md) "
    f"names the paper's data, and PubMed Central to search, as in `CONFIG='{_OF_THE_PAPER}'`; then `sera "
    "study matrix --publish docs` copies the page here. `results/matrix/cells.tsv` has every metric, "
    "judgement, level and coefficient, most with an interval; `results/matrix/matrix.html` shows them."
)
_METRICS = "Spearman's ρ with the first judgement of each benchmark; more is better."
_BOLD = "**Bold**: the permutation test does not distinguish it from the best of its column."
_ALL = (
    "This level mixes how well systems and how well topics are distinguished; with two systems, it alone is "
    "defined."
)
_LAST_ROWS = (
    "Last come the floors (the length of a summary, random scores) and, where judges are known, one judge."
)
_ONLY_LENGTH = (
    "Mean ρ over the summaries of one topic of the paper's 21 variants of ROUGE and 12 of SERA, and the "
    "[partial correlation](statistics.md#without-length-and-extractiveness) that takes out length, or "
    "both length and extractiveness. A fall says that a metric and people share a liking for long or copied "
    "summaries; it does not say that this liking is wrong. The numbers have no intervals. A topic on which a "
    "partial correlation is undefined counts in the plain one alone. `cells.tsv` has each metric, and "
    "ranking systems."
)
_PAIRS = (
    "The share of [pairs](statistics.md#pairs-clusters-and-power) that metric and people rank alike: of "
    "systems (accuracy; a coin has 0.5 where nothing is tied), and of the summaries of one topic (acc_eq, "
    "which counts ties that are right; random scores stand beside it). Means of the paper's variants. "
    "Epsilon is chosen on the same data, so acc_eq is slightly too high."
)
_CLAIMS = (
    "The effect of each claim of Cohan & Goharian (2016) on ρ, with its {confidence:g}% interval over "
    "topics; above 0 the claim holds. [multiverse.md](multiverse.md) quotes the claims. The paper makes them "
    "of systems; those on single summaries are ours. **Bold**: 0 is outside the interval."
)
_OTHERS = (
    "Sentences of other papers, and of the file that the setting `claims` names; above 0 the claim holds. "
    "They are about other data, other systems and often other settings of the metrics: a row shows how far "
    "they carry over, and does not refute them."
)


def write_document(
    path: str | PathLike[str],
    *,
    cells: pd.DataFrame,
    claims: pd.DataFrame,
    facts: pd.DataFrame,
    confidence: float,
    quoted: Sequence[Claim] = MATRIX_CLAIMS,
) -> None:
    """Write the matrix as Markdown: the answer first, then the benchmarks, the metrics and the claims.

    ``quoted`` are the claims that the table ``claims`` decides.
    """
    first = foremost_judgements(cells)
    papers_own = claims["claim"].isin([claim.name for claim in CLAIMS])
    power = _table([*POWER_HEADS.values()], [list(row.values()) for row in power_rows(facts)])
    of_paper = _CLAIMS.format(confidence=confidence)
    systems, summaries, everything = (_metrics(foremost(cells, level)) for level in LEVELS)
    parts = [
        ("# Which metric to trust", answer(claims), [f"- {line}" for line in cautions(facts)]),
        ("", f"![{MATRIX_TITLE}](figures/matrix.svg)", [_MADE_BY]),
        ("## The benchmarks", "", _benchmarks(facts, first)),
        ("## Ranking systems", f"{_METRICS} {_BOLD} {_LAST_ROWS}", systems),
        ("## Ranking the summaries of one topic", f"{_METRICS} {_LAST_ROWS}", summaries),
        ("## All summaries at once", f"{_METRICS} {_ALL} {_LAST_ROWS}", everything),
        ("## Is it only length?", _ONLY_LENGTH, _numbers(only_length(cells))),
        ("## Which of two is better?", _PAIRS, _numbers(pairs_ranked_alike(cells))),
        ("## What would decide a difference", POWER_CAUTION, power),
        ("## The paper's claims", of_paper, _claims_table(claims[papers_own], first)),
    ]
    if others := [claim for claim in quoted if claim.name in set(claims["claim"][~papers_own])]:
        quotes = "\n".join(map(_quoted, others))
        table = _claims_table(claims[~papers_own], first)
        parts.append(("## Claims of other papers", f"{_OTHERS}\n\n{quotes}", table))
    texts = [text for head, words, lines in parts for text in (head, words, "\n".join(lines)) if text]
    with writing(path) as stream:
        stream.write("\n\n".join(texts) + "\n")


def _benchmarks(facts: pd.DataFrame, first: Mapping[str, str]) -> list[str]:
    head = ["benchmark", "systems", "topics", "references of a topic", "first judgement"]
    body = [
        [
            *(row.benchmark, f"{row.systems:.0f}", f"{row.topics:.0f}", f"{row.references:g}"),
            *(first[row.benchmark], f"{row.documents:,.0f} ({row.searched})"),
        ]
        for row in facts.drop_duplicates("benchmark").itertuples()
    ]
    return _table([*head, "documents that SERA searches"], body)


def _metrics(shown: pd.DataFrame) -> list[str]:
    values, clusters = table_of(shown, "value"), table_of(shown, "cluster")
    body = [
        [markdown(name), *map(_cell, values.loc[name].tolist(), clusters.loc[name].tolist())]
        for name in values.index
    ]
    return _table(["metric", *values.columns], body)


def _numbers(table: pd.DataFrame) -> list[str]:
    """A table of numbers by benchmark."""
    body = [
        [str(row[0]), *(number(value, 2) for value in row[1:])]
        for row in table.itertuples(index=False, name=None)
    ]
    return _table(list(table.columns), body)


def _claims_table(claims: pd.DataFrame, first: Mapping[str, str]) -> list[str]:
    rows = of_foremost(claims)
    body = [
        [markdown(name.replace("_", " ")), level, *(_effect(of, benchmark) for benchmark in first)]
        for (name, level), of in rows.groupby(["claim", "level"], sort=False)
    ]
    return _table(["claim", "level", *first], body)


def _quoted(claim: Claim) -> str:
    data = f", on {', '.join(claim.benchmarks)}" if claim.benchmarks else ""
    place = f", section {claim.section}" if claim.section else ""
    return (
        f'- *{markdown(claim.name.replace("_", " "))}*: "{markdown(claim.quote)}" '
        f"({markdown(claim.source + place + data)}). Read as `{claim.formula.text}`."
    )


def _table(head: list[str], body: list[list[str]]) -> list[str]:
    def row(cells: list[str]) -> str:
        return f"| {' | '.join(cells)} |"

    return [row([markdown(name) for name in head]), row(["---"] * len(head)), *map(row, body)]


def _cell(value: float, cluster: float) -> str:
    text = number(value, 2)
    return f"**{text}**" if cluster == 1 else text


def _effect(rows: pd.DataFrame, benchmark: str) -> str:
    of = rows[rows["benchmark"] == benchmark]
    if of.empty or pd.isna(of["effect"].iloc[0]):
        return number(None)
    effect, low, high = (float(of[name].iloc[0]) for name in ("effect", "low", "high"))
    text = f"{number(effect, 2)} ({number(low, 2)} to {number(high, 2)})"
    return f"**{text}**" if standing(effect, low, high) in ("ahead", "behind") else text
