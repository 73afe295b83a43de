import numpy as np
import pytest

from sera import metric
from sera.vectors.word_vectors import WordVectors


def test_mean_cosine_with_the_nearest_word():
    vectors = WordVectors(["fish", "ship", "sea"], np.array([[1, 0], [0, 2], [3, 4]]), "made up")
    # ship: 1; sea: cosine .6 with fish, .8 with ship
    assert metric("Nearest", vectors=vectors).score("Fish ship", ["Ship sea."]) == pytest.approx(0.9)
