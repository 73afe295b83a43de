"""What `sera` offers in one namespace, without the packages of the extras too."""

import ast
import doctest
import importlib
import json
import os
import re
import subprocess
import sys
import tomllib

import numba
import pandas as pd
import pytest
from commands import refusing
from commands import sera as run
from conftest import ROOT
from made_scores import JUDGEMENT_HEAD, SCORE_HEAD, put_table

import sera
import sera.compiled as sera_compiled
from sera.errors import InputError
from sera.extras import EXTRA_OF
from sera.io.records import Candidate, Reference
from sera.summarizers import SUMMARIZERS

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
INSTALLED_AS = {
    **{"sklearn": "scikit-learn", "PIL": "pillow", "yaml": "pyyaml"},
    "elastic_transport": "elasticsearch",
}


def in_the_core(code, folder):
    """The lines that a program prints in an environment with the core alone."""
    done = subprocess.run(
        [sys.executable, "-c", refusing(EXTRA_OF) + code],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


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


PROGRAM = """
import sera
from sera import InputError, Summary

def main() -> None:
    summaries = [Summary(["the cat", "it sat"]), Summary(("a dog",))]
    rouge = sera.metric("ROUGE-2-F", stem=True)
    first: float = rouge.score(summaries[0], ["a cat sat down", Summary(["the cat", "it sat"])])
    scores: list[float] = rouge.score_all(summaries, [["the cat sat"], "a dog"])
    try:
        table = sera.score(summaries, [["the cat"], "a dog"], "ROUGE-1-F", settings={"ROUGE": {"stem": True}})
    except InputError as error:
        print(error.problem, error.remedy)
    line = {"topic": "t", "system": "s", "sentences": ["the cat"]}
    same = sera.score([line], [{"topic": "t", "annotator": "A", "sentences": ["a cat"]}])
    lead = sera.summarize("lead", ["The cat sat.", "It slept."], sentences=1)
    found = sera.index("index", {"d1": "the cat"})
    tables = sera.evaluate(table, same)
    print(first, scores, lead.sentences, found.documents, tables["agreement"], sera.__version__)

main()
"""


def test_a_users_program_passes_the_strict_checker(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "mypy.ini").write_text("[mypy]\n[mypy-sera.*]\nfollow_imports = silent\n")  # as if installed
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "program.py"],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_examples_in_docstrings_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(SUMMARIZERS, "_plugins", None)  # what `register` adds is gone afterwards
    for name in ("evaluate", "index", "metric", "register", "score", "summarize"):
        given = getattr(sera, name)
        (example,) = doctest.DocTestFinder(recurse=False).find(given, name, globs={name: given})
        found = doctest.DocTestRunner().run(example)
        assert found.attempted and not found.failed, name


def test_importing_sera_imports_nothing_slow():
    code = "import sys; before = set(sys.modules); import sera; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
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
main(["score", "--metrics", "ROUGE-2-F", "--candidates", "candidates.jsonl",
      "--references", "references.jsonl", "--out", "-"], standalone_mode=False)
main(["index", "build", "--documents", "documents.jsonl", "--out", "built"], standalone_mode=False)
""",
        tmp_path,
    )
    # one bigram, "the kinase", of 3 and of 5; the nugget is found; both texts retrieve a and b
    assert lines[:3] == ["0.25", "1.0", "1.0 1.0"]
    assert lines[3] == "0.8"  # 1 - 6 (1 + 1) / (4 * 15)
    assert "t\ts\tROUGE-2-F\t0.25" in lines
    assert lines[-1] == "3 documents in built"


def test_what_lacks_an_extra_names_it(tmp_path):
    (tmp_path / "texts.jsonl").write_text(
        '{"topic": "t", "id": "a", "sentences": ["Fish."], "text": "Fish."}\n'
    )
    (tmp_path / "receipt").write_text("{}")
    put_table(tmp_path / "scores.tsv", SCORE_HEAD, "t s M 1")
    put_table(tmp_path / "judgements.tsv", JUDGEMENT_HEAD, "t s J 1")
    commands = [
        "summarize --system luhn --sources texts.jsonl --out -",
        "report scores.tsv --judgements judgements.tsv --out page.html",
        "search --engine elasticsearch --index receipt --queries texts.jsonl --out run",
    ]
    lines = in_the_core(
        f"""
import inspect
from click.testing import CliRunner
import sera
import sera.compiled as sera_compiled
from sera import *
from sera.cli import main
for command in {commands}:
    done = CliRunner().invoke(main, command.split())
    print(done.exit_code, done.output.splitlines()[-1])
