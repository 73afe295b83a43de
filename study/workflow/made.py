"""Records of what a job made: the checksums of its outputs, kept beside the results.

Before the next run they show whether a result is still what the job wrote. A folder counts as one result: the
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
"""The folder of the records, beside the results."""

LOCK = ".lock"
"""The file that names the current run, beside the results."""

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
    """The records of one job, one per output; ``outputs`` and ``log`` are in the folder of the results."""

    def __init__(self, outputs: Sequence[str], log: str) -> None:
        self.outputs = [os.path.abspath(output) for output in outputs]
        self.folder = os.path.commonpath([*map(os.path.dirname, self.outputs), os.path.abspath(log)])
        self._run = self._holder()

    def begin(self) -> None:
        """Delete the records of an earlier job, whose outputs are about to be replaced."""
        for output in self.outputs:
            self._record(output).unlink(missing_ok=True)

    def end(self) -> None:
        """Write the checksums of the outputs.

        InputError if another run has begun since: then this run was killed, and what its job wrote last must
        not count as the other run's result.
        """
        if self._holder() != self._run:
            raise InputError(
                "another run has begun on these results while a job of a killed run was still working",
                path=self.folder,
                remedy="Wait until that job has ended, and run again.",
            )
        for output in self.outputs:
            digest = checksum(output)
            with writing(self._record(output)) as stream:
                stream.write(f"{digest}\t{os.path.relpath(output, self.folder)}\n")

    def _holder(self) -> bytes:
        """The content of the lock, which names the run that holds the results; empty if there is none."""
        try:
            return Path(self.folder, LOCK).read_bytes()
        except OSError:
            return b""

    def _record(self, output: str) -> Path:
        name = os.fsencode(os.path.relpath(output, self.folder))
        return Path(self.folder, FOLDER, f"{hashlib.sha256(name).hexdigest()[:32]}.tsv")


def altered(folder: str, of_file: Checksum = sha256) -> list[InputError]:
    """An error for each result in a folder that is no longer what its job made.

    A missing result gives no error, since it is made again. ``of_file`` computes the checksum of a file.
    """
    records = Path(folder, FOLDER)
    found = []
    for record in sorted(records.glob("*.tsv")) if records.is_dir() else []:
        if not (kept := _read(record)):
            continue
        path = os.path.join(folder, kept[1])
        # the record is read again, since a run may be working there
        if os.path.exists(path) and checksum(path, of_file) != kept[0] and _read(record) == kept:
            found.append(
                InputError(
                    "is not what the run wrote there: it was changed or cut short since",
                    path=path,
                    remedy="Move it away or delete it, and it is made again.",
                )
            )
    return found


_RECORD = re.compile(r"([0-9a-f]{64})\t([^\t\n]+)\n")


def _read(record: Path) -> tuple[str, str] | None:
    try:
        found = _RECORD.fullmatch(record.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return (found[1], found[2]) if found else None
