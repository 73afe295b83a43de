"""MOULIN ROUGE against its equations worked out by hand."""

import math

import numpy as np
import pytest

from sera import Summary, metric
from sera.io.records import Candidate, Document, Nugget, Reference
from sera.metrics.base import Caution
from sera.metrics.frequent_words import IndexedCollection, read_word_list
from sera.metrics.moulin_rouge import harmonic_mean, novel_phrase, novel_word
from sera.metrics.pyramid import Pyramid
from sera.retrieval.index import build_part
from sera.retrieval.lucene import open_index
from sera.vectors.word_vectors import WordVectors

pytestmark = pytest.mark.filterwarnings("ignore::sera.metrics.base.Caution")

# Ten words, so that a word that stands there twice makes up a fifth.
ARTICLE = ["Kinase binds human cells.", "Mice with kinase live very long."]


def scores(candidate, name, article=ARTICLE, **settings):
    summary = candidate if isinstance(candidate, str) else Summary(candidate)
    return metric(f"MOULIN-ROUGE-{name}", **settings).score(summary, source=article)


def test_the_equations():
    assert harmonic_mean(0.5, 0.25) == pytest.approx(2 * 0.5 * 0.25 / 0.75)
    # (1 + 4) * 0.5 * 0.25 / (4 * 0.5 + 0.25)
    assert harmonic_mean(0.5, 0.25, beta=2) == pytest.approx(0.625 / 2.25)
    # the greater beta, the nearer to abstraction
    assert harmonic_mean(0.5, 0.25, beta=100) == pytest.approx(0.25, abs=1e-4)
    assert harmonic_mean(0.5, 0.25, beta=0.01) == pytest.approx(0.5, abs=1e-4)
    assert harmonic_mean(0.5, 0.0) == harmonic_mean(0.0, 0.0) == 0.0
    # equation 2 counts the ngrams that are not the articles
    article = {("a", "b"), ("b", "c")}
    # a b, b x, x a, a b: two of four, the same one twice
    assert novel_phrase([["a", "b", "x", "a", "b"]], article, 2) == 0.5
    assert novel_phrase([["a", "b"], ["x", "a"]], article, 2) == 0.5
    assert math.isnan(novel_phrase([["a"], ["b"]], article, 2))
    # equation 3 counts distinct words
    assert novel_word(["a", "a", "b", "x"], {"a", "b"}) == pytest.approx(1 / 3)
    assert novel_word(["a", "a", "b", "x"], {"a", "b"}, {"a"}) == 0.5
    assert math.isnan(novel_word(["a"], {"b"}, {"a"}))


def test_novel_phrases():
    # kinase binds | binds mouse | mouse cells
    assert scores("Kinase binds mouse cells.", "Novel-Phrase-2") == pytest.approx(2 / 3)
    # mouse is the one word that the article does not have
    assert scores("Kinase binds mouse cells.", "Novel-Phrase-1") == 0.25
    assert scores("Kinase binds mouse cells.", "Novel-Phrase-4") == 1.0
    assert math.isnan(scores("Kinase binds mouse cells.", "Novel-Phrase-5"))
    # copied sentences have no novel phrase
    assert scores(ARTICLE[::-1], "Novel-Phrase-3") == 0.0
    # one sentence that joins two of the article's is copied as well
    joined = "... human cells. Mice with kinase"
    assert scores([joined], "Novel-Phrase-5") == 0.0
    assert math.isnan(scores(joined, "Novel-Phrase-5"))  # two sentences of two and three words


def test_words_frequent_in_the_article_are_left_out_as_a_variant():
    # kinase, mice and with, which is a stop word; new: rats, sleep
    candidate = "Kinase with rats, mice sleep"
    assert scores(candidate, "Novel-Word") == 0.5
    # kinase makes up 2 of 10 words, which is not above 0.2 but above 0.19
    assert scores(candidate, "Novel-Word", frequent_in_article=0.2) == 0.5
    assert scores(candidate, "Novel-Word", frequent_in_article=0.19) == pytest.approx(2 / 3)
    # each of the ten is above a hundredth
    assert scores(candidate, "Novel-Word", frequent_in_article=0.01) == 1.0
    assert math.isnan(scores("with the kinase", "Novel-Word", frequent_in_article=0.01))


