"""One run at a time on a folder of results, and no leftovers of one that was killed."""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path

from sera.errors import InputError

_held: list[int] = []  # until this process ends, however it ends


def check_writable(folder: str) -> None:
    """Raise InputError if a folder, which need not be there yet, cannot be written."""
    there = next(parent for parent in [Path(folder), *Path(folder).absolute().parents] if parent.exists())
    if not there.is_dir():
        raise _unwritable(folder, f"{there} is no folder")
    if not os.access(there, os.W_OK | os.X_OK):
        raise _unwritable(folder, f"{there} is read-only")


def _unwritable(folder: str, why: str) -> InputError:
    return InputError(
        f"results cannot be written there: {why}", path=folder, remedy="Name another folder: results."
    )


def hold(folder: str) -> None:
    """Hold a folder for this run and remove what an interrupted run left half-written.

    The system lets go of the folder when the process ends, be it killed, so nobody has to unlock it. Raises
    InputError if another run holds the folder, or if nothing can be written there.
    """
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        lock = os.open(Path(folder, ".lock"), os.O_RDWR | os.O_CREAT)
    except OSError as error:
        raise _unwritable(folder, str(error.strerror)) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.read(lock, 100).decode("utf-8", "replace").strip()
        raise InputError(
            f"another run ({holder}) is at work on these results",
            path=folder,
            remedy="Wait until it ends, or name another folder: results.",
        ) from None
    except OSError:
        pass  # a file system without locks
    os.ftruncate(lock, 0)
    os.write(lock, f"process {os.getpid()} on {os.uname().nodename}\n".encode())
    _held.append(lock)
    for aside in Path(folder).rglob(".*.part"):
        if aside.is_dir():
            shutil.rmtree(aside, ignore_errors=True)
        else:
            aside.unlink(missing_ok=True)
