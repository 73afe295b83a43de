"""The answer of a study: four questions, what each source says of them, and one rule for the verdict.

The page of a study and docs/replication.md show its table.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from sera.evaluation.bootstrap import Bootstrap, percentile_interval
from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.correlate import Scores
from sera.evaluation.tables import TEXTS, read_tsv
from study.claims.multiverse import HEADLINE, METRICS
from study.claims.sentences import EFFECT_DIGITS
from study.multiverse.answers import read_answer
from study.multiverse.page import percent, two_decimals
from study.multiverse.universes import table2
from study.published.tables import read_published

_SPEARMAN = "spearman"
WEAK, HIGH = 0.512, 0.618
"""The highest mean rho that the paper calls weak and the lowest that it calls high (section 5)."""


class Value(NamedTuple):
    """A number with the ends of its interval; NaN where undefined."""

    value: float
    low: float = np.nan
    high: float = np.nan


class _Question(NamedTuple):
    """A row: the level of correlations, the claim, the question, and what its number is compared with.

    The answer is yes if the number is above ``zero``, or with the ``sign`` -1 below it.
    """

    level: str
    claim: str
    words: str
    zero: float = 0
    sign: int = 1


_QUESTIONS = (
    _Question("systems", "rouge_weak", "Are ROUGE-1 and -L weak, at most 0.51?", WEAK, -1),
    _Question("systems", "sera_high", "Is SERA high, at least 0.62?", HIGH),
    _Question("systems", HEADLINE, "Is SERA above ROUGE in ranking systems?"),
    _Question("summaries", HEADLINE, "Is SERA above ROUGE in ranking single summaries?"),
)
UNITS = {"systems": "system", "summaries": "summary"}
SOURCES = (
    *("here", "more systems", "TAC 2009, people's Pyramid"),
    *("other benchmarks, means", "other benchmarks, best"),
)
VARIANTS = ("variants of the settings: median, 5% to 95%", "variants that say yes; by chance")
_PEOPLES = {"metric": "ROUGE-2-F", "other": "SERA-5"}


def note(columns: Collection[str], confidence: float) -> str:
    """The rule of the verdicts, and what the numbers are, for an answer with these columns.

    >>> note(["question", "here"], 95).partition(". ")[0]
    'In brackets: 95% intervals over systems and topics'
    """
    more, people, means, best = (name in columns for name in SOURCES[1:])
    overlaps = [
        *(["TAC 2009 is one of the other benchmarks"] if people and means else []),
        *(["“more systems” has the topics of “here”"] if more else []),
    ]
    sentences = {
        f"In brackets: {confidence:g}% intervals over systems and topics"
        f"{'; of other benchmarks, over benchmarks' if means else ''}.": True,
        "An interval says yes or no if all of it does; the verdict is yes or no only if every interval of "
        "its row says the same.": "verdict" in columns,
        "Numbers are Spearman's ρ, or SERA's less ROUGE's, each the mean of its variants.": True,
        "0.51 and 0.62 are the highest mean ρ that the paper calls weak, and the lowest that it calls "
        "high.": True,
        "TAC 2009: SERA-5 less ROUGE-2-F, which proved the best of ROUGE there.": people,
        "Other benchmarks are judged by people, and pooled"
        f"{'; best: the best variant of SERA less that of ROUGE' if best else ''}.": means,
        f"Sources overlap: {', and '.join(overlaps)}.": bool(overlaps),
    }
    return " ".join(sentence for sentence, is_there in sentences.items() if is_there)


def answered(question: _Question, number: Value) -> str:
    """What an interval says of a question: yes or no if all of it is on that side, else undecided."""
    low, high = sorted(question.sign * (end - question.zero) for end in (number.low, number.high))
    return "undefined" if np.isnan(number.value) else "yes" if low > 0 else "no" if high < 0 else "undecided"


def verdict(said: Sequence[str]) -> str:
    """The verdict on what the intervals of a row say, and how many of them decide.

    >>> verdict(["no", "no"]), verdict(["no", "undecided"])
    ('no (no: 2 of 2)', 'undecided (no: 1 of 2)')
    """
    sides = {side: list(said).count(side) for side in ("yes", "no") if side in said}
    answers = [side for side, count in sides.items() if count == len(said)] or ["undecided"]
    return (
        f"{answers[0]} ({', '.join(f'{side}: {count}' for side, count in sides.items()) or 0} of {len(said)})"
    )


def printed_table(path: str | PathLike[str]) -> np.ndarray:
    """The paper's Table 2, (metric, coefficient), in the order of `METRICS`."""
    table = read_published(path).set_index("metric").loc[list(METRICS)]
    return table.drop(columns="against").to_numpy(float)


def _numbers(tables: np.ndarray) -> dict[str, np.ndarray]:
    """The numbers of the questions, by claim, of tables (..., metric, coefficient), as of `printed_table`."""
    rho = dict(zip(METRICS, np.moveaxis(tables[..., CORRELATIONS.index(_SPEARMAN)], -1, 0), strict=True))
    sera, rouge, weak = (
        np.mean([values for name, values in rho.items() if name.startswith(names)], axis=0)
        for names in ("SERA", "ROUGE", ("ROUGE-1-", "ROUGE-L-"))
    )
    numbers = {"rouge_weak": weak, "sera_high": sera, HEADLINE: sera - rouge}
    return {claim: np.round(number, EFFECT_DIGITS) for claim, number in numbers.items()}


