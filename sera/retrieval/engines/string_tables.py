"""The table of the chunks of texts, for building an index.

A chunk is the text between two blanks; see `sera.retrieval.engines.index_building`.
"""

from __future__ import annotations

from array import array

import numpy as np

from sera.compiled import compiled
from sera.text import analysis

_TERM_BYTES = 250
AT_ONCE = 4096  # chunks that are added before the table may grow


def with_room(values: np.ndarray, length: int) -> np.ndarray:
    """A copy with room for at least ``length`` values, and for at least half as many again as before."""
    grown = np.empty(max(length, len(values) * 3 // 2), values.dtype)
    grown[: len(values)] = values
    return grown


def _separators() -> np.ndarray:
    """For each byte, whether it separates chunks: 1 always, 2 before a byte of kind 1, 0 never."""
    kinds = np.zeros(256, np.uint8)
    kinds[list(b" \n-()[]/")] = 1
    kinds[list(b",.")] = 2
    return kinds


_SEPARATORS = _separators()
_OFFSET, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)  # of the hash FNV-1a
_FOLD = np.uint64(29)


class Chunks:
    """The numbers of chunks, and for each chunk the terms of its words.

    The chunks are in a hash table with open addressing. It consists of arrays, so that compiled loops can
    search and add. Chunk n is ``_bytes[_begins[n]:_begins[n + 1]]``, with the hash ``_hashes[n]``. ``_slots``
    holds the numbers, each at the first free place from its hash on; a free place holds -1.
    """

    def __init__(self, analyzer: str) -> None:
        self.analyzer = analyzer
        self.terms: dict[str, int] = {}  # numbered in the order of first occurrence
        self._analyzer = analysis.analyzer(analyzer)
        self._starts = array("q", [0])  # per chunk where its words begin
        self._words = array("i")  # per word the number of its term, -1 for a stop word
        self._numbers = np.empty(0, np.int32)  # those of the chunks of the current text
        self._new = np.empty((AT_ONCE, 2), np.int64)
        self._slots = np.full(1 << 14, -1, np.int32)
        self._hashes = np.empty(AT_ONCE, np.uint64)
        self._begins = np.zeros(AT_ONCE + 1, np.int64)
        self._bytes = np.empty(0, np.uint8)

    @property
    def _count(self) -> int:
        return len(self._starts) - 1

    @property
    def size(self) -> int:
        """Bytes of memory in use."""
        words = 8 * len(self._starts) + 4 * len(self._words) + _TERM_BYTES * len(self.terms)
        return words + 4 * len(self._slots) + 16 * self._count + int(self._begins[self._count])

    def words(self, text: bytes) -> np.ndarray:
        """For each word of a text in UTF-8, the number of its term, or -1 for a stop word; int32."""
        if len(self._numbers) < len(text) // 2 + 1:
            self._numbers = np.empty(len(text) // 2 + 1, np.int32)
        content = np.frombuffer(text, np.uint8)
        place = chunks = 0
        while place < len(text):
            self._make_room(len(text))
            place, chunks, new = _number_chunks(
                content, place, self._numbers, chunks, self._new,
                self._slots, self._hashes, self._begins, self._bytes, self._count,
            )  # fmt: skip
            for start, end in self._new[:new].tolist():
                self._analyze(text[start:end].decode("utf-8", "surrogatepass"))
        return _words_of(self._numbers[:chunks], np.asarray(self._starts), np.asarray(self._words))

    def _make_room(self, length: int) -> None:
        """Make room for `AT_ONCE` more chunks of a text of this length in bytes."""
        chunks = self._count + AT_ONCE
        if chunks > len(self._hashes):
            self._hashes = with_room(self._hashes, chunks)
            self._begins = with_room(self._begins, len(self._hashes) + 1)
        if (needed := int(self._begins[self._count]) + length) > len(self._bytes):
            self._bytes = with_room(self._bytes, needed)
        if 2 * chunks > len(self._slots):
            self._slots = np.full(1 << (4 * chunks).bit_length(), -1, np.int32)
            _fill(self._slots, self._hashes, self._count)

    def _analyze(self, chunk: str) -> None:
        for word in self._analyzer.words(chunk):
            term = self._analyzer.term(word)
            self._words.append(-1 if term is None else self.terms.setdefault(term, len(self.terms)))
        self._starts.append(len(self._words))


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
def _find(text, start, end, hash, slots, hashes, begins, known):
    """The slot of a chunk, or the empty slot where it belongs."""
    mask = np.uint64(len(slots) - 1)
    slot = hash & mask
    while slots[slot] >= 0:
        number = slots[slot]
        first = begins[number]
        if hashes[number] == hash and begins[number + 1] - first == end - start:
            place = 0
            while place < end - start and known[first + place] == text[start + place]:
                place += 1
            if place == end - start:
                return slot
        slot = (slot + np.uint64(1)) & mask
    return slot


@compiled
def _number_chunks(text, place, numbers, chunks, new, slots, hashes, begins, known, count):
    """Number the chunks of a text from ``place`` on, until its end or until ``new`` is full.

    Returns the place reached, the number of chunks so far, and the number of new chunks; ``new`` then holds
    the beginning and end of each new chunk in the text.
    """
    found = 0
    while place < len(text):
        start = place
        hash = _OFFSET
        while place < len(text):
            byte = text[place]
            kind = _SEPARATORS[byte]
            if kind == 1 or (kind == 2 and place + 1 < len(text) and _SEPARATORS[text[place + 1]] == 1):
                break
            hash = (hash ^ np.uint64(byte)) * _PRIME
            place += 1
        if place > start:
            hash ^= hash >> _FOLD
            slot = _find(text, start, place, hash, slots, hashes, begins, known)
            if slots[slot] < 0:
                if found == len(new):
                    return start, chunks, found
                number = count + found
                slots[slot] = number
                hashes[number] = hash
                first = begins[number]
                begins[number + 1] = first + place - start
                known[first : begins[number + 1]] = text[start:place]
                new[found, 0] = start
                new[found, 1] = place
                found += 1
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
