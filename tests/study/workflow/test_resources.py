"""What metrics need besides texts, in a job."""

from types import SimpleNamespace

import numpy as np

from sera.io.records import Candidate
from sera.vectors.word_vectors import WordVectors
from study.workflow.resources import open_resources


def test_vectors_are_there_if_a_file_has_a_word_of_the_texts(tmp_path):
    (tmp_path / "v.txt").write_text("ax 1 0\nbx 0 1\n")
    WordVectors([], np.zeros((0, 2))).save(tmp_path / "empty.npz")

    def vectors(**files):
        rule = SimpleNamespace(input=files, params=SimpleNamespace(files={}))
        return open_resources(rule, [Candidate("t", "s", ("bx.",))]).get("vectors")

    assert vectors(vectors=tmp_path / "v.txt").words == ["bx"]
    assert vectors() is None and vectors(vectors=tmp_path / "empty.npz") is None
