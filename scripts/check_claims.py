"""Check the paper's sentences on Tables 2 and 3 and on Figure 1 against this study's correlations."""

import pandas as pd

from sera.evaluation.tables import caption, read_tsv, write_table
from study.claims.check import beside_the_papers, check_claims
from study.published.tables import read_published
from study.workflow.job import job

with job(snakemake) as rule:
    printed = check_claims(pd.concat(map(read_published, rule.input.published), ignore_index=True))
    ours = check_claims(read_tsv(rule.input.correlations), rule.params.against)
    write_table(
        rule.output[0].removesuffix(".tsv"),
        beside_the_papers(ours, printed),
        caption=caption("table_claims", rule.params.benchmark, rule.params.against),
        benchmark=rule.params.benchmark,
    )
