"""Read a ``.tar.gz`` from front to back."""

import tarfile
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from sera.errors import InputError
from sera.io import files

SUFFIX = ".tar.gz"


def read_archive(path: Path, *suffixes: str) -> Iterator[tuple[str, str, bytes]]:
    """Each member of an archive but folders: its name, why it is not read (if so), and its content.

    suffixes:  the endings of names that are read, in small letters

    Raises InputError for an archive that is cut short or damaged.
    """
    try:
        with files.opened(path) as stream, tarfile.open(fileobj=stream, mode="r:") as tar:
            while member := tar.next():
                tar.members.clear()  # type: ignore[attr-defined]  # those of a large archive fill the memory
                if member.isreg() and member.name.lower().endswith(suffixes):
                    content = tar.extractfile(member)
                    yield member.name, "", content.read() if content else b""
                elif member.isreg():
                    yield member.name, f"is not named as {' or '.join(suffixes)}", b""
                elif not member.isdir():
                    yield member.name, "is a link, or not a regular file", b""
            # to the end, where gzip has its checksum: tarfile takes a broken header for the end
            if any(piece.strip(b"\0") for piece in iter(partial(stream.read, 2**16), b"")):
                raise ValueError(f"no header at byte {tar.offset} of its content")
    except InputError:
        raise
    except (tarfile.TarError, EOFError, OSError, zlib.error, ValueError) as error:
        problem = f"the archive is cut short or damaged: {error}"
        raise InputError(problem, path=path, remedy="Get the archive again.") from None
