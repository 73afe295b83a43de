"""The drop-in for rouge-score beside the package itself."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score import rouge_scorer

from sera.adapters.rouge_score import RougeScorer
from sera.errors import InputError

TYPES = ["rougeLsum", "rouge1", "rouge2", "rougeL", "rouge9"]
WORDS = st.sampled_from("Cells divide; the kinases binding\n\n naïve p53 arguments mice K.".split(" "))
TEXTS = st.lists(WORDS, max_size=12).map(" ".join)


@settings(deadline=None)  # the first call loads compiled code
@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3), st.booleans())
def test_calls_and_numbers_are_those_of_the_package(prediction, targets, stem):
    theirs, ours = rouge_scorer.RougeScorer(TYPES, use_stemmer=stem), RougeScorer(TYPES, use_stemmer=stem)
    for one, other in (
        (ours.score(targets[0], prediction), theirs.score(targets[0], prediction)),
        (ours.score_multi(targets, prediction), theirs.score_multi(targets, prediction)),
    ):
        assert list(one) == list(other) == TYPES
        assert {name: tuple(score) for name, score in one.items()} == {
            name: (score.precision, score.recall, score.fmeasure) for name, score in other.items()
        }


class _Letters:
    def tokenize(self, text):
        return list(text)


def test_a_tokenizer_takes_the_place_of_the_stemmer():
    options = {"use_stemmer": True, "tokenizer": _Letters()}
    texts = ("ab\ncde a", "b a\ncd")
    ours, theirs = (each(TYPES, **options).score(*texts) for each in (RougeScorer, rouge_scorer.RougeScorer))
    assert {name: tuple(score) for name, score in ours.items()} == {
        name: tuple(score) for name, score in theirs.items()
    }


def test_nltk_splits_summaries_on_request(monkeypatch):
    monkeypatch.setattr("nltk.sent_tokenize", lambda text: text.split(". "))  # the model is a download
    texts = ("One cell. Two cells\nthree", "Two cells three. one cell")
    ours, theirs = (
        each(["rougeLsum"], split_summaries=True).score(*texts)["rougeLsum"]
        for each in (RougeScorer, rouge_scorer.RougeScorer)
    )
    assert tuple(ours) == tuple(theirs)
    assert ours != RougeScorer(["rougeLsum"]).score(*texts)["rougeLsum"]


def test_the_numbers_of_the_program_on_request():
    # one of 1 and one of 3 unigrams; pooled: 1 + 1 of 1 + 1, and of 1 + 3
    program = RougeScorer(["rouge1", "rougeL", "rougeLsum"], dialect="ROUGE-1.5.5")
    score = program.score_multi(["cell", "a cell wall"], "cell")["rouge1"]
    assert (score.precision, score.recall, score.fmeasure) == (1.0, 0.5, 0.66667)
    best = RougeScorer(["rouge1"]).score_multi(["cell", "a cell wall"], "cell")["rouge1"]
    assert best.fmeasure == 1.0
    # the lines are in another order: 1 of 2 in one sentence, both as sentences
    swapped = program.score("one\ntwo", "two\none")
    assert (swapped["rougeL"].fmeasure, swapped["rougeLsum"].fmeasure) == (0.5, 1.0)


def test_what_the_package_refuses_is_refused():
    for wrong in ("rouge0", "rouge12", "bleu", "ROUGE-1"):
        with pytest.raises(ValueError, match=f"Invalid rouge type: {wrong}"):
            RougeScorer([wrong])
    with pytest.raises(ValueError, match="no dialect 'paper' here"):
        RougeScorer(["rouge1"], dialect="paper")
    with pytest.raises(ValueError, match="there is no target"):
        RougeScorer(["rouge1"]).score_multi([], "x")


@pytest.mark.parametrize("wrong", [None, float("nan"), b"a", 3, ["a"], [None]])
def test_only_strings_and_lists_of_them_are_scored(wrong):
    scorer = RougeScorer(["rouge1"])
    for call in (lambda: scorer.score("a", wrong), lambda: scorer.score(wrong, "a")):
        with pytest.raises(InputError, match="^(a target|the prediction) is .*. Give a string."):
            call()
    for targets in ("a b c", b"a", None, {"a": 1}):
        with pytest.raises(InputError, match="^the targets are .*. Give a list of strings."):
            scorer.score_multi(targets, "a b c")
