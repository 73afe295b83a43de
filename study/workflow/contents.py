"""Checksums of a run's input files, so that a change of content reruns exactly the jobs that read it.

The times of a file do not count: a file may be replaced by an older one, and touching it changes nothing.
Checksums are remembered as long as a file's size, times and place on the disk stay the same.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import re
from collections.abc import Iterable
from pathlib import Path

from sera.errors import InputError
from sera.io.files import lines, sha256, unreadable, writing
from sera.io.seen_files import State, is_settled, state
from study.workflow.made import checksum

REMEMBERED = ".contents.tsv"
"""Name of the file in the results that holds the remembered checksums."""

_ROW = re.compile(r"(\d+ \d+ \d+ \d+ \d+)\t([0-9a-f]{64})\t([^\t\n]+)")


class Contents:
    """Checksums of files; those remembered in ``folder`` are read at the first use."""

    def __init__(self, folder: str) -> None:
        self._path = Path(folder, REMEMBERED)
        self._known: dict[str, tuple[str, str]] | None = None
        self._new = False

    def sha256(self, path: str) -> str:
        """The SHA-256 of a file; raises InputError if it is no file or cannot be read."""
        there = _state(path)
        if self._known is None:
            self._known = self._read()
        place, mark = os.path.abspath(path), _mark(there)
        known = self._known.get(place)
        if known and known[0] == mark:
            return known[1]
        digest = sha256(path)
        if is_settled(there.changed) and _state(path) == there and place.isprintable():
            self._known[place] = mark, digest
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

    def _read(self) -> dict[str, tuple[str, str]]:
        """The remembered checksums; none if the file is missing or damaged, since it only saves time."""
        try:
            rows = [_ROW.fullmatch(line) for _, line in lines(self._path)] if self._path.exists() else []
        except InputError:
            return {}
        return {row[3]: (row[1], row[2]) for row in rows if row}

    def _keep(self) -> None:
        if not self._new or not self._known or not self._path.parent.is_dir():
            return
        try:
            with writing(self._path) as stream:
                for place, (mark, digest) in sorted(self._known.items()):
                    stream.write(f"{mark}\t{digest}\t{place}\n")
        except (InputError, OSError):
            pass  # the next run works them out again


def _state(path: str) -> State:
    try:
        return state(os.stat(path))
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None


def _mark(there: State) -> str:
    """A file's state as the list of what is remembered has it."""
    return f"{there.size} {there.modified} {there.changed} {there.device} {there.inode}"
