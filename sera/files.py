"""Files and folders that appear complete or not at all, and gzip that is the same bytes every time."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from sera.errors import InputError


@contextlib.contextmanager
def writing(path: str | os.PathLike[str], *, binary: bool = False) -> Iterator[IO]:
    """Open a file to write aside; it takes its name only when the block ends without an error.

    Text is UTF-8 with ``\\n`` line ends. A name that ends in ``.gz`` is compressed, with no time
    stamp inside, so equal content gives equal bytes. Parent folders are made.
    """
    path = Path(path)
    aside = _aside(path)
    try:
        with contextlib.ExitStack() as stack:
            stream: Any = stack.enter_context(open(aside, "wb"))
            if path.suffix == ".gz":
                stream = stack.enter_context(
                    gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0, compresslevel=6)
                )
            if not binary:
                stream = stack.enter_context(io.TextIOWrapper(stream, encoding="utf-8", newline="\n"))
            yield stream
        os.replace(aside, path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def writing_folder(path: str | os.PathLike[str], *, replaces: str | None = None) -> Iterator[Path]:
    """Give a new empty folder; it takes the name ``path``, replacing an older one, only on success.

    With ``replaces``, a folder that is there already has to be empty or to hold a file of that name, else
    InputError: what a user named by mistake is not deleted.
    """
    path = Path(path)
    if replaces and path.exists() and (not path.is_dir() or any(path.iterdir())):
        if not (path / replaces).is_file():
            raise InputError(
                f"is something else already (it holds no {replaces})", path=path, remedy="Name a new folder."
            )
    aside = _aside(path)
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir()
    try:
        yield aside
        if path.exists():
            shutil.rmtree(path)
        os.replace(aside, path)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise


def reading(path: str | os.PathLike[str]) -> IO[str]:
    """Open a UTF-8 text file, compressed if its name ends in ``.gz``; lines end at ``\\n`` alone."""
    if Path(path).suffix == ".gz":
        return io.TextIOWrapper(gzip.open(path, "rb"), encoding="utf-8", newline="\n")
    return open(path, encoding="utf-8", newline="\n")


def _aside(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.with_name(f".{path.name}.{os.uname().nodename}.{os.getpid()}.part")
