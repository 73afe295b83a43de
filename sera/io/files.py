"""Read files within limits and with one-line errors, and write them: all other modules use this one.

A written file appears complete or not at all; for folders see `sera.io.folders`. Equal content gives equal
bytes, compressed with gzip too.
"""

from __future__ import annotations

import contextlib
import errno
import gzip
import hashlib
import io
import json
import os
import re
import secrets
import shutil
import stat
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from sera.errors import InputError
from sera.errors import Path as AnyPath
from sera.io import limits

PART = ".sera-part"
"""End of the temporary name under which a file or folder is written."""

MANIFEST = "manifest.json"

_DAMAGE = (EOFError, gzip.BadGzipFile, zlib.error)


# Reading
# -------


def opened(path: AnyPath, what: str = "") -> IO[bytes]:
    """Open a file to read its bytes, decompressed if its name ends in ``.gz``.

    ``what``: the expected content, for the error message. Raises InputError for a missing file, a folder and
    a file that cannot be opened. Damaged content shows while reading: see `damage`.
    """
    path = os.fspath(path)
    try:
        return gzip.open(path, "rb") if path.endswith(".gz") else open(path, "rb")  # type: ignore[return-value]
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        raise unreadable(path, error, what) from None


def unreadable(path: AnyPath, error: Exception, what: str = "") -> InputError:
    """The InputError for a file that cannot be opened or read."""
    expected = f"; expected {what}" if what else ""
    match error:
        case FileNotFoundError() | NotADirectoryError():
            return InputError(f"there is no such file{expected}", path=path, remedy="Check the path.")
        case IsADirectoryError():
            return InputError(f"is a folder, not a file{expected}", path=path, remedy="Name a file.")
        case PermissionError():
            return InputError("may not be read", path=path, remedy="Change its permissions.")
        case gzip.BadGzipFile() | EOFError() | zlib.error():
            return InputError(
                f"is cut short or damaged: {error}", path=path, remedy="Create or download it again."
            )
        case OSError() if error.strerror:
            return InputError(f"cannot be read: {error.strerror}", path=path, remedy="Check the path.")
    return InputError(f"cannot be read: {error}", path=path, remedy="Check the path.")


@contextlib.contextmanager
def damage(path: AnyPath) -> Iterator[None]:
    """A context that turns errors of reading, and of damaged compression, into InputError."""
    try:
        yield
    except (OSError, *_DAMAGE) as error:
        raise unreadable(path, error) from None


def lines(path: AnyPath, what: str = "", *, content: bytes | None = None) -> Iterator[tuple[int, str]]:
    """The lines of a UTF-8 text file with their numbers from 1, without line ends (``\\n`` or ``\\r\\n``).

    The file is decompressed if its name ends in ``.gz``. If ``content`` is given, it is read instead of the
    file, and ``path`` is only its name in errors. A byte-order mark at the start is left out.

    Raises InputError as `opened` and `damage` do, for a file that is not text, such as a PDF, and with the
    line's number for a line that is not UTF-8 or longer than `limits.LINE`.
    """
    stream = opened(path, what) if content is None else io.BytesIO(content)
    longest = limits.LINE.value
    with damage(path), stream:
        number = 0
        while line := stream.readline(longest + 2):
            number += 1
            if number == 1:
                line = line.removeprefix(_BYTE_ORDER_MARK)
                if kind := kind_of_bytes(line):
                    raise mistaken(path, kind, what or "text")
            if line.endswith(b"\n"):
                line = line[:-2] if line.endswith(b"\r\n") else line[:-1]
            if len(line) > longest:
                raise limits.LINE.passed(path=path, line=number)
            try:
                text = line.decode()
            except UnicodeDecodeError:
                raise _not_utf8(path, number) from None
            yield number, text


def mistaken(path: AnyPath, kind: str, what: str) -> InputError:
    """The InputError for a file of another kind; ``what``: the content that was expected."""
    return InputError(f"is {kind}; expected {what}", path=path, remedy="Convert it, or name another file.")


