"""ROUGE-K against keywords and scores worked out by hand, from its paper's rules and its authors' code."""

import math
import sys

import pytest
from commands import sera

from sera import Summary, metric
from sera.errors import InputError
from sera.io.records import Candidate, Reference, Section, Source, write
from sera.metrics.configure import equip
from sera.metrics.rouge_k import (
    DocumentFrequencies,
    RougeK,
    authors_stop_words,
    shared_keywords,
    textrank_keywords,
    tfidf_keywords,
)
from sera.text.spacy_models import lemmas, lemmatizer, spacy_model


def shared(*texts, **settings):
    return [" ".join(keyword) for keyword in shared_keywords([text.split() for text in texts], **settings)]


def source(title, *sentences):
    return Source("t", "a", title, (Section("", sentences),))


# The heuristic


@pytest.mark.checked("metric `ROUGE-K`")
def test_longer_keywords_come_first_and_their_words_are_taken():
    # n = 3: "deep neural networks". n = 2: "deep neural", "neural networks" reuse; n = 1: "trained" is left
    one = "deep neural networks trained slowly"
    other = "trained deep neural networks"
    assert shared(one, other) == ["deep neural networks", "trained"]
    # with n = 1 alone every shared word is one, in the order of the first text
    assert shared(one, other, longest=1) == ["deep", "neural", "networks", "trained"]


@pytest.mark.checked("metric `ROUGE-K`")
def test_of_equal_length_the_first_in_the_texts_wins():
    # n = 2 shares "cell wall" and "wall growth", which both have "wall"; then "growth" alone is free
    assert shared("cell wall growth", "wall growth x cell wall") == ["cell wall", "growth"]
    assert shared("wall growth x cell wall", "cell wall growth") == ["wall growth", "cell"]


@pytest.mark.checked("metric `ROUGE-K`")
def test_stop_words_are_taken_out_of_the_ngrams():
    # n = 3: "art of war" and "art and war" are both (art, war)
    assert shared("the art of war", "art and war") == ["art war"]
    # three words and two: no n has (deep, networks) in both, so the words come singly
    assert shared("deep and networks", "deep networks") == ["deep", "networks"]
    # ... but out of texts they do
    assert shared("deep and networks", "deep networks", stop="before") == ["deep networks"]
    # n = 4 of the first is (wall), n = 4 of the second too; "cell" is taken at 1
    assert shared(
        "of the wall in cell", "cell in the wall of", stop_words=frozenset({"of", "the", "in"})
    ) == ["wall", "cell"]


@pytest.mark.checked("metric `ROUGE-K`")
def test_a_keyword_stands_in_two_texts_not_twice_in_one():
    assert shared("cell cell", "wall") == []
    assert shared("cell", "wall", "cell x wall") == ["cell", "wall"]


@pytest.mark.checked("metric `ROUGE-K`")
def test_an_ngram_has_at_most_ten_words():
    text = "a1 b1 c1 d1 e1 f1 g1 h1 i1 j1 k1"
    assert shared(text, text) == [text.removesuffix(" k1"), "k1"]


def test_stop_words_are_those_of_the_authors():
    assert len(authors_stop_words()) == 179 + 5
    assert {"paper", "authors", "don't", "the", "use"} <= authors_stop_words()
    assert "," not in authors_stop_words() and "used" not in authors_stop_words()


# The second text


def keywords(references, article=None, name="ROUGE-K", **settings):
    return [" ".join(keyword) for keyword in metric(name, **settings).keywords(references, article)]


@pytest.mark.checked("metric `ROUGE-K`")
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


def test_sentences_are_joined():
    assert keywords([["The cell.", "Wall grows."], ["Cell wall"]]) == ["cell wall"]


def test_no_keyword_is_undefined_and_no_zero():
    assert math.isnan(metric("ROUGE-K").score("cells", ["cells divide", "walls grow"]))
    assert math.isnan(metric("ROUGE-K").score("cells", ["cells"], source("", "cells")))
    assert math.isnan(metric("ROUGE-K").score("cells", ["", "cells"]))
    assert metric("ROUGE-K").score("", ["cells divide", "cells"]) == 0.0


def test_one_reference_and_no_article_at_all_is_told():
    with pytest.raises(InputError, match="one reference and no article.*--sources"):
        metric("ROUGE-K").score("cells", ["cells"])


# The score


@pytest.mark.checked("metric `ROUGE-K`")
def test_the_share_of_keywords_that_the_summary_has():
    references = ["Deep neural networks generate images of mice", "Images by deep neural networks, from mice"]
    # deep neural networks; images; mice
    assert keywords(references) == ["deep neural networks", "images", "mice"]
    rouge_k = metric("ROUGE-K")
    assert rouge_k.score("The images were of mice.", references) == 2 / 3
    # whole keywords, in their order, stop words between them apart
    assert rouge_k.score("Neural networks", references) == 0
    assert rouge_k.score("Deep and neural are the networks", references) == 1 / 3
    assert rouge_k.score(Summary(["Deep.", "Neural networks."]), references) == 1 / 3


