"""Evaluate every metric by the judgements and by people's preferences: all tables of the evaluation."""

import logging
from pathlib import Path

from sera.evaluation.bootstrap import RESAMPLED, Bootstrap
from sera.evaluation.correlate import Scores
from sera.evaluation.evaluate import ALL_TABLES, evaluation_tables
from sera.evaluation.partial import properties
from sera.evaluation.preferences import keep_scored, preference_table
from sera.evaluation.s3_tables import S3_TABLES, update_lines
from sera.evaluation.tables import write_tables
from sera.evaluation.versus import list_variants
from sera.io import records
from sera.io.scores import add_judgements, read_choices, read_judges, read_scores
from sera.metrics import falling
from sera.metrics.notes import signature_lines
from study.published.tables import S3_PRINTED, add_published_s3, read_of_dataset
from study.workflow.job import job
from study.workflow.s3 import S3_SETTINGS, replace_scores

TOP = (4, 6, 8, 10, 15, 20)
"""The numbers of best systems in the table top_systems."""

with job(snakemake) as rule:
    table = read_scores(rule.input.scores)
    metrics = table["metric"].unique()
    if absent := [name for name in rule.params.compared if not list_variants(name, list(metrics))]:
        logging.info("not scored, so not compared two by two: %s", ", ".join(absent))
    judgements = rule.input.get("judgements")
    scores = Scores.from_table(add_judgements(table, judgements), rule.params.systems)
    stems = {Path(path).stem for path in rule.output}
    names, s3_scores = [name for name in ALL_TABLES if name in stems], None
    summaries = None
    if rule.input.candidates:
        summaries = properties(
            list(records.read_all(rule.input.candidates, records.Candidate)),
            list(records.read_all(rule.input.sources, records.Source)),
        )
    own = read_scores(rule.input.s3[0]) if rule.input.s3 else None
    if own is not None:
        s3_scores = Scores.from_table(
            add_judgements(replace_scores(table, own), judgements), rule.params.systems
        )
    tables = evaluation_tables(
        scores,
        rule.params.against,
        names,
        falling=falling(metrics),
        bootstrap=Bootstrap(rule.params.bootstrap, rule.params.resamples, rule.params.seed),
        confidence=rule.params.confidence,
        top=TOP,
        compared=rule.params.compared,
        clustered=rule.params.compared,
        s3=s3_scores,
        summaries=summaries,
        judges=read_judges(judgements).query("judge != ''") if rule.params.judges else None,
    )
    for path in rule.input.preferences:
        preferences, _ = keep_scored(read_choices(path), table, path=path)
        tables["preferences"] = preference_table(
            preferences,
            table,
            falling=falling(metrics),
            resamples=rule.params.resamples,
            confidence=rule.params.confidence,
            seed=rule.params.seed,
        )
    paper_paths = {Path(path).stem: path for path in rule.input.published}
    for name, files in S3_PRINTED.items() if own is not None else ():
        for file in files:
            paper_table = read_of_dataset(paper_paths[file], rule.params.benchmark)
            tables[name] = add_published_s3(paper_table, tables[name])
    notes: dict[str, list[str]] = {}
    for name, part in tables.items():
        shown_metrics, notes[name] = {*part.get("metric", ()), *part.get("other", ())}, []
        if own is not None and s3_scores is not None and name in S3_TABLES:
            shown_metrics -= set(own["metric"])
            notes[name] = [S3_SETTINGS, *update_lines(s3_scores.topics)]
        if "metric" in part:
            notes[name] += signature_lines(rule.input.signatures, shown_metrics)
    folder, over = Path(rule.output[0]).parent, RESAMPLED[rule.params.bootstrap]
    write_tables(folder, tables, rule.params.label, notes=notes, over=over, forms=rule.params.forms)
