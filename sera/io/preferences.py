"""Preferences: which of two systems' summaries of a topic a judge found better (``preferences.tsv``).

============  ===============================================
topic         the topic of both summaries
system_a      the system of the first summary
system_b      the system of the second summary
judge         who preferred; may be empty or left out
preference    ``A``, ``B`` or ``tie``
============  ===============================================
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple
from os import PathLike

import pandas as pd

from sera.errors import Faults, InputError
from sera.io import tsv
from sera.io.records import Preference
from sera.names import check

COLUMNS = ["topic", "system_a", "system_b", "judge", "preference"]
CHOICES = ("A", "B", "tie")
_NEEDED = [name for name in COLUMNS if name != "judge"]


def read_choices(path: str | PathLike[str]) -> pd.DataFrame:
    """Read preferences with the columns of `COLUMNS`; the index is each row's line.

    The judge is an empty text where none is named. InputError for a table without the columns or without a
    row, and, with up to ten lines, for a preference that is none of `CHOICES`, a system that is compared with
    itself, and a pair that the same judge compares twice.
    """
    table = tsv.read(path, _NEEDED, named=_NEEDED[:-1])
    if table.empty:
        raise InputError("holds no preference", path=path, remedy="Add a line for each preference.")
    if "judge" not in table:
        table["judge"] = ""
    for name in filter(None, table["judge"].unique()):
        check("judge", name, path=path, line=int((table["judge"] == name).idxmax()))
    faults, seen = Faults(), set()
    for line, topic, a, b, judge, choice in table[COLUMNS].itertuples(name=None):
        pair = (topic, frozenset((a, b)), judge)
        problem = ""
        if choice not in CHOICES:
            problem = f"the preference {choice[:40]!r} is none of {', '.join(CHOICES)}"
        elif a == b:
            problem = f"{a!r} is compared with itself"
        elif judge and pair in seen:
            problem = f"{judge} compares {a} with {b} for {topic} twice"
        seen.add(pair)
        if problem:
            remedy = "Write A, B or tie, and each pair of two systems once a judge."
            faults.append(InputError(problem, path=path, line=int(line), remedy=remedy))
    faults.raise_all()
    return table[COLUMNS]


def write_choices(path: str | PathLike[str], preferences: Iterable[Preference]) -> None:
    """Write preferences as TSV with the columns of `COLUMNS`."""
    tsv.write(path, pd.DataFrame(map(astuple, preferences), columns=COLUMNS))


def decided(choices: pd.DataFrame) -> pd.DataFrame:
    """The preferences of `read_choices` that are no ties, as columns topic, better and worse."""
    kept = choices[choices["preference"] != "tie"]
    first = kept["preference"] == "A"
    return pd.DataFrame(
        {
            "topic": kept["topic"],
            "better": kept["system_a"].where(first, kept["system_b"]),
            "worse": kept["system_b"].where(first, kept["system_a"]),
        }
    )
