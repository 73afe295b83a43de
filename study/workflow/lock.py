"""A folder of results belongs to one checkout and one run at a time; killed runs leave nothing behind."""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
from pathlib import Path

from sera.errors import InputError
from sera.io.files import is_part, remove_part, writing
from study.workflow.made import FOLDER, LOCK

_held: list[int] = []  # locks are held until this process ends, even if it is killed
_HERE = Path(".snakemake", "sera")


def check_writable(folder: str) -> None:
    """Raise InputError for a folder below a file, or with a name that is too long for the file system.

    Snakemake would fail on it with an unclear message.
    """
    try:
        there = next(parent for parent in [Path(folder), *Path(folder).absolute().parents] if parent.exists())
    except OSError as error:
        raise _unwritable(folder, str(error.strerror)) from None
    if not there.is_dir():
        raise _unwritable(folder, f"{there} is a file")


def _unwritable(folder: str, why: str, full: bool = False) -> InputError:
    remedy = "Make room on the disk." if full else "Name another folder with the setting `results`."
    return InputError(f"results cannot be written there: {why}", path=folder, remedy=remedy)


def check_origin(out: str) -> None:
    """Raise InputError for results of another checkout, which Snakemake would consider up to date."""
    token = _token(out)
    if token and not (_HERE / token).exists():
        raise InputError(
            "these results were made from another folder, or its .snakemake was deleted, "
            "so their settings are unknown here",
            path=out,
            remedy="Run in the folder that made them, name another folder with the setting `results`, "
            "or delete them.",
        )


def mark_origin(out: str) -> None:
    """Record a token here and in the results, from which `check_origin` knows that they are made here."""
    token = _token(out) or secrets.token_hex(16)
    for path in (_HERE / token, Path(out, FOLDER, "origin")):  # here first: a run may be killed in between
        with writing(path) as stream:
            stream.write(f"{token}\n")


def _token(out: str) -> str:
    origin = Path(out, FOLDER, "origin")
    return Path(origin.read_text(errors="replace").strip()).name if origin.exists() else ""


def hold(folder: str) -> None:
    """Lock a folder for this run and this checkout, and remove incomplete files of an interrupted run.

    The system releases the lock when the process ends, even if it is killed, so nobody has to unlock the
    folder. Raises InputError if another run holds the lock, and if the folder is not writable.
    """
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        lock = os.open(Path(folder, LOCK), os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(lock, 100).decode("utf-8", "replace").strip()
            raise InputError(
                f"another run ({holder}) uses these results",
                path=folder,
                remedy="Wait until it ends, kill it if it hangs, or name another folder with the setting "
                "`results`.",
            ) from None
        except OSError:
            pass  # a file system without locks
        _held.append(lock)
        os.ftruncate(lock, 0)
        os.write(lock, f"process {os.getpid()} on {os.uname().nodename}\n".encode())
        mark_origin(folder)
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        raise _unwritable(folder, str(error.strerror), full) from None
    for inside, folders, files in os.walk(folder):
        for name in filter(is_part, [*folders, *files]):
            remove_part(Path(inside, name))
        folders[:] = [name for name in folders if not is_part(name)]
