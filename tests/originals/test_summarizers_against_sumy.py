"""The five systems that sumy has choose what sumy itself chooses, run beside on the same words."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
from conftest import RECORDED, rows
from small_article import SOURCE
from sumy.nlp.stemmers import Stemmer
from sumy.summarizers import kl, lex_rank, lsa, luhn, sum_basic
from sumy.utils import get_stop_words

from sera.io.records import Section, Source
from sera.summarizers import summarizer
from sera.summarizers.budget import Budget
from sera.summarizers.document import Article
from sera.text.sentences import sentences

PEERS = {
    "lexrank": lex_rank.LexRankSummarizer,
    "lsa": lsa.LsaSummarizer,
    "luhn": luhn.LuhnSummarizer,
    "sumbasic": sum_basic.SumBasicSummarizer,
    "kl": kl.KLSummarizer,
}
pytestmark = [
    pytest.mark.parametrize("name", PEERS),
    pytest.mark.filterwarnings("ignore:Number of words", "ignore:invalid value"),
]
# sumy adds these up in an order that differs from run to run, so its ties are broken by chance.
NOISY = ("lexrank", "lsa")


@pytest.fixture(autouse=True)
def plain_sum(monkeypatch):
    """sumy's `sum` as it was before Python 3.12 made it compensate for rounding."""

    def plain(numbers):
        total = 0
        for number in numbers:
            total += number
        return total

    monkeypatch.setattr(sum_basic, "sum", plain, raising=False)


def ratings(system, article) -> np.ndarray:
    found = {}

    def keep(infos):
        found.update({info.order: info.rating for info in infos})
        return infos

    system(article, keep)
    return np.array([found[number] for number in range(len(article.sentences))], dtype=float)


def agrees(name: str, sentences, language: str = "en") -> int:
    """Compares the ratings of all sentences, and gives their number."""
    article = Article(Source("T1", "article", sections=(Section("", tuple(sentences)),)))
    named = {"en": "english", "de": "german"}[language]
    peer = PEERS[name](Stemmer(named))
    peer.stop_words = get_stop_words(named)
    system = summarizer(name, language=language)
    own, expected = ratings(system, article), ratings(peer, article)
    if name in NOISY:
        np.testing.assert_allclose(own, np.nan_to_num(expected), atol=1e-9)
        same = np.argsort(-np.nan_to_num(expected).round(9), kind="stable")
        np.testing.assert_array_equal(np.argsort(-own, kind="stable"), same)
    else:
        np.testing.assert_array_equal(own, expected)
        for order in ("source", "choice"):
            budget = Budget(60, order=order)
            assert system(article, budget) == peer(article, budget)
    return len(own)


def told(fidelity, name, on, values):
    agreement = "to nine decimals" if name in NOISY else "equal, and the summaries too"
    fidelity(f"summarizer `{name}`", on, values, "sumy", agreement)


def test_on_a_small_invented_text(name):
    for first in (None, 1, 2):
        agrees(name, SOURCE.sentences[:first])
    agrees(name, SOURCE.sentences[:5] * 2)  # sentences that stand twice
    agrees(name, ("It is what it was.", *SOURCE.sentences[:4], "And then they were there.", "12 %."))


GERMAN = (
    "Die Häuser der Stadt sind groß und alt.",
    "Viele Schülerinnen lernen in diesem großen Haus.",
    "Die Schule übt, und die Schüler üben für die Prüfungen.",
    "Das Haus steht an der Straße, und die Straßen der Städte sind laut.",
    "Fußball spielen die Kinder nach der Schule.",
    "Über die Prüfung der Schülerin freut sich die Stadt.",
)


def test_on_an_invented_german_text(name, fidelity):
    compared = sum(agrees(name, sentences, "de") for sentences in (GERMAN, GERMAN[::-1], GERMAN * 3))
    told(fidelity, name, "ratings of invented German sentences", compared)


def test_on_texts_full_of_ties(name):
    chance = random.Random(7)
    for _ in range(12):
        few = ["alpha", "beta", "gamma", "delta", "The", "the", "Alpha", "of", "betas"]
        agrees(name, [" ".join(chance.choices(few, k=chance.randint(1, 6))) + "." for _ in range(25)])


def test_on_the_pages_of_this_documentation(name, fidelity):
    pages = map(json.loads, rows(RECORDED / "lucene/documents.jsonl.gz"))
    texts = [page["text"] for page in pages if page["id"].endswith("-whole")]
    compared = sum(agrees(name, sentences(text)[:60]) for text in texts)
    assert len(texts) == 8
    told(fidelity, name, "ratings of sentences of this documentation", compared)


@pytest.mark.parametrize("texts", ["realsumm_slice", "realsumm"])
def test_on_real_news_articles(request, name, texts, fidelity):
    if texts == "realsumm_slice":  # comes with the project; none of it is among the others
        articles = rows(RECORDED / "sumy/realsumm_slice_documents.txt")
    else:
        articles = rows(request.getfixturevalue("shared") / "data/realsumm/documents.txt")[:12]
    assert len(articles) == {"realsumm_slice": 4, "realsumm": 12}[texts]
    compared = sum(agrees(name, [own.strip() + " ." for own in text.split(" . ")][:60]) for text in articles)
    told(fidelity, name, "ratings of sentences of news articles", compared)


def test_on_real_scientific_articles(shared, name, fidelity):
    folders = sorted((shared / "data/tac2014").glob("TAC_2014*/data/*/Documents_Text"))
    assert folders
    compared = 0
    for folder in folders[:3]:
        text = sorted(folder.glob("*.txt"))[0].read_text(encoding="utf-8", errors="replace")
        compared += agrees(name, [own.strip() + "." for own in text.split(". ") if own.strip()][40:100])
    told(fidelity, name, "ratings of sentences of scientific articles", compared)
