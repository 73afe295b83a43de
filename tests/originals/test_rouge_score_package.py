"""`sera.rouge_score` gives what Google's package rouge-score gives, to the last bit, and passes its tests."""

from __future__ import annotations

import random
import re
import unittest
from pathlib import Path

import nltk
import numpy as np
import pytest
from rouge_score import rouge_scorer as their_scorer
from rouge_score import rouge_scorer_test, scoring_test, test_util, tokenizers_test
from rouge_score import scoring as their_scoring

from sera.rouge_score import compute, rouge_scorer, scoring, tokenizers

TYPES = [*(f"rouge{n}" for n in range(1, 10)), "rougeL", "rougeLsum"]
SUBJECT, ORIGINAL, EXACT = "package `sera.rouge_score`", "rouge-score", "to the last bit"
WORDS = (
    "the a cell cells dies dying died tied flies sky said generically naïve İ K ΟΔΟΣ p53 3'-UTR x y ties "
    "lying happily early fulfilling geologic enjoyments rationally hopefully spied news innings proceed "
    "agreed bed be µ Straße 今天 天气很好 Клетки . ! ? , - _ 0.05 A B C 🧬 \ud800 \x00 e\u0301"
).split()
BREAKS = ["\n", "\n\n", "\r", "\r\n", "\t", "\u2028", "\x85", "\x0b"]


class Characters(tokenizers.Tokenizer):
    """Its first token tells whether it sees a text, a line or nothing at all."""

    def __repr__(self) -> str:  # the same in all processes of the tests
        return "Characters"

    def tokenize(self, text):
        return [len(text), *text]


def made_up_texts(seed: int, most: int = 60):
    """Texts of 0 to ``most`` words that often share words, and that have line breaks and other characters."""
    draw = random.Random(seed)
    while True:
        words = draw.sample(WORDS, 12) + draw.sample(BREAKS, 2)
        for _ in range(4):
            count = draw.choice((0, 1, 2, 5, 20, most))
            yield draw.choice((" ", " ", "")).join(draw.choices(words, k=count))


def split_at_marks(text: str) -> list[str]:
    return re.split(r"(?<=[.!?]) +", text.strip())


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"use_stemmer": True},
        {"tokenizer": Characters()},
        {"tokenizer": Characters(), "split_summaries": True},
        {"use_stemmer": True, "split_summaries": True},
    ],
    ids=repr,
)
def test_two_thousand_texts_have_its_scores(settings, monkeypatch, fidelity) -> None:
    monkeypatch.setattr(nltk, "sent_tokenize", split_at_marks)  # its model has to be downloaded
    ours, theirs = (module.RougeScorer(TYPES, **settings) for module in (rouge_scorer, their_scorer))
    draw, texts = random.Random(1), made_up_texts(7, most=10 if "tokenizer" in settings else 60)
    read = values = 0
    while read < 2000:
        prediction, *targets = (next(texts) for _ in range(draw.randint(2, 4)))
        found, expected = ours.score(targets[0], prediction), theirs.score(targets[0], prediction)
        assert found == expected, (targets, prediction)
        found, expected = ours.score_multi(targets, prediction), theirs.score_multi(targets, prediction)
        assert found == expected, (targets, prediction)
        read, values = read + 1 + len(targets), values + 2 * 3 * len(TYPES)
    fidelity(SUBJECT, "made-up texts", values, ORIGINAL, EXACT)


@pytest.mark.parametrize(
    "types", [["rougeLsum"], ["rougeL"], ["rouge3", "rouge1"], ["rougeLsum", "rouge1"], []]
)
def test_each_type_can_be_alone(types) -> None:
    texts = made_up_texts(8)
    for _ in range(50):
        target, prediction = next(texts), next(texts)
        scores = [
            module.RougeScorer(types).score(target, prediction) for module in (rouge_scorer, their_scorer)
        ]
        assert scores[0] == scores[1] and list(scores[0]) == types


def test_a_tie_is_won_by_the_first_target_and_bytes_are_read() -> None:
    for module in (rouge_scorer, their_scorer):
        scorer = module.RougeScorer(["rouge1", "rougeLsum"])
        assert scorer.score_multi(["a x", "a b w x y z"], "a b")["rouge1"] == (1 / 2, 1 / 2, 1 / 2)
        assert scorer.score_multi(["a b w x y z", "a x"], "a b")["rouge1"] == (1, 1 / 3, 1 / 2)
        both = [scorer.score("a\nÜ b".encode(), b"b\nA"), scorer.score("a\nÜ b", "b\nA")]
        assert both[0] == both[1] and both[0]["rougeLsum"].fmeasure == 1


