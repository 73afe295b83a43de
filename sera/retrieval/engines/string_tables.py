"""The table of the chunks of texts, for building an index.

A chunk is the text between two blanks; see `sera.retrieval.engines.index_building`.
"""

from __future__ import annotations

from array import array

import numpy as np

from sera.compiled import compiled
from sera.text import analysis

_TERM_BYTES = 250
_LONGEST_CHUNK = 64  # bytes; a longer chunk, for example a text without blanks, is unlikely to occur again
AT_ONCE = 4096  # chunks or strings that are added before a table may grow


class _Strings:
    """Byte strings, numbered in the order of their first occurrence.

    This is a hash table with open addressing. It consists of arrays, so that compiled loops can search and
    add. String n of the ``count`` strings is ``bytes[starts[n]:starts[n + 1]]``, with the hash ``hashes[n]``.
    ``slots`` holds the numbers, each at the first free place from its hash on; a free place holds -1.
    """

    def __init__(self) -> None:
        self.count = 0
        self.slots = np.full(1 << 14, -1, np.int32)
        self.hashes = np.empty(AT_ONCE, np.uint64)
        self.starts = np.zeros(AT_ONCE + 1, np.int64)
        self.bytes = np.empty(AT_ONCE * _LONGEST_CHUNK, np.uint8)

    @property
    def size(self) -> int:
        """Bytes of memory in use."""
        return 4 * len(self.slots) + 16 * self.count + int(self.starts[self.count])

    def make_room(self) -> None:
        """Make room for `AT_ONCE` more strings of at most `_LONGEST_CHUNK` bytes each."""
        strings = self.count + AT_ONCE
        if strings > len(self.hashes):
            self.hashes = with_room(self.hashes, strings)
            self.starts = with_room(self.starts, len(self.hashes) + 1)
        needed = int(self.starts[self.count]) + AT_ONCE * _LONGEST_CHUNK
        if needed > len(self.bytes):
            self.bytes = with_room(self.bytes, needed)
        if 2 * strings > len(self.slots):
            self.slots = np.full(1 << (4 * strings).bit_length(), -1, np.int32)
            _fill(self.slots, self.hashes, self.count)


