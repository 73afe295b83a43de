"""Audit the published rank correlations: find the numbers of systems for which each is possible."""

import shutil
from pathlib import Path

from sera.evaluation.tables import write_readable, write_tsv
from sera.reporting.figures import save
from study.published import audit
from study.report.figures import attainable_pairs
from study.workflow.job import job

with job(snakemake) as rule:
    tables = {Path(path).stem: audit.read_pairs(path) for path in rule.input.tables}
    rows = audit.audit(tables)
    counts = audit.summary(rows)
    for output, table, text_table, title in (
        (rule.output.table, rows, audit.format_audit(rows), f"{audit.TITLE} {audit.LEGEND}"),
        (
            rule.output.summary,
            counts,
            audit.format_summary(counts),
            f"{audit.SUMMARY_TITLE} {audit.SUMMARY_LEGEND}",
        ),
    ):
        write_tsv(output[0], table)
        write_readable(output[0].removesuffix(".tsv"), text_table, title)
    shutil.copyfile(rule.input.paragraphs, rule.output.paragraphs)
    save(attainable_pairs(rows, title=audit.TITLE), rule.output.figure[0].removesuffix(".svg"))
