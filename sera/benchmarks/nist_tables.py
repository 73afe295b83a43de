"""NIST's tables of scores, with their names of topics, systems and questions."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import dropwhile
from pathlib import Path
from typing import NamedTuple

from sera.benchmarks import release as parts
from sera.errors import InputError

RESPONSIVENESS, CONTENT, LINGUISTIC = "responsiveness", "content_responsiveness", "linguistic_quality"
PYRAMID, MODIFIED = "pyramid", "modified_pyramid"
NIST_QUESTIONS = (
    *("grammaticality", "non_redundancy", "referential_clarity", "focus"),
    "structure_and_coherence",
)
"""The five questions of linguistic quality, DUC 2005 to 2007."""
JUDGEMENTS = (PYRAMID, MODIFIED, RESPONSIVENESS, CONTENT, LINGUISTIC, *NIST_QUESTIONS)
"""All judgements, in the order in which they are listed."""
WHOLE = "Unpack the table as NIST gave it."
_HIGHEST = 10  # TAC 2009 graded from 1 to 10, the others from 1 to 5


@dataclass(frozen=True)
class Table:
    """The columns of a table, numbered from 0 and separated by white space; the first is the topic.

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


def _grades(name: str) -> Table:
    return Table({name: 4}, system=3, annotator=2, headed=True)


SPLIT = "manual.peer.[a-z]"
TABLES = {
    "manual.peer": Table({MODIFIED: 2, LINGUISTIC: 7, RESPONSIVENESS: 8}, annotator=5),  # TAC 2008
    SPLIT: Table({MODIFIED: 2, LINGUISTIC: 8, RESPONSIVENESS: 9}, annotator=5),  # 2009 to 2011
    "responsiveness.table": _grades(RESPONSIVENESS),  # DUC 2005
    "overall.table": _grades(RESPONSIVENESS),  # 2006
    "content.table": _grades(CONTENT),  # 2006, 2007
    "linguistic_quality.table": Table({LINGUISTIC: 5}, system=3, annotator=2, question=4, headed=True),
    "processed_pans.txt": Table({PYRAMID: 2, MODIFIED: 3}, annotator=6),  # 2005
    "2006_modified_scores.txt": Table({MODIFIED: 2}, annotator=5),
    "2007_modified_scores.txt": Table({MODIFIED: 2}),
}
"""The tables that are read, by the file's name in lower case."""


def topic_id(name: str) -> str | None:
    """The id of a set of documents from any of NIST's names for it; None for another name."""
    match = re.fullmatch(r"d?(\d{3,4})[a-z]?(-[a-z])?", name, re.IGNORECASE | re.ASCII)
    return f"D{match[1]}{match[2] or ''}".upper() if match else None


def text_of(path: Path) -> str:
    """A file's text with line ends ``\\n``, decoded as UTF-8, or else as Latin-1."""
    return parts.decoded_text(path, "latin-1").replace("\r\n", "\n").replace("\r", "\n")


def system_number(summarizer: str) -> str | None:
    """A system's number without leading zeros (DUC 2006 writes 01), or None for a human's letter.

    InputError for another text.
    """
    if not summarizer.isdecimal() and not summarizer.isalpha():
        raise InputError(f"summarizer {summarizer[:60]!r} is neither a number nor a letter")
    return None if summarizer.isalpha() else str(int(summarizer))


class NistScore(NamedTuple):
    """A score of a system's summary, with its place in a table."""

    path: Path
    line: int
    topic: str
    system: str
    annotator: str
    judgement: str
    value: float


def scores_of(path: Path, table: Table) -> Iterator[NistScore]:
    """The scores of systems in a table; InputError names up to ten lines that are not rows."""
    rows = [
        (line, cells) for line, text in enumerate(text_of(path).split("\n"), 1) if (cells := text.split())
    ]
    if table.headed:  # a row has its score where the heads have words
        score = max(table.scores.values())
        rows = list(dropwhile(lambda row: len(row[1]) <= score or not row[1][score].isdigit(), rows))
    if not rows:
        raise InputError("holds no row", path=path, remedy=WHOLE)
    for line, scores in parts.each_parsed(path, rows, lambda cells: list(_scores(cells, table)), WHOLE):
        yield from (NistScore(path, line, *score) for score in scores)


def _scores(cells: list[str], table: Table) -> Iterator[tuple[str, str, str, str, float]]:
    """The fields of a row's scores, none for a human's; InputError if the cells are not a row."""
    topic = topic_id(cells[0])
    if topic is None or len(cells) < table.columns:
        raise InputError(f"is not a row of {table.columns} columns that begins with a topic")
    if (system := system_number(cells[table.system])) is None:
        return
    annotator = "" if table.annotator is None else cells[table.annotator]
    for name, column in table.scores.items():
        if table.question is not None:
            number = value_of(cells[table.question], "question", len(NIST_QUESTIONS), 1)
            name = NIST_QUESTIONS[int(number) - 1]
        yield topic, system, annotator, name, value_of(cells[column], name, _HIGHEST)


def value_of(text: str, name: str, highest: float, lowest: float = 0) -> float:
    """A score in a range; InputError for any other text."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not lowest <= value <= highest:
        raise InputError(f"{name} {text[:60]!r} is not a number from {lowest:g} to {highest:g}")
    return value
