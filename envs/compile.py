"""Compile modules and the loops of `sera.compiled` once, so that the first run need not wait."""

import tempfile
from importlib import import_module

from sera.io.records import Document
from sera.metrics import FAMILIES, metric
from sera.retrieval.engines.embedded import open_index
from sera.retrieval.engines.index_building import build_part, merge

for name in (
    "matplotlib.pyplot",
    "nltk.stem",
    "scipy.stats",
    "sklearn.feature_extraction.text",
    "snakemake.cli",
):
    import_module(name)

with tempfile.TemporaryDirectory() as folder:
    # collections whose document numbers take one byte and two bytes, and one whose positions take four bytes
    for name, count, times in [("small", 200, 1), ("large", 300, 1), ("long", 300, 100)]:
        documents = (
            Document(f"{name}{number}", f"cell{number} growth factor growth " * times)
            for number in range(count)
        )
        build_part(documents, f"{folder}/{name}")
        engine = open_index(f"{folder}/{name}")
        for scorer in ("lucene", "query-likelihood"):
            engine.search(["cell growth"], 10, scorer=scorer)
    merge([f"{folder}/small", f"{folder}/large"], f"{folder}/merged")

scores = [metric(name) for name in FAMILIES.load("ROUGE").names()]
row = ("cell growth factor . growth", ["cell growth", "factor of growth"])
type(scores[0]).score_together(scores, *row)
type(scores[0]).score_rows(scores, [(*row, None)])
