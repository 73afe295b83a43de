"""The answer of a study: three short paragraphs and a table of four questions.

The page of a study, docs/replication.md and README.md show them from one template, answer.j2, so that they
agree. All numbers are Spearman's rho with the judgement, or differences of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
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
MARKS = "<!-- answer -->", "<!-- /answer -->"
"""The lines of README.md between which `in_readme` writes the answer."""

_SPEARMAN = "spearman"
WEAK, HIGH = 0.512, 0.618
"""The highest mean rho that the paper calls weak and the lowest that it calls high (claims_table_2.yaml)."""


class Value(NamedTuple):
    """A number with the ends of its interval; NaN where undefined."""

    value: float
    low: float = np.nan
    high: float = np.nan

    def turned(self, whole: float) -> Value:
        """``whole`` less the value."""
        return Value(whole - self.value, whole - self.high, whole - self.low)

    def plus(self, more: float) -> Value:
        return Value(*(each + more for each in self))


Own = Mapping[tuple[str, str], Value]
"""The effects of claims in the study's own settings, by question and claim."""

_QUESTIONS = (
    # question, claim, the number that the row shows from the claim's effect
    ("systems", "rouge_weak", lambda effect: effect.turned(WEAK)),
    ("systems", "sera_high", lambda effect: effect.plus(HIGH)),
    ("systems", "sera_above_rouge", lambda effect: effect),
    ("summaries", "sera_above_rouge", lambda effect: effect),
)
_ROWS = (
    "Is ROUGE weak, at most 0.51? (mean of ROUGE-1 and -L)",
    "Is SERA high, at least 0.62? (mean of its variants)",
    "Is SERA above ROUGE in ranking systems?",
    "Is SERA above ROUGE in ranking single summaries?",
)
HEADS = (
    "question", "paper", "here, 95% interval", "variants of the settings: median, 5% to 95%",
    "variants that say yes; by chance", "more systems", "other benchmarks", "verdict",
)  # fmt: skip

IN_README = ("question", "paper", "here, 95% interval", "verdict")
"""The columns that README.md shows."""


def printed_table(path: str | PathLike[str]) -> np.ndarray:
    """The paper's Table 2, (metric, coefficient), in the order of `METRICS`."""
    table = read_published(path).set_index("metric").loc[list(METRICS)]
    return table.drop(columns="against").to_numpy(float)


def own_of_scores(scores: Scores, against: str, bootstrap: Bootstrap, confidence: float) -> Own:
    """The effects in the study's own settings, from scores of all `METRICS` and the judgement ``against``."""
    names = [*METRICS, against]
    judged = scores.keep_judged(against)
    values = np.stack([judged.metric(name) for name in names])
    judged = Scores((*METRICS, "Pyramid"), judged.topics, judged.systems, values)
    found: dict[tuple[str, str], Value] = {}
    for question, level in (("systems", "system"), ("summaries", "summary")):
        point = effects(table2(judged, level))
        drawn = effects(table2(judged, level, topics=bootstrap.draw_topics(len(judged.topics))))
        for of, claim, _ in _QUESTIONS:
            place = outcome_number(claim, _SPEARMAN)
            if of == question:
                ends = percentile_interval(drawn[:, place], confidence)
                found[question, claim] = Value(float(point[place]), *map(float, ends))
    return found


