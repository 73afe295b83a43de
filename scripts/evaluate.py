"""Evaluate every metric by the judgements: three levels, intervals, tests, the best systems."""

import logging
from pathlib import Path

from sera.evaluation.correlation.correlate import RESAMPLED, Bootstrap, Scores
from sera.evaluation.evaluate import tables_of
from sera.evaluation.papers.s3_tables import S3_SETTINGS, S3_TABLES, in_place, update_lines
from sera.evaluation.tables import caption, write_table
from sera.io.scores import read_scores, with_judgements
from sera.metrics import falling
from sera.metrics.notes import captioned, signature_lines
from study.published.tables import S3_PRINTED, beside_s3, read_published_s3
from study.workflow.job import job

with job(snakemake) as rule:
    table = read_scores(rule.input.scores)
    metrics = table["metric"].unique()
    if absent := sorted(set(rule.params.compared) - set(metrics)):
        logging.info("not scored, so not compared two by two: %s", ", ".join(absent))
    own = read_scores(rule.input.s3)
    scores, of_s3 = (
        Scores.of(with_judgements(each, rule.input.get("judgements")), rule.params.systems)
        for each in (table, in_place(table, own))
    )
    tables = tables_of(
        scores,
        rule.params.against,
        falling=falling(metrics),
        bootstrap=Bootstrap(rule.params.bootstrap, rule.params.resamples, rule.params.seed),
        confidence=rule.params.confidence,
        top=rule.params.top,
        compared=rule.params.compared,
        s3=of_s3,
    )
    printed = {Path(path).stem: path for path in rule.input.published}
    for name, files in S3_PRINTED.items():
        for file in files:
            published = read_published_s3(printed[file], rule.params.benchmark)
            tables[name] = beside_s3(published, tables[name])
    folder = Path(rule.output[0]).parent
    over = RESAMPLED[rule.params.bootstrap]
    for name, part in tables.items():
        named = {*part["metric"], *part.get("other", ())}
        notes = []
        if name in S3_TABLES:
            named -= set(own["metric"])
            notes = [S3_SETTINGS, *update_lines(of_s3.topics)]
        notes += signature_lines(rule.input.signatures, named)
        title = captioned(caption(name, rule.params.label, over=over), notes)
        write_table(folder / name, part, caption=title, benchmark=rule.params.label)
