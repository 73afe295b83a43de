"""The released models of S3: their features by hand, and the authors' recorded answers."""

import json
import math
import pickle
from importlib.resources import files

import numpy as np
import pytest

from sera import Summary, metric
from sera.errors import InputError
from sera.metrics.base import Caution
from sera.metrics.s3.released import divergence, recall, released_features, released_model
from sera.metrics.s3.words import ngram_counts
from sera.vectors.word_vectors import WordVectors
from sera.vectors.word_vectors import read as read_vectors

LN2 = math.log(2)
MODELS = {"S3-pyr-released": "pyr_score", "S3-resp-released": "responsiveness"}
VECTORS = WordVectors(["cat", "kitten"], np.array([[1, 0], [4, 1]]), "deps.words#1")


def test_the_features_of_the_released_code():
    # stems of the candidate: the cat sat; of the references: the cat, and a kitten sat sat
    candidate, references = ("The cats sat.",), (("The cat.",), ("A kitten", "sat, sat!"))
    assert recall(candidate, references, 1) == 3 / 6  # the, cat; sat once
    assert recall(candidate, references, 2) == 1 / 4  # the cat; not a kitten, kitten sat, sat sat
    assert recall((), references, 1) == recall(candidate, ((),), 1) == 0
    features = released_features(VECTORS, candidate, references)
    assert features[2] == 3 / 6 and features[4] == 1 / 4
    # unstemmed: cats is near nothing without a vector, so the and sat match; no pair of words does
    assert features[3] == 2 / 6 and features[5] == 0
    # cat ½, sat ½ beside cat 1: ½(½ ln(½/¾) + ½ ln 2) + ½ ln(1/¾); then beside kitten ⅓, sat ⅔
    first = (0.5 * math.log(0.5 / 0.75) + 0.5 * LN2) / 2 + math.log(1 / 0.75) / 2
    half, two = 1 / 2, 2 / 3
    shared = (half + two) / 2
    second = (half * LN2 + half * math.log(half / shared)) / 2
    second += (LN2 / 3 + two * math.log(two / shared)) / 2
    assert features[0] == pytest.approx((first + second) / 2, abs=1e-15)


def test_texts_without_words_have_the_divergence_of_the_formula():
    nothing, something = ngram_counts((), 1), ngram_counts(("cat",), 1)
    assert divergence(nothing, something) == divergence(something, nothing) == LN2 / 2
    assert divergence(nothing, nothing) == 0 and divergence(something, something) == 0
    assert divergence(something, ngram_counts(("dog",), 1)) == pytest.approx(LN2)


def test_the_two_metrics():
    for name, kind in (("S3-pyr-released", "Pyramid score"), ("S3-resp-released", "responsiveness")):
        assert metric(name).describe(name).startswith(kind)
        with pytest.raises(InputError, match=f"{name} compares words by their vectors, but none are given"):
            metric(name).score("cat", "cat")
        one = metric(name, vectors=VECTORS)
        digest = released_model(name).digest
        assert one.signature.startswith(f"{name}|model:{digest}|vectors:deps.words#1|") and not one.caution
        assert one.parse(name) == metric(name)
    other = WordVectors(["cat"], np.array([[1.0]]), "mine")
    with pytest.warns(Caution, match="trained with the word vectors deps.words .*, and here are mine"):
        metric("S3-pyr-released", vectors=other).score("cat", "cat")


def test_an_identical_summary_is_near_the_highest_score():
    """All features are 0 or 1 there, so the sum over the support vectors is plain."""
    content = json.loads(files("sera.resources").joinpath("s3_resp_released.json").read_text())
    point = [0, 0, 1, 1, 1, 1]
    total = content["intercept"]
    for weight, vector in zip(content["coefficients"], content["support_vectors"], strict=True):
        total += weight * math.exp(-sum((one - two) ** 2 for one, two in zip(point, vector)) / 6)
    same = Summary(["The cat sat.", "It ate."])
    assert metric("S3-resp-released", vectors=VECTORS).score(same, [same]) == pytest.approx(total, abs=1e-9)


# Beside the authors' files and answers


class Unpickler(pickle.Unpickler):
    """Reads the authors' files, which need a scikit-learn of 2016, without it."""

    def find_class(self, module, name):
        return type(name, (), {}) if module.startswith("sklearn") else super().find_class(module, name)


@pytest.mark.parametrize(
    ("name", "language", "file"),
    [
        ("S3-pyr-released", "en", "en/svr.pyr_score.en.pkl"),
        ("S3-resp-released", "en", "en/svr.responsiveness.en.pkl"),
        ("S3-pyr-released", "de", "de/svr.pyr_score.en.pkl"),
    ],
)
def test_the_models_of_the_package_are_those_of_the_authors(shared, name, language, file):
    model = released_model(name, language)
    with open(shared / "data/s3_models/models" / file, "rb") as stream:
        authors = Unpickler(stream, encoding="latin1").load()
    assert model.support_vectors.tolist() == authors.support_vectors_.tolist()
    assert [model.coefficients.tolist()] == authors.dual_coef_.tolist()
    assert ([model.intercept], model.gamma) == (authors.intercept_.tolist(), authors._gamma)


@pytest.mark.parametrize(("name", "kind"), MODELS.items())
def test_the_models_predict_as_scikit_learn_did(shared, name, kind, fidelity):
    asked = json.loads((shared / "oracles/s3/s3_vectors.json").read_text())
    answers = asked["predictions"][f"en_{kind}"]["sklearn_0.18.2"]
    assert released_model(name).predict(np.array(asked["vectors"])) == pytest.approx(answers, abs=1e-9)
    original = "scikit-learn 0.18.2 with the authors' model"
    fidelity(f"metric `{name}`: model", "made-up features", len(answers), original, "to 1e-9")


@pytest.mark.parametrize(("name", "answer"), [("S3-pyr-released", "S3_pyr"), ("S3-resp-released", "S3_resp")])
def test_scores_are_those_of_the_released_code(shared, name, answer, fidelity):
    vectors = read_vectors(shared / "oracles/s3/s3_embeddings.txt")
    recorded = json.loads((shared / "oracles/s3/s3_sets.json").read_text())
    one = metric(name, vectors=vectors)
    equal = 0
    for each in recorded["sets"]:
        candidate, references = tuple(each["candidate"]), tuple(map(tuple, each["references"]))
        found = released_features(vectors, candidate, references)
        features = dict(zip(recorded["feature_order"], found, strict=True))
        score = one.score_together([one], list(candidate), list(map(list, references)))[0]
        ranges = each["WE_range_over_12_random_iteration_orders"]
        for feature, wanted in each["features"].items():
            low, high = ranges.get(feature, (wanted, wanted))
            assert min(low, wanted) - 1e-9 <= features[feature] <= max(high, wanted) + 1e-9
        if features == pytest.approx(each["features"], abs=1e-9):
            equal += 1
            assert score == pytest.approx(each[answer], abs=1e-9)
        else:  # its greedy matches follow Python 2's order of a dictionary
            assert each["set"] == "set05" and score == pytest.approx(each[answer], abs=0.003)
    assert (equal, len(recorded["sets"])) == (18, 19)
    on, original = "REALSumm texts and edge cases", "the code and model released with S3, Python 2.7"
    but = "within 0.003: Python 2's order of a dictionary decides a match of ROUGE-WE there"
    fidelity(f"metric `{name}`", on, 19, original, "to 1e-9", equal=18, but=but)
