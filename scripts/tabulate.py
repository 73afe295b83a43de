"""Write the paper's tables with the published values, its claims, and the comparison of studies."""

from pathlib import Path

import pandas as pd

from sera.evaluation.bootstrap import RESAMPLED
from sera.evaluation.correlate import Scores, level_coefficients
from sera.evaluation.tables import caption, read_tsv, write_table, write_tables
from sera.io.scores import read_scores
from sera.metrics.notes import signature_lines
from study.claims.check import check_claims, compare_with_paper
from study.published.tables import (
    compare_studies,
    join_published,
    judged_pairs,
    keep_metrics,
    read_published,
    readable_comparison,
)
from study.workflow.job import job


def at_thresholds(scores, metrics, rule):
    """The correlations of metrics with Pyramid at each threshold of nugget matching."""
    table = read_scores(rule.input.pyramids[0])
    for threshold in rule.params.thresholds:
        suffix = f"(threshold={threshold})"
        pyramids = table[table["metric"].str.endswith(suffix)]
        pyramids = pyramids.assign(metric=pyramids["metric"].str.removesuffix(suffix))
        others = scores[~scores["metric"].isin(pyramids["metric"])]
        threshold_scores = Scores.from_table(pd.concat([others, pyramids]), rule.params.systems)
        for name in metrics:
            yield {
                "metric": name,
                "threshold": threshold,
                **level_coefficients(threshold_scores, name, "Pyramid"),
            }


with job(snakemake) as rule:
    label, judgements = rule.params.benchmark, rule.params.against
    options = {"benchmark": label, "forms": rule.params.forms}
    folder, over = Path(rule.output[0]).parent, RESAMPLED[rule.params.bootstrap]
    correlations = read_tsv(rule.input.correlations)
    paper_tables = {Path(path).stem: read_published(path) for path in rule.input.published}
    for name, paper_table in paper_tables.items():
        if not rule.params.compared:
            paper_table = judged_pairs(paper_table, judgements)
        table = join_published(keep_metrics(paper_table, correlations["metric"]), correlations)
        notes = signature_lines(rule.input.signatures, {*table["metric"], *table["against"]})
        title = caption(
            name, label, " and ".join(judgements), compared=rule.params.compared, over=over, notes=notes
        )
        write_table(folder / name, table, caption=title, cells=readable_comparison(table), **options)
    if rule.params.compared:
        claims = compare_with_paper(
            check_claims(correlations, judgements[0]),
            check_claims(pd.concat(paper_tables.values(), ignore_index=True)),
        )
        title = caption("table_claims", label, judgements[0])
        write_table(folder / "table_claims", claims, caption=title, **options)
    further = {}
    if rule.params.thresholds:
        scores = read_scores(rule.input.scores)
        metrics = keep_metrics(paper_tables["table2"], scores["metric"])["metric"]
        further["pyramid_threshold"] = pd.DataFrame(at_thresholds(scores, metrics, rule))
    if rule.params.studies:
        others = dict(zip(rule.params.studies, map(read_tsv, rule.input.studies), strict=True))
        further["studies"] = compare_studies(read_tsv(folder / "table2.tsv"), others)
    write_tables(folder, further, label, forms=rule.params.forms)
