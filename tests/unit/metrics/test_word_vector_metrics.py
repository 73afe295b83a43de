"""ROUGE-WE and AVG_SIM: numbers worked out by hand, and the released procedure run beside."""

import random
from collections import Counter

import numpy as np
import pytest

from sera import metric
from sera.errors import InputError
from sera.vectors.word_vectors import WordVectors

# cosines: ax bx 0.8, bx cx 0.6, bx dx 0.8, ax dx 0.28
VECTORS = WordVectors(["ax", "bx", "cx", "dx"], np.array([[1, 0], [4, 3], [0, 1], [7, 24]]), "by hand")


def of(name, candidate, references, **settings):
    return metric(name, vectors=VECTORS, **settings).score(candidate, references)


def test_soft_matches():
    # bx takes one ax, at the threshold; x has no vector and matches itself; one ax and cx are left
    assert of("ROUGE-WE-1-R", "ax ax x", "bx x cx cx") == 2 / 4
    assert of("ROUGE-WE-1-P", "ax ax x", "bx x cx cx") == 2 / 3
    assert of("ROUGE-WE-1-F", "ax ax x", "bx x cx cx") == pytest.approx(2 * 0.5 * (2 / 3) / (0.5 + 2 / 3))
    assert of("ROUGE-WE-1-R", "ax ax x", "bx x cx cx", threshold=0.81) == 1 / 4
    # the matching is greedy
    # bx is as near to ax as to dx and takes the first; ax has no other
    assert of("ROUGE-WE-1-R", "bx ax", "ax dx") == 1 / 2
    assert of("ROUGE-WE-1-R", "bx ax", "dx ax") == 1.0
    # an n-gram is matched with one other: the second ax is not tried with bx
    assert of("ROUGE-WE-1-R", "ax ax", "ax bx") == 1 / 2
    # soft matches of pairs
    # sums of vectors do not tell the order
    assert of("ROUGE-WE-2-R", "ax cx", "cx ax") == 1.0
    # x cx has a word without vector
    assert of("ROUGE-WE-2-R", "x ax", "x bx") == 0.0
    assert of("ROUGE-WE-2-R", "Ax, X.", "ax x") == 1.0
    # references are pooled
    assert of("ROUGE-WE-1-R", "ax", ["bx", "cx dx"]) == 1 / 3
    assert of("ROUGE-WE-1-P", "ax", ["bx", "cx dx"]) == 1 / 2
    for texts in (("", ["ax"]), ("ax", [""]), ("", [""])):
        assert [of(f"ROUGE-WE-1-{part}", *texts) for part in "PRF"] == [0, 0, 0]


def released(candidate, references, n, vectors):
    """ROUGE-WE recall by the steps of the code released with S3, one n-gram after the other."""

    def cosine(first, second):
        u, v = (sum(vectors[word] for word in gram) for gram in (first, second))
        return u @ v / np.sqrt((u @ u) * (v @ v))

    hits = total = 0
    mine = Counter(zip(*(candidate[k:] for k in range(n))))
    for reference in references:
        left = Counter(zip(*(reference[k:] for k in range(n))))
        total += sum(left.values())
        for gram, times in mine.items():
            found, best = None, -2.0
            for other in left:
                if other == gram:
                    similar = 1.0
                elif all(word in vectors for word in (*gram, *other)):
                    similar = cosine(gram, other)
                else:
                    similar = 0.0
                if similar > best + 1e-11:
                    found, best = other, similar
            if found is None or best < 0.8 - 1e-11:
                continue
            used = min(times, left[found])
            hits += used
            left[found] -= used
            if not left[found]:
                del left[found]
    return hits / total if total else 0.0


@pytest.mark.parametrize("n", [1, 2])
def test_beside_the_released_procedure(n, fidelity):
    numbers = np.random.default_rng(1).standard_normal((30, 4)) + [1.5, 0, 0, 0]
    known = WordVectors([f"w{k}" for k in range(30)], numbers, "drawn")
    vectors = dict(zip(known.words, known.matrix.astype(float)))
    draw = random.Random(n)
    words = [f"w{k}" for k in range(36)]  # six have no vector
    recall = metric(f"ROUGE-WE-{n}-R", vectors=known)
    scores = []
    for _ in range(60):
        candidate, *references = (draw.choices(words, k=draw.randrange(25)) for _ in range(3))
        scores.append(recall.score(" ".join(candidate), [" ".join(one) for one in references]))
        assert scores[-1] == pytest.approx(released(candidate, references, n, vectors), abs=1e-12)
    assert len({round(score, 3) for score in scores}) > 20
    original = "the code released with S3, its steps written out in the test"
    fidelity(f"metric `ROUGE-WE`: ROUGE-WE-{n}-R", "drawn texts", len(scores), original, "to 1e-12")


def test_similarity_of_means():
    # (1, 0) and (4, 3), with (0, 1): 1.5 / |(2.5, 1.5)|; stop words and x do not count
    assert of("AVG_SIM", "The ax and the bx of x", "the cx") == pytest.approx(0.5144958, abs=1e-7)
    assert of("AVG_SIM", "ax", ["ax", "cx"]) == 0.5
    assert of("AVG_SIM", "x the", "ax") == of("AVG_SIM", "ax", "") == 0.0
    vectors = WordVectors(["the", "ax"], np.array([[0, 1], [1, 0]]), "two")
    assert metric("AVG_SIM", vectors=vectors).score("the ax", "ax") == 1.0


def test_the_vectors_of_a_metric():
    vectors = WordVectors(["kinas"], np.array([[1, 0]]), analyzer="english")
    assert metric("ROUGE-WE-1-R", vectors=vectors).score("kinases", "kinase") == 1.0
    assert metric("ROUGE-WE-1-R", vectors=VECTORS).signature.startswith(
        "ROUGE-WE-1-R|vectors:by hand|threshold:0.8|stem:no|refs:pooled|"
    )
    for name in ("ROUGE-WE-2-F", "AVG_SIM"):
        with pytest.raises(InputError, match=f"{name} compares words by their vectors, .*--vectors FILE"):
            metric(name).score("a", "b")
