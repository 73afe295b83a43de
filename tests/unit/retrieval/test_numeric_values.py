"""Numeric values leave queries as a whole; a number that is part of a name stays."""

import time

import pytest

from sera.retrieval.queries import content_words, without_values


@pytest.mark.checked("queries: plain")
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
    ],
)
def test_a_value_goes_as_a_whole(text, words):
    assert content_words(text) == words


@pytest.mark.checked("queries: plain")
@pytest.mark.parametrize(
    ("text", "words"),
    [
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
def test_a_number_in_a_name_stays(text, words):
    assert content_words(text) == words


def test_pieces_are_what_stands_between_the_values():
    assert without_values("a 2.5-fold rise of IL-6 (12%)") == ["a ", "-fold rise of IL-6 (", "%)"]
    assert without_values("") == [""]
    assert without_values("5") == ["", ""]


@pytest.mark.parametrize("part", ["1,", "1-", "1.1,", "1,000-", "a1/1", "10(", "5'", "1,1'", "1E-", "PI(1,"])
def test_no_text_takes_long(part):
    start = time.process_time()
    without_values(part * 20_000 + "x")
    assert time.process_time() - start < 2
