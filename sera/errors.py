"""`InputError`, which this package raises for all input that it cannot work with."""

import re
from collections.abc import Callable, Iterable
from os import PathLike, fspath
from typing import Any, TypeVar

Path = str | PathLike[str]
_Found = TypeVar("_Found")
_Item = TypeVar("_Item")

MOST_FAULTS = 10
"""The most faults that one error names."""

# characters that break a line, control a terminal or change the direction of the text
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


class InputError(ValueError):
    """Bad input: where it is, what is wrong, and what to do about it.

    ``problem``: a sentence without its full stop, or its predicate if the file ``path`` is the subject;
    ``line``: the line in that file, from 1, or several as text ("1, 4"); ``remedy``: an imperative sentence.

    The command line prints the error and exits with 2. The workflow stops before the job that reads the
    input, or in it, and then the job's log holds the error. The message is one line of printable text.
    ``lines`` has the message too, with a line for each fault if the error is of several (`together`).
    """

    def __init__(
        self,
        problem: str,
        *,
        path: Path | None = None,
        line: int | str | None = None,
        remedy: str | None = None,
    ) -> None:
        place = "" if path is None else fspath(path) if line is None else f"{fspath(path)}, {_place(line)}"
        text = f"{place}: {problem}" if place else problem
        if remedy:
            text = f"{text.rstrip('.')}. {remedy}"
        super().__init__(printable(text))
        self.problem, self.path, self.line, self.remedy = problem, path, line, remedy
        self.lines: tuple[str, ...] = (str(self),)


def _place(line: int | str) -> str:
    return f"lines {line}" if isinstance(line, str) else f"line {line}"


def printable(text: str) -> str:
    """A text as one line that is safe to print on a terminal; other characters are escaped."""
    return _UNPRINTABLE.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def first_line(error: Exception, longest: int = 300) -> str:
    """The first line of an error of another package, or its type; at most ``longest`` characters."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:longest]


class Faults(list[InputError]):
    """Faults of input, to be raised together."""

    def checked(self, check: Callable[..., _Found], *arguments: Any, **options: Any) -> _Found | None:
        """What the check returns; None if it raises an InputError, which is kept."""
        try:
            return check(*arguments, **options)
        except InputError as error:
            self.append(error)
            return None

    def raise_all(self) -> None:
        """Raise one InputError for all that are kept (`together`), if there are any."""
        if fault := together(self):
            raise fault


def checked_each(check: Callable[[_Item], _Found], items: Iterable[_Item]) -> list[_Found]:
    """What a check returns for each item; after all of them, one InputError for those that it refuses."""
    faults = Faults()
    found = [faults.checked(check, item) for item in items]
    faults.raise_all()
    return found  # type: ignore[return-value]


def together(faults: Iterable[InputError]) -> InputError | None:
    """Several faults as one error, which names at most `MOST_FAULTS` of them, each once; None without any.

    The same problem in several lines of a file is named once. If all faults are in one file, or all have one
    remedy, the error names the file and the first fault's remedy once; otherwise each with its own. The
    number of the faults that are not named follows. In ``lines`` each fault has a line.
    """
    found = list({str(fault): fault for fault in faults}.values())
    if len(found) < 2:
        return found[0] if found else None
    shown, more = _merged(found[:MOST_FAULTS]), len(found) - MOST_FAULTS
    first = shown[0]
    left = [f"And {more} more."] if more > 0 else []
    if all(fault.path == first.path and (fault.path or fault.remedy == first.remedy) for fault in shown):
        problems = [
            fault.problem if fault.line is None else f"{_place(fault.line)}: {fault.problem}"
            for fault in shown
        ]
        text = "; ".join(problems) + (f"; and {more} more" if left else "")
        error = InputError(text, path=first.path, remedy=first.remedy)
    else:
        texts = (str(fault) for fault in shown)
        ended = (text if text.endswith((".", "?")) else f"{text}." for text in texts)
        error = InputError(" ".join([*ended, *left]))
    error.lines = (*(line for fault in shown for line in fault.lines), *left)
    return error


def _merged(faults: Iterable[InputError]) -> list[InputError]:
    """The faults, those of one problem in several lines of a file as one."""
    alike: dict[Any, list[InputError]] = {}
    for fault in faults:
        key = fault if fault.line is None else (fault.path, fault.problem, fault.remedy)
        alike.setdefault(key, []).append(fault)
    merged = []
    for first, *others in alike.values():
        lines = ", ".join(str(fault.line) for fault in (first, *others))
        one = InputError(first.problem, path=first.path, line=lines, remedy=first.remedy)
        merged.append(one if others else first)
    return merged
