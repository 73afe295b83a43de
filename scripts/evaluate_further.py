"""Evaluate every metric further: pairs, clusters, power, partial correlation, judges."""

from pathlib import Path

from sera.evaluation.correlation.correlate import RESAMPLED, Bootstrap, Scores
from sera.evaluation.correlation.partial import properties
from sera.evaluation.evaluate import FURTHER_TABLES, JUDGE_TABLES, TEXT_TABLES, tables_of
from sera.evaluation.tables import caption, write_table
from sera.io import records
from sera.io.scores import read_judges, read_scores, with_judgements
from sera.metrics import falling
from sera.metrics.notes import captioned, signature_lines
from study.workflow.job import job

with job(snakemake) as rule:
    table = read_scores(rule.input.scores)
    judgements = rule.input.get("judgements")
    tables = tables_of(
        Scores.of(with_judgements(table, judgements), rule.params.systems),
        rule.params.against,
        [*FURTHER_TABLES, *TEXT_TABLES, *JUDGE_TABLES],
        clustered=rule.params.compared,
        falling=falling(table["metric"].unique()),
        bootstrap=Bootstrap(rule.params.bootstrap, rule.params.resamples, rule.params.seed),
        confidence=rule.params.confidence,
        summaries=properties(
            list(records.read_all(rule.input.candidates, records.Candidate)),
            list(records.read(rule.input.sources, records.Source)),
        ),
        judges=read_judges(judgements).query("judge != ''") if rule.params.judges else None,
    )
    for name, part in tables.items():
        notes = signature_lines(rule.input.signatures, set(part["metric"])) if "metric" in part else []
        title = captioned(caption(name, rule.params.label, over=RESAMPLED[rule.params.bootstrap]), notes)
        write_table(Path(rule.output[0]).parent / name, part, caption=title, benchmark=rule.params.label)
