"""Read files with one-line errors, and write them: all other modules use this one.

A written file appears complete or not at all; for folders see `sera.io.folders`. Equal content gives equal
bytes, compressed too.
"""

import bz2
import contextlib
import errno
import gzip
import hashlib
import io
import json
import lzma
import os
import re
import secrets
import shutil
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePath
from typing import IO, Any

from sera.errors import InputError
from sera.errors import Path as AnyPath
from sera.settings import shown

PART = ".sera-part"
"""End of the temporary name under which a file or folder is written."""

MANIFEST = "manifest.json"

_STDOUT = Path("/dev/stdout")
_DAMAGE = (EOFError, lzma.LZMAError, zlib.error)
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


# The form of a file, by its name

_COMPRESSIONS: dict[str, tuple[Callable[..., Any], Callable[[IO[bytes]], Any]]] = {
    ".gz": (gzip.open, lambda stream: gzip.GzipFile("", "wb", compresslevel=6, fileobj=stream, mtime=0)),
    ".bz2": (bz2.open, lambda stream: bz2.BZ2File(stream, "wb")),
    ".xz": (lzma.open, lambda stream: lzma.LZMAFile(stream, "wb")),
}
"""The ends of the names of compressed files: what opens such a file, and what compresses into a stream."""


def uncompressed_path(path: AnyPath) -> PurePath:
    """The path without the end ``.gz``, ``.bz2`` or ``.xz``, in any case."""
    path = PurePath(path)
    return path.with_suffix("") if path.suffix.lower() in _COMPRESSIONS else path


def file_form(path: AnyPath) -> str:
    """The end of a file's name in lower case, without that of a compression: ``.csv`` or another."""
    return uncompressed_path(path).suffix.lower()


# Reading


def opened(path: AnyPath, what: str = "") -> IO[bytes]:
    """Open a file to read its bytes, decompressed if its name ends in ``.gz``, ``.bz2`` or ``.xz``.

    ``what``: the expected content, for the error message. Raises InputError for what cannot be opened.
    Damaged content shows while reading: see `damage`.
    """
    open_, _ = _COMPRESSIONS.get(PurePath(path).suffix.lower(), (open, None))
    try:
        return open_(path, "rb")
    except OSError as error:
        raise unreadable(path, error, what) from None


def unreadable(path: AnyPath, error: Exception, what: str = "") -> InputError:
    """The InputError for a file that cannot be opened or read."""
    expected = f"; expected {what}" if what else ""
    problem, remedy = f"cannot be read: {getattr(error, 'strerror', None) or error}", "Check the path."
    match error:
        case FileNotFoundError() | NotADirectoryError():
            problem = f"there is no such file{expected}"
        case IsADirectoryError():
            problem, remedy = f"is a folder, not a file{expected}", "Name a file."
        case EOFError() | lzma.LZMAError() | zlib.error() | OSError(errno=None):  # the last: of gzip and bz2
            problem, remedy = f"is cut short or damaged: {error}", "Create or download it again."
    return InputError(problem, path=path, remedy=remedy)


@contextlib.contextmanager
def damage(path: AnyPath) -> Iterator[None]:
    """A context that turns errors of reading, and of damaged compression, into InputError."""
    try:
        yield
    except (OSError, *_DAMAGE) as error:
        raise unreadable(path, error) from None


def lines(path: AnyPath, what: str = "", *, content: bytes | None = None) -> Iterator[tuple[int, str]]:
    """The lines of a UTF-8 text file with their numbers from 1, without line ends (``\\n`` or ``\\r\\n``).

    The file is decompressed as by `opened`. If ``content`` is given, it is read instead of the file, and
    ``path`` is only its name in errors. A byte-order mark at the start is left out. Raises InputError for
    content that cannot be read or is compressed or binary, for lines that end in ``\\r`` alone, and for a
    line that is not UTF-8.
    """
    stream = opened(path, what) if content is None else io.BytesIO(content)
    with damage(path), stream:
        for number, line in enumerate(stream, 1):
            if number == 1:
                _refuse_binary(path, line + stream.read(_HEAD) if line.startswith(b"PK\x03\x04") else line)
                line = line.removeprefix(_BYTE_ORDER_MARK)
                if b"\r" in line.rstrip(b"\r") and not line.endswith(b"\n"):
                    problem = "its lines end in a carriage return alone (\\r)"
                    raise InputError(problem, path=path, remedy="Save it with the line ends \\n or \\r\\n.")
            if line.endswith(b"\n"):
                line = line[:-2] if line.endswith(b"\r\n") else line[:-1]
            try:
                text = line.decode()
            except UnicodeDecodeError:
                raise _not_utf8(path, number, what) from None
            yield number, text


