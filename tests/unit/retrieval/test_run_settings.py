"""A run says with which settings it was made, and SERA's signature is read from there."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import sera

from sera.errors import InputError
from sera.io.records import Document, Query, write
from sera.metrics import metric
from sera.metrics.sera import RunRankings
from sera.retrieval.engines import Hit
from sera.retrieval.index import build_part
from sera.retrieval.runs import read_run, read_run_settings, write_run
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
    (tmp_path / "kw.trec.json").unlink()
    absent = "kw.trec.json: there is no such file; expected the settings of a run"
    with pytest.raises(InputError, match=absent):
        RunRankings.read([tmp_path / "kw.trec"])
    with pytest.raises(InputError, match="kw.mu7: is named by the same formulation as .*kw.trec"):
        RunRankings.read([tmp_path / "plain.trec", tmp_path / "kw.trec", tmp_path / "kw.mu7"])


@pytest.fixture
def searched(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    build_part([Document("d", "fish swim")], "index")
    write("queries.jsonl", [Query("q", "fish")])
    return ("search", "--index", "index", "--queries", "queries.jsonl", "--mu", "7")


@pytest.mark.parametrize("out", ["run.trec", "run.json", "run", "run.trec.gz"])
def test_the_command_writes_the_settings(searched, out):
    for _ in range(2):  # settings replace older ones
        sera(*searched, "--out", out)
    assert read_run(out) == {"q": ["d"]}
    assert sorted(os.listdir()) == ["index", "queries.jsonl", out, f"{out}.json"]
    assert json.loads(Path(f"{out}.json").read_text()) == {"analyzer": "english", "mu": 7, "documents": 1}
    assert read_run_settings(out)["mu"] == 7


def test_runs_that_differ_in_their_ending_have_their_own_settings(searched):
    for mu in ("100", "2000"):
        sera(*searched, "--mu", mu, "--out", f"a.mu{mu}")
    assert (read_run_settings("a.mu100")["mu"], read_run_settings("a.mu2000")["mu"]) == (100, 2000)


@pytest.mark.parametrize("content", ['{"my": "thesis"}', "[1]", "", "not JSON", None])
def test_something_else_in_the_place_of_the_settings_stays(searched, content):
    path = Path("run.trec.json")
    path.write_text(content) if content is not None else path.mkdir()
    assert "run.trec.json: is something else" in sera(*searched, "--out", "run.trec", code=2)
    with pytest.raises(InputError, match="run.trec.json: is something else"):
        write_run("run.trec", [], tag="x", settings=SETTINGS)
    assert path.is_dir() or path.read_text() == content
    assert not Path("run.trec").exists()


@pytest.mark.parametrize("out", ["manifest.json", "manifest", "new.trec"])
def test_no_run_goes_into_the_index_that_is_searched(searched, out):
    before = sorted(os.listdir("index"))
    assert f"index/{out}: is inside index, which is read" in sera(*searched, "--out", f"index/{out}", code=2)
    assert sorted(os.listdir("index")) == before


def test_queries_are_not_the_place_of_the_settings(searched):
    Path("q.json").write_text('{"id": "q", "text": "fish"}\n')
    told = sera(*searched, "--queries", "q.json", "--out", "q", code=2)
    assert "q.json: is something else" in told and Path("q.json").read_text().startswith('{"id"')


def test_the_output_has_no_settings_beside_it(searched):
    program = str(Path(sys.executable).with_name("sera"))
    with open("piped.trec", "wb") as stream:
        subprocess.run([program, *searched, "--out", "-"], stdout=stream, check=True)
    assert list(read_run("piped.trec")) == ["q"] and not Path("/dev/stdout.json").exists()


def test_a_run_that_fails_leaves_the_older_one_with_its_settings(tmp_path):
    path = tmp_path / "r.trec"
    write_run(path, [("q", [Hit("d", 1.0)])], tag="x", settings=SETTINGS)
    with pytest.raises(InputError, match="the document"):
        write_run(path, [("q", [Hit("", 1.0)])], tag="x", settings={**SETTINGS, "mu": 2000})
    assert read_run(path) == {"q": ["d"]} and read_run_settings(path)["mu"] == 500
