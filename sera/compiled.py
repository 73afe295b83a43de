"""Loops that run as machine code: `compiled` has numba compile a function when it is first called.

What was compiled is kept beside the source (in ``__pycache__``, or where ``NUMBA_CACHE_DIR`` says), so that
later processes load it. The kept code is made anew when the function's own file changes and not when another
does: a compiled function calls compiled functions of its own file only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as machine code: for numbers and arrays, without Python's objects and lock.

    Arithmetic is IEEE's, in the order written, so results do not depend on the machine. Division by zero
    gives what numpy gives. Where no folder can be written to keep the code, each process compiles for itself.
    """
    try:
        return numba.njit(function, cache=True, nogil=True, error_model="numpy")
    except RuntimeError:  # no folder for the cache
        return numba.njit(function, nogil=True, error_model="numpy")
