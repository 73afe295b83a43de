"""Records in a file that stay there: each line is checked once, and a record is read when it is asked for.

`sera.io.records.read` keeps all texts in memory. A `RecordIndex` keeps some 30 bytes a record and the names
of topics and systems, whatever the length of the texts.
"""

from __future__ import annotations

import importlib
import json
import os
import stat
import tempfile
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any, Generic, TypeVar

import numpy as np

from sera.errors import MOST_FAULTS, Faults, InputError
from sera.extras import extra_for
from sera.io.files import damage, opened
from sera.io.records import (
    Candidate,
    Reference,
    Source,
    each_placed,
    expectation,
    has_only_other_letters,
    parsed,
    same,
)

Indexed = TypeVar("Indexed", Candidate, Reference, Source)

PARQUET = ".parquet"
_ROWS = 1024  # of a Parquet file in memory


class RecordIndex(Generic[Indexed]):
    """The candidates, references or articles of a file, by number in the order of the file, from 0.

    ``topics`` and ``names`` are the names in the order of their first record; ``topic_of`` and ``name_of``
    have, for each record, the place of its topic and of its system or annotator in them (int64). ``empty`` is
    the number of records whose sentences are blank, and ``other_letters`` says of each record whether it
    `has_only_other_letters` (bool).

    The file is JSONL, ``.gz`` too, or Parquet (``.parquet``, with the same fields as columns). A compressed
    file, Parquet and anything but a file, such as standard input, are first copied to an unnamed temporary
    file.

    Raises InputError as `sera.io.records.read_unique` does, with up to ten wrong lines.
    """

    def __init__(self, path: str | os.PathLike[str], kind: type[Indexed]) -> None:
        self.path = path
        self.kind: type[Indexed] = kind
        self._stream = _plain_file(path, expectation(kind))
        self._begins, self._ends = array("q"), array("q")
        self.topics: list[str] = []
        self.names: list[str] = []
        self.topic_of, self.name_of = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self.empty = 0
        self.other_letters = np.zeros(0, bool)
        self._read_through()
        self._sorted = np.argsort(self.topic_of, kind="stable")
        self._bounds = np.searchsorted(self.topic_of[self._sorted], np.arange(len(self.topics) + 1))
        self._topic_numbers = {name: number for number, name in enumerate(self.topics)}

    def __len__(self) -> int:
        return len(self._begins)

    def __getitem__(self, number: int) -> Indexed:
        begin, end = self._begins[number], self._ends[number]
        # pread has no position, so that processes may share the file
        line = os.pread(self._stream.fileno(), end - begin, begin)
        if self.kind is Source:
            return parsed(line, self.kind)
        topic, name = self.key(number)
        sentences: Any = tuple(json.loads(line)["sentences"])  # the line is checked already
        return self.kind(topic, name, sentences)

    def __iter__(self) -> Iterator[Indexed]:
        """The records one by one, each read anew."""
        return map(self.__getitem__, range(len(self)))

    def name(self, number: int) -> str:
        """The system or annotator of a record; empty for an article."""
        return self.names[self.name_of[number]]

    def key(self, number: int) -> tuple[str, str]:
        """The topic and the name of a record."""
        return self.topics[self.topic_of[number]], self.name(number)

    @property
    def keys(self) -> list[tuple[str, str]]:
        """The topic and the name of each record, without reading it."""
        return list(map(self.key, range(len(self))))

    def of_topic(self, topic: str) -> list[int]:
        """The numbers of a topic's records, in their order; none for another topic."""
        place = self._topic_numbers.get(topic)
        if place is None:
            return []
        return self._sorted[self._bounds[place] : self._bounds[place + 1]].tolist()

    def by_topic(self) -> np.ndarray:
        """The numbers of all records, topic by topic (int64)."""
        return self._sorted

    def _read_through(self) -> None:
        topics: dict[str, int] = {}
        names: dict[str, int] = {}
        topic_of, name_of, line_of = array("q"), array("q"), array("q")
        other_letters = bytearray()
        faults = Faults()
        descriptor = os.dup(self._stream.fileno())
        os.lseek(descriptor, 0, os.SEEK_SET)
        try:
            for line, (begin, end), found in each_placed(os.fdopen(descriptor, "rb"), self.path, self.kind):
                if isinstance(found, InputError):
                    faults.append(found)
                    continue
                self._begins.append(begin)
                self._ends.append(end)
                line_of.append(line)
                topic_of.append(topics.setdefault(found.topic, len(topics)))
                name = getattr(found, _NAMED.get(self.kind, ""), "")
                name_of.append(names.setdefault(name, len(names)))
                self.empty += not any(map(str.strip, found.sentences))
                other_letters.append(has_only_other_letters(found.sentences))
        except InputError as error:  # the file cannot be read further
            faults.append(error)
        self.topics, self.names = list(topics), list(names)
        self.other_letters = np.array(other_letters, bool)
        self.topic_of, self.name_of = np.array(topic_of, np.int64), np.array(name_of, np.int64)
        self._check(faults, line_of)

    def _check(self, faults: Faults, line_of: Sequence[int]) -> None:
        """Raise the faults of lines, and those of repeated records, in the order of the lines."""
        _, first, group = np.unique(
            self.topic_of * max(1, len(self.names)) + self.name_of, return_index=True, return_inverse=True
        )
        again = np.flatnonzero(first[group] != np.arange(len(self)))
        found = list(faults.kept)
        for number in again[:MOST_FAULTS].tolist():
            named = same(self[number])
            assert named
            problem = f"{named[1]} (the other is in line {line_of[first[group[number]]]})"
            remedy = "Remove one of the two."
            found.append(InputError(problem, path=self.path, line=line_of[number], remedy=remedy))
        together_ = Faults(sorted(found, key=lambda fault: (fault.line is None, fault.line)))
        together_.count = faults.count + len(again)
        together_.raise_all()


