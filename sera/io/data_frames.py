"""Data frames of a user's: whether they are frames of pandas, and have the columns that are needed."""

from typing import Any

import pandas as pd

from sera.errors import InputError
from sera.registry import listed_found
from sera.settings import shown


def check_frame(frame: Any, what: str) -> pd.DataFrame:
    """The frame, called ``what``; one of another library by its ``to_pandas()``.

    InputError if it is no frame, or has two columns of one name.
    """
    if hasattr(frame, "to_pandas"):
        frame = frame.to_pandas()
    if not isinstance(frame, pd.DataFrame):
        remedy = "Give a DataFrame of pandas; those of other libraries have to_pandas()."
        raise InputError(f"the {what} are {shown(frame)}, which is not a data frame", remedy=remedy)
    names = list(frame.columns)
    if twice := [name for place, name in enumerate(names) if name in names[:place]]:
        raise InputError(f"the {what} have two columns {twice[0]}", remedy="Rename or drop one of them.")
    return frame


def no_column(what: str, name: str, table: pd.DataFrame, remedy: str) -> InputError:
    """The InputError for a data frame, called ``what``, without the column ``name``."""
    there = listed_found(map(str, table.columns))
    return InputError(f"the {what} have no column {name}; they have {there}", remedy=remedy)