def read_words(path: AnyPath, words: Callable[[str], Sequence[str]], what: str = "") -> list[str]:
    """The words of a list with one word a line, as ``words`` finds them; empty lines do not count."""
    entries: list[str] = []
    for number, line in lines(path, what):
        line_words = words(line)
        if line.strip() and len(line_words) != 1:
            problem = f"{shown(line)} is not one word"
            raise InputError(problem, path=path, line=number, remedy="Put one word in each line.")
        entries += line_words
    if not entries:
        raise InputError("holds no word", path=path, remedy="Put one word in each line.")
    return entries


def read_bytes(path: AnyPath, what: str = "") -> bytes:
    """All bytes of a file."""
    with damage(path), opened(path, what) as stream:
        return stream.read()


def read_text(path: AnyPath, what: str = "") -> str:
    """All text of a UTF-8 file, with its line ends unchanged."""
    content = read_bytes(path, what)
    _refuse_binary(path, content)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise _not_utf8(path, content.count(b"\n", 0, error.start) + 1, what) from None


_HEAD = 128
_AS_CSV = "Save it as CSV (UTF-8)."
_BINARY: list[tuple[bytes, str, str]] = [
    (rb"\x1f\x8b", "is compressed with gzip", "Unpack it (gunzip), or end its name in .gz."),
    (rb"BZh[1-9](1AY|\x17rE)", "is compressed with bzip2", "Unpack it (bunzip2), or end its name in .bz2."),
    (rb"\xfd7zXZ\0", "is compressed with xz", "Unpack it (unxz), or end its name in .xz."),
    (rb"\x28\xb5\x2f\xfd", "is compressed with Zstandard", "Unpack it first: zstd -d."),
    (rb"7z\xbc\xaf\x27\x1c", "is a 7z archive, which is compressed", "Unpack it first."),
    (
        rb"(?s)PK\x03\x04.{26}(\[Content_Types\]|_rels/|docProps/|xl/|mimetypeapplication/vnd)",
        "is a workbook or a document of an office program (.xlsx, .ods or the like)",
        _AS_CSV,
    ),
    (rb"PK(\x03\x04|\x05\x06)", "is a ZIP archive, which is compressed", "Unpack it first: unzip."),
    (rb"\xd0\xcf\x11\xe0", "is a workbook or a document of an old office program (.xls, .doc)", _AS_CSV),
    (rb"PAR1[\0-\x08\x0e-\x1f]", "is a Parquet file", _AS_CSV),
    (rb"%PDF-\d", "is a PDF", "Save its text in a file of UTF-8."),
]
"""The first bytes of binary content, the name of its form, and the remedy."""


def _refuse_binary(path: AnyPath, content: bytes) -> None:
    for beginning, problem, remedy in _BINARY:
        if re.match(beginning, content):
            raise InputError(problem, path=path, remedy=remedy)


def _not_utf8(path: AnyPath, line: int, what: str) -> InputError:
    expected = f"; expected {what}" if what else ""
    remedy = "Save the file as UTF-8 text, or name another file."
    return InputError(f"is not UTF-8 text{expected}", path=path, line=line, remedy=remedy)


def read_json(path: AnyPath, what: str = "") -> Any:
    """The content of a JSON file, without a byte-order mark."""
    return parse_json(read_text(path, what).removeprefix("\ufeff"), path=path)


def parse_json(text: str, *, path: AnyPath | None = None, line: int | None = None) -> Any:
    """The value of a JSON text; InputError for text that is not JSON, or holds NaN or an infinity."""
    try:
        return JSON_DECODER.decode(text)
    except ValueError as error:
        place = line if line is not None else getattr(error, "lineno", None)
        problem = f"is not JSON: {getattr(error, 'msg', error)}"
        raise InputError(problem, path=path, line=place, remedy="Correct the JSON.") from None


