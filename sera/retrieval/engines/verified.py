"""What was verified before, so that it need not be read again: a list in the user's cache folder.

The list is ``sera/verified`` in ``$XDG_CACHE_HOME``, or in ``~/.cache``: a line for each set of files that
was found right, a hash over all that the system says of them. Without a list that can be read, all is
verified again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sera.errors import InputError
from sera.io.file_state import is_settled, state
from sera.io.files import read_text, writing

KEPT = 1000
"""Lines of the list; the oldest give way."""


class Stamp:
    """The state of some files, by what the system says of each, and of what else ``facts`` says."""

    def __init__(self, facts: Any, files: Sequence[os.stat_result]) -> None:
        states = list(map(state, files))
        self._changed = max(max(each.modified, each.changed) for each in states)
        self._line = hashlib.sha256(json.dumps([facts, states]).encode()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stamp) and self._line == other._line

    def is_known(self) -> bool:
        """Whether files in this state were verified before."""
        return self._line in _lines()

    def remember(self) -> None:
        """Note that files in this state are right, unless a change just now could leave their times alike."""
        if not is_settled(self._changed):
            return
        lines = [line for line in _lines() if line != self._line]
        path = _path()
        if path is None:
            return
        with contextlib.suppress(OSError, InputError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with writing(path) as stream:
                stream.writelines(f"{line}\n" for line in [*lines[1 - KEPT :], self._line])


def _lines() -> list[str]:
    """The list, the oldest first; empty if it cannot be read."""
    path = _path()
    try:
        return read_text(path).split() if path and path.is_file() else []
    except (OSError, InputError):
        return []


def _path() -> Path | None:
    try:
        cache = Path(os.environ.get("XDG_CACHE_HOME", ""))
        return (cache if cache.is_absolute() else Path.home() / ".cache") / "sera" / "verified"
    except RuntimeError:  # no home
        return None
