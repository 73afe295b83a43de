"""Words by table are those of `tokenize`, which makes a string of each."""

from __future__ import annotations

import random

import pytest

from sera.metrics.rouge.preparation import tokenize
from sera.metrics.rouge.token_table import GAP, LONGEST, TokenTable, numbered_words


@pytest.fixture
def table():
    numbers: dict[bytes, int] = {}
    return TokenTable(lambda word: numbers.setdefault(word, len(numbers))), numbers


def test_texts_sentences_and_gaps(table):
    words, _ = table
    found = words.tokens([["A cat, a CAT.", "", "dog"], [], ["cat\0dog", "x\1y"]])
    # a 0, cat 1, dog 2; then x and y
    assert found.numbers.tolist() == [0, 1, 0, 1, 2, GAP, GAP, 1, 2, 3, 4, GAP]
    assert found.bounds.tolist() == [0, 6, 7, 12]
    assert [[part.tolist() for part in found.text(number)] for number in range(3)] == [
        [[0, 1, 0, 1, 2], [0, 4, 4, 5]],
        [[], [0, 0]],
        [[1, 2, 3, 4], [0, 2, 4]],
    ]


@pytest.mark.parametrize("begins", [[0, 1, 2], [0, 2]])
def test_words_that_begin_or_end_alike_and_long_ones_differ(table, begins):
    words, numbers = table
    some = ["a", "0", "aa", "a" * 10, "a" * 11, "a" * LONGEST, "a" * (LONGEST + 1), "a" * (LONGEST + 2)]
    some.append("a" * 16 + "B" + "a" * (LONGEST - 15))  # as long as the last one
    text = [" ".join(some)]
    for _ in range(2):
        assert words.tokens([text, text]).text(1)[0].tolist() == list(range(9))
    assert list(numbers) == [word.lower().encode() for word in some]
    assert numbered_words([text, text], begins).numbers.tolist() == 2 * [*range(9), GAP]


def test_words_are_numbered_anew_in_each_group_of_texts():
    found = numbered_words([["b a"], ["A b"], ["c"], ["b c"]], [0, 2, 4])
    assert found.numbers.tolist() == [0, 1, GAP, 1, 0, GAP, 0, GAP, 1, 0, GAP]


def test_random_texts_are_those_of_tokenize(table):
    words, numbers = table
    draw = random.Random(5)
    texts = [["".join(draw.choices("abcXYZ09 -.éK\n", k=draw.randint(0, 200)))] for _ in range(300)]
    for text in texts:  # more words than the table has rows at first
        (tokens, _), expected = words.tokens([text]).text(0), tokenize(text[0].encode())
        assert tokens.tolist() == [numbers[word] for word in expected]
    assert len(numbers) > 2048
    assert numbered_words(texts, [0, 300]).numbers.tolist() == words.tokens(texts).numbers.tolist()
