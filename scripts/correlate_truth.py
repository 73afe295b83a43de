"""Tabulate and draw the correlation of metrics with the true scores, by drift and size of the index."""

from itertools import product
from pathlib import Path

from sera.evaluation.tables import caption, write_table
from sera.io.scores import read_judgements, read_scores
from sera.metrics import falling
from sera.reporting.figures import save_both
from study.demo.correlation import SHOWN, SHOWN_BY_SIZE, by_drift_and_size
from study.report.figures import followed_truth
from study.workflow.job import job

with job(snakemake) as rule:
    true = read_judgements(rule.input.true).rename(columns={"judgement": "metric"})
    keys = product(rule.params.drifts, rule.params.sizes)
    table = by_drift_and_size(dict(zip(keys, map(read_scores, rule.input.scores), strict=True)), true)
    write_table(
        Path(rule.output.table[0]).with_suffix(""),
        table,
        caption=caption("truth", rule.params.benchmark),
        benchmark=rule.params.benchmark,
    )
    save_both(
        lambda narrow=False: followed_truth(
            table[table["against"] == rule.params.against],
            SHOWN,
            SHOWN_BY_SIZE,
            falling=falling({*SHOWN, *SHOWN_BY_SIZE}),
            title=caption("truth_figure", rule.params.benchmark, rule.params.against),
            narrow=narrow,
        ),
        Path(rule.output.figure[0]).with_suffix(""),
    )
