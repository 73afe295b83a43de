"""`InputError`, which this package raises for all input that it cannot work with."""

from __future__ import annotations

import re
from collections.abc import Iterable
from os import PathLike, fspath

Path = str | PathLike[str]

MOST_FAULTS = 10
"""The most faults that one error names."""

_LONGEST = 4000  # characters in an error: it may quote a line of any length
_LAST = 800  # characters kept from the end of an error that is too long: the remedy is there

# characters that break a line, control a terminal or change the direction of the text
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


class InputError(ValueError):
    """Bad input: where it is, what is wrong, and what to do about it.

    ``problem``: a sentence without its full stop, or its predicate if the file ``path`` is the subject;
    ``line``: the line in that file, from 1; ``remedy``: an imperative sentence.

    The command line prints the error and exits with 2. The workflow stops before the job that reads the
    input, or in it, and then the job's log holds the error. The message is one line of printable text, at
    most some 4,000 characters, even if it quotes the input.
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
    """A text as one line that is safe to print on a terminal; other characters are escaped."""
    return _UNPRINTABLE.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def _shortened(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST - _LAST]} [...] {text[-_LAST:]}"


def together(faults: Iterable[InputError]) -> InputError | None:
    """Several faults as one error, which names at most `MOST_FAULTS` of them; None if there are none.

    If all faults are in one file, the error names the file and the first fault's remedy once.
    """
    faults = list(faults)
    if len(faults) < 2:
        return faults[0] if faults else None
    first, shown = faults[0], faults[:MOST_FAULTS]
    if all(fault.path == first.path for fault in faults):
        said = [
            fault.problem if fault.line is None else f"line {fault.line}: {fault.problem}" for fault in shown
        ]
        path, remedy = first.path, first.remedy
    else:
        said, path, remedy = list(map(str, shown)), None, None
    more = "; and more" if len(faults) > MOST_FAULTS else ""
    return InputError("; ".join(said) + more, path=path, remedy=remedy)