def json_form(line: str) -> str:
    """What of JSON a line begins: "a JSON array" (of objects), "a JSON object" or, if neither, ""."""
    match = re.match(r'\s*(?:(\{)\s*(?:"|$)|\[\s*(?:\{|$))', line)
    return "" if not match else "a JSON object" if match[1] else "a JSON array"


def _refuse_constant(constant: str) -> float:
    raise ValueError(f"{constant} is not a number")


JSON_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)  # made once: it takes as long as a line


# Writing


@contextlib.contextmanager
def writing(path: AnyPath, *, binary: bool = False) -> Iterator[IO]:
    """Open a file for writing under a temporary name; it takes its name if the block ends without an error.

    Text is UTF-8 with ``\\n`` line ends. If the name ends in ``.gz``, ``.bz2`` or ``.xz``, the file is
    compressed, without a time stamp, so equal content gives equal bytes. Parent folders are created. A pipe
    or a device is written directly. A link is followed. Of two processes that write one file, the last to end
    wins whole. Raises InputError for what is not writable, and for a name with the end of a form that is not
    written (``.xlsx``).
    """
    path = Path(path)
    _check_form(path)
    with contextlib.ExitStack() as stack:
        stream: Any = stack.enter_context(replacing(path))
        if path.suffix.lower() in _COMPRESSIONS:
            _, compressed = _COMPRESSIONS[path.suffix.lower()]
            stream = stack.enter_context(compressed(stream))
        if not binary:
            stream = stack.enter_context(io.TextIOWrapper(stream, encoding="utf-8", newline="\n"))
        yield stream


def check_writable(path: AnyPath) -> None:
    """Raise InputError if `writing` would refuse this path, as far as can be checked without writing."""
    path = Path(path)
    _check_place(path)
    _check_form(path)
    folder = next(each for each in path.absolute().parents if os.path.lexists(each))
    fault = "may not be written" if folder.is_dir() else "is not a folder"
    if not path.exists() and not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
        raise InputError(f"cannot be written: {folder} {fault}", path=path, remedy="Name another file.")


_UNWRITTEN = {
    **dict.fromkeys((".xlsx", ".xls", ".ods", ".parquet"), "End its name in .csv, or in .tsv."),
    **dict.fromkeys((".zst", ".zip"), f"End its name in {', '.join(_COMPRESSIONS)}, or write it as it is."),
}
"""Suffixes of forms that are not written, with the remedy."""


def _check_form(path: Path) -> None:
    if remedy := _UNWRITTEN.get(form := file_form(path)):
        raise InputError(f"cannot be written: {form} is a form that is not written", path=path, remedy=remedy)


def _check_place(path: Path) -> None:
    if path.is_dir():
        raise InputError("is a folder, not a file to write", path=path, remedy="Name a file.")
    if path.exists() and not os.access(path, os.W_OK):
        raise unwritable(path, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))


def is_stream(path: Path) -> bool:
    """True for standard output, a pipe and a device, which are written directly."""
    return path == _STDOUT or (path.exists() and not path.is_file())


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A context with a file for bytes, written as they are whatever its name; it appears as by `writing`."""
    _check_place(path)
    if is_stream(path):
        with os.fdopen(os.dup(1), "wb") if path == _STDOUT else open(path, "wb") as stream:
            yield stream
        return
    target = Path(os.path.realpath(path))
    aside = name_aside(target)
    try:
        stream = open(aside, "xb")
    except OSError as error:
        raise unwritable(path, error) from None
    try:
        with stream:
            yield stream
        with contextlib.suppress(FileNotFoundError):
            shutil.copymode(target, aside)
        os.replace(aside, target)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def unwritable(path: Path, error: Exception) -> InputError:
    """The InputError for a file or folder that cannot be written."""
    problem = f"cannot be written: {getattr(error, 'strerror', None) or error}"
    return InputError(problem, path=path, remedy="Name another path, or change its permissions.")


def name_aside(path: Path) -> Path:
    """A temporary name beside ``path`` that nothing has, and no other call gives; the parents are created."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(path, error) from None
    # the beginning tells a user whose it was; a whole name could be too long with the rest
    return path.with_name(f".{path.name[:20]}.{secrets.token_hex(8)}{PART}")


def sha256(path: str) -> str:
    """The SHA-256 of a file's content, as hexadecimal; InputError for one that cannot be read."""
    try:
        with open(path, "rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise unreadable(path, error) from None
