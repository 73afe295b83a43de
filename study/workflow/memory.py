"""What earlier runs worked out, kept in a file so that it is not worked out again, and checksums of inputs.

A change of an input's content reruns exactly the jobs that read it. The times of a file do not count: a file
may be replaced by an older one, and touching it changes nothing. Checksums are remembered as long as a file's
size, times and place on the disk stay the same.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from sera.errors import InputError
from sera.io.file_state import State, is_settled, state
from sera.io.files import sha256, unreadable, writing
from study.workflow.made import checksum


class Memory:
    """Values by name, each with a mark; a value holds as long as its mark is the same.

    Values and marks are plain data. The file is read at the first use, and written when the process ends.
    One that is missing, damaged or cannot be written costs only time.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, list[Any]] | None = None
        self._new = False

    def value(
        self, name: str, mark: list[int], make: Callable[[], Any], last: Callable[[], bool] = lambda: True
    ) -> Any:
        """The remembered value, or else that of ``make``, which is kept if ``last`` then returns True."""
        if self._known is None:
            self._known = self._read()
        known = self._known.get(name)
        if known and known[0] == mark:
            return known[1]
        value = make()
        if last():
            self._known[name] = [mark, value]
            self._new = True
        return value

    def keep_at_exit(self) -> None:
        atexit.register(self.keep)

    def keep(self) -> None:
        """Write the values, if there are new ones and the folder of the file exists."""
        if self._new and self._path.parent.is_dir():
            try:
                with writing(self._path) as stream:
                    json.dump(self._known, stream, sort_keys=True)
            except (InputError, OSError):
                pass

    def _read(self) -> dict[str, list[Any]]:
        try:
            known = json.loads(self._path.read_bytes())
        except (OSError, ValueError):
            return {}
        return known if isinstance(known, dict) else {}


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
