"""The words of texts by ROUGE-1.5.5's rule, as numbers that a machine compares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, Final, NamedTuple

import numpy as np

from sera.compiled import compiled

GAP: Final = -1  # the number after the last token of each text
_NEW: Final = -2  # the number of a word that the table does not have
_LETTERS = bytes(byte if chr(byte).isalnum() and byte < 128 else 32 for byte in range(256)).lower()
"""Letters and digits of ASCII, in lower case; a blank for every other byte."""
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(9)], np.uint64)  # of the first bytes of eight


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


def hash_words(texts: Sequence[Sequence[str | bytes]]) -> tuple[Tokens, bytes, np.ndarray]:
    """The words of texts, each given by its sentences: those of `tokenize`, numbered by a hash of 63 bits.

    Also the texts as words with blanks between them, and the place in it where each token begins.
    """
    sentences: list[Any] = [sentence for text in texts for sentence in text]
    if set(map(type, sentences)) == {str} and (joined := " ".join(sentences)).isascii():
        encoded = joined.encode("ascii")  # as many bytes as characters, encoded once
    else:
        sentences = [
            each if isinstance(each, bytes) else each.encode("utf-8", "surrogatepass") for each in sentences
        ]
        encoded = b" ".join(sentences)
    words = encoded.translate(_LETTERS) + b" " * 9
    eights: np.ndarray = np.ndarray((len(words) - 7,), "<u8", words, strides=(1,))
    ends = np.cumsum(np.fromiter(map(len, sentences), np.int64, len(sentences)) + 1)
    sizes = np.array(list(map(len, texts)), np.int64)
    *tokens, begins = _hash_words(np.frombuffer(words, np.uint8), eights, ends, sizes)
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
                found = [
                    self._number(words[begin : words.index(b" ", begin)].decode("ascii"))
                    for begin in begins[new[places]].tolist()
                ]
                self._rows = _add(hashes, np.array(found, np.int64), self._rows, self._size)
                self._size += len(found)
                numbers = _look_up(hashed.numbers, self._rows)
        return hashed._replace(numbers=numbers)


@compiled(interpret=60_000)
def _hash_words(words, eights, ends, sizes):
    """The arrays of `Tokens` for sentences that end at ``ends``, ``sizes`` of them in each text; the begins.

    ``eights`` has the eight bytes from each place on, of which a word is hashed at once.
    """
    edges = np.empty(len(words) + 1, np.int64)  # the begin and the end of each word
    numbers = np.empty(len(words) // 2 + len(sizes) + 1, np.int64)
    begins = np.empty_like(numbers)
    bounds, firsts = np.zeros(len(sizes) + 1, np.int64), np.zeros(len(sizes) + 1, np.int64)
    starts = np.zeros(len(ends) + len(sizes), np.int64)
    begin = count = sentence = 0
    for text in range(len(sizes)):
        firsts[text + 1] = firsts[text] + sizes[text] + 1
        for start in range(firsts[text] + 1, firsts[text + 1]):
            edge, before = 0, False
            for place in range(begin, ends[sentence]):
                inside = words[place] != 32
                edges[edge] = place
                edge += inside != before
                before = inside
            begin = ends[sentence]
            for word in range(0, edge, 2):
                begins[count] = edges[word]
                numbers[count] = _hash(eights, edges[word], edges[word + 1])
                count += 1
            sentence += 1
            starts[start] = count - bounds[text]
        numbers[count] = GAP
        count += 1
        bounds[text + 1] = count
    return numbers[:count], bounds, starts, firsts, begins


@compiled
def _hash(eights, begin, end):
    hash = np.uint64(0)
    while begin < end:
        hash = (hash ^ (eights[begin] & _MASKS[min(end - begin, 8)])) * np.uint64(0x9E3779B97F4A7C15)
        hash ^= hash >> np.uint64(32)  # the low bits choose the row of a table
        begin += 8
    return np.int64(hash >> np.uint64(1))


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
