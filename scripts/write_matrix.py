"""Write the matrix of metrics by benchmarks: its tables, its figure and its page."""

from functools import partial
from pathlib import Path

import pandas as pd

from sera.evaluation.tables import read_tsv, write_table, write_tsv
from sera.reporting.figures import save_both
from study.matrix.answers import MATRIX_TITLE
from study.matrix.column import claims_of_matrix
from study.matrix.document import write_document
from study.matrix.figure import matrix_figure
from study.matrix.page import by_level, overview, write_matrix_page
from study.workflow.job import job

with job(snakemake) as rule:
    tables = {
        name: pd.concat(map(read_tsv, rule.input[name]), ignore_index=True)
        for name in ("cells", "claims", "facts")
    }
    for name, table in tables.items():
        write_tsv(rule.output[name], table)
    shown = overview(tables["cells"])
    stem = rule.output.overview[0].removesuffix(".tsv")
    write_table(stem, shown, caption=MATRIX_TITLE, benchmark="matrix")
    Path(rule.output.tables).mkdir(exist_ok=True)
    for name, table in by_level(tables["cells"]).items():
        title = f"How metrics follow human judgements: {name.replace('_', ' level, ')}."
        write_table(Path(rule.output.tables) / name, table, caption=title, benchmark="matrix")
    drawn = rule.output.figure[0].removesuffix(".svg")
    save_both(partial(matrix_figure, tables["cells"], title=MATRIX_TITLE), drawn)
    facts = {"confidence": rule.params.confidence, "quoted": claims_of_matrix(*rule.input.own_claims)}
    write_matrix_page(rule.output.page, **tables, figure=rule.output.figure[0], **facts)
    write_document(rule.output.document, **tables, **facts)
