"""Jobs that the system killed: they leave no word, so a run says what the likely cause is."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from sera.errors import InputError
from sera.files import lines

_DIED = re.compile(r"died with <Signals.SIGKILL|exit status 137\b|OUT_OF_ME|oom.kill", re.IGNORECASE)


def killed(logs: Iterable[str | os.PathLike[str]]) -> list[str]:
    """The lines to say of the jobs that were killed, as Snakemake's own ``logs`` have them."""
    if not any(map(_has_died, logs)):
        return []
    return [
        "A job was killed, most likely because memory ran out. Give the machine more, run fewer jobs at once "
        "(--cores 1), or lower the setting `memory` if it builds the index; then run the same command again: "
        "it goes on."
    ]


def _has_died(log: str | os.PathLike[str]) -> bool:
    try:
        return any(_DIED.search(line) for _, line in lines(log))
    except InputError:
        return False
