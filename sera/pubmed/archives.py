"""Read a ``.tar.gz`` from front to back, even if it is damaged."""

from __future__ import annotations

import contextlib
import tarfile
import zlib
from collections.abc import Callable, Collection, Iterator
from functools import partial
from pathlib import Path

from sera.errors import InputError
from sera.io import files

SUFFIX = ".tar.gz"


class Damage(InputError):
    """The rest of an archive cannot be read."""


def read_archive(path: Path) -> Iterator[tuple[tarfile.TarInfo, Callable[[], bytes]]]:
    """The members of an archive but folders, each with a function to read its content.

    Raises Damage after the members before it, as the function does for a member that is cut short or damaged.
    """
    with files.opened(path) as stream, _damage(path), tarfile.open(fileobj=stream, mode="r:") as tar:
        while member := tar.next():
            tar.members.clear()  # type: ignore[attr-defined]  # those of a large archive fill the memory
            if not member.isdir():
                yield member, partial(_content, path, tar, member)
        # to the end, where gzip has its checksum: tarfile takes a broken header for the end
        if any(piece.strip(b"\0") for piece in iter(partial(stream.read, 2**16), b"")):
            raise ValueError(f"no header at byte {tar.offset} of its content")


def refusal(member: tarfile.TarInfo, suffixes: Collection[str], named: str = "XML") -> str:
    """Why a member is not read; empty if it is.

    suffixes:  the endings of names that are read, in small letters; ``named`` is their kind in words
    """
    if not member.isreg():
        return "is a link" if member.issym() or member.islnk() else "is not a regular file"
    return "" if member.name.lower().endswith(tuple(suffixes)) else f"is not named as {named}"


def _content(path: Path, tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    with _damage(path):
        stream = tar.extractfile(member)
        assert stream is not None  # only regular members are read
        return stream.read()


@contextlib.contextmanager
def _damage(path: Path) -> Iterator[None]:
    try:
        yield
    except InputError:
        raise
    except (tarfile.TarError, EOFError, OSError, zlib.error, ValueError) as error:
        problem = f"the archive is cut short or damaged: {error}"
        raise Damage(problem, path=path, remedy="Get the archive again.") from None
