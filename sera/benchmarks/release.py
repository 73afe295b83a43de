"""The files of a release: a folder that others packed and that is read as it was unpacked.

No link in it is followed: one that the packers, or somebody since, put there could lead to any file of this
machine, whose text would then stand in summaries and in results. The folder that is named may itself be a
link, or be reached through some: that is the user's own choice.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from sera import files, limits
from sera.errors import InputError

NO_LINK = "No link in a release is followed: put there what it leads to."


def entries(folder: Path) -> list[Path]:
    """What is in a folder, sorted; names that begin with a dot are passed over.

    InputError for a folder that is missing or cannot be read.
    """
    try:
        return sorted(folder / name for name in os.listdir(folder) if not name.startswith("."))
    except OSError as error:
        raise files.unreadable(folder, error, "a folder") from None


def folders(folder: Path) -> list[Path]:
    """The folders in a folder, sorted; InputError as of `entries`."""
    return [path for path in entries(folder) if path.is_dir()]


def is_folder(path: Path) -> bool:
    """Whether a folder of the release is there; InputError for a link, a file, or what cannot be read."""
    mode = _mode(path)
    if mode is None or stat.S_ISDIR(mode):
        return mode is not None
    raise InputError(
        "is a link" if stat.S_ISLNK(mode) else "is not a folder",
        path=path,
        remedy=NO_LINK if stat.S_ISLNK(mode) else "Expected: a folder of the release.",
    )


def check_file(path: Path) -> Path:
    """The path itself; InputError for a link, a folder, a pipe or the like, and a name that is no text."""
    mode = _mode(path)
    if mode is None:
        raise InputError("there is no such file", path=path)
    if stat.S_ISLNK(mode):
        raise InputError("is a link", path=path, remedy=NO_LINK)
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "a pipe, a device or the like"
        raise InputError(f"is {kind}, not a file", path=path, remedy="Take it out of the release.")
    try:
        path.name.encode()
    except UnicodeEncodeError:
        raise InputError("has a name that is not UTF-8 text", path=path, remedy="Rename it.") from None
    return path


def walk(folder: Path) -> list[Path]:
    """All that is no folder in a folder and in those below it, sorted; names with a dot first passed over.

    InputError as of `entries`, and for a link to a folder.
    """
    found, below = [], [folder]
    while below:
        for path in entries(below.pop()):
            if not path.is_dir():
                found.append(path)
            elif is_folder(path):
                below.append(path)
    return sorted(found)


def text(path: Path, otherwise: str) -> str:
    """A file's text without a byte order mark: UTF-8, or in the encoding ``otherwise`` where it is not that.

    What that encoding has no character for becomes the replacement character. InputError as of
    `files.read_bytes`.
    """
    content = files.read_bytes(path)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode(otherwise, "replace")


def number(digits: str) -> int:
    """A whole number in ASCII digits; InputError for one over `limits.NUMBER`."""
    if len(digits) > limits.NUMBER.value:
        raise limits.NUMBER.passed()
    return int(digits)


def _mode(path: Path) -> int | None:
    """What kind of thing stands there, links not followed; None if nothing does."""
    try:
        return os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise files.unreadable(path, error) from None
