"""The answer of a study: a table of four questions.

The page of a study and docs/replication.md show it from one template, answer.j2. All numbers are Spearman's
rho with the judgement, or differences of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from sera.evaluation.correlate import Bootstrap, Scores, percentile_interval
from sera.evaluation.tables import TEXTS, read_tsv
from sera.reporting.overview import two_decimals
from study.claims.multiverse import HEADLINE, METRICS, effects, outcome_number
from study.multiverse.answers import read_answer
from study.multiverse.page import fill_template, percent, verdict
from study.multiverse.universes import table2
from study.published.tables import read_published

TEMPLATE = Path(__file__).with_name("answer.j2")

_SPEARMAN = "spearman"
WEAK, HIGH = 0.512, 0.618
"""The highest mean rho that the paper calls weak and the lowest that it calls high (section 5)."""


class Value(NamedTuple):
    """A number with the ends of its interval; NaN where undefined."""

    value: float
    low: float = np.nan
    high: float = np.nan


class _Question(NamedTuple):
    """A row: the level of correlations, the claim, the question, and its number from the claim's effect."""

    level: str
    claim: str
    words: str
    number: Callable[[Value], Value] = lambda effect: effect


_QUESTIONS = (
    _Question(
        *("systems", "rouge_weak", "Is ROUGE weak, at most 0.51? (mean of ROUGE-1 and -L)"),
        lambda effect: Value(WEAK - effect.value, WEAK - effect.high, WEAK - effect.low),
    ),
    _Question(
        *("systems", "sera_high", "Is SERA high, at least 0.62? (mean of its variants)"),
        lambda effect: Value(*(HIGH + each for each in effect)),
    ),
    _Question("systems", HEADLINE, "Is SERA above ROUGE in ranking systems?"),
    _Question("summaries", HEADLINE, "Is SERA above ROUGE in ranking single summaries?"),
)
HEADS = (
    "question", "paper", "here, 95% interval", "variants of the settings: median, 5% to 95%",
    "variants that say yes; by chance", "more systems", "other benchmarks", "verdict",
)  # fmt: skip
_EMPTY = {"–", "not run", "not asked"}
_YES = {"confirmed": "yes", "fails": "no", "undecided": "undecided", "undefined": "undefined"}
"""The answers to the questions, by the verdict on the claim."""


def printed_table(path: str | PathLike[str]) -> np.ndarray:
    """The paper's Table 2, (metric, coefficient), in the order of `METRICS`."""
    table = read_published(path).set_index("metric").loc[list(METRICS)]
    return table.drop(columns="against").to_numpy(float)


def own_effects(
    scores: Scores, against: str, bootstrap: Bootstrap, confidence: float
) -> dict[tuple[str, str], Value]:
    """The effects of claims in the study's own settings, by level and claim.

    ``scores`` has all `METRICS` and the judgement ``against``; ``confidence`` is in percent.
    """
    judged = scores.keep_judged(against)
    values = np.stack([judged.metric(name) for name in (*METRICS, against)])
    judged = Scores((*METRICS, "Pyramid"), judged.topics, judged.systems, values)
    draws = bootstrap.draw_topics(len(judged.topics))
    found = {}
    for level, unit in (("systems", "system"), ("summaries", "summary")):
        point, drawn = effects(table2(judged, unit)), effects(table2(judged, unit, topics=draws))
        for claim in [each.claim for each in _QUESTIONS if each.level == level]:
            place = outcome_number(claim, _SPEARMAN)
            ends = percentile_interval(drawn[:, place], confidence)
            found[level, claim] = Value(float(point[place]), *map(float, ends))
    return found


def answer(
    own: Mapping[tuple[str, str], Value], *, paper: np.ndarray | None, files: Mapping[str, Any]
) -> dict[str, Any]:
    """The rows of the answer as text, by head, and the heads of the columns that have a value (``filled``).

    ``own`` is a result of `own_effects`. ``paper`` is the printed Table 2, (metric, coefficient) as in
    `METRICS`; None for data that the paper does not describe. ``files`` has the paths of the results that
    exist: ``claims`` and ``null`` of the multiverse, ``more_systems`` and ``meta``.
    """
    tables = {name: read_answer(files[name]) for name in ("claims", "null") if name in files}
    texts = [*TEXTS, "question", "contrast"]
    tables |= {name: read_tsv(files[name], texts=texts) for name in ("more_systems", "meta") if name in files}
    rows = [_row(each, own[each.level, each.claim], paper, tables) for each in _QUESTIONS]
    filled = [head for head in HEADS if {row[head] for row in rows} - _EMPTY]
    return {"heads": HEADS, "filled": filled, "rows": rows}


def _row(
    question: _Question, own: Value, paper: np.ndarray | None, tables: Mapping[str, pd.DataFrame]
) -> dict[str, str]:
    level, claim, words, number = question
    difference = claim == HEADLINE
    printed = "not asked" if level == "summaries" else "–"
    if paper is not None and level == "systems":
        effect = float(effects(paper)[outcome_number(claim, _SPEARMAN)])
        printed = _number(number(Value(effect)).value, difference)
    variants = chance = more = "not run"
    of_claim, null = (_find(tables, name, question=level, claim=claim) for name in ("claims", "null"))
    if of_claim and null:
        spread = Value(of_claim["effect_50"], of_claim["effect_5"], of_claim["effect_95"])
        variants = _interval(number(spread), difference)
        chance = f"{percent(of_claim['share'])}; {percent(null['null_share'])}"
    if row := _find(tables, "more_systems", question=level):
        name = "rouge" if claim == "rouge_weak" else "sera"
        columns = ("effect", "low_families", "high_families")
        columns = columns if difference else (name, f"{name}_low", f"{name}_high")
        more = _interval(Value(*(row[column] for column in columns)), difference)
    others = [
        f"{note}{_interval(Value(row['effect'], row['low'], row['high']), True)}"
        for contrast, note in (("means", ""), ("best", "best against best "))
        if (row := _find(tables, "meta", question=level, contrast=contrast))
    ]
    found = "none: synthetic"
    if paper is not None:
        decided = "confirmed" if own.low > 0 else "fails" if own.high < 0 else "undecided"
        found = _YES[verdict(null, (own.low, own.high)) if null else decided]
    cells = [words, printed, _interval(number(own), difference), variants, chance, more]
    cells += ["; ".join(others) or "not run" if difference else "–", found]
    return dict(zip(HEADS, cells, strict=True))


def _find(tables: Mapping[str, pd.DataFrame], name: str, **cells: str) -> dict[str, Any] | None:
    """The row by Spearman's rho of a table with these cells; None without the table or the row."""
    if name not in tables:
        return None
    table = tables[name][tables[name]["coefficient"] == _SPEARMAN]
    for column, value in cells.items():
        table = table[table[column] == value]
    return table.iloc[0].to_dict() if len(table) else None


def _number(value: float, signed: bool) -> str:
    return f"{'+' if signed and round(value, 2) > 0 else ''}{two_decimals(value)}"


def _interval(value: Value, signed: bool) -> str:
    if np.isnan(value.value):
        return "undefined"
    middle, low, high = (_number(each, signed) for each in value)
    return f"{middle} ({low} to {high})"


def format_markdown(found: Mapping[str, Any]) -> str:
    """The answer as Markdown, from the template."""
    return fill_template(TEMPLATE, answer=found, form="markdown").strip()
