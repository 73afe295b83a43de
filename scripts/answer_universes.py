"""Summarise the universes: one table per question."""

from pathlib import Path

from sera.evaluation.tables import write_tsv
from sera.multiverse.answers import (
    agreement_table,
    all_tables,
    choice_table,
    claim_table,
    influence_table,
    outlier_table,
    universe_table,
    variance_table,
)
from sera.multiverse.claims import METRICS
from sera.multiverse.stages import read_cells
from sera.multiverse.worlds import read_looked
from sera.published.paper import read_published
from sera.reporting.job import job

with job(snakemake) as rule:
    looked = read_looked(rule.input.blocks)
    universes = rule.params.universes
    published = read_published(rule.input.published).set_index("metric").loc[list(METRICS)]
    tables = {
        "universes.tsv": universe_table(universes, looked),
        "tables.tsv.gz": all_tables(looked),
        "claims.tsv": claim_table(
            universes,
            looked,
            published.drop(columns="against").to_numpy(float),
            confidence=rule.params.confidence,
        ),
        "choices.tsv": choice_table(universes, looked),
        "variance.tsv": variance_table(universes, looked),
        "systems.tsv": influence_table(universes, looked),
        "outliers.tsv": outlier_table(universes, looked),
        "agreement.tsv": agreement_table(
            read_cells(rule.input.cells), sorted(rule.params.systems), seed=rule.params.seed
        ),
    }
    for path in rule.output:
        write_tsv(path, tables[Path(path).name].assign(benchmark=rule.params.benchmark))
