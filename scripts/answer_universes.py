"""Summarise the universes: one table per question."""

from pathlib import Path

import numpy as np
import pandas as pd

from sera.evaluation.tables import write_tsv
from study.claims.multiverse import METRICS
from study.multiverse.answers import (
    agreement_table,
    all_tables,
    by_question,
    choice_table,
    claim_table,
    influence_table,
    outlier_table,
    universe_table,
    variance_table,
)
from study.multiverse.cells import read_cells
from study.multiverse.exchange import exchange_table
from study.multiverse.null_curve import null_table, read_permuted
from study.multiverse.universes import read_looked
from study.published.tables import read_published
from study.workflow.job import job

with job(snakemake) as rule:
    looked = read_looked(rule.input.blocks)
    universes = rule.params.universes
    published = read_published(rule.input.published).set_index("metric").loc[list(METRICS)]
    synthetic = "synthetic" in rule.params.benchmark
    printed = None if synthetic else published.drop(columns="against").to_numpy(float)

    def claims(universes, looked):
        return claim_table(universes, looked, printed, confidence=rule.params.confidence)

    def tests(paths, table):
        found = []
        for (question, permuted), path in zip(rule.params.permuted.items(), paths, strict=True):
            weights = np.array([each["weight"] for each in permuted])
            found.append(table(read_permuted(path), weights).assign(question=question))
        return pd.concat(found, ignore_index=True)

    tables = {
        "universes.tsv": by_question(universes, looked, universe_table),
        "tables.tsv.gz": by_question(universes, looked, lambda _, of: all_tables(of)),
        "claims.tsv": by_question(universes, looked, claims),
        "null.tsv": tests(rule.input.permuted, null_table),
        "exchange.tsv": tests(rule.input.exchanged, exchange_table),
        "choices.tsv": by_question(universes, looked, choice_table),
        "variance.tsv": by_question(universes, looked, variance_table),
        "systems.tsv": influence_table(universes, looked),
        "outliers.tsv": outlier_table(universes, looked),
        "agreement.tsv": agreement_table(
            read_cells(rule.input.cells), sorted(rule.params.systems), seed=rule.params.seed
        ),
    }
    for path in rule.output:
        write_tsv(path, tables[Path(path).name].assign(benchmark=rule.params.benchmark))
