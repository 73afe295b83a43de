"""Write the paper's tables with published and reproduced values, its sentences, and Table 2 by threshold."""

from pathlib import Path

import pandas as pd

from sera.evaluation.correlation.correlate import Scores, at_level
from sera.evaluation.tables import caption, read_tsv, write_comparison, write_table
from sera.io.scores import read_scores
from sera.metrics.notes import captioned, signature_lines
from study.claims.check import beside_the_papers, check_claims
from study.published.tables import beside, elsewhere, of_metrics, read_published
from study.workflow.job import job

with job(snakemake) as rule:
    label, against, folder = rule.params.benchmark, rule.params.against, Path(rule.output[0]).parent
    correlations = read_tsv(rule.input.correlations)
    papers = {Path(path).stem: read_published(path) for path in rule.input.published}
    for name, printed in papers.items():
        published = printed if rule.params.compared else elsewhere(printed, against)
        table = beside(of_metrics(published, correlations["metric"]), correlations)
        title = caption(name, label, " and ".join(against), compared=rule.params.compared)
        notes = signature_lines(rule.input.signatures, {*table["metric"], *table["against"]})
        write_comparison(folder / name, table, caption=captioned(title, notes), benchmark=label)
    if rule.params.compared:
        ours = check_claims(correlations, against[0])
        theirs = check_claims(pd.concat(papers.values(), ignore_index=True))
        title = caption("table_claims", label, against[0])
        write_table(folder / "table_claims", beside_the_papers(ours, theirs), caption=title, benchmark=label)
    if rule.params.thresholds:
        scores = read_scores(rule.input.scores)
        metrics = of_metrics(papers["table2"], scores["metric"])["metric"]
        rows = []
        for threshold, path in zip(rule.params.thresholds, rule.input.thresholds, strict=True):
            pyramids = read_scores(path)
            others = scores[~scores["metric"].isin(pyramids["metric"])]
            varied = Scores.of(pd.concat([others, pyramids]), rule.params.systems)
            rows += [
                {"metric": name, "threshold": threshold, **at_level(varied, name, "Pyramid")}
                for name in metrics
            ]
        title = caption("pyramid_threshold", label)
        write_table(folder / "pyramid_threshold", pd.DataFrame(rows), caption=title, benchmark=label)
