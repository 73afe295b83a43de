"""Compute Table 2 for each threshold of nugget matching."""

import pandas as pd

from sera.evaluation.correlation.correlate import Scores, at_level
from sera.evaluation.tables import caption, write_table
from sera.io.scores import read_scores
from study.published.tables import of_metrics, read_published
from study.workflow.job import job

with job(snakemake) as rule:
    scores = read_scores(rule.input.scores)
    metrics = of_metrics(read_published(rule.input.published), scores["metric"])["metric"]
    rows = []
    for threshold, path in zip(rule.params.thresholds, rule.input.pyramids, strict=True):
        pyramids = read_scores(path)
        others = scores[~scores["metric"].isin(pyramids["metric"])]
        varied = Scores.of(pd.concat([others, pyramids]), rule.params.systems)
        rows += [
            {"metric": name, "threshold": threshold, **at_level(varied, name, "Pyramid")} for name in metrics
        ]
    write_table(
        rule.output[0].removesuffix(".tsv"),
        pd.DataFrame(rows),
        caption=caption("pyramid_threshold", rule.params.benchmark),
        benchmark=rule.params.benchmark,
    )
