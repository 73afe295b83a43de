"""The dialect "rouge-score" gives the numbers of Google's package of that name, to the last bit."""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path

import pytest
from conftest import RECORDED
from rouge_score.rouge_scorer import RougeScorer

from sera import metric
from sera.errors import InputError
from sera.io.records import Candidate, Reference, read
from sera.metrics.rouge.measures import Rouge, RougeScore

THEIRS = {"1": "rouge1", "2": "rouge2", "4": "rouge4", "9": "rouge9", "L": "rougeL", "Lsum": "rougeLsum"}
PARTS = {"P": "precision", "R": "recall", "F": "fmeasure"}


def ours(candidate, references, **settings) -> dict[str, float]:
    names = [f"ROUGE-{measure}-{part}" for measure in THEIRS for part in PARTS]
    metrics = [Rouge.parse(name, dialect="rouge-score", **settings) for name in names]
    return dict(zip(names, Rouge.score_together(metrics, candidate, references), strict=True))


def theirs(candidate: str, references: list[str], *, stem: bool, tokenizer=None) -> dict[str, float]:
    scorer = RougeScorer(list(THEIRS.values()), use_stemmer=stem, tokenizer=tokenizer)
    scores = scorer.score_multi(references, candidate)
    return {
        f"ROUGE-{measure}-{part}": getattr(scores[name], attribute)
        for measure, name in THEIRS.items()
        for part, attribute in PARTS.items()
    }


@pytest.mark.parametrize("stem", [False, True])
@pytest.mark.parametrize(
    ("texts", "every", "on"),
    [
        ("pages", 1, "sentences of this documentation"),
        ("tac", 12, "summaries of TAC 2014"),
        ("realsumm", 12, "summaries of REALSumm"),
    ],
)
def test_real_summaries_have_its_scores(request, texts, every, on, stem, fidelity) -> None:
    if texts == "pages":
        oracle = RECORDED / "rouge155"
    else:
        oracle = request.getfixturevalue("shared") / "oracles" / "rouge155"
    references = defaultdict(list)
    for reference in read(oracle / f"{texts}_references.jsonl", Reference):
        references[reference.topic].append(reference)
    candidates = read(oracle / f"{texts}_candidates.jsonl", Candidate)[::every]
    assert len(candidates) in (40, 15, 84)
    for candidate in candidates:
        against = references[candidate.topic]
        lines = ["\n".join(reference.sentences) for reference in against]
        expected = theirs("\n".join(candidate.sentences), lines, stem=stem)
        assert ours(candidate, against, stem=stem) == expected
    told(fidelity, on, len(candidates) * len(expected))


def told(fidelity, on: str, values: int) -> None:
    fidelity("metric `ROUGE`, dialect rouge-score", on, values, "rouge-score", "to the last bit")


def test_made_up_texts_have_its_scores(fidelity) -> None:
    draw = random.Random(7)
    words = (
        "the a cell cells dies dying died tied flies sky said generically naïve İ K ΟΔΟΣ p53 3'-UTR x y ties "
        "lying happily early fulfilling geologic enjoyments rationally hopefully spied news innings "
        "proceed agreed bed be µ"
    )
    words = [*words.split(), "\n", "\n\n", "\r", "\t", "\u2028"]
    compared = 0
    for _ in range(400):
        candidate, *references = (
            " ".join(draw.choices(words, k=draw.choice((0, 1, 2, 5, 40)))) for _ in range(draw.randint(2, 4))
        )
        for stem in (False, True):
            expected = theirs(candidate, references, stem=stem)
            assert ours(candidate, references, stem=stem) == expected, (candidate, references)
            compared += len(expected)
    told(fidelity, "made-up texts", compared)


def test_every_recorded_token_has_its_stem(shared: Path) -> None:
    from rouge_score.tokenize import tokenize

    from sera.metrics.rouge.preparation import Preparation, _nltk_stemmer
    from sera.metrics.rouge.tokens import tokenize as ours

    rows = (shared / "oracles" / "rouge155" / "stems.tsv").read_text().splitlines()[1::20]
    preparation = Preparation(stem=True, rouge_score="text")
    for token in (row.split("\t")[0] for row in rows):
        (text,), _ = preparation.cut([token])
        assert [preparation.form(each.decode()) for each in ours(text.encode())] == tokenize(
            token, _nltk_stemmer()
        )


def test_a_tokenizer_is_taken_as_it_takes_one() -> None:
    class Characters:
        def tokenize(self, text: str) -> list[str]:
            return [str(len(text)), *text]  # the first token tells whether it sees the text or a line

    candidate, references = "今天天气很好\n\n不", ["今天天气不错", "天很好\n今天\n"]
    expected = theirs(candidate, references, stem=False, tokenizer=Characters())
    got = ours(candidate, references, stem=False, tokenizer=Characters().tokenize)
    assert got == expected and expected["ROUGE-L-F"] != expected["ROUGE-Lsum-F"] > 0


def test_its_own_settings_are_the_default() -> None:
    rouge = RougeScore("2")
    assert (rouge.stop, rouge.multi) == (False, "best")
    assert rouge == Rouge.parse("ROUGE-2-F", dialect="rouge-score", stop=False, multi="best", words=None)
    assert "stop:kept|refs:best" in rouge.signature and "dialect:rouge-score" in rouge.signature
    assert "dialect" not in Rouge("2").signature


@pytest.mark.parametrize(
    ("selector", "what"),
    [
        ("ROUGE-W-1.2-F", "ROUGE-W"),
        ("ROUGE-SU4-F", "ROUGE-SU"),
        ("ROUGE-1-F(stop=true)", "stop words"),
        ("ROUGE-1-F(multi=pooled)", "multi=pooled"),
        ("ROUGE-1-F(multi=jackknife)", "multi=jackknife"),
        ("ROUGE-1-F(words=100)", "words=100"),
        ("ROUGE-1-F(bytes=665)", "bytes=665"),
        ("ROUGE-1-F(beta=2)", "beta=2"),
        ("ROUGE-1-F(stem=true,tokenizer=unicode)", "stemmer"),
    ],
)
def test_what_it_lacks_is_refused(selector: str, what: str) -> None:
    with pytest.raises(InputError, match=f"rouge-score does not have .*{what}.*use the dialect ROUGE-1.5.5"):
        metric(selector, dialect="rouge-score")


def test_what_is_its_alone_is_refused_elsewhere() -> None:
    with pytest.raises(InputError, match="use the dialect rouge-score; ROUGE-L,"):
        Rouge.parse("ROUGE-Lsum-F")
    with pytest.raises(InputError, match="dialect is 'rouge'.*rouge-score"):
        Rouge.parse("ROUGE-1-F", dialect="rouge")