@pytest.mark.parametrize(("count", "samples"), [(1, 1000), (2, 3), (50, 1000), (700, 1000), (3000, 400)])
@pytest.mark.parametrize("confidence", [0.95, 0.0, 1.0])
def test_aggregates_are_its(count, samples, confidence, monkeypatch, fidelity) -> None:
    draw = random.Random(count)
    results = []
    scores = [
        {name: (draw.random(), draw.choice((0, 1, 1 / 3)), draw.random()) for name in ("rouge1", "own")}
        for _ in range(count)
    ]
    for module in (scoring, their_scoring):
        aggregator = module.BootstrapAggregator(confidence_interval=confidence, n_samples=samples)
        for each in scores:
            aggregator.add_scores({name: module.Score(*score) for name, score in each.items()})
        np.random.seed(5)
        results.append((repr(aggregator.aggregate()), np.random.random()))
    assert results[0] == results[1]
    fidelity(f"{SUBJECT}: averages and intervals", "made-up scores", 18, ORIGINAL, EXACT)


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize(("stem", "tokenizer"), [(False, None), (True, None), (True, Characters())], ids=repr)
def test_lists_have_the_scores_of_evaluate(several, stem, tokenizer, fidelity) -> None:
    """The steps of its metric "rouge" are written out here, by Google's package."""
    texts, draw = made_up_texts(9, most=10), random.Random(2)
    predictions = [next(texts) for _ in range(300)]
    references = [next(texts) for _ in predictions]
    if several:
        references = [[each, *(next(texts) for _ in range(draw.randint(0, 2)))] for each in references]
    scorer = their_scorer.RougeScorer(TYPES, use_stemmer=stem, tokenizer=tokenizer)
    scores = list(map(scorer.score_multi if several else scorer.score, references, predictions))
    aggregator = their_scoring.BootstrapAggregator()
    for each in scores:
        aggregator.add_scores(each)
    np.random.seed(3)
    medians = {name: ends.mid.fmeasure for name, ends in aggregator.aggregate().items()}

    np.random.seed(3)
    before = np.random.get_state()[2]
    settings = dict(use_stemmer=stem, tokenizer=tokenizer and tokenizer.tokenize, rouge_types=TYPES)
    texts = dict(predictions=predictions, references=references)
    assert compute(**texts, **settings) == medians and np.random.get_state()[2] == before
    found = compute(**texts, **settings, use_aggregator=False)
    assert found == {name: [each[name].fmeasure for each in scores] for name in TYPES}
    fidelity(f"{SUBJECT}: compute", "made-up texts", (len(scores) + 1) * len(TYPES), ORIGINAL, EXACT)


# they read 231 kB of random letters, or call its private functions
LEFT_OUT = re.compile("Intervals|RougeLsumLarge|LcsTable|UnionLcs|SummaryLevelLcs")
TEXTS = Path(__file__).parent / "data" / "rouge_score"  # its testdata, which the package lacks
CASES = [
    case
    for module in (rouge_scorer_test, scoring_test, tokenizers_test)
    for suite in unittest.defaultTestLoader.loadTestsFromModule(module)
    for case in suite
    if not LEFT_OUT.search(case.id())
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id().rpartition(".")[2])
def test_its_own_tests_pass(case, monkeypatch) -> None:
    monkeypatch.setattr(nltk, "sent_tokenize", split_at_marks)
    module = {each.__name__: each for each in (rouge_scorer_test, scoring_test, tokenizers_test)}
    for ours in (rouge_scorer, scoring, tokenizers):
        name = ours.__name__.rpartition(".")[2]
        monkeypatch.setattr(module[type(case).__module__], name, ours, raising=False)
    monkeypatch.setattr(test_util, "PYROUGE_DIR", str(TEXTS))
    for kind in ("TARGET", "PREDICTION"):  # its shorter files begin as these
        for name in (f"{kind}S_FILE", f"LARGE_{kind}S_FILE"):
            monkeypatch.setattr(test_util, name, str(TEXTS / f"{kind.lower()}_multi.0.txt"))
    result = case.run()
    assert result.testsRun == 1 and result.wasSuccessful(), result.failures + result.errors


def test_all_of_its_tests_that_can_run_do() -> None:
    assert len(CASES) == 32
