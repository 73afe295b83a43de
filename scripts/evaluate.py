"""Evaluate every metric by the judgements and by people's preferences: all tables of the evaluation."""

import logging
from pathlib import Path

from sera.evaluation.correlation.correlate import RESAMPLED, Bootstrap, Scores
from sera.evaluation.correlation.partial import properties
from sera.evaluation.further_tables import further_tables
from sera.evaluation.meta_evaluation import evaluate
from sera.evaluation.papers.s3_tables import S3_SETTINGS, S3_TABLES, in_place, update_lines
from sera.evaluation.people.preference_tables import of_scored, preference_tables
from sera.evaluation.tables import caption, write_table
from sera.io import records
from sera.io.preferences import read_choices
from sera.io.scores import read_judges, read_scores, with_judgements
from sera.metrics import falling
from sera.metrics.notes import captioned, signature_lines
from study.published.tables import S3_PRINTED, beside_s3, read_published_s3
from study.workflow.job import job

with job(snakemake) as rule:
    table = read_scores(rule.input.scores)
    metrics = table["metric"].unique()
    if absent := sorted(set(rule.params.compared) - set(metrics)):
        logging.info("not scored, so not compared two by two: %s", ", ".join(absent))
    judgements = rule.input.get("judgements")
    own = read_scores(rule.input.s3)
    scores, of_s3 = (
        Scores.of(with_judgements(each, judgements), rule.params.systems)
        for each in (table, in_place(table, own))
    )
    how = {
        "falling": falling(metrics),
        "bootstrap": Bootstrap(rule.params.bootstrap, rule.params.resamples, rule.params.seed),
        "confidence": rule.params.confidence,
        "compared": rule.params.compared,
    }
    tables = evaluate(scores, rule.params.against, top=rule.params.top, s3=of_s3, **how)
    tables |= further_tables(
        scores,
        rule.params.against,
        summaries=properties(
            list(records.read_all(rule.input.candidates, records.Candidate)),
            list(records.read(rule.input.sources, records.Source)),
        ),
        judges=read_judges(judgements).query("judge != ''") if rule.params.judges else None,
        **how,
    )
    for path in rule.input.preferences:
        preferences, _ = of_scored(read_choices(path), table, path=path)
        tables |= preference_tables(
            preferences,
            table,
            falling=how["falling"],
            resamples=rule.params.resamples,
            confidence=rule.params.confidence,
            seed=rule.params.seed,
        )
    printed = {Path(path).stem: path for path in rule.input.published}
    for name, files in S3_PRINTED.items():
        for file in files:
            published = read_published_s3(printed[file], rule.params.benchmark)
            tables[name] = beside_s3(published, tables[name])
    for name, part in tables.items():
        named, notes = {*part.get("metric", ()), *part.get("other", ())}, []
        if name in S3_TABLES:
            named -= set(own["metric"])
            notes = [S3_SETTINGS, *update_lines(of_s3.topics)]
        if "metric" in part:
            notes += signature_lines(rule.input.signatures, named)
        title = captioned(caption(name, rule.params.label, over=RESAMPLED[rule.params.bootstrap]), notes)
        write_table(Path(rule.output[0]).parent / name, part, caption=title, benchmark=rule.params.label)
