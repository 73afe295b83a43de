"""Read the archives of packages as streams, even if they are damaged or hostile."""

from __future__ import annotations

import io
import re
import tarfile
import zlib
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from sera import files

SUFFIX = ".tar.gz"


def plain_name(name: str) -> str:
    """A member's name without ``./`` at its beginning."""
    return name.removeprefix("./")


def refusal(
    member: tarfile.TarInfo, largest: int, suffixes: Collection[str] = (".xml", ".nxml"), named: str = "XML"
) -> str:
    """Why a member must not be opened; empty if it may be.

    largest:   the most bytes that are read
    suffixes:  the endings of names that are read, in small letters; ``named`` is their kind in words
    """
    path = PurePosixPath(member.name)
    if path.is_absolute() or ".." in path.parts or "\\" in member.name:
        return "its path leads out of the archive"
    if not member.name.isprintable():
        return "its name holds control characters or is no text"
    if not member.isreg() or member.issparse():
        return "is a link" if member.issym() or member.islnk() else "is not a regular file"
    if path.suffix.lower() not in suffixes:
        return f"is not named as {named}"
    if member.size > largest:
        return f"is larger than {largest} bytes"
    return ""


# Errors of reading a damaged archive. RecursionError: headers nested too deeply.
DAMAGE = (tarfile.TarError, EOFError, OSError, zlib.error, ValueError, RecursionError)

_GLOBAL = 100  # the most global records of an archive; one of `git archive` has one record
_HEADER = 2**17  # the most bytes read to find the next member: tarfile keeps a whole header in memory


class Archive:
    """The members of a ``.tar.gz``, read once from front to back, each with a function to read its content.

    After the loop, ``damage`` says what is wrong with the archive; it is empty if nothing is.

    This class opens gzip itself, because the stream mode of tarfile checks neither the end of the compressed
    stream nor its checksum. It also checks for content after the end of the archive, because tarfile takes a
    broken header in the middle for that end.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.damage = ""

    def __iter__(self) -> Iterator[tuple[tarfile.TarInfo, _Content]]:
        with files.opened(self._path) as stream:
            watched = _Watched(stream, limit=_HEADER)
            try:
                with tarfile.open(fileobj=watched, mode="r|", encoding="utf-8", tarinfo=_Member) as tar:
                    while member := tar.next():
                        watched.limit = None
                        tar.members.clear()  # type: ignore[attr-defined]  # otherwise the members of a large package fill the memory
                        if len(tar.pax_headers) > _GLOBAL:  # copied for every member
                            raise tarfile.ReadError(f"it has more than {_GLOBAL} records for all its members")
                        if not member.isdir():
                            yield member, _Content(tar, member)
                        _pass_over(tar)
                        watched.limit = watched.size + _HEADER
                    end = tar.offset
                watched.limit = None
                watched.read_to_end()
                if watched.text_end > end:
                    self.damage = f"the archive is damaged: no header at byte {end} of its content"
                elif watched.size < end + 2 * tarfile.BLOCKSIZE:
                    self.damage = "the archive is cut short: it has no end mark"
            except DAMAGE as error:
                self.damaged(error)

    def damaged(self, error: Exception) -> None:
        self.damage = f"the archive is cut short or damaged: {error}"


class _Member(tarfile.TarInfo):
    """A member whose extended header is checked first: tarfile takes quadratic time for a long number.

    Python 3.11.10 and 3.12.6 do not have this fault.
    """

    def _proc_pax(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        stream = archive.fileobj
        head = stream.read(-(-self.size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE)
        if re.search(rb"[0-9]{100}", head):
            raise tarfile.ReadError("a header holds a number of 100 digits or more")

        class Again:
            """Returns the header again and puts the stream back in its place."""

            def read(self, size: int) -> bytes:
                archive.fileobj = stream
                return head

        archive.fileobj = Again()  # type: ignore[assignment]
        return super()._proc_pax(archive)  # type: ignore[misc]


class _Content:
    """Reads the content of one member when it is called."""

    def __init__(self, tar: tarfile.TarFile, member: tarfile.TarInfo) -> None:
        self._tar, self._member = tar, member

    def __call__(self) -> bytes:
        stream = self._tar.extractfile(self._member)
        assert stream is not None  # only regular members are read
        return stream.read()


def _pass_over(tar: tarfile.TarFile) -> None:
    """Read on to the next header; for a false size of 2**60, tarfile itself would read on without an end."""
    while (left := tar.offset - tar.fileobj.tell()) > 0:
        if not tar.fileobj.read(min(left, 2**16)):
            raise tarfile.ReadError("unexpected end of data")


class _Watched(io.RawIOBase):
    """Passes a stream on and counts its bytes: ``size`` so far, and only zeros after ``text_end``.

    Reading past ``limit`` bytes is an error; None is no limit.
    """

    def __init__(self, stream: IO[bytes], limit: int | None) -> None:
        self._stream = stream
        self.limit = limit
        self.size = self.text_end = 0

    def read(self, size: int = -1) -> bytes:
        if self.limit is not None and self.size > self.limit:
            raise tarfile.ReadError(f"a header is larger than {_HEADER} bytes")
        piece = self._stream.read(size)
        if text := piece.rstrip(b"\0"):
            self.text_end = self.size + len(text)
        self.size += len(piece)
        return piece

    def read_to_end(self) -> None:
        while self.read(2**16):
            pass
