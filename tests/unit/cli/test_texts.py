"""`sera score` on texts of other tools: tables, and a summary on each line."""

from __future__ import annotations

import pytest
from commands import sera as run

import sera

METRICS = "ROUGE-1-F,ROUGE-L-F"
PUBLISHED = ("--published", "0.8333", "--metrics", "ROUGE-1")
CANDIDATE, REFERENCE = "Cells die. The kinase binds p53.", 'A "kinase" binds p53. Cells die.'
CSV_REFERENCE = '"A ""kinase"" binds p53. Cells die."'
JSON = ('"Cells die.", "The kinase binds p53."', r'"A \"kinase\" binds p53.", "Cells die."')
FILES = {
    "csv": (f"topic,system,summary\n1,m,{CANDIDATE}\n", f"summary,topic\n{CSV_REFERENCE},1\n"),
    "tsv": (f"topic\tsystem\tsummary\n1\tm\t{CANDIDATE}\n", f"topic\tsummary\n1\t{REFERENCE}\n"),
    "txt": (f"{CANDIDATE}\n", f"{REFERENCE}\n"),
    "jsonl": (
        f'{{"topic": "1", "system": "m", "sentences": [{JSON[0]}]}}\n',
        f'{{"topic": "1", "annotator": "1", "sentences": [{JSON[1]}]}}\n',
    ),
}
# five words of six and six are shared: "cells die", "kinase binds p53"; as one sentence, the latter alone
SPLIT, WHOLE = [0.83333, 0.83333], [0.83333, 0.5]


def put(folder, form, candidates, references):
    paths = folder / f"m.{form}", folder / f"gold.{form}"
    for path, text in zip(paths, (candidates, references)):
        path.write_text(text)
    return paths


def scored(paths, *options):
    out = paths[0].with_name("scores.tsv")
    said = run("score", *paths, "--out", out, *options)
    return [line.split("\t") for line in out.read_text().splitlines()[1:]], said


@pytest.mark.parametrize("form", FILES)
def test_the_same_texts_have_the_same_scores_in_each_form(tmp_path, form):
    paths = put(tmp_path, form, *FILES[form])
    found, _ = scored(paths, "--metrics", METRICS)
    assert [(topic, system) for topic, system, *_ in found] == [("1", "m")] * 2
    assert [float(row[3]) for row in found] == SPLIT
    whole, _ = scored(paths, "--metrics", METRICS, "--split", "none")
    assert [float(row[3]) for row in whole] == (SPLIT if form == "jsonl" else WHOLE)
    assert " of 18 configurations give 0.8333. " in run("research", "identify", *paths, *PUBLISHED)
    table = sera.score([CANDIDATE], [REFERENCE], METRICS.split(","))
    assert table["score"].tolist() == SPLIT


def test_several_references_of_a_table_are_numbered_if_nobody_is_named(tmp_path):
    texts = "topic,system,summary\nt,m,a b\nt,e,\n", "topic,summary\nt,a x\nt,y b\n"
    found, said = scored(put(tmp_path, "csv", *texts), "--metrics", "ROUGE-1-R")
    assert found == [["t", "m", "ROUGE-1-R", "0.5"], ["t", "e", "ROUGE-1-R", "0.0"]]
    assert "1 of 2 candidates without words" in said


@pytest.mark.parametrize(
    ("form", "candidates", "references", "problem"),
    [
        ("csv", "topic,system,t\nt,m,a\n", "topic,summary\nt,a\n", "m.csv: has no column summary; it has"),
        ("csv", "topic,system,summary\n,m,a\n", "topic,summary\nt,a\n", "m.csv, line 2: the topic '' is emp"),
        ("tsv", "topic\tsystem\tsummary\nt\t\ta\n", "", "m.tsv, line 2: the system '' is empty"),
        ("tsv", "topic\tsystem\tsummary\nt\tm\ta\tb\n", "", "m.tsv, line 2: has 4 cells, not 3"),
        ("txt", "a\n\nb\n", "a\nb\n", "m.txt: has 3 lines, and"),
        ("txt", "a\n", '{"topic": "1"}\n', "gold.txt, line 1: is a JSON object, not a summary"),
    ],
)
def test_wrong_texts_are_named(tmp_path, form, candidates, references, problem):
    assert problem in run("score", *put(tmp_path, form, candidates, references), code=2)


def test_words_are_those_of_a_named_tokenizer_without_those_of_a_file(tmp_path):
    paths = put(tmp_path, "txt", "今天很好\n", "今天天气不好\n")
    (tmp_path / "stop.txt").write_text("好\n")
    options = ("--metrics", "ROUGE-1-P", "--tokenizer", "characters", "--plain-names")
    found, _ = scored(paths, *options, "--set", f"ROUGE.stop_words={tmp_path / 'stop.txt'}")
    assert found == [["1", "m", "ROUGE-1-P", "0.66667"]]  # 今, 天 of 今, 天, 很
    _, said = scored(paths, "--metrics", "ROUGE-1-P")
    assert "ROUGE-1-P (1 of 1): no word: the summary has no ASCII letter" in said
