"""Write folders: a folder appears complete or not at all, and replaces only a folder of its own format."""

import contextlib
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

    An older folder of that name is replaced; a kill between the two steps leaves it with the ending ``.old``.
    With ``replaces``, the format named in a manifest, the older folder must be empty, or a folder of that
    format whose manifest lists every file in it (listed files may be missing). Otherwise InputError is
    raised: a folder named by mistake is not deleted. A link is refused.
    """
    path = Path(path)
    if path.is_symlink():
        raise InputError("is a link", path=path, remedy="Name the folder itself.")
    if replaces is not None and path.exists():
        _check_ours(path, replaces)
    aside = name_aside(path)
    shutil.rmtree(aside, ignore_errors=True)
    try:
        aside.mkdir()
    except OSError as error:
        raise unwritable(path, error) from None
    try:
        yield aside
        old = path.with_name(f"{path.name}.old")
        if path.exists():
            os.rename(path, old)
        os.rename(aside, path)
        shutil.rmtree(old, ignore_errors=True)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise


def _check_ours(path: Path, format: str) -> None:
    if not path.is_dir():
        raise InputError("is a file, not a folder to make", path=path, remedy="Name a new folder.")
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
