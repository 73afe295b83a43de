"""Loops that run as machine code: with `compiled`, numba compiles a function when it is first called.

Numba keeps the machine code beside the source (in ``__pycache__``, or in the folder that ``NUMBA_CACHE_DIR``
names), and later processes load it. Numba compiles again when the function's own file changes, but not when
another file does. A compiled function therefore calls only compiled functions of its own file. Numba itself,
slow to import, is imported when a function is called on more than Python does in that time.
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
    """A function that Python runs at first, and that is compiled when it is called on more."""

    def __init__(self, function: Callable[..., Any], interpret: int) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.left = interpret
        self.machine_code: Callable[..., Any] | None = None

    def __call__(self, *given: Any) -> Any:
        if self.machine_code is not None:
            return self.machine_code(*given)
        if _interpreted.get():
            return self.function(*given)
        if not self.left or len(given[0]) > self.left:
            return self.compile()(*given)
        self.left -= len(given[0])
        outside = _interpreted.set(True)
        try:
            with np.errstate(over="ignore"):  # integers wrap around, as in machine code
                return self.function(*given)
        finally:
            _interpreted.reset(outside)

    def compile(self) -> Callable[..., Any]:
        if self.machine_code is None:
            self.machine_code = _numba()(self.function)
        return self.machine_code


@functools.cache
def _numba() -> Callable[[Callable[..., Any]], Any]:
    """What compiles a function."""
    import numba

    _spare_scipy()
    from numba.core.caching import FunctionCache
    from numba.extending import typeof_impl

    @typeof_impl.register(_Loop)
    def _(loop: _Loop, context: Any) -> Any:
        """A compiled function that another calls is its machine code there."""
        return typeof_impl(loop.compile(), context)

    class Cache(FunctionCache):
        """Numba's cache, without which there is machine code too: a damaged file of it is no error."""

        def load_overload(self, *given: Any) -> Any:
            with contextlib.suppress(Exception):
                return super().load_overload(*given)
            with contextlib.suppress(Exception):
                self.flush()  # so that the code is saved again

        def save_overload(self, *given: Any) -> None:
            with contextlib.suppress(Exception):
                super().save_overload(*given)

    def compile(function: Callable[..., Any]) -> Any:
        code: Any = numba.njit(nogil=True, error_model="numpy")(function)
        with contextlib.suppress(RuntimeError, OSError):  # there is no folder for the cache
            code._cache = Cache(function)
        return code

    return compile


def _spare_scipy() -> None:
    """Keep numba from importing SciPy's linear algebra to see whether it is there; who uses it imports it."""
    with contextlib.suppress(ImportError, AttributeError):  # these are not documented
        from numba.np import linalg

        ensure_blas = linalg.ensure_blas
        linalg.ensure_blas = lambda: None
        try:
            from numba.np import arraymath
        finally:
            linalg.ensure_blas = ensure_blas
        arraymath.ensure_blas = ensure_blas
