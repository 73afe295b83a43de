"""The one error that this package raises for input it cannot work with."""

from __future__ import annotations

import re
from collections.abc import Iterable
from os import PathLike, fspath

Path = str | PathLike[str]

MOST = 10
"""Faults that one error names at most."""

_LONGEST = 4000  # characters of an error: what it quotes of a file may have no end
_LAST = 800  # of these, of its end, where the remedy stands

# what would break a line, steer a terminal or turn the direction of the text
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


class InputError(ValueError):
    """Bad input: says where it stands, what is wrong, and what to do about it.

    The command line prints it in one line and exits with 2; the workflow fails before or in the
    job that met it, with the same line in the job's log. Whatever of the input is in the message, it
    is one line of printable text, of some thousand characters at most.
    """

    def __init__(
        self,
        problem: str,
        *,
        path: Path | None = None,
        line: int | None = None,
        remedy: str | None = None,
    ) -> None:
        place = "" if path is None else fspath(path) if line is None else f"{fspath(path)}, line {line}"
        text = f"{place}: {problem}" if place else problem
        if remedy:
            text = f"{text.rstrip('.')}. {remedy}"
        super().__init__(_shortened(printable(text)))
        self.problem, self.path, self.line, self.remedy = problem, path, line, remedy


def printable(text: str) -> str:
    """A text as one line that a terminal prints as it stands; what it cannot print is escaped."""
    return _UNPRINTABLE.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def _shortened(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST - _LAST]} [...] {text[-_LAST:]}"


def together(faults: Iterable[InputError]) -> InputError | None:
    """Several faults as one error, at most `MOST` in words; None if there are none.

    The file is named once if it is the same in all, and so is the remedy.
    """
    faults = list(faults)
    if len(faults) < 2:
        return faults[0] if faults else None
    first, shown = faults[0], faults[:MOST]
    if all(fault.path == first.path for fault in faults):
        said = [
            fault.problem if fault.line is None else f"line {fault.line}: {fault.problem}" for fault in shown
        ]
        path, remedy = first.path, first.remedy
    else:
        said, path, remedy = list(map(str, shown)), None, None
    more = "; and more" if len(faults) > MOST else ""
    return InputError("; ".join(said) + more, path=path, remedy=remedy)