def own_numbers(
    scores: Scores, against: str, *, resamples: int, seed: int, confidence: float
) -> dict[tuple[str, str], Value]:
    """The numbers of the questions in the study's own settings, by level and claim.

    ``scores`` has all `METRICS` and the judgement ``against``; ``confidence`` is in percent. Intervals are
    over systems and topics.
    """
    table = scores.keep_judged(against)
    values = np.stack([table.metric(name) for name in (*METRICS, against)])
    table = Scores((*METRICS, "Pyramid"), table.topics, table.systems, values)
    bootstrap = Bootstrap("both", resamples, seed)
    topics, systems = bootstrap.draw_topics(values.shape[1]), bootstrap.draw_systems(values.shape[2])
    numbers = {}
    for level, unit in UNITS.items():
        point = _numbers(table2(table, unit))
        draws = _numbers(table2(table, unit, topics=topics, systems=systems))
        for claim in [each.claim for each in _QUESTIONS if each.level == level]:
            ends = percentile_interval(draws[claim], confidence)
            numbers[level, claim] = Value(float(point[claim]), *map(float, ends))
    return numbers


def answer(
    own: Mapping[tuple[str, str], Value], *, paper: np.ndarray | None, files: Mapping[str, Any]
) -> pd.DataFrame:
    """The answer as a table of text, without columns that have no value.

    ``own`` is a result of `own_numbers`. ``paper`` is the printed Table 2, (metric, coefficient) as in
    `METRICS`; None for data that the paper does not describe, which have no verdict. ``files`` has the paths
    of the results that exist: ``claims`` and ``null`` of the multiverse, and `other_answers`.
    """
    tables = {name: read_answer(files[name]) for name in ("claims", "null") if name in files}
    others = [name for name in ("more_systems", "people", "meta") if name in files]
    tables |= {name: read_tsv(files[name], texts=[*TEXTS, "question", "contrast"]) for name in others}
    table = pd.DataFrame([_row(each, own[each.level, each.claim], paper, tables) for each in _QUESTIONS])
    return table.loc[:, ~table.isin(["–", "not asked"]).all()]


def _row(
    question: _Question, own: Value, paper: np.ndarray | None, tables: Mapping[str, pd.DataFrame]
) -> dict[str, str]:
    level, claim, words, zero, sign = question
    row = dict.fromkeys(["question", "paper", *SOURCES, *VARIANTS, "verdict"], "–") | {"question": words}
    claim_cells = {"question": level, "claim": claim}
    sources = dict(zip(SOURCES, [own, *_other_sources(level, claim, tables)], strict=True))
    variant_columns = ("effect_50", "effect_5", "effect_95")
    sources[VARIANTS[0]] = _value(tables, "claims", variant_columns, claim_cells, zero, sign)
    row |= {name: _interval(value, not zero) for name, value in sources.items() if value}
    if paper is not None:
        answers = {
            name: answered(question, value) for name, value in sources.items() if value and name in SOURCES
        }
        row |= {name: f"{row[name]}: {says}" for name, says in answers.items() if says != row[name]}
        row["verdict"] = verdict(list(answers.values()))
        row["paper"] = (
            two_decimals(float(_numbers(paper)[claim]), not zero) if level == "systems" else "not asked"
        )
    shares = [
        _value(tables, *place, claim_cells) for place in (("claims", ["share"]), ("null", ["null_share"]))
    ]
    row[VARIANTS[1]] = "; ".join(percent(share.value) for share in shares if share) or "–"
    return row


def _other_sources(level: str, claim: str, tables: Mapping[str, pd.DataFrame]) -> list[Value | None]:
    """The number by each of `SOURCES` but the first; None where there is none."""
    level_cells = {"question": level}
    if name := {"rouge_weak": "rouge", "sera_high": "sera"}.get(claim):
        more = _value(tables, "more_systems", (name, f"{name}_low", f"{name}_high"), level_cells)
        return [more, None, None, None]
    ends = ("difference", "difference_low", "difference_high")
    return [
        _value(tables, "more_systems", ("effect", "low_families", "high_families"), level_cells),
        _value(tables, "people", ends, {"level": UNITS[level], **_PEOPLES}, sign=-1),
        _value(tables, "meta", ("effect", "low", "high"), level_cells | {"contrast": "means"}),
        _value(tables, "meta", ("effect", "low", "high"), level_cells | {"contrast": "best"}),
    ]


def _value(
    tables: Mapping[str, pd.DataFrame],
    name: str,
    columns: Sequence[str],
    cells: Mapping[str, str],
    zero: float = 0,
    sign: int = 1,
) -> Value | None:
    """The number of a table in the row by rho with these cells, turned and moved; None without it."""
    if name not in tables:
        return None
    row_cells = {"coefficient": _SPEARMAN, **cells}
    rows = tables[name][(tables[name][list(row_cells)] == list(row_cells.values())).all(axis=1)]
    numbers = [zero + sign * row for row in rows[list(columns)].to_numpy(float)]
    return Value(numbers[0][0], *sorted(numbers[0][1:])) if numbers else None


def _interval(number: Value, signed: bool) -> str:
    middle, low, high = (two_decimals(each, signed) for each in number)
    return "undefined" if np.isnan(number.value) else f"{middle} ({low} to {high})"


def format_markdown(found: pd.DataFrame, confidence: float) -> str:
    """The answer as Markdown, with its rule."""
    lines = [list(found.columns), ["---"] * len(found.columns), *found.to_numpy().tolist()]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return f"{table}\n\n{note(list(found.columns), confidence)}"
