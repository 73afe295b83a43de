"""NIST's tables of scores, with their names of topics, systems and questions."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from sera.benchmarks import release as parts
from sera.errors import Faults, InputError
from sera.io import limits


@dataclass(frozen=True)
class Table:
    """The columns of a table, numbered from 0 and separated by white space.

    ``scores`` has the column of each judgement; more columns may follow. ``annotator`` is the column that
    names the judge, if there is one, and ``question`` the column with the number of the question, as in
    `NIST_QUESTIONS`. ``headed`` tables begin with lines that are not rows.
    """

    scores: dict[str, int]
    system: int = 1
    annotator: int | None = None
    question: int | None = None
    headed: bool = False

    @property
    def columns(self) -> int:
        """The least number of columns of a row."""
        return max(self.system, self.annotator or 0, *self.scores.values()) + 1


RESPONSIVENESS, CONTENT, LINGUISTIC = "responsiveness", "content_responsiveness", "linguistic_quality"
PYRAMID, MODIFIED = "pyramid", "modified_pyramid"
NIST_QUESTIONS = (
    "grammaticality",
    "non_redundancy",
    "referential_clarity",
    "focus",
    "structure_and_coherence",
)
"""The five questions of linguistic quality, DUC 2005 to 2007."""

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
"""The tables that are read, by the file's name in lower case."""
WHOLE = "Unpack the table as NIST gave it."
_TOPIC = re.compile(r"d?(\d{3,4})[a-z]?(-[a-z])?", re.IGNORECASE | re.ASCII)


def topic_id(name: str) -> str | None:
    """The id of a set of documents from any of NIST's names for it; None for another name."""
    match = _TOPIC.fullmatch(name)
    return f"D{match[1]}{match[2] or ''}".upper() if match else None


def text_of(path: Path) -> str:
    """A file's text with line ends ``\\n``, decoded as UTF-8, or else as Latin-1."""
    return parts.decoded_text(path, "latin-1").replace("\r\n", "\n").replace("\r", "\n")


def system_number(summarizer: str) -> str | None:
    """A system's number without leading zeros (DUC 2006 writes 01), or None for a human's letter."""
    return str(int(summarizer)) if re.fullmatch("[0-9]{1,6}", summarizer) else None


class NistScore(NamedTuple):
    path: Path
    line: int
    topic: str
    system: str
    annotator: str | None
    judgement: str
    value: float


def scores_of(path: Path, table: Table) -> Iterator[NistScore]:
    """The scores of systems in a table; InputError names up to ten lines that are not rows."""
    begun = False
    faults = Faults()
    for line, text in enumerate(text_of(path).split("\n"), 1):
        cells = text.split()
        if not cells or (table.headed and not begun and not _is_row(cells, table)):
            continue
        begun = True
        try:
            yield from _scores(cells, table, path, line)
        except InputError as error:
            faults.append(error)
    faults.raise_all()
    if not begun:
        raise InputError("holds no row", path=path, remedy=WHOLE)


def _scores(cells: list[str], table: Table, path: Path, line: int) -> list[NistScore]:
    """The scores of a row, none for a human's; InputError if the cells are not a row."""
    topic = topic_id(cells[0])
    if topic is None or len(cells) < table.columns:
        problem = (
            f"is not a row: it does not begin with a topic, or has {len(cells)} columns of {table.columns}"
        )
        raise InputError(problem, path=path, line=line, remedy=WHOLE)
    summarizer = cells[table.system]
    system = system_number(summarizer)
    if system is None and not summarizer.isalpha():
        problem = f"summarizer {summarizer[:60]!r} is neither a number nor a letter"
        raise InputError(problem, path=path, line=line, remedy=WHOLE)
    if system is None:
        return []
    annotator = None if table.annotator is None else cells[table.annotator]
    question = None if table.question is None else _question(cells[table.question], path, line)
    return [
        NistScore(
            *(path, line, topic, system, annotator, question or name),
            value_of(cells[column], name, _HIGHEST, path, line, whole=name in _GRADES),
        )
        for name, column in table.scores.items()
    ]


def _is_row(cells: list[str], table: Table) -> bool:
    """Whether a line is a row of scores, not a line above the first row."""
    fits = topic_id(cells[0]) is not None and len(cells) >= table.columns
    return fits and all(cells[column].isdigit() for column in table.scores.values())


def value_of(text: str, name: str, highest: float, path: Path, line: int, *, whole: bool = False) -> float:
    """A score from 0 to ``highest``; InputError for any other text and, if ``whole``, for a fraction."""
    if len(text) > limits.NUMBER.value:
        raise limits.NUMBER.passed(path=path, line=line)
    value = float(text) if _DECIMAL.fullmatch(text) else math.nan
    if not (0 <= value <= highest) or (whole and value != int(value)):
        problem = f"{name} {text[:60]!r} is not a {'whole ' * whole}number from 0 to {highest}"
        raise InputError(problem, path=path, line=line, remedy=WHOLE)
    return value


_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,6})?")


def _question(text: str, path: Path, line: int) -> str:
    if not re.fullmatch(f"[1-{len(NIST_QUESTIONS)}]", text):
        problem = f"{text[:60]!r} is not one of the {len(NIST_QUESTIONS)} questions"
        raise InputError(problem, path=path, line=line, remedy=WHOLE)
    return NIST_QUESTIONS[int(text) - 1]
