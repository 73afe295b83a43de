"""What every job does around its work: its environment, its log, and one line for a fault."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import traceback
from collections.abc import Iterator
from typing import Any

from sera.errors import InputError, printable

_INTERRUPTED = 130  # the exit status of a program that Ctrl-C ended


@contextlib.contextmanager
def job(snakemake: Any) -> Iterator[Any]:
    """Run a rule's work: messages and errors go to its log, a traceback only for faults of the program."""
    with open(snakemake.log[0], "w", encoding="utf-8", errors="backslashreplace") as log:
        try:
            with contextlib.redirect_stderr(log):
                _configure_log(log)
                yield snakemake
        except KeyboardInterrupt:  # the run reports it
            sys.exit(_INTERRUPTED)
        except InputError as error:
            log.write(f"ERROR {printable(str(error))}\n")
            sys.exit(2)
        except Exception:
            log.write(f"ERROR {snakemake.rule} failed\n{traceback.format_exc()}")
            sys.exit(1)


def _configure_log(log: Any) -> None:
    logging.basicConfig(stream=log, level=logging.INFO, format="%(levelname)s %(message)s", force=True)
    # The server's client logs each request with its address, which no log may contain.
    logging.getLogger("elastic_transport").setLevel(logging.ERROR)
    logging.getLogger("urllib3").setLevel(logging.ERROR)
    logging.getLogger("fontTools").setLevel(logging.WARNING)  # else a hundred lines on the letters of the PDF


def set_environment(root: str) -> None:
    """Make jobs import the library of the checkout at ``root``, not an installed copy, and use one thread.

    Sums of floats depend on the number of threads; with one thread, results are the same everywhere.
    """
    os.environ["PYTHONPATH"] = os.pathsep.join(
        [root, f"{root}/plugins/sera-guided", *filter(None, [os.environ.get("PYTHONPATH")])]
    )
    for library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
