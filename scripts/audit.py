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
from study.published.audit_text import joint_paragraph, paragraphs
from study.published.joint import JOINT_LEGEND, JOINT_SYSTEMS, JOINT_TITLE, WeakOrders, joint
from study.report.audit_figure import attainable_pairs
from study.workflow.job import job

with job(snakemake) as rule:
    tables = {Path(path).stem: read_pairs(path) for path in rule.input}
    digits = digits_of(chain(*tables.values()))
    rows = audit(tables, digits)
    counts = summary(rows, digits)
    solutions, left_out = joint(tables, digits)
    for output, table, shown, title in (
        (rule.output.table, rows, readable(rows), f"{TITLE} {LEGEND}"),
        (rule.output.summary, counts, readable_summary(counts), f"{SUMMARY_TITLE} {SUMMARY_LEGEND}"),
        (rule.output.joint, solutions, solutions.astype(str), f"{JOINT_TITLE} {JOINT_LEGEND}"),
    ):
        write_tsv(output[0], table)
        write_readable(output[0].removesuffix(".tsv"), shown, title)
    with writing(rule.output.paragraphs) as stream:
        orders = len(WeakOrders.of(JOINT_SYSTEMS).ranks)
        stream.write(f"{paragraphs(rows, counts, digits)}\n{joint_paragraph(solutions, left_out, orders)}")
    save(attainable_pairs(rows, counts, title=TITLE), rule.output.figure[0].removesuffix(".svg"))
