"""Reads a pickle of plain data (dictionaries, lists, texts, numbers) without running anything of it.

To unpickle a file can run any code that the file names. Here a file is refused if it has an operation that
could name or call something, before anything of it is unpickled.
"""

from __future__ import annotations

import io
import pickle
import pickletools
from typing import Any

from sera.errors import InputError, Path
from sera.io.files import read_bytes

_LARGEST = 2**28
"""The most bytes of a pickle."""

_PLAIN = frozenset(
    "PROTO FRAME MARK STOP NONE NEWTRUE NEWFALSE INT BININT BININT1 BININT2 LONG LONG1 "
    "FLOAT BINFLOAT UNICODE SHORT_BINUNICODE BINUNICODE BINUNICODE8 EMPTY_LIST LIST APPEND APPENDS "
    "EMPTY_TUPLE TUPLE TUPLE1 TUPLE2 TUPLE3 EMPTY_DICT DICT SETITEM SETITEMS "
    "PUT BINPUT LONG_BINPUT MEMOIZE GET BINGET LONG_BINGET".split()
)
_PUTS = ("PUT", "BINPUT", "LONG_BINPUT")


class _Plain(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"it names {module}.{name}")

    def persistent_load(self, pid: Any) -> Any:
        raise pickle.UnpicklingError("it names an object elsewhere")


def read_plain(path: Path) -> Any:
    """What a pickle of plain data holds. InputError if it holds anything else, or is not a pickle."""
    content = read_bytes(path, "a pickle", largest=_LARGEST)
    try:
        for number, (operation, argument, place) in enumerate(pickletools.genops(content)):
            if operation.name not in _PLAIN:
                raise ValueError(f"byte {place} has the operation {operation.name}, which is not plain data")
            # a memo is as large as its highest number, which is less than the number of operations
            if operation.name in _PUTS and not 0 <= int(str(argument)) <= number:
                raise ValueError(f"byte {place} numbers a value {argument}, which is too high")
        return _Plain(io.BytesIO(content)).load()
    except Exception as error:  # damaged pickles raise errors of many kinds
        problem = (str(error) or type(error).__name__)[:200]
        remedy = "Nothing of it was run. Get the file again from the authors."
        raise InputError(f"is not a pickle of plain data: {problem}", path=path, remedy=remedy) from None
