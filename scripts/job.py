"""What every script does around its work: log to the rule's log, and say what is wrong in one line."""

from __future__ import annotations

import contextlib
import logging
import sys
from collections.abc import Iterator
from typing import Any

from sera.errors import InputError


@contextlib.contextmanager
def job(snakemake: Any) -> Iterator[Any]:
    """Run a rule's work: messages and errors go to its log, a traceback only for what is no bad input."""
    with open(snakemake.log[0], "w", encoding="utf-8") as log, contextlib.redirect_stderr(log):
        logging.basicConfig(stream=log, level=logging.INFO, format="%(levelname)s %(message)s", force=True)
        # What the server's client tells of each request holds the address, which no log is to hold.
        logging.getLogger("elastic_transport").setLevel(logging.ERROR)
        try:
            yield snakemake
        except InputError as error:
            logging.error("%s", error)
            sys.exit(2)
        except Exception:
            logging.exception("%s failed", snakemake.rule)
            sys.exit(1)
