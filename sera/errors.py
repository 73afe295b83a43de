"""The one error that this package raises for input it cannot work with."""

from __future__ import annotations

from os import PathLike


class InputError(ValueError):
    """Bad input: says where it stands, what is wrong, and what to do about it.

    The command line prints it in one line and exits with 2; the workflow fails before or in the
    job that met it, with the same line in the job's log.
    """

    def __init__(
        self,
        problem: str,
        *,
        path: str | PathLike[str] | None = None,
        line: int | None = None,
        remedy: str | None = None,
    ) -> None:
        place = "" if path is None else f"{path}" if line is None else f"{path}, line {line}"
        text = f"{place}: {problem}" if place else problem
        if remedy:
            text = f"{text.rstrip('.')}. {remedy}"
        super().__init__(text)
        self.problem, self.path, self.line, self.remedy = problem, path, line, remedy
