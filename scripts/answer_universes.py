"""Summarise the universes: one table per question."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from sera.evaluation.tables import write_tsv
from study.multiverse import answers
from study.multiverse.cells import read_arrays
from study.multiverse.permutation_tests import exchange_table, null_table
from study.multiverse.universes import read_results
from study.report.answer import printed_table
from study.workflow.job import job

with job(snakemake) as rule:
    universes, results = rule.params.universes, read_results(rule.input.blocks)
    synthetic = "(synthetic)" in rule.params.benchmark
    paper_table = None if synthetic else printed_table(rule.input.published)

    def tests(paths, table):
        results_by_question = []
        for (question, sample), path in zip(rule.params.tested.items(), paths, strict=True):
            weights = np.array([universe["weight"] for universe in sample])
            results_by_question.append(table(read_arrays(path)["effects"], weights).assign(question=question))
        return pd.concat(results_by_question, ignore_index=True)

    makers: dict[str, Callable[..., pd.DataFrame]] = {
        "universes.tsv": answers.universe_table,
        "tables.tsv.gz": answers.all_tables,
        "claims.tsv": partial(answers.claim_table, published=paper_table, confidence=rule.params.confidence),
        "choices.tsv": answers.choice_table,
    }
    tables = {name: answers.question_tables(universes, results, table) for name, table in makers.items()}
    tables |= {
        "variance.tsv": answers.variance_table(tables["universes.tsv"]),
        "null.tsv": tests(rule.input.null, null_table),
        "exchange.tsv": tests(rule.input.exchange, exchange_table),
    }
    for path in rule.output:
        write_tsv(path, tables[Path(path).name].assign(benchmark=rule.params.benchmark))
