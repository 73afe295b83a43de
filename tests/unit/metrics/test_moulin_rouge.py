"""MOULIN ROUGE against its equations worked out by hand."""

from __future__ import annotations

import math

import pytest

from sera import Summary, metric
from sera.errors import InputError
from sera.metrics.moulin_rouge import MoulinRouge, harmonic_mean, novel_phrase, novel_word

# Ten words, so that a word that stands there twice makes up a fifth.
ARTICLE = ["Kinase binds human cells.", "Mice with kinase live very long."]


def scores(candidate, name, article=ARTICLE, **settings):
    return metric(f"MOULIN-ROUGE-{name}", **settings).score(
        candidate if isinstance(candidate, str) else Summary(candidate), source=article
    )


@pytest.mark.checked("metric `MOULIN-ROUGE`")
def test_equation_1_weighs_abstraction_by_beta():
    assert harmonic_mean(0.5, 0.25) == pytest.approx(2 * 0.5 * 0.25 / 0.75)
    # (1 + 4) * 0.5 * 0.25 / (4 * 0.5 + 0.25)
    assert harmonic_mean(0.5, 0.25, beta=2) == pytest.approx(0.625 / 2.25)
    # the greater beta, the nearer to abstraction
    assert harmonic_mean(0.5, 0.25, beta=100) == pytest.approx(0.25, abs=1e-4)
    assert harmonic_mean(0.5, 0.25, beta=0.01) == pytest.approx(0.5, abs=1e-4)
    assert harmonic_mean(0.5, 0.0) == harmonic_mean(0.0, 0.0) == 0.0


@pytest.mark.checked("metric `MOULIN-ROUGE`")
def test_equation_2_counts_the_ngrams_that_are_not_the_articles():
    article = {("a", "b"), ("b", "c")}
    # a b, b x, x a, a b: two of four, the same one twice
    assert novel_phrase([["a", "b", "x", "a", "b"]], article, 2) == 0.5
    assert novel_phrase([["a", "b"], ["x", "a"]], article, 2) == 0.5
    assert math.isnan(novel_phrase([["a"], ["b"]], article, 2))


@pytest.mark.checked("metric `MOULIN-ROUGE`")
def test_equation_3_counts_distinct_words():
    assert novel_word(["a", "a", "b", "x"], {"a", "b"}) == pytest.approx(1 / 3)
    assert novel_word(["a", "a", "b", "x"], {"a", "b"}, {"a"}) == 0.5
    assert math.isnan(novel_word(["a"], {"b"}, {"a"}))


@pytest.mark.checked("metric `MOULIN-ROUGE`")
def test_novel_phrase_of_any_number_of_words():
    # kinase binds | binds mouse | mouse cells
    assert scores("Kinase binds mouse cells.", "Novel-Phrase-2") == pytest.approx(2 / 3)
    # mouse is the one word that the article does not have
    assert scores("Kinase binds mouse cells.", "Novel-Phrase-1") == 0.25
    assert scores("Kinase binds mouse cells.", "Novel-Phrase-4") == 1.0
    assert math.isnan(scores("Kinase binds mouse cells.", "Novel-Phrase-5"))


@pytest.mark.checked("metric `MOULIN-ROUGE`")
def test_copied_sentences_have_no_novel_phrase():
    assert scores(ARTICLE[::-1], "Novel-Phrase-3") == 0.0
    # one sentence that joins two of the article's is copied as well
    assert scores("... human cells. Mice with kinase", "Novel-Phrase-5") == 0.0


@pytest.mark.checked("metric `MOULIN-ROUGE`")
def test_stop_words_and_frequent_words_are_left_out():
    # kinase, mice and with, which is a stop word; new: rats, sleep
    candidate = "Kinase with rats, mice sleep"
    assert scores(candidate, "Novel-Word", frequent=1.0) == 0.5
    # kinase makes up 2 of 10 words, which is not above 0.2 but above 0.19
    assert scores(candidate, "Novel-Word", frequent=0.2) == 0.5
    assert scores(candidate, "Novel-Word", frequent=0.19) == pytest.approx(2 / 3)
    # each of the ten is above a hundredth
    assert scores(candidate, "Novel-Word") == 1.0
    assert math.isnan(scores("with the kinase", "Novel-Word"))


@pytest.mark.checked("metric `MOULIN-ROUGE`")
def test_the_abstraction_score_is_the_harmonic_mean_of_both():
    # bigrams: mice live (new) | live very | very happily (new); words: mice, live, happily (new)
    candidate, settings = "Mice live very happily", {"n": 2, "frequent": 1.0}
    phrase, word = 2 / 3, 1 / 3
    found = scores(candidate, "Abstraction", **settings)
    assert found == pytest.approx(2 * phrase * word / (phrase + word))
    # ROUGE-S: six pairs of the candidate, three of the reference, three shared: P 1/2, R 1, F 2/3
    whole = metric("MOULIN-ROUGE", beta=2, **settings).score(candidate, ["Mice live happily"], ARTICLE)
    content = 0.66667  # as ROUGE-1.5.5 prints it
    assert whole == pytest.approx(5 * content * found / (4 * content + found))


def test_rouge_s_is_on_words_as_they_are():
    # stemmed or without stop words it would be 1
    assert metric("MOULIN-ROUGE", n=1).score("of rats sleep", ["of rat sleeping"], ARTICLE) == 0.0


def test_what_it_needs_is_told():
    assert metric("MOULIN-ROUGE-Novel-Word").score("rats", source=ARTICLE) == 1.0
    with pytest.raises(InputError, match="no reference"):
        metric("MOULIN-ROUGE").score("rats", source=ARTICLE)
    with pytest.raises(InputError, match="compares with the article"):
        metric("MOULIN-ROUGE").score("rats", ["rats"])


def test_names_and_signatures():
    assert MoulinRouge.names() == [
        "MOULIN-ROUGE",
        "MOULIN-ROUGE-Abstraction",
        "MOULIN-ROUGE-Novel-Phrase-5",
        "MOULIN-ROUGE-Novel-Word",
    ]
    assert metric("MOULIN-ROUGE-Novel-Phrase-12").n == 12
    assert "|n:5|beta:2|frequent:0.01|" in metric("MOULIN-ROUGE", beta=2).signature
    with pytest.raises(InputError, match="there is no metric 'MOULIN-ROUGE-Novel-Phrase-0'"):
        metric("MOULIN-ROUGE-Novel-Phrase-0")


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"beta": 0}, "beta is 0. Give a value above 0"),
        ({"beta": math.inf}, "beta is inf. Give a value above 0"),
        ({"beta": math.nan}, "beta is nan. Give a value above 0"),
        ({"n": 0}, "n is 0. Give a value from 1 to 1000000"),
        ({"frequent": 0}, "frequent is 0. Give a value above 0 and up to 1"),
        ({"frequent": 1.1}, "frequent is 1.1. Give a value above 0 and up to 1"),
        ({"gamma": 1}, "unexpected keyword"),
    ],
)
def test_bad_settings_are_told(settings, problem):
    with pytest.raises(InputError, match=problem):
        metric("MOULIN-ROUGE", **settings)
    with pytest.raises(InputError, match="no part 'Novelty'"):
        MoulinRouge("Novelty")
