"""The three formulations of a query."""

from __future__ import annotations

import math

import pytest

from sera.engines.embedded import open_index
from sera.engines.index_building import build_part
from sera.errors import InputError
from sera.queries import content_words, formulate, keywords, noun_phrases, plain
from sera.records import Document

SENTENCE = "We found 3 genes (12.5%, 4-6) of miRNA-372 in the p53 pathway [12]."


def test_plain_has_neither_stop_words_nor_numeric_values():
    assert content_words(SENTENCE) == ["found", "genes", "mirna", "372", "p53", "pathway"]
    assert plain([SENTENCE, "The pathway is long."]) == "found genes mirna 372 p53 pathway pathway long"


def test_noun_phrases_leave_out_verbs_and_pronouns():
    query = noun_phrases(["They strongly inhibit the tumour suppressor pathway in human cells."])
    assert query == "tumour suppressor pathway human cells"


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("index") / "index"
    texts = [
        "kinase activity rises",
        "kinase activity falls",
        "kinase in cells",
        "activity of cells",
        "zebrafish kinase activity",
        "kinase",
    ]
    build_part([Document(f"d{i}", text) for i, text in enumerate(texts)], folder, analyzer="standard")
    return open_index(folder)


def test_keywords_by_phrase_frequency(index):
    # of 6 documents: kinase in 5, activity in 4, "kinase activity" in 3, zebrafish in 1
    text = ["The kinase activity of a zebrafish, unheard of."]
    assert keywords(text, index, math.log(6 / 2)) == "zebrafish"
    assert keywords(text, index, math.log(6 / 3.5)) == "kinase activity zebrafish"
    assert (
        keywords(text, index, math.log(6 / 5) + 1e-9) == "kinase activity zebrafish"
    )  # kinase inside its phrase
    assert keywords(["The kinase."], index, math.log(6 / 5) + 1e-9) == ""
    assert keywords(text, index, math.inf) == ""


def test_thresholds_by_name(index):
    # kinase in 5 of 6 documents, activity 4, cells 2, rises, falls and zebrafish 1; in and of are stop words
    mean = (math.log(6 / 5) + math.log(6 / 4) + math.log(6 / 2) + 3 * math.log(6)) / 6
    assert index.mean_idf() == pytest.approx(mean)
    text = ["kinase zebrafish", "cells"]
    assert keywords(text, index, "collection") == "zebrafish"
    # the query's own terms: ln 6/5, ln 6, ln 3; mean 1.02
    assert keywords(text, index, "query") == "zebrafish cells"
    with pytest.raises(InputError, match="collection or query"):
        keywords(text, index, "other")


def test_formulate_by_name(index):
    for formulation in ("plain", "np", "kw"):
        assert "zebrafish" in formulate(formulation, ["The zebrafish pathway is active."], index)
    assert formulate("plain", [], index) == ""
