"""JS-ref, JS, KL, TF*IDF, Cov and Red: numbers worked out by hand, and scipy beside."""

import math
import random

import pytest
from scipy.spatial.distance import jensenshannon

from sera import Summary, metric
from sera.errors import InputError
from sera.metrics import falling
from sera.metrics.s3.words import content_ngrams, ngram_counts, stems, words
from sera.metrics.word_distributions import js_divergence

LN2 = math.log(2)


def test_words_stems_and_stop_words():
    assert words(["The p53-kinase's ", "naïve_1"]) == ["the", "p53", "kinase", "s", "naïve_1"]
    assert stems(["generously"]) == ["generous"]
    # of what is not stemmed to a stop word nothing is dropped: "because" is "becaus"
    assert content_ngrams(["The cat, because of", "this house"], 1) == [("cat",), ("becaus",), ("hous",)]
    # longer n-grams go over sentence ends and need one stem that is no stop word
    assert content_ngrams(["The cats of", "the house"], 2) == [("the", "cat"), ("cat", "of"), ("the", "hous")]


def test_divergence_from_references():
    # cat, sat and cat, ran: ln 2 + (0.5 ln 0.5 + 0.5 ln 0.5) / 2
    assert metric("JS-ref-1").score("The cat sat.", "The cat ran.") == pytest.approx(0.3465736, abs=1e-7)
    # 2/3 and 1/2: ln 2 + (2/3 ln 4/7 + 1/2 ln 3/7) / 2
    assert metric("JS-ref-1").score("cat cat sat", "cat ran") == pytest.approx(0.2947841, abs=1e-7)
    # the cat, cat sat and the cat, cat ran
    assert metric("JS-ref-2").score("The cat sat.", "The cat ran.") == pytest.approx(0.3465736, abs=1e-7)
    assert metric("JS-ref-1").score("The cat sat.", "Sat, the cat!") == 0.0
    assert metric("JS-ref-1").score("cat sat", ["cat ran", "cat sat"]) == pytest.approx(LN2 / 4)


def test_texts_that_share_nothing_diverge_by_ln_2():
    for other in ("fish swim", "of the", ""):
        assert metric("JS-ref-1").score("cat sat", [other]) == LN2
    assert metric("JS-1").score("", source="cat sat") == LN2
    names = ["ROUGE-1-F", "JS-ref-1", "JS-2", "KL-1", "Red-1", "Cov-2", "TF*IDF-1", "Pyramid"]
    assert falling(names) == ["JS-ref-1", "JS-2", "KL-1"]
    assert metric("JS-ref-3").score("cat sat down", "cat sat down") == 0.0
    assert metric("TF*IDF-1").signature.startswith("TF*IDF-1|stem:snowball|stop:nltk|log:natural|")
    with pytest.raises(InputError, match="JS-2 compares with the article"):
        metric("JS-2").score("cat")


def test_divergence_beside_scipy(fidelity):
    draw = random.Random(0)
    for _ in range(100):
        texts = [" ".join(draw.choices("abcdefgh", weights=range(8, 0, -1), k=12)) for _ in range(2)]
        first, second = (ngram_counts((text.replace("a", "x"),), 1) for text in texts)
        grams = sorted({*first.of, *second.of})
        shares = [[text.share(gram) for gram in grams] for text in (first, second)]
        assert js_divergence(first, second) == pytest.approx(jensenshannon(*shares) ** 2, abs=1e-12)
        assert js_divergence(first, second) == js_divergence(second, first)
    subject = "metric `JS`: the divergence, which is that of JS-ref too"
    fidelity(subject, "drawn texts", 100, "scipy", "to 1e-12")


def of(name, summary, article):
    return metric(name).score(summary, source=article)


def test_divergence_from_the_article():
    # over the words of the summary: 2/3 ln((2/3) / (1/2)); sat is not in the article
    assert of("KL-1", "cat cat sat", "cat ran") == pytest.approx(0.1917880, abs=1e-7)
    assert of("KL-1", "fish", "cat ran") == of("KL-1", "", "cat ran") == 0.0
    # as from a reference
    assert of("JS-1", "The cat sat.", "The cat ran.") == pytest.approx(0.3465736, abs=1e-7)
    assert of("JS-1", "cat cat sat", "cat ran") == pytest.approx(0.2947841, abs=1e-7)


def test_coverage():
    # two of four words; a word that is said twice covers no more
    assert of("Cov-1", "cat cat sat", "cat ran cat fish") == 0.5
    # cat ran of cat ran, ran cat, cat fish
    assert of("Cov-2", "cat ran", "cat ran cat fish") == pytest.approx(1 / 3)
    assert of("Cov-1", "cat", "of the") == of("Cov-1", "", "cat") == 0.0


def test_weight_of_what_is_said():
    article = ["The cat ran.", "The cat fishes."]
    # ran and fish: a quarter of the words, in one of two sentences; cat is in both, its idf is 0
    assert of("TF*IDF-1", Summary(["Fish ran.", "A fish, a cat!"]), article) == pytest.approx(3 * 0.25 * LN2)
    # the cat is in both sentences; cat ran and cat fish are a quarter each; n-grams stay inside sentences
    assert metric("TF*IDF-2").score("the cat ran", source=article) == pytest.approx(0.25 * LN2)
    assert metric("TF*IDF-2").score(Summary(["the cat", "ran"]), source=article) == 0.0


def test_redundancy():
    assert metric("Red-1").score("cat cat sat") == pytest.approx(2 / 3)
    assert metric("Red-2").score("cat cat cat sat") == pytest.approx(2 / 3)
    # stop words are n-grams of the summary as well: the, cat, dog of the cat the dog
    assert metric("Red-1").score("The cat, the dog") == pytest.approx(3 / 4)
    assert metric("Red-1").score("the cats of the cat") == pytest.approx(3 / 5)  # the, cat, of
    assert metric("Red-2").score("of the cat of the") == pytest.approx(3 / 4)  # of the, the cat, cat of
    assert metric("Red-1").signature.startswith("Red-1|stem:snowball|stop:none|")
    assert metric("Red-2").score("cat") == metric("Red-1").score("") == 0.0
