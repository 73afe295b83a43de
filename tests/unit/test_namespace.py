"""What `sera` offers in one namespace, without the packages of the extras too."""

import ast
import doctest
import importlib
import inspect
import json
import re
import subprocess
import sys
import tomllib

import numpy as np
import pandas as pd
import pytest
from commands import group_of, refusing
from commands import sera as run
from conftest import ROOT

import sera
from sera.errors import InputError
from sera.extras import EXTRA_OF
from sera.io.records import Candidate, Reference
from sera.metrics.base import Summary
from sera.summarizers import SUMMARIZERS

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
INSTALLED_AS = {"sklearn": "scikit-learn", "PIL": "pillow", "yaml": "pyyaml"}
INSTALLED_AS |= {"elastic_transport": "elasticsearch"}


def in_the_core(code, folder):
    """The lines that a program prints in an environment with the core alone."""
    return printed(refusing(EXTRA_OF) + code, folder).splitlines()


def printed(code, folder=ROOT):
    """What a program prints in a process of its own."""
    line = [sys.executable, "-c", code]
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_names_are_those_of_the_types():
    assert dir(sera) == sorted(sera.__all__)
    stub = ast.parse((ROOT / "sera/__init__.pyi").read_text(encoding="utf-8"))
    modules = {
        alias.name: node.module
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    listed = next(node.value for node in stub.body if isinstance(node, ast.Assign))
    assert sorted(ast.literal_eval(listed)) == sorted(sera.__all__) == sorted([*modules, "__version__"])
    for name, module in modules.items():
        assert getattr(sera, name) is getattr(importlib.import_module(module), name)
        assert (getattr(sera, name).__doc__ or "").strip()
    with pytest.raises(AttributeError, match="module 'sera' has no attribute 'metrik'"):
        sera.metrik  # noqa: B018


def test_the_examples_in_docstrings_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(SUMMARIZERS, "added", {})  # what `register` adds is gone afterwards
    for name in ("average", "evaluate", "index", "metric", "register", "score", "summarize"):
        given = getattr(sera, name)
        (example,) = doctest.DocTestFinder(recurse=False).find(given, name, globs={name: given})
        found = doctest.DocTestRunner().run(example)
        assert found.attempted and not found.failed, name


def test_importing_sera_imports_nothing_slow():
    code = "import sys; before = set(sys.modules); import sera; print(*set(sys.modules) - before)"
    loaded = {name.partition(".")[0] for name in printed(code).split()}
    assert "sera" in loaded and not loaded & {"numpy", "pandas", "numba", "scipy", "click", *EXTRA_OF}


def test_the_core_needs_no_extra(tmp_path):
    """ROUGE, Pyramid, SERA on an index, and the evaluation: each number is worked out by hand."""
    records = {
        "candidates": [{"topic": "t", "system": "s", "sentences": ["the kinase binds p53"]}],
        "references": [{"topic": "t", "annotator": "A", "sentences": ["p53 is bound by the kinase"]}],
        "documents": [{"id": "a", "text": "kinase"}, {"id": "b", "text": "p53"}, {"id": "c", "text": "fish"}],
    }
    for kind, some in records.items():
        (tmp_path / f"{kind}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in some))
    (tmp_path / "own.csv").write_text("topic,system,summary\nt,own,Cells die. Fish swim.\n")
    (tmp_path / "gold.csv").write_text("topic,summary\nt,Fish swim. Cells die.\n")
    lines = in_the_core(
        """
import warnings
import numba
import pandas as pd
import sera
import sera.compiled as sera_compiled
from sera.cli import main

warnings.simplefilter("ignore")
print(sera.metric("ROUGE-2-F").score("the kinase binds p53", ["p53 is bound by the kinase"]))
nuggets = pd.DataFrame({"topic": ["t"], "annotator": ["A"], "text": ["kinase binds p53"]})
gold = pd.DataFrame({"topic": ["t"], "annotator": ["A"], "text": ["p53 is bound by the kinase"]})
table = pd.DataFrame({"topic": ["t"], "system": ["s"], "text": ["the kinase binds p53"]})
print(*sera.score(table, gold, "Pyramid", nuggets=nuggets)["score"])
found = sera.index("index", {"a": "kinase", "b": "p53", "c": "fish"})
print(*sera.score(table, gold, ["SERA-2", "SERA-DIS-2"], index=found)["score"])
names = [(str(topic), f"s{system}") for topic in range(4) for system in range(4)]
frame = pd.DataFrame(names, columns=["topic", "system"])
tables = sera.evaluate(frame.assign(M=[1, 2, 4, 3] * 4), frame.assign(J=[1, 2, 3, 4] * 4), resamples=10)
print(*tables["system_level"]["spearman"])
main(["score", "candidates.jsonl", "references.jsonl", "--metrics", "ROUGE-2-F", "--out", "-"],
     standalone_mode=False)
main(["score", "own.csv", "gold.csv", "--out", "-"], standalone_mode=False)  # by the default metrics
main(["index", "build", "--documents", "documents.jsonl", "--out", "built"], standalone_mode=False)
""",
        tmp_path,
    )
    # one bigram, "the kinase", of 3 and of 5; the nugget is found; both texts retrieve a and b
    assert lines[:3] == ["0.25", "1.0", "1.0 1.0"]
    assert lines[3] == "0.8"  # 1 - 6 (1 + 1) / (4 * 15)
    assert "t\ts\tROUGE-2-F\t0.25" in lines
    # 4 words; 2 of 3 bigrams; each sentence is there
    assert {f"t\town\tROUGE-{n}-F\t{score}" for n, score in zip("12L", (1.0, 0.66667, 1.0))} <= {*lines}
    assert lines[-1] == "3 documents in built"


SHARED = {
    "average": "confidence",
    "evaluate": "compare versus falling missing top bootstrap resamples confidence seed",
    "index build": "documents analyzer",
    "report": "missing versus falling resamples confidence seed",
    "score": "metrics sources index nuggets vectors language",
    "summarize": "citances words sentences share seed order",
}
"""Options that a command shares with the function of its name."""


@pytest.mark.parametrize("name", SHARED)
def test_a_command_and_its_function_have_the_same_defaults(name):
    words = name.split()
    command = group_of(words)
    for word in words:
        command = command.commands[word]
    given = command.make_context(name, [], resilient_parsing=True).params
    if name == "score":  # --metrics is a text
        given["metrics"] = tuple(given.pop("names").split(","))
    own = inspect.signature(getattr(sera, words[0])).parameters
    texts = {"candidates", "references", "scores", "judgements", "parameters"}
    shared = ({*given} & {*own}) - texts
    assert shared >= {*SHARED[name].split()}
    for option in shared:
        none_given = None if own[option].default == () else own[option].default
        assert (None if given[option] == () else given[option]) == none_given, option


def test_the_extras_are_those_of_the_project():
    extras = PROJECT["optional-dependencies"]
    for package, extra in EXTRA_OF.items():
        wanted = INSTALLED_AS.get(package, package)
        names = {re.split(r"[^\w-]", each)[0] for each in extras[extra]}
        assert wanted in names
    assert set(EXTRA_OF.values()) == {*extras} - {"all", "test"}


SUMMARIES = pd.DataFrame({"topic": ["t", "u"], "system": ["s", "s"]}).assign(
    summary=["the kinase binds p53", ["Fish swim.", "They eat."]]
)
GOLD = pd.DataFrame(
    {"topic": ["t", "u", "u"], "reference": ["p53 is bound by the kinase", "Fish swim.", "They eat."]}
)


def test_frames_texts_and_records_are_scored():
    scores = sera.score(SUMMARIES, GOLD, ["ROUGE-2-F", "ROUGE-1-R"])
    assert scores.values.tolist() == [
        ["t", "s", "ROUGE-2-F", 0.25],
        ["t", "s", "ROUGE-1-R", 0.5],  # 3 of 6 words
        ["u", "s", "ROUGE-2-F", 0.5],  # 2 bigrams of 3 + 3 and 1 + 1
        ["u", "s", "ROUGE-1-R", 1.0],
    ]
    texts = sera.score(["the kinase binds p53"], [["p53 is bound by the kinase", "fish"]], "ROUGE-2-F")
    # 1 bigram of 3 + 3 in the summary and of 5 + 0 in the references: 2 * 1 / (6 + 5)
    assert texts.values.tolist() == [["1", "summary", "ROUGE-2-F", 0.18182]]
    by_default = sera.score("the kinase binds p53", "p53 is bound by the kinase")
    # 3 words, 1 bigram and the subsequence "the kinase" of 4 and 6 words
    assert dict(zip(by_default["metric"], by_default["score"])) == {
        **{"ROUGE-1-F": 0.6, "ROUGE-2-F": 0.25, "ROUGE-L-F": 0.4}
    }
    candidate = Candidate("t", "s", ("the kinase binds p53",))
    records = sera.score([candidate], [Reference("t", "A", ("p53 is bound by the kinase",))], "ROUGE-2-F")
    assert records.values.tolist() == [["t", "s", "ROUGE-2-F", 0.25]]


@pytest.mark.parametrize(
    ("candidates", "references", "message"),
    [
        (SUMMARIES.drop(columns="topic"), GOLD, "the candidates have no column topic; they have system, su"),
        (SUMMARIES.drop(columns="summary"), GOLD, "the candidates have no column summary; they"),
        (SUMMARIES, GOLD.assign(reference=[1, "a", "b"]), "the text in row 1 of the references is 1"),
        (SUMMARIES, GOLD[:1], "topic 'u' of system 's' has no reference"),
        (SUMMARIES[:0], GOLD, "there is no candidate"),
        (None, GOLD, "the candidates are None. Give a data frame"),
        ([{"topic": "t"}], GOLD, "item 1 of the candidates is {'topic': 't'}"),
        ("a", ["a", "b"], "the references are 2, and the topics of the candidates 1. Give"),
    ],
)  # fmt: skip
def test_what_cannot_be_scored_is_refused(candidates, references, message):
    with pytest.raises(InputError, match=f"^{re.escape(message)}"):
        sera.score(candidates, references)


def test_references_may_stand_in_the_rows_of_the_summaries():
    table = pd.DataFrame(
        {
            "topic": ["t", "u", "t"],
            "system": ["a", "a", "b"],
            "summary": ["the kinase binds p53", ["Fish swim.", "They fly."], "fish"],
            "references": [
                ["p53 is bound by the kinase", "the kinase"],
                np.array([["They fly.", "Fish swim."]], dtype=object),
                ["p53 is bound by the kinase", "the kinase"],
            ],
        },
        index=[7, 5, 7],
    )
    # "the kinase" of 5 and 1 bigrams; "fish swim" and "they fly" of 3; ROUGE-L by sentences
    found = sera.score(table, metrics=["ROUGE-2-R", "ROUGE-L-F"])
    found = found.pivot(index=["topic", "system"], columns="metric", values="score")
    assert found["ROUGE-2-R"].tolist() == [0.33333, 0.0, 0.66667]
    assert found["ROUGE-L-F"].tolist()[2] == 1.0
    parts = [sera.score(part, metrics="ROUGE-2-R") for part in (table[:1], table[1:])]
    assert pd.concat(parts, ignore_index=True).equals(sera.score(table, metrics="ROUGE-2-R"))


ONE, OTHER = "cells divide", "fish swim"


def _score_rows(*cells):
    """The scores of the text ONE by systems a and b, each with its references of one topic."""
    table = pd.DataFrame({"topic": ["t", "t"], "system": ["a", "b"], "summary": [ONE, ONE]})
    return sera.score(table.assign(references=list(cells)), metrics="ROUGE-1-R")["score"].tolist()


@pytest.mark.parametrize(
    ("cell", "same", "right"),
    [
        (ONE, [ONE], 1.0),
        ((ONE, OTHER), np.array([ONE, OTHER]), 0.5),
        (pd.Series([ONE, OTHER]), [ONE, OTHER], 0.5),
        ({ONE, OTHER}, {OTHER, ONE}, 0.5),
        ({"A": ONE, "B": [OTHER]}, {"B": [OTHER], "A": ONE}, 0.5),
        ([["cells", "divide"]], [Summary(["cells", "divide"])], 1.0),
    ],
)
def test_rows_of_a_topic_have_the_same_references_in_any_form(cell, same, right):
    assert _score_rows(cell, same) == _score_rows(cell, cell) == [right, right]


@pytest.mark.parametrize("other", [OTHER, [ONE, OTHER], [OTHER, ONE], [], np.nan, None, {"A": ONE}])
def test_rows_of_a_topic_with_other_references_are_refused(other):
    problem = "^topic 't' has other references with the system b than with a. Give"
    with pytest.raises(InputError, match=problem):
        _score_rows(ONE, other)


def test_references_may_be_named_by_annotator():
    table = pd.DataFrame({"topic": ["t"], "system": ["human_A"], "summary": [ONE]})
    named = {"A": ONE, "B": "cells swim"}
    assert sera.score(table.assign(references=[named]), metrics="ROUGE-1-R")["score"].tolist() == [0.5]
    assert sera.score([ONE], [named], "ROUGE-1-R")["score"].tolist() == [0.75]
    with pytest.raises(InputError, match="text B of the references in row 1 of the candidates is nan"):
        sera.score(table.assign(references=[{"A": ONE, "B": np.nan}]), metrics="ROUGE-1-R")


def test_a_text_that_can_be_read_only_once_is_refused():
    for given in (([iter([ONE])], [ONE]), ([ONE], [iter([ONE])])):
        with pytest.raises(InputError, match="is of the type list_iterator|is <list_iterator"):
            sera.score(*given, "ROUGE-1-R")
    with pytest.raises(InputError, match="the summary is "):
        Summary(iter([ONE]))


def test_an_index_is_made_and_opened(tmp_path):
    documents = {"d1": "A kinase phosphorylates p53.", "d2": "Fish swim in the sea."}
    made = sera.index(tmp_path / "one", documents)
    frame = pd.DataFrame(documents.items(), columns=["id", "text"])
    assert made.documents == sera.index(tmp_path / "one").documents == 2
    for engine in (made, sera.index(tmp_path / "one"), sera.index(tmp_path / "two", frame)):
        ((hit,),) = engine.search(["p53"], 5)
        assert hit.document == "d1"
    assert run("index", "verify", tmp_path / "two").endswith("two: 2 documents, 6 terms, 6 tokens\n")
    with pytest.raises(InputError, match="^the documents have no column id; they have name, text. Give"):
        sera.index(tmp_path / "three", frame.rename(columns={"id": "name"}))
    with pytest.raises(InputError, match=r"^all documents \(2\) are empty. Give each its text."):
        sera.index(tmp_path / "three", {"d1": "", "d2": " "})
    assert not (tmp_path / "three").exists()


def test_nltk_without_the_packages_of_its_classifiers():
    found = printed("""
import sys
from sera.extras import import_nltk
import_nltk()
assert "nltk" in sys.modules and not {"scipy", "sklearn"} & set(sys.modules)
from nltk.stem.snowball import SnowballStemmer
from scipy.stats import rankdata
import sklearn.svm
print(SnowballStemmer("english").stem("kinases"), *rankdata([30, 10]))
""")
    assert found == "kinas 2.0 1.0\n"