def read_bytes(path: AnyPath, what: str = "", *, largest: int | None = None) -> bytes:
    """All bytes of a file.

    Raises InputError as `opened` and `damage` do, and for more than ``largest`` bytes (by default
    `limits.FILE`).
    """
    most = limits.FILE.value if largest is None else largest
    with damage(path), opened(path, what) as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        if largest is None:
            raise limits.FILE.passed(path=path)
        raise InputError(f"is larger than {largest} bytes", path=path, remedy="Give a smaller file.")
    return content


def read_text(path: AnyPath, what: str = "") -> str:
    """All text of a UTF-8 file, with its line ends unchanged.

    Raises InputError as `read_bytes` does, and with the line's number for text that is not UTF-8.
    """
    content = read_bytes(path, what)
    if kind := kind_of_bytes(content):
        raise mistaken(path, kind, what or "text")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise _not_utf8(path, content.count(b"\n", 0, error.start) + 1) from None


def _not_utf8(path: AnyPath, line: int) -> InputError:
    return InputError("is not UTF-8 text", path=path, line=line, remedy="Save the file as UTF-8.")


def read_json(path: AnyPath, what: str = "") -> Any:
    """The content of a JSON file, without a byte-order mark.

    Raises InputError as `read_text` and `parse_json` do.
    """
    return parse_json(read_text(path, what).removeprefix("\ufeff"), path=path)


def parse_json(text: str, *, path: AnyPath | None = None, line: int | None = None) -> Any:
    """The value of a JSON text.

    Raises InputError for text that is not JSON, a number over `limits.NUMBER`, NaN, an infinity, an object
    with the same name twice, and half a character (a lone surrogate).
    """
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        at = line if line is not None else error.lineno
        remedy = "Correct the JSON."
        raise InputError(f"is not JSON: {error.msg}", path=path, line=at, remedy=remedy) from None
    except InputError as error:  # raised by the hooks of the decoder
        raise InputError(error.problem, path=path, line=line, remedy=error.remedy) from None
    except RecursionError:
        raise InputError("is nested too deeply", path=path, line=line, remedy="Check it.") from None
    if "\\u" in text:
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            problem = "has half a character in it (a lone surrogate)"
            raise InputError(problem, path=path, line=line, remedy="Write the text as UTF-8.") from None
    return value


def _no_number(constant: str) -> float:
    raise InputError(f"holds {constant}, which is not a JSON number", remedy="Write a finite number.")


def _decimal(digits: str) -> float:
    if len(digits) > limits.NUMBER.value:
        raise limits.NUMBER.passed()
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise InputError(f"the number {digits[:40]} is too large", remedy="Write a smaller number.")
    return value


def whole_number(digits: str) -> int:
    """A whole number from ASCII digits; InputError for more digits than `limits.NUMBER`."""
    if len(digits) > limits.NUMBER.value:
        raise limits.NUMBER.passed()
    return int(digits)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"has the field {twice[:40]!r} twice", remedy="Remove one of the two.")
    return found


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_no_number, parse_float=_decimal, parse_int=whole_number
)


# Files in another form than the expected one
# -------------------------------------------

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_ONLY_GZIP = ", and only gzip (.gz) is read"
_BEGINNINGS: tuple[tuple[bytes | tuple[bytes, ...], str], ...] = (
    (b"%PDF-", "a PDF file"),
    (b"PK\x03\x04", "a ZIP archive, as Excel (.xlsx) and Word (.docx) write"),
    (b"\xd0\xcf\x11\xe0", "an Excel or Word file of the old format"),
    (b"\x1f\x8b", "compressed with gzip, but its name does not end in .gz"),
    (tuple(b"BZh%d" % level for level in range(1, 10)), f"compressed with bzip2{_ONLY_GZIP}"),
    (b"\xfd7zXZ\x00", f"compressed with xz{_ONLY_GZIP}"),
    (b"\x28\xb5\x2f\xfd", f"compressed with Zstandard{_ONLY_GZIP}"),
    (b"\x04\x22\x4d\x18", f"compressed with LZ4{_ONLY_GZIP}"),
    (b"7z\xbc\xaf\x27\x1c", f"compressed with 7-Zip{_ONLY_GZIP}"),
    (b"\xff\xfe", "UTF-16 text, not UTF-8"),
    (b"\xfe\xff", "UTF-16 text, not UTF-8"),
)
_SEPARATORS = {"\t": "tabs (TSV)", ",": "commas (CSV)", ";": "semicolons (CSV)"}