@pytest.fixture
def collection(tmp_path):
    """Four documents: kinase or kinases is in three, mice in two, rats in one."""
    texts = ["kinase mice", "kinases and mice", "Kinase of rats", "ships"]
    build_part([Document(str(number), text) for number, text in enumerate(texts)], tmp_path / "index")
    return IndexedCollection(open_index(tmp_path / "index"))


def test_words_frequent_in_the_collection_are_left_out(collection):
    candidate = "Kinase with rats, mice sleep"
    # kinase, in 3 of 4 documents, does not count: of rats, mice and sleep, rats and sleep are new
    assert scores(candidate, "Novel-Word", collection=collection) == pytest.approx(2 / 3)
    # more than 0.75 of the documents have no word
    assert scores(candidate, "Novel-Word", collection=collection, frequent=0.75) == 0.5
    # mice are in half of the documents, more than 0.49: rats, sleep are left, both new
    assert scores(candidate, "Novel-Word", collection=collection, frequent=0.49) == 1.0
    # rats are in a quarter of them, more than 0.2: sleep is left
    assert scores("Kinase, rats, mice live", "Novel-Word", collection=collection, frequent=0.2) == 0.0
    assert collection.frequent(["kinase", "kinases", "rats", "sleep"], 0.5) == {"kinase", "kinases"}
    assert collection.name == "4 documents (english)"


