"""Concatenate tables with the same header."""

from sera.io.files import writing
from study.workflow.job import job
from study.workflow.rows import rows_below

with job(snakemake) as rule:
    header = rule.params.header
    with writing(rule.output[0]) as whole:
        whole.write(header + "\n")
        for part in rule.input:
            for row in rows_below(header, part):
                whole.write(row + "\n")
