"""Compile modules and the loops of `sera.compiled` once, so that the first run need not wait."""

import tempfile
import warnings
from importlib import import_module

import numpy as np
import pandas as pd

from sera.evaluation.bootstrap import Bootstrap
from sera.evaluation.correlate import Scores
from sera.evaluation.evaluate import FURTHER_TABLES, TABLE_NAMES, TEXT_TABLES, evaluation_tables
from sera.io.records import Document
from sera.metrics import FAMILIES, metric
from sera.retrieval.index import build_part, merge
from sera.retrieval.lucene import open_index
from sera.vectors.learning import learn

for name in (
    "matplotlib.pyplot",
    "nltk.stem",
    "scipy.stats",
    "sklearn.feature_extraction.text",
    "snakemake.cli",
):
    import_module(name)

with tempfile.TemporaryDirectory() as folder:
    for part in ("a", "b"):
        build_part([Document(part, "cell growth factor growth")], f"{folder}/{part}")
    merge([f"{folder}/a", f"{folder}/b"], f"{folder}/merged")
    open_index(f"{folder}/merged").search(["cell growth"], 10)
    learn(f"{folder}/merged", width=1, minimum=1)

# longer texts than Python interprets (`sera.compiled`)
text = "cell growth factor . growth " * 50
rows = [(text, [text, "factor of growth"], None)] * 512
for stem in (False, True):
    scores = [metric(name, stem=stem, stop=stem) for name in FAMILIES.load("ROUGE").names()]
    type(scores[0]).score_rows(scores, rows)

# as a study evaluates metrics, by a judgement without and with ties
random, topics, systems = np.random.default_rng(1), ["1", "2", "3"], ["a", "b", "c", "d"]
names = pd.MultiIndex.from_product([topics, systems, ["Pyramid", "ROUGE-1-F", "SERA-5"]])
table = names.to_frame(index=False, name=["topic", "system", "metric"])
summaries = table[["topic", "system"]].drop_duplicates(ignore_index=True)
summaries[["length", "coverage", "density"]] = random.random((len(summaries), 3))
with warnings.catch_warnings(action="ignore"):
    for values in (random.random(len(table)), random.integers(3, size=len(table)) / 2):
        for over in ("topics", "systems", "both"):
            evaluation_tables(
                Scores.from_table(table.assign(score=values), systems),
                ["Pyramid"],
                [*TABLE_NAMES, *FURTHER_TABLES, *TEXT_TABLES],
                bootstrap=Bootstrap(over, 20, 1),
                top=[2],
                compared=["ROUGE-1-F", "SERA-5"],
                summaries=summaries,
            )
