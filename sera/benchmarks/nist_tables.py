"""NIST's tables of scores, and how they name topics, systems and questions."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from sera import limits
from sera.benchmarks import release as parts
from sera.errors import MOST, InputError, together


@dataclass(frozen=True)
class Table:
    """Where in a row what stands, columns counted from 0, parted by white space.

    ``scores`` are the columns of the judgements; more columns may follow. ``annotator`` is the column that
    tells who judged, if there is one, and ``question`` that which tells, by number, which of `QUESTIONS` was
    answered. ``headed`` tables begin with lines that are no rows.
    """

    scores: dict[str, int]
    system: int = 1
    annotator: int | None = None
    question: int | None = None
    headed: bool = False

    @property
    def columns(self) -> int:
        """How many a row has at least."""
        return max(self.system, self.annotator or 0, *self.scores.values()) + 1


RESPONSIVENESS, CONTENT, LINGUISTIC = "responsiveness", "content_responsiveness", "linguistic_quality"
PYRAMID, MODIFIED = "pyramid", "modified_pyramid"
QUESTIONS = ("grammaticality", "non_redundancy", "referential_clarity", "focus", "structure_and_coherence")
"""What the five questions of linguistic quality are, DUC 2005 to 2007."""

_GRADES = (RESPONSIVENESS, CONTENT, LINGUISTIC)
_HIGHEST = 10  # TAC 2009 graded from 1 to 10, the others from 1 to 5


def _asked(name: str) -> Table:
    return Table({name: 4}, system=3, annotator=2, headed=True)


SPLIT = "manual.peer.[a-z]"
TABLES = {
    "manual.peer": Table({MODIFIED: 2, LINGUISTIC: 7, RESPONSIVENESS: 8}, annotator=5),  # TAC 2008
    SPLIT: Table({MODIFIED: 2, LINGUISTIC: 8, RESPONSIVENESS: 9}, annotator=5),  # 2009 to 2011
    "responsiveness.table": _asked(RESPONSIVENESS),  # DUC 2005
    "overall.table": _asked(RESPONSIVENESS),  # 2006
    "content.table": _asked(CONTENT),  # 2006, 2007
    "linguistic_quality.table": Table({LINGUISTIC: 5}, system=3, annotator=2, question=4, headed=True),
    "processed_pans.txt": Table({PYRAMID: 2, MODIFIED: 3}, annotator=6),  # 2005
    "2006_modified_scores.txt": Table({MODIFIED: 2}, annotator=5),
    "2007_modified_scores.txt": Table({MODIFIED: 2}),
}
"""The tables that are read, by a file's name in small letters."""
_TOPIC = re.compile(r"d?(\d{3,4})[a-z]?(-[a-z])?", re.IGNORECASE | re.ASCII)


def topic_id(name: str) -> str | None:
    """The id of a set of documents that is named in one of NIST's ways; None for another name."""
    match = _TOPIC.fullmatch(name)
    return f"D{match[1]}{match[2] or ''}".upper() if match else None


def text_of(path: Path) -> str:
    """A file's text, line ends ``\\n``: UTF-8, or Latin-1 where it is not that."""
    return parts.text(path, "latin-1").replace("\r\n", "\n").replace("\r", "\n")


def system_number(summarizer: str) -> str | None:
    """A system's number (in DUC 2006's table 01 is 1), or None for a human's letter."""
    return str(int(summarizer)) if re.fullmatch("[0-9]{1,6}", summarizer) else None


class Score(NamedTuple):
    path: Path
    line: int
    topic: str
    system: str
    annotator: str | None
    judgement: str
    value: float


def scores_of(path: Path, table: Table) -> Iterator[Score]:
    """The scores of systems in a table; InputError with the lines, up to ten, for what is no row."""
    begun = False
    faults: list[InputError] = []
    for line, text in enumerate(text_of(path).split("\n"), 1):
        cells = text.split()
        if not cells or (table.headed and not begun and not _is_row(cells, table)):
            continue
        begun = True
        try:
            yield from _scores(cells, table, path, line)
        except InputError as error:
            faults.append(error)
            if len(faults) > MOST:
                break
    if fault := together(faults):
        raise fault
    if not begun:
        raise InputError("holds no row", path=path)


def _scores(cells: list[str], table: Table, path: Path, line: int) -> list[Score]:
    """The scores of a row; none of a human's. InputError for what is no row."""
    topic = topic_id(cells[0])
    if topic is None or len(cells) < table.columns:
        raise InputError(
            f"is no row: it does not begin with a topic, or has {len(cells)} columns of {table.columns}",
            path=path,
            line=line,
        )
    summarizer = cells[table.system]
    system = system_number(summarizer)
    if system is None and not summarizer.isalpha():
        raise InputError(
            f"summarizer {summarizer[:60]!r} is neither a number nor a letter", path=path, line=line
        )
    if system is None:
        return []
    annotator = None if table.annotator is None else cells[table.annotator]
    question = None if table.question is None else _question(cells[table.question], path, line)
    return [
        Score(path, line, topic, system, annotator, question or name, _value(cells[column], name, path, line))
        for name, column in table.scores.items()
    ]


def _is_row(cells: list[str], table: Table) -> bool:
    """Whether a line is a row of scores and not one of those above the first row."""
    fits = topic_id(cells[0]) is not None and len(cells) >= table.columns
    return fits and all(cells[column].isdigit() for column in table.scores.values())


def _value(text: str, name: str, path: Path, line: int) -> float:
    """A grade is a whole number, a Pyramid score any; both are from 0 to `_HIGHEST`."""
    if len(text) > limits.NUMBER.value:
        raise limits.NUMBER.passed(path=path, line=line)
    value = float(text) if _DECIMAL.fullmatch(text) else math.nan
    graded = name in _GRADES
    if not (0 <= value <= _HIGHEST) or (graded and value != int(value)):
        kind = "whole number" if graded else "number"
        raise InputError(f"{name} {text[:60]!r} is no {kind} from 0 to {_HIGHEST}", path=path, line=line)
    return value


_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,6})?")


def _question(text: str, path: Path, line: int) -> str:
    if not re.fullmatch(f"[1-{len(QUESTIONS)}]", text):
        raise InputError(f"{text[:60]!r} is none of the {len(QUESTIONS)} questions", path=path, line=line)
    return QUESTIONS[int(text) - 1]
