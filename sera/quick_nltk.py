"""NLTK without the packages that it imports for its classifiers, which nothing here uses.

NLTK imports scikit-learn and scipy.stats if they are installed, and takes three times as long to start.
"""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from typing import Any

_NOT_NEEDED = ("sklearn", "scipy.stats")


def install() -> None:
    """Make the next import of NLTK in this process quick.

    NLTK's classifiers do not work afterwards. So only the command line and the workflow's jobs call this,
    whose processes are their own. Other modules import scikit-learn and scipy.stats as usual.
    """
    if not any(isinstance(finder, _Absent) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Absent())


class _Absent(MetaPathFinder):
    """Says that packages are not installed, to NLTK alone: while NLTK is being imported."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name in _NOT_NEEDED and _nltk_is_starting():
            raise ModuleNotFoundError(f"{name} is left out for NLTK to start quickly", name=name)


def _nltk_is_starting() -> bool:
    spec = getattr(sys.modules.get("nltk"), "__spec__", None)
    return getattr(spec, "_initializing", False)  # importlib sets it while the module's code runs
