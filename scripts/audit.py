"""Audit the published rank correlations: find the numbers of systems for which each is possible."""

from itertools import chain
from pathlib import Path

from sera.evaluation.tables import write_readable, write_tsv
from sera.io.files import writing
from sera.reporting.figures import save
from study.published.audit import (
    LEGEND,
    SUMMARY_LEGEND,
    SUMMARY_TITLE,
    TITLE,
    audit,
    digits_of,
    read_pairs,
    readable,
    readable_summary,
    summary,
)
from study.published.audit_text import paragraphs
from study.report.audit_figure import attainable_pairs
from study.workflow.job import job

with job(snakemake) as rule:
    tables = {Path(path).stem: read_pairs(path) for path in rule.input}
    digits = digits_of(chain(*tables.values()))
    rows = audit(tables, digits)
    counts = summary(rows, digits)
    write_tsv(rule.output.table[0], rows)
    write_readable(rule.output.table[0].removesuffix(".tsv"), readable(rows), f"{TITLE} {LEGEND}")
    write_tsv(rule.output.summary[0], counts)
    write_readable(
        rule.output.summary[0].removesuffix(".tsv"),
        readable_summary(counts),
        f"{SUMMARY_TITLE} {SUMMARY_LEGEND}",
    )
    with writing(rule.output.paragraphs) as stream:
        stream.write(paragraphs(rows, counts, digits))
    save(attainable_pairs(rows, counts, title=TITLE), rule.output.figure[0].removesuffix(".svg"))
