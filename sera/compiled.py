"""Loops that run as machine code: with `compiled`, numba compiles a function when it is first called.

Numba keeps the machine code beside the source (in ``__pycache__``, or in the folder that ``NUMBA_CACHE_DIR``
names), and later processes load it. Numba compiles again when the function's own file changes, but not when
another file does. A compiled function therefore calls only compiled functions of its own file. Numba itself,
slow to import, is imported when the first of them is called.
"""

import functools
from collections.abc import Callable
from typing import Any


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function of numbers and arrays; it runs without Python's objects and without Python's lock.

    Arithmetic is IEEE's, in the order written, so results do not depend on the machine. Division by zero
    gives the same as in numpy. If no folder for the machine code is writable, each process compiles again.
    """
    return _Loop(function)


class _Loop:
    """A function that is compiled when it, or another of its file, is first called."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.machine_code: Callable[..., Any] | None = None

    def __call__(self, *given: Any) -> Any:
        if self.machine_code is None:
            names = self.function.__globals__
            for name, loop in list(names.items()):
                if isinstance(loop, _Loop) and loop.function.__globals__ is names:
                    # compiled functions find each other by their names
                    names[name] = loop.machine_code = _machine_code(loop.function)
        assert self.machine_code is not None
        return self.machine_code(*given)


def _machine_code(function: Callable[..., Any]) -> Callable[..., Any]:
    import numba

    try:
        return numba.njit(function, cache=True, nogil=True, error_model="numpy")
    except RuntimeError:  # no folder for the cache
        return numba.njit(function, nogil=True, error_model="numpy")