def kind_of_bytes(line: bytes) -> str | None:
    """What a file is by the bytes that begin its first line; None for what may be UTF-8 text.

    >>> kind_of_bytes(b"%PDF-1.7")
    'a PDF file'
    """
    return next((kind for beginning, kind in _BEGINNINGS if line.startswith(beginning)), None)


def kind_of_line(line: str, columns: Sequence[str]) -> str | None:
    """What a text file is by its first line; None if this is not clear.

    ``columns`` are those of a table that would hold the same: a line is the header of a table if it has at
    least one of them between separators.

    >>> kind_of_line("topic;system;score", ["topic", "system"])
    'a table with semicolons (CSV)'
    """
    start = line.strip()
    if start.startswith("<"):
        return "HTML or XML"
    if start.startswith("["):
        return _array(start)
    if start.startswith("{"):
        return "JSON over several lines" if start == "{" else "JSONL"
    separator = separator_of(start, columns)
    return f"a table with {_SEPARATORS[separator]}" if separator else None


def separator_of(header: str, columns: Sequence[str]) -> str | None:
    """What separates the cells of a header that has at least one of the columns; None if nothing does."""
    for separator in _SEPARATORS:
        cells = [cell.strip(" \"'").casefold() for cell in header.split(separator)]
        if len(cells) > 1 and set(cells) & {column.casefold() for column in columns}:
            return separator
    return None


def _array(start: str) -> str | None:
    """A whole array in one line is one only if it holds objects: `[]` may be a wrong record."""
    try:
        items = json.loads(start)
    except (ValueError, RecursionError):
        items = [{}]  # it goes on in the next line
    return "a JSON array" if isinstance(items, list) and items and isinstance(items[0], dict) else None


# Writing
# -------


@contextlib.contextmanager
def writing(path: AnyPath, *, binary: bool = False) -> Iterator[IO]:
    """Open a file for writing under a temporary name; it takes its name if the block ends without an error.

    Text is UTF-8 with ``\\n`` line ends. If the name ends in ``.gz``, the file is compressed, without a time
    stamp, so equal content gives equal bytes. Parent folders are created. The new file gets the mode and, if
    possible, the owner of the file that it replaces. A pipe or a device is written directly. A link is
    followed.

    Raises InputError for a link to nothing, for a folder, and for a path that is not writable.
    """
    given = Path(path)
    target, direct = _destination(given)
    with contextlib.ExitStack() as stack:
        if direct:
            stream: Any = stack.enter_context(_written_to(given))
        else:
            stream = stack.enter_context(_aside_file(target))
        if given.suffix == ".gz":
            stream = stack.enter_context(
                gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0, compresslevel=6)
            )
        if not binary:
            stream = stack.enter_context(io.TextIOWrapper(stream, encoding="utf-8", newline="\n"))
        yield stream


def check_writable(path: AnyPath) -> None:
    """Raise InputError if `writing` would refuse this path, as far as can be checked without writing."""
    path = Path(path)
    target, direct = _destination(path)
    if direct:
        return
    folder = target.absolute().parent
    while not os.path.lexists(folder):
        folder = folder.parent
    fault = "" if os.access(folder, os.W_OK | os.X_OK) else "may not be written"
    if not folder.is_dir():
        fault = "is not a folder"
    if fault:
        raise InputError(f"cannot be written: {folder} {fault}", path=path, remedy="Name another file.")


