"""What every script does around its work: log to the rule's log, and say what is wrong in one line."""

from __future__ import annotations

import contextlib
import errno
import logging
import sys
from collections.abc import Iterator
from typing import Any

from sera.errors import InputError

_GO_ON = "Then run the same command again: it goes on."
_ELSEWHERE = "Name another folder for the results."
_REMEDIES = {
    errno.ENOSPC: f"Make room on the disk. {_GO_ON}",
    errno.EDQUOT: f"Make room within your quota. {_GO_ON}",
    errno.EROFS: _ELSEWHERE,
    errno.EACCES: _ELSEWHERE,
}


@contextlib.contextmanager
def job(snakemake: Any) -> Iterator[Any]:
    """Run a rule's work: messages and errors go to its log, a traceback only for faults of the program."""
    with open(snakemake.log[0], "w", encoding="utf-8") as log, contextlib.redirect_stderr(log):
        logging.basicConfig(stream=log, level=logging.INFO, format="%(levelname)s %(message)s", force=True)
        # What the server's client tells of each request holds the address, which no log is to hold.
        logging.getLogger("elastic_transport").setLevel(logging.ERROR)
        logging.getLogger("urllib3").setLevel(logging.ERROR)
        logging.getLogger("fontTools").setLevel(
            logging.WARNING
        )  # else a hundred lines on the letters of the PDF
        try:
            yield snakemake
        except Exception as error:
            problem = _problem(error, snakemake)
            if problem:
                logging.error("%s", problem)
                sys.exit(2)
            logging.exception("%s failed", snakemake.rule)
            sys.exit(1)


def _problem(error: Exception, snakemake: Any) -> str | None:
    """What is wrong with the input or the machine and what helps; None if it is the program."""
    match error:
        case InputError():
            return str(error)
        case MemoryError():
            more = "Give it more, or lower the setting `memory` if it builds the index."
            return f"there is too little memory for {snakemake.rule}. {more} {_GO_ON}"
        case OSError() if error.errno in _REMEDIES:
            return f"{error.filename or snakemake.output[0]}: {error.strerror}. {_REMEDIES[error.errno]}"
    return None
