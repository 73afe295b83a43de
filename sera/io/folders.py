"""Write folders: a folder appears complete or not at all, and replaces only a folder of its own format."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import secrets
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from sera.errors import InputError
from sera.errors import Path as AnyPath
from sera.io.files import MANIFEST, name_aside, read_json, remove_part, unwritable

_TIMESTAMP = ".snakemake_timestamp"  # Snakemake puts this file into a folder that a job made


@contextlib.contextmanager
def writing_folder(path: AnyPath, *, replaces: str | None = None) -> Iterator[Path]:
    """A context with a new empty folder, which takes the name ``path`` if the block ends without an error.

    An older folder of that name is replaced. With ``replaces``, the format named in a manifest, the older
    folder must be empty, or a folder of that format whose manifest lists every file in it (listed files may
    be missing). Otherwise InputError is raised: a folder named by mistake is not deleted. A link is not
    followed.
    """
    path = Path(path)
    try:
        is_link = path.is_symlink()
    except OSError as error:  # as for a name that is too long
        raise unwritable(path, error) from None
    if is_link:
        raise InputError("is a link", path=path, remedy="Name the folder itself.")
    if path.name in ("", "..") or os.path.ismount(path):
        raise InputError("is a folder that cannot be replaced", path=path, remedy="Name a folder inside it.")
    if replaces is not None and os.path.lexists(path):
        _check_ours(path, replaces)
    aside = name_aside(path)
    try:
        aside.mkdir()
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise unwritable(path, error) from None
    try:
        yield aside
        if replaces is not None and os.path.lexists(path):
            _check_ours(path, replaces)  # it may have changed since
        _take_place(aside, path)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise


def _check_ours(path: Path, format: str) -> None:
    if not path.is_dir():
        raise InputError("is a file, not a folder to make", path=path, remedy="Name a new folder.")
    content = [entry.name for entry in os.scandir(path)]
    if not content:
        return
    manifest = None
    with contextlib.suppress(InputError, OSError):
        if stat.S_ISREG(os.lstat(path / MANIFEST).st_mode):  # a pipe would be waited for
            manifest = read_json(path / MANIFEST)
    if not (
        isinstance(manifest, Mapping)
        and manifest.get("format") == format
        and isinstance(manifest.get("version"), int)
    ):
        problem = f"is something else already (it holds no {MANIFEST} of a {format})"
        raise InputError(problem, path=path, remedy="Name a new folder.")
    listed = manifest.get("files", {})
    ours = {MANIFEST, _TIMESTAMP, *(listed if isinstance(listed, Mapping) else ())}
    foreign = sorted(
        entry.name
        for entry in os.scandir(path)
        if entry.name not in ours or not entry.is_file(follow_symlinks=False)
    )
    if foreign:
        problem = f"holds {foreign[0]!r}, which is not part of the {format} there"
        raise InputError(problem, path=path, remedy="Move it away, or name a new folder.")


def _take_place(aside: Path, path: Path) -> None:
    """Put a folder in the place of another; a kill at any moment leaves the old folder or the new one.

    If the system cannot exchange two names in one step, a kill between the steps leaves the old folder under
    a name that ends in ``.old``; it is not removed later.
    """
    if not os.path.lexists(path):
        os.rename(aside, path)
        return
    if not path.is_dir() or path.is_symlink() or not _exchanged(aside, path):
        stem = os.fsdecode(os.fsencode(path.name)[:120])
        old = path.with_name(f"{stem}.{secrets.token_hex(8)}.old")
        os.rename(path, old)
        try:
            os.rename(aside, path)
        except BaseException:
            os.rename(old, path)
            raise
        aside = old
    remove_part(aside)


def _exchanged(one: Path, other: Path) -> bool:
    """Exchange two names in one step, if the system can; returns whether it did."""
    try:
        exchange: Callable[..., int] = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    here, flag = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    return exchange(here, os.fsencode(one), here, os.fsencode(other), flag) == 0
