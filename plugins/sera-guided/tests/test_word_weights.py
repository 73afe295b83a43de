"""TF-IDF of an article's words, and their alignment with sub-words; no torch is needed."""

from __future__ import annotations

import math

import pytest

from sera.errors import InputError
from sera.io.records import Reference, Section, Source
from sera_guided.examples import Topics, fingerprint
from sera_guided.word_weights import WordWeights, align_weights, mark_keywords

ARTICLES = ["The kinase binds p53.", "The kinase grows.", "Cells grow."]


def test_the_weights_are_tf_times_idf_of_length_one():
    """kinase twice, in 2 of 3 articles: 2 (ln(4/3) + 1) = 2.575364; p53 once, in 1: ln 2 + 1 = 1.693147."""
    weights = WordWeights.learn(ARTICLES).weigh("The kinase, a Kinase of p53!")
    length = math.hypot(2.575364, 1.693147)
    assert weights == pytest.approx({"kinase": 2.575364 / length, "p53": 1.693147 / length}, abs=1e-6)
    assert weights == pytest.approx({"kinase": 0.835588, "p53": 0.549356}, abs=1e-5)


def test_an_article_of_stop_words_has_no_weight():
    assert WordWeights.learn(ARTICLES).weigh("The of and.") == {}


def test_the_best_words_come_first():
    assert WordWeights.learn(ARTICLES).best("p53 kinase kinase cells", 2) == ["kinase", "p53"]


def test_the_weights_are_read_as_written(tmp_path):
    weights = WordWeights.learn(ARTICLES)
    weights.save(tmp_path / "words.json")
    assert WordWeights.load(tmp_path / "words.json") == weights


#        0123456789012345678901
TEXT = "The kinase, binds p53."
SPANS = [(0, 0), (0, 3), (3, 7), (7, 10), (10, 11), (11, 17), (17, 19), (19, 21), (21, 22), (0, 0)]


def test_each_sub_word_has_the_weight_of_its_word():
    """ki|nase and p|53 are one word each; a blank before a word is part of its sub-word."""
    found = align_weights(TEXT, SPANS, {"kinase": 0.6, "binds": 0.5, "p53": 0.8})
    assert found == [0, 0, 0.6, 0.6, 0, 0.5, 0.8, 0.8, 0, 0]


def test_a_sub_word_of_two_words_has_the_weight_of_the_first():
    assert align_weights("ab cd", [(0, 5)], {"ab": 0.1, "cd": 0.9}) == [0.1]


def test_the_words_of_a_keyword_are_marked_where_they_stand_in_a_row():
    text = "deep nets, deep learning"
    spans = [(0, 4), (5, 9), (11, 15), (16, 21), (21, 24)]
    assert mark_keywords(text, spans, [("deep", "learning")]) == [0, 0, 1, 1, 1]
    assert mark_keywords(text, spans, [("deep",)]) == [1, 0, 1, 0, 0]
    assert mark_keywords(text, spans, []) == [0] * 5


def source(topic, *sentences, title=""):
    return Source(topic, topic, title, (Section("", sentences),))


def test_an_example_for_each_gold_summary_with_the_topics_keywords():
    topics = Topics.collect(
        [source("t", "Cells grow.", "Fish swim.", title="Fish")],
        [Reference("t", "A", ("We see fish swim.",)), Reference("t", "B", ("Fish swim here.",))],
    )
    found = topics.examples()
    assert [(one.text, one.summary) for one in found] == [
        ("Cells grow. Fish swim.", "We see fish swim."),
        ("Cells grow. Fish swim.", "Fish swim here."),
    ]
    assert found[0].keywords == found[1].keywords == (("fish", "swim"),)
    assert [one.summary for one in topics.articles()] == [""]
    assert fingerprint(found) != fingerprint(found[:1])


@pytest.mark.parametrize(
    ("sources", "error"),
    [
        ([], "there is no article to train on"),
        ([source("t")], "the article of topic 't' has no sentence"),
        ([source("u", "Cells.")], "topic 'u' has an article and no gold"),
    ],
)
def test_topics_to_train_on_are_whole(sources, error):
    with pytest.raises(InputError, match=error):
        Topics.collect(sources, [Reference("t", "A", ("Cells grow.",))])
