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
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from sera.errors import InputError
from sera.io.file_state import is_settled, state
from sera.io.files import damage, read_text, writing

KEPT = 1000
"""Lines of the list; the oldest give way."""


def verify_once(facts: Any, files: Iterable[Path], verify: Callable[[], None]) -> None:
    """Call ``verify`` unless the files were found right before, in the state that the system reports now.

    ``facts`` is what the files are compared with. A change just now may leave a file's times alike, so the
    list has only files that have not changed for some seconds.
    """
    states = []
    for path in files:
        with damage(path):
            states.append(state(os.stat(path)))
    line = hashlib.sha256(json.dumps([facts, states]).encode()).hexdigest()
    lines = _lines()
    if line in lines:
        return
    verify()
    if is_settled(max(max(each.modified, each.changed) for each in states)):
        with contextlib.suppress(OSError, InputError, RuntimeError), writing(_path()) as stream:
            stream.writelines(f"{each}\n" for each in [*lines[1 - KEPT :], line])


def _lines() -> list[str]:
    """The list, the oldest first; empty if it cannot be read."""
    try:
        return read_text(_path()).split()
    except (OSError, InputError, RuntimeError):
        return []


def _path() -> Path:
    """The path of the list; RuntimeError for a user without a home."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "sera", "verified")
