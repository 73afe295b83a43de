"""Evaluate every metric by people's preferences between two summaries, and the systems by them."""

from pathlib import Path

from sera.evaluation.people.preferences import of_scored, preference_tables
from sera.evaluation.tables import caption, write_table
from sera.io.preferences import read_choices
from sera.io.scores import read_scores
from sera.metrics import falling
from sera.metrics.notes import captioned, signature_lines
from study.workflow.job import job

with job(snakemake) as rule:
    scores = read_scores(rule.input.scores)
    path = rule.input.preferences
    preferences, _ = of_scored(read_choices(path), scores, path=path)
    tables = preference_tables(
        preferences,
        scores,
        falling=falling(scores["metric"].unique()),
        resamples=rule.params.resamples,
        confidence=rule.params.confidence,
        seed=rule.params.seed,
    )
    for name, part in tables.items():
        notes = signature_lines(rule.input.signatures, set(part["metric"])) if "metric" in part else []
        title = captioned(caption(name, rule.params.label), notes)
        write_table(Path(rule.output[0]).parent / name, part, caption=title, benchmark=rule.params.label)
