"""Checksums of a run's input files, so that a change of content reruns exactly the jobs that read it.

The times of a file do not count: a file may be replaced by an older one, and touching it changes nothing.
Checksums are remembered as long as a file's size, times and place on the disk stay the same.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from sera.io.file_state import State, is_settled, state
from sera.io.files import sha256, unreadable
from study.workflow.made import checksum
from study.workflow.memory import Memory


class Contents:
    """Checksums of files; ``.contents.json`` in a folder remembers them."""

    def __init__(self, folder: str) -> None:
        self.memory = Memory(Path(folder, ".contents.json"))

    def sha256(self, path: str) -> str:
        """The SHA-256 of a file; raises InputError if the path is not a file or cannot be read."""
        there = _state(path)
        return self.memory.value(
            os.path.abspath(path),
            list(there),
            lambda: sha256(path),
            lambda: is_settled(there.changed) and _state(path) == there,
        )

    def of(self, paths: Iterable[str | os.PathLike[str]]) -> str:
        """One hash over the names and contents of files and folders, as 16 hexadecimal digits."""
        whole = hashlib.sha256()
        for path in paths:
            digest = checksum(os.fspath(path), self.sha256)
            whole.update(os.fsencode(path) + b"\0" + digest.encode())
        return whole.hexdigest()[:16]


def _state(path: str) -> State:
    try:
        return state(os.stat(path))
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
