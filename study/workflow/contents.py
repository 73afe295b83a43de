"""Checksums of a run's input files, so that a change of content reruns exactly the jobs that read it.

The times of a file do not count: a file may be replaced by an older one, and touching it changes nothing.
Checksums are remembered as long as a file's size, times and place on the disk stay the same.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sera.errors import InputError
from sera.io.files import sha256, unreadable, writing
from sera.io.seen_files import State, is_settled, state
from study.workflow.made import checksum

REMEMBERED = ".contents.json"
"""Name of the file in the results that holds, by the path of a file, its state and its checksum."""


class Contents:
    """Checksums of files; those remembered in ``folder`` are read at the first use."""

    def __init__(self, folder: str) -> None:
        self._path = Path(folder, REMEMBERED)
        self._known: dict[str, list[Any]] | None = None
        self._new = False

    def sha256(self, path: str) -> str:
        """The SHA-256 of a file; raises InputError if the path is not a file or cannot be read."""
        there = _state(path)
        if self._known is None:
            self._known = self._read()
        place = os.path.abspath(path)
        known = self._known.get(place)
        if known and known[0] == list(there):
            return known[1]
        digest = sha256(path)
        if is_settled(there.changed) and _state(path) == there:
            self._known[place] = [list(there), digest]
            self._new = True
        return digest

    def of(self, paths: Iterable[str | os.PathLike[str]]) -> str:
        """One hash over the names and contents of files and folders, as 16 hexadecimal digits."""
        whole = hashlib.sha256()
        for path in paths:
            digest = checksum(os.fspath(path), self.sha256)
            whole.update(os.fsencode(path) + b"\0" + digest.encode())
        return whole.hexdigest()[:16]

    def keep_at_exit(self) -> None:
        """When the process ends, write the checksums to remember, if the folder of results exists by then."""
        atexit.register(self._keep)

    def _read(self) -> dict[str, list[Any]]:
        """The remembered checksums; none if the file is missing or damaged, since it only saves time."""
        try:
            known = json.loads(self._path.read_bytes())
        except (OSError, ValueError):
            return {}
        return known if isinstance(known, dict) else {}

    def _keep(self) -> None:
        if not self._new or not self._path.parent.is_dir():
            return
        try:
            with writing(self._path) as stream:
                json.dump(self._known, stream, sort_keys=True)
        except (InputError, OSError):
            pass  # the next run works them out again


def _state(path: str) -> State:
    try:
        return state(os.stat(path))
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
