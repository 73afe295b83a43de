"""The words of a text by the program's rule, found in a table of numbers without making a string for each.

A word of up to `LONGEST` letters and digits is two numbers of six bits a character, so two words are compared
as numbers. Longer words and new ones are left to the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Final, NamedTuple

import numpy as np

from sera.compiled import compiled

GAP: Final = -1  # stands after the last token of each text
_SENTENCE_END, _TEXT_END = "\0", "\1"
_HALF = 10  # characters in a number
LONGEST = 2 * _HALF
_FEWEST = 1 << 12  # rows of a table


def _codes() -> np.ndarray:
    """For each byte, the six bits of a letter or digit of ASCII, from 1; 0 for what separates words."""
    codes = np.zeros(256, np.uint8)
    for code, character in enumerate("0123456789abcdefghijklmnopqrstuvwxyz", 1):
        codes[[ord(character), ord(character.upper())]] = code
    return codes


_CODES = _codes()


class Tokens(NamedTuple):
    """The numbered tokens of several texts.

    ``numbers`` has the tokens of each text, and `GAP` after them; text n is from ``bounds[n]`` to the gap
    before ``bounds[n + 1]``. ``starts`` has for each text where its sentences begin, from 0, and their end;
    ``sizes`` are the texts' numbers of sentences.
    """

    numbers: np.ndarray
    bounds: np.ndarray
    starts: np.ndarray
    sizes: Sequence[int]

    def text(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        """The tokens of one text, and the starts of its sentences."""
        begin, end = self.bounds[number : number + 2].tolist()
        first = sum(self.sizes[:number]) + number
        return self.numbers[begin : end - 1], self.starts[first : first + self.sizes[number] + 1]


class TokenTable:
    """The numbers of words: ``number`` gives that of a word in lower case, once for each short word.

    The table is an open-addressing hash table of rows (first half, second half, number); the second half of
    an empty row is 0. A lock lets one thread at a time use it.
    """

    def __init__(self, number: Callable[[bytes], int]) -> None:
        self._number = number
        self._rows = np.zeros((_FEWEST, 3), np.uint64)
        self._count = 0
        self._lock = Lock()

    def tokens(self, texts: Sequence[Sequence[str]] | Sequence[Sequence[bytes]]) -> Tokens:
        """The tokens of texts, each given by its sentences."""
        sizes = [len(text) or 1 for text in texts]
        marks = sum(sizes)
        content = _joined(texts)
        characters = np.frombuffer(content, np.uint8)
        with self._lock:
            numbers, bounds, starts, missing, found = _find(characters, self._rows, marks, len(texts))
            if found != marks:  # a sentence has a mark in it, where it separates words as a blank does
                marked = [[_without_marks(sentence) for sentence in text] for text in texts]
                content = _joined(marked)
                characters = np.frombuffer(content, np.uint8)
                numbers, bounds, starts, missing, _ = _find(characters, self._rows, marks, len(texts))
            if missing:
                self._add(content, characters, numbers, missing)
        return Tokens(numbers, bounds, starts, sizes)

    def _add(self, content: bytes, characters: np.ndarray, numbers: np.ndarray, missing: int) -> None:
        """Number the words that the table lacks, and add them."""
        unknown = _unknown(characters, numbers, missing)
        words = [content[begin:end].lower() for _, begin, end in unknown.tolist()]
        numbers[unknown[:, 0]] = list(map(self._number, words))
        needed = 2 * (self._count + len(set(words)))
        if needed > len(self._rows):
            rows = np.zeros((1 << needed.bit_length(), 3), np.uint64)
            _move(self._rows, rows)
            self._rows = rows
        self._count += _put(characters, unknown, numbers, self._rows)


def _joined(texts: Sequence[Sequence]) -> bytes:
    """The sentences of all texts in UTF-8, with a mark after each."""
    try:
        joined = _TEXT_END.join([*[_SENTENCE_END.join(text) for text in texts], ""])
    except TypeError:  # they are UTF-8 already
        ends = _SENTENCE_END.encode(), _TEXT_END.encode()
        return ends[1].join([*[ends[0].join(text) for text in texts], b""])
    return joined.encode("utf-8", "surrogatepass")


def _without_marks(sentence: str | bytes) -> str | bytes:
    if isinstance(sentence, bytes):
        return sentence.replace(_SENTENCE_END.encode(), b" ").replace(_TEXT_END.encode(), b" ")
    return sentence.replace(_SENTENCE_END, " ").replace(_TEXT_END, " ")


@compiled
def _row(first, second, rows):
    """The row of a word, or the empty row where it belongs."""
    last = np.uint64(len(rows) - 1)
    mixed = (first * np.uint64(0xC2B2AE3D27D4EB4F)) ^ second
    row = ((mixed * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & last
    while rows[row, 1] != 0 and (rows[row, 1] != second or rows[row, 0] != first):
        row = (row + np.uint64(1)) & last
    return row


@compiled
def _find(content, rows, marks, texts):
    """The arrays of `Tokens`, the number of words that are not in the table, and the number of marks.

    Such a word at byte n has the number -2 - n.
    """
    numbers = np.empty((len(content) + 1) // 2 + texts, np.int64)
    bounds = np.zeros(texts + 1, np.int64)
    starts = np.zeros(marks + texts, np.int64)
    tokens = missing = size = text = found = 0
    first = second = np.uint64(0)
    for place in range(len(content)):
        byte = content[place]
        code = _CODES[byte]
        if code:
            if size == _HALF:
                first, second = second, np.uint64(0)
            second = (second << np.uint64(6)) | np.uint64(code)
            size += 1
            continue
        if size:
            row = _row(first, second, rows)
            if size <= LONGEST and rows[row, 1] != 0:
                numbers[tokens] = np.int64(rows[row, 2])
            else:
                numbers[tokens] = -2 - (place - size)
                missing += 1
            tokens += 1
            size = 0
            first = second = np.uint64(0)
        if byte <= 1:
            found += 1
            if found <= marks and text < texts:
                starts[found + text] = tokens - bounds[text]
                if byte == 1:
                    numbers[tokens] = GAP
                    tokens += 1
                    text += 1
                    bounds[text] = tokens
    return numbers[:tokens], bounds, starts, missing, found


@compiled
def _unknown(content, numbers, missing):
    """The words that `_find` did not find: place of the number, begin, end."""
    words = np.empty((missing, 3), np.int64)
    found = 0
    for place, number in enumerate(numbers):
        if number <= -2:
            end = begin = -2 - number
            while _CODES[content[end]]:
                end += 1
            words[found, 0], words[found, 1], words[found, 2] = place, begin, end
            found += 1
    return words


@compiled
def _put(content, words, numbers, rows):
    """Add words that are not too long; returns how many were new."""
    added = 0
    for word in range(len(words)):
        begin, end = words[word, 1], words[word, 2]
        if end - begin > LONGEST:
            continue
        first = second = np.uint64(0)
        for place in range(begin, end):
            if place - begin == _HALF:
                first, second = second, np.uint64(0)
            second = (second << np.uint64(6)) | np.uint64(_CODES[content[place]])
        row = _row(first, second, rows)
        added += rows[row, 1] == 0
        rows[row, 0], rows[row, 1] = first, second
        rows[row, 2] = np.uint64(numbers[words[word, 0]])  # a negative one is cast back when it is read
    return added


@compiled
def _move(rows, larger):
    for old in range(len(rows)):
        if rows[old, 1] != 0:
            row = _row(rows[old, 0], rows[old, 1], larger)
            larger[row] = rows[old]