def test_words_of_a_list_are_left_out(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("Kinase\n\nrats\n", encoding="utf-8")
    listed = read_word_list(path)
    # mice and sleep are left, whatever the share; sleep is new
    assert scores("Kinase with rats, mice sleep", "Novel-Word", collection=listed, frequent=0.9) == 0.5
    assert listed.name == "list of 2 words"
    assert "|collection:list of 2 words|" in metric("MOULIN-ROUGE", collection=listed).signature


def test_without_collection_or_list_a_caution_is_given(collection):
    said = "neither a collection nor a list says which words are frequent"
    for name in ("MOULIN-ROUGE", "MOULIN-ROUGE-Abstraction", "MOULIN-ROUGE-Novel-Word"):
        assert metric(name).caution.startswith(said)
        assert metric(name, collection=collection).caution == metric(name, frequent=1).caution == ""
        assert metric(name, frequent_in_article=0.01).caution == ""
        assert "|collection:none|" in metric(name).signature
    assert metric("MOULIN-ROUGE-Novel-Phrase-5").caution == metric("MOULIN-ROUGE-Content").caution == ""
    with pytest.warns(Caution, match=said):
        metric("MOULIN-ROUGE-Novel-Word").score("rats", source=ARTICLE)


def test_the_abstraction_score_is_the_harmonic_mean_of_both():
    # bigrams: mice live (new) | live very | very happily (new); words: mice, live, happily (new)
    candidate, settings = "Mice live very happily", {"n": 2}
    phrase, word = 2 / 3, 1 / 3
    found = scores(candidate, "Abstraction", **settings)
    assert found == pytest.approx(2 * phrase * word / (phrase + word))
    # ROUGE-S: six pairs of the candidate, three of the reference, three shared: P 1/2, R 1, F 2/3
    whole = metric("MOULIN-ROUGE", beta=2, **settings).score(candidate, ["Mice live happily"], ARTICLE)
    content = 0.66667  # as ROUGE-1.5.5 prints it
    assert whole == pytest.approx(5 * content * found / (4 * content + found))
    assert metric("MOULIN-ROUGE-Content").score(candidate, ["Mice live happily"], ARTICLE) == content


# The content score in place of ROUGE-S. Abstraction of the candidate with n = 1: of its words mice, live and
# happily the last is new, as a phrase and as a word: 1/3, and so is the harmonic mean.
CANDIDATE = Candidate("t", "s", ("Mice live happily.",))
REFERENCES = [Reference("t", "A", ("Mice live long.",))]
NUGGETS = Pyramid.from_records([Nugget("t", "A", "mice live"), Nugget("t", "A", "long life")])
VECTORS = WordVectors(["mice", "happily", "long"], np.array([[1, 0], [0, 1], [-3, -4]]), "by hand")


@pytest.mark.parametrize(
    ("content", "resources", "expected"),
    [
        ("ROUGE-S-F", {}, 0.33333),  # mice live, of three pairs in both
        ("ROUGE-1-R", {}, 0.66667),
        # one unit of two is found, in the one summary that marks it: 1 of at most 1
        ("Pyramid", {"nuggets": NUGGETS}, 1.0),
        # at most as many as the reference has: its text has only the first, and the second is marked: 1 of 2
        ("Pyramid-Modified", {"nuggets": NUGGETS}, 0.5),
        # mice, and live, which has no vector, but is equal
        ("ROUGE-WE-1-F(threshold=1)", {"vectors": VECTORS}, 2 / 3),
        # means (1/2, 1/2) and ((1-3)/2, -4/2) = (-1, -2), whose cosine is below 0
        ("AVG_SIM", {"vectors": VECTORS}, 0.0),
    ],
)
def test_content_is_any_of_the_metrics_that_the_paper_proposes(content, resources, expected):
    given = {"n": 1, "content": content, **resources}
    article = ["Mice live with kinase."]
    (part,) = metric("MOULIN-ROUGE-Content", **given).score_all([CANDIDATE], [REFERENCES], [article])
    assert part == pytest.approx(expected)
    whole = metric("MOULIN-ROUGE", **given).score(CANDIDATE, REFERENCES, article)
    assert whole == pytest.approx(2 * expected / 3 / (expected + 1 / 3))
    assert f"|content:{content.partition('(')[0]}," in metric("MOULIN-ROUGE", **given).signature


def test_a_content_score_above_1_counts_as_1():
    units = ["one fish", "two ships", "three seas"]
    nuggets = Pyramid.from_records([Nugget("t", "A", units[0]), Nugget("t", "B", units[1])])
    references = [Reference("t", annotator, (unit,)) for annotator, unit in zip("AB", units, strict=False)]
    candidate = Candidate("t", "s", (*units,))
    # two units of tier 1, and one in the mean reference: 2 of 1
    assert metric("Pyramid-Modified", nuggets=nuggets).score(candidate, references) == 2.0
    content = metric("MOULIN-ROUGE-Content", content="Pyramid-Modified", nuggets=nuggets)
    assert content.score(candidate, references, ARTICLE) == 1.0
    whole = metric("MOULIN-ROUGE", n=1, content="Pyramid", nuggets={})
    assert math.isnan(whole.score(CANDIDATE, REFERENCES, ARTICLE))


def test_the_jackknife_of_content_leaves_no_reference_out_twice():
    one = metric("MOULIN-ROUGE-Content", content="ROUGE-1-R(multi=jackknife)")
    references = ["mice live", "mice sleep"]
    # half of each reference
    assert one.score("mice", references, ARTICLE) == 0.5
    # both at once: the references lack one already: the best of mice live (1), mice sleep (1/2)
    assert one.with_one_left_out().score("mice live", references, ARTICLE) == 1.0
    # without the first the best is 1/2, without the second 1
    assert one.score("mice live", references, ARTICLE) == 0.75
    # kinase, binds, human, cells, mice, live, long: all are the article's; with and very are stop words
    assert scores(ARTICLE, "Novel-Word") == 0.0
    assert scores(ARTICLE, "Abstraction") == 0.0
    assert metric("MOULIN-ROUGE").score(Summary(ARTICLE), [Summary(ARTICLE)], ARTICLE) == 0.0
    # stemmed or without stop words it would be 1
    assert metric("MOULIN-ROUGE", n=1).score("of rats sleep", ["of rat sleeping"], ARTICLE) == 0.0
