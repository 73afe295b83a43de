"""What every job does around its work: write the rule's log, and report a fault in one line."""

from __future__ import annotations

import contextlib
import errno
import logging
import sys
import traceback
from collections.abc import Iterator
from typing import Any

from sera.errors import InputError, printable

_INTERRUPTED = 130  # the exit status of a program that Ctrl-C ended


@contextlib.contextmanager
def job(snakemake: Any) -> Iterator[Any]:
    """Run a rule's work: messages and errors go to its log, a traceback only for faults of the program.

    An error that the log cannot take, as on a full disk, goes to stderr.
    """
    try:
        with open(snakemake.log[0], "w", encoding="utf-8") as log, contextlib.redirect_stderr(log):
            _log_to(log)
            yield snakemake
    except KeyboardInterrupt:  # the run reports it
        sys.exit(_INTERRUPTED)
    except Exception as error:
        problem = _problem(error, snakemake)
        if problem:
            message = f"ERROR {printable(problem)}\n"
        else:
            message = f"ERROR {snakemake.rule} failed\n{''.join(traceback.format_exception(error))}"
        try:
            with open(snakemake.log[0], "a", encoding="utf-8", errors="backslashreplace") as log:
                log.write(message)
        except OSError:
            sys.stderr.write(message)
        sys.exit(2 if problem else 1)


def _log_to(log: Any) -> None:
    logging.basicConfig(stream=log, level=logging.INFO, format="%(levelname)s %(message)s", force=True)
    # The server's client logs each request with its address, which no log may contain.
    logging.getLogger("elastic_transport").setLevel(logging.ERROR)
    logging.getLogger("urllib3").setLevel(logging.ERROR)
    logging.getLogger("fontTools").setLevel(logging.WARNING)  # else a hundred lines on the letters of the PDF


def _problem(error: Exception, snakemake: Any) -> str | None:
    """The fault of the input or the machine, with its remedy; None for a fault of the program."""
    match error:
        case InputError():
            return str(error)
        case MemoryError():
            return (
                f"there is too little memory for {snakemake.rule}. Give it more, and run the command again."
            )
        case OSError() if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES):
            remedy = "Make room, or name another folder for the results, and run the command again."
            return f"{error.filename or snakemake.output[0]}: {error.strerror}. {remedy}"
    return None
