"""`sera.rouge_score` in place of Google's package; tests/originals compares the two."""

import doctest

import nltk
import numpy as np
import pytest
from test_namespace import in_the_core

import sera.rouge_score
from sera.errors import InputError
from sera.rouge_score import compute, rouge_scorer, scoring, tokenizers

TARGET, PREDICTION = "w1 w2 w3 w4 w5", "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5"  # Lin (2004), section 3.2


def test_the_example_runs() -> None:
    found = doctest.testmod(sera.rouge_score)
    assert found.attempted and not found.failed


def test_scores_are_worked_out_by_hand() -> None:
    scores = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"]).score(TARGET, PREDICTION)
    four = scoring.Score(4 / 10, 4 / 5, 2 * 0.4 * 0.8 / (0.4 + 0.8))
    # w1, w2, w3 and w5, in this order too; "w1 w2" of nine bigrams and of four; "w1 w2" and "w1 w3 w5"
    bigrams = scoring.Score(1 / 9, 1 / 4, 2 / 9 / 4 / (1 / 9 + 1 / 4))
    assert scores == {"rouge1": four, "rouge2": bigrams, "rougeL": four, "rougeLsum": four}
    found = compute(predictions=[PREDICTION], references=[TARGET], use_aggregator=False)
    assert found == {name: [score.fmeasure] for name, score in scores.items()}


def test_a_line_is_a_sentence_of_rouge_lsum(monkeypatch) -> None:
    target, prediction = "First sentence.\nSecond sentence.", "Second sentence.\nFirst sentence."
    scores = rouge_scorer.RougeScorer(["rougeLsum", "rougeL"]).score(target, prediction)
    assert scores == {"rougeLsum": (1, 1, 1), "rougeL": (0.5, 0.5, 0.5)}
    monkeypatch.setattr(nltk, "sent_tokenize", lambda text: text.split(". "))  # its model is not installed
    for split, score in ((False, 0.5), (True, 1)):
        scorer = rouge_scorer.RougeScorer(["rougeLsum"], split_summaries=split)
        scores = scorer.score(target.replace("\n", " "), prediction.replace("\n", " "))
        assert scores == {"rougeLsum": (score, score, score)}


def test_the_best_reference_counts_for_each_type() -> None:
    scorer = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL"])
    scores = scorer.score_multi(["first text", "first something"], "text first")
    assert [scores[name].fmeasure for name in scores] == [1, 0, 0.5]
    found = compute(
        predictions=["text first", "a"],
        references=[["first text", "first something"], "a"],
        rouge_types=["rouge1"],
    )
    assert found == {"rouge1": 1.0}


def test_words_are_those_of_the_tokenizer() -> None:
    assert tokenizers.DefaultTokenizer().tokenize("One Two\n naïve\tp53") == ["one", "two", "na", "ve", "p53"]
    assert tokenizers.DefaultTokenizer(use_stemmer=True).tokenize("The friends met") == [
        "the",
        "friend",
        "met",
    ]
    found = compute(
        predictions=["今天", "\n一"],
        references=["今日", "\n一"],
        tokenizer=lambda text: [len(text), *text],
        use_aggregator=False,
    )
    assert found == {
        "rouge1": [2 / 3, 1.0],
        "rouge2": [0.5, 1.0],
        "rougeL": [2 / 3, 1.0],
        "rougeLsum": [2 / 3, 1.0],
    }


@pytest.mark.parametrize("rouge_type", ["rougen", "rouge0", "rouge10", "rougel", "ROUGE-1", ""])
def test_an_unknown_type_is_refused(rouge_type) -> None:
    with pytest.raises(ValueError, match=f"Invalid rouge type: {rouge_type}. Give rouge1 to"):
        rouge_scorer.RougeScorer([rouge_type]).score("a", "a")
    with pytest.raises(ValueError, match=f"Invalid rouge type: {rouge_type}. Give rouge1 to"):
        compute(predictions=["a"], references=["a"], rouge_types=[rouge_type])


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        (["a", "b"], ["a"], "there are 2 predictions and references of 1"),
        ([], [], "there are 0 predictions"),
        (["a"], [[]], "not a string"),
        (["a", "b"], [["a"], []], "not a string"),
        (["a"], [np.nan], "not a string"),
        ([["a"]], ["a"], "not a string"),
        ([None], [["a"]], "not a string"),
    ],
)
def test_lists_that_do_not_fit_are_refused(predictions, references, message) -> None:
    with pytest.raises(InputError, match=message):
        compute(predictions=predictions, references=references)


@pytest.mark.parametrize(
    "arguments", [{"confidence_interval": -0.1}, {"confidence_interval": 1.1}, {"n_samples": 0}]
)
def test_an_aggregator_refuses_what_the_package_refuses(arguments) -> None:
    with pytest.raises(ValueError, match=next(iter(arguments))):
        scoring.BootstrapAggregator(**arguments)


def test_the_global_generator_decides_and_stays_as_it_is() -> None:
    texts = {"predictions": ["a b", "c", "d"], "references": ["a", "c", "e"], "rouge_types": ["rouge1"]}
    np.random.seed(4)
    first, drawn = compute(**texts), np.random.random()
    np.random.seed(4)
    assert np.random.random() == drawn and compute(**texts) != {}
    np.random.seed(4)
    assert compute(**texts) == first == compute(**texts)


def test_only_stemming_needs_nltk(tmp_path) -> None:
    lines = in_the_core(
        """
from sera.errors import InputError
from sera.rouge_score import compute, rouge_scorer
print(rouge_scorer.RougeScorer(["rougeLsum"]).score("a b", "a c")["rougeLsum"].recall)
print(*compute(predictions=["a"], references=["a b"], use_aggregator=False)["rougeL"])
for settings in ({"use_stemmer": True}, {"split_summaries": True}):
    try:
        rouge_scorer.RougeScorer(["rougeLsum"], **settings).score("words", "words")
    except InputError as error:
        print(error)
""",
        tmp_path,
    )
    assert lines[:2] == ["0.5", "0.6666666666666666"]
    assert len(lines) == 4 and all("needs nltk, of the extra text" in line for line in lines[2:])