_NAMED: dict[type, str] = {Candidate: "system", Reference: "annotator"}


def _plain_file(path: str | os.PathLike[str], what: str) -> IO[bytes]:
    """The bytes of a file, uncompressed, in a file that can be read at any place."""
    name = os.fspath(path)
    if name.endswith(PARQUET):
        opened(path, what).close()  # a missing file has the same error in all formats
        return _spooled(_lines_of_parquet(path))
    stream = opened(path, what)
    if not name.endswith(".gz") and stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        return stream
    with damage(path), stream:
        return _spooled(iter(lambda: stream.read(1 << 20), b""))


def _spooled(pieces: Iterable[bytes]) -> IO[bytes]:
    spool = tempfile.TemporaryFile()
    spool.writelines(pieces)
    spool.flush()
    return spool


def _lines_of_parquet(path: str | os.PathLike[str]) -> Iterator[bytes]:
    """The rows of a Parquet file as lines of JSON; InputError for another file."""
    for row in parquet_rows(path, "records", _ROWS):
        given = {name: value for name, value in row.items() if value is not None}
        try:
            line = json.dumps(given, ensure_ascii=False)
        except TypeError as error:
            raise _no_parquet(path, "records", error) from None
        yield line.encode() + b"\n"


def parquet_rows(path: str | os.PathLike[str], what: str, at_once: int) -> Iterator[dict[str, Any]]:
    """The rows of a Parquet file of ``what``, of which ``at_once`` are in memory.

    InputError for another file, and for text that is not UTF-8.
    """
    parquet = pyarrow("parquet", path)
    try:
        for batch in parquet.ParquetFile(path).iter_batches(at_once):
            yield from batch.to_pylist()
    except (pyarrow("lib", path).ArrowException, OSError, UnicodeDecodeError) as error:
        raise _no_parquet(path, what, error) from None


def _no_parquet(path: str | os.PathLike[str], what: str, error: Exception) -> InputError:
    return InputError(f"is not a Parquet file of {what}: {error}", path=path, remedy="Write it again.")


def pyarrow(module: str, path: str | os.PathLike[str]) -> Any:
    """A module of pyarrow, which only Parquet needs; InputError if it is not installed."""
    with extra_for(f"{path}: Parquet"):
        return importlib.import_module(f"pyarrow.{module}")
