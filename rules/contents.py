"""What the input files of a run hold, so that a change of content reruns exactly what reads it.

The times of a file do not count: an older file may take the place of a newer one, and a touched file is the
same. Checksums are remembered for as long as size, times and place of a file stay the same.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import re
import time
from collections.abc import Iterable
from pathlib import Path

from sera.errors import InputError
from sera.files import lines, unreadable, writing
from sera.reporting.made import checksum, sha256

REMEMBERED = ".contents.tsv"
"""The file beside the results with the checksums that are remembered."""

_JUST_NOW = 2 * 10**9
"""Nanoseconds in which a file may change twice and show the same times."""

_ROW = re.compile(r"(\d+ \d+ \d+ \d+ \d+)\t([0-9a-f]{64})\t([^\t\n]+)")


class Contents:
    """Checksums of files; those remembered in ``folder`` are read when the first one is asked for."""

    def __init__(self, folder: str) -> None:
        self._path = Path(folder, REMEMBERED)
        self._known: dict[str, tuple[str, str]] | None = None
        self._new = False

    def sha256(self, path: str) -> str:
        """The SHA-256 of a file; InputError if it is none, or cannot be read."""
        facts = _facts(path)
        if self._known is None:
            self._known = self._read()
        place, mark = os.path.abspath(path), _mark(facts)
        known = self._known.get(place)
        if known and known[0] == mark:
            return known[1]
        digest = sha256(path)
        settled = facts.st_ctime_ns < time.time_ns() - _JUST_NOW
        if settled and _mark(_facts(path)) == mark and place.isprintable():
            self._known[place] = mark, digest
            self._new = True
        return digest

    def of(self, paths: Iterable[str | os.PathLike[str]]) -> str:
        """One hash over the names and contents of files and folders."""
        whole = hashlib.sha256()
        for path in paths:
            digest = checksum(os.fspath(path), self.sha256)
            whole.update(os.fsencode(path) + b"\0" + digest.encode())
        return whole.hexdigest()[:16]

    def keep_at_exit(self) -> None:
        """Write what is to be remembered when the process ends, if the results' folder is there by then."""
        atexit.register(self._keep)

    def _read(self) -> dict[str, tuple[str, str]]:
        """What was remembered; nothing where the file is missing or damaged: it only saves time."""
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


def _facts(path: str) -> os.stat_result:
    try:
        return os.stat(path)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None


def _mark(facts: os.stat_result) -> str:
    """What changes with a file's content: size, times and place on the disk."""
    return f"{facts.st_size} {facts.st_mtime_ns} {facts.st_ctime_ns} {facts.st_dev} {facts.st_ino}"
