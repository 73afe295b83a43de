import numpy as np
import pytest

from sera.evaluation.correlation.coefficients import coefficients
from sera.evaluation.correlation.drawn_topics import of_drawn_topics, worth_counting


def test_coefficients_of_two_drawn_topics_by_hand():
    x = np.array([[1.0, 2.0], [3.0, 3.0]])
    y = np.array([[1.0, 3.0], [2.0, 4.0]])
    drawn = of_drawn_topics(x, y, np.array([[1, 1], [2, 0], [0, 2]]))
    # x 1 2 3 3 and y 1 3 2 4: means 2.25 and 2.5, squares 2.75 and 5, products 2.5
    assert drawn[0, 0] == pytest.approx(2.5 / np.sqrt(2.75 * 5))
    # ranks 1 2 3.5 3.5 and 1 3 2 4: squares 4.5 and 5, products 3
    assert drawn[0, 1] == pytest.approx(3 / np.sqrt(4.5 * 5))
    # of six pairs four are concordant, one is discordant, one is tied by x
    assert drawn[0, 2] == pytest.approx(3 / np.sqrt(5 * 6))
    weights = 1 / np.log2([2, 3, 4, 5])
    found = (2 + 4) * (weights[0] + weights[1]) / 2 + 3 * weights[2] + 1 * weights[3]
    assert drawn[0, 3] == pytest.approx(found / (weights @ [4, 3, 2, 1]))
    assert drawn[1] == pytest.approx([1, 1, 1, 1])  # 1 1 2 2 beside 1 1 3 3
    assert np.isnan(drawn[2]).all()  # one score by x


@pytest.mark.parametrize("seed", range(40))
def test_draws_are_those_of_repeated_summaries(seed):
    random = np.random.default_rng(seed)
    topics, systems = random.integers(1, 9, 2)
    x, y = np.round(random.normal(size=(2, topics, systems)), int(random.integers(0, 4)))
    x[random.random(x.shape) < 0.1] = np.nan
    if seed % 2:
        y = np.abs(y)
    if seed % 5 == 0:
        x[0] += 1e6  # far from the others
    drawn = random.multinomial(topics, np.full(topics, 1 / topics), size=20)
    weights = np.repeat(drawn, systems, axis=1)
    expected = coefficients(x.reshape(1, -1), y.reshape(1, -1), weights)
    found = of_drawn_topics(x, y, drawn)
    if (y < 0).any():
        expected[:, 3] = np.nan
    np.testing.assert_array_equal(found[:, 2:], expected[:, 2:])
    np.testing.assert_allclose(found[:, :2], expected[:, :2], rtol=0, atol=1e-12)


def test_many_topics_or_few_draws_are_left_to_the_other_way():
    assert worth_counting(6000, 200, 1000)
    assert not worth_counting(6000, 200, 10)
    assert not worth_counting(6000, 3000, 1000)