def answer(own: Own, *, paper: np.ndarray | None, systems: int, files: Mapping[str, Any]) -> dict[str, Any]:
    """The paragraphs and the rows of the answer, as text, and which columns have a value (``filled``).

    ``paper`` is the printed Table 2, (metric, coefficient) as in `METRICS`; None for data that the paper does
    not describe. ``systems`` counts those compared. ``files`` has the paths of the results that exist:
    ``claims`` and ``null`` of the multiverse, ``more_systems`` and ``meta``.
    """
    rows_of = _Rows(files)
    printed = None if paper is None else effects(paper)
    rows = []
    shown: list[Value] = []
    for (question, claim, number), name in zip(_QUESTIONS, _ROWS, strict=True):
        if (question, claim) not in own:
            continue
        here = number(own[question, claim])
        shown.append(here)
        difference = claim == HEADLINE
        of_claim, of_null = (rows_of(table, question=question, claim=claim) for table in ("claims", "null"))
        cells = [name, "not asked" if question == "summaries" else "–"]
        if printed is not None and question == "systems":
            effect = Value(float(printed[outcome_number(claim, _SPEARMAN)]))
            cells[1] = _number(number(effect).value, difference)
        cells.append(_interval(here, difference))
        if of_claim is None or of_null is None:
            cells += ["not run", "not run"]
        else:
            middle = number(Value(of_claim["effect_50"], of_claim["effect_5"], of_claim["effect_95"]))
            cells.append(_interval(middle, difference))
            cells.append(f"{percent(of_claim['share'])}; {percent(of_null['null_share'])}")
        more = rows_of("more_systems", question=question)
        column = "effect" if difference else "rouge" if claim == "rouge_weak" else "sera"
        cells.append(_interval(_of_more(more, column), difference) if more else "not run")
        others = [
            f"{note}{_interval(_of_meta(row), True)}"
            for contrast, note in (("means", ""), ("best", "best against best "))
            if (row := rows_of("meta", question=question, contrast=contrast))
        ]
        cells.append("; ".join(others) or "not run" if difference else "–")
        cells.append("none: synthetic" if paper is None else _YES[_verdict(own[question, claim], of_null)])
        rows.append(dict(zip(HEADS, cells, strict=True)))
    empty = {"–", "not run", "not asked"}
    return {
        "heads": HEADS,
        "filled": [head for head in HEADS if {row[head] for row in rows} - empty],
        "rows": rows,
        "paragraphs": [
            _on_rouge(shown[0], systems, printed, rows_of),
            *(
                _on_ranking(question, lead, systems, rows_of)
                for question, lead in zip(("systems", "summaries"), shown[2:], strict=False)
            ),
        ],
    }


class _Rows:
    """The rows by Spearman's rho of the tables of other results, of those that exist."""

    def __init__(self, files: Mapping[str, Any]) -> None:
        readers = dict.fromkeys(("claims", "null"), read_answer)
        readers |= dict.fromkeys(
            ("more_systems", "meta"), partial(read_tsv, texts=[*TEXTS, "question", "contrast"])
        )
        self._tables = {name: read(files[name]) for name, read in readers.items() if name in files}

    def __call__(self, name: str, **chosen: str) -> dict[str, Any] | None:
        """The one row of a table with these cells; None without the table or the row."""
        table = self._tables.get(name, pd.DataFrame(columns=["coefficient", *chosen]))
        for column, value in {"coefficient": _SPEARMAN, **chosen}.items():
            table = table[table[column] == value]
        return table.iloc[0].to_dict() if len(table) else None


def _of_more(row: Mapping[str, Any], name: str) -> Value:
    low, high = ("low_families", "high_families") if name == "effect" else (f"{name}_low", f"{name}_high")
    return Value(row[name], row[low], row[high])


def _of_meta(row: Mapping[str, Any]) -> Value:
    return Value(row["effect"], row["low"], row["high"])


def _number(value: float, signed: bool) -> str:
    return f"{'+' if signed and round(value, 2) > 0 else ''}{two_decimals(value)}"


def _interval(value: Value, signed: bool) -> str:
    if np.isnan(value.value):
        return "undefined"
    return f"{_number(value.value, signed)} ({_ends(value, signed)})"


def _ends(value: Value, signed: bool) -> str:
    return f"{_number(value.low, signed)} to {_number(value.high, signed)}"


def _verdict(own: Value, null: dict[str, Any] | None) -> str:
    """The verdict of the multiverse; without it, that of the interval of the own effect."""
    if null is not None:
        return verdict(null, (own.low, own.high))
    return "confirmed" if own.low > 0 else "fails" if own.high < 0 else "undecided"


_YES = {"confirmed": "yes", "fails": "no", "undecided": "undecided", "undefined": "undefined"}
"""The answers to the questions, by the verdict on the claim."""


