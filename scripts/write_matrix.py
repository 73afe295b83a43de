"""Write the matrix of metrics by benchmarks: its tables, its figures and its pages."""

from pathlib import Path

import pandas as pd

from sera.evaluation.tables import read_tsv, write_table, write_tsv
from sera.io.scores import read_scores
from sera.reporting.figures import save
from study.matrix.column import Column, released_effects
from study.matrix.kinds import KINDS_TITLE
from study.matrix.page import (
    FOREST_TITLE,
    MATRIX_TITLE,
    drop_clusters_of_few_systems,
    forest_figure,
    kinds_figure,
    overview,
    write_cells_page,
    write_document,
)
from study.matrix.pooling import RELEASES, choices_table, kinds_table, pooled_table, releases_table
from study.workflow.job import job

MORE_SYSTEMS = "tac2014_38"

with job(snakemake) as rule:
    tables = {
        name: pd.concat(map(read_tsv, rule.input[name]), ignore_index=True)
        for name in (*Column._fields, "facts")
    }
    tables["cells"] = drop_clusters_of_few_systems(tables["cells"])
    if any(name in RELEASES for name in tables["facts"]["benchmark"]):  # not to a user's own data alone
        scores, systems = rule.input.more_systems
        families = read_tsv(systems, texts=["system", "family", "parameters", "benchmark"])
        families = dict(zip(families["system"], families["family"], strict=True))
        added = released_effects(
            MORE_SYSTEMS, read_scores(scores), families, "Pyramid", **rule.params.sampling
        )
        for name, table in zip(Column._fields[1:], added, strict=True):
            tables[name] = pd.concat([tables[name], table], ignore_index=True)
    confidence = rule.params.sampling["confidence"]
    tables["pooled"] = pooled_table(tables["contrasts"], confidence)
    tables["releases"] = releases_table(tables["contrasts"])
    tables["pooled_kinds"] = kinds_table(tables["kinds"], confidence)
    tables["choices"] = choices_table(tables["differences"], tables["kinds"], confidence)
    for name, table in tables.items():
        write_tsv(rule.output[name], table)
    overview_table = overview(tables["cells"])
    stem = rule.output.overview[0].removesuffix(".tsv")
    write_table(stem, overview_table, caption=MATRIX_TITLE, benchmark="matrix")
    figures = Path(rule.output.figures[0]).parent
    forest = [tables[name] for name in ("contrasts", "releases", "pooled")]
    save(forest_figure(*forest, title=FOREST_TITLE), figures / "forest")
    save(kinds_figure(tables["pooled_kinds"], title=KINDS_TITLE), figures / "kinds")
    write_cells_page(rule.output.page, tables["cells"], confidence)
    shown = {
        name: tables[name] for name in ("cells", "facts", "pooled", "releases", "pooled_kinds", "choices")
    }
    write_document(rule.output.document, **shown, confidence=confidence)
