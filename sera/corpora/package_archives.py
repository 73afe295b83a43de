"""Reading the archives of packages as streams, whatever is wrong with them."""

from __future__ import annotations

import io
import re
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from sera import files

SUFFIX = ".tar.gz"


def plain_name(name: str) -> str:
    return name.removeprefix("./")


def refusal(member: tarfile.TarInfo, largest: int) -> str:
    """Why a member is not to be opened; empty if it may be."""
    path = PurePosixPath(member.name)
    if path.is_absolute() or ".." in path.parts or "\\" in member.name:
        return "its path leads out of the archive"
    if not member.name.isprintable():
        return "its name holds control characters or is no text"
    if not member.isreg() or member.issparse():
        return "is a link" if member.issym() or member.islnk() else "is not a regular file"
    if path.suffix.lower() not in (".xml", ".nxml"):
        return "is not named as XML"
    if member.size > largest:
        return f"is larger than {largest} bytes"
    return ""


# What reading a damaged archive may raise. RecursionError: headers of headers of headers.
DAMAGE = (tarfile.TarError, EOFError, OSError, zlib.error, ValueError, RecursionError)

_GLOBAL = 100  # records for all members that an archive may have; that of `git archive` has one
_HEADER = 2**17  # bytes that may be read to find the next member: tarfile takes a header into memory whole


class Archive:
    """A ``.tar.gz`` read from front to back; after the loop ``damage`` says what is wrong with it, if so.

    gzip is opened here and not by tarfile, whose stream mode checks neither the compressed stream's end
    nor its checksum; and tarfile takes a broken header in the middle for the end of the archive.
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
                        tar.members.clear()  # type: ignore[attr-defined]  # or a package of a million articles fills the memory
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
    """A member whose extended header is looked at first: for many digits tarfile would take quadratic time.

    Python 3.11.10 and 3.12.6 have that mended.
    """

    def _proc_pax(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        stream = archive.fileobj
        head = stream.read(-(-self.size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE)
        if re.search(rb"[0-9]{100}", head):
            raise tarfile.ReadError("a header holds a number of 100 digits or more")

        class Again:
            """Gives what was read once more, and the stream its place back."""

            def read(self, size: int) -> bytes:
                archive.fileobj = stream
                return head

        archive.fileobj = Again()  # type: ignore[assignment]
        return super()._proc_pax(archive)  # type: ignore[misc]


class _Content:
    """Reads one member, when called and not before."""

    def __init__(self, tar: tarfile.TarFile, member: tarfile.TarInfo) -> None:
        self._tar, self._member = tar, member

    def __call__(self) -> bytes:
        stream = self._tar.extractfile(self._member)
        assert stream is not None  # only regular members are read
        return stream.read()


def _pass_over(tar: tarfile.TarFile) -> None:
    """Read on to the next header; tarfile itself would take a size of 2**60 for so many reads."""
    while (left := tar.offset - tar.fileobj.tell()) > 0:
        if not tar.fileobj.read(min(left, 2**16)):
            raise tarfile.ReadError("unexpected end of data")


class _Watched(io.RawIOBase):
    """Passes a stream on and counts: ``size`` bytes so far, of which none but zeros from ``text_end`` on.

    Reading past ``limit`` bytes, where there is one, is an error.
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
