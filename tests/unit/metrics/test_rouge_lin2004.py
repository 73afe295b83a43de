"""ROUGE by the equations of Lin (2004): values worked out by hand; `test_rouge` has the paper's sentences."""

import itertools
import random

import numpy as np
import pytest

from sera import Summary, metric
from sera.metrics.rouge.measures import PaperRouge

X, TOGETHER, APART = "a b c d e f g", "a b c d h i k", "a h b k c i d"


def scored(name: str, candidate, references, **settings) -> float:
    return metric(name, dialect="paper", **settings).score(candidate, references)


def test_weighted_subsequences_of_section_4():
    for part in "PRF":
        # (4^2 / 7^2)^(1/2); four runs of one: (4 / 7^2)^(1/2)
        assert scored(f"ROUGE-W-2-{part}", TOGETHER, [X]) == pytest.approx(4 / 7, abs=1e-15)  # printed 0.571
        assert scored(f"ROUGE-W-2-{part}", APART, [X]) == pytest.approx(2 / 7, abs=1e-15)  # printed 0.286
    assert scored("ROUGE-L-F", TOGETHER, [X]) == scored("ROUGE-L-F", APART, [X]) == 4 / 7
    assert scored("ROUGE-W-2-F", X, [X]) == 1
    assert scored("ROUGE-W-2-F", "p q", [X]) == 0
    # The reference has 3 and 2 words: f(m) = 9 + 4. "a b" is a run with the first sentence, "c" and "d"
    # are runs with the second: 4 + 1 + 1. The candidate has 2 and 3 words: 4 + 9.
    candidate, reference = Summary(["a b", "c x d"]), Summary(["a b c", "y d"])
    assert scored("ROUGE-W-2-R", candidate, [reference]) == pytest.approx((6 / 13) ** 0.5, abs=1e-15)
    assert scored("ROUGE-W-2-P", candidate, [reference]) == pytest.approx((6 / 13) ** 0.5, abs=1e-15)
    assert scored("ROUGE-W-2-F", reference, [reference]) == 1


def test_subsequences_of_section_3_2():
    candidate = Summary(["w1 w2 w6 w7 w8", "w1 w3 w8 w9 w5"])
    assert scored("ROUGE-L-R", candidate, ["w1 w2 w3 w4 w5"]) == 4 / 5
    assert scored("ROUGE-L-P", candidate, ["w1 w2 w3 w4 w5"]) == 4 / 10
    # the union counts tokens of the reference: four, for two of the candidate
    assert scored("ROUGE-L-P", "a b", [Summary(["a b", "a b"])]) == 2


@pytest.mark.parametrize(
    ("beta", "expected"),
    [
        (0, 2 / 3),  # P
        (1, 2 * 2 / (3 + 4)),
        (2, 5 * 2 / (3 + 4 * 4)),  # 5 R P / (R + 4 P), R = 2 / 4, P = 2 / 3
        (0.5, 1.25 * 2 / (3 + 0.25 * 4)),
        ("infinity", 2 / 4),  # R, as in DUC
    ],
)
def test_f_with_any_beta(beta, expected):
    for name in ("ROUGE-1-F", "ROUGE-L-F", "ROUGE-W-1-F"):
        assert scored(name, "a b x", ["a b c d"], beta=beta) == pytest.approx(expected, abs=1e-15)
    program = metric("ROUGE-1-F", beta=beta).score("a b x", ["a b c d"])
    # the program's -p 1 / (1 + beta^2), from P = 0.66667 and R = 0.5
    assert program == {0: 0.66667, 1: 0.57143, 2: 0.52632, 0.5: 0.625, "infinity": 0.5}[beta]


def test_pairs_stay_in_their_sentence():
    # ab, cd of ab, cd; ab, ac, ad, bc, bd, cd of the other
    candidate, reference = Summary(["a b", "c d"]), "a b c d"
    assert scored("ROUGE-S-P", candidate, [reference]) == 1
    assert scored("ROUGE-S-R", candidate, [reference]) == 2 / 6
    assert scored("ROUGE-SU-R", candidate, [reference]) == 6 / 10
    assert scored("ROUGE-S0-R", candidate, [reference]) == 2 / 3
    assert scored("ROUGE-S1-R", candidate, [reference]) == 2 / 5
    assert metric("ROUGE-S-R").score(candidate, [reference]) == 1  # the program


def test_several_references():
    candidate, references = "a b c d", ["a b x y z", "a b c u", "a"]
    expected = {
        "pooled": (6 / 12, 6 / 10, 12 / 22),  # equation 1
        "best": (3 / 4, 1, 3 / 4),  # the maximum of each
        "jackknife": ((3 / 4 + 3 / 4 + 2 / 4) / 3, (1 + 1 + 3 / 4) / 3, (3 / 4 + 3 / 4 + 4 / 9) / 3),
    }
    for multi, numbers in expected.items():
        found = [scored(f"ROUGE-1-{part}", candidate, references, multi=multi) for part in "PRF"]
        assert found == pytest.approx(numbers, abs=1e-15)
    assert PaperRouge("1").multi == "jackknife"
    assert scored("ROUGE-1-R", candidate, references) == pytest.approx(11 / 12, abs=1e-15)
    left_out = PaperRouge("1", part="R").with_one_left_out()
    assert left_out.score(candidate, references[:2]) == 3 / 4
    # (16 + 9) of (49 + 9): WLCS and f(m) are summed, then inverted
    pooled = scored("ROUGE-W-2-R", TOGETHER, [X, "a b c"], multi="pooled")
    assert pooled == pytest.approx((25 / 58) ** 0.5, abs=1e-15)


def test_porters_own_stemmer_and_one_limit_in_bytes():
    # the program: arguments argum, better well
    assert scored("ROUGE-1-F", "arguments", ["argument"], stem=True) == 1
    assert scored("ROUGE-1-F", "better", ["well"], stem=True) == 0
    assert metric("ROUGE-1-F", stem=True).score("better", ["well"]) == 1
    # five bytes are "a b" and "a "; the program's ROUGE-L keeps both sentences whole
    text = Summary(["a b", "a c"])
    assert scored("ROUGE-L-R", "a", [text], bytes=5) == 2 / 3
    assert metric("ROUGE-L-R", bytes=5).score("a", [text]) == 0.25


# The table, against the plain definition


def wlcs(xs: str, ys: str, f) -> float:
    """The procedure of section 4, line by line."""
    c, w = (np.zeros((len(xs) + 1, len(ys) + 1)) for _ in range(2))
    for i, j in itertools.product(range(1, len(xs) + 1), range(1, len(ys) + 1)):
        if xs[i - 1] == ys[j - 1]:
            k = int(w[i - 1, j - 1])
            c[i, j], w[i, j] = c[i - 1, j - 1] + f(k + 1) - f(k), k + 1
        else:
            c[i, j] = max(c[i - 1, j], c[i, j - 1])
    return c[-1, -1]


def test_scores_are_those_of_the_plain_definition():
    draw = random.Random(4)
    for _ in range(100):
        one, other = ("".join(draw.choices("abc", k=draw.randint(1, 9))) for _ in range(2))
        expected = wlcs(one, other, lambda k: k**2) ** 0.5 / len(other)
        found = scored("ROUGE-W-2-R", " ".join(one), [" ".join(other)])
        assert found == pytest.approx(expected, abs=1e-12)