def _destination(path: Path) -> tuple[Path, bool]:
    """The path to write, and whether to write it directly: a pipe, a device or an open descriptor."""
    try:
        there = os.stat(path)
    except FileNotFoundError:
        if path.is_symlink():
            raise InputError("is a link to nothing", path=path, remedy="Name a file.") from None
        return path, False
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from None
    if stat.S_ISDIR(there.st_mode):
        raise InputError("is a folder, not a file to write", path=path, remedy="Name a file.")
    if not stat.S_ISREG(there.st_mode) or _descriptor(path) is not None:
        return path, True
    if not os.access(path, os.W_OK):
        problem = "may not be written"
        raise InputError(problem, path=path, remedy="Name another file, or change its permissions.")
    return Path(os.path.realpath(path)) if path.is_symlink() else path, False


def _descriptor(path: Path) -> int | None:
    """The descriptor of this process that a path like /dev/stdout stands for; None for other paths."""
    named = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
    text = os.path.abspath(path)
    found = re.fullmatch(rf"(?:/dev/fd|/proc/(?:self|thread-self|{os.getpid()})/fd)/([0-9]{{1,6}})", text)
    return named.get(text, int(found[1]) if found else None)


def _written_to(path: Path) -> IO[bytes]:
    descriptor = _descriptor(path)
    try:
        return os.fdopen(os.dup(descriptor), "wb") if descriptor is not None else open(path, "wb")
    except OSError as error:
        raise unwritable(path, error) from None


def unwritable(path: Path, error: Exception) -> InputError:
    """The InputError for a file or folder that cannot be written."""
    problem = f"cannot be written: {getattr(error, 'strerror', None) or error}"
    return InputError(problem, path=path, remedy="Name another path, or change its permissions.")


@contextlib.contextmanager
def _aside_file(path: Path) -> Iterator[IO[bytes]]:
    aside = name_aside(path)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    try:
        descriptor = os.open(aside, flags, 0o666)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise unwritable(path, error) from None
    try:
        with os.fdopen(descriptor, "wb") as stream:
            _keep_mode(descriptor, path)
            yield stream
        os.replace(aside, path)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def _keep_mode(descriptor: int, path: Path) -> None:
    """Give a new file the owner and mode of the file that it replaces."""
    try:
        there = os.stat(path)
    except FileNotFoundError:
        return
    with contextlib.suppress(PermissionError):
        os.fchown(descriptor, there.st_uid, there.st_gid)
    with contextlib.suppress(PermissionError):
        os.fchmod(descriptor, stat.S_IMODE(there.st_mode))


def name_aside(path: Path) -> Path:
    """An unpredictable temporary name beside ``path``; removes what ended processes left for ``path``."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from None
    # a file name has at most 255 bytes
    stem = os.fsdecode(os.fsencode(path.name)[:120])
    start = f".{stem}.{os.uname().nodename[:60]}."
    for left in _left_behind(path.parent, start):
        remove_part(left)
    return path.with_name(f"{start}{os.getpid()}.{secrets.token_hex(8)}{PART}")


_PART = re.compile(r"([0-9]+)\.[0-9a-f]{16}" + re.escape(PART))


def _left_behind(folder: Path, start: str) -> list[Path]:
    """Temporary files and folders with names that begin with ``start``, left by ended processes."""
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            part = _PART.fullmatch(entry.name[len(start) :]) if entry.name.startswith(start) else None
            if part and not _runs(int(part[1])):
                found.append(folder / entry.name)
    return found


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return True


def remove_part(path: Path) -> None:
    """Remove a temporary file or folder; a link is removed, but not its target."""
    with contextlib.suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def sha256(path: str) -> str:
    """The SHA-256 of a file's content, as hexadecimal; InputError for one that cannot be read.

    A device or a pipe is refused: it need not end, and a record may name any path.
    """
    try:
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise InputError("is neither a file nor a folder", path=path, remedy="Name a file.")
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise unreadable(path, error) from None
