"""Loops that run as machine code: with `compiled`, numba compiles a function when it is first called.

Numba keeps the machine code beside the source (in ``__pycache__``, or in the folder that ``NUMBA_CACHE_DIR``
names), and later processes load it. Numba compiles again when the function's own file changes, but not when
another file does. A compiled function therefore calls only compiled functions of its own file. Numba itself,
slow to import, is imported when the first of them is called on more than Python does in that time.
"""

import contextlib
import functools
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import numpy as np


def compiled(function: Callable[..., Any] | None = None, *, interpret: int = 0) -> Callable[..., Any]:
    """Compile a function of numbers and arrays; it runs without Python's objects and without Python's lock.

    Arithmetic is IEEE's, in the order written, so results do not depend on the machine. Division by zero
    gives the same as in numpy. No call needs the cache: if no folder for it is writable, or the disk is full,
    each process compiles again, and so does one that finds a damaged file there, which is then replaced.

    ``interpret``: Python runs the first calls, as long as their first arguments have no more elements than
    this together; for functions whose time grows with that number.
    """
    if function is None:
        return functools.partial(compiled, interpret=interpret)
    return _Loop(function, interpret)


_interpreted: ContextVar[bool] = ContextVar("_interpreted", default=False)


class _Loop:
    """A function that is compiled when it, or another of its file, is called on more than Python may run."""

    def __init__(self, function: Callable[..., Any], interpret: int) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.left = interpret
        self.machine_code: Callable[..., Any] | None = None

    def __call__(self, *given: Any) -> Any:
        if self.machine_code is None:
            if _interpreted.get():
                return self.function(*given)
            if self.left and (left := self.left - len(given[0])) >= 0:
                self.left = left
                return self._interpret(*given)
            names = self.function.__globals__
            for name, loop in list(names.items()):
                if isinstance(loop, _Loop) and loop.function.__globals__ is names:
                    # compiled functions find each other by their names
                    names[name] = loop.machine_code = _machine_code(loop.function)
        assert self.machine_code is not None
        return self.machine_code(*given)

    def _interpret(self, *given: Any) -> Any:
        outside = _interpreted.set(True)
        try:
            with np.errstate(over="ignore"):  # integers wrap around, as in machine code
                return self.function(*given)
        finally:
            _interpreted.reset(outside)


def _machine_code(function: Callable[..., Any]) -> Callable[..., Any]:
    import numba

    without_cache = numba.njit(function, nogil=True, error_model="numpy")
    try:
        loop: Any = numba.njit(function, cache=True, nogil=True, error_model="numpy")
    except (RuntimeError, OSError):  # no folder for the cache
        return without_cache
    load_or_compile = loop.compile

    def compile(signature: Any) -> Any:
        """The code for these types of arguments: what is wrong with the cache shows here, before it runs."""
        with contextlib.suppress(Exception):
            return load_or_compile(signature)
        if not loop.overloads:  # a file of the cache is damaged: empty it, and save the code again
            with contextlib.suppress(Exception):
                loop.recompile()
                return load_or_compile(signature)
        if signature not in loop.overloads:  # if it is, it was compiled but could not be saved
            without_cache.compile(signature)  # raises what is wrong with the function
            loop.add_overload(without_cache.overloads[signature])
        return loop.overloads[signature].entry_point

    loop.compile = compile
    return loop
