"""Write the matrix of metrics by benchmarks: its tables, its figures and its pages."""

from pathlib import Path

import pandas as pd

from sera.evaluation.tables import read_tsv, write_table, write_tsv
from sera.io.scores import read_scores
from sera.reporting.figures import save
from study.claims.multiverse import ROUGE
from study.matrix.column import column_facts, matrix_column
from study.matrix.effects import EFFECTS, WITHOUT
from study.matrix.kinds import KINDS_TITLE
from study.matrix.page import (
    DOCUMENTED,
    FOREST_TITLE,
    MATRIX_TITLE,
    forest_figure,
    kinds_figure,
    overview,
    shown_cells,
    write_cells_page,
    write_document,
)
from study.matrix.pooling import RELEASES, choices_table, kinds_table, pooled_table, releases_table
from study.published.released import JUDGEMENT
from study.workflow.job import job

MORE_SYSTEMS = "tac2014_38"

with job(snakemake) as rule:
    columns = {name: [*map(read_tsv, rule.input[name])] for name in ("cells", *EFFECTS, "facts")}
    # the paper's data with more systems, as released, but not beside a user's own data alone
    if any(table["benchmark"].isin(RELEASES).any() for table in columns["facts"]):
        scores = read_scores(rule.input.more_systems[0])
        systems = read_tsv(rule.input.more_systems[1], texts=["system", "family", "parameters", "benchmark"])
        is_judgement = scores["metric"] == JUDGEMENT
        column = matrix_column(
            MORE_SYSTEMS,
            scores[~is_judgement],
            scores[is_judgement].rename(columns={"metric": "judgement"}),
            families=dict(zip(systems["system"], systems["family"], strict=True)),
            rouge={WITHOUT: scores[scores["metric"].isin(ROUGE)]},
            **rule.params.sampling,
        )
        column["facts"] = column_facts(column["cells"], [], [], 0, "")
        for name, table in column.items():
            columns[name].append(table)
    tables = {name: pd.concat(parts, ignore_index=True) for name, parts in columns.items()}
    confidence = rule.params.sampling["confidence"]
    tables["shown"] = shown_cells(tables["cells"])
    tables["pooled"] = pooled_table(tables["contrasts"], confidence)
    tables["releases"] = releases_table(tables["contrasts"])
    tables["pooled_kinds"] = kinds_table(tables["kinds"], confidence)
    tables["choices"] = choices_table(tables["differences"], tables["kinds"], confidence)
    for name, table in tables.items():
        write_tsv(rule.output[name], table)
    stem = rule.output.overview[0].removesuffix(".tsv")
    write_table(stem, overview(tables["shown"]), caption=MATRIX_TITLE, benchmark="matrix")
    figures = Path(rule.output.figures[0]).parent
    forest = [tables[name] for name in ("contrasts", "releases", "pooled")]
    save(forest_figure(*forest, title=FOREST_TITLE), figures / "forest")
    save(kinds_figure(tables["pooled_kinds"], title=KINDS_TITLE), figures / "kinds")
    write_cells_page(rule.output.page, tables["cells"], confidence)
    written = {name: read_tsv(rule.output[name]) for name in DOCUMENTED}  # as they are released
    write_document(rule.output.document, confidence, **written)
