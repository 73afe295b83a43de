"""Word vectors and their files: those of `sera.vectors.learning`, word2vec, GloVe and fastText."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import struct
import zipfile
from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import IO, Any

import numpy as np

from sera.errors import InputError
from sera.io.files import damage, parse_json, unreadable, writing
from sera.progress import Progress
from sera.text import analysis

VECTORS_FORMAT = "sera word vectors"
VECTORS_VERSION = 1
NAME_VECTORS = (
    "Name word vectors: the setting vectors of a study, --vectors FILE on the command line, "
    "vectors=... in Python"
)
"""A remedy without its full stop."""

_MAGIC_FASTTEXT = struct.pack("<i", 793712314)
_MAGIC_ZIP = b"PK\x03\x04"
_MAGIC_GZIP = b"\x1f\x8b"
_WIDEST = 10_000
_LONGEST_WORD = 10_000  # bytes
_AT_ONCE = 1 << 20  # bytes read at a time
_DIGITS = 8  # digits of a digest in a name
_REMEDY = (
    "Name a file of vectors: word2vec's (text or binary), GloVe's, fastText's (.vec), "
    "or one that `sera index vectors` wrote."
)
_AGAIN = "Correct it, or download it again."


class WordVectors:
    """Vectors of words.

    words:     the words or terms, different from each other, in the order of the file
    matrix:    words by numbers, float32
    name:      the name in a metric's signature; None for ``learnt`` with a digest of words and numbers
    analyzer:  the analyzer whose terms ``words`` are; None for words in lower case
    about:     how and from which index they were learnt, if they were

    Raises InputError if the words are not all different or do not fit the matrix.
    """

    def __init__(
        self,
        words: Iterable[str],
        matrix: np.ndarray,
        name: str | None = None,
        analyzer: str | None = None,
        about: dict[str, Any] | None = None,
    ) -> None:
        self.words = list(words)
        self.matrix = np.asarray(matrix, np.float32)
        self.name = name or f"learnt#{self._digest()}"
        self.analyzer, self.about = analyzer, about or {}
        self._rows = {word: row for row, word in enumerate(self.words)}
        self._term = analysis.analyzer(analyzer).term if analyzer else None
        if self.matrix.ndim != 2 or not len(self.matrix) == len(self.words) == len(self._rows):
            raise InputError(
                f"{len(self.words)} words, {len(self._rows)} of them different, do not fit "
                f"vectors of the shape {self.matrix.shape}",
                remedy="Give each word once, and a vector for each.",
            )

    @classmethod
    def none(cls) -> WordVectors:
        """Vectors of no words, for an index with nothing to learn from."""
        return cls((), np.zeros((0, 1), np.float32))

    @property
    def width(self) -> int:
        """Numbers in a vector."""
        return self.matrix.shape[1]

    def row(self, word: str) -> int:
        """The row of a word in lower case; -1 if it has no vector."""
        term = word if self._term is None else self._term(word)
        return -1 if term is None else self._rows.get(term, -1)

    def rows(self, words: Iterable[str]) -> np.ndarray:
        """The `row` of each word, int64."""
        return np.array([self.row(word) for word in words], np.int64)

    def _digest(self) -> str:
        hashed = hashlib.sha256("\n".join(self.words).encode("utf-8", "surrogatepass"))
        hashed.update(self.matrix.astype("<f4").tobytes())
        return hashed.hexdigest()[:_DIGITS]

    def save(self, path: str | PathLike[str]) -> None:
        """Write an ``.npz`` file without pickle: ``vectors``, ``words`` (a line each), ``about`` (JSON).

        Raises InputError for words that are not lines; a binary file may hold them.
        """
        words = "\n".join(self.words)
        if _split(words) != self.words:
            problem = "would hold a word with a line end, or an empty word alone"
            raise InputError(problem, path=path, remedy="Leave these words out.")
        about = {
            "format": VECTORS_FORMAT,
            "version": VECTORS_VERSION,
            "analyzer": self.analyzer,
            **self.about,
        }
        whole = io.BytesIO()  # the archive needs seek, which pipes and devices do not have
        np.savez(
            whole,
            about=_text(json.dumps(about, sort_keys=True)),
            words=_text(words),
            vectors=self.matrix.astype("<f4"),
        )
        with writing(path, binary=True) as stream:
            stream.write(whole.getbuffer())


# Reading
# -------


def read_any(paths: Sequence[str | PathLike[str]], wanted: Collection[str]) -> WordVectors | None:
    """The vectors of ``wanted`` words in the first of the files; None without a file or such a word.

    InputError as of `read`.
    """
    vectors = read(paths[0], wanted) if paths else None
    return vectors if vectors is not None and len(vectors.words) else None


def read(path: str | PathLike[str], words: Iterable[str] | None = None) -> WordVectors:
    """Read a file of `WordVectors.save`, word2vec (text or binary), GloVe or fastText (its text, ``.vec``).

    A file may be compressed with gzip. With ``words``, in lower case, only their vectors are kept from a
    foreign file: its other words are checked and skipped, so memory does not grow with the file. Words are
    looked up in lower case; if a word has several spellings, the one in lower case counts, else the first.

    Raises InputError, with file and line (in a binary file: with the vector's number), for a vector of
    another width and a value that is not a finite number; and for a file that is cut short, of another kind,
    or has none of the words.
    """
    path = Path(path)
    wanted = None if words is None else frozenset(words)
    with damage(path):
        try:
            file = open(path, "rb", buffering=0)
        except (OSError, ValueError) as error:  # ValueError: a null character in the name
            problem = unreadable(path, error, "word vectors").problem
            raise InputError(problem, path=path, remedy=_REMEDY) from None
        with file:
            magic = file.read(4)
            if magic == _MAGIC_ZIP:
                return _read_own(path)
            file.seek(0)
            with gzip.open(file) if magic[:2] == _MAGIC_GZIP else file as raw:
                return _read_foreign(path, io.BufferedReader(raw, _AT_ONCE), wanted)


def _read_own(path: Path) -> WordVectors:
    try:
        with zipfile.ZipFile(path) as archive:
            if any(entry.compress_type != zipfile.ZIP_STORED for entry in archive.infolist()):
                raise ValueError("another program has packed it again")
        with np.load(path, allow_pickle=False) as content:
            about = parse_json(content["about"].tobytes().decode())
            text, matrix = content["words"].tobytes().decode("utf-8", "surrogatepass"), content["vectors"]
    except (
        Exception
    ) as error:  # on a damaged file, numpy and zipfile raise errors of many kinds, also SyntaxError
        problem = f"is not a file of word vectors, or damaged: {error}"
        raise InputError(problem, path=path, remedy=_REMEDY) from None
    if not isinstance(about, dict) or (about.pop("format", None), about.pop("version", None)) != (
        VECTORS_FORMAT,
        VECTORS_VERSION,
    ):
        raise InputError("has another format", path=path, remedy=_REMEDY)
    if matrix.dtype != np.dtype("<f4") or matrix.ndim != 2 or not np.isfinite(matrix).all():
        problem = "its vectors are not finite numbers of 32 bits, a row a word"
        raise InputError(problem, path=path, remedy=_REMEDY)
    analyzer = about.pop("analyzer", None)
    if not isinstance(analyzer, str | None):
        raise InputError("its analyzer has no name", path=path, remedy=_REMEDY)
    try:
        return WordVectors(_split(text), matrix, None, analyzer, about)
    except InputError as error:
        raise InputError(error.problem, path=path, remedy=error.remedy) from None


class _Found:
    """The vectors that are kept, by words in lower case."""

    def __init__(self, wanted: frozenset[str] | None) -> None:
        self.wanted = wanted
        self.vectors: dict[str, np.ndarray] = {}
        self._plain: set[str] = set()  # words whose vector is that of the spelling in lower case

    def wants(self, word: str) -> bool:
        lower = word.lower()
        if self.wanted is not None and lower not in self.wanted:
            return False
        return lower not in self.vectors or (word == lower and lower not in self._plain)

    def keep(self, word: str, vector: np.ndarray) -> None:
        lower = word.lower()
        self.vectors[lower] = vector
        if word == lower:
            self._plain.add(lower)


def _read_foreign(path: Path, stream: io.BufferedReader, wanted: frozenset[str] | None) -> WordVectors:
    hashed = hashlib.sha256()
    found = _Found(wanted)
    first = stream.readline()
    if first.startswith(_MAGIC_FASTTEXT):
        problem = "is a model of fastText"
        raise InputError(problem, path=path, remedy="Name its vectors, the file .vec in the same folder.")
    head = first.split()
    is_header = len(head) == 2 and all(part.isdigit() and len(part) <= 18 for part in head)
    header = (int(head[0]), int(head[1])) if is_header else None
    if header and not (header[0] >= 1 and 1 <= header[1] <= _WIDEST):
        problem = f"says that it has {header[0]} vectors of {header[1]} numbers"
        raise InputError(problem, path=path, line=1, remedy=_REMEDY)
    if header and _is_binary(stream.peek(4096), header[1]):
        hashed.update(first)
        _read_binary(path, stream, *header, found, hashed)
    else:
        _read_text(path, first, stream, header, found, hashed)
    if not found.vectors:
        problem = "has no vector" + ("" if wanted is None else " of any word of the texts")
        raise InputError(problem, path=path, remedy=_REMEDY)
    matrix = np.stack(list(found.vectors.values()))
    return WordVectors(found.vectors, matrix, f"{path.name}#{hashed.hexdigest()[:_DIGITS]}")


def _is_binary(begin: bytes, width: int) -> bool:
    """Whether the bytes after the first line of a file are binary.

    They are text if the next line ends in ``width`` numbers, or else if they have no control characters and
    are UTF-8.
    """
    line, end, _ = begin.partition(b"\n")
    fields = line.rstrip(b" \r").replace(b"\t", b" ").rsplit(b" ", width)
    if end and len(fields) > width and all(map(_is_number, fields[1:])):
        return False
    sample = begin[:4096]
    if any(byte < 9 or 13 < byte < 32 for byte in sample):
        return True
    try:
        sample.decode()
    except UnicodeDecodeError as error:
        return error.start < len(sample) - 4  # the sample may cut its last character
    return False


def _read_text(
    path: Path, first: bytes, stream: IO[bytes], header: tuple[int, int] | None, found: _Found, hashed: Any
) -> None:
    width = header[1] if header else len(first.split()) - 1
    if not 1 <= width <= _WIDEST:
        raise InputError("is not a word and its numbers", path=path, line=1, remedy=_REMEDY)
    count = 0
    with Progress("vectors read", header[0] if header else None) as report:
        for number, line in enumerate(chain([first], stream), 1):
            hashed.update(line)
            line = line.rstrip(b" \r\n").replace(b"\t", b" ")
            if not line or (header and number == 1):
                continue
            fields = line.rsplit(b" ", width)
            beyond = fields[0].split(b" ")[1:]  # a word of GloVe's may have blanks inside, but not numbers
            if len(fields) <= width or not fields[0] or (beyond and all(map(_is_number, beyond))):
                problem = f"has {line.count(b' ')} numbers after the word, not {width}"
                if not fields[0]:
                    problem = "has no word before its numbers"
                elif b"  " in line:
                    problem = "has two blanks in a row"
                raise InputError(problem, path=path, line=number, remedy=_AGAIN)
            try:
                word = fields[0].decode()
            except UnicodeDecodeError:
                raise InputError("is not UTF-8 text", path=path, line=number, remedy=_REMEDY) from None
            if found.wants(word):
                found.keep(word, _vector(fields[1:], word, line, path, number))
            count += 1
            report.advance(1)
    if header and count != header[0]:
        problem = f"has {count} vectors, and its first line says {header[0]}"
        raise InputError(problem, path=path, remedy=_AGAIN)


def _vector(fields: list[bytes], word: str, line: bytes, path: Path, number: int) -> np.ndarray:
    """The numbers of a line, which has this number; InputError for a value that is not a finite number."""
    wrong = next((field for field in fields if not _is_number(field)), None)
    if wrong is None and b"_" in line:  # Python accepts 1_000
        wrong = next((field for field in fields if b"_" in field), None)
    with np.errstate(over="ignore"):  # a number that is too large is refused below
        vector = None if wrong is not None else np.array(fields, "S").astype(np.float32)
    if vector is not None and np.isfinite(vector).all():
        return vector
    shown = word if len(word) <= 80 else word[:77] + "..."
    held = "a number that is not finite" if wrong is None else repr(wrong[:80].decode("utf-8", "replace"))
    raise InputError(f"the vector of {shown!r} holds {held}", path=path, line=number, remedy=_AGAIN)


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _read_binary(path: Path, stream: IO[bytes], count: int, width: int, found: _Found, hashed: Any) -> None:
    buffer, place, size = b"", 0, 4 * width
    with Progress("vectors read", count) as report:
        for number in range(1, count + 1):
            if len(buffer) - place < _LONGEST_WORD + size:
                block = stream.read(_AT_ONCE + size)
                hashed.update(block)
                buffer, place = buffer[place:] + block, 0
            blank = buffer.find(b" ", place, place + _LONGEST_WORD)
            end = blank + 1 + size
            if blank < 0 or end > len(buffer):
                problem = f"ends, or is damaged, at vector {number} of {count}"
                raise InputError(problem, path=path, remedy=_AGAIN)
            word = buffer[place:blank].lstrip(b"\n").decode("utf-8", "replace")
            if found.wants(word):
                vector = np.frombuffer(buffer, "<f4", width, blank + 1).copy()
                if not np.isfinite(vector).all():
                    problem = f"vector {number}, of {word[:80]!r}, holds a number that is not finite"
                    raise InputError(problem, path=path, remedy=_AGAIN)
                found.keep(word, vector)
            place = end
            report.advance(1)
    if (buffer[place:] + stream.read(1)).strip():
        problem = f"goes on after the {count} vectors that its first line names"
        raise InputError(problem, path=path, remedy=_AGAIN)


def _split(text: str) -> list[str]:
    return text.split("\n") if text else []


def _text(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)
