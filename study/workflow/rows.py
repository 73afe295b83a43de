"""The rows of tables that jobs of a run wrote, for a job that puts them together."""

from collections.abc import Iterator
from os import PathLike

from sera.errors import InputError
from sera.io.files import lines


def rows_below(header: str, path: str | PathLike[str], *, cut: bool = False) -> Iterator[str]:
    """The lines of a table below its header; InputError for another header.

    With ``cut``, columns behind those of the header, such as notes, are left out.
    """
    columns = header.count("\t") + 1
    for number, line in lines(path):
        row = "\t".join(line.split("\t")[:columns]) if cut else line
        if number > 1:
            yield row
        elif row != header:
            problem = f"has the header {row!r}, not {header!r}"
            remedy = "Delete it and run again; the run recreates it."
            raise InputError(problem, path=path, line=1, remedy=remedy)