@pytest.mark.checked("metric `ROUGE-K`")
def test_whole_words_are_matched_or_substrings_as_in_the_authors_code():
    """There, words without stop words are joined by blanks, and `"party began".contains("art")` is true."""
    references = ["Art is long", "art"]
    assert keywords(references) == ["art"]
    assert metric("ROUGE-K").score("The party began.", references) == 0
    assert metric("ROUGE-K", matching="substring").score("The party began.", references) == 1
    # "party began" has "y be" too, and no keyword of two words but as they stand
    two = ["deep learn", "deep learn"]
    assert metric("ROUGE-K", matching="substring").score("Deeply learned deep learning", two) == 1
    assert metric("ROUGE-K", matching="substring").score("learned deeply", two) == 0
    assert metric("ROUGE-K").score("deep learning", two) == 0


def test_a_tokenizer_of_ones_own():
    # the authors' keep hyphenated words whole
    own = {"tokenizer": lambda sentence: sentence.lower().split(), "stop_words": frozenset()}
    references = ["State-of-the-art kinase", "state-of-the-art"]
    assert keywords(references) == ["state art"]
    assert keywords(references, **own) == ["state-of-the-art"]
    assert metric("ROUGE-K", **own).score("A state-of-the-art cell", references) == 1
    assert "tokenizer:test_a_tokenizer_of_ones_own" in metric("ROUGE-K", **own).signature


SPACY = {
    "__init__": """
import re
from types import SimpleNamespace as Namespace

class Model:
    lang = "en"
    Defaults = Namespace(infixes=["(?:-|~)", "/"])
    tokenizer = Namespace(infix_finditer=re.compile("-|~|/").finditer)
    def __init__(self, lemmas):
        self.lemmas = lemmas
    def __call__(self, text):
        for word in text.replace(".", " .").split():
            ends = [end for hit in self.tokenizer.infix_finditer(word) for end in hit.span()]
            for start, end in zip([0, *ends], [*ends, len(word)]):
                yield Namespace(lemma_=word[start:end].removesuffix("s") if self.lemmas else "")

def load(name, disable):
    if name == "none":
        raise OSError("[E050]")
    return Model(name == "small")
""",
    "lang/__init__": "",
    "lang/char_classes": 'HYPHENS = "-|~"',
    "util": "import re\ndef compile_infix_regex(infixes): return re.compile('|'.join(infixes))",
}
"""A spaCy whose lemma of a word lacks its last s; only the model `small` has lemmas."""


@pytest.fixture
def spacy(tmp_path, monkeypatch):
    for name, text in SPACY.items():
        (tmp_path / f"spacy/{name}.py").parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"spacy/{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "spacy"]:
        del sys.modules[name]
    for each in (spacy_model, lemmatizer, lemmas):
        each.cache_clear()


def test_tokens_are_the_lemmas_of_a_model_of_spacy(spacy, tmp_path, monkeypatch):
    references = ["State-of-the-art kinases/enzymes.", "A state-of-the-art kinase."]
    assert keywords(references) == ["state art"]
    # hyphenated words are whole, and punctuation is left out
    assert keywords(references, tokens="spacy:small") == ["state-of-the-art kinase"]
    (one,) = equip(["ROUGE-K"], {"ROUGE-K": {"tokens": "spacy:small"}})
    assert "|tokenizer:spacy:small|" in one.signature
    assert one.score("State-of-the-art kinases.", references) == 1
    monkeypatch.chdir(tmp_path)
    files = ["--candidates", "c.jsonl", "--references", "r.jsonl"]
    write("c.jsonl", [Candidate("t", "s", ("state-of-the-art kinases",))])
    write("r.jsonl", [Reference("t", str(number), (text,)) for number, text in enumerate(references)])
    sera("score", "--metrics", "ROUGE-K(tokens=spacy:small)", *files, "--out", "scores.tsv")
    assert "\tROUGE-K(tokens=spacy:small)\t1.0" in (tmp_path / "scores.tsv").read_text()


@pytest.mark.parametrize(
    ("tokens", "said"),
    [
        ("nltk", "ROUGE-K.tokens is 'nltk'. Give standard or"),
        ("spacy:none", "spaCy has no model 'none'. Install it, or"),
        ("spacy:blank", "spacy:blank finds no lemmas"),
    ],
)
def test_a_model_without_lemmas_is_refused(spacy, tokens, said):
    with pytest.raises(InputError, match=said):
        metric("ROUGE-K", tokens=tokens).score("a", ["b", "c"])


def test_tokens_of_spacy_need_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)  # as if it were not installed
    with pytest.raises(InputError, match="lemmas by spacy:m need spaCy, and it is not installed"):
        metric("ROUGE-K", tokens="spacy:m").ready()


