"""NLTK and numba without packages that they import for what nothing here uses.

NLTK imports scikit-learn and scipy.stats for its classifiers if they are installed, and takes three times as
long to start. Numba imports scipy.linalg to see whether `numpy.convolve` may use it.
"""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from typing import Any

_NOT_NEEDED = {"sklearn": "nltk", "scipy.stats": "nltk", "scipy.linalg": "numba.np.arraymath"}
"""Packages, each with the module that does without it."""


def install() -> None:
    """Make the next import of NLTK and of numba in this process quick.

    NLTK's classifiers do not work afterwards, and numba's `numpy.convolve` uses a loop. So only the command
    line and the workflow's jobs call this, whose processes are their own. Other modules import the packages
    as usual.
    """
    if not any(isinstance(finder, _Absent) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Absent())


class _Absent(MetaPathFinder):
    """Says that packages are not installed, to one module alone: while it is being imported."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name in _NOT_NEEDED and _is_starting(_NOT_NEEDED[name]):
            raise ModuleNotFoundError(f"{name} is left out for a quick start", name=name)


def _is_starting(module: str) -> bool:
    spec = getattr(sys.modules.get(module), "__spec__", None)
    return getattr(spec, "_initializing", False)  # importlib sets it while the module's code runs
