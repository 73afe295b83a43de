"""The words of a text by the program's rule, found in a table of numbers without making a string for each.

A word of up to `LONGEST` letters and digits is compared as three numbers of eight bytes, in lower case.
Longer words and new ones are left to the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Final, NamedTuple

import numpy as np

from sera.compiled import compiled

GAP: Final = -1  # the number after the last token of each text
_SENTENCE_END, _TEXT_END = "\0", "\1"
LONGEST: Final = 24
_FEWEST = 1 << 12  # rows of a table
_LOWER = np.uint64(0x2020202020202020)  # the bit that sets a letter in lower case, and that each digit has
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(9)], np.uint64)  # of the first bytes of eight
_IN_WORD = np.array([chr(byte).isalnum() and byte < 128 for byte in range(256)], np.uint8)


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


class TokenTable:
    """The numbers of words: ``number`` returns that of a word in lower case, once for each short word.

    The table is an open-addressing hash table of rows (three numbers of a word, and its token's number); the
    first number of an empty row is 0. A lock lets one thread at a time use it.
    """

    def __init__(self, number: Callable[[bytes], int]) -> None:
        self._number = number
        self._rows = np.zeros((_FEWEST, 4), np.uint64)
        self._count = 0
        self._lock = Lock()

    def tokens(self, texts: Sequence[Sequence[str]] | Sequence[Sequence[bytes]]) -> Tokens:
        """The tokens of texts, each given by its sentences."""
        marks = sum([len(text) or 1 for text in texts])
        with self._lock:
            content, *views = _joined(texts)
            *found, missing = _find(*views, self._rows, marks, len(texts))
            if missing < 0:  # a sentence contains a mark, where it separates words as a blank does
                content, *views = _joined([[_without_marks(each) for each in text] for text in texts])
                *found, missing = _find(*views, self._rows, marks, len(texts))
            if missing:
                self._add(content, views, found[0], missing)
        return Tokens(*found)

    def _add(self, content: bytes, views: list[np.ndarray], numbers: np.ndarray, missing: int) -> None:
        """Number the words that the table lacks, and add them."""
        unknown = _unknown(views[0], numbers, missing)
        words = [content[begin:end].lower() for _, begin, end in unknown.tolist()]
        numbers[unknown[:, 0]] = list(map(self._number, words))
        needed = 2 * (self._count + len(set(words)))
        if needed > len(self._rows):
            rows = np.zeros((1 << needed.bit_length(), 4), np.uint64)
            _move(self._rows, rows)
            self._rows = rows
        self._count += _put(views[1], unknown, numbers, self._rows)


def _joined(texts: Sequence[Sequence]) -> tuple[bytes, np.ndarray, np.ndarray]:
    """All texts in UTF-8 with a mark after each sentence; its bytes, and the eight bytes from each on."""
    try:
        text = _TEXT_END.join([*[_SENTENCE_END.join(text) for text in texts], " " * LONGEST])
        content = text.encode("utf-8", "surrogatepass")
    except TypeError:  # they are UTF-8 already
        marks = _SENTENCE_END.encode(), _TEXT_END.encode()
        content = marks[1].join([*[marks[0].join(text) for text in texts], b" " * LONGEST])
    eights: np.ndarray = np.ndarray((len(content) - 7,), "<u8", content, strides=(1,))
    return content, np.frombuffer(content, np.uint8), eights


def _without_marks(sentence: str | bytes) -> str | bytes:
    if isinstance(sentence, bytes):
        return sentence.replace(_SENTENCE_END.encode(), b" ").replace(_TEXT_END.encode(), b" ")
    return sentence.replace(_SENTENCE_END, " ").replace(_TEXT_END, " ")


@compiled
def _key(eights, begin, size):
    """The three numbers of a word of up to `LONGEST` bytes."""
    return (
        (eights[begin] | _LOWER) & _MASKS[min(size, 8)],
        (eights[begin + 8] | _LOWER) & _MASKS[min(max(size - 8, 0), 8)],
        (eights[begin + 16] | _LOWER) & _MASKS[min(max(size - 16, 0), 8)],
    )


@compiled
def _slot(one, two, three, rows):
    """The row where the search for a word begins."""
    mixed = ((one * np.uint64(0xC2B2AE3D27D4EB4F)) ^ two) * np.uint64(0x165667B19E3779F9) ^ three
    return ((mixed * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & np.uint64(len(rows) - 1)


@compiled
def _row(one, two, three, row, rows):
    """The row of a word, or the empty row where it belongs, from its `_slot` on."""
    while rows[row, 0] != 0 and ((rows[row, 0] ^ one) | (rows[row, 1] ^ two) | (rows[row, 2] ^ three)) != 0:
        row = (row + np.uint64(1)) & np.uint64(len(rows) - 1)
    return row


@compiled
def _find(content, eights, rows, marks, texts):
    """The arrays of `Tokens`, and the number of words that are not in the table.

    Such a word at byte n has the number -2 - n. The number of words is -1 if there are more marks than
    sentences.
    """
    edges = np.empty(len(content) + 1, np.int32)  # the begin and the end of each word of a text
    words = np.empty((len(content) // 2 + 1, 4), np.uint64)  # of a text: three numbers, and the slot
    numbers = np.empty(len(content) // 2 + texts + 1, np.int64)
    starts = np.zeros(marks + texts, np.int64)
    bounds, firsts = np.zeros(texts + 1, np.int64), np.zeros(texts + 1, np.int64)
    place = start = count = missing = 0
    for text in range(texts):
        edge, before, byte = np.int64(0), np.uint8(0), np.uint8(0)
        start += 1
        while byte != 1:
            byte = content[np.uint64(place)]  # unsigned: it is not counted from the end
            now = _IN_WORD[byte]
            edges[np.uint64(edge)] = place  # without a branch, which could not be foreseen
            edge += np.int64(now ^ before)
            before = now
            place += 1
            if byte <= 1:
                if start >= len(starts):
                    return numbers[:0], bounds, starts, firsts, -1
                starts[start] = edge >> 1
                start += 1
        for word in range(edge >> 1):
            begin = np.int64(edges[2 * word])
            one, two, three = _key(eights, begin, edges[2 * word + 1] - begin)
            words[word, 0], words[word, 1], words[word, 2] = one, two, three
            words[word, 3] = _slot(one, two, three, rows)
        for word in range(edge >> 1):  # apart, so that the rows of several words are read at once
            row = _row(words[word, 0], words[word, 1], words[word, 2], words[word, 3], rows)
            known = rows[row, 0] != 0 and edges[2 * word + 1] - edges[2 * word] <= LONGEST
            numbers[count] = np.int64(rows[row, 3]) if known else -2 - np.int64(edges[2 * word])
            missing += not known
            count += 1
        numbers[count] = GAP
        count += 1
        bounds[text + 1], firsts[text + 1] = count, start
    return numbers[:count], bounds, starts, firsts, missing if place + LONGEST == len(content) else -1


@compiled
def _unknown(content, numbers, missing):
    """The words that `_find` did not find: place of the number, begin, end."""
    words = np.empty((missing, 3), np.int64)
    found = 0
    for place, number in enumerate(numbers):
        if number <= -2:
            end = begin = -2 - number
            while _IN_WORD[content[end]]:
                end += 1
            words[found, 0], words[found, 1], words[found, 2] = place, begin, end
            found += 1
    return words


@compiled
def _put(eights, words, numbers, rows):
    """Add words that are not too long; returns how many were new."""
    added = 0
    for word in range(len(words)):
        begin, end = words[word, 1], words[word, 2]
        if end - begin <= LONGEST:
            one, two, three = _key(eights, begin, end - begin)
            row = _row(one, two, three, _slot(one, two, three, rows), rows)
            added += rows[row, 0] == 0
            rows[row, 0], rows[row, 1], rows[row, 2] = one, two, three
            rows[row, 3] = np.uint64(numbers[words[word, 0]])  # a negative one is cast back when it is read
    return added


@compiled
def _move(rows, larger):
    for old in range(len(rows)):
        one, two, three = rows[old, 0], rows[old, 1], rows[old, 2]
        if one != 0:
            larger[_row(one, two, three, _slot(one, two, three, larger), larger)] = rows[old]


@compiled
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
