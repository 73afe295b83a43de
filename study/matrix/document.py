"""docs/matrix.md: what the matrix says, each number with the command that makes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike

import numpy as np
import pandas as pd

from sera.evaluation.correlation.power import DECIDED, WANTED_POWER
from sera.evaluation.tables import markdown
from sera.io.files import writing
from sera.reporting.page import number
from study.claims.files import Claim
from study.claims.multiverse import CLAIMS
from study.matrix.answers import (
    CAUTIONS,
    MATRIX_TITLE,
    POWER_CAUTION,
    POWER_HEADS,
    answer,
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

SHOWN_LEVELS = ("system", "summary")
TOO_FEW = 4
"""With so few systems or fewer, nothing over systems is bold."""

_OF_THE_PAPER = (
    'matrix={"tac2014":{"tac2014":"/data/tac2014","pyramids":"/data/pyramids","pmc_oa":"/data/pmc_oa"},'
    '"scholarsum_pubmed":{"pmc_oa":"/data/pmc_oa"}}'
)
_MADE_BY = (
    "`sera datasets get --all --to judged` and `make matrix DATA=judged` make this page from released "
    "files. The setting [`matrix`](configuration.md) adds the paper's data and PubMed Central to search: "
    f"`CONFIG='{_OF_THE_PAPER}'`. `python -m study publish matrix --to docs` copies the page here. "
    "`results/matrix/cells.tsv` has every metric, judgement, level and coefficient, most with an interval; "
    "`results/matrix/matrix.html` shows them."
)
_METRICS = (
    "Spearman's ρ with the first judgement of each benchmark; higher is better. Upper lines: in ranking "
    "systems; lower lines: in ranking the summaries of one topic. **Bold**: the permutation test over "
    "systems does not distinguish the metric from the best of its column. The last rows are one judge, the "
    "length of a summary, and random scores."
)
_GIVEN = "Scores that come with a release, in the same form."
_ONLY_LENGTH = (
    "Mean ρ over the summaries of one topic of the paper's 21 variants of ROUGE and 12 of SERA, and the "
    "[partial correlation](statistics.md#without-length-and-extractiveness) that takes out length, or both "
    "length and extractiveness. A fall means that metric and people both like long or copied summaries, "
    "not that people are wrong to like them. The numbers have no intervals, and topics on which a partial "
    "correlation is undefined count in the plain one alone."
)
_PAIRS = (
    "The share of [pairs](statistics.md#pairs-clusters-and-power) that metric and people rank alike, as "
    "means of the paper's variants: of systems (accuracy; 0.5 by chance if nothing is tied), and of the "
    "summaries of one topic (acc_eq, which counts right ties and is slightly too high, as epsilon is "
    "chosen on the same data; compare with random scores)."
)
_CLAIMS = (
    "The effect of each claim of Cohan & Goharian (2016) on ρ, with its {confidence:g}% interval over "
    "topics; above 0 the claim holds. Upper lines: in ranking systems, as the paper means it; lower lines: "
    "in ranking the summaries of one topic. **Bold**: 0 is outside the interval. "
    "[multiverse.md](multiverse.md) quotes the claims."
)
_OTHERS = (
    "Sentences of other papers, and of the file that the setting `claims` names. They are about other "
    "data, other systems and often other settings of the metrics, so a row shows how far they carry over "
    "and does not refute them."
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
    few = facts[facts["systems"] <= TOO_FEW]["benchmark"].unique()
    too_few = f" Too few systems to tell (at most {TOO_FEW}), so nothing is bold: {', '.join(few)}."
    bold = f"{_METRICS}{markdown(too_few) if len(few) else ''}"
    given = cells["kind"] == "given"
    of_paper = _CLAIMS.format(confidence=confidence)
    parts = [
        ("# Which metric to trust", answer(claims), [f"- {line}" for line in CAUTIONS]),
        ("", f"![{MATRIX_TITLE}](figures/matrix.svg)", [_MADE_BY]),
        ("## The benchmarks", _power(facts), _benchmarks(facts, first)),
        ("## How metrics follow people", bold, _metrics(cells[~given], few)),
        ("", _GIVEN if given.any() else "", _metrics(cells[given], few) if given.any() else []),
        ("## Is it only length?", _ONLY_LENGTH, _numbers(only_length(cells))),
        ("## Which of two is better?", _PAIRS, _numbers(pairs_ranked_alike(cells))),
        ("## The paper's claims", of_paper, _claims_table(claims[papers_own], first, few)),
    ]
    if others := [claim for claim in quoted if claim.name in set(claims["claim"][~papers_own])]:
        quotes = "\n".join(map(_quoted, others))
        table = _claims_table(claims[~papers_own], first, few)
        parts.append(("## Claims of other papers", f"{_OTHERS}\n\n{quotes}", table))
    texts = [text for head, words, lines in parts for text in (head, words, "\n".join(lines)) if text]
    with writing(path) as stream:
        stream.write("\n\n".join(texts) + "\n")


def _power(facts: pd.DataFrame) -> str:
    rows = facts.drop_duplicates("benchmark").dropna(subset="power")
    undecided = rows["deciding_systems"].isna().sum()
    return (
        f"{POWER_CAUTION} On {undecided} of {len(rows)} benchmarks, even four times the systems and topics "
        f"do not find {DECIDED} with a chance of {WANTED_POWER}."
    )


def _benchmarks(facts: pd.DataFrame, first: Mapping[str, str]) -> list[str]:
    power = ("chance", "found")
    head = ["benchmark", "systems", "topics", "references of a topic", "first judgement"]
    body = [
        [
            *(row.benchmark, f"{row.systems:.0f}", f"{row.topics:.0f}", f"{row.references:g}"),
            *(
                first[row.benchmark],
                f"{row.documents:,.0f} ({row.searched})",
                *(found[name] for name in power),
            ),
        ]
        for row, found in zip(facts.drop_duplicates("benchmark").itertuples(), power_rows(facts), strict=True)
    ]
    return _table([*head, "documents that SERA searches", *(POWER_HEADS[name] for name in power)], body)


def _metrics(cells: pd.DataFrame, few: Sequence[str]) -> list[str]:
    """Metrics by benchmarks, each cell with the value over systems and that over summaries of a topic."""
    systems, summaries = (foremost(cells, level) for level in SHOWN_LEVELS)
    clusters = table_of(
        systems.assign(cluster=systems["cluster"].mask(systems["benchmark"].isin(few))), "cluster"
    )
    tables = [table_of(of, "value") for of in (systems, summaries)]
    benchmarks = list(dict.fromkeys(name for table in tables for name in table.columns))
    names = list(dict.fromkeys(name for table in tables for name in table.index))
    above, below, bold = (table.reindex(names, columns=benchmarks) for table in (*tables, clusters))
    body = [
        [
            markdown(name),
            *(
                _two(
                    _bold(number(above.at[name, of], 2), bold.at[name, of] == 1),
                    number(below.at[name, of], 2),
                )
                for of in benchmarks
            ),
        ]
        for name in names
    ]
    return _table(["metric", *benchmarks], body)


def _numbers(table: pd.DataFrame) -> list[str]:
    """A table of numbers by benchmark."""
    body = [
        [str(row[0]), *(number(value, 2) for value in row[1:])]
        for row in table.itertuples(index=False, name=None)
    ]
    return _table(list(table.columns), body)


def _claims_table(claims: pd.DataFrame, first: Mapping[str, str], few: Sequence[str]) -> list[str]:
    """Claims by benchmarks, each cell with the effect over systems and that over summaries of a topic."""
    rows = of_foremost(claims).set_index(["claim", "benchmark", "level"])[["effect", "low", "high"]]

    def effect(*key: str) -> str:
        value, low, high = rows.loc[key] if key in rows.index else [np.nan] * 3
        if pd.isna(value):
            return number(None)
        text = f"{number(value, 2)} [{number(low, 2)}, {number(high, 2)}]"
        decided = standing(value, low, high) in ("ahead", "behind")
        return _bold(text, decided and not (key[2] == "system" and key[1] in few))

    body = [
        [
            markdown(name.replace("_", " ")),
            *(_two(*(effect(name, of, at) for at in SHOWN_LEVELS)) for of in first),
        ]
        for name in rows.index.unique("claim")
    ]
    return _table(["claim", *first], body)


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


def _two(above: str, below: str) -> str:
    """Two values in a cell, one above the other."""
    return above if above == below == number(None) else f"{above}<br>{below}"


def _bold(text: str, bold: bool) -> str:
    return f"**{text}**" if bold else text
