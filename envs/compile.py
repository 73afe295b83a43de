"""Compile modules and the loops of `sera.compiled` once, so that the first run need not wait."""

import tempfile
from importlib import import_module

from sera.io.records import Document
from sera.metrics import FAMILIES, metric
from sera.retrieval.index import build_part, merge
from sera.retrieval.lucene import open_index

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

# longer texts than Python interprets (`sera.compiled`)
text = "cell growth factor . growth " * 50
rows = [(text, [text, "factor of growth"], None)] * 512
for stem in (False, True):
    scores = [metric(name, stem=stem, stop=stem) for name in FAMILIES.load("ROUGE").names()]
    type(scores[0]).score_rows(scores, rows)
