"""BERTScore's matching on vectors of two dimensions, worked out by hand; no torch is needed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import RECORDED

from sera import metric
from sera.errors import InputError
from sera.io.records import Candidate, Reference, read
from sera.metrics.bert_score import greedy_matches
from sera.metrics.encoders import TokenVectors, open_encoder
from sera.metrics.scoring import score

X, Y, XY, APART = [1.0, 0.0], [0.0, 1.0], [0.6, 0.8], [-1.0, 0.0]


def between_marks(*vectors):
    return TokenVectors(np.array(vectors), np.array([False, *[True] * (len(vectors) - 2), False]))


class Stub:
    """Each word is a vector; [CLS] and [SEP] point away from all."""

    name = "stub"
    words = {"x": X, "y": Y, "xy": XY}

    def layer(self, given):
        return given or 9

    def tokens(self, text, layer=None):
        return between_marks(APART, *(self.words[word] for word in text.split()), APART)


def scored(candidate, *references, layer=None):
    return [
        metric(f"BERTScore-{part}", encoder=Stub(), layer=layer).score(candidate, list(references))
        for part in "PRF"
    ]


def test_each_token_is_matched_with_the_most_similar():
    """xy with x and y: cosines .6 and .8. P = .8; R = (.6 + .8) / 2 = .7; F = 2 * .56 / 1.5."""
    assert scored("xy", "x y") == pytest.approx([0.8, 0.7, 1.12 / 1.5])
    # x y with x xy: P = (max(1, .6) + max(0, .8)) / 2 = .9; R = (1 + .8) / 2 = .9
    assert scored("x y", "x xy") == pytest.approx([0.9, 0.9, 0.9])
    assert scored("x", "x") == pytest.approx([1, 1, 1])
    assert scored("x", "y") == pytest.approx([0, 0, 0])


def test_the_best_reference_counts_for_each_measure():
    """For x: of y x, P = 1 and R = .5; of xy, P = R = .6; so P = 1, R = .6, F = max(2/3, .6)."""
    assert scored("x", "y x", "xy") == pytest.approx([1, 0.6, 2 / 3])


def test_the_marks_of_a_text_are_not_averaged_but_may_be_matched():
    first, last = [0.6, 0.8], [-1.0, 0.0]
    candidate, reference = between_marks(first, X, last), between_marks(first, Y, last)
    # x is nearest to the reference's first mark (.6), y to the candidate's (.8)
    assert greedy_matches(candidate, reference)[:2] == pytest.approx((0.6, 0.8))


def test_a_text_without_a_token_scores_0():
    assert scored("", "x") == [0, 0, 0] == scored("x", "")


def test_the_signature_names_model_and_layer():
    signature = metric("BERTScore-F", encoder=Stub(), layer=5).signature
    assert signature.startswith("BERTScore-F|model:stub|layer:5|")


# all-MiniLM-L6-v2, the real weights: `make neural` gets them
MINILM = Path(__file__).parents[3] / "models/minilm"


@pytest.fixture(scope="module")
def minilm():
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: make neural")
    if not (MINILM / "model.onnx").exists():
        pytest.skip("the model is not there: make neural")
    return str(MINILM)


def test_real_weights_match_words_of_one_meaning(minilm):
    same, other = (
        metric("BERTScore-F", encoder=minilm).score("The kinase binds p53.", [text])
        for text in ("The kinase attaches to p53.", "We thank our colleagues.")
    )
    assert metric("BERTScore-F", encoder=minilm).score("A cat sat.", ["A cat sat."]) == pytest.approx(1)
    assert same > other + 0.3


def test_recorded_scores_of_the_authors_package_with_torch(minilm, fidelity):
    path = RECORDED / "bert_score/realsumm_slice_minilm.tsv"
    recorded = pd.read_csv(path, sep="\t", dtype={"topic": str}).set_index(["topic", "system"])
    texts = RECORDED / "rouge155"
    candidates = read(texts / "realsumm_slice_candidates.jsonl", Candidate)
    references = read(texts / "realsumm_slice_references.jsonl", Reference)
    scored = [each for each in candidates if (each.topic, each.system) in recorded.index]
    scores = score([metric(f"BERTScore-{part}", encoder=minilm) for part in "PRF"], scored, references)
    ours = scores.pivot(index=["topic", "system"], columns="metric", values="score")
    for part in "PRF":
        assert ours[f"BERTScore-{part}"].to_dict() == pytest.approx(recorded[part].to_dict(), abs=1e-5)
    fidelity("metric `BERTScore`", "summaries of REALSumm", 3 * 50, "bert-score with torch", "to 1e-5")


def test_each_token_has_a_vector_of_length_1(minilm):
    vectors = open_encoder(minilm).tokens("The kinase binds p53.")
    assert vectors.vectors.shape == (8, 384) and vectors.words.tolist() == [False, *[True] * 6, False]
    assert np.linalg.norm(vectors.vectors, axis=1) == pytest.approx(np.ones(8))


def test_texts_beyond_the_limit_are_counted(minilm):
    one = metric("BERTScore-R", encoder=minilm)
    before = one.encoder.cut
    one.score("cell " * 600, ["wall " * 600])
    assert one.encoder.cut == before + 2 and "texts are longer than the language model takes" in one.caution
    assert one.signature.startswith("BERTScore-R|model:minilm#759c3cd2")


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(InputError, match="nothing reads the language model|cannot be read|guided"):
        metric("BERTScore-F", encoder=str(tmp_path)).score("a", ["a"])
