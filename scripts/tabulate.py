"""Write the paper's tables with the published values, its claims, and the comparison of studies."""

from pathlib import Path

import pandas as pd

from sera.evaluation.correlate import RESAMPLED, Scores, level_coefficients
from sera.evaluation.tables import caption, read_tsv, write_table
from sera.io.scores import read_scores
from sera.metrics.notes import captioned, signature_lines
from study.claims.check import check_claims, compare_with_paper
from study.published.tables import (
    compare_studies,
    join_published,
    judged_pairs,
    keep_metrics,
    read_published,
)
from study.workflow.job import job


def at_thresholds(scores, metrics, rule):
    """The correlations of metrics with Pyramid at each threshold of nugget matching."""
    for threshold, path in zip(rule.params.thresholds, rule.input.pyramids, strict=True):
        pyramids = read_scores(path)
        others = scores[~scores["metric"].isin(pyramids["metric"])]
        varied = Scores.from_table(pd.concat([others, pyramids]), rule.params.systems)
        for name in metrics:
            yield {"metric": name, "threshold": threshold, **level_coefficients(varied, name, "Pyramid")}


with job(snakemake) as rule:
    label, against = rule.params.benchmark, rule.params.against
    given = {"benchmark": label, "forms": rule.params.forms}
    folder = Path(rule.output[0]).parent
    correlations = read_tsv(rule.input.correlations)
    printed = {Path(path).stem: read_published(path) for path in rule.input.published}
    for name, published in printed.items():
        if not rule.params.compared:
            published = judged_pairs(published, against)
        table = join_published(keep_metrics(published, correlations["metric"]), correlations)
        over = RESAMPLED[rule.params.bootstrap]
        title = caption(name, label, " and ".join(against), compared=rule.params.compared, over=over)
        notes = signature_lines(rule.input.signatures, {*table["metric"], *table["against"]})
        write_table(folder / name, table, caption=captioned(title, notes), comparison=True, **given)
    if rule.params.compared:
        claims = compare_with_paper(
            check_claims(correlations, against[0]),
            check_claims(pd.concat(printed.values(), ignore_index=True)),
        )
        title = caption("table_claims", label, against[0])
        write_table(folder / "table_claims", claims, caption=title, **given)
    if rule.params.thresholds:
        scores = read_scores(rule.input.scores)
        metrics = keep_metrics(printed["table2"], scores["metric"])["metric"]
        table = pd.DataFrame(at_thresholds(scores, metrics, rule))
        title = caption("pyramid_threshold", label)
        write_table(folder / "pyramid_threshold", table, caption=title, **given)
    if rule.params.studies:
        others = dict(zip(rule.params.studies, map(read_tsv, rule.input.studies), strict=True))
        table = compare_studies(read_tsv(folder / "table2.tsv"), others)
        write_table(folder / "studies", table, caption=caption("studies", label), **given)
