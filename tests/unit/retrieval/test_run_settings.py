"""A run says with which settings it was made, and SERA's signature is read from there."""

import json

import pytest
from commands import sera

from sera.errors import InputError
from sera.io.records import Document, Query, write
from sera.metrics import metric
from sera.metrics.sera import RunRankings
from sera.retrieval.engines import Hit
from sera.retrieval.index import build_part
from sera.retrieval.runs import read_run_settings, write_run
from sera.retrieval.search import search_settings

SEARCH = {"noun_phrases": "textblob", "keyword_threshold": "collection", "query_stop": True, "mu": 500}
SETTINGS = search_settings("english", 12, **SEARCH)


def test_the_signature_has_the_settings_of_the_run(tmp_path):
    for formulation in ("plain", "kw"):
        hits = [Hit("a", 1.0), Hit("b", 0.0)]
        write_run(tmp_path / f"{formulation}.trec", [("t:s", hits)], tag="x", settings=SETTINGS)
    rankings = RunRankings.read([tmp_path / "plain.trec", tmp_path / "kw.trec"])
    assert rankings.runs["kw"] == {"t:s": ["a", "b"]} and rankings.zeros == {"plain": 2, "kw": 2}
    signature = metric("SERA-5", rankings=rankings).signature
    assert signature.startswith("SERA-5|query:plain|query_stop:yes|analyzer:english|mu:500|documents:12|")
    write_run(tmp_path / "kw.trec", [], tag="x", settings={**SETTINGS, "mu": 2000})
    with pytest.raises(InputError, match="kw.trec: was made with other settings"):
        RunRankings.read([tmp_path / "plain.trec", tmp_path / "kw.trec"])
    (tmp_path / "kw.json").unlink()
    with pytest.raises(InputError, match="kw.json: there is no such file; expected the settings of a run"):
        RunRankings.read([tmp_path / "kw.trec"])


def test_the_command_writes_the_settings(tmp_path):
    build_part([Document("d", "fish swim")], tmp_path / "index")
    write(tmp_path / "queries.jsonl", [Query("q", "fish")])
    searched = ("search", "--index", tmp_path / "index", "--queries", tmp_path / "queries.jsonl", "--mu", "7")
    sera(*searched, "--out", tmp_path / "run.trec")
    assert json.loads((tmp_path / "run.json").read_text()) == {"analyzer": "english", "mu": 7, "documents": 1}
    assert read_run_settings(tmp_path / "run.trec")["mu"] == 7
