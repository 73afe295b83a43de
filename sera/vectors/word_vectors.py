"""Word vectors and their files: those of `sera.vectors.learning`, word2vec, GloVe and fastText."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import struct
from collections.abc import Iterable, Iterator
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import IO, Any

import numpy as np

from sera.errors import InputError
from sera.io.files import damage, unreadable, writing
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
        state = hashlib.sha256("\n".join(self.words).encode("utf-8", "surrogatepass"))
        state.update(self.matrix.astype("<f4").tobytes())
        return state.hexdigest()[:_DIGITS]

    def save(self, path: str | PathLike[str]) -> None:
        """Write an ``.npz`` file without pickle: ``vectors``, ``words`` (a line each), ``about`` (JSON)."""
        facts = {
            "format": VECTORS_FORMAT,
            "version": VECTORS_VERSION,
            "analyzer": self.analyzer,
            **self.about,
        }
        with writing(path, binary=True) as stream:
            np.savez(
                stream,
                about=_text(json.dumps(facts, sort_keys=True)),
                words=_text("\n".join(self.words)),
                vectors=self.matrix.astype("<f4"),
            )


# Reading


def read(path: str | PathLike[str], words: Iterable[str] | None = None) -> WordVectors:
    """Read a file of `WordVectors.save`, word2vec (text or binary), GloVe or fastText (its text, ``.vec``).

    A file may be compressed with gzip. With ``words``, in lower case, only their vectors are kept from a
    foreign file, so memory does not grow with the file. Words are looked up in lower case; if a word has
    several spellings, the one in lower case counts, else the first. Raises InputError for a value or a width
    that is wrong, with its line, and for a file that is cut short, of another kind, or has none of the words.
    """
    path = Path(path)
    vocabulary = None if words is None else frozenset(words)
    with damage(path):
        try:
            file = open(path, "rb", buffering=0)
        except OSError as error:
            problem = unreadable(path, error, "word vectors").problem
            raise InputError(problem, path=path, remedy=_REMEDY) from None
        with file:
            magic = file.read(4)
            if magic == _MAGIC_ZIP:
                return _read_own(path)
            file.seek(0)
            with gzip.open(file) if magic[:2] == _MAGIC_GZIP else file as raw:
                return _read_foreign(path, io.BufferedReader(raw, _AT_ONCE), vocabulary)


def _read_own(path: Path) -> WordVectors:
    try:
        with np.load(path, allow_pickle=False) as content:
            raw_facts, words, matrix = (content[name] for name in ("about", "words", "vectors"))
    except Exception as error:  # on a damaged file, numpy and zipfile raise errors of many kinds
        problem = f"is not a file of word vectors, or damaged: {error}"
        raise InputError(problem, path=path, remedy=_REMEDY) from None
    facts = json.loads(raw_facts.tobytes())
    if (facts.pop("format", None), facts.pop("version", None)) != (VECTORS_FORMAT, VECTORS_VERSION):
        raise InputError("has another format", path=path, remedy=_REMEDY)
    text = words.tobytes().decode("utf-8", "surrogatepass")
    return WordVectors(text.split("\n") if text else [], matrix, None, facts.pop("analyzer"), facts)


_Vectors = Iterator[tuple[int | None, str, "list[bytes] | bytes"]]
"""Of each vector the line, if there are lines, the word, and the numbers: as texts, or float32."""


def _read_foreign(path: Path, stream: io.BufferedReader, vocabulary: frozenset[str] | None) -> WordVectors:
    first = stream.readline()
    if first.startswith(_MAGIC_FASTTEXT):
        problem = "is a model of fastText"
        raise InputError(problem, path=path, remedy="Name its vectors, the file .vec in the same folder.")
    head = first.split()
    has_header = len(head) == 2 and all(map(bytes.isdigit, head))
    count, width = map(int, head) if has_header else (None, len(head) - 1)
    if width < 1:
        raise InputError("is not a word and its numbers", path=path, line=1, remedy=_REMEDY)
    state = hashlib.sha256(first)
    if count is not None and _is_binary(stream.peek(4096), width):
        vectors = _binary_vectors(path, stream, count, width, state)
    else:
        vectors = _text_vectors(path, b"" if has_header else first, stream, width, state)
    rows: dict[str, np.ndarray] = {}
    exact: set[str] = set()  # the words that the file has in lower case
    number = 0
    with Progress("vectors read", count) as report:
        for line, word, numbers in vectors:
            number += 1
            lower = word.lower()
            new = word not in exact if word == lower else lower not in rows
            if new and (vocabulary is None or lower in vocabulary):
                rows[lower] = _vector(numbers, word, path, line)
                exact.add(word)
            report.advance(1)
    if count is not None and number != count:
        problem = f"has {number} vectors, and its first line says {count}"
        raise InputError(problem, path=path, remedy=_AGAIN)
    if not rows:
        problem = "has no vector" + ("" if vocabulary is None else " of any word of the texts")
        raise InputError(problem, path=path, remedy=_REMEDY)
    digest = state.hexdigest()[:_DIGITS]
    return WordVectors(rows, np.stack(list(rows.values())), f"{path.name}#{digest}")


def _is_binary(begin: bytes, width: int) -> bool:
    """Whether the bytes after the first line of a file are binary: no line that ends in ``width`` numbers."""
    fields = begin.partition(b"\n")[0].rstrip(b" \r").replace(b"\t", b" ").rsplit(b" ", width)
    return len(fields) <= width or not all(map(_is_number, fields[1:]))


def _text_vectors(path: Path, first: bytes, stream: IO[bytes], width: int, state: Any) -> _Vectors:
    """The vectors of a text; ``first`` is the line that was read, unless it is the header."""
    for number, line in enumerate(chain([first], stream), 1):
        if number > 1:
            state.update(line)
        line = line.rstrip(b" \r\n").replace(b"\t", b" ")
        if not line:
            continue
        fields = line.rsplit(b" ", width)
        word_rest = fields[0].split(b" ")[1:]  # a word of GloVe's may have blanks inside, but not numbers
        if len(fields) <= width or not fields[0] or (word_rest and all(map(_is_number, word_rest))):
            problem = f"is not a word and {width} numbers, with single blanks between"
            raise InputError(problem, path=path, line=number, remedy=_AGAIN)
        try:
            word = fields[0].decode()
        except UnicodeDecodeError:
            raise InputError("is not UTF-8 text", path=path, line=number, remedy=_REMEDY) from None
        yield number, word, fields[1:]


def _binary_vectors(path: Path, stream: IO[bytes], count: int, width: int, state: Any) -> _Vectors:
    buffer, place, size = b"", 0, 4 * width
    for number in range(1, count + 1):
        if len(buffer) - place < _LONGEST_WORD + size:
            block = stream.read(_AT_ONCE + size)
            state.update(block)
            buffer, place = buffer[place:] + block, 0
        blank = buffer.find(b" ", place, place + _LONGEST_WORD)
        end = blank + 1 + size
        if blank < 0 or end > len(buffer):
            problem = f"ends, or is damaged, at vector {number} of {count}"
            raise InputError(problem, path=path, remedy=_AGAIN)
        word = buffer[place:blank].lstrip(b"\n").decode("utf-8", "replace")
        yield None, word, buffer[blank + 1 : end]
        place = end


def _vector(numbers: list[bytes] | bytes, word: str, path: Path, line: int | None) -> np.ndarray:
    try:
        values: Any = np.frombuffer(numbers, "<f4") if isinstance(numbers, bytes) else np.array(numbers, "S")
        vector: np.ndarray = values.astype(np.float32)
        if np.isfinite(vector).all():
            return vector
    except ValueError:
        pass
    problem = f"the vector of {word!r} holds a value that is not a finite number"
    raise InputError(problem, path=path, line=line, remedy=_AGAIN)


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _text(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)