def with_room(values: np.ndarray, length: int) -> np.ndarray:
    """A copy with room for at least ``length`` values, and for at least half as many again as before."""
    grown = np.empty(max(length, len(values) * 3 // 2), values.dtype)
    grown[: len(values)] = values
    return grown


_OFFSET, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)  # of the hash FNV-1a
_FOLD = np.uint64(29)


@compiled
def _fill(slots, hashes, count):
    """Put the numbers below ``count`` into empty slots."""
    mask = np.uint64(len(slots) - 1)
    for number in range(count):
        slot = hashes[number] & mask
        while slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = number


@compiled
def _find(text, start, end, hash, slots, hashes, starts, known):
    """The slot of a string, or the empty slot where it belongs."""
    mask = np.uint64(len(slots) - 1)
    slot = hash & mask
    while slots[slot] >= 0:
        number = slots[slot]
        first = starts[number]
        if hashes[number] == hash and starts[number + 1] - first == end - start:
            place = 0
            while place < end - start and known[first + place] == text[start + place]:
                place += 1
            if place == end - start:
                return slot
        slot = (slot + np.uint64(1)) & mask
    return slot


@compiled
def _add(text, start, end, hash, slot, slots, hashes, starts, known, number):
    """Add a string under the next number; an empty string gets the number but cannot be found again."""
    hashes[number] = hash
    first = starts[number]
    starts[number + 1] = first + end - start
    for place in range(end - start):
        known[first + place] = text[start + place]
    if end > start:
        slots[slot] = number


def _separators() -> np.ndarray:
    """For each byte, whether it separates chunks: 1 always, 2 before a byte of kind 1, 0 never."""
    kinds = np.zeros(256, np.uint8)
    kinds[list(b" \n-()[]/")] = 1
    kinds[list(b",.")] = 2
    return kinds


_SEPARATORS = _separators()


class Chunks:
    """The numbers of chunks, and for each chunk the terms of its words."""

    def __init__(self, analyzer: str) -> None:
        self.analyzer = analyzer
        self.terms: dict[str, int] = {}  # numbered in the order of first occurrence
        self._analyzer = analysis.analyzer(analyzer)
        self._strings = _Strings()
        self._starts = array("q", [0])  # per chunk where its words begin
        self._words = array("i")  # per word the number of its term, -1 for a stop word
        self._numbers = np.empty(0, np.int32)  # those of the chunks of the current text
        self._new = np.empty((AT_ONCE, 2), np.int64)

    @property
    def size(self) -> int:
        own = 8 * len(self._starts) + 4 * len(self._words) + _TERM_BYTES * len(self.terms)
        return own + self._strings.size

    def words(self, text: bytes) -> np.ndarray:
        """For each word of a text in UTF-8, the number of its term, or -1 for a stop word; int32."""
        if len(self._numbers) < len(text) // 2 + 1:
            self._numbers = np.empty(len(text) // 2 + 1, np.int32)
        content = np.frombuffer(text, np.uint8)
        strings = self._strings
        place = chunks = 0
        while place < len(text):
            strings.make_room()
            place, chunks, new = _number_chunks(
                content, place, _SEPARATORS, _LONGEST_CHUNK, self._numbers, chunks, self._new,
                strings.slots, strings.hashes, strings.starts, strings.bytes, strings.count,
            )  # fmt: skip
            strings.count += new
            for start, end in self._new[:new].tolist():
                self._analyze(text[start:end].decode("utf-8", "surrogatepass"))
        return _words_of(self._numbers[:chunks], np.asarray(self._starts), np.asarray(self._words))

    def _analyze(self, chunk: str) -> None:
        for word in self._analyzer.words(chunk):
            term = self._analyzer.term(word)
            self._words.append(-1 if term is None else self.terms.setdefault(term, len(self.terms)))
        self._starts.append(len(self._words))


@compiled
def _number_chunks(
    text, place, separators, longest, numbers, chunks, new, slots, hashes, starts, known, count
):  # fmt: skip
    """Number the chunks of a text from ``place`` on, until its end or until ``new`` is full.

    A chunk of more than ``longest`` bytes gets a new number each time.
    Returns the place reached, the number of chunks so far, and the number of new chunks; ``new`` then holds
    the beginning and end of each new chunk in the text.
    """
    found = 0
    while place < len(text):
        start = place
        hash = _OFFSET
        while place < len(text):
            byte = text[place]
            kind = separators[byte]
            if kind == 1 or (kind == 2 and place + 1 < len(text) and separators[text[place + 1]] == 1):
                break
            hash = (hash ^ np.uint64(byte)) * _PRIME
            place += 1
        if place > start:
            hash ^= hash >> _FOLD
            long = place - start > longest
            slot = np.uint64(0)
            if not long:
                slot = _find(text, start, place, hash, slots, hashes, starts, known)
            if long or slots[slot] < 0:
                if found == len(new):
                    return start, chunks, found
                end = start if long else place
                _add(text, start, end, hash, slot, slots, hashes, starts, known, count + found)
                new[found, 0] = start
                new[found, 1] = place
                numbers[chunks] = count + found
                found += 1
            else:
                numbers[chunks] = slots[slot]
            chunks += 1
        place += 1
    return place, chunks, found


@compiled
def _words_of(numbers, starts, words):
    """The words of chunks in order."""
    total = 0
    for number in numbers:
        total += starts[number + 1] - starts[number]
    text = np.empty(total, np.int32)
    place = 0
    for number in numbers:
        for word in range(starts[number], starts[number + 1]):
            text[place] = words[word]
            place += 1
    return text
