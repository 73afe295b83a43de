"""The words of texts by ROUGE-1.5.5's rule, as numbers that a machine compares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from threading import Lock
from typing import Any, Final, NamedTuple

import numpy as np

from sera.compiled import compiled

GAP: Final = -1  # the number after the last token of each text
_NEW: Final = -2  # the number of a word that the table does not have
_LETTERS = bytes(byte if chr(byte).isalnum() and byte < 128 else 32 for byte in range(256)).lower()
"""Letters and digits of ASCII, in lower case; a blank for every other byte."""
_ZERO, _ONES, _HIGHS = (np.uint64(byte * 0x0101010101010101) for byte in (0, 1, 128))  # in eight bytes


class Tokens(NamedTuple):
    """The numbered tokens of several texts.

    ``numbers`` has the tokens of each text, and `GAP` after them: text n is from ``bounds[n]`` to the gap
    before ``bounds[n + 1]``. ``starts[firsts[n] : firsts[n + 1]]`` has the places in text n where its
    sentences begin, from 0, and their end.
    """

    numbers: np.ndarray
    bounds: np.ndarray
    starts: np.ndarray
    firsts: np.ndarray

    def text(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        """The tokens of one text, and the starts of its sentences."""
        begin, end = self.bounds[number : number + 2]
        first, last = self.firsts[number : number + 2]
        return self.numbers[begin : end - 1], self.starts[first:last]

    def without(self, number: int) -> Tokens:
        """The tokens that do not have this number."""
        numbers, bounds, starts = _without(*self, number)
        return Tokens(numbers, bounds, starts, self.firsts)


def tokenize(sentence: bytes) -> list[bytes]:
    """The maximal runs of ASCII letters and digits, in lower case.

    All other bytes separate tokens, letters outside ASCII included: ``naïve`` becomes ``na``, ``ve``. A text
    without ASCII letters and digits has no tokens; use another tokenizer for it.
    """
    return sentence.translate(_LETTERS).split()


def hash_words(texts: Sequence[Sequence[str | bytes]]) -> tuple[Tokens, np.ndarray, np.ndarray]:
    """The words of texts, each given by its sentences: those of `tokenize`, numbered by a hash of 63 bits.

    Also the bytes of the words with zeros between them, and the place in it where each token begins.
    """
    sentences: list[Any] = list(chain.from_iterable(texts))
    ends = np.cumsum(np.fromiter(map(len, sentences), np.int64, len(sentences)) + 1)
    sizes = np.fromiter(map(len, texts), np.int64, len(texts))
    if sentences and isinstance(sentences[0], bytes):
        joined = b" ".join([*sentences, b" " * 25])
    else:  # any other character separates words, so one byte will do for it
        joined = " ".join([*sentences, " " * 25]).encode("ascii", "replace")
    words = _lower(np.frombuffer(joined, np.uint8))
    eights: np.ndarray = np.ndarray((len(words) - 7,), "<u8", words, strides=(1,))
    *tokens, begins = _hash_words(eights, ends, sizes)
    return Tokens(*tokens), words, begins


class WordTable:
    """The numbers of words by their hashes: ``number`` returns that of a word in lower case, once for each.

    A lock lets one thread at a time use the table.
    """

    def __init__(self, number: Callable[[str], int]) -> None:
        self._number = number
        self._rows = np.full((512, 2), _NEW)  # open addressing: a hash, or _NEW in an empty row; the number
        self._size = 0
        self._lock = Lock()

    def __len__(self) -> int:
        return self._size

    def tokens(self, texts: Sequence[Sequence[str | bytes]]) -> Tokens:
        """The tokens of texts, each given by its sentences."""
        hashed, words, begins = hash_words(texts)
        with self._lock:
            numbers = _look_up(hashed.numbers, self._rows)
            new = np.flatnonzero(numbers == _NEW)
            if len(new):
                hashes, places = np.unique(hashed.numbers[new], return_index=True)
                text = words.tobytes()
                found = [
                    self._number(text[begin : text.index(b"\0", begin)].decode("ascii"))
                    for begin in begins[new[places]].tolist()
                ]
                self._rows = _add(hashes, np.array(found, np.int64), self._rows, self._size)
                self._size += len(found)
                numbers = _look_up(hashed.numbers, self._rows)
        return hashed._replace(numbers=numbers)


@compiled(interpret=60_000)
def _lower(text):
    """Letters and digits of ASCII, in lower case; zero for every other byte."""
    low = text | np.uint8(32)
    is_letter = (low - np.uint8(97)) < np.uint8(26)
    return low * (is_letter | ((text - np.uint8(48)) < np.uint8(10)))


@compiled(interpret=60_000)
def _hash_words(eights, ends, sizes):
    """The arrays of `Tokens` for sentences that end at ``ends``, ``sizes`` of them in each text; the begins.

    ``eights`` has the eight bytes from each place on; a word is hashed by sixteen, and ends before a zero.
    """
    numbers = np.empty(len(eights) // 2 + len(sizes) + 1, np.int64)
    begins = np.empty_like(numbers)
    bounds, firsts = np.zeros(len(sizes) + 1, np.int64), np.zeros(len(sizes) + 1, np.int64)
    starts = np.zeros(len(ends) + len(sizes), np.int64)
    place = count = sentence = 0
    for text in range(len(sizes)):
        firsts[text + 1] = firsts[text] + sizes[text] + 1
        for start in range(firsts[text] + 1, firsts[text + 1]):
            while place < ends[sentence]:
                begin, hash, size = place, _ZERO, 16
                while size == 16:  # without a branch for a longer word, which nothing foretells
                    one, two = _before_zero(eights[place]), _before_zero(eights[place + 8])
                    two &= _ZERO - (one & np.uint64(1) & (one >> np.uint64(63)))
                    hash = _mix(_mix(hash ^ (eights[place] & one)) ^ (eights[place + 8] & two))
                    size = int((((one & _ONES) + (two & _ONES)) * _ONES) >> np.uint64(56))
                    place += size
                begins[count], numbers[count] = begin, np.int64(hash >> np.uint64(1))
                count += place > begin
                place += 1
            sentence += 1
            starts[start] = count - bounds[text]
        numbers[count] = GAP
        count += 1
        bounds[text + 1] = count
    return numbers[:count], bounds, starts, firsts, begins


@compiled
def _before_zero(eight):
    """All bits of the bytes before the first of eight that is zero."""
    zeros = (eight - _ONES) & ~eight & _HIGHS
    return ((zeros & (_ZERO - zeros)) >> np.uint64(7)) - np.uint64(1)


@compiled
def _mix(hash):
    hash = hash * np.uint64(0x9E3779B97F4A7C15)
    return hash ^ (hash >> np.uint64(32))  # the low bits choose the row of a table


@compiled
def _row(hash, rows):
    """The row of a hash, or the empty row where it belongs."""
    row = hash & (len(rows) - 1)
    while rows[row, 0] != hash and rows[row, 0] != _NEW:
        row = (row + 1) & (len(rows) - 1)
    return row


@compiled(interpret=10_000)
def _look_up(hashes, rows):
    """The number of each hash, `_NEW` for one that the table does not have."""
    numbers = np.empty_like(hashes)
    for place, hash in enumerate(hashes):
        numbers[place] = GAP if hash == GAP else rows[_row(hash, rows), 1]
    return numbers


@compiled(interpret=10_000)
def _add(hashes, numbers, rows, size):
    """The table, larger if need be, with new hashes and their numbers."""
    table = rows
    while len(table) < 2 * (size + len(hashes)):
        table = np.full((2 * len(table), 2), _NEW)
    if len(table) > len(rows):
        for old in rows:
            if old[0] != _NEW:
                table[_row(old[0], table)] = old
    for hash, number in zip(hashes, numbers):
        row = _row(hash, table)
        table[row, 0], table[row, 1] = hash, number
    return table


@compiled(interpret=10_000)
def _without(numbers, bounds, starts, firsts, dropped):
    """The numbers, bounds and starts of the tokens that do not have the number ``dropped``."""
    kept, new_bounds, new_starts = np.empty_like(numbers), np.zeros_like(bounds), np.zeros_like(starts)
    count = 0
    for text in range(len(bounds) - 1):
        for sentence in range(firsts[text], firsts[text + 1] - 1):
            for place in range(bounds[text] + starts[sentence], bounds[text] + starts[sentence + 1]):
                kept[count] = numbers[place]
                count += numbers[place] != dropped
            new_starts[sentence + 1] = count - new_bounds[text]
        kept[count] = GAP
        count += 1
        new_bounds[text + 1] = count
    return kept[:count], new_bounds, new_starts
