"""Loops that run as machine code: with `compiled`, numba compiles a function when it is first called.

Numba keeps the machine code beside the source (in ``__pycache__``, or in the folder that ``NUMBA_CACHE_DIR``
names), and later processes load it. Numba compiles again when the function's own file changes, but not when
another file does. A compiled function therefore calls only compiled functions of its own file. Numba itself,
slow to import, is imported when the first of them is called.

The first compilation of a process is announced, because it takes seconds: on the terminal, otherwise in the
log.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import sys
from collections.abc import Callable, Iterator
from typing import Any

_log = logging.getLogger(__name__)


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
    try:
        return numba().njit(function, cache=True, nogil=True, error_model="numpy")
    except RuntimeError:  # no folder for the cache
        return numba().njit(function, nogil=True, error_model="numpy")


@contextlib.contextmanager
def _hidden(module: str) -> Iterator[None]:
    """A context in which a module that is not imported yet cannot be imported."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[module]


_announced = False


@functools.cache
def numba() -> Any:
    """The package numba. It announces the first compilation of sera's loops, but not that it loads them."""
    with _hidden("scipy.linalg"):  # only numba's `numpy.convolve` would use it, and it is slow to import
        import numba
        import numba.np.arraymath
        from numba.core import event

    class Announcement(event.Listener):
        def on_start(self, compilation: event.Event) -> None:
            global _announced
            module = compilation.data["dispatcher"].py_func.__module__
            if _announced or module.partition(".")[0] != "sera":
                return
            _announced = True
            line = "sera compiles its loops for this machine, once: some ten seconds"
            if sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules):
                print(line, file=sys.stderr)
            else:
                _log.info("%s", line)

        def on_end(self, compilation: event.Event) -> None:
            """Nothing: the result of the step follows."""

    event.register("numba:compile", Announcement())
    return numba
