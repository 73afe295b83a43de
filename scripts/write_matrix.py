"""Write the matrix of metrics by benchmarks: its tables, its figures and its pages."""

from pathlib import Path

import pandas as pd

from sera.evaluation.tables import read_tsv, write_table, write_tsv
from sera.reporting.figures import save
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
from study.matrix.pooling import kinds_table, meta_table
from study.workflow.job import job

with job(snakemake) as rule:
    tables = {
        name: pd.concat(map(read_tsv, rule.input[name]), ignore_index=True)
        for name in ("cells", "contrasts", "facts", "kinds")
    }
    tables["cells"] = drop_clusters_of_few_systems(tables["cells"])
    tables["meta"] = meta_table(tables["contrasts"], rule.params.confidence)
    tables["pooled_kinds"] = kinds_table(tables["kinds"], rule.params.confidence)
    for name, table in tables.items():
        write_tsv(rule.output[name], table)
    overview_table = overview(tables["cells"])
    stem = rule.output.overview[0].removesuffix(".tsv")
    write_table(stem, overview_table, caption=MATRIX_TITLE, benchmark="matrix")
    figures = Path(rule.output.figures[0]).parent
    save(forest_figure(tables["contrasts"], tables["meta"], title=FOREST_TITLE), figures / "forest")
    save(kinds_figure(tables["pooled_kinds"], title=KINDS_TITLE), figures / "kinds")
    del tables["kinds"]
    write_cells_page(rule.output.page, tables["cells"], rule.params.confidence)
    write_document(rule.output.document, **tables, confidence=rule.params.confidence)
