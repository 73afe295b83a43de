"""Data frames of polars and tables of pyarrow beside those of pandas; neither library is imported here."""

from __future__ import annotations

from typing import Any

import pandas as pd

from sera.errors import InputError
from sera.registry import listed_found

_KINDS = (("polars", "DataFrame"), ("pyarrow", "Table"), ("pyarrow", "RecordBatch"))


def library_of(table: Any) -> str | None:
    """The library of a data frame or table: "pandas", "polars" or "pyarrow"; None if it is neither."""
    if isinstance(table, pd.DataFrame):
        return "pandas"
    library = type(table).__module__.partition(".")[0]
    return library if (library, type(table).__name__) in _KINDS else None


def columns_of(table: Any, what: str = "table") -> list[str]:
    """The names of the columns of a data frame or table, called ``what``; InputError for two of one name."""
    names = list(table.schema.names if library_of(table) == "pyarrow" else table.columns)
    if twice := [name for place, name in enumerate(names) if name in names[:place]]:
        raise InputError(f"the {what} have two columns {twice[0]}", remedy="Rename or drop one of them.")
    return names


def no_column(what: str, name: str, table: pd.DataFrame, remedy: str) -> InputError:
    """The InputError for a data frame, called ``what``, without the column ``name``."""
    there = listed_found(map(str, table.columns))
    return InputError(f"the {what} have no column {name}; they have {there}", remedy=remedy)


def cells_of(table: Any, name: str) -> list[Any]:
    """A column as a list; null is None in polars and pyarrow."""
    column = table.column(name) if library_of(table) == "pyarrow" else table[name]
    return column.to_pylist() if hasattr(column, "to_pylist") else column.to_list()


def as_pandas(table: Any, what: str = "table") -> Any:
    """A data frame of polars or table of pyarrow as one of pandas; anything else as it is.

    Raises InputError for a table, also of pandas, with two columns of one name; ``what`` names it there.
    """
    if (library := library_of(table)) is None:
        return table
    names = columns_of(table, what)
    if library == "pandas":
        return table
    found = pd.DataFrame({name: cells_of(table, name) for name in names})
    # a column of nulls is one of undefined numbers, as in pandas
    return found.astype({name: float for name in names if found[name].isna().all()})
