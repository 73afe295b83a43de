"""Write folders: a folder appears complete or not at all, and replaces only a folder of its own format."""

import contextlib
import errno
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from sera.errors import InputError
from sera.errors import Path as AnyPath
from sera.io.files import MANIFEST, name_aside, read_json, unwritable

_TIMESTAMP = ".snakemake_timestamp"  # Snakemake puts this file into a folder that a job made


@contextlib.contextmanager
def writing_folder(path: AnyPath, *, replaces: str | None = None) -> Iterator[Path]:
    """A context with a new empty folder, which takes the name ``path`` if the block ends without an error.

    An older folder of that name is replaced. It first moves to a name that ends in `sera.io.files.PART`, and
    is deleted when the new one is in its place; nothing else is deleted. Of two processes that write one
    folder, the last one to end wins whole. With ``replaces``, the format named in a manifest, the older
    folder must be empty, or a folder of that format whose manifest lists every file in it (listed files may
    be missing). Otherwise InputError is raised: a folder named by mistake is not deleted. A link and a file
    are refused.
    """
    path = Path(path)
    _check_place(path, replaces)
    aside = name_aside(path)
    try:
        aside.mkdir()
    except OSError as error:
        raise unwritable(path, error) from None
    try:
        yield aside
        _check_place(path, replaces)  # again, since somebody may have put a file there meanwhile
        _move(aside, path)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise


def _move(new: Path, path: Path) -> None:
    """Rename a folder; one of that name is deleted, or stays if the new one cannot take its place."""
    old = name_aside(path)
    try:
        with contextlib.suppress(FileNotFoundError):
            os.rename(path, old)
        os.rename(new, path)
    except BaseException as error:
        if old.exists() and not path.exists():
            os.rename(old, path)
        if not isinstance(error, OSError):
            raise
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise unwritable(path, error) from None
        _move(new, path)  # another process has put its folder there between the two steps
    shutil.rmtree(old, ignore_errors=True)


def _check_place(path: Path, format: str | None) -> None:
    if path.is_symlink():
        raise InputError("is a link", path=path, remedy="Name the folder itself.")
    if path.exists() and not path.is_dir():
        raise InputError("is a file, not a folder to make", path=path, remedy="Name a new folder.")
    if format is None or not path.exists():
        return
    content = sorted(os.listdir(path))
    if not content:
        return
    manifest = None
    with contextlib.suppress(InputError):
        manifest = read_json(path / MANIFEST)
    if not isinstance(manifest, Mapping) or manifest.get("format") != format:
        problem = f"is something else already (it holds no {MANIFEST} of a {format})"
        raise InputError(problem, path=path, remedy="Name a new folder.")
    foreign = [name for name in content if name not in {MANIFEST, _TIMESTAMP, *manifest.get("files", {})}]
    if foreign:
        problem = f"holds {foreign[0]!r}, which is not part of the {format} there"
        raise InputError(problem, path=path, remedy="Move it away, or name a new folder.")
