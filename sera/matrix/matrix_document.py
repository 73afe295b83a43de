"""docs/matrix.md: what the matrix says, each number with the command that makes it."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike

import pandas as pd

from sera.evaluation.tables import markdown
from sera.files import writing
from sera.matrix.answer import answer, cautions, standing
from sera.matrix.selection import MATRIX_TITLE, foremost, foremost_judgements, of_foremost, table_of
from sera.reporting.page import number

_MADE_BY = (
    "`make matrix` makes this page and all its numbers from the released files, whose folders the setting "
    "[`matrix`](configuration.md) names; `sera study matrix --publish docs` then copies it here. "
    "`results/matrix/cells.tsv` has every metric, judgement, level and coefficient with its interval; "
    "`results/matrix/matrix.html` shows them."
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
_CLAIMS = (
    "The effect of each claim of Cohan & Goharian (2016) on ρ, with its {confidence:g}% interval over "
    "topics; above 0 the claim holds. [multiverse.md](multiverse.md) quotes the claims. The paper makes them "
    "of systems; those on single summaries are ours. **Bold**: 0 is outside the interval."
)


def write_document(
    path: str | PathLike[str],
    *,
    cells: pd.DataFrame,
    claims: pd.DataFrame,
    facts: pd.DataFrame,
    confidence: float,
) -> None:
    """Write the matrix as Markdown: the answer first, then the benchmarks, the metrics and the claims."""
    first = foremost_judgements(cells)
    lines = ["# Which metric to trust", "", answer(claims), "", *(f"- {line}" for line in cautions(facts))]
    lines += [
        "",
        f"![{MATRIX_TITLE}](figures/matrix.svg)",
        "",
        _MADE_BY,
        "",
        "## The benchmarks",
        "",
        *_benchmarks(facts, first),
    ]
    lines += ["", "## Ranking systems", "", f"{_METRICS} {_BOLD} {_LAST_ROWS}", ""]
    lines += _metrics(foremost(cells, "system"))
    lines += ["", "## Ranking the summaries of one topic", "", f"{_METRICS} {_LAST_ROWS}", ""]
    lines += _metrics(foremost(cells, "summary"))
    lines += ["", "## All summaries at once", "", f"{_METRICS} {_ALL} {_LAST_ROWS}", ""]
    lines += _metrics(foremost(cells, "global"))
    lines += ["", "## The paper's claims", "", _CLAIMS.format(confidence=confidence), ""]
    lines += _claims_table(claims, first)
    with writing(path) as stream:
        stream.write("\n".join(lines) + "\n")


def _benchmarks(facts: pd.DataFrame, first: Mapping[str, str]) -> list[str]:
    head = ["benchmark", "systems", "topics", "references of a topic", "first judgement"]
    body = [
        [
            *(row.benchmark, f"{row.systems:.0f}", f"{row.topics:.0f}", f"{row.references:g}"),
            *(first[row.benchmark], f"{row.documents:,.0f}"),
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


def _claims_table(claims: pd.DataFrame, first: Mapping[str, str]) -> list[str]:
    rows = of_foremost(claims)
    rows = rows[rows["coefficient"] == "spearman"]
    body = [
        [markdown(name.replace("_", " ")), level, *(_effect(of, benchmark) for benchmark in first)]
        for (name, level), of in rows.groupby(["claim", "level"], sort=False)
    ]
    return _table(["claim", "level", *first], body)


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
