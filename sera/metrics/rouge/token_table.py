"""The words of texts by the program's rule, numbered without making a string for each.

A word of up to `LONGEST` letters and digits is compared as three numbers of eight bytes, in lower case. A
longer word is compared byte by byte.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, Final, NamedTuple

import numpy as np

from sera.compiled import compiled

GAP: Final = -1  # the number after the last token of each text
_SENTENCE_END, _TEXT_END = "\0", "\1"
LONGEST: Final = 24
_LOWER = np.uint64(0x2020202020202020)  # the bit that sets a letter in lower case, and that each digit has
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(9)], np.uint64)  # of the first bytes of eight
_IN_WORD = np.array([chr(byte).isalnum() and byte < 128 for byte in range(256)], np.uint8)
_LONG = np.uint64(1 << 63)  # marks the size of a long word; the bytes of a short one lack this bit


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
    """The numbers of tokens by word: ``number`` returns that of a word in lower case, once for a short word.

    A lock lets one thread at a time use the table.
    """

    def __init__(self, number: Callable[[bytes], int]) -> None:
        self._number = number
        self._rows = _empty_rows()
        self._numbers = np.array([GAP])  # by number of a word, and last that of `GAP`
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._numbers)

    def tokens(self, texts: Sequence[Sequence]) -> Tokens:
        """The tokens of texts, each given by its sentences."""
        with self._lock:
            rows, self._rows = self._rows, _empty_rows()
            numbers, self._numbers = self._numbers, np.array([GAP])  # a call that is interrupted leaves none
            content, rows, words, *tokens = _words(texts, [0, len(texts)], rows, len(numbers) - 1)
            new = [self._number(content[begin:end].lower()) for begin, end in zip(*words.T.tolist())]
            if new:
                numbers = np.concatenate([numbers[:-1], np.array([*new, GAP])])
            self._rows, self._numbers = rows, numbers
            found = Tokens(*tokens)
            return found._replace(numbers=numbers[found.numbers])


def numbered_words(texts: Sequence[Sequence], begins: Sequence[int]) -> Tokens:
    """The words of texts, each given by its sentences, as tokens.

    Equal words have equal numbers, from 0, in the texts from ``begins[n]`` to ``begins[n + 1]``.
    """
    *_, numbers, bounds, starts, firsts = _words(texts, begins, _empty_rows(), 0)
    return Tokens(numbers, bounds, starts, firsts)


def _empty_rows() -> np.ndarray:
    return np.zeros((512, 4), np.uint64)


def _words(texts: Sequence[Sequence], begins: Sequence[int], rows: np.ndarray, known: int) -> Any:
    """The texts as bytes, and what `_numbered` returns."""
    content = _joined(texts)
    marks = sum([len(text) or 1 for text in texts])
    if np.count_nonzero(np.frombuffer(content, np.uint8) <= 1) > marks:
        # a sentence contains a mark, where it separates words as a blank does
        content = _joined([[_without_marks(each) for each in text] for text in texts])
    eights: np.ndarray = np.ndarray((len(content) - 7,), "<u8", content, strides=(1,))
    return content, *_numbered(np.frombuffer(content, np.uint8), eights, np.array(begins), marks, rows, known)


def _joined(texts: Sequence[Sequence]) -> bytes:
    """All texts in UTF-8 with a mark after each sentence."""
    try:
        text = _TEXT_END.join([*[_SENTENCE_END.join(text) for text in texts], " " * LONGEST])
        return text.encode("utf-8", "surrogatepass")
    except TypeError:  # they are UTF-8 already
        marks = _SENTENCE_END.encode(), _TEXT_END.encode()
        return marks[1].join([*[marks[0].join(text) for text in texts], b" " * LONGEST])


def _without_marks(sentence: str | bytes) -> str | bytes:
    if isinstance(sentence, bytes):
        return sentence.replace(_SENTENCE_END.encode(), b" ").replace(_TEXT_END.encode(), b" ")
    return sentence.replace(_SENTENCE_END, " ").replace(_TEXT_END, " ")


@compiled
def _key(eights, begin, size):
    """Three numbers of a word: its first `LONGEST` bytes, or 16 of them and the size of a longer word."""
    one = (eights[begin] | _LOWER) & _MASKS[min(size, 8)]
    two = (eights[begin + 8] | _LOWER) & _MASKS[min(max(size - 8, 0), 8)]
    three = (eights[begin + 16] | _LOWER) & _MASKS[min(max(size - 16, 0), 8)]
    return one, two, three if size <= LONGEST else np.uint64(size) | _LONG


@compiled
def _slot(one, two, three, rows):
    """The row where the search for a word begins."""
    mixed = ((one * np.uint64(0xC2B2AE3D27D4EB4F)) ^ two) * np.uint64(0x165667B19E3779F9) ^ three
    return ((mixed * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & np.uint64(len(rows) - 1)


@compiled
def _differs(content, begin, end, words, number):
    """Whether a long word differs from the one of the same key; ``number`` < 0 is of another call."""
    if number < 0:
        return True
    for place in range(end - begin):
        if (content[begin + place] | 0x20) != (content[words[number, 0] + place] | 0x20):
            return True
    return False


@compiled
def _larger(rows):
    """A table of twice as many rows with the same words."""
    larger = np.zeros((2 * len(rows), 4), np.uint64)
    for old in range(len(rows)):
        if rows[old, 0] != 0:
            row = _slot(rows[old, 0], rows[old, 1], rows[old, 2], larger)
            while larger[row, 0] != 0:
                row = (row + np.uint64(1)) & np.uint64(len(larger) - 1)
            larger[row] = rows[old]
    return larger


@compiled
def _numbered(content, eights, begins, marks, rows, known):
    """The table of words, the begin and the end of each new word, and the arrays of `Tokens`.

    Words are numbered anew in each group of texts, from ``begins[n]`` to ``begins[n + 1]``; in the first, the
    ``known`` words of the table ``rows`` have their numbers. The table has open addressing: a row has the
    three numbers of a word and the word's own number, and the first number of an empty row is 0.
    """
    texts = begins[-1]
    edges = np.empty(len(content) + 1, np.int32)  # the begin and the end of each word of a text
    numbers = np.empty(len(content) // 2 + texts + 1, np.int64)
    starts = np.zeros(marks + texts, np.int64)
    bounds, firsts = np.zeros(texts + 1, np.int64), np.zeros(texts + 1, np.int64)
    words, first = np.empty((len(content) // 2 + 1, 2), np.int32), known
    keys = np.empty((len(content) // 2 + 1, 4), np.uint64)  # of the words of a text, with their slots
    place = start = count = 0
    for group in range(len(begins) - 1):
        if group > 0:
            rows[:] = 0
            first = known = 0
        for text in range(begins[group], begins[group + 1]):
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
                    starts[start] = edge >> 1
                    start += 1
            while edge + 2 * known > len(rows):
                rows = _larger(rows)
            for word in range(edge >> 1):
                begin = np.int64(edges[2 * word])
                one, two, three = _key(eights, begin, edges[2 * word + 1] - begin)
                keys[word, 0], keys[word, 1], keys[word, 2] = one, two, three
                keys[word, 3] = _slot(one, two, three, rows)
            for word in range(edge >> 1):  # apart, so that the rows of several words are read at once
                one, two, three, row = keys[word, 0], keys[word, 1], keys[word, 2], keys[word, 3]
                begin, end = np.int64(edges[2 * word]), np.int64(edges[2 * word + 1])
                while rows[row, 0] != 0 and (
                    ((rows[row, 0] ^ one) | (rows[row, 1] ^ two) | (rows[row, 2] ^ three)) != 0
                    or end - begin > LONGEST
                    and _differs(content, begin, end, words, np.int64(rows[row, 3]) - first)
                ):
                    row = (row + np.uint64(1)) & np.uint64(len(rows) - 1)
                if rows[row, 0] == 0:
                    rows[row, 0], rows[row, 1], rows[row, 2], rows[row, 3] = one, two, three, known
                    words[known - first, 0], words[known - first, 1] = begin, end
                    known += 1
                numbers[count] = np.int64(rows[row, 3])
                count += 1
            numbers[count] = GAP
            count += 1
            bounds[text + 1], firsts[text + 1] = count, start
    return rows, words[: known - first], numbers[:count], bounds, starts, firsts


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