assert callable(dict(inspect.getmembers(sera))["report"])
for call in (
    lambda: sera.summarize("luhn", ["Fish swim."]),
    lambda: report(None, None, "page.html", name="mine"),
    lambda: sera.metric("ROUGE-2-F", dialect="rouge-score", stem=True).score("fishes", ["fishes"]),
):
    try:
        call()
    except sera.InputError as error:
        print(error.problem)
""",
        tmp_path,
    )
    text = "'nltk>=3.8' 'syntok>=1.4' 'textblob>=0.18' 'threadpoolctl>=3'"
    assert [line.replace(" of the extra", "").replace(" Run: pip install", "") for line in lines] == [
        f"2 Error: sera summarize needs sumy, summarizers. 'scikit-learn>=1.4' {text} 'sumy>=0.13'",
        "2 Error: sera report needs jinja2, plots. 'jinja2>=3.1' 'matplotlib>=3.8' 'pillow>=10'",
        "2 Error: sera search needs elasticsearch, elasticsearch. 'elasticsearch<10,>=8'",
        "sera.summarize needs sumy, summarizers",
        "sera.report needs matplotlib, plots",
        "ROUGE with dialect=rouge-score needs nltk, text",
    ]


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
    texts = sera.score(["the kinase binds p53"], [["p53 is bound by the kinase", "fish"]])
    # 1 bigram of 3 + 3 in the summary and of 5 + 0 in the references: 2 * 1 / (6 + 5)
    assert texts.values.tolist() == [["1", "summary", "ROUGE-2-F", 0.18182]]
    assert sera.score("the kinase binds p53", "p53 is bound by the kinase")["score"].tolist() == [0.25]
    records = sera.score(
        [Candidate("t", "s", ("the kinase binds p53",))],
        [Reference("t", "A", ("p53 is bound by the kinase",))],
    )
    assert records.values.tolist() == [["t", "s", "ROUGE-2-F", 0.25]]
    lines = sera.score(
        [{"topic": "t", "system": "s", "sentences": ["the kinase binds p53"]}],
        [{"topic": "t", "annotator": "A", "sentences": ["p53 is bound by the kinase"]}],
        ["ROUGE-2-F", "Cov-1", "Pyramid"],
        sources=[
            {"topic": "t", "id": "a", "title": "T", "sections": [{"title": "", "sentences": ["A p53"]}]}
        ],
        nuggets=[{"topic": "t", "annotator": "A", "text": "p53"}],
    )
    assert lines["score"].tolist() == [0.25, 1.0, 1.0]  # p53 is the only word of the article, and nugget


@pytest.mark.parametrize(
    ("candidates", "references", "message"),
    [
        (SUMMARIES.drop(columns="topic"), GOLD, "the candidates have no column topic; they have system, su"),
        (SUMMARIES.drop(columns="system"), GOLD, "the candidates have no column system"),
        (SUMMARIES.drop(columns="summary"), GOLD, "the candidates have no column with the text"),
        (SUMMARIES, GOLD.assign(reference=[1, "a", "b"]), "the text in row 1 of the references is 1"),
        (SUMMARIES.assign(topic=["t", None]), GOLD, "row 2 of the candidates has no topic"),
        (SUMMARIES, GOLD[:1], "topic 'u' of system 's' has no reference"),
        (SUMMARIES[:0], GOLD, "there is no candidate"),
        (None, GOLD, "the candidates are None. Give a data frame"),
        ([1], ["a"], "item 1 of the candidates is 1"),
        ([{"topic": "t"}], GOLD, "item 1 of the candidates: has no field"),
        (["a"], [{"topic": 1}], "item 1 of the references: field 'topic' holds int"),
        ("a", ["a", "b"], "the references are 2, and the topics of the candidates 1. Give"),
        ([Candidate("1", "s", "a b")], ["a b"], "the sentences of a record are 'a b'. Give"),
    ],
)  # fmt: skip
def test_what_cannot_be_scored_is_refused(candidates, references, message):
    with pytest.raises(InputError, match=f"^{re.escape(message)}"):
        sera.score(candidates, references)


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
    with pytest.raises(InputError, match="^a document is 'A text.'. Give"):
        sera.index(tmp_path / "three", ["A text."])
    with pytest.raises(InputError, match="^the text of the document 'd1' is 5. Give"):
        sera.index(tmp_path / "three", {"d1": 5})
    assert not (tmp_path / "three").exists()


def test_the_first_compilation_is_announced(monkeypatch, capsys):
    def twice(number):
        return 2 * number

    def thrice(number):
        return 3 * number

    sera_compiled.numba()
    monkeypatch.setattr(sera_compiled, "_announced", False)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert numba.njit(twice)(4) == 8  # of another package
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    for function in (twice, thrice):
        function.__module__ = "sera.text.porter"
        numba.njit(function)(4)
    assert capsys.readouterr().err == "sera compiles its loops for this machine, once: some ten seconds\n"