def _on_rouge(weak: Value, systems: int, printed: np.ndarray | None, rows_of: _Rows) -> str:
    """The paragraph on how well ROUGE-1 and ROUGE-L follow Pyramid."""
    if weak.low <= WEAK <= weak.high:
        what = "may or may not be weak"
    else:
        what = "is weak" if weak.high < WEAK else "is not weak"
    details = _ends(weak, signed=False)
    if row := rows_of("claims", question="systems", claim="rouge_weak"):
        variants = f"{row['universes'] - row['undefined']:,} variants of the settings"
        details += f"; over {variants}, the median is {two_decimals(WEAK - row['effect_50'])}"
    beside = ""
    if printed is not None:
        effect = float(printed[outcome_number("rouge_weak", _SPEARMAN)])
        beside = f", not {two_decimals(WEAK - effect)} as printed"
    said = (
        f"On these {systems} systems, ROUGE {what}: ROUGE-1 and ROUGE-L correlate {two_decimals(weak.value)} "
        f"with Pyramid on average ({details}){beside}."
    )
    if row := rows_of("more_systems", question="systems"):
        other = _interval(_of_more(row, "rouge"), False)
        said += f" With {row['systems']:.0f} systems, the average is {other}."
    return said


def _on_ranking(question: str, lead: Value, systems: int, rows_of: _Rows) -> str:
    """The paragraph on whether SERA or ROUGE is ahead in ranking systems or single summaries."""
    where = f"the {systems} systems" if question == "systems" else "single summaries"
    said = f"In ranking {where}, {_ahead(lead, rows_of('claims', question=question, claim=HEADLINE))}."
    if question == "systems" and (row := rows_of("more_systems", question=question)):
        other = _of_more(row, "effect")
        where = f"{row['systems']:.0f} systems of {row['families']:.0f} families"
        if _open(lead) and _open(other):
            said += f" Nor can they with {where}: the difference is {_interval(other, True)}."
        else:
            said += f" With {where}, {_ahead(other)}."
    if question == "summaries" and (row := rows_of("meta", question=question, contrast="best")):
        best = ("the best variant of SERA", "the best variant of ROUGE")
        where = f"{row['benchmarks']:.0f} other benchmarks, judged by people"
        said += f" Pooled over {where}, {_ahead(_of_meta(row), families=best)}"
        if means := rows_of("meta", question=question, contrast="means"):
            said += f"; SERA's mean less ROUGE's is {_interval(_of_meta(means), True)}"
        said += "."
    return said


def _open(lead: Value) -> bool:
    return bool(lead.low <= 0 <= lead.high)


def _ahead(
    lead: Value, middle: Mapping[str, Any] | None = None, families: tuple[str, str] = ("SERA", "ROUGE")
) -> str:
    """Which family is ahead, never beyond what the interval allows; ``middle``: the row of the variants.

    Where one is ahead, all numbers are its lead.
    """
    if np.isnan(lead.value):
        return "the difference is undefined"
    sera, rouge = families
    undecided = _open(lead)
    ahead = lead if undecided or lead.value > 0 else lead.turned(0)
    numbers = _ends(ahead, signed=undecided)
    if middle is not None:
        value = middle["effect_50"] if ahead is lead else -middle["effect_50"]
        numbers += f"; median of the variants {_number(value, undecided)}"
    if undecided:
        difference = f"{_number(lead.value, True)} ({numbers})"
        return f"{sera} and {rouge} cannot be told apart: their difference is {difference}"
    return f"{sera if ahead is lead else rouge} is ahead by {two_decimals(ahead.value)} ({numbers})"


def in_markdown(found: Mapping[str, Any]) -> str:
    """The answer as Markdown, from the template."""
    return fill_template(TEMPLATE, answer=found, form="markdown").strip()


def in_readme(readme: str | PathLike[str], page: str) -> str:
    """README.md with the answer of a page of `page.write_page` between `MARKS`; empty if it lacks these.

    Of the table it has the columns `IN_README`.
    """
    start, end = MARKS
    before, found, rest = Path(readme).read_text(encoding="utf-8").partition(start)
    lines = page.partition(start)[2].partition(end)[0].splitlines()
    kept = [HEADS.index(head) + 1 for head in IN_README]
    for place, line in enumerate(lines):
        if line.startswith("|"):
            cells = line.split("|")
            lines[place] = "|".join(["", *(cells[number] for number in kept), ""])
    block = "\n".join(lines)
    return f"{before}{start}{block}\n{end}{rest.partition(end)[2]}" if found else ""
