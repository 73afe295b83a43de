"""The vectors of the words of a study's texts."""

import numpy as np
from study.workflow.resources.vectors import read_any

from sera.vectors.word_vectors import WordVectors


def test_vectors_are_there_if_a_file_has_a_word_of_the_texts(tmp_path):
    (tmp_path / "v.txt").write_text("ax 1 0\nbx 0 1\n")
    found = read_any([tmp_path / "v.txt", tmp_path / "none"], ["bx"])
    assert found.words == ["bx"] and read_any([], ["bx"]) is None
    WordVectors([], np.zeros((0, 2))).save(tmp_path / "empty.npz")
    assert read_any([tmp_path / "empty.npz"], ["bx"]) is None
