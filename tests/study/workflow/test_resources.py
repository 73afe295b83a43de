"""The resources of a job, from its inputs and its parameter ``files``."""

from types import SimpleNamespace

import numpy as np
import pytest

from sera.io.records import Candidate
from sera.vectors.word_vectors import WordVectors
from study.workflow.resources import open_resources


@pytest.mark.parametrize(("words", "there"), [(["bx"], True), ([], False)])
def test_vectors_of_no_word_count_as_none(tmp_path, words, there):
    WordVectors(words, np.ones((len(words), 2))).save(tmp_path / "vectors.npz")
    inputs = {"vectors": str(tmp_path / "vectors.npz"), "candidates": ["c.jsonl"]}
    rule = SimpleNamespace(input=inputs, params=SimpleNamespace(files={"framenet": None}))
    resources = open_resources(rule, [Candidate("t", "s", ("Bx.",))])
    assert ("vectors" in resources) is there and "frames" not in resources
