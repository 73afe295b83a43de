"""Reads a pickle of plain data (dictionaries, lists, texts, numbers) without running anything of it.

To unpickle a file can run any code that the file names. Here no name is looked up: those of a number of
numpy stand for functions of this module, and a file with any other is refused.
"""

import io
import pickle
from typing import Any

import numpy as np

from sera.errors import InputError, Path
from sera.io.files import read_bytes


class _Dtype:
    """The type of a number of numpy, as a pickle describes it: ``f8`` or ``f4``, and a state."""

    def __init__(self, name: str, *_: object) -> None:
        self.name = name

    def __setstate__(self, state: object) -> None:
        pass


def _scalar(dtype: _Dtype, content: bytes) -> float:
    if dtype.name not in ("f4", "f8"):
        raise pickle.UnpicklingError(f"it has a number of the type {dtype.name}")
    return float(np.frombuffer(content, f"<{dtype.name}")[0])


_NAMES = {
    ("numpy", "dtype"): _Dtype,
    ("numpy.core.multiarray", "scalar"): _scalar,
    ("numpy._core.multiarray", "scalar"): _scalar,
    # how protocol 2 writes bytes
    ("_codecs", "encode"): lambda text, encoding: text.encode("latin-1"),
}


class _Plain(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _NAMES:
            raise pickle.UnpicklingError(f"it names {module}.{name}")
        return _NAMES[module, name]

    def persistent_load(self, pid: Any) -> Any:
        raise pickle.UnpicklingError("it names an object elsewhere")


def read_plain(path: Path) -> Any:
    """What a pickle of plain data holds. InputError if it holds anything else, or is not a pickle."""
    try:
        return _Plain(io.BytesIO(read_bytes(path, "a pickle"))).load()
    except InputError:
        raise
    except Exception as error:  # damaged pickles raise errors of many kinds
        problem = (str(error) or type(error).__name__)[:200]
        remedy = "Nothing of it was run. Get the file again from the authors."
        raise InputError(f"is not a pickle of plain data: {problem}", path=path, remedy=remedy) from None
