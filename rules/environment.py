"""The environment variables of the jobs."""

from __future__ import annotations

import os


def set_environment(root: str) -> None:
    """Have jobs use the library of the checkout at ``root``, whatever copy is installed, and one thread each.

    Sums of floats hang on how many threads add them up; with one, results are the same everywhere.
    """
    os.environ["PYTHONPATH"] = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
    for library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
