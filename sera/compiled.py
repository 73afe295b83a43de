"""Loops that run as machine code: with `compiled`, numba compiles a function when it is first called.

Numba keeps the machine code beside the source (in ``__pycache__``, or in the folder that ``NUMBA_CACHE_DIR``
names), and later processes load it. Numba compiles again when the function's own file changes, but not when
another file does. A compiled function therefore calls only compiled functions of its own file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function of numbers and arrays; it runs without Python's objects and without Python's lock.

    Arithmetic is IEEE's, in the order written, so results do not depend on the machine. Division by zero
    gives the same as in numpy. If no folder for the machine code is writable, each process compiles again.
    """
    try:
        return numba.njit(function, cache=True, nogil=True, error_model="numpy")
    except RuntimeError:  # no folder for the cache
        return numba.njit(function, nogil=True, error_model="numpy")
