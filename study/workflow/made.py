"""Records of what jobs made: the checksums of their outputs, kept in the folder of the results.

The next run checks them: a result must still be what its job wrote. A folder counts as one result: the
names and contents of all its files except hidden ones.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from sera.errors import InputError
from sera.io.files import sha256, writing

FOLDER = ".made"
"""The folder of the records, in that of the results: a file for each job."""

LOCK = ".lock"
"""The file that names the current run, in the folder of the results."""

Checksum = Callable[[str], str]


def checksum(path: str, of_file: Checksum = sha256) -> str:
    """The checksum of a file, or of a folder with all its files; ``of_file`` computes that of a file."""
    if not os.path.isdir(path):
        return of_file(path)
    whole = hashlib.sha256()
    for name in sorted(_inside(path)):
        whole.update(os.fsencode(name) + b"\0" + of_file(os.path.join(path, name)).encode())
    return whole.hexdigest()


def _inside(folder: str) -> Iterator[str]:
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            if not name.startswith("."):
                yield os.path.relpath(os.path.join(place, name), folder)


class Made:
    """The record of a job; its ``outputs`` and its ``log`` are in the folder of the results."""

    def __init__(self, outputs: Sequence[str], log: str) -> None:
        whole = [os.path.abspath(path) for path in [*outputs, log]]
        self.folder = os.path.commonpath(map(os.path.dirname, whole))
        *self.outputs, name = (os.path.relpath(path, self.folder) for path in whole)
        digest = hashlib.sha256(os.fsencode(name)).hexdigest()
        self._record = Path(self.folder, FOLDER, f"{digest[:32]}.tsv")
        self._run = self._holder()

    def begin(self) -> None:
        """Delete each record with one of the outputs, which are about to be replaced."""
        for record in Path(self.folder, FOLDER).glob("*.tsv"):
            if _read(record).keys() & set(self.outputs):
                record.unlink(missing_ok=True)

    def end(self) -> None:
        """Write the checksums of the outputs.

        InputError if another run has begun since: then this run was killed, and what its job wrote last must
        not count as the other run's result.
        """
        if self._holder() != self._run:
            raise InputError(
                "another run started on these results while a job of a killed run was still running",
                path=self.folder,
                remedy="Wait until that job has ended, and run again.",
            )
        with writing(self._record) as stream:
            for output in self.outputs:
                stream.write(f"{checksum(os.path.join(self.folder, output))}\t{output}\n")

    def _holder(self) -> bytes:
        """The content of the lock, which names the run that holds the results; empty without a lock."""
        try:
            return Path(self.folder, LOCK).read_bytes()
        except OSError:
            return b""


def altered(folder: str, of_file: Checksum = sha256) -> list[InputError]:
    """An error for each result in a folder that is no longer what its job made.

    A missing result is no fault; the run recreates it. ``of_file`` computes the checksum of a file.
    """
    return [
        InputError(
            "is not what the run wrote: it was changed or cut short since",
            path=path,
            remedy="Move it away or delete it; the run then recreates it.",
        )
        for record in sorted(Path(folder, FOLDER).glob("*.tsv"))
        for output, digest in _read(record).items()
        if os.path.exists(path := os.path.join(folder, output))
        and checksum(path, of_file) != digest
        and _read(record).get(output) == digest  # a run may be working there
    ]


def _read(record: Path) -> dict[str, str]:
    """The checksums in a record by output; none if it is damaged."""
    try:
        return {path: digest for digest, path in _ROW.findall(record.read_text(encoding="utf-8"))}
    except (OSError, ValueError):
        return {}


_ROW = re.compile(r"^([0-9a-f]{64})\t([^\t\n]+)$", re.MULTILINE)
