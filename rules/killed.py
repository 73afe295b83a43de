"""Jobs that the system killed: they leave no message, so the run reports the likely cause."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from sera.errors import InputError
from sera.files import lines

_DIED = re.compile(r"died with <Signals.SIGKILL|exit status 137\b|OUT_OF_ME|oom.kill", re.IGNORECASE)


def killed(logs: Iterable[str | os.PathLike[str]]) -> list[str]:
    """The lines to print if jobs were killed, as found in Snakemake's own ``logs``; empty if none was."""
    if not any(map(_has_died, logs)):
        return []
    return [
        "A job was killed, most likely because memory ran out. Use a machine with more memory, run fewer "
        "jobs at once (--cores 1), or lower the setting `memory` if the job builds the index. Then run the "
        "same command again: it continues the run."
    ]


def _has_died(log: str | os.PathLike[str]) -> bool:
    try:
        return any(_DIED.search(line) for _, line in lines(log))
    except InputError:
        return False
