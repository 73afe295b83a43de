"""The study with the metric and the summarizer of an installed package."""

from __future__ import annotations

import json
import os

import pandas as pd
from checkouts import copy_of_the_study, counted, ran, snakemake
from plugin_package import install_example

OUT = "results/demo"
WANTED = [f"{OUT}/summaries/last.jsonl", f"{OUT}/scores.tsv", f"{OUT}/signatures.tsv"]
JOBS = {"summarize": 1, "score": 1, "gather_scores": 1}


def test_a_study_scores_and_summarizes_by_a_plugin(tmp_path):
    study = copy_of_the_study(tmp_path / "study")
    target = install_example(tmp_path / "target", tmp_path)
    library = f"{study}{os.pathsep}{target}"
    before = pd.read_csv(study / WANTED[1], sep="\t", dtype=str)

    ran(study, "--", *WANTED, library=library)
    scores = pd.read_csv(study / WANTED[1], sep="\t", dtype=str)
    new = scores[scores["metric"] == "Dice"]
    assert scores[scores["metric"] != "Dice"].reset_index(drop=True).equals(before)
    assert len(new) == len(before[["topic", "system"]].drop_duplicates())
    signatures = (study / WANTED[2]).read_text().splitlines()
    assert [line.split("\t")[1].split("|sera")[0] for line in signatures if line.startswith("Dice\t")] == [
        "Dice|function:sera_example.dice.dice"
    ]
    summaries = [json.loads(line) for line in (study / WANTED[0]).read_text().splitlines()]
    articles = map(json.loads, (study / OUT / "sources.jsonl").read_text().splitlines())
    last = {each["topic"]: each["sections"][-1]["sentences"][-1] for each in articles}
    assert {each["topic"]: each["sentences"][-1] for each in summaries} == last

    # a change of the plug-in's modules reruns what uses them, and nothing else
    def planned():
        return counted(snakemake(study, "--dry-run", "--", *WANTED, library=library))

    assert planned() == {}
    for module in ("last", "dice"):
        with open(target / f"sera_example/{module}.py", "a") as text:
            text.write("\n_CHANGED = True\n")
    assert planned() == JOBS