# The extractions that it is compared with


@pytest.mark.checked("metric `ROUGE-K`: ROUGE-K-TFIDF")
def test_tfidf_weighs_a_word_by_its_number_and_its_rarity():
    frequencies = DocumentFrequencies.count([["cell", "wall"], ["cell", "mice"], ["cell"]])
    assert frequencies.idf("cell") == 1.0  # ln(4 / 4) + 1
    assert frequencies.idf("wall") == math.log(4 / 2) + 1
    assert frequencies.idf("new") == math.log(4) + 1
    # cell 1 * 1, wall 1 * 1.69, mice 2 * 1.69, the stop word out
    text = "the cell wall mice".split()
    once = {"the": 9, "cell": 1, "wall": 1, "mice": 2}
    assert tfidf_keywords(text, 2, once, frequencies) == (("mice",), ("wall",))
    # of equals the first in the text
    assert tfidf_keywords(["mice", "wall"], 1, {"mice": 1, "wall": 1}, frequencies) == (("mice",),)


@pytest.mark.checked("metric `ROUGE-K`: ROUGE-K-TFIDF")
def test_tfidf_keywords_are_of_the_references_and_weighed_by_the_topic():
    article = source("Mice", "Kinase binds kinase.", "Kinase is here.", "Mice run.")
    # of the reference's words kinase stands four times in the topic, mice twice, sleep once
    assert keywords([["Mice sleep, kinase"]], article, "ROUGE-K-TFIDF", count=2) == ["kinase", "mice"]
    # as many as the heuristic finds: one, "mice"
    assert keywords([["Mice sleep, kinase"]], article, "ROUGE-K-TFIDF") == ["kinase"]
    rare = DocumentFrequencies(9, {"kinase": 9, "mice": 9})
    # 4 * 1 = 4; 2 * 1; 1 * (ln 10 + 1) = 3.3
    assert keywords([["Mice sleep, kinase"]], article, "ROUGE-K-TFIDF", count=2, frequencies=rare) == [
        "kinase",
        "sleep",
    ]


def test_without_a_second_text_there_are_three_keywords():
    for name in ("ROUGE-K-TFIDF", "ROUGE-K-TextRank"):
        untitled = source("", "Mice run.")
        assert len(keywords([["Mice, kinase, cell, wall, protein"]], untitled, name)) == (
            3 if name == "ROUGE-K-TFIDF" else 1  # five neighbours are one keyword
        )
    # a title that shares nothing: there is a second text, and no keyword
    assert keywords([["Mice sleep"]], source("Nothing of it"), "ROUGE-K-TFIDF") == []
    assert math.isnan(metric("ROUGE-K-TFIDF").score("Mice", [["Mice sleep"]], source("Nothing of it")))


@pytest.mark.checked("metric `ROUGE-K`: ROUGE-K-TextRank")
def test_textrank_joins_neighbours_and_ranks_by_links():
    # nouns and adjectives: linear system | natural system | number. joined: linear-system, natural-system
    sentences = [["linear", "system", "of", "natural", "system"], ["number"]]
    # four vertices: a third are two, system (rank 1.459) and linear (0.77, as natural, and first)
    assert textrank_keywords(sentences, 1) == (("linear", "system"),)
    # with more, "natural system" has a word already taken, and number has no link: 0.15
    assert textrank_keywords(sentences, 4) == (("linear", "system"), ("number",))
    assert textrank_keywords([["and", "quickly", "runs"]], 2) == ()


@pytest.mark.checked("metric `ROUGE-K`: ROUGE-K-TextRank")
def test_textrank_scores_are_those_of_its_equation():
    from sera.metrics.rouge_k import _ranks

    # a star of three: the centre c and leaves l: c = 0.15 + 0.85 * 2l, l = 0.15 + 0.85 * c / 2
    ranks = _ranks({"centre": {"one", "other"}, "one": {"centre"}, "other": {"centre"}})
    centre = (0.15 + 0.85 * 2 * 0.15) / (1 - 0.85**2)
    assert ranks["centre"] == pytest.approx(centre, abs=1e-3)
    assert ranks["one"] == ranks["other"] == pytest.approx(0.15 + 0.85 * centre / 2, abs=1e-3)
    assert _ranks({}) == {}


# Names and settings


def test_names_and_signatures():
    assert RougeK.names() == ["ROUGE-K", "ROUGE-K-TFIDF", "ROUGE-K-TextRank"]
    assert "|matching:substring|second:title|" in metric("ROUGE-K", matching="substring").signature
    assert "|count:heuristic|" in metric("ROUGE-K-TextRank").signature
    assert "|frequencies:topic|" in metric("ROUGE-K-TFIDF").signature
    with pytest.raises(InputError, match="ROUGE-K cannot have 3 keywords"):
        metric("ROUGE-K", count=3)
    with pytest.raises(InputError, match="no extraction 'YAKE'"):
        RougeK("YAKE")
