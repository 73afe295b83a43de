"""The lock on a folder of results: one run at a time, and no leftovers of a killed run."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import stat
from pathlib import Path

from sera.errors import InputError
from sera.files import is_part, remove_part
from sera.reporting.made import LOCK

_held: list[int] = []  # locks are held until this process ends, even if it is killed


def check_writable(folder: str) -> None:
    """Raise InputError if a folder, which need not exist yet, is not writable."""
    there = next(parent for parent in [Path(folder), *Path(folder).absolute().parents] if parent.exists())
    if not there.is_dir():
        raise unwritable(folder, f"{there} is no folder")
    if not os.access(there, os.W_OK | os.X_OK):
        raise unwritable(folder, f"{there} is read-only")


def unwritable(folder: str, why: OSError | str) -> InputError:
    """The error for a folder of results that cannot be written."""
    full = isinstance(why, OSError) and why.errno in (errno.ENOSPC, errno.EDQUOT)
    return InputError(
        f"results cannot be written there: {why.strerror if isinstance(why, OSError) else why}",
        path=folder,
        remedy="Make room on the disk." if full else "Name another folder with the setting `results`.",
    )


_CONTENT = re.compile(rb"(process [0-9]+ on [^\n]*\n?)?")


def hold(folder: str) -> None:
    """Lock a folder for this run and remove incomplete files of an interrupted run.

    The system releases the lock when the process ends, even if it is killed, so nobody has to unlock the
    folder. Raises InputError if another run holds the lock, if the folder is not writable, and if its file
    ``.lock`` is no lock of a run.
    """
    path = Path(folder, LOCK)
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
    except OSError as error:
        if path.is_symlink():
            raise _foreign(path, "is a link") from None
        raise unwritable(folder, error) from None
    facts = os.fstat(lock)
    if not stat.S_ISREG(facts.st_mode) or facts.st_nlink > 1:
        raise _foreign(path, "is no file of its own")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.read(lock, 100).decode("utf-8", "replace").strip()
        raise InputError(
            f"another run ({holder}) is at work on these results",
            path=folder,
            remedy=f"Wait until it ends, {_to_end(holder)}or name another folder with the setting `results`.",
        ) from None
    except OSError:
        pass  # a file system without locks
    if facts.st_size > 300 or not _CONTENT.fullmatch(os.read(lock, 300)):
        raise _foreign(path, "does not hold the name of a run")
    _held.append(lock)
    try:
        _sign(lock)
    except OSError as error:
        raise unwritable(folder, error) from None
    for inside, folders, files in os.walk(folder):
        for name in filter(is_part, [*folders, *files]):
            remove_part(Path(inside, name))
        folders[:] = [name for name in folders if not is_part(name)]


def _sign(lock: int) -> None:
    os.ftruncate(lock, 0)
    os.lseek(lock, 0, os.SEEK_SET)
    os.write(lock, f"process {os.getpid()} on {os.uname().nodename}\n".encode())


def _to_end(holder: str) -> str:
    """How to end a run that hangs on this machine; empty for a run on another machine."""
    process = re.fullmatch(r"process ([0-9]+) on (.*)", holder)
    here = process and process[2] == os.uname().nodename
    return f"end it if it hangs (kill {process[1]}), " if process and here else ""


def _foreign(path: Path, why: str) -> InputError:
    return InputError(
        f"{why}: it is no lock of a run",
        path=path,
        remedy="Move it away, or name another folder with the setting `results`.",
    )
