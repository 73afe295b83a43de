"""Rankings, phrases and the mean idf of the embedded engine, against brute force and values by hand."""

from math import log
from pathlib import Path

import pytest

from sera.errors import InputError
from sera.io.records import Document
from sera.retrieval.engines import Hit
from sera.retrieval.index import build_part
from sera.retrieval.lucene import open_index


def documents_of(*texts: str) -> list[Document]:
    return [Document(f"d{number}", text) for number, text in enumerate(texts)]


def engine_of(folder: Path, *texts: str, analyzer: str = "english"):
    build_part(documents_of(*texts), folder, analyzer=analyzer)
    return open_index(folder)


def test_lucenes_score(tmp_path):
    engine = engine_of(tmp_path / "index", "cell cell protein", "protein")
    [[hit]] = engine.search(["cells"], 5, mu=10)
    assert hit == ("d0", pytest.approx(log(1 + 2 / (10 * 3 / 5)) + log(10 / 13), rel=1e-7))  # 0.0253
    [[twice]] = engine.search(["cell cells"], 5, mu=10)
    assert twice.score == pytest.approx(2 * hit.score, rel=1e-7)


def test_what_matches_is_a_hit_even_with_a_score_of_zero(tmp_path):
    engine = engine_of(tmp_path / "index", "cell " * 50, "x cell " + "protein " * 5000, "protein")
    [hits] = engine.search(["cell"], 5, mu=10)
    assert [hit.document for hit in hits] == ["d0", "d1"]
    assert hits[0].score > hits[1].score == 0.0


def test_ties_stay_in_the_order_of_the_index(tmp_path):
    build_part([Document(id, "cell protein") for id in "zmaqb"], tmp_path / "index")
    engine = open_index(tmp_path / "index")
    for k in (1, 3, 5, 9):
        [hits] = engine.search(["cell"], k)
        assert [hit.document for hit in hits] == list("zmaqb")[:k]


def test_phrases(tmp_path):
    texts = ["role of cells in mice", "role cells", "the roles in a cell", "role"]
    texts += ["cells of mice role x cell"]
    engine = engine_of(tmp_path / "index", *texts, "nothing")
    expected = {
        "role of cells": 2,  # role _ cells: d0, and `role x cell` in d4
        "role cells": 1,
        "roles in the cell": 1,
        "the role of": 5,  # stop words at the ends do not count
        "cell mice": 0,
        "cell in mice": 2,
        "cells of mice role": 1,  # longer than three
        "of the": 0,
        "": 0,
        "role ribosome": 0,
    }
    assert dict(zip(expected, engine.document_frequency(list(expected)))) == expected
    engine = engine_of(tmp_path / "index", "x alpha", "beta", "", "of the", "alpha of a", "beta alpha")
    phrases = ["alpha beta", "alpha of the a beta", "beta alpha", "x alpha"]
    assert engine.document_frequency(phrases) == [0, 0, 1, 1]


def test_mean_idf(tmp_path):
    engine = engine_of(tmp_path / "english", "the cell protein", "the cell", "cell")
    assert engine.mean_idf() == pytest.approx((log(3 / 3) + log(3 / 1)) / 2)
    # The stop word `the` is in the standard index, but not in the mean.
    engine = engine_of(tmp_path / "standard", "the cell protein", "the cell", "cell", analyzer="standard")
    assert engine.terms == 3
    assert engine.mean_idf() == pytest.approx((log(3 / 3) + log(3 / 1)) / 2)
    texts = ("dass Häuser", "Haus dass", "dass", "Zelle war will")
    engine = engine_of(tmp_path / "index", *texts, analyzer="german")
    # in the index are dass, haus, zell, whatever stop words English has
    assert engine.terms == 3
    assert engine.mean_idf() == pytest.approx((log(4 / 2) + log(4 / 1)) / 2)


def test_documents_without_tokens_are_counted(tmp_path):
    engine = engine_of(tmp_path / "index", "", "cell", "the")
    assert engine.documents == 3
    # p is (1 + 1) / (1 + 1); ln(1 + 1 / 2000) and ln(2000 / 2001) cancel but for rounding
    assert engine.search(["cell"], 3) == [[Hit("d1", pytest.approx(0, abs=1e-9))]]
    assert engine.mean_idf() == pytest.approx(log(3))


def test_wrong_settings_of_a_search_are_refused(tmp_path):
    engine = engine_of(tmp_path / "index", "cell")
    with pytest.raises(InputError, match="the number of documents to retrieve is 0"):
        engine.search(["cell"], k=0)
    with pytest.raises(InputError, match="the smoothing parameter mu is 0"):
        engine.search(["cell"], k=1, mu=0)
