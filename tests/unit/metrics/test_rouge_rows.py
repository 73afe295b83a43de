"""ROUGE of many rows at once: the scores, bit for bit, of each row alone."""

import random

import numpy as np
import pytest

from sera.metrics.base import Summary
from sera.metrics.rouge import measures
from sera.metrics.rouge.measures import Rouge

WORDS = "the a of kinase kinases binding binds protein cell cells divides dividing naïve p53 x".split()
SETTINGS = [
    {},
    {"stem": True},
    {"stop": True},
    {"stem": True, "stop": True, "multi": "best"},
    {"multi": "jackknife"},
    {"multi": "jackknife", "left_out": True},
    {"multi": "best", "beta": 2.0},
    {"beta": "infinity"},
    {"first_references": 2},
    {"words": 9},
    {"bytes": 40, "stop": True},
    {"tokenizer": str.split},
    {"language": "de"},
    {"dialect": "rouge-score", "stem": True},
    {"dialect": "paper", "stem": True, "multi": "jackknife"},
]


def rows(seed: int, count: int) -> list:
    """Candidates with one to four references, of which neighbours may have the same; texts may be empty."""
    draw = random.Random(seed)

    def text():
        sentences = [
            " ".join(draw.choices(WORDS, k=draw.choice([0, 1, 3, 30]))) for _ in range(draw.randint(0, 3))
        ]
        return draw.choice([Summary(sentences), tuple(sentences), " ".join(sentences)])

    found: list = []
    for _ in range(count):
        same = found and draw.random() < 0.4
        references = found[-1][1] if same else [text() for _ in range(draw.randint(1, 4))]
        found.append((text(), references, None))
    return found


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_rows_together_have_the_scores_of_each_alone(settings, monkeypatch):
    monkeypatch.setattr(measures, "AT_ONCE", 70)
    texts = rows(len(str(settings)), 200)
    sizes = ["1", "2", "3", "9", "L", "Lsum" if settings.get("dialect") == "rouge-score" else "SU4"]
    metrics = [Rouge.parse(f"ROUGE-{size}-{part}", **settings) for size in sizes for part in "PRF"]
    metrics += [Rouge("2", part="R"), Rouge("L", part="R", multi="best")]
    alone = [Rouge.score_together(metrics, *row) for row in texts]
    np.testing.assert_array_equal(Rouge.score_rows(metrics, texts), alone)
    assert Rouge.score_rows(metrics, []).shape == (0, len(metrics))


def test_a_score_beside_the_middle_of_two_is_rounded_as_python_rounds():
    words = [f"w{number}" for number in range(640)]
    texts = [(" ".join(words[:hits]), [" ".join(words)], None) for hits in range(641)]
    parts = [Rouge("1", part=part) for part in "PRF"]
    alone = [Rouge.score_together(parts, *row) for row in texts]
    np.testing.assert_array_equal(Rouge.score_rows(parts, texts), alone)
    assert alone[10][1] == 0.01562  # 1 / 64 = 0.015625: half to even
