"""Loops that run as machine code: with `compiled`, numba compiles a function when it is first called.

Numba keeps the machine code beside the source (in ``__pycache__``, or in the folder that ``NUMBA_CACHE_DIR``
names), and later processes load it. Numba compiles again when the function's own file changes, but not when
another file does. A compiled function therefore calls only compiled functions of its own file.

Numba is imported with the first call, since the import takes half a second. The first compilation of a
process is announced, because it takes seconds: on the terminal, otherwise in the log.
"""

from __future__ import annotations

import functools
import logging
import sys
from collections.abc import Callable
from typing import Any

_log = logging.getLogger(__name__)


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function of numbers and arrays; it runs without Python's objects and without Python's lock.

    Arithmetic is IEEE's, in the order written, so results do not depend on the machine. Division by zero
    gives the same as in numpy. If no folder for the machine code is writable, each process compiles again.
    """
    return _Loop(function)


class _Loop:
    """A function that numba takes over at its first call."""

    def __init__(self, function: Any) -> None:
        functools.update_wrapper(self, function)
        self._function = function

    def __call__(self, *arguments: Any) -> Any:
        return self._made(*arguments)

    @functools.cached_property
    def _made(self) -> Any:
        """The function of numba; the names of other loops in the file then stand for theirs."""
        _announcement()
        made = _njit(self._function)
        names = self._function.__globals__
        for name in (self._function.__name__, *self._function.__code__.co_names):
            if isinstance(loop := names.get(name), _Loop):
                names[name] = made if loop is self else loop._made
        return made


def _njit(function: Any) -> Any:
    import numba

    try:
        return numba.njit(function, cache=True, nogil=True, error_model="numpy")
    except RuntimeError:  # no folder for the cache
        return numba.njit(function, nogil=True, error_model="numpy")


@functools.cache
def _announcement() -> Any:
    from numba.core import event

    class Announcement(event.Listener):
        made = False

        def on_start(self, compilation: event.Event) -> None:
            module = compilation.data["dispatcher"].py_func.__module__
            if self.made or module.partition(".")[0] != "sera":
                return
            self.made = True
            line = "sera compiles its loops for this machine, once: some ten seconds"
            if sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules):
                print(line, file=sys.stderr)
            else:
                _log.info("%s", line)

        def on_end(self, compilation: event.Event) -> None:
            """Nothing: the result of the step follows."""

    made = Announcement()
    event.register("numba:compile", made)
    return made
