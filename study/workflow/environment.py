"""The environment of jobs."""

import os


def set_environment(root: str) -> None:
    """Make jobs import the library of the checkout at ``root``, not an installed copy, and use one thread.

    Sums of floats depend on the number of threads; with one thread, results are the same everywhere.
    """
    os.environ["PYTHONPATH"] = os.pathsep.join(
        [root, f"{root}/plugins/sera-guided", *filter(None, [os.environ.get("PYTHONPATH")])]
    )
    for library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
